// SPDX-License-Identifier: GPL-3.0-or-later
#include "fabric/network_rules.h"

#include <algorithm>
#include <set>

#include "fabric/cabling.h"
#include "fabric/optical_channel.h"

namespace hallwright {

std::size_t NetworkRows::row_of(Id network) const {
  if (!table_) return static_cast<std::size_t>(-1);
  const auto at = std::find(table_->entities.begin(), table_->entities.end(), network);
  return at == table_->entities.end() ? static_cast<std::size_t>(-1)
                                      : static_cast<std::size_t>(at - table_->entities.begin());
}
double NetworkRows::number(Id network, std::string_view column) const {
  const std::size_t row = row_of(network);
  return row == static_cast<std::size_t>(-1) ? std::nan("") : TableRow(*table_, row).number(column);
}
std::string NetworkRows::words(Id network, std::string_view column) const {
  const std::size_t row = row_of(network);
  return row == static_cast<std::size_t>(-1) ? std::string() : TableRow(*table_, row).words(column);
}

Remedy set_network(Id id, std::string label, FieldSettings settings) {
  Remedy out;
  out.edit.label = std::move(label);
  out.edit.apply = [id, settings = std::move(settings)](const Design& d) -> Edited {
    Edited design = d;
    for (const auto& [name, value] : settings) {
      design = set_field(*design, {"networks", id}, name, value);
      if (!design) return design;
    }
    return design;
  };
  return out;
}
Remedy set_network(Id id, std::string label, std::string field_name, FieldValue value) {
  return set_network(id, std::move(label), FieldSettings{{std::move(field_name), std::move(value)}});
}

FieldSettings catalog_chooses() {
  return {{"node_optic_part", std::string()},  {"leaf_optic_part", std::string()}, {"spine_optic_part", std::string()},
          {"node_cable_part", std::string()},  {"spine_cable_part", std::string()}, {"node_medium", std::string("auto")},
          {"uplink_medium", std::string("auto")}};
}

bool names_cables(const Network& n) {
  return n.node_medium != LinkMedium::automatic || n.uplink_medium != LinkMedium::automatic || !n.node_optic_part.empty() ||
         !n.leaf_optic_part.empty() || !n.spine_optic_part.empty() || !n.node_cable_part.empty() || !n.spine_cable_part.empty();
}

namespace {

/// Kinds of trouble that the cables of a network have, each once, as the stages find them for this design.
std::set<CableProblem::Kind> cable_troubles(const Design& d, Id network, const Shared<Catalog>& catalog) {
  const PopulationResult people = population({d.site, d.goal, d.rack_types, d.rack_items, d.racks, d.project, catalog});
  const auto routed =
      share(routes({d.rack_types, d.rack_items, d.racks, d.power_units, d.cooling_units, d.trays, d.pipes, catalog}));
  const SpaceResult floor = space({d.site, d.halls, d.structures, d.rack_types, d.rack_items, d.racks, d.power_units,
                                   d.cooling_units, catalog, d.zones, d.containments, d.trays, d.pipes},
                                  people, routed);
  const FabricResult counts = fabric({d.networks, d.rack_items, d.project, d.storage, d.goal, catalog}, people, floor);
  const CablingResult cables =
      cabling({d.networks, d.rack_types, d.rack_items, d.racks, d.storage, catalog}, people, counts, floor);
  std::set<CableProblem::Kind> out;
  if (const NetworkCabling* c = cables.find(network); c && c->plan)
    for (const CableProblem& p : c->plan->problems)
      out.insert(p.kind);
  return out;
}

} // namespace

std::optional<Remedy> rewire_network(const CheckContext& context, const Network& n, std::string label, std::string field_name,
                                     FieldValue value) {
  if (joints_of_panels(n.patch_panels) > channel_rules(context.catalog).joints_in_reach) return std::nullopt;
  if (!names_cables(n)) return set_network(n.id, std::move(label), std::move(field_name), std::move(value));
  label += "; media and parts that then do not fit are left to the catalog";
  return Remedy{Edit{std::move(label),
               [id = n.id, field_name, value, catalog = share(Catalog(context.catalog))](const Design& in) -> Edited {
                 Edited out = set_field(in, {"networks", id}, field_name, value);
                 if (!out) return out;
                 const auto before = cable_troubles(in, id, catalog), after = cable_troubles(*out, id, catalog);
                 if (std::includes(before.begin(), before.end(), after.begin(), after.end())) return out;
                 for (const auto& [field, choice] : catalog_chooses())
                   if (out) out = set_field(*out, {"networks", id}, field, choice);
                 return out;
               }},
          {},
          {}};
}

bool can_change(const CheckContext& context, const Network& n, std::string_view change) {
  if (!context.figures.table("cabling.networks")) return true;
  return NetworkRows(context, "cabling.networks").words(n.id, "changes").find(change) != std::string::npos;
}

const Figure* known_figure(const CheckContext& context, std::string_view id) {
  const Figure* f = context.figures.find(id);
  return f && f->has_value() ? f : nullptr;
}
double assumed_number(const CheckContext& context, std::string_view id) {
  const Assumption* a = context.catalog.find<Assumption>(id);
  return a && a->value ? *a->value : std::nan("");
}

std::string counted(double n, std::string_view one, std::string_view many) {
  if (n == 1.0) return fmt::format("1 {}", one);
  return many.empty() ? fmt::format("{:.0f} {}s", n, one) : fmt::format("{:.0f} {}", n, many);
}

const std::string& switch_part_of(const Network& n, SwitchTier tier) {
  if (tier == SwitchTier::core && !n.core_switch_part.empty()) return n.core_switch_part;
  if ((tier == SwitchTier::core || tier == SwitchTier::spine) && !n.spine_switch_part.empty())
    return n.spine_switch_part;
  return n.switch_part;
}

Count part_radix(const SwitchPart& part, double link) {
  const auto same = [&](const Known<DataRate>& rate) {
    return rate && std::abs(in_gigabits_per_second(*rate) - link) <= 1e-9 * std::abs(link);
  };
  if (part.radix_at_link && (!part.link_rate || same(part.link_rate))) return *part.radix_at_link;
  if (part.ports && (!part.port_rate || same(part.port_rate))) return *part.ports;
  if (part.ports && part.port_rate && link > 0.0)
    return *part.ports *
           std::max<Count>(1,
                           static_cast<Count>(std::floor(in_gigabits_per_second(*part.port_rate) / link * (1 + 1e-9))));
  return part.radix_at_link.value_or(0);
}

Known<Count> node_ports(const NodePart& node, NetworkKind kind) {
  switch (kind) {
  case NetworkKind::compute:
    return node.compute_nics;
  case NetworkKind::storage:
    return node.storage_nics;
  case NetworkKind::in_band:
    return node.in_band_nics;
  case NetworkKind::out_of_band:
    return node.out_of_band_ports;
  default:
    return {};
  }
}
Known<DataRate> node_port_rate(const NodePart& node, NetworkKind kind) {
  switch (kind) {
  case NetworkKind::compute:
    return node.compute_nic_rate;
  case NetworkKind::storage:
    return node.storage_nic_rate;
  case NetworkKind::in_band:
    return node.in_band_nic_rate;
  default:
    return {};
  }
}

std::vector<const NodePart*> node_parts(const CheckContext& context) {
  const Design& d = context.design;
  std::set<Id> drawn;
  for (const Rack& r : *d.racks)
    drawn.insert(r.rack_type);
  std::set<std::string> ids;
  for (const RackItem& item : *d.rack_items)
    if (item.kind == RackItemKind::node && drawn.count(item.rack_type) > 0) ids.insert(item.part);
  if (ids.empty() && !d.goal->node_part.empty()) ids.insert(d.goal->node_part);
  std::vector<const NodePart*> out;
  for (const std::string& id : ids)
    if (const NodePart* part = context.catalog.find<NodePart>(id)) out.push_back(part);
  return out;
}

} // namespace hallwright
