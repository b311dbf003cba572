// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <tuple>

#include "fabric/drawn_failures.h"
#include "fabric/link_loads.h"
#include "fabric/network_rules.h"

/// Rules of service: what the job and storage ask of a network, what one fault leaves, what is out of service, spares.
namespace hallwright {
namespace {

constexpr double least_flow_share = 0.5; // project choice: below it one flow holds a step up by more than twice
constexpr double days_of_year = 365.25;

void check_storage(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const StoragePlan& plan = *context.design.storage;
  const Figure* need = known_figure(context, "storage.burst_needed");
  const StoragePart* system = context.catalog.find<StoragePart>(plan.system_part);
  const Figure* nodes = known_figure(context, "population.nodes");
  bool any_storage = false, any_compute = false;
  std::vector<EntityRef> others;
  for (const Network& n : *context.design.networks) {
    any_storage = any_storage || n.kind == NetworkKind::storage;
    any_compute = any_compute || n.kind == NetworkKind::compute;
    if (n.kind == NetworkKind::compute || n.kind == NetworkKind::in_band) others.push_back({"networks", n.id});
  }
  if (any_compute && !any_storage && system) {
    findings.push_back(finding_of(
        rule,
        fmt::format("No storage network is described; {} shares links with other traffic{}", system->name,
                    need ? fmt::format(", and a checkpoint asks for {:.3g} GB/s", need->value / 1e9) : std::string()),
        std::move(others), context,
        need ? std::vector<std::string>{"storage.burst_needed"} : std::vector<std::string>{}));
    return;
  }
  if (!need || !(need->value > 0.0)) return;
  const NetworkRows counts(context, "fabric.networks"), wired(context, "cabling.networks");
  for (const Network& n : *context.design.networks) {
    if (n.kind != NetworkKind::storage) continue;
    // Line rates; protocols leave less.
    const double rate = base_value(n.link_rate);
    double carries = std::nan("");
    std::string_view side;
    const double links = wired.number(n.id, "links"), taper = std::max(1.0, counts.number(n.id, "oversubscription"));
    if (nodes && links > 0.0 && taper > 0.0) {
      carries = nodes->value * links * static_cast<double>(n.planes) * rate / taper;
      side = "links of the nodes";
    }
    if (system && system->ports && plan.systems > 0) {
      const double port = system->port_rate ? std::min(rate, base_value(*system->port_rate)) : rate;
      const double of_systems = static_cast<double>(*system->ports * plan.systems) * port;
      if (!(carries <= of_systems)) {
        carries = of_systems;
        side = "ports of the storage";
      }
    }
    if (!(carries < need->value)) continue;
    findings.push_back(finding_of(
        rule,
        fmt::format("{}: the {} carry {:.4g} GB/s; a checkpoint within its target asks for {:.4g} GB/s", n.name, side,
                    carries / 1e9, need->value / 1e9),
        entities_of(n), context, {"storage.burst_needed", fmt::format("fabric.network.{}.node_leaf_cables", n.id)}));
  }
}

void check_isolation(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  for_each_row(context, "cabling.networks", [&](const Network& n, const TableRow& row) {
    const double gpus = row.number("isolated_gpus"), nodes = row.number("isolated_nodes");
    if (!(gpus > 0.0)) return;
    Finding f = finding_of(
        rule,
        fmt::format("{}: losing {} cuts {} off{}", n.name, row.words("isolated_by"), counted(gpus, "GPU"),
                    nodes > 0.0 ? fmt::format(", {} whole", counted(nodes, "node"))
                                : std::string("; their nodes keep other links, by way of the scale-up domain")),
        entities_of(n), context, {row.figure("leafs")});
    if (!(nodes > 0.0)) f.severity = Severity::note;
    findings.push_back(std::move(f));
  });
}

/// Mean of the slowest flow of a switch, as a share of line rate. Kept, since the same switch comes again and again.
double slowest_flow(Count flows, Count uplinks, Count parts) {
  thread_local std::map<std::tuple<Count, Count, Count>, double> known;
  if (known.size() > 4096) known.clear();
  const auto [at, fresh] = known.try_emplace({flows, uplinks, parts}, 1.0);
  if (fresh)
    at->second = hash_spread(flows, uplinks, parts, std::clamp<Count>(100000 / (flows * parts), 20, 400)).slowest;
  return at->second;
}

void check_spread(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const NetworkRows counts(context, "fabric.networks");
  for_each_row(context, "cabling.networks", [&](const Network& n, const TableRow& row) {
    if (n.kind != NetworkKind::compute || n.path_choice != PathChoice::hashed || n.topology == Topology::dragonfly)
      return;
    if (!(counts.number(n.id, "tiers") >= 2.0)) return;
    const double down = row.number("leaf_down"), up = row.number("leaf_up");
    if (!(down >= 1.0) || !(up >= 2.0) || down > 4096.0 || up > 4096.0) return; // over one uplink nothing is chosen
    const auto flows = static_cast<Count>(down), uplinks = static_cast<Count>(up);
    const double slowest = slowest_flow(flows, uplinks, n.flows_per_pair);
    if (slowest >= least_flow_share) return;
    Finding f =
        finding_of(rule,
                   fmt::format("{}: of {} flows hashed on {} uplinks of a leaf{} the slowest gets {:.0f} % of line "
                               "rate on average (estimate, drawn at random)",
                               n.name, flows, uplinks,
                               n.flows_per_pair > 1 ? fmt::format(", {} parts each,", n.flows_per_pair) : std::string(),
                               100.0 * slowest),
                   entities_of(n), context, {fmt::format("fabric.network.{}.leaf_spine_cables", n.id)});
    f.remedies.push_back(
        set_network(n.id, "Spray packets over all uplinks", "path_choice", std::string("packet spray")));
    for (Count parts = 2 * n.flows_per_pair; parts <= 256; parts *= 2)
      if (slowest_flow(flows, uplinks, parts) >= least_flow_share) {
        f.remedies.push_back(set_network(n.id, fmt::format("Use {} flows between two ranks", parts), "flows_per_pair",
                                         static_cast<std::int64_t>(parts)));
        break;
      }
    findings.push_back(std::move(f));
  });
}

void check_groups(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const Job& job = *context.design.job;
  const Figure* domain = known_figure(context, "fabric.scale_up_domain_gpus");
  const NetworkRows counts(context, "fabric.networks");
  for_each_row(context, "cabling.networks", [&](const Network& n, const TableRow& row) {
    if (n.kind != NetworkKind::compute) return;
    const auto tensor = static_cast<double>(job.tensor_parallel),
               experts = static_cast<double>(job.expert_parallel) * tensor;
    const std::vector<EntityRef> entities{{"job", 0}, {"networks", n.id}};
    // Tensor parallelism beyond the domain is told by the training rules.
    if (job.expert_parallel > 1 && domain && experts > domain->value)
      findings.push_back(
          finding_of(rule,
                     fmt::format("{} expert-parallel ranks of {} span {:.0f} GPUs; a scale-up domain holds {:.0f}, so "
                                 "their exchanges cross {}",
                                 job.expert_parallel, counted(tensor, "GPU"), experts, domain->value, n.name),
                     entities, context, {"fabric.scale_up_domain_gpus"}));
    const double taper = counts.number(n.id, "oversubscription"),
                 unit = row.number("unit_nodes") * row.number("gpus_per_node");
    const double widest = job.expert_parallel > 1 ? experts : tensor;
    if (!(taper > 1.0 + 1e-9) || !(unit > 0.0) || !(widest > unit)) return;
    findings.push_back(
        finding_of(rule,
                   fmt::format("{}: groups of {:.0f} GPUs ({}) are wider than a unit of {:.0f}; between units there "
                               "are {:.3g} links for each uplink",
                               n.name, widest,
                               job.expert_parallel > 1 ? "expert and tensor parallel" : "tensor parallel", unit, taper),
                   entities, context, {row.figure("oversubscription")}));
  });
}

void check_spares(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const double yearly = assumed_number(context, "reliability.optic_annual_rate");
  const double lead_days = in_days(context.design.operations->part_lead_time);
  if (!(yearly > 0.0) || !(lead_days > 0.0)) return;
  struct Stock {
    double modules = 0, spares = 0;
  };
  std::map<std::pair<Id, std::string>, Stock> stock;
  for_each_row(context, "cabling.modules", [&](const Network& n, const TableRow& row) {
    Stock& s = stock[{n.id, row.words("part")}];
    s.modules += row.number("modules");
    s.spares += row.number("spares");
  });
  std::map<Id, std::pair<std::string, double>> short_of; // words, and the share that is enough
  for (const auto& [key, s] : stock) {
    const double failing = s.modules * yearly * lead_days / days_of_year;
    if (!(s.spares < failing - 1e-9)) continue;
    const OpticPart* part = context.catalog.find<OpticPart>(key.second);
    auto& [words, share] = short_of[key.first];
    words += fmt::format("{}{} for {:.0f} {} of which {:.3g} fail", words.empty() ? "" : "; ",
                         counted(s.spares, "spare"), s.modules, part ? part->name : key.second, failing);
    share = std::max(share, std::ceil(failing / s.modules * 1000.0 - 1e-9) / 1000.0);
  }
  for (const auto& [id, what] : short_of) {
    const Network* n = find(*context.design.networks, id);
    Finding f = finding_of(rule,
                           fmt::format("{}: within a lead time of {:.0f} days there are {} (estimate, {:.2g} % a year)",
                                       n->name, lead_days, what.first, 100.0 * yearly),
                           entities_of(*n), context, {fmt::format("cabling.network.{}.modules", id)});
    if (what.second <= 1.0)
      f.remedies.push_back(set_network(id, fmt::format("Keep {:.1f} % as spares", 100.0 * what.second), "spare_share",
                                       std::max(what.second, n->spare_share.value_or(0.0))));
    findings.push_back(std::move(f));
  }
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> out;
  std::string word;
  for (const char c : std::string(text) + ' ') {
    if (c != ' ' && c != '\t') {
      word += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    } else if (!word.empty()) {
      out.push_back(std::move(word));
      word.clear();
    }
  }
  return out;
}

/// What is wrong with a number from 1 to `most`; `most` NaN: any number is right.
std::string number_problem(const std::string& what, const std::string& word, double most) {
  std::uint64_t n = 0;
  const auto [end, failed] = std::from_chars(word.data(), word.data() + word.size(), n);
  if (failed != std::errc() || end != word.data() + word.size())
    return fmt::format("{} \"{}\" is not a number", what, word.substr(0, 40));
  if (n < 1) return fmt::format("{} {} does not exist; numbers begin at 1", what, n);
  if (most == 0.0) return fmt::format("{} {}: the network has none", what, n);
  if (static_cast<double>(n) > most) return fmt::format("{} {} does not exist; there are 1 to {:.0f}", what, n, most);
  return {};
}

/// What is wrong with an element of a network, in the words that `lost_parts` reads; empty: nothing.
std::string element_problem(const CheckContext& context, const Network& n, std::string_view element) {
  const NetworkRows counts(context, "fabric.networks"), wired(context, "cabling.networks");
  const std::vector<std::string> words = words_of(element);
  const auto most = [&](const std::string& kind) {
    if (kind == "plane") return static_cast<double>(n.planes);
    if (kind == "node") return wired.number(n.id, "nodes");
    return counts.number(n.id, kind + "s");
  };
  const auto radix = [&](const std::string& kind) {
    if (kind == "node") return wired.number(n.id, "links") * static_cast<double>(n.planes);
    const SwitchTier tier = kind == "core" ? SwitchTier::core : kind == "spine" ? SwitchTier::spine : SwitchTier::leaf;
    const SwitchPart* part = context.catalog.find<SwitchPart>(switch_part_of(n, tier));
    const Count ports =
        part ? part_radix(*part,
                          in_gigabits_per_second(kind == "leaf" ? n.link_rate : n.uplink_rate.value_or(n.link_rate)))
             : 0;
    const Count stated = std::max(ports, n.radix.value_or(0));
    return stated > 0 ? static_cast<double>(stated) : std::nan("");
  };
  const auto switch_or_node = [](const std::string& kind) {
    return kind == "leaf" || kind == "spine" || kind == "core" || kind == "node";
  };
  if (words.size() == 2 && (words[0] == "plane" || switch_or_node(words[0])))
    return number_problem(words[0], words[1], most(words[0]));
  if (words.size() == 5 && switch_or_node(words[1]) &&
      ((words[0] == "link" && words[3] == "port") || (words[0] == "module" && words[3] == "cage"))) {
    if (std::string wrong = number_problem(words[1], words[2], most(words[1])); !wrong.empty()) return wrong;
    return number_problem(words[3], words[4], radix(words[1]));
  }
  return fmt::format("\"{}\" names nothing that can fail; write \"leaf 3\", \"spine 2\", \"core 1\", \"node 7\", "
                     "\"plane 2\", \"link leaf 3 port 12\" or \"module leaf 3 cage 4\"",
                     element.substr(0, 60));
}

void check_failures(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const Design& d = context.design;
  const NetworkRows wired(context, "cabling.networks");
  const Table* problems = context.figures.table("traffic.failure_problems");
  const auto told_by_traffic = [&](Id failure) -> std::string {
    for (std::size_t i = 0; problems && i < problems->row_count() && i < problems->entities.size(); ++i)
      if (problems->entities[i] == failure) return TableRow(*problems, i).words("sentence");
    return {};
  };
  std::vector<EntityRef> out_of_service;
  std::string named;
  std::set<std::string> told; // an element that is named twice is out once
  for (const Failure& failure : *d.failures) {
    const Network* n = find(*d.networks, failure.network);
    const std::string table = failure.thing != 0 ? table_of(d, failure.thing) : std::string();
    std::string wrong;
    if (!table.empty()) {
      // The stage that lays cables knows how many sections a tray has.
      if (const auto section = section_of_element(table, failure.element); !section)
        wrong = fmt::format("{}: {}", entity_name(d, {table, failure.thing}), section.error());
      else
        wrong = told_by_traffic(failure.id);
    } else if (failure.thing != 0)
      wrong = fmt::format("thing {} is not in the design", failure.thing);
    else if (!n)
      wrong = fmt::format("\"{}\" names no network", failure.element.substr(0, 60));
    else
      wrong = element_problem(context, *n, failure.element);
    // The stage that lays the job on the wired network knows each link.
    if (wrong.empty() && n && table.empty() && wired.words(n->id, "problem").empty())
      wrong = told_by_traffic(failure.id);
    if (!wrong.empty()) {
      Finding f = finding_of(
          rule, fmt::format("{}{}{}", n ? "Out of service in " + n->name : std::string("Out of service"), ": ", wrong),
          {{"failures", failure.id}}, context, {});
      f.severity = Severity::error;
      f.remedies.push_back({Edit{"Forget this element",
                                 [id = failure.id](const Design& in) {
                                   return remove(in, {{"failures", id}});
                                 }},
                            {},
                            {}});
      findings.push_back(std::move(f));
      continue;
    }
    std::string name = table.empty() ? fmt::format("{} of {}", failure.element, n->name)
                                     : entity_name(d, {table, failure.thing});
    if (!table.empty() && !failure.element.empty()) name += " " + failure.element;
    if (told.insert(name).second && told.size() <= 4) named += (named.empty() ? "" : ", ") + name;
    out_of_service.push_back({"failures", failure.id});
  }
  if (out_of_service.empty()) return;
  std::string left;
  if (const Table* things = context.figures.table("traffic.failed_things"))
    for (std::size_t i = 0; i < things->row_count() && i < 4; ++i) {
      const TableRow row(*things, i);
      if (const std::string note(row.words("note")); !note.empty())
        left += fmt::format("; {} takes nothing: {}", row.words("name"), note);
      else if (const double racks = row.number("racks"); racks > 1.0)
        left += fmt::format("; {} takes {:.0f} racks", row.words("name"), racks);
    }
  for_each_row(context, "traffic.failures", [&](const Network& n, const TableRow& row) {
    if (const double share = row.number("injection"); share <= 1.0)
      left += fmt::format("; {} keeps {:.3g} % of its injection", n.name, 100.0 * share);
    if (const double gpus = row.number("isolated"); gpus >= 1.0)
      left += fmt::format(", {} cut off", counted(gpus, "GPU is", "GPUs are"));
  });
  const std::size_t all = told.size();
  Finding f = finding_of(rule,
                         fmt::format("{} out of service: {}{}{}",
                                     counted(static_cast<double>(all), "element is", "elements are"), named,
                                     all > 4 ? fmt::format(" and {} more", all - 4) : std::string(), left),
                         out_of_service, context, {});
  f.remedies.push_back({Edit{"Put everything back into service",
                             [out_of_service](const Design& in) { return remove(in, out_of_service); }},
                        {},
                        {}});
  findings.push_back(std::move(f));
}

/// FAB-049
void check_communicators(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const Job& job = *context.design.job;
  const double ranks = 1.0 * job.tensor_parallel * job.pipeline_parallel * job.context_parallel * job.data_parallel;
  for (const Communicator& c : *context.design.communicators) {
    const double span = 1.0 + (static_cast<double>(c.ranks) - 1.0) * static_cast<double>(c.stride);
    if (c.ranks < 1 || c.stride < 1 || span <= ranks) continue;
    Finding f = finding_of(rule,
                           fmt::format("{}: a group of {} ranks, {} apart, reaches over {:.0f} ranks and the job has {:.0f}: no group "
                                       "fits, and it adds no traffic",
                                       c.name, c.ranks, c.stride, span, ranks),
                           {{"communicators", c.id}}, context, {"traffic.leaf"});
    if (const auto most = static_cast<Count>((ranks - 1.0) / static_cast<double>(c.stride)) + 1; most >= 1 && most < c.ranks)
      f.remedies.push_back({Edit{fmt::format("Let a group have {} ranks", most),
                                 [id = c.id, most](const Design& in) {
                                   return set_field(in, {"communicators", id}, "ranks", FieldValue(most));
                                 }},
                            {},
                            {}});
    findings.push_back(std::move(f));
  }
}

} // namespace

std::vector<Rule> service_rules() {
  return {
      {"FAB-027", Severity::warning, "Storage network below the checkpoint burst",
       "Line rate of the storage links of all nodes, over the oversubscription of the leafs, and of the ports of the "
       "storage, against the rate at which "
       "a checkpoint meets its target. Without a storage network the burst shares links with other traffic. Source of "
       "the limit: the checkpoint target "
       "of the design; ports of the storage part in the catalog.",
       check_storage},
      {"FAB-030", Severity::warning, "One fault cuts GPUs off",
       "GPUs whose links to a compute network all end at one leaf, with the links of a node shared evenly by its GPUs. "
       "Nodes that are cut off whole are a "
       "warning; GPUs that a rail leaf cuts off are a note, since their node still has its other rails. Source of the "
       "limit: the port map, leaf by leaf.",
       check_isolation},
      {"FAB-032", Severity::warning, "Hashed flows collide on uplinks",
       "One flow for each port down of a leaf, hashed on its uplinks: the mean of the slowest over random draws. Below "
       "half of the line rate a collective "
       "waits for it for more than twice its time. Traffic that stays on its leaf is spared. Source of the limit: "
       "project choice; the draws give 0.29 for "
       "32 flows on 32 uplinks as in fabric.hashed_worst_share.",
       check_spread},
      {"FAB-035", Severity::warning, "Groups of ranks straddle a border",
       "Ranks that exchange in every layer, expert parallel times tensor parallel, against the scale-up domain, and "
       "against a unit where leafs have fewer "
       "links up than down. Beyond it they exchange over slower or shared links. Source of the limit: the scale-up "
       "domain of the accelerator and the units "
       "of the network.",
       check_groups},
      {"FAB-039", Severity::warning, "Spares below the failures of a lead time",
       "Spare modules of each part against those expected to fail while replacements are on their way: modules times "
       "the yearly rate times the lead time; "
       "an estimate. Source of the limit: reliability.optic_annual_rate, and the lead time of parts in the design.",
       check_spares},
      {"FAB-047", Severity::note, "Elements are out of service",
       "What the design takes out of service to see what is left, so that it is not forgotten there: elements of networks, and "
       "drawn things with what stands in them, lies in them or is fed by them alone. An element that the network or the tray "
       "does not have is an error, "
       "with what may be written. Source of the limit: the counts of the network, the sections of the tray.",
       check_failures},
      {"FAB-049", Severity::error, "Communicator larger than the job",
       "A group of a stated communicator spans 1 + (ranks - 1) * stride ranks. Where that is more than the job has, no group fits and the "
       "communicator moves nothing. Source of the limit: the ranks of the job, tensor x pipeline x context x data.",
       check_communicators},
  };
}

} // namespace hallwright
