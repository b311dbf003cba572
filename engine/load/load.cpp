// SPDX-License-Identifier: GPL-3.0-or-later
#include "load/load.h"

#include <algorithm>
#include <limits>
#include <map>

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

/// What one rack of a type draws, by kind of content; "absent" parts are not applicable.
struct RackContent {
  Traced<Power> nodes, switches, storage, other, node_optics, switch_optics;
};

class LoadStage {
public:
  LoadStage(const LoadInputs& in, const PopulationResult& population, const FabricResult& fabric, const CablingResult* cabling)
      : in_(in), population_(population), fabric_(fabric), optics_(cabling ? cabling->optics_power : fabric.optics_power),
        node_side_optics_(cabling ? cabling->node_side_optics_power : fabric.node_side_optics_power) {}

  LoadResult run() {
    optics_of_one();
    for (const RackType& type : *in_.rack_types)
      rack_type(type);
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

  // --- one rack of a type
  // ---------------------------------------------------------------------------------------------

  /// Modules in nodes and in switches, spread evenly: how a rack gets its share of the optics.
  void optics_of_one() {
    const Traced<Power>& all = optics_;
    const Traced<Power>& node_side = node_side_optics_;
    if (fabric_.assumed) return;
    if (node_side.completeness != Completeness::not_applicable && population_.nodes.has_value() &&
        population_.nodes.value > 0)
      optics_per_node_ = ledger_.derive("load.optics_per_node", "Optics in one node, mean", power_of_one, node_side,
                                        population_.nodes);
    if (all.completeness == Completeness::not_applicable || !fabric_.switches.has_value() ||
        fabric_.switches.value <= 0)
      return;
    Traced<Power> switch_side = all;
    if (node_side.completeness != Completeness::not_applicable)
      switch_side = ledger_.derive("load.switch_side_optics", "Optics in switches", remaining_power, all, node_side);
    optics_per_switch_ = ledger_.derive("load.optics_per_switch", "Optics in one switch, mean", power_of_one,
                                        switch_side, fabric_.switches);
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

  void rack_type(const RackType& type) {
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
        const auto power = of_item(power_of_part<NodePart>(item.part, owner));
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
    std::vector<Traced<Power>> parts;
    auto category = [&](Traced<Power>& slot, const char* name, const char* label,
                        const std::vector<Traced<Power>>& items) {
      if (items.empty()) return;
      slot = ledger_.sum<Power>(id + name, type.name + ": " + label, items);
      parts.push_back(slot);
    };
    if (integrated) {
      const std::string label = type.name + ": integrated rack, its nodes and switches included";
      content.nodes = ledger_.as<Power>(id + "nodes", label, power_of(*rack_part));
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
    auto modules = [&](Traced<Power>& slot, const char* name, const char* label,
                       const std::vector<Traced<Count>>& counts, const Traced<Power>& each) {
      if (counts.empty() || each.completeness == Completeness::not_applicable) return;
      const auto count =
          ledger_.sum<Count>(id + name + std::string("_count"), type.name + ": " + label + ", count", counts);
      slot = ledger_.derive(id + name + std::string("_optics"), type.name + ": optics in its " + label, parts_power,
                            count, each);
      parts.push_back(slot);
    };
    modules(content.node_optics, "node", "nodes", node_counts, optics_per_node_);
    modules(content.switch_optics, "switch", "switches", switch_counts, optics_per_switch_);

    RackTypeLoad rack;
    rack.rack_type = type.id;
    rack.power = ledger_.sum<Power>(id + "power", "Power of one rack, " + type.name, parts);
    if (own_share) {
      rack.heat_to_liquid = ledger_.derive(id + "heat_to_liquid", "Heat to liquid of one rack, " + type.name,
                                           heat_to_liquid, rack.power, *own_share);
      rack.heat_to_air = ledger_.derive(id + "heat_to_air", "Heat to air of one rack, " + type.name,
                                        growing(heat_to_air), rack.power, *own_share);
    } else {
      // Switches, storage and modules shed to air unless the rack type says otherwise.
      for (const Traced<Power>* p :
           {&content.switches, &content.storage, &content.other, &content.node_optics, &content.switch_optics})
        if (p->figure.valid()) to_air.push_back(*p);
      rack.heat_to_liquid =
          ledger_.sum<Power>(id + "heat_to_liquid", "Heat to liquid of one rack, " + type.name, to_liquid);
      rack.heat_to_air = ledger_.sum<Power>(id + "heat_to_air", "Heat to air of one rack, " + type.name, to_air);
    }
    if (type.power_limit)
      ledger_.limit(rack.power, design_value<&RackType::power_limit>(ledger_, "rack_types", type, type.name),
                    LimitSense::at_most);
    out_.rack_types.push_back(rack);
    contents_.emplace(type.id, content);
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
    } else {
      out_.nodes = nothing("load.nodes", "Nodes and integrated racks",
                           population_.drawn ? "no rack holds a node" : "no rack is drawn and the goal names no node");
    }

    // Network: what the fabric needs or the drawing holds, whichever is more; the goal's share until either exists.
    const auto drawn_switches = over_racks(&RackContent::switches, "switches", "Switches");
    if (fabric_.assumed || fabric_.switch_power.completeness == Completeness::not_applicable) {
      if (!drawn_switches.empty()) {
        out_.switches = ledger_.sum<Power>("load.switches", "Switches, as drawn", drawn_switches);
      } else if (fabric_.assumed && has_amount(out_.nodes)) {
        out_.switches = ledger_.derive("load.switches", "Network, planning share until a network is described",
                                       share_of_power, out_.nodes, goal_share<&Goal::network_power_share>());
      } else {
        out_.switches = nothing("load.switches", "Switches", "no network and no switch is described");
      }
      out_.optics = nothing("load.optics", "Optics at both ends",
                            "no network is described: modules are inside the planning share of the network");
    } else {
      if (drawn_switches.empty()) {
        out_.switches = ledger_.as<Power>("load.switches", "Switches, drawn or not", fabric_.switch_power);
      } else {
        const auto drawn = ledger_.sum<Power>("load.switches_drawn", "Switches in drawn racks", drawn_switches);
        out_.switches =
            fabric_.switch_power.has_value()
                ? ledger_.derive("load.switches", "Switches, drawn or not", larger_power, fabric_.switch_power, drawn)
                : ledger_.sum<Power>("load.switches", "Switches, drawn or not", {drawn, fabric_.switch_power});
      }
      out_.optics = optics_.completeness == Completeness::not_applicable
                        ? nothing("load.optics", "Optics at both ends", "the networks use no modules")
                        : ledger_.as<Power>("load.optics", "Optics at both ends", optics_);
    }

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

    const auto drawn_other = over_racks(&RackContent::other, "other", "Other content");
    out_.other = drawn_other.empty() ? nothing("load.other", "Other content of racks", "no rack holds other content")
                                     : ledger_.sum<Power>("load.other", "Other content of racks", drawn_other);

    const std::vector<Traced<Power>> kinds{out_.nodes, out_.switches, out_.optics, out_.storage, out_.other};
    const bool any = std::any_of(kinds.begin(), kinds.end(),
                                 [](const auto& p) { return p.completeness != Completeness::not_applicable; });
    if (!any) {
      const std::string why = "nothing that draws power is described";
      out_.it = nothing("load.it", "IT load", why);
      out_.heat_to_liquid = nothing("load.heat_to_liquid", "Heat to liquid", why);
      out_.heat_to_air = nothing("load.heat_to_air", "Heat to air", why);
    } else {
      out_.it = ledger_.sum<Power>("load.it", "IT load", kinds);
      for (const RackTypePopulation& p : population_.rack_types) {
        const RackTypeLoad* rack = find_load(p.rack_type);
        if (!rack || p.racks == 0) continue;
        const std::string id = fmt::format("load.rack_type.{}.", p.rack_type);
        liquid_parts.push_back(ledger_.derive(id + "all_heat_to_liquid", "Heat to liquid of all racks " + p.name,
                                              parts_power, p.racks_figure, rack->heat_to_liquid));
        air_parts.push_back(ledger_.derive(id + "all_heat_to_air", "Heat to air of all racks " + p.name, parts_power,
                                           p.racks_figure, rack->heat_to_air));
      }
      out_.heat_to_liquid = ledger_.sum<Power>("load.heat_to_liquid", "Heat to liquid", liquid_parts);
      // Whatever does not reach liquid heats the hall, also what is needed but not drawn.
      const bool liquid_known = out_.heat_to_liquid.completeness == Completeness::exact ||
                                out_.heat_to_liquid.completeness == Completeness::estimate;
      out_.heat_to_air = liquid_known ? ledger_.derive("load.heat_to_air", "Heat to air", remaining_power, out_.it,
                                                       out_.heat_to_liquid)
                                      : ledger_.sum<Power>("load.heat_to_air", "Heat to air", air_parts);
    }
    out_.it_per_gpu =
        population_.accelerators.has_value() && population_.accelerators.value > 0
            ? ledger_.derive("load.it_per_gpu", "IT load per GPU", power_of_one, out_.it, population_.accelerators)
            : nothing("load.it_per_gpu", "IT load per GPU", "there are no GPUs");
  }
  static bool has_amount(const Traced<Power>& p) { return p.completeness != Completeness::not_applicable; }

  [[nodiscard]] const RackTypeLoad* find_load(Id type) const {
    const auto it = std::lower_bound(out_.rack_types.begin(), out_.rack_types.end(), type,
                                     [](const RackTypeLoad& l, Id id) { return l.rack_type < id; });
    return it != out_.rack_types.end() && it->rack_type == type ? &*it : nullptr;
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
    power.formula = "sum of its nodes, switches, storage and modules, or the power of an integrated rack";
    share.formula = "power / power limit of the rack type";
    for (const Rack& rack : *in_.racks) {
      const RackTypeLoad* load = find_load(rack.rack_type);
      const RackType* type = find(*in_.rack_types, rack.rack_type);
      const double watts_drawn = load && load->power.has_value() ? in_watts(load->power.value) : nan;
      name.words.push_back(rack.name);
      type_name.words.push_back(type ? type->name : std::string());
      power.numbers.push_back(watts_drawn);
      liquid.numbers.push_back(load && load->heat_to_liquid.has_value() ? in_watts(load->heat_to_liquid.value) : nan);
      air.numbers.push_back(load && load->heat_to_air.has_value() ? in_watts(load->heat_to_air.value) : nan);
      share.numbers.push_back(type && type->power_limit && in_watts(*type->power_limit) > 0
                                  ? watts_drawn / in_watts(*type->power_limit)
                                  : nan);
      racks.entities.push_back(rack.id);
      racks.row_figures.push_back(load ? fmt::format("load.rack_type.{}.power", rack.rack_type) : std::string());
    }
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
    tables_.push_back(std::move(racks));
    tables_.push_back(std::move(kinds));
  }

  const LoadInputs& in_;
  const PopulationResult& population_;
  const FabricResult& fabric_;
  const Traced<Power>& optics_;          ///< of modules and active cables at both ends
  const Traced<Power>& node_side_optics_;
  Ledger ledger_{Page::load};
  LoadResult out_;
  std::vector<Table> tables_;
  std::map<std::string, Traced<Power>> part_powers_;
  std::map<std::string, Traced<double>> liquid_shares_;
  std::map<Id, RackContent> contents_;
  Traced<Power> optics_per_node_, optics_per_switch_;
  Traced<double> own_share_;
};

} // namespace

LoadResult load(const LoadInputs& inputs, const PopulationResult& population, const FabricResult& fabric, const CablingResult* cabling) {
  return LoadStage(inputs, population, fabric, cabling).run();
}

} // namespace hallwright
