// SPDX-License-Identifier: GPL-3.0-or-later
#include "load/load.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <tuple>

#include <fmt/format.h>

#include "catalog/traced_part.h"
#include "fabric/switch_power.h"
#include "load/formulas.h"
#include "load/shares.h"
#include "space/design_value.h"

namespace hallwright {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// One power that a part states. Higher bases are never less than lower ones.
struct StatedPower {
  int rank = 0; ///< 0 measured, 1 typical, 2 nominal (racks), 3 nameplate
  std::string_view word;
  bool known = false;
};
int wanted_rank(PowerBasis basis) {
  switch (basis) {
  case PowerBasis::measured:
    return 0;
  case PowerBasis::typical:
    return 1;
  case PowerBasis::nameplate:
    return 3;
  }
  return 3;
}
std::string_view basis_word(PowerBasis basis) {
  return ChoiceWords<PowerBasis>::words[static_cast<std::size_t>(basis)];
}

/// What one rack of a type draws, by kind of content; "absent" parts are not applicable. Modules are those of networks
/// that are not wired, spread evenly; what a rack's own cages hold is a matter of its class.
struct RackContent {
  Traced<Power> nodes, switches, storage, other, node_optics, switch_optics;
};

/// What the cages of one rack draw over all wired networks.
struct CageLoad {
  double watts = 0.0;
  Count without_power = 0; ///< modules and cable ends whose power is not known
};
/// Racks of a type with equal cages and equal caps, before they have figures.
struct RackClass {
  CageLoad cages;
  std::optional<Power> cap; ///< of each rack
  const Row* row = nullptr; ///< in which they stand, where it has a cap
  Count racks = 0;
  std::vector<std::size_t> named; ///< the first of them, into the table of racks
};
constexpr std::size_t racks_named = 3;

/// What a rack of a type with caps holds of GPUs.
struct RackGpus {
  bool any = false;
  Traced<Power> limit;    ///< of one, without any cap
  Traced<Power> uncapped; ///< of all in one rack: what they would draw without any cap
  Traced<Power> drawn;    ///< the same under the cap of the job
  Traced<Power> idle;     ///< the same, idle
};

/// A rack type between what its racks ask and what the cap of a row leaves them.
struct OpenType {
  const RackType* type = nullptr;
  bool own_share = false, own_heat = false; ///< heat by the type's share; a class sheds another heat to liquid
  RackContent content;
  RackGpus gpus;
  std::vector<RackClass> classes;
  std::vector<Traced<Power>> to_air; ///< by all classes, without what is in their cages
  Traced<Power> to_liquid;           ///< not by own share
  std::size_t first = 0;             ///< into the result's classes
  std::vector<std::vector<Traced<Power>>> class_to_air;
  std::vector<Traced<Power>> counted, held; ///< by class: all that is in a rack; what its own cap leaves of what it asks
  std::vector<Traced<Power>> least, by_row; ///< by class: with idle GPUs; what the cap of its row leaves, where that holds it
};

class LoadStage {
public:
  LoadStage(const LoadInputs& in, const PopulationResult& population, const FabricResult& fabric,
            const CablingResult* cabling)
      : in_(in), population_(population), fabric_(fabric), cabling_(cabling),
        optics_(cabling ? cabling->optics_power : fabric.optics_power),
        node_side_optics_(cabling ? cabling->node_side_optics_power : fabric.node_side_optics_power) {}

  LoadResult run() {
    count_drawn();
    networks_of_unknown_size();
    cages_of_racks();
    classes_of_racks();
    rows_with_caps_ = in_.rows && std::any_of(in_.rows->begin(), in_.rows->end(), [](const Row& r) { return r.power_cap.has_value(); });
    std::vector<OpenType> open;
    for (const RackType& type : *in_.rack_types) {
      OpenType of_type = rack_type(type);
      if (rows_with_caps_) open.push_back(std::move(of_type));
      else finish(of_type);
    }
    if (rows_with_caps_) share_rows(open);
    for (OpenType& of_type : open)
      finish(of_type);
    racks_of_no_type();
    totals();
    tables();
    out_.page = ledger_.finish_page();
    out_.tables = std::make_shared<const std::vector<Table>>(std::move(tables_));
    return std::move(out_);
  }

private:
  // --- power of parts at the design's basis
  // ---------------------------------------------------------------------------

  template <class P>
  Traced<Power> missing_part(const std::string& part, const std::string& owner) {
    const std::string kind(part_kind<P>());
    const std::string id = "load.part." + kind + "." + (part.empty() ? owner : part) + ".power";
    if (const auto it = part_powers_.find(id); it != part_powers_.end()) return it->second;
    const std::string why = part.empty() ? owner + " names no " + kind + " part, so its power is not known"
                                         : "the catalog has no " + kind + " part '" + part + "'";
    return part_powers_[id] =
               ledger_.absent<Power>(id, "Power of " + (part.empty() ? owner : part), Completeness::unknown, why);
  }

  /// Power at the basis, else the next higher basis that is known (an estimate that says so), else a lower one as a
  /// lower bound. `read` makes the leaf of a rank.
  template <class Read>
  Traced<Power> at_basis(const std::string& kind, const Part& part, const std::vector<StatedPower>& stated,
                         Read&& read) {
    const std::string id = "load.part." + kind + "." + part.id + ".power";
    if (const auto it = part_powers_.find(id); it != part_powers_.end()) return it->second;
    const PowerBasis basis = in_.project->power_basis;
    const int wanted = wanted_rank(basis);
    const StatedPower* higher = nullptr;
    const StatedPower* lower = nullptr;
    for (const StatedPower& s : stated) {
      if (!s.known) continue;
      if (s.rank >= wanted && !higher) higher = &s;
      if (s.rank < wanted) lower = &s;
    }
    const std::string label = fmt::format("Power of one {}, {}", part.name, basis_word(basis));
    Traced<Power> out;
    if (higher) {
      out = ledger_.as<Power>(id, label, read(higher->rank));
      // A rack's nominal power is what its maker states for ordinary use: it answers "typical" too.
      const bool answers = higher->rank == wanted || (wanted == 1 && higher->rank == 2);
      if (!answers)
        out = ledger_.assumed(out,
                              fmt::format("no {} power for {}: {} used", basis_word(basis), part.name, higher->word));
    } else if (lower && lower->rank == 2) {
      out = ledger_.assumed(ledger_.as<Power>(id, label, read(2)),
                            fmt::format("no {} power for {}: nominal used", basis_word(basis), part.name));
    } else if (lower) {
      // The wanted power is not less than the lower basis: a lower bound, with the missing field among its inputs.
      out = ledger_.sum<Power>(id, label, {read(lower->rank), read(wanted)});
      const std::string why =
          fmt::format("no {} power for {}: at least its {} power", basis_word(basis), part.name, lower->word);
      ledger_.remark(out, why);
      out.reason = std::make_shared<const std::string>(why);
    } else {
      out = ledger_.as<Power>(id, label, read(stated.back().rank));
    }
    return part_powers_[id] = out;
  }
  Traced<Power> power_of(const NodePart& p) {
    return at_basis("node", p,
                    {{0, "measured", p.power_measured.has_value()},
                     {1, "typical", p.power_typical.has_value()},
                     {3, "nameplate", p.power_maximum.has_value()}},
                    [&](int rank) {
                      return rank == 0   ? part_value<&NodePart::power_measured>(ledger_, *in_.catalog, p)
                             : rank == 1 ? part_value<&NodePart::power_typical>(ledger_, *in_.catalog, p)
                                         : part_value<&NodePart::power_maximum>(ledger_, *in_.catalog, p);
                    });
  }
  /// Whether a network counts switches of this part, and with them the modules in their cages. Where no table tells the
  /// switches apart, all are taken for the networks'.
  bool networked(const std::string& part) const {
    if (!fabric_.tables) return true;
    const SwitchPart* known = in_.catalog->find<SwitchPart>(part);
    for (const Table& t : *fabric_.tables) {
      if (t.id != "fabric.switches") continue;
      const TableColumn* parts = t.column("part");
      return parts && std::any_of(parts->words.begin(), parts->words.end(), [&](const std::string& word) {
               return word == part || (known && word == known->name);
             });
    }
    return true;
  }
  Traced<Power> power_of(const SwitchPart& p) {
    // A stated maximum holds the modules of filled cages. Where a network counts the modules by themselves, the switch
    // alone is counted here, on every basis.
    if (p.power_typical && networked(p.id)) {
      const std::string id = "load.part.switch." + p.id + ".power";
      if (const auto it = part_powers_.find(id); it != part_powers_.end()) return it->second;
      auto out = ledger_.as<Power>(id, fmt::format("Power of one {}, without modules", p.name),
                                   part_value<&SwitchPart::power_typical>(ledger_, *in_.catalog, p));
      ledger_.remark(out, "its modules are counted by themselves; a nameplate maximum would count them twice");
      return part_powers_[id] = out;
    }
    // Where the catalog is silent, a switch draws here what the fabric counts for it.
    if (!p.power_typical && !p.power_maximum && p.ports && p.port_rate) {
      const std::string id = "load.part.switch." + p.id + ".power";
      if (const auto it = part_powers_.find(id); it != part_powers_.end()) return it->second;
      auto out =
          switch_power_by_capacity(ledger_, *in_.catalog, p, id,
                                   fmt::format("Power of one {}, {}", p.name, basis_word(in_.project->power_basis)));
      if (out.has_value()) ledger_.remark(out, fmt::format("no power for {}: estimated from its capacity", p.name));
      return part_powers_[id] = out;
    }
    return at_basis("switch", p,
                    {{1, "typical", p.power_typical.has_value()}, {3, "nameplate", p.power_maximum.has_value()}},
                    [&](int rank) {
                      return rank <= 1 ? part_value<&SwitchPart::power_typical>(ledger_, *in_.catalog, p)
                                       : part_value<&SwitchPart::power_maximum>(ledger_, *in_.catalog, p);
                    });
  }
  Traced<Power> power_of(const StoragePart& p) {
    return at_basis("storage", p, {{3, "nameplate", p.power.has_value()}},
                    [&](int) { return part_value<&StoragePart::power>(ledger_, *in_.catalog, p); });
  }
  Traced<Power> power_of(const RackPart& p) {
    return at_basis("rack", p,
                    {{0, "measured", p.power_measured.has_value()},
                     {1, "typical", p.power_typical.has_value()},
                     {2, "nominal", p.power_nominal.has_value()},
                     {3, "high", p.power_high.has_value()}},
                    [&](int rank) {
                      return rank == 0   ? part_value<&RackPart::power_measured>(ledger_, *in_.catalog, p)
                             : rank == 1 ? part_value<&RackPart::power_typical>(ledger_, *in_.catalog, p)
                             : rank == 2 ? part_value<&RackPart::power_nominal>(ledger_, *in_.catalog, p)
                                         : part_value<&RackPart::power_high>(ledger_, *in_.catalog, p);
                    });
  }
  template <class P>
  Traced<Power> power_of_part(const std::string& part, const std::string& owner) {
    const P* p = in_.catalog->find<P>(part);
    return p ? power_of(*p) : missing_part<P>(part, owner);
  }

  /// With the GPUs of a job held to a power. All of the basis where none is, or where the catalog does not know them.
  Traced<Power> under_cap(const std::string& id, const std::string& label, const Traced<Power>& power,
                          const Traced<Power>& nameplate, const Traced<Count>& accelerators, const Accelerator& gpu) {
    Job job;
    job.gpu_power_cap = in_.gpu_power_cap;
    return ledger_.derive(id, label, power_under_cap, power, nameplate, accelerators,
                          part_value<&Accelerator::power>(ledger_, *in_.catalog, gpu),
                          design_value<&Job::gpu_power_cap>(ledger_, "job", job),
                          assumption<double>(ledger_, *in_.catalog, "power.gpu_idle_to_maximum"));
  }
  Traced<Power> capped(const std::string& part, const Traced<Power>& power) {
    const NodePart* node = in_.gpu_power_cap ? in_.catalog->find<NodePart>(part) : nullptr;
    const Accelerator* gpu = node ? in_.catalog->find<Accelerator>(node->accelerator) : nullptr;
    if (!gpu || !gpu->power || !node->accelerators || !power.has_value()) return power;
    const std::string id = "load.part.node." + part + ".capped_power";
    if (const auto it = part_powers_.find(id); it != part_powers_.end()) return it->second;
    const auto nameplate =
        node->power_maximum ? part_value<&NodePart::power_maximum>(ledger_, *in_.catalog, *node) : power;
    return part_powers_[id] =
               under_cap(id, fmt::format("Power of one {}, GPUs capped", node->name), power, nameplate,
                         part_value<&NodePart::accelerators>(ledger_, *in_.catalog, *node), *gpu);
  }
  Traced<Power> capped_rack(const RackType& type, const RackPart& part, const Traced<Power>& power) {
    if (!in_.gpu_power_cap || !power.has_value()) return power;
    const std::string id = fmt::format("load.rack_type.{}.", type.id);
    std::vector<Traced<Count>> counts;
    const Accelerator* gpu = nullptr;
    for (const RackItem& item : *in_.rack_items) {
      if (item.rack_type != type.id || item.kind != RackItemKind::node) continue;
      const NodePart* node = in_.catalog->find<NodePart>(item.part);
      if (!node || !node->accelerators) continue;
      if (!gpu) gpu = in_.catalog->find<Accelerator>(node->accelerator);
      counts.push_back(ledger_.derive(fmt::format("load.rack_item.{}.accelerators", item.id),
                                      type.name + ": GPUs in its " + item.part, accelerators_of_parts,
                                      design_value<&RackItem::count>(ledger_, "rack_items", item, type.name),
                                      part_value<&NodePart::accelerators>(ledger_, *in_.catalog, *node)));
    }
    if (!gpu || !gpu->power) return power;
    const auto nameplate = part.power_high      ? part_value<&RackPart::power_high>(ledger_, *in_.catalog, part)
                           : part.power_nominal ? part_value<&RackPart::power_nominal>(ledger_, *in_.catalog, part)
                                                : power;
    return under_cap(id + "capped_power", type.name + ": integrated rack, GPUs capped", power, nameplate,
                     ledger_.sum<Count>(id + "accelerators", type.name + ": GPUs", counts), *gpu);
  }

  // --- one rack of a type
  // ---------------------------------------------------------------------------------------------

  /// Racks of each type, and what they hold of nodes and of the networks' switches.
  void count_drawn() {
    for (const Rack& rack : *in_.racks)
      ++racks_of_type_[rack.rack_type];
    for (const RackItem& item : *in_.rack_items) {
      const auto racks = racks_of_type_.find(item.rack_type);
      if (racks == racks_of_type_.end()) continue;
      if (item.kind == RackItemKind::node) nodes_drawn_ += item.count * racks->second;
      if (item.kind != RackItemKind::network_switch || !networked(item.part)) continue;
      switches_drawn_ += item.count * racks->second;
      drawn_of_part_[item.part] += item.count * racks->second;
    }
  }

  /// Where the size of a network is not known, neither is what its modules draw in racks.
  void networks_of_unknown_size() {
    if (fabric_.assumed || fabric_.networks.empty()) return;
    const Traced<Count>& nodes = population_.nodes;
    if (nodes.completeness == Completeness::lower_bound || nodes.completeness == Completeness::unknown)
      unsized_ = "the number of nodes is not known" + (nodes.reason ? ": " + *nodes.reason : std::string());
    for (const NodePopulation& kind : population_.node_kinds)
      if (unsized_.empty() && !kind.part.empty() && !in_.catalog->find<NodePart>(kind.part))
        unsized_ = fmt::format("the ports of some nodes are not known: the catalog has no node part '{}'", kind.part);
    for (const NetworkResult& n : fabric_.networks) {
      if (!unsized_.empty()) return;
      if (n.leafs.completeness == Completeness::unknown)
        unsized_ = fmt::format("the size of {} is not known{}", n.name, n.leafs.reason ? ": " + *n.leafs.reason : "");
      else if (n.kind == NetworkKind::storage && !in_.storage->system_part.empty() &&
               !in_.catalog->find<StoragePart>(in_.storage->system_part))
        unsized_ = fmt::format("the ports of the storage on {} are not known: the catalog has no storage part '{}'",
                               n.name, in_.storage->system_part);
    }
  }

  /// What the plans of all wired networks say of each rack.
  void cages_of_racks() {
    if (!cabling_ || fabric_.assumed) return;
    const auto& racks = *in_.racks;
    cages_.resize(racks.size());
    for (const NetworkCabling& c : cabling_->networks) {
      if (!c.plan) continue;
      any_wired_ = true;
      lengths_estimated_ = lengths_estimated_ || c.plan->estimated_links + c.plan->assumed_links > 0;
      auto at = racks.begin();
      for (const RackCableLoad& load : c.plan->racks) {
        // Both tables are in the order of ids.
        while (load.rack != 0 && at != racks.end() && at->id < load.rack)
          ++at;
        const bool drawn = load.rack != 0 && at != racks.end() && at->id == load.rack;
        CageLoad& cages = drawn ? cages_[static_cast<std::size_t>(at - racks.begin())] : undrawn_cages_;
        cages.watts += load.total_w();
        cages.without_power += load.without_power;
      }
    }
  }

  /// Racks that draw the same. Sums of the same modules in another order differ in the last digits: to the microwatt.
  void classes_of_racks() {
    const auto& racks = *in_.racks;
    std::map<std::tuple<Id, std::int64_t, Count, std::int64_t, Id>, std::size_t> known;
    std::map<Id, const Row*> capped_rows;
    if (in_.rows)
      for (const Row& row : *in_.rows)
        if (row.power_cap) capped_rows.emplace(row.id, &row);
    const auto microwatts = [](double watts) { return std::llround(watts * 1e6); };
    out_.class_of_rack.resize(racks.size()); // for now: the class within its type
    for (std::size_t i = 0; i < racks.size(); ++i) {
      const CageLoad cages = cages_.empty() ? CageLoad{} : cages_[i];
      const std::optional<Power>& cap = racks[i].power_cap;
      const auto row = capped_rows.find(racks[i].row);
      auto& of_type = classes_[racks[i].rack_type];
      const auto [it, fresh] = known.try_emplace(
          {racks[i].rack_type, microwatts(cages.watts), cages.without_power, cap ? microwatts(in_watts(*cap)) : -1,
           row == capped_rows.end() ? 0 : row->first},
          of_type.size());
      if (fresh) of_type.push_back({cages, cap, row == capped_rows.end() ? nullptr : row->second, 0, {}});
      RackClass& rack_class = of_type[it->second];
      ++rack_class.racks;
      if (rack_class.named.size() < racks_named) rack_class.named.push_back(i);
      out_.class_of_rack[i] = static_cast<std::uint32_t>(it->second);
    }
  }

  /// Modules in one node and in one switch where nothing says which cages hold them.
  struct EvenModules {
    Traced<Power> node_side;                 ///< of all nodes
    Traced<Power> switch_side;               ///< of all switches
    Traced<Power> in_node, in_switch;        ///< of one
    Count nodes = 0, switches = 0;           ///< over which they are spread
  };
  /// @param words  after labels, such as ", networks that are not wired"
  EvenModules spread_evenly(const std::string& stem, const std::string& words, const Traced<Power>& all,
                            const Traced<Power>& node_side) {
    EvenModules out;
    out.node_side = node_side;
    const auto left_out = Completeness::not_applicable;
    if (node_side.completeness != left_out && population_.nodes.has_value() && population_.nodes.value > 0) {
      out.in_node = ledger_.derive(stem + "optics_per_node", "Optics in one node, mean" + words, power_of_one,
                                   node_side, population_.nodes);
      out.nodes = population_.nodes.value;
    }
    if (all.completeness == left_out || !fabric_.switches.has_value() || fabric_.switches.value <= 0) return out;
    out.switch_side = all;
    if (node_side.completeness != left_out)
      out.switch_side =
          ledger_.derive(stem + "switch_side_optics", "Optics in switches" + words, remaining_power, all, node_side);
    // More switches than the networks need share what the networks' modules draw.
    out.switches = std::max(fabric_.switches.value, switches_drawn_);
    out.in_switch = ledger_.derive(stem + "optics_per_switch", "Optics in one switch, mean" + words, power_of_one,
                                   out.switch_side,
                                   switches_drawn_ > fabric_.switches.value
                                       ? ledger_.counted(stem + "optics_switches", "Switches of the networks' parts",
                                                         switches_drawn_, "switches in drawn racks")
                                       : fabric_.switches);
    return out;
  }
  /// For types of which no rack is drawn: the mean over all networks.
  const EvenModules& mean_modules() {
    if (!mean_modules_)
      mean_modules_ = fabric_.assumed ? EvenModules{} : spread_evenly("load.", "", optics_, node_side_optics_);
    return *mean_modules_;
  }
  /// For drawn racks: what networks ask for that are counted and not wired.
  const EvenModules& unwired_modules() {
    if (unwired_modules_) return *unwired_modules_;
    if (fabric_.assumed) return unwired_modules_.emplace();
    if (!any_wired_) return unwired_modules_.emplace(mean_modules());
    std::vector<Traced<Power>> all, node_side;
    for (const NetworkCabling& c : cabling_->networks)
      for (const NetworkResult& r : fabric_.networks)
        if (!c.plan && r.network == c.network && r.optics_power.has_value()) {
          all.push_back(r.optics_power);
          if (has_amount(r.node_side_optics_power)) node_side.push_back(r.node_side_optics_power);
        }
    if (all.empty()) return unwired_modules_.emplace();
    const std::string words = ", networks that are not wired";
    const auto whole = ledger_.sum<Power>("load.unwired.optics", "Optics at both ends" + words, all);
    const auto nodes = ledger_.sum<Power>("load.unwired.node_side_optics", "Optics in nodes" + words, node_side);
    return unwired_modules_.emplace(spread_evenly("load.unwired.", words, whole, nodes));
  }

  static bool is_integrated(const RackPart* part) { return part && (part->power_nominal || part->power_high); }

  /// Share of a node's heat that goes to liquid: its part, else the goal's share, else 0 for air-cooled nodes.
  Traced<double> liquid_share(const NodePart* part, const std::string& part_id, bool drawn) {
    if (part && part->liquid_heat_share) return part_value<&NodePart::liquid_heat_share>(ledger_, *in_.catalog, *part);
    const bool air = part && part->cooling == "air";
    if (air && drawn)
      return ledger_.constant<double>("load.air_cooled_liquid_share", "Liquid share of an air-cooled node", 0.0,
                                      "the catalog states cooling by air", &kind::percent);
    if (air || in_.goal->liquid_heat_share > 0.0) return goal_share<&Goal::liquid_heat_share>();
    const std::string id = "load.part.node." + (part_id.empty() ? std::string("none") : part_id) + ".liquid_share";
    if (const auto it = liquid_shares_.find(id); it != liquid_shares_.end()) return it->second;
    return liquid_shares_[id] =
               ledger_.absent<double>(id, "Liquid share of " + (part ? part->name : part_id), Completeness::unknown,
                                      "the share of heat to liquid of " + (part ? part->name : "'" + part_id + "'") +
                                          " is not known: set it on the rack type",
                                      &kind::percent);
  }
  /// A share of the goal as a leaf.
  template <auto Member>
  Traced<double> goal_share() {
    return design_value<Member>(ledger_, "goal", *in_.goal);
  }
  /// Liquid share of an integrated rack: its part's share, else its heats, else the catalog's default for its class.
  Traced<double> liquid_share(const RackType& type, const RackPart& part) {
    if (part.liquid_share) return part_value<&RackPart::liquid_share>(ledger_, *in_.catalog, part);
    if (part.liquid_heat && part.air_heat) {
      const std::string id = fmt::format("load.rack_type.{}.", type.id);
      const auto liquid = part_value<&RackPart::liquid_heat>(ledger_, *in_.catalog, part);
      const auto whole = ledger_.sum<Power>(id + "stated_heat", type.name + ": heat stated by its part",
                                            {liquid, part_value<&RackPart::air_heat>(ledger_, *in_.catalog, part)});
      return ledger_.derive(id + "liquid_share", type.name + ": share of heat to liquid", power_share, liquid, whole);
    }
    if (part.cooling.find("liquid") != std::string::npos && part.kind.find("NVL72") != std::string::npos)
      return ledger_.assumed(
          ledger_.as<double>(
              fmt::format("load.rack_type.{}.liquid_share", type.id), type.name + ": share of heat to liquid",
              assumption<double>(ledger_, *in_.catalog, "cooling.liquid_share_nvl72", kind::percent), &kind::percent),
          "the part states no share: the default of its class is used");
    if (part.cooling == "air")
      return ledger_.constant<double>("load.air_cooled_liquid_share", "Liquid share of an air-cooled node", 0.0,
                                      "the catalog states cooling by air", &kind::percent);
    return ledger_.absent<double>(fmt::format("load.rack_type.{}.liquid_share", type.id),
                                  type.name + ": share of heat to liquid", Completeness::unknown,
                                  "the share of heat to liquid of " + part.name +
                                      " is not known: set it on rack type '" + type.name + "'",
                                  &kind::percent);
  }

  /// All up to what the racks of the type ask.
  OpenType rack_type(const RackType& type) {
    OpenType out;
    out.type = &type;
    const std::string id = fmt::format("load.rack_type.{}.", type.id);
    const RackPart* rack_part = in_.catalog->find<RackPart>(type.rack_part);
    const bool integrated = is_integrated(rack_part);
    RackContent content;
    std::vector<Traced<Power>> nodes, switches, storage, other, to_liquid, to_air;
    std::vector<Traced<Count>> node_counts, switch_counts;
    const Traced<double>* const own_share = own_share_of(type);

    for (const RackItem& item : *in_.rack_items) {
      if (item.rack_type != type.id) continue;
      const auto count = design_value<&RackItem::count>(ledger_, "rack_items", item, type.name);
      if (item.kind == RackItemKind::node) node_counts.push_back(count);
      // What an integrated rack holds is inside the rack's own power.
      if (integrated) continue;
      const std::string owner = "'" + type.name + "'";
      const std::string item_id = fmt::format("load.rack_item.{}.", item.id);
      auto of_item = [&](const Traced<Power>& each) {
        return ledger_.derive(item_id + "power",
                              fmt::format("{}: {} x {}", type.name, item.count, item.part.empty() ? "?" : item.part),
                              parts_power, count, each);
      };
      switch (item.kind) {
      case RackItemKind::node: {
        const auto power = of_item(capped(item.part, power_of_part<NodePart>(item.part, owner)));
        nodes.push_back(power);
        if (!own_share) {
          const auto share = liquid_share(in_.catalog->find<NodePart>(item.part), item.part, true);
          to_liquid.push_back(ledger_.derive(item_id + "heat_to_liquid",
                                             type.name + ": heat to liquid of its " + item.part, heat_to_liquid, power,
                                             share));
          to_air.push_back(ledger_.derive(item_id + "heat_to_air", type.name + ": heat to air of its " + item.part,
                                          growing(heat_to_air), power, share));
        }
        break;
      }
      case RackItemKind::network_switch:
        switches.push_back(of_item(power_of_part<SwitchPart>(item.part, owner)));
        if (networked(item.part)) switch_counts.push_back(count); // others hold none of the networks' modules
        break;
      case RackItemKind::storage:
        storage.push_back(of_item(power_of_part<StoragePart>(item.part, owner)));
        break;
      case RackItemKind::other:
        // A rack PDU passes power on; its loss belongs to the power chain.
        if (in_.catalog->find<PowerPart>(item.part)) break;
        if (in_.catalog->find<StoragePart>(item.part))
          other.push_back(of_item(power_of_part<StoragePart>(item.part, owner)));
        else if (in_.catalog->find<SwitchPart>(item.part))
          other.push_back(of_item(power_of_part<SwitchPart>(item.part, owner)));
        else
          other.push_back(of_item(power_of_part<NodePart>(item.part, owner)));
        break;
      }
    }
    // A rack part that the catalog lacks may be an integrated rack.
    if (!rack_part && !type.rack_part.empty()) {
      const auto own = missing_part<RackPart>(type.rack_part, "'" + type.name + "'");
      nodes.push_back(own);
      to_air.push_back(own);
      to_liquid.push_back(own);
    }
    std::vector<Traced<Power>> parts;
    auto category = [&](Traced<Power>& slot, const char* name, const char* label,
                        const std::vector<Traced<Power>>& items) {
      if (items.empty()) return;
      slot = ledger_.sum<Power>(id + name, type.name + ": " + label, items);
      parts.push_back(slot);
    };
    if (integrated) {
      const std::string label = type.name + ": integrated rack, its nodes and switches included";
      content.nodes = ledger_.as<Power>(id + "nodes", label, capped_rack(type, *rack_part, power_of(*rack_part)));
      parts.push_back(content.nodes);
      if (!own_share) {
        const auto share = liquid_share(type, *rack_part);
        to_liquid.push_back(ledger_.derive(id + "integrated_heat_to_liquid",
                                           type.name + ": heat to liquid of the integrated rack", heat_to_liquid,
                                           content.nodes, share));
        to_air.push_back(ledger_.derive(id + "integrated_heat_to_air",
                                        type.name + ": heat to air of the integrated rack", growing(heat_to_air),
                                        content.nodes, share));
      }
    } else {
      category(content.nodes, "nodes", "nodes", nodes);
      category(content.switches, "switches", "switches", switches);
      category(content.storage, "storage", "storage", storage);
      category(content.other, "other", "other content", other);
    }
    const auto drawn = classes_.find(type.id);
    const EvenModules& even = drawn == classes_.end() ? mean_modules() : unwired_modules();
    auto modules = [&](Traced<Power>& slot, const char* name, const char* label,
                       const std::vector<Traced<Count>>& counts, const Traced<Power>& each) {
      if (counts.empty() || each.completeness == Completeness::not_applicable) return;
      const auto count =
          ledger_.sum<Count>(id + name + std::string("_count"), type.name + ": " + label + ", count", counts);
      slot = ledger_.derive(id + name + std::string("_optics"), type.name + ": optics in its " + label + ", mean",
                            parts_power, count, each);
      parts.push_back(slot);
    };
    modules(content.node_optics, "node", "nodes", node_counts, even.in_node);
    modules(content.switch_optics, "switch", "switches", switch_counts, even.in_switch);
    // Switches, storage and modules shed to air unless the rack type says otherwise.
    for (const Traced<Power>* p :
         {&content.switches, &content.storage, &content.other, &content.node_optics, &content.switch_optics})
      if (p->figure.valid()) to_air.push_back(*p);

    out.classes = drawn == classes_.end() ? std::vector<RackClass>{RackClass{}} : drawn->second;
    out.own_share = own_share != nullptr;
    const bool capped = std::any_of(out.classes.begin(), out.classes.end(),
                                    [](const RackClass& c) { return c.cap.has_value() || c.row; });
    out.own_heat = out.own_share || capped || type.demand_share < 1.0;
    if (!own_share)
      out.to_liquid = ledger_.sum<Power>(id + (out.own_heat ? "counted_heat_to_liquid" : "heat_to_liquid"),
                                         (out.own_heat ? "Heat to liquid of one rack before caps, " : "Heat to liquid of one rack, ") + type.name,
                                         to_liquid);
    if (capped) out.gpus = gpus_of(type, integrated ? rack_part : nullptr);
    out.to_air = std::move(to_air);
    out.content = content;
    first_class_.emplace(type.id, static_cast<std::uint32_t>(out_.rack_classes.size()));
    out.first = out_.rack_classes.size();
    for (const RackClass& c : out.classes)
      out_.rack_classes.push_back(asked_by(c, parts, out));
    return out;
  }

  /// GPUs of one rack, at the basis of the design.
  /// @param integrated  the part of an integrated rack, else null
  RackGpus gpus_of(const RackType& type, const RackPart* integrated) {
    RackGpus out;
    const std::string id = fmt::format("load.rack_type.{}.", type.id);
    std::vector<Traced<Power>> uncapped, drawn, idle;
    const auto idle_share = assumption<double>(ledger_, *in_.catalog, "power.gpu_idle_to_maximum");
    Job job;
    job.gpu_power_cap = in_.gpu_power_cap;
    for (const RackItem& item : *in_.rack_items) {
      if (item.rack_type != type.id || item.kind != RackItemKind::node) continue;
      const NodePart* node = in_.catalog->find<NodePart>(item.part);
      const Accelerator* gpu = node ? in_.catalog->find<Accelerator>(node->accelerator) : nullptr;
      if (!gpu || node->accelerators.value_or(0) <= 0 || item.count <= 0) continue;
      out.any = true;
      const std::string item_id = fmt::format("load.rack_item.{}.", item.id), in = type.name + ": GPUs in its " + item.part;
      const auto count = ledger_.derive(item_id + "gpus", in, accelerators_of_parts,
                                        design_value<&RackItem::count>(ledger_, "rack_items", item, type.name),
                                        part_value<&NodePart::accelerators>(ledger_, *in_.catalog, *node));
      const auto limit = part_value<&Accelerator::power>(ledger_, *in_.catalog, *gpu);
      if (!out.limit.figure.valid()) out.limit = limit;
      const auto whole = integrated ? power_of(*integrated) : power_of(*node);
      const auto nameplate = integrated ? (integrated->power_high      ? part_value<&RackPart::power_high>(ledger_, *in_.catalog, *integrated)
                                           : integrated->power_nominal ? part_value<&RackPart::power_nominal>(ledger_, *in_.catalog, *integrated)
                                                                       : whole)
                             : node->power_maximum ? part_value<&NodePart::power_maximum>(ledger_, *in_.catalog, *node)
                                                   : whole;
      const auto draws = [&](const char* name, const char* words, const Traced<Power>& cap) {
        return ledger_.derive(item_id + name, in + words, accelerators_power_drawn, count, limit, whole, nameplate, cap, idle_share);
      };
      uncapped.push_back(draws("gpu_power", ", power", limit));
      drawn.push_back(in_.gpu_power_cap ? draws("gpu_power_capped", ", power under the cap of the job",
                                                design_value<&Job::gpu_power_cap>(ledger_, "job", job))
                                        : uncapped.back());
      idle.push_back(draws("gpu_power_idle", ", power idle",
                           ledger_.constant<Power>("load.no_power", "No power", watts(0), "an accelerator held to nothing idles")));
    }
    if (!out.any) return out;
    const auto at_once = [&](const char* name, const char* words, const std::vector<Traced<Power>>& parts) {
      const std::string label = type.name + ": GPUs of one rack, power" + words;
      if (type.demand_share >= 1.0) return ledger_.sum<Power>(id + name, label, parts);
      return ledger_.derive(id + name, label + " at once", share_of_power,
                            ledger_.sum<Power>(id + name + std::string("_counted"), label, parts),
                            design_value<&RackType::demand_share>(ledger_, "rack_types", type, type.name));
    };
    out.uncapped = at_once("gpus_power", "", uncapped);
    out.drawn = in_.gpu_power_cap ? at_once("gpus_power_capped", " under the cap of the job", drawn) : out.uncapped;
    out.idle = ledger_.sum<Power>(id + "gpus_power_idle", type.name + ": GPUs of one rack, power idle", idle);
    return out;
  }

  /// One class of a type up to what a rack of it asks and what its own cap leaves; its power is that so far.
  RackClassLoad asked_by(const RackClass& c, std::vector<Traced<Power>> parts, OpenType& of) {
    const RackType& type = *of.type;
    std::vector<Traced<Power>> to_air = of.to_air;
    RackClassLoad out;
    out.rack_type = type.id;
    out.racks = c.racks;
    out.key = fmt::format("rack_type.{}", type.id);
    out.name = type.name;
    const bool several = of.classes.size() > 1;
    if (several) {
      out.key += fmt::format(".like_rack.{}", (*in_.racks)[c.named.front()].id);
      out.name += " (" + names_of(c) + ")";
      out.racks_figure = ledger_.counted("load." + out.key + ".racks", "Racks like these: " + out.name, c.racks,
                                         "racks of the type whose cages hold the same module watts, under the same caps");
    } else if (const auto* p = population_of(type.id)) {
      out.racks_figure = p->racks_figure;
    }
    const std::string id = "load." + out.key + ".";
    if (c.cages.watts > 0 || c.cages.without_power > 0) {
      const std::string label = out.name + ": modules and active cable ends of one rack";
      const std::string what = "the cages of the port map in the rack, all networks, at the power that the catalog "
                               "states for each part";
      const Power known = watts(c.cages.watts);
      Traced<Power> modules;
      if (c.cages.without_power == 0) {
        modules = ledger_.measured<Power>(id + "optics", label, known, what, &KindOf<Power>::value, lengths_estimated_);
      } else {
        modules = ledger_.sum<Power>(
            id + "optics", label,
            {ledger_.measured<Power>(id + "optics.known", label + ", what is known", known, what,
                                     &KindOf<Power>::value, lengths_estimated_),
             ledger_.absent<Power>(id + "optics.missing", label + ", what is not known", Completeness::unknown,
                                   fmt::format("{} ends without a stated power", c.cages.without_power))});
      }
      parts.push_back(modules);
      to_air.push_back(modules);
    }
    if (!unsized_.empty() && !parts.empty()) {
      const auto rest = ledger_.absent<Power>(id + "optics.unsized", out.name + ": modules of one rack beyond those",
                                              Completeness::unknown, unsized_);
      parts.push_back(rest);
      to_air.push_back(rest);
    }
    const bool all_at_once = type.demand_share >= 1.0, capped = c.cap || c.row;
    const std::string power_label = "Power of one rack, " + out.name;
    const auto counted = ledger_.sum<Power>(id + (all_at_once ? capped ? "asked" : "power" : "counted"),
                                            all_at_once ? capped ? "Power that one rack asks, " + out.name : power_label
                                                        : "All that is in one rack, " + out.name,
                                            parts);
    Traced<Power> asked = counted;
    if (!all_at_once) {
      asked = ledger_.derive(id + (capped ? "asked" : "power"),
                             capped ? "Power that one rack asks, " + out.name : power_label, share_of_power, counted,
                             design_value<&RackType::demand_share>(ledger_, "rack_types", type, type.name));
      if (asked.has_value())
        ledger_.remark(asked, "the share of its counted power that racks of the type draw at once; heat, feeds and coolant see the same");
    }
    Traced<Power> held = asked;
    if (c.cap)
      held = ledger_.derive(id + "held_by_rack", "What its own cap leaves one rack, " + out.name, smaller_power, asked,
                            design_value<&Rack::power_cap>(ledger_, "racks", (*in_.racks)[c.named.front()],
                                                           (*in_.racks)[c.named.front()].name));
    if (capped) out.asked = asked;
    out.power = asked;
    of.counted.push_back(counted);
    of.held.push_back(held);
    of.least.emplace_back();
    of.by_row.emplace_back();
    of.class_to_air.push_back(std::move(to_air));
    return out;
  }

  /// A class of racks under the cap of a row, in watts.
  struct Sharing {
    double racks = 0, most = 0;             ///< of one rack: the most that its own cap leaves, not below its least
    double asked = 0, drawn = 0, uncapped = 0, idle = 0; ///< of one rack, and of its GPUs
    bool gives_way = false;
    [[nodiscard]] double at(double level) const {
      if (!gives_way) return most;
      return std::min(most, std::max(0.0, asked - std::max(0.0, drawn - std::max(idle, level * uncapped))));
    }
    /// Levels between which what it draws follows the level.
    [[nodiscard]] double low() const { return idle / uncapped; }
    [[nodiscard]] double high() const { return std::max(low(), std::min(drawn, most - (asked - drawn)) / uncapped); }
  };
  /// What the cap of each row leaves its racks: the GPUs of all are held to one level, the highest at which the row keeps
  /// to its cap; racks whose own caps, or the job's, hold them lower leave the rest to the others. Raising a cap never
  /// lowers the lowest level in the row. What is no GPU works on.
  void share_rows(std::vector<OpenType>& open) {
    for (const Row& row : *in_.rows) {
      if (!row.power_cap) continue;
      struct Member {
        OpenType* of = nullptr;
        std::size_t k = 0;
        Sharing s;
      };
      std::vector<Member> members;
      double most = 0.0;
      for (OpenType& of : open)
        for (std::size_t k = 0; k < of.classes.size(); ++k) {
          if (of.classes[k].row != &row) continue;
          Member m{&of, k, {}};
          const RackClassLoad& c = out_.rack_classes[of.first + k];
          const auto amount = [](const Traced<Power>& p) { return p.figure.valid() && p.has_value() ? in_watts(p.value) : 0.0; };
          const RackGpus& g = of.gpus;
          m.s.racks = static_cast<double>(of.classes[k].racks);
          m.s.asked = amount(c.power);
          m.s.most = amount(of.held[k]);
          if (g.any && g.drawn.has_value() && g.uncapped.has_value() && g.idle.has_value() && in_watts(g.uncapped.value) > 0.0 && c.power.has_value()) {
            m.s.drawn = amount(g.drawn), m.s.uncapped = amount(g.uncapped), m.s.idle = amount(g.idle);
            m.s.most = std::max(m.s.most, std::max(0.0, m.s.asked - std::max(0.0, m.s.drawn - m.s.idle)));
            m.s.gives_way = m.s.drawn > m.s.idle;
          }
          if (!m.s.gives_way) m.s.most = m.s.asked;
          most += m.s.racks * m.s.most;
          members.push_back(m);
        }
      const double cap = in_watts(*row.power_cap);
      if (members.empty() || most <= cap * (1.0 + 1e-12)) continue; // nothing to share
      const std::string id = fmt::format("load.row.{}.", row.id), name = row.name.empty() ? fmt::format("row {}", row.id) : row.name;
      const auto row_cap = design_value<&Row::power_cap>(ledger_, "rows", row, name);
      const auto at = [&](double level) {
        double sum = 0.0;
        for (const Member& m : members) sum += m.s.racks * m.s.at(level);
        return sum;
      };
      const auto all = [&](const Member& m, const char* what, const char* words, const Traced<Power>& each) {
        const RackClassLoad& c = out_.rack_classes[m.of->first + m.k];
        return ledger_.derive("load." + c.key + what, words + c.name, parts_power, c.racks_figure, each);
      };
      const auto least_of = [&](const Member& m) { return m.of->gpus.any ? least_of_class(*m.of, m.k) : out_.rack_classes[m.of->first + m.k].power; };
      if (at(0.0) > cap * (1.0 + 1e-12)) {
        std::vector<Traced<Power>> parts;
        for (const Member& m : members) parts.push_back(all(m, ".all_least", "With idle GPUs, all racks ", least_of(m)));
        const auto least = ledger_.sum<Power>(id + "least", "Power that the racks of a row draw with idle GPUs, " + name, parts);
        const auto share = ledger_.derive(id + "share", "What the cap of the row leaves of it, " + name, row_cap_share, row_cap, least);
        for (const Member& m : members)
          m.of->by_row[m.k] = ledger_.derive("load." + out_.rack_classes[m.of->first + m.k].key + ".held_by_row",
                                             "What the cap of its row leaves one rack, " + out_.rack_classes[m.of->first + m.k].name, share_of_power, least_of(m), share);
        continue;
      }
      // The sum grows with the level in straight pieces: find the one in which it meets the cap.
      std::vector<double> corners{0.0, 1.0};
      for (const Member& m : members)
        if (m.s.gives_way) corners.push_back(std::min(1.0, m.s.low())), corners.push_back(std::min(1.0, m.s.high()));
      std::sort(corners.begin(), corners.end());
      const auto above = std::partition_point(corners.begin(), corners.end(), [&](double level) { return at(level) <= cap; });
      const double from = above == corners.begin() ? 0.0 : *(above - 1), to = above == corners.end() ? 1.0 : *above, middle = 0.5 * (from + to);
      std::vector<Traced<Power>> asked, drawn, uncapped;
      for (const Member& m : members) {
        const bool free = m.s.gives_way && m.s.low() < middle && middle < m.s.high();
        const Traced<Power>& held = m.of->held[m.k];
        const Traced<Power>& one = out_.rack_classes[m.of->first + m.k].power;
        const bool idles = m.s.gives_way && middle <= m.s.low();
        // Its own cap may ask for less than it draws with idle GPUs.
        const bool below = m.s.gives_way && !idles && held.has_value() && in_watts(held.value) < m.s.most * (1.0 - 1e-12);
        asked.push_back(all(m, ".all_asked", "Asked of the row by all racks ", free || !m.s.gives_way ? one : idles || below ? least_of(m) : held));
        if (!free) continue;
        drawn.push_back(all(m, ".all_gpus", "GPUs of all racks, before the cap of the row, ", m.of->gpus.drawn));
        uncapped.push_back(all(m, ".all_gpus_uncapped", "GPUs of all racks, without any cap, ", m.of->gpus.uncapped));
      }
      if (drawn.empty()) continue; // a step that is as narrow as rounding
      const auto level = ledger_.derive(
          id + "level", "Level to which the GPUs of the row are held, " + name, row_accelerator_level, row_cap,
          ledger_.sum<Power>(id + "asked", "Power that the racks of a row ask, " + name, asked),
          ledger_.sum<Power>(id + "gpus", "GPUs that the cap of the row holds, before it, " + name, drawn),
          ledger_.sum<Power>(id + "gpus_uncapped", "GPUs that the cap of the row holds, without any cap, " + name, uncapped));
      for (const Member& m : members) {
        if (!m.s.gives_way || (m.s.low() < middle && m.s.high() <= middle)) continue;
        const RackClassLoad& c = out_.rack_classes[m.of->first + m.k];
        m.of->by_row[m.k] = ledger_.derive("load." + c.key + ".held_by_row", "What the cap of its row leaves one rack, " + c.name, rack_power_at_level, c.power,
                                           m.of->gpus.drawn, m.of->gpus.uncapped, m.of->gpus.idle, level);
      }
    }
  }
  /// Power of one rack of a class whose GPUs idle: what is no GPU works on.
  Traced<Power> least_of_class(OpenType& of, std::size_t k) {
    Traced<Power>& least = of.least[k];
    const RackClassLoad& c = out_.rack_classes[of.first + k];
    if (!least.figure.valid())
      least = ledger_.derive("load." + c.key + ".least", "Power of one rack whose GPUs idle, " + c.name, least_rack_power, c.power, of.gpus.drawn, of.gpus.idle);
    return least;
  }

  /// What the racks of the type draw and shed under all caps.
  void finish(OpenType& of) {
    const RackType& type = *of.type;
    const std::string id = fmt::format("load.rack_type.{}.", type.id);
    for (std::size_t k = 0; k < of.classes.size(); ++k)
      finish_class(of, k);
    const std::size_t first = of.first;
    std::size_t highest = first;
    const Traced<Power>* at_least = nullptr; // the highest of those that are not fully known
    for (std::size_t i = first; i < first + of.classes.size(); ++i) {
      const Traced<Power>& power = out_.rack_classes[i].power;
      if (in_watts(power.value) > in_watts(out_.rack_classes[highest].power.value)) highest = i;
      if (power.completeness == Completeness::lower_bound &&
          (!at_least || in_watts(power.value) > in_watts(at_least->value)))
        at_least = &power;
    }
    const RackClassLoad& most = out_.rack_classes[highest];
    RackTypeLoad rack{type.id, most.power, most.heat_to_liquid, most.heat_to_air};
    if (of.classes.size() > 1) {
      const std::string label = "Power of one rack, the highest of its type: " + most.name;
      rack.power = at_least && most.power.completeness != Completeness::lower_bound
                       ? ledger_.derive(id + "power", label, larger_power, *at_least, most.power)
                       : ledger_.as<Power>(id + "power", label, most.power);
    }
    if (type.power_limit)
      ledger_.limit(rack.power, design_value<&RackType::power_limit>(ledger_, "rack_types", type, type.name),
                    LimitSense::at_most);
    out_.rack_types.push_back(rack);
    contents_.emplace(type.id, of.content);
  }

  void finish_class(OpenType& of, std::size_t k) {
    const RackType& type = *of.type;
    const RackClass& c = of.classes[k];
    RackClassLoad& out = out_.rack_classes[of.first + k];
    const bool several = of.classes.size() > 1, capped = c.cap || c.row;
    const std::string id = "load." + out.key + ".";
    const Traced<Power> asked = out.power;
    Traced<Power> least;
    if (capped) {
      Traced<Power> held = of.held[k];
      const Traced<Power>& by_row = of.by_row[k];
      bool row_holds = false;
      if (by_row.figure.valid() && by_row.has_value() && held.has_value()) {
        row_holds = in_watts(by_row.value) < in_watts(held.value) * (1.0 - 1e-12);
        held = ledger_.derive(id + "held", "What the caps of it and of its row leave one rack, " + out.name, smaller_power, held, by_row);
      }
      // What is no GPU works on, and GPUs do not fall below idle.
      least = of.gpus.any ? least_of_class(of, k) : asked;
      out.power = ledger_.derive(id + "power", "Power of one rack, " + out.name, larger_power, held,
                                 least.has_value() ? least : ledger_.constant<Power>("load.no_power", "No power", watts(0), "an accelerator held to nothing idles"));
      const bool binds = held.has_value() && asked.has_value() && held.value < asked.value * (1.0 - 1e-12);
      if (binds && of.gpus.any && least.has_value() && in_watts(least.value) > in_watts(held.value) * (1.0 + 1e-12))
        out.gpu_limit = ledger_.absent<Power>(id + "gpu_limit", "Power limit of its GPUs under caps, " + out.name, Completeness::not_applicable,
                                              "the cap of " + names_of(c) + " cannot be held: with its GPUs idle it draws more, and no work is left for them");
      else if (binds && of.gpus.any)
        out.gpu_limit = ledger_.derive(id + "gpu_limit", "Power limit of its GPUs under caps, " + out.name,
                                       accelerator_limit_in_rack, of.gpus.limit, of.gpus.drawn, asked, out.power,
                                       of.gpus.uncapped);
      if (binds)
        ledger_.remark(out.power, in_watts(out.power.value) > in_watts(held.value) * (1.0 + 1e-12)
                                      ? "its cap cannot be held: what is no GPU works on, and GPUs do not fall below idle"
                                      : "held by a cap: its GPUs run slower, all else in it works on");
      caps_.push_back({of.first + k, binds, row_holds, held, least, c});
    }
    if (capped || type.demand_share < 1.0) {
      if (c.racks > 0 && of.counted[k].has_value() && out.power.has_value())
        spared_.push_back(ledger_.derive(
            id + "all_spared", "Not drawn at once or held back by all racks " + out.name, parts_power, out.racks_figure,
            ledger_.derive(id + "spared", "Not drawn at once or held back by one rack, " + out.name, remaining_power,
                           of.counted[k], out.power)));
    }
    if (of.own_share) {
      const Traced<double>& own_share = *own_share_of(type);
      out.own_liquid_heat = several;
      out.heat_to_liquid = ledger_.derive(id + "heat_to_liquid", "Heat to liquid of one rack, " + out.name,
                                          heat_to_liquid, out.power, own_share);
      out.heat_to_air = ledger_.derive(id + "heat_to_air", "Heat to air of one rack, " + out.name,
                                       growing(heat_to_air), out.power, own_share);
      return;
    }
    const std::string liquid_label = "Heat to liquid of one rack, " + out.name, air_label = "Heat to air of one rack, " + out.name;
    if (!of.own_heat) {
      out.heat_to_liquid = of.to_liquid;
      out.heat_to_air = ledger_.sum<Power>(id + "heat_to_air", air_label, of.class_to_air[k]);
      return;
    }
    out.own_liquid_heat = several;
    Traced<Power> liquid = of.to_liquid, nodes = of.content.nodes;
    if (type.demand_share < 1.0) {
      const auto demand = design_value<&RackType::demand_share>(ledger_, "rack_types", type, type.name);
      liquid = ledger_.derive(id + "asked_heat_to_liquid", liquid_label + ", before caps", share_of_power, liquid, demand);
      if (nodes.figure.valid())
        nodes = ledger_.derive(id + "asked_nodes", "Power of the nodes of one rack before caps, " + out.name, share_of_power, nodes, demand);
    }
    const bool held = capped && caps_.back().binds && nodes.has_value() && in_watts(nodes.value) > 0.0;
    out.heat_to_liquid = held ? ledger_.derive(id + "heat_to_liquid", liquid_label, held_heat_to_liquid, liquid, asked, out.power, nodes)
                              : ledger_.as<Power>(id + "heat_to_liquid", liquid_label, liquid);
    out.heat_to_air = ledger_.derive(id + "heat_to_air", air_label, remaining_power, out.power, out.heat_to_liquid);
  }
  [[nodiscard]] std::string names_of(const RackClass& c) const {
    std::string names;
    for (const std::size_t i : c.named) {
      const Rack& rack = (*in_.racks)[i];
      names += (names.empty() ? "" : ", ") + (rack.name.empty() ? fmt::format("rack {}", rack.id) : rack.name);
    }
    const Count more = c.racks - static_cast<Count>(c.named.size());
    return more > 0 ? fmt::format("{} and {} more", names, more) : names;
  }
  [[nodiscard]] const RackTypePopulation* population_of(Id type) const {
    for (const RackTypePopulation& p : population_.rack_types)
      if (p.rack_type == type) return &p;
    return nullptr;
  }

  /// Racks whose type is gone draw something, and nobody knows what. Then every rack gets its place among all classes.
  void racks_of_no_type() {
    for (const auto& [type, classes] : classes_) {
      if (find(*in_.rack_types, type)) continue;
      RackClassLoad gone;
      gone.rack_type = type;
      gone.key = fmt::format("rack_type.{}", type);
      gone.name = fmt::format("of rack type {}, which does not exist", type);
      for (const RackClass& c : classes)
        gone.racks += c.racks;
      const std::string racks = gone.racks == 1 ? "1 rack names" : fmt::format("{} racks name", gone.racks);
      const std::string why = fmt::format("{} rack type {}, which does not exist", racks, type);
      auto unknown = [&](const char* what, const char* label) {
        return ledger_.absent<Power>("load." + gone.key + what, label + gone.name, Completeness::unknown, why);
      };
      gone.power = unknown(".power", "Power of one rack ");
      gone.heat_to_liquid = unknown(".heat_to_liquid", "Heat to liquid of one rack ");
      gone.heat_to_air = unknown(".heat_to_air", "Heat to air of one rack ");
      first_class_.emplace(type, static_cast<std::uint32_t>(out_.rack_classes.size()));
      out_.rack_classes.push_back(std::move(gone));
    }
    for (std::size_t i = 0; i < out_.class_of_rack.size(); ++i) {
      const Id type = (*in_.racks)[i].rack_type;
      const std::uint32_t first = first_class_.at(type);
      out_.class_of_rack[i] = find(*in_.rack_types, type) ? first + out_.class_of_rack[i] : first;
    }
  }
  const Traced<double>* own_share_of(const RackType& type) {
    if (!type.liquid_heat_share) return nullptr;
    own_share_ = design_value<&RackType::liquid_heat_share>(ledger_, "rack_types", type, type.name);
    return &own_share_;
  }

  // --- totals
  // ---------------------------------------------------------------------------------------------------------

  /// Sum over the drawn racks of one category of content; no part: nothing of the kind is drawn.
  std::vector<Traced<Power>> over_racks(Traced<Power> RackContent::*category, const char* name, const char* label) {
    std::vector<Traced<Power>> out;
    for (const RackTypePopulation& p : population_.rack_types) {
      const auto it = contents_.find(p.rack_type);
      if (p.racks == 0 || it == contents_.end() || !(it->second.*category).figure.valid()) continue;
      out.push_back(ledger_.derive(fmt::format("load.rack_type.{}.all_{}", p.rack_type, name),
                                   fmt::format("{} of all racks {}", label, p.name), parts_power, p.racks_figure,
                                   it->second.*category));
    }
    return out;
  }
  Traced<Power> nothing(const char* id, const char* label, std::string why) {
    return ledger_.absent<Power>(id, label, Completeness::not_applicable, std::move(why));
  }

  void totals() {
    // Nodes: what is drawn, else what the goal asks for.
    std::vector<Traced<Power>> liquid_parts, air_parts;
    const auto drawn_nodes = over_racks(&RackContent::nodes, "nodes", "Nodes");
    const std::string node_label = "Nodes and integrated racks";
    if (!drawn_nodes.empty()) {
      out_.nodes = ledger_.sum<Power>("load.nodes", node_label, drawn_nodes);
    } else if (!population_.drawn && !population_.node_kinds.empty()) {
      std::vector<Traced<Power>> parts;
      for (const NodePopulation& n : population_.node_kinds) {
        const auto power = ledger_.derive("load.goal." + n.part + ".nodes", "Nodes of the goal, " + n.part, parts_power,
                                          n.nodes, power_of_part<NodePart>(n.part, "the goal"));
        parts.push_back(power);
        const auto share = liquid_share(in_.catalog->find<NodePart>(n.part), n.part, false);
        liquid_parts.push_back(ledger_.derive("load.goal." + n.part + ".heat_to_liquid",
                                              "Heat to liquid of the goal's nodes", heat_to_liquid, power, share));
        air_parts.push_back(ledger_.derive("load.goal." + n.part + ".heat_to_air", "Heat to air of the goal's nodes",
                                           growing(heat_to_air), power, share));
      }
      out_.nodes = ledger_.sum<Power>("load.nodes", node_label, parts);
    } else if (const std::string& named = in_.goal->node_part;
               !population_.drawn && !named.empty() && !in_.catalog->find<NodePart>(named)) {
      out_.nodes = ledger_.absent<Power>(
          "load.nodes", node_label, Completeness::unknown,
          fmt::format("the catalog has no node part '{}', which the goal names", named));
    } else {
      out_.nodes = nothing("load.nodes", "Nodes and integrated racks",
                           population_.drawn ? "no rack holds a node" : "no rack is drawn and the goal names no node");
    }

    // Network: what the drawing holds and what the networks need beyond it; the goal's share until either exists.
    const auto drawn_switches = over_racks(&RackContent::switches, "switches", "Switches");
    std::vector<Traced<Power>> not_drawn;
    if (drawn_nodes.empty()) not_drawn.push_back(out_.nodes);
    if (fabric_.assumed || fabric_.switch_power.completeness == Completeness::not_applicable) {
      if (!drawn_switches.empty()) {
        out_.switches = ledger_.sum<Power>("load.switches", "Switches, as drawn", drawn_switches);
      } else if (fabric_.assumed && has_amount(out_.nodes)) {
        out_.switches = ledger_.derive("load.switches", "Network, planning share until a network is described",
                                       share_of_power, out_.nodes, goal_share<&Goal::network_power_share>());
      } else {
        out_.switches = nothing("load.switches", "Switches", "no network and no switch is described");
      }
      if (drawn_switches.empty()) not_drawn.push_back(out_.switches);
    } else if (drawn_switches.empty()) {
      out_.switches = ledger_.as<Power>("load.switches", "Switches, none of them drawn", fabric_.switch_power);
      not_drawn.push_back(out_.switches);
    } else {
      switches(drawn_switches);
      not_drawn.push_back(switches_not_drawn_);
    }
    if (fabric_.assumed)
      out_.optics = nothing("load.optics", "Optics at both ends",
                            "no network is described: modules are inside the planning share of the network");
    else
      out_.optics = optics_.completeness == Completeness::not_applicable
                        ? nothing("load.optics", "Optics at both ends", "the networks use no modules")
                    : unsized_.empty() ? ledger_.as<Power>("load.optics", "Optics at both ends", optics_)
                                       : ledger_.sum<Power>("load.optics", "Optics at both ends",
                                                            {optics_, ledger_.absent<Power>("load.optics.unsized",
                                                                                            "Modules beyond those",
                                                                                            Completeness::unknown,
                                                                                            unsized_)});
    optics_not_drawn(not_drawn);

    // Storage: drawn, else planned, else the goal's share.
    const auto drawn_storage = over_racks(&RackContent::storage, "storage", "Storage");
    if (!drawn_storage.empty()) {
      out_.storage = ledger_.sum<Power>("load.storage", "Storage, as drawn", drawn_storage);
    } else if (!in_.storage->system_part.empty()) {
      out_.storage = ledger_.derive("load.storage", "Storage, as planned", parts_power,
                                    design_value<&StoragePlan::systems>(ledger_, "storage", *in_.storage),
                                    power_of_part<StoragePart>(in_.storage->system_part, "the storage plan"));
    } else if (has_amount(out_.nodes)) {
      out_.storage = ledger_.derive("load.storage", "Storage, planning share until a system is named", share_of_power,
                                    out_.nodes, goal_share<&Goal::storage_power_share>());
    } else {
      out_.storage = nothing("load.storage", "Storage", "no storage is described");
    }
    if (drawn_storage.empty()) not_drawn.push_back(out_.storage);

    const auto drawn_other = over_racks(&RackContent::other, "other", "Other content");
    out_.other = drawn_other.empty() ? nothing("load.other", "Other content of racks", "no rack holds other content")
                                     : ledger_.sum<Power>("load.other", "Other content of racks", drawn_other);

    std::vector<Traced<Power>> kinds{out_.nodes, out_.switches, out_.optics, out_.storage, out_.other};
    for (const RackClassLoad& c : out_.rack_classes)
      if (!find(*in_.rack_types, c.rack_type)) kinds.push_back(c.power);
    const bool any = std::any_of(kinds.begin(), kinds.end(), has_amount);
    if (!any) {
      const std::string why = "nothing that draws power is described";
      out_.it = nothing("load.it", "IT load", why);
      out_.heat_to_liquid = nothing("load.heat_to_liquid", "Heat to liquid", why);
      out_.heat_to_air = nothing("load.heat_to_air", "Heat to air", why);
      out_.in_racks = nothing("load.in_racks", "Power of all drawn racks", why);
      out_.not_drawn = nothing("load.not_drawn", "Counted and not drawn", why);
    } else {
      if (spared_.empty()) {
        out_.it = ledger_.sum<Power>("load.it", "IT load", kinds);
      } else {
        spared_total_ = ledger_.sum<Power>("load.spared", "Not drawn at once, and held back by caps", spared_);
        out_.it = ledger_.derive("load.it", "IT load", growing(remaining_power),
                                 ledger_.sum<Power>("load.it_counted", "IT load before demand shares and caps", kinds), spared_total_);
      }
      by_place(not_drawn);
      const auto liquid =
          all_racks(&RackClassLoad::heat_to_liquid, "all_heat_to_liquid", "Heat to liquid of all racks ");
      liquid_parts.insert(liquid_parts.end(), liquid.begin(), liquid.end());
      out_.heat_to_liquid = ledger_.sum<Power>("load.heat_to_liquid", "Heat to liquid", liquid_parts);
      // Whatever does not reach liquid heats the hall, also what is needed but not drawn.
      const bool liquid_known = out_.heat_to_liquid.completeness == Completeness::exact ||
                                out_.heat_to_liquid.completeness == Completeness::estimate;
      if (liquid_known) {
        out_.heat_to_air =
            ledger_.derive("load.heat_to_air", "Heat to air", remaining_power, out_.it, out_.heat_to_liquid);
      } else {
        const auto air = all_racks(&RackClassLoad::heat_to_air, "all_heat_to_air", "Heat to air of all racks ");
        air_parts.insert(air_parts.end(), air.begin(), air.end());
        out_.heat_to_air = ledger_.sum<Power>("load.heat_to_air", "Heat to air", air_parts);
      }
    }
    out_.it_per_gpu =
        population_.accelerators.has_value() && population_.accelerators.value > 0
            ? ledger_.derive("load.it_per_gpu", "IT load per GPU", power_of_one, out_.it, population_.accelerators)
            : nothing("load.it_per_gpu", "IT load per GPU", "there are no GPUs");
  }
  static bool has_amount(const Traced<Power>& p) { return p.completeness != Completeness::not_applicable; }

  /// Over all drawn racks, class by class; where all classes of a type share one figure, by type.
  std::vector<Traced<Power>> all_racks(Traced<Power> RackClassLoad::*member, const char* name, const char* label) {
    std::vector<Traced<Power>> out;
    for (std::size_t i = 0; i < out_.rack_classes.size(); ++i) {
      const RackClassLoad& c = out_.rack_classes[i];
      if (c.racks == 0 || !(c.*member).figure.valid()) continue;
      const RackType* type = find(*in_.rack_types, c.rack_type);
      if (!type) {
        out.push_back(c.*member);
        continue;
      }
      const bool shared = i + 1 < out_.rack_classes.size() && out_.rack_classes[i + 1].rack_type == c.rack_type &&
                          (out_.rack_classes[i + 1].*member).figure == (c.*member).figure;
      if (!shared) {
        out.push_back(ledger_.derive(fmt::format("load.{}.{}", c.key, name), label + c.name, parts_power,
                                     c.racks_figure, c.*member));
        continue;
      }
      const RackTypePopulation* p = population_of(c.rack_type);
      out.push_back(ledger_.derive(fmt::format("load.rack_type.{}.{}", c.rack_type, name), label + type->name,
                                   parts_power, p->racks_figure, c.*member));
      while (i + 1 < out_.rack_classes.size() && out_.rack_classes[i + 1].rack_type == c.rack_type)
        ++i;
    }
    return out;
  }

  /// What all drawn racks draw, and what is counted beside them: together the IT load.
  void by_place(const std::vector<Traced<Power>>& not_drawn) {
    out_.in_racks = in_.racks->empty()
                        ? nothing("load.in_racks", "Power of all drawn racks", "no rack is drawn")
                        : ledger_.sum<Power>("load.in_racks", "Power of all drawn racks",
                                             all_racks(&RackClassLoad::power, "all_power", "Power of all racks "));
    std::vector<Traced<Power>> parts;
    for (const Traced<Power>& p : not_drawn)
      if (has_amount(p)) parts.push_back(p);
    out_.not_drawn = ledger_.sum<Power>("load.not_drawn", "Counted in the IT load and not drawn in any rack", parts);
  }

  /// Switches of drawn racks, and those that the networks need beyond them.
  void switches(const std::vector<Traced<Power>>& drawn_switches) {
    // By part: a spare switch of one part fills no place of another.
    std::map<std::string, Count> needed, undrawn;
    std::vector<Traced<Power>> unknown;
    bool placed = cabling_ != nullptr;
    for (const NetworkResult& r : fabric_.networks) {
      const NetworkCabling* c = cabling_ ? cabling_->find(r.network) : nullptr;
      if (r.switches.completeness == Completeness::unknown)
        unknown.push_back(ledger_.absent<Power>(fmt::format("load.network.{}.switches", r.network),
                                                "Switches of network " + r.name, Completeness::unknown,
                                                r.problem.empty() ? "their number is not known" : r.problem));
      if (!r.switches.has_value()) continue;
      if (!c || !c->places) {
        placed = false;
        continue;
      }
      const Network& n = c->plan_inputs.network;
      const std::string& spine = n.spine_switch_part.empty() ? n.switch_part : n.spine_switch_part;
      const std::string& core = n.core_switch_part.empty() ? spine : n.core_switch_part;
      auto tier = [&](const std::string& part, const Traced<Count>& count, DeviceKind kind) {
        if (count.has_value() && count.value > 0) needed[part] += count.value;
        if (const Count missing = c->places->undrawn[static_cast<std::size_t>(kind)]; missing > 0)
          undrawn[part] += missing;
      };
      tier(n.switch_part, r.leafs, DeviceKind::leaf);
      tier(spine, r.spines, DeviceKind::spine);
      tier(core, r.cores, DeviceKind::core);
    }
    const std::string id = "load.switches";
    const auto in_racks = ledger_.sum<Power>(id + "_drawn", "Switches in drawn racks", drawn_switches);
    const std::string missing_label = "Switches that the networks need and no rack holds";
    if (!placed) {
      // Counted without places: by their power, whichever is more.
      const bool known = fabric_.switch_power.has_value();
      out_.switches =
          known ? ledger_.derive(id, "Switches, drawn or not", larger_power, fabric_.switch_power, in_racks)
                : ledger_.sum<Power>(id, "Switches, drawn or not", {in_racks, fabric_.switch_power});
      switches_not_drawn_ =
          known ? ledger_.derive(id + "_not_drawn", missing_label, remaining_power, out_.switches, in_racks)
                : ledger_.as<Power>(id + "_not_drawn", missing_label, fabric_.switch_power);
      return;
    }
    auto of_parts = [&](const std::map<std::string, Count>& counts, const char* name, const std::string& label,
                        const char* what) {
      std::vector<Traced<Power>> out;
      for (const auto& [part, count] : counts) {
        const SwitchPart* known = in_.catalog->find<SwitchPart>(part);
        const std::string words = label + ", " + (known ? known->name : part);
        const std::string stem = fmt::format("load.switches_{}.{}", name, part.empty() ? "no_part" : part);
        out.push_back(ledger_.derive(stem, words, parts_power, ledger_.counted(stem + ".count", words, count, what),
                                     power_of_part<SwitchPart>(part, "a network")));
      }
      return out;
    };
    std::map<std::string, Count> beyond;
    Count spare = 0;
    for (const auto& [part, drawn] : drawn_of_part_) {
      const auto need = needed.find(part);
      if (need == needed.end()) continue;
      const auto lacks = undrawn.find(part);
      const Count more = drawn - need->second + (lacks == undrawn.end() ? 0 : lacks->second);
      if (more > 0) beyond[part] = more, spare += more;
    }
    if (spare > 0)
      ledger_.sum<Power>(id + "_beyond_need", "Switches in drawn racks that no network needs; they hold no modules",
                         of_parts(beyond, "beyond_need", "Switches that no network needs",
                                  "in drawn racks, of the parts of the networks, and given no place in any"));
    auto missing = of_parts(undrawn, "not_drawn", "Switches that no rack holds",
                            "counted, and given no place in a drawn rack");
    missing.insert(missing.end(), unknown.begin(), unknown.end());
    switches_not_drawn_ = ledger_.sum<Power>(id + "_not_drawn", missing_label, missing);
    std::string label = missing.empty() ? "Switches, as drawn" : "Switches, drawn or not";
    if (spare > 0) label += fmt::format("; {} more than the networks need", spare);
    out_.switches = ledger_.sum<Power>(id, std::move(label), {in_racks, switches_not_drawn_});
  }

  /// Modules and cable ends at devices that stand in no drawn rack.
  void optics_not_drawn(std::vector<Traced<Power>>& not_drawn) {
    if (!has_amount(out_.optics)) return;
    if (in_.racks->empty()) {
      not_drawn.push_back(out_.optics);
      return;
    }
    const std::string id = "load.optics_not_drawn", label = "Modules and cable ends at devices that are not drawn";
    if (undrawn_cages_.watts > 0 || undrawn_cages_.without_power > 0) {
      not_drawn.push_back(ledger_.measured<Power>(
          id, label, watts(undrawn_cages_.watts),
          "the cages of the port map of devices without a place in a drawn rack", &KindOf<Power>::value,
          lengths_estimated_));
      if (undrawn_cages_.without_power > 0)
        not_drawn.push_back(
            ledger_.absent<Power>(id + ".missing", label + ", what is not known", Completeness::unknown,
                                  fmt::format("{} ends without a stated power", undrawn_cages_.without_power)));
    }
    // What is spread evenly: the share of nodes and switches that are not drawn.
    const EvenModules& even = unwired_modules();
    auto rest = [&](const char* name, const char* words, Count all, Count drawn, const Traced<Power>& each,
                    const Traced<Power>& whole) {
      if (!has_amount(whole)) return;
      if (all <= 0 || !has_amount(each)) {
        not_drawn.push_back(whole);
      } else if (all > drawn) {
        const std::string stem = fmt::format("load.optics_not_drawn.{}", name);
        not_drawn.push_back(ledger_.derive(stem, fmt::format("Optics in {} that are not drawn", words), parts_power,
                                           ledger_.counted(stem + ".count", fmt::format("Not drawn: {}", words),
                                                           all - drawn, "counted, and in no drawn rack"),
                                           each));
      }
    };
    rest("nodes", "nodes", even.nodes, nodes_drawn_, even.in_node, even.node_side);
    rest("switches", "switches", even.switches, switches_drawn_, even.in_switch, even.switch_side);
  }

  // --- tables
  // ---------------------------------------------------------------------------------------------------------

  void tables() {
    Table racks;
    racks.id = "load.racks";
    racks.title = "Load of racks";
    racks.entity_table = "racks";
    racks.columns.reserve(6);
    auto& name = racks.add_words("rack", "Rack");
    auto& type_name = racks.add_words("type", "Rack type");
    auto& power = racks.add_numbers("power", "Power", kind::power, "kW");
    auto& liquid = racks.add_numbers("heat_to_liquid", "Heat to liquid", kind::power, "kW");
    auto& air = racks.add_numbers("heat_to_air", "Heat to air", kind::power, "kW");
    auto& share = racks.add_numbers("limit_share", "Share of its limit", kind::percent);
    power.formula = "sum of its nodes, switches and storage, or the power of an integrated rack, and of the modules in "
                    "its own cages";
    share.formula = "power / power limit of the rack type";
    // One look at each class; a row copies from it.
    struct Row {
      std::string type, figure;
      double watts = nan, liquid = nan, air = nan, share = nan;
    };
    std::vector<Row> classes(out_.rack_classes.size());
    for (std::size_t i = 0; i < classes.size(); ++i) {
      const RackClassLoad& c = out_.rack_classes[i];
      const RackType* type = find(*in_.rack_types, c.rack_type);
      Row& row = classes[i];
      row.figure = "load." + c.key + ".power";
      if (c.power.has_value()) row.watts = in_watts(c.power.value);
      if (c.heat_to_liquid.has_value()) row.liquid = in_watts(c.heat_to_liquid.value);
      if (c.heat_to_air.has_value()) row.air = in_watts(c.heat_to_air.value);
      if (!type) continue;
      row.type = type->name;
      if (type->power_limit && in_watts(*type->power_limit) > 0) row.share = row.watts / in_watts(*type->power_limit);
    }
    for (std::size_t i = 0; i < in_.racks->size(); ++i) {
      const Rack& rack = (*in_.racks)[i];
      const Row& row = classes[out_.class_of_rack[i]];
      name.words.push_back(rack.name);
      type_name.words.push_back(row.type);
      power.numbers.push_back(row.watts);
      liquid.numbers.push_back(row.liquid);
      air.numbers.push_back(row.air);
      share.numbers.push_back(row.share);
      racks.entities.push_back(rack.id);
      racks.row_figures.push_back(row.figure);
    }
    if (!caps_.empty()) tables_.push_back(caps_table());
    Table kinds;
    kinds.id = "load.by_kind";
    kinds.title = "IT load by kind";
    kinds.columns.reserve(3);
    auto& what = kinds.add_words("kind", "Kind");
    auto& kind_power = kinds.add_numbers("power", "Power", kind::power, "kW");
    auto& kind_share = kinds.add_numbers("share", "Share of the IT load", kind::percent);
    const std::pair<const char*, const Traced<Power>*> rows[] = {{"nodes", &out_.nodes},
                                                                 {"switches", &out_.switches},
                                                                 {"optics", &out_.optics},
                                                                 {"storage", &out_.storage},
                                                                 {"other", &out_.other}};
    for (const auto& [word, figure] : rows) {
      if (!has_amount(*figure)) continue;
      what.words.emplace_back(word);
      kind_power.numbers.push_back(figure->has_value() ? in_watts(figure->value) : nan);
      kind_share.numbers.push_back(figure->has_value() && out_.it.has_value() && in_watts(out_.it.value) > 0
                                       ? in_watts(figure->value) / in_watts(out_.it.value)
                                       : nan);
      kinds.row_figures.push_back("load." + std::string(word));
    }
    if (spared_total_.has_value()) {
      what.words.emplace_back("not at once, or held back");
      kind_power.numbers.push_back(-in_watts(spared_total_.value));
      kind_share.numbers.push_back(out_.it.has_value() && in_watts(out_.it.value) > 0 ? -in_watts(spared_total_.value) / in_watts(out_.it.value) : nan);
      kinds.row_figures.emplace_back("load.spared");
    }
    tables_.push_back(std::move(racks));
    tables_.push_back(std::move(kinds));
  }

  /// Racks with a cap, class by class: what they ask and what they get.
  Table caps_table() {
    Table t;
    t.id = "load.caps";
    t.title = "Racks under power caps";
    t.entity_table = "racks";
    t.columns.reserve(8);
    auto& name = t.add_words("racks", "Racks");
    auto& racks = t.add_numbers("count", "Count", kind::count);
    auto& by = t.add_words("by", "Held by");
    auto& asked = t.add_numbers("asked", "Asked", kind::power, "kW");
    auto& held = t.add_numbers("held", "Cap leaves", kind::power, "kW");
    auto& least = t.add_numbers("least", "With GPUs idle", kind::power, "kW");
    auto& power = t.add_numbers("power", "Drawn", kind::power, "kW");
    auto& limit = t.add_numbers("gpu_limit", "Limit of a GPU", kind::power, "W");
    const auto number = [](const Traced<Power>& p) { return p.figure.valid() && p.has_value() ? in_watts(p.value) : nan; };
    for (const CappedClass& c : caps_) {
      const RackClassLoad& load = out_.rack_classes[c.at];
      name.words.push_back(names_of(c.of));
      racks.numbers.push_back(static_cast<double>(c.of.racks));
      const std::string row = c.of.row ? "row " + (c.of.row->name.empty() ? std::to_string(c.of.row->id) : c.of.row->name) : std::string();
      by.words.push_back(!c.binds ? "nothing" : c.row_holds ? row : "rack");
      asked.numbers.push_back(number(load.asked));
      held.numbers.push_back(number(c.held));
      least.numbers.push_back(number(c.least));
      power.numbers.push_back(number(load.power));
      limit.numbers.push_back(number(load.gpu_limit));
      t.entities.push_back((*in_.racks)[c.of.named.front()].id);
      t.row_figures.push_back("load." + load.key + ".power");
    }
    return t;
  }

  const LoadInputs& in_;
  const PopulationResult& population_;
  const FabricResult& fabric_;
  const CablingResult* cabling_;
  const Traced<Power>& optics_; ///< of modules and active cables at both ends
  const Traced<Power>& node_side_optics_;
  Ledger ledger_{Page::load};
  LoadResult out_;
  std::vector<Table> tables_;
  std::map<std::string, Traced<Power>> part_powers_;
  std::map<std::string, Traced<double>> liquid_shares_;
  std::map<Id, RackContent> contents_;
  Traced<double> own_share_;
  /// A class under a cap.
  struct CappedClass {
    std::size_t at = 0; ///< into the result's classes
    bool binds = false, row_holds = false; ///< a cap; that of its row, below its own
    Traced<Power> held, least; ///< what the caps leave, and below what no cap brings it
    RackClass of;
  };
  std::vector<CappedClass> caps_;
  bool rows_with_caps_ = false;
  std::vector<Traced<Power>> spared_; ///< of all racks of a class: not drawn at once, or held back
  Traced<Power> spared_total_;
  std::map<Id, Count> racks_of_type_;
  Count nodes_drawn_ = 0, switches_drawn_ = 0;   ///< the latter of parts that networks use
  std::map<std::string, Count> drawn_of_part_;   ///< switches of parts that networks use
  std::string unsized_; ///< why what modules draw in racks is a lower bound; empty: it is not
  std::vector<CageLoad> cages_;                  ///< in the order of the table of racks; empty: nothing is wired
  CageLoad undrawn_cages_;
  bool any_wired_ = false, lengths_estimated_ = false;
  std::map<Id, std::vector<RackClass>> classes_; ///< by rack type; types without racks have none
  std::map<Id, std::uint32_t> first_class_;      ///< by rack type, into the result's classes
  std::optional<EvenModules> mean_modules_, unwired_modules_;
  Traced<Power> switches_not_drawn_;
};

} // namespace

std::optional<HeldRack> slowest_held_rack(const LoadResult& load, const std::vector<Rack>& racks,
                                          const std::vector<Id>* of_job) {
  const auto holds = [](const RackClassLoad& c) { return c.gpu_limit.figure.valid(); };
  // Where a cap cannot be held no limit is low enough.
  const auto limit = [](const RackClassLoad& c) { return c.gpu_limit.has_value() ? in_watts(c.gpu_limit.value) : -1.0; };
  double lowest = 0.0;
  if (std::none_of(load.rack_classes.begin(), load.rack_classes.end(), holds)) return std::nullopt;
  std::optional<HeldRack> out;
  for (std::size_t i = 0; i < racks.size() && i < load.class_of_rack.size(); ++i) {
    const RackClassLoad& c = load.rack_classes[load.class_of_rack[i]];
    if (!holds(c) || (of_job && !std::binary_search(of_job->begin(), of_job->end(), racks[i].id))) continue;
    if (out && limit(c) >= lowest) {
      if (limit(c) == lowest) ++out->alike;
      continue;
    }
    lowest = limit(c);
    out = HeldRack{racks[i].id, racks[i].name.empty() ? fmt::format("rack {}", racks[i].id) : racks[i].name, 1, c.gpu_limit,
                   of_job ? static_cast<Count>(of_job->size()) : 0};
  }
  return out;
}

LoadResult load(const LoadInputs& inputs, const PopulationResult& population, const FabricResult& fabric,
                const CablingResult* cabling) {
  return LoadStage(inputs, population, fabric, cabling).run();
}

} // namespace hallwright
