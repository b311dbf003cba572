// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "fabric/link_medium.h"
#include "checks/told_apart.h"
#include "fabric/network_rules.h"
#include "fabric/optical_channel.h"

/// Rules of cables: what the planned links are made of, how far they reach, where they run, what their ends draw.
namespace hallwright {
namespace {

constexpr double waste_share_limit = 0.30;   // project choice: above it made-to-measure cables are worth a quote
constexpr double skew_limit_ns = 22.5;       // project choice: 5 m at 4.5 ns/m
constexpr double copper_plug_length_mm = 60; // project choice: shell and strain relief behind the faceplate

bool node_class(std::string_view link_class) { return link_class == "node-leaf"; }
LinkMedium asked_medium(const Network& n, std::string_view link_class) {
  return node_class(link_class) ? n.node_medium : n.uplink_medium;
}
/// Whether the design names a part or medium for this class of links, rather than leaving the choice to the catalog.
bool anything_named(const Network& n, std::string_view link_class) {
  if (asked_medium(n, link_class) != LinkMedium::automatic) return true;
  if (node_class(link_class))
    return !n.node_optic_part.empty() || !n.leaf_optic_part.empty() || !n.node_cable_part.empty();
  return !n.leaf_optic_part.empty() || !n.spine_optic_part.empty() || !n.spine_cable_part.empty();
}
/// Sentences of `medium_table` about a module in its cage say so; the others are about the two ends of a link.
bool about_cage(const std::string& sentence) {
  return sentence.find("the cage of the") != std::string::npos || sentence.find("a cage of the") != std::string::npos;
}
/// Lanes of a switch whose cages have no stated form are taken as four a port; that is no ground for an error.
bool rests_on_estimate(const CheckContext& context, const Network& n, const TableRow& row) {
  if (row.words("what") != "parts" || row.words("sentence").find("do not shift down") == std::string::npos)
    return false;
  for (const SwitchTier tier : {SwitchTier::leaf, SwitchTier::spine, SwitchTier::core}) {
    const SwitchPart* part = context.catalog.find<SwitchPart>(switch_part_of(n, tier));
    if (part && part->cage_form.empty()) return true;
  }
  return false;
}
/// Whether fibre that the catalog chooses reaches as far as every class of links of this network is long. Cables with
/// plugs may be cheaper and depend on which links share a cage; fibre does not.
bool choice_works(const CheckContext& context, const Network& n) {
  if (n.topology == Topology::dragonfly) return false; // links of two classes may share a cage
  const Catalog& catalog = context.catalog;
  const double link = in_gigabits_per_second(n.link_rate);
  const double up = in_gigabits_per_second(n.uplink_rate.value_or(n.link_rate));
  const std::vector<const NodePart*> nodes = node_parts(context);
  const auto cage_of_switch = [&](SwitchTier tier, double rate, std::string word) {
    const SwitchPart* part = catalog.find<SwitchPart>(switch_part_of(n, tier));
    const double own = tier == SwitchTier::leaf ? link : up;
    return switch_cage(part, rate, known_cages({}, part, own), own, std::move(word));
  };
  bool works = joints_of_panels(n.patch_panels) <= channel_rules(catalog).joints_in_reach;
  for_each_row(context, "cabling.lengths", [&](const Network& of, const TableRow& row) {
    if (of.id != n.id || !works) return;
    const std::string& link_class = row.words("class");
    MediumRequest q;
    q.link_gbit_s = node_class(link_class) ? link : up;
    q.lengths = n.cable_lengths;
    if (node_class(link_class)) {
      const std::string node = nodes.empty() ? std::string() : nodes.front()->id;
      q.near = node_cage(catalog, node, n.kind, link, {}, n.planes);
      q.far = cage_of_switch(SwitchTier::leaf, link, "leaf");
    } else {
      const bool top = link_class == "spine-core";
      q.near = cage_of_switch(top ? SwitchTier::spine : SwitchTier::leaf, up, top ? "spine" : "leaf");
      q.far = cage_of_switch(top ? SwitchTier::core : SwitchTier::spine, up, top ? "core" : "spine");
      q.panels = n.patch_panels;
    }
    const MediumTable table = medium_table(catalog, q);
    works = table.any({}) && !table.pick({}, row.number("longest") * 1000.0).beyond;
  });
  return works;
}
Remedy choose_parts(const Network& n) {
  return set_network(n.id, "Let the catalog choose modules and cables", catalog_chooses());
}

/// Findings from the rows of what does not work that `wanted` takes; one for each sentence.
template <class Wanted>
void tell_problems(const CheckContext& context, const Rule& rule, bool offer_parts, std::vector<Finding>& findings,
                   Wanted&& wanted) {
  for_each_row(context, "cabling.problems", [&](const Network& n, const TableRow& row) {
    if (!wanted(row)) return;
    const std::string& of = row.words("class");
    Finding f = finding_of(
        rule, fmt::format("{}, {} of {}: {}", n.name, counted(row.number("links"), "link"), of, row.words("sentence")),
        entities_of(n), context, {fmt::format("cabling.network.{}.cables", n.id)});
    if (rests_on_estimate(context, n, row)) {
      f.severity = Severity::warning;
      f.undecided = true;
      f.message += "; the form of the switch's cages is not known, and the lanes of its ports are an estimate";
    } else if (row.words("what") == "no medium" && !anything_named(n, of)) {
      // Nothing is asked for: the catalog lacks a part, and the link may well exist.
      f.severity = Severity::warning;
      f.undecided = true;
    } else if (offer_parts && anything_named(n, of) && choice_works(context, n)) {
      f.remedies.push_back(choose_parts(n));
    }
    findings.push_back(std::move(f));
  });
}

void check_ends(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  tell_problems(context, rule, true, findings, [](const TableRow& row) {
    return row.words("what") == "no medium" || (row.words("what") == "parts" && !about_cage(row.words("sentence")));
  });
  // Links faster than the ports at their ends.
  const std::vector<const NodePart*> nodes = node_parts(context);
  for (const Network& n : *context.design.networks) {
    if (n.kind == NetworkKind::scale_up) continue;
    const double rate = in_gigabits_per_second(n.link_rate);
    const double up = in_gigabits_per_second(n.uplink_rate.value_or(n.link_rate));
    const auto slower = [&](const Known<DataRate>& port, double link) {
      return port && in_gigabits_per_second(*port) < link * (1 - 1e-9);
    };
    std::set<std::string> told;
    const auto tell = [&](const std::string& part, double port, double link) {
      if (!told.insert(part).second) return;
      findings.push_back(finding_of(
          rule, fmt::format("{}: links of {:.6g} Gbit/s end at ports of {:.6g} Gbit/s of {}", n.name, link, port, part),
          entities_of(n), context, {fmt::format("fabric.network.{}.switches", n.id)}));
    };
    for (const NodePart* node : nodes)
      if (const Known<DataRate> port = node_port_rate(*node, n.kind);
          slower(port, rate) && node_ports(*node, n.kind).value_or(0) > 0 &&
          (n.kind != NetworkKind::compute || node->accelerators.value_or(0) > 0))
        tell(node->name, in_gigabits_per_second(*port), rate);
    const std::array<std::pair<SwitchTier, double>, 3> tiers{
        {{SwitchTier::leaf, rate}, {SwitchTier::spine, up}, {SwitchTier::core, up}}};
    const NetworkRows rows(context, "fabric.networks");
    const double built = rows.number(n.id, "tiers");
    for (std::size_t i = 0; i < tiers.size(); ++i) {
      if (i > 0 && !(built > static_cast<double>(i))) continue; // a tier that is not there
      const SwitchPart* part = context.catalog.find<SwitchPart>(switch_part_of(n, tiers[i].first));
      if (part && slower(part->port_rate, tiers[i].second) && !(part->link_rate && *part->link_rate >= n.link_rate))
        tell(part->name, in_gigabits_per_second(*part->port_rate), tiers[i].second);
    }
  }
}

void check_cages(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  tell_problems(context, rule, true, findings,
                [](const TableRow& row) { return row.words("what") == "parts" && about_cage(row.words("sentence")); });
}
void check_mixed(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  tell_problems(context, rule, false, findings, [](const TableRow& row) { return row.words("what") == "mixed cage"; });
}

/// As many panels as reach figures have joints for.
Remedy fewer_panels(const Network& n, double most_joints) {
  const auto panels = static_cast<std::int64_t>(most_joints / 2);
  return set_network(n.id, fmt::format("Use {}", counted(static_cast<double>(panels), "patch panel")), "patch_panels", panels);
}

void check_reach(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const double most = static_cast<double>(channel_rules(context.catalog).joints_in_reach);
  for_each_row(context, "cabling.problems", [&](const Network& n, const TableRow& row) {
    if (row.words("what") != "beyond reach") return;
    const std::string& of = row.words("class");
    Finding f = finding_of(rule, fmt::format("{}, {}: {}", n.name, of, row.words("sentence")), entities_of(n), context,
                           {fmt::format("cabling.network.{}.longest_cable", n.id)});
    if (anything_named(n, of) && choice_works(context, n)) f.remedies.push_back(choose_parts(n));
    if (of != "node-leaf" && static_cast<double>(joints_of_panels(n.patch_panels)) > most) f.remedies.push_back(fewer_panels(n, most));
    findings.push_back(std::move(f));
  });
  for_each_row(context, "cabling.media", [&](const Network& n, const TableRow& row) {
    if (!(row.number("joints") > most) || !(row.number("budget_estimated") == 1.0)) return;
    Finding f = finding_of(
        rule,
        fmt::format("{}, {}: {:.0f} joints of {} patch panels in a link; the reach of its modules has {:.0f} in it",
                    n.name, row.words("class"), row.number("joints"), n.patch_panels, most),
        entities_of(n), context, {fmt::format("cabling.network.{}.longest_cable", n.id)});
    f.remedies.push_back(fewer_panels(n, most));
    findings.push_back(std::move(f));
  });
}

void check_loss(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const ChannelRules rules = channel_rules(context.catalog);
  for_each_row(context, "cabling.media", [&](const Network& n, const TableRow& row) {
    const double margin = row.number("margin"), joints = row.number("joints");
    if (!(margin < rules.least_margin_db - 1e-9)) return;
    const bool estimated = row.number("budget_estimated") == 1.0;
    if (estimated && (row.number("beyond") > 0.0 || joints > static_cast<double>(rules.joints_in_reach)))
      return; // told as reach
    const bool over = margin < -1e-9;
    const NumberPair decibels = told_apart(row.number("loss"), row.number("budget"), 2);
    Finding f = finding_of(
        rule,
        fmt::format("{}, {}: the longest {} link loses {} dB of {} dB{}; {}", n.name, row.words("class"),
                    row.words("medium"), decibels.value, decibels.limit,
                    estimated ? " (estimate from the reach of its modules)" : "",
                    over ? fmt::format("{:.2f} dB too much", -margin)
                         : fmt::format("{:.2f} dB are left, {:.2g} dB should be", margin, rules.least_margin_db)),
        entities_of(n), context, {fmt::format("cabling.network.{}.longest_cable", n.id)});
    if (!over) f.severity = Severity::warning;
    const OpticPart* optic = context.catalog.find<OpticPart>(row.words("near_optic"));
    const double each = optic && optic->connector.rfind("LC", 0) == 0 ? rules.lc_joint_db : rules.mpo_joint_db;
    if (joints > 0.0 && n.patch_panels > 0 && margin + joints * each >= rules.least_margin_db)
      f.remedies.push_back(set_network(n.id, "Run these links without patch panels", "patch_panels", std::int64_t{0}));
    findings.push_back(std::move(f));
  });
}

void check_chain(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  for_each_row(context, "cabling.media", [&](const Network& n, const TableRow& row) {
    const std::string& chain = row.words("chain");
    if (chain.empty()) return;
    Finding f = finding_of(
        rule, fmt::format("{}, {} of {}: {}", n.name, counted(row.number("count"), "link"), row.words("class"), chain),
        entities_of(n), context, {fmt::format("cabling.network.{}.cables", n.id)});
    if (anything_named(n, row.words("class")) && choice_works(context, n)) f.remedies.push_back(choose_parts(n));
    findings.push_back(std::move(f));
  });
}

void check_split(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  for_each_row(context, "cabling.networks", [&](const Network& n, const TableRow& row) {
    const double apart = row.number("cables_apart");
    if (n.planes > 1 || !(apart > 0.0)) return;
    findings.push_back(finding_of(
        rule,
        fmt::format("{}: {} end{} at two or more switches, though there is one plane; one pull takes links of both",
                    n.name, counted(apart, "split cable"), apart == 1.0 ? "s" : ""),
        entities_of(n), context, {fmt::format("cabling.network.{}.cables", n.id)}));
  });
}

void check_waste(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  struct Sums {
    double ordered = 0, waste = 0, shortest = 0;
  };
  std::map<Id, Sums> sums;
  for_each_row(context, "cabling.assemblies", [&](const Network& n, const TableRow& row) {
    Sums& s = sums[n.id];
    s.ordered += row.number("length") * row.number("cables");
    s.waste += row.number("waste");
    s.shortest = std::min(s.shortest, row.number("waste"));
  });
  for (const auto& [id, s] : sums) {
    const Network* n = find(*context.design.networks, id);
    const std::string figure = fmt::format("cabling.network.{}.ordered_length", id);
    if (s.shortest < -1e-3) {
      Finding f = finding_of(
          rule,
          fmt::format("{}: cables are ordered shorter than their routes, by {:.1f} m in all", n->name, -s.shortest),
          entities_of(*n), context, {figure});
      f.severity = Severity::error;
      findings.push_back(std::move(f));
    }
    if (!(s.ordered > 0.0) || !(s.waste / s.ordered > waste_share_limit)) continue;
    const NumberPair percent = told_apart(100.0 * s.waste / s.ordered, 100.0 * waste_share_limit, 0);
    Finding f = finding_of(
        rule,
        fmt::format("{}: {:.0f} m of {:.0f} m ordered go beyond the routes ({} %; more than {} % is pointed out)", n->name,
                    s.waste, s.ordered, percent.value, percent.limit),
        entities_of(*n), context, {figure});
    if (n->cable_lengths == CableLengths::stock)
      f.remedies.push_back(
          set_network(id, "Have cables made to length", "cable_lengths", std::string("cut to length")));
    findings.push_back(std::move(f));
  }
}

void check_trays(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  for (const Tray& tray : *context.design.trays) {
    const std::string id = fmt::format("cabling.tray.{}.fill", tray.id);
    const Figure* fill = known_figure(context, id);
    if (!fill || fill->status != Status::over_limit || !(tray.fill_limit > 0.0)) continue;
    const NumberPair percent = told_apart(fill->value * 100.0, tray.fill_limit * 100.0, 0);
    Finding f = finding_of(rule,
                           fmt::format("{} is filled to {} % by the cables of all networks; {} % is allowed", tray.name,
                                       percent.value, percent.limit),
                           {{"trays", tray.id}}, context, {id});
    // The next width of 50 mm steps at which the fill meets its limit.
    const double width_mm = std::ceil(in_millimeters(tray.width) * fill->value / tray.fill_limit / 50.0 - 1e-9) * 50.0;
    if (width_mm <= 2000.0)
      f.remedies.push_back({Edit{fmt::format("Widen {} to {:.0f} mm", tray.name, width_mm),
                                 [tray = tray.id, width_mm](const Design& d) {
                                   return set_field(d, {"trays", tray}, "width", width_mm / 1000.0);
                                 }},
                            {},
                            {}});
    findings.push_back(std::move(f));
  }
}

void check_bends(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const double assumed_radius = assumed_number(context, "cabling.bend_radius_copper"),
               assumed_diameter = assumed_number(context, "cabling.diameter_copper");
  // The thickest bend that copper takes at nodes of each network.
  std::map<Id, std::pair<double, std::string>> depth;
  for_each_row(context, "cabling.media", [&](const Network& n, const TableRow& row) {
    const std::string& medium = row.words("medium");
    if (!node_class(row.words("class")) ||
        (medium != medium_word(LinkMedium::passive_copper) && medium != medium_word(LinkMedium::active_copper)))
      return;
    const CablePart* part = context.catalog.find<CablePart>(row.words("cable"));
    if (!part || part->medium == "utp") return;
    const double radius = part->bend_radius ? in_millimeters(*part->bend_radius) : assumed_radius;
    const double diameter = part->diameter ? in_millimeters(*part->diameter) : assumed_diameter;
    const double needed = bend_depth_mm(copper_plug_length_mm, radius, diameter);
    if (!(needed > 0.0)) return;
    auto& at = depth[n.id];
    if (needed > at.first) at = {needed, part->name};
  });
  if (depth.empty()) return;
  std::set<Id> drawn;
  for (const Rack& r : *context.design.racks)
    drawn.insert(r.rack_type);
  for (const RackItem& item : *context.design.rack_items) {
    if (item.kind != RackItemKind::node || drawn.count(item.rack_type) == 0) continue;
    const NodePart* node = context.catalog.find<NodePart>(item.part);
    const RackType* type = find(*context.design.rack_types, item.rack_type);
    if (!node || !node->depth || !type) continue;
    const RackPart* cabinet = context.catalog.find<RackPart>(type->rack_part);
    if (!type->depth && !(cabinet && cabinet->depth)) continue;
    const double rack_mm = in_millimeters(type->depth ? *type->depth : *cabinet->depth),
                 node_mm = in_millimeters(*node->depth);
    for (const auto& [id, bend] : depth) {
      if (rack_mm - node_mm >= bend.first) continue;
      const Network* n = find(*context.design.networks, id);
      if (n->kind == NetworkKind::compute && node->accelerators.value_or(0) < 1) continue;
      findings.push_back(finding_of(
          rule,
          fmt::format("{}: {} leaves {:.0f} mm of the {:.0f} mm of {}; {} asks for {:.0f} mm behind the plug to turn "
                      "aside (estimate)",
                      n->name, node->name, rack_mm - node_mm, rack_mm, type->name, bend.second, bend.first),
          {{"rack_types", type->id}, {"networks", id}}, context, {fmt::format("cabling.network.{}.cables", id)}));
    }
  }
}

void check_skew(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  for_each_row(context, "cabling.networks", [&](const Network& n, const TableRow& row) {
    const double skew_ns = row.number("skew") * 1e9;
    if (!(skew_ns > skew_limit_ns * (1 + 1e-9))) return;
    const double per_m = channel_rules(context.catalog).delay_ns_m;
    findings.push_back(finding_of(
        rule,
        fmt::format(
            "{}: fibres of one module differ by up to {:.1f} m or {:.0f} ns; more than {:.3g} ns is pointed out",
            n.name, skew_ns / per_m, skew_ns, skew_limit_ns),
        entities_of(n), context, {fmt::format("cabling.network.{}.ordered_length", n.id)}));
  });
}

void check_watts(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const NetworkRows places(context, "cabling.places");
  for_each_row(context, "cabling.networks", [&](const Network& n, const TableRow& row) {
    const std::string figure = fmt::format("cabling.network.{}.optics_power", n.id);
    if (const double silent = row.number("without_power"); silent > 0.0) {
      Finding f = finding_of(rule,
                             fmt::format("{}: {} {} no stated power; load and heat of {} racks are lower bounds",
                                         n.name, counted(silent, "module or cable end", "modules and cable ends"),
                                         silent == 1.0 ? "has" : "have", silent == 1.0 ? "its" : "their"),
                             entities_of(n), context, {figure});
      f.undecided = true;
      findings.push_back(std::move(f));
    }
    // Places of fabric managers are never drawn; their few watts are not worth a word.
    const double missing = places.number(n.id, "nodes") + places.number(n.id, "leafs") + places.number(n.id, "spines") +
                           places.number(n.id, "cores");
    const double undrawn = row.number("undrawn_power");
    if (context.design.racks->empty() || !(missing > 0.0) || !(undrawn >= 0.5)) return;
    findings.push_back(finding_of(
        rule,
        fmt::format(
            "{}: modules and cable ends of {:.2f} kW sit in devices that no rack holds; no rack feeds or cools them",
            n.name, undrawn / 1000.0),
        entities_of(n), context, {figure}));
  });
}

void check_supplies(const CheckContext& context, const Rule& rule, std::vector<Finding>& findings) {
  const NetworkRows counts(context, "fabric.networks");
  struct Tier {
    SwitchTier tier;
    std::string_view word, column;
  };
  static constexpr std::array<Tier, 3> tiers{{{SwitchTier::leaf, "leaf", "leafs"},
                                              {SwitchTier::spine, "spine", "spines"},
                                              {SwitchTier::core, "core", "cores"}}};
  std::map<std::pair<Id, std::string>, double> watts;
  for_each_row(context, "cabling.modules", [&](const Network& n, const TableRow& row) {
    watts[{n.id, row.words("in")}] += row.number("power");
  });
  for (const auto& [key, all] : watts) {
    const auto tier = std::find_if(tiers.begin(), tiers.end(), [&](const Tier& t) { return t.word == key.second; });
    if (tier == tiers.end() || !(all > 0.0)) continue;
    const Network* n = find(*context.design.networks, key.first);
    const SwitchPart* part = context.catalog.find<SwitchPart>(switch_part_of(*n, tier->tier));
    const double switches = counts.number(n->id, tier->column);
    if (!part || !part->power_typical || !(switches > 0.0)) continue;
    const double modules = all / switches, draw = in_watts(*part->power_typical) + modules;
    const std::string what =
        fmt::format("{}: {} draws {:.0f} W and the modules in a {} {:.0f} W on average, {:.0f} W together (estimate)",
                    n->name, part->name, in_watts(*part->power_typical), tier->word, modules, draw);
    const std::vector<std::string> figures{fmt::format("cabling.network.{}.optics_power", n->id),
                                           fmt::format("fabric.network.{}.switch_power", n->id)};
    if (part->power_supplies && *part->power_supplies > 1 && part->supply_rating) {
      const double left = in_watts(*part->supply_rating) * static_cast<double>(*part->power_supplies - 1);
      if (draw > left * (1 + 1e-9)) {
        findings.push_back(finding_of(
            rule,
            fmt::format("{}; with one of {} supplies failed {:.0f} W are left", what, *part->power_supplies, left),
            entities_of(*n), context, figures));
        continue;
      }
    }
    if (part->power_maximum && draw > in_watts(*part->power_maximum) * (1 + 1e-9)) {
      Finding f =
          finding_of(rule, fmt::format("{}; its maximum is stated as {:.0f} W", what, in_watts(*part->power_maximum)),
                     entities_of(*n), context, figures);
      f.severity = Severity::warning;
      findings.push_back(std::move(f));
    }
  }
}

} // namespace

std::vector<Rule> cable_rules() {
  return {
      {"FAB-008", Severity::error, "Ends of a link that do not match",
       "Rate, lanes, fibre and sockets of the two modules of a link, the cable between them, and the rate of the ports "
       "at its ends. Modules of one "
       "lane rate do not shift down to another. Where nothing is named and the catalog has no part for a link, the "
       "rule is undecided. Source of the "
       "limit: data sheets of the parts in the catalog.",
       check_ends},
      {"FAB-009", Severity::error, "Module that its cage does not take",
       "Form and top of the plug, links that it carries, and watts against what the cage allows: a finned plug does "
       "not go into an adapter, and "
       "cages of one switch may differ in power class. Source of the limit: cage form and power of the switch part, "
       "data sheet of the module.",
       check_cages},
      {"FAB-010", Severity::error, "Two kinds of cable in one cage",
       "A twin module takes the same kind of fibre in both sockets, straight or split, and a cage takes one plug. "
       "Links of two classes in one cage "
       "must be made alike. Source of the limit: application notes of twin-port modules.",
       check_mixed},
      {"FAB-011", Severity::error, "Medium beyond its reach",
       "Routed length, with dress and slack, against what the medium reaches at its lane rate, and joints against "
       "those that stated reaches have in "
       "them, four for two patch panels. Lengths are estimates where racks or trays are not drawn. Source of the "
       "limit: reach of module and cable in "
       "the catalog, cabling.joints_in_reach.",
       check_reach},
      {"FAB-012", Severity::error, "Loss above the channel's budget",
       "Joints and fibre of the longest link of each kind against the loss that its modules allow, or what their reach "
       "takes with four joints where "
       "none is stated. Above it is an error; a margin below cabling.loss_margin is a warning, worth a measurement. "
       "Source of the limit: data sheet "
       "of the module, cabling.mpo_joint_loss, cabling.lc_joint_loss.",
       check_loss},
      {"FAB-013", Severity::error, "Connectors that do not close",
       "Polish, pins, connector and polarity from module to module, over panels joined key up to key up. Angled and "
       "flat polish damage each other, and "
       "transmitters must meet receivers. Source of the limit: TIA-568 polarity, pins of module sockets.",
       check_chain},
      {"FAB-014", Severity::warning, "Split cable at two switches",
       "Ends of a split cable that are plugged into different switches of the same plane: moving or losing one cable "
       "then touches two switches. With "
       "planes it is meant so. Source of the limit: project choice, as the links of a cage follow each other.",
       check_split},
      {"FAB-015", Severity::note, "Cable length that is bought and not needed",
       "Ordered length beyond the routes as a share of all ordered, from steps between stock lengths; above 30 % is "
       "pointed out. Cables ordered shorter "
       "than their route are an error. Source of the limit: project choice.",
       check_waste},
      {"FAB-016", Severity::error, "Tray too full of planned cables",
       "Cross section of the cables of all networks at the fullest place of a tray against the share that may be "
       "filled. It replaces the estimate "
       "of the plan once cables are planned. Source of the limit: fill limit of the tray; cabling.tray_fill_limit, "
       "after TIA-569.",
       check_trays},
      {"FAB-017", Severity::warning, "Copper bundle without room to bend",
       "Depth of the rack that the node leaves free against plug (60 mm, project choice), bend radius and half the "
       "diameter of the copper cable. All "
       "free depth is taken to be behind the plugs, so the room may be less: an estimate. Source of the limit: bend "
       "radius of the cable, "
       "cabling.bend_radius_copper, cabling.diameter_copper.",
       check_bends},
      {"FAB-018", Severity::note, "Fibres of a module differ in length",
       "Difference in delay between fibres that leave one module. Both should be about the same length; more than 22.5 "
       "ns, 5 m, is pointed out. "
       "Source of the limit: project choice; delay from cabling.delay_per_metre.",
       check_skew},
      {"FAB-021", Severity::warning, "Power of modules that no rack carries",
       "Modules and plugs draw power where they are plugged. Ends without a stated power make the load of their rack a "
       "lower bound, and ends in devices "
       "that are not drawn are fed and cooled by no rack. Source of the limit: the load of a rack is the sum of all "
       "that is in it.",
       check_watts},
      {"FAB-022", Severity::error, "Switch beyond its supplies",
       "Typical draw and the modules of a switch, as an average of its tier, against the supplies that are left when "
       "one fails: an error. Above the "
       "stated maximum is a warning, since that maximum has modules in it. Source of the limit: supplies and maximum "
       "of the switch part.",
       check_supplies},
  };
}

} // namespace hallwright
