// SPDX-License-Identifier: GPL-3.0-or-later
#include "fabric/cabling_tables.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "ledger/table_columns.h"

namespace hallwright {
namespace {

/// Something of a network: a row of a table with rows of all networks.
template <class T>
struct OfNetwork {
  const NetworkCabling* network = nullptr;
  const T* row = nullptr;
};
/// Rows of all networks.
/// @param list  the rows of one network; null: none
template <class T, class List>
std::vector<OfNetwork<T>> rows_of_all(const CablingResult& cabling, List&& list) {
  std::vector<OfNetwork<T>> out;
  for (const NetworkCabling& c : cabling.networks)
    if (const std::vector<T>* rows = list(c))
      for (const T& row : *rows)
        out.push_back({&c, &row});
  return out;
}
/// Rows that are in the plan of each network.
template <class T>
std::vector<OfNetwork<T>> rows_of_plans(const CablingResult& cabling, std::vector<T> CablePlan::*list) {
  return rows_of_all<T>(cabling, [&](const NetworkCabling& c) { return c.plan ? &((*c.plan).*list) : nullptr; });
}

std::string joined(const std::vector<std::string>& words, std::string out = {}) {
  for (const std::string& w : words)
    out += (out.empty() ? "" : "; ") + w;
  return out;
}

class CablingTables {
public:
  CablingTables(const CablingResult& cabling, const FabricResult& fabric, const Catalog& catalog, Count gpus_per_node)
      : cabling_(cabling), fabric_(fabric), catalog_(catalog), gpus_per_node_(gpus_per_node) {}
  std::vector<Table> make() {
    port_rules();
    lengths();
    media();
    assemblies();
    modules();
    problems();
    places();
    networks();
    switch_racks();
    return std::move(tables_);
  }

private:
  Table& table(std::string id, std::string title, std::string of = "networks") {
    Table& t = tables_.emplace_back();
    t.id = std::move(id);
    t.title = std::move(title);
    t.entity_table = std::move(of);
    return t;
  }
  /// A table with one row for each of these, which begins with the network's name.
  template <class T>
  TableColumns<OfNetwork<T>> columns(std::string id, std::string title, const std::vector<OfNetwork<T>>& rows) {
    Table& t = table(std::move(id), std::move(title));
    for (const OfNetwork<T>& r : rows)
      t.entities.push_back(r.network->network);
    TableColumns<OfNetwork<T>> out(t, rows);
    out.words("network", "Network", [](const OfNetwork<T>& r) { return r.network->name; });
    return out;
  }
  void port_rules();
  void lengths();
  void media();
  void assemblies();
  void modules();
  void problems();
  void places();
  void networks();
  void switch_racks();

  const CablingResult& cabling_;
  const FabricResult& fabric_;
  const Catalog& catalog_;
  Count gpus_per_node_;
  std::vector<Table> tables_;
};

void CablingTables::port_rules() {
  using Row = OfNetwork<PortRule>;
  const auto rows =
      rows_of_all<PortRule>(cabling_, [](const NetworkCabling& c) { return c.wiring ? &c.wiring->rules : nullptr; });
  auto t = columns("cabling.port_rules", "Port map", rows);
  t.words("links", "Links", [](const Row& r) { return link_class_word(r.row->kind); });
  t.words("rule", "Rule", [](const Row& r) { return r.row->line; });
  t.numbers("follow", "Follow it", kind::count, [](const Row& r) { return r.row->links; });
  t.numbers("depart", "Depart from it", kind::count, [](const Row& r) { return r.row->departures; });
}

void CablingTables::lengths() {
  using Row = OfNetwork<LengthRow>;
  auto rows = rows_of_plans(cabling_, &CablePlan::lengths);
  std::erase_if(rows, [](const Row& r) { return r.row->links == 0; });
  auto t = columns("cabling.lengths", "Lengths of links", rows);
  t.words("class", "Links", [](const Row& r) { return link_class_word(r.row->kind); });
  t.numbers("count", "Number", kind::count, [](const Row& r) { return r.row->links; });
  for (const auto& [how, id, label] : {std::tuple(LengthKind::within_rack, "within_rack", "Within a rack"),
                                       std::tuple(LengthKind::routed, "routed", "Along trays"),
                                       std::tuple(LengthKind::estimated, "estimated", "Estimated"),
                                       std::tuple(LengthKind::assumed, "assumed", "Not drawn")})
    t.numbers(id, label, kind::count,
              [at = static_cast<std::size_t>(how)](const Row& r) { return r.row->by_kind[at]; });
  t.numbers(
      "mean", "Mean length", kind::length,
      [](const Row& r) { return r.row->sum_mm / static_cast<double>(r.row->links) / 1000.0; }, "m");
  t.numbers(
      "longest", "Longest", kind::length, [](const Row& r) { return r.row->longest_mm / 1000.0; }, "m");
}

void CablingTables::media() {
  using Row = OfNetwork<MediumRow>;
  const auto rows = rows_of_plans(cabling_, &CablePlan::media);
  const auto choice = [](const Row& r) -> const LinkChoice& { return r.network->plan->choices[r.row->choice]; };
  const auto fibre = [choice](const Row& r) { return choice(r).shape == CableShape::fibre; };
  /// A number of links of fibre; not known of others.
  const auto of_fibre = [fibre](auto number) {
    return [fibre, number](const Row& r) -> std::optional<double> {
      if (!fibre(r)) return std::nullopt;
      return number(r);
    };
  };
  auto t = columns("cabling.media", "Media", rows);
  t.words("class", "Links", [](const Row& r) { return link_class_word(r.row->kind); });
  t.words("medium", "Medium", [&](const Row& r) { return medium_word(choice(r).medium); });
  t.numbers("count", "Number", kind::count, [](const Row& r) { return r.row->links; });
  t.words("cable", "Cable", [&](const Row& r) { return choice(r).cable; });
  t.words("near_optic", "Module, near end", [&](const Row& r) { return choice(r).near_optic; });
  t.words("far_optic", "Module, far end", [&](const Row& r) { return choice(r).far_optic; });
  t.numbers(
      "longest", "Longest", kind::length, [](const Row& r) { return r.row->longest_mm / 1000.0; }, "m");
  t.numbers(
      "limit", "Reaches", kind::length,
      [&](const Row& r) { return choice(r).limit_known ? std::optional(choice(r).limit_mm / 1000.0) : std::nullopt; },
      "m");
  t.numbers("beyond", "Beyond reach", kind::count, [](const Row& r) { return r.row->beyond; });
  using Known = std::optional<double>;
  t.numbers("loss", "Loss (dB)", kind::ratio, of_fibre([](const Row& r) -> Known { return r.row->loss.loss_db; }));
  t.numbers("budget", "Budget (dB)", kind::ratio,
            of_fibre([](const Row& r) -> Known { return r.row->loss.budget_db; }));
  t.numbers("margin", "Margin (dB)", kind::ratio,
            of_fibre([](const Row& r) -> Known { return r.row->loss.margin_db; }));
  t.numbers("budget_estimated", "Budget from the reach (1: yes)", kind::count, of_fibre([](const Row& r) -> Known {
              if (!r.row->loss.budget_db) return std::nullopt;
              return r.row->loss.budget_estimated ? 1.0 : 0.0;
            }));
  t.numbers("joints", "Joints", kind::count,
            of_fibre([&](const Row& r) -> Known { return static_cast<double>(choice(r).channel.joints); }));
  t.words("chain", "Connectors that do not close", [](const Row& r) { return joined(r.row->chain); });
}

void CablingTables::assemblies() {
  using Row = OfNetwork<CableRow>;
  const auto rows = rows_of_plans(cabling_, &CablePlan::cables);
  auto t = columns("cabling.assemblies", "Cable assemblies", rows);
  t.words("part", "Part", [](const Row& r) { return r.row->part; });
  t.words("medium", "Medium", [](const Row& r) { return medium_word(r.row->medium); });
  t.numbers(
      "length", "Ordered length", kind::length, [](const Row& r) { return r.row->ordered_mm / 1000.0; }, "m");
  t.numbers("cables", "Cables", kind::count, [](const Row& r) { return r.row->cables; });
  t.numbers("spares", "Spares", kind::count, [](const Row& r) { return r.row->spares; });
  t.numbers(
      "waste", "Length beyond the routes", kind::length,
      [](const Row& r) { return r.row->ordered_m - r.row->routed_m; }, "m");
  t.numbers(
      "price", "Price with spares", kind::money, [](const Row& r) { return r.row->price_usd; }, "USD");
}

void CablingTables::modules() {
  using Row = OfNetwork<ModuleRow>;
  const auto rows = rows_of_plans(cabling_, &CablePlan::modules);
  auto t = columns("cabling.modules", "Optical modules", rows);
  t.words("part", "Part", [](const Row& r) { return r.row->part; });
  t.words("in", "In", [](const Row& r) { return device_word(r.row->in); });
  t.numbers("modules", "Modules", kind::count, [](const Row& r) { return r.row->modules; });
  t.numbers("spares", "Spares", kind::count, [](const Row& r) { return r.row->spares; });
  t.numbers("idle_links", "Links left idle", kind::count, [](const Row& r) { return r.row->idle_links; });
  t.numbers(
      "power", "Power", kind::power, [](const Row& r) { return r.row->power_w; }, "kW");
  t.numbers(
      "price", "Price with spares", kind::money, [](const Row& r) { return r.row->price_usd; }, "USD");
}

void CablingTables::problems() {
  using Row = OfNetwork<CableProblem>;
  static constexpr std::array<std::string_view, 5> words{"no medium", "beyond reach", "parts", "mixed cage",
                                                         "connectors"};
  const auto rows = rows_of_plans(cabling_, &CablePlan::problems);
  auto t = columns("cabling.problems", "Cables that do not work", rows);
  t.words("class", "Links", [](const Row& r) { return link_class_word(r.row->of); });
  t.words("what", "What", [](const Row& r) { return words[static_cast<std::size_t>(r.row->kind)]; });
  t.numbers("links", "Links", kind::count, [](const Row& r) { return r.row->links; });
  t.words("sentence", "Why", [](const Row& r) { return r.row->sentence; });
}

void CablingTables::places() {
  using Row = OfNetwork<DevicePlaces>;
  std::vector<Row> rows;
  for (const NetworkCabling& c : cabling_.networks)
    if (c.places) rows.push_back({&c, c.places.get()});
  auto t = columns("cabling.places", "Places of devices", rows);
  for (const auto& [device, id, label] : {std::tuple(DeviceKind::node, "nodes", "Nodes not drawn"),
                                          std::tuple(DeviceKind::leaf, "leafs", "Leafs not drawn"),
                                          std::tuple(DeviceKind::spine, "spines", "Spines not drawn"),
                                          std::tuple(DeviceKind::core, "cores", "Cores not drawn")})
    t.numbers(id, label, kind::count,
              [at = static_cast<std::size_t>(device)](const Row& r) { return r.row->undrawn[at]; });
  t.words("notes", "Notes", [](const Row& r) { return joined(r.network->plan->notes, joined(r.row->notes)); });
}

/// What asks for a look at every link.
void CablingTables::networks() {
  struct Row {
    const NetworkCabling* cabling;
    const NetworkResult* counted; ///< null: it has no counts
    Count shared_cages = 0;
    double undrawn_w = 0;
    Count without_power = 0;
  };
  std::vector<Row> rows;
  Table& of = table("cabling.networks", "Networks as wired");
  for (const NetworkCabling& c : cabling_.networks) {
    const auto r = std::find_if(fabric_.networks.begin(), fabric_.networks.end(),
                                [&](const NetworkResult& x) { return x.network == c.network; });
    Row row{&c, r->switches.has_value() ? &*r : nullptr};
    of.entities.push_back(c.network);
    of.row_figures.push_back(fmt::format("fabric.network.{}.switches", c.network));
    if (c.plan) {
      const FabricRequest& q = r->request;
      const Network& n = c.plan_inputs.network;
      const CageEnd cage = node_cage(catalog_, c.plan_inputs.node_part, c.kind, in_gigabits_per_second(n.link_rate),
                                     n.node_optic_part, q.planes);
      row.shared_cages = q.nodes * cages_of_two_planes(q.links_per_node, q.planes, cage.links);
      for (const RackCableLoad& rack : c.plan->racks) {
        if (rack.rack == 0) row.undrawn_w += rack.total_w();
        row.without_power += rack.without_power;
      }
    }
    rows.push_back(row);
  }
  using Known = std::optional<double>;
  const auto known = [](bool is, Count n) { return is ? Known(static_cast<double>(n)) : std::nullopt; };
  TableColumns<Row> t(of, rows);
  const auto counted = [&](const char* id, const char* label, auto number) {
    t.numbers(id, label, kind::count,
              [&](const Row& r) { return r.counted ? known(true, number(*r.counted)) : std::nullopt; });
  };
  t.words("network", "Network", [](const Row& r) { return r.cabling->name; });
  t.words("problem", "Why it is not wired", [](const Row& r) { return r.cabling->problem; });
  counted("nodes", "Nodes", [](const NetworkResult& r) { return r.request.nodes; });
  counted("links", "Links of a node, per plane", [](const NetworkResult& r) { return r.request.links_per_node; });
  counted("planes", "Planes", [](const NetworkResult& r) { return r.request.planes; });
  counted("leaf_down", "Links of a leaf down", [](const NetworkResult& r) { return r.counts.leaf_down; });
  counted("leaf_up", "Links of a leaf up", [](const NetworkResult& r) { return r.counts.leaf_up; });
  counted("uplink_ports", "Leaf ports of an uplink", [](const NetworkResult& r) { return r.request.uplink_ports; });
  counted("unit_nodes", "Nodes of a unit (0: packed)", [](const NetworkResult& r) { return r.counts.nodes_per_unit; });
  t.numbers("gpus_per_node", "GPUs of a node", kind::count,
            [&](const Row&) { return known(gpus_per_node_ > 0, gpus_per_node_); });
  t.numbers("isolated_gpus", "GPUs that one lost leaf isolates", kind::count,
            [&](const Row& r) { return known(r.cabling->wiring != nullptr, r.cabling->facts.lost.gpus); });
  t.numbers("isolated_nodes", "Nodes that one lost leaf isolates", kind::count,
            [&](const Row& r) { return known(r.cabling->wiring != nullptr, r.cabling->facts.lost.nodes); });
  t.words("isolated_by", "Worst leaf", [](const Row& r) {
    const LostLeaf& lost = r.cabling->facts.lost;
    return lost.gpus > 0 ? r.cabling->wiring->device_name(lost.leaf) : std::string();
  });
  t.numbers("shared_cages", "Node cages with links of two planes", kind::count,
            [&](const Row& r) { return known(r.cabling->plan != nullptr, r.shared_cages); });
  t.numbers("cables_apart", "Split cables that end at two switches", kind::count,
            [&](const Row& r) { return known(r.cabling->plan != nullptr, r.cabling->facts.cables_apart); });
  t.numbers("skew", "Worst skew within a module", kind::time,
            [](const Row& r) { return r.cabling->plan ? Known(r.cabling->plan->worst_skew_ns * 1e-9) : std::nullopt; });
  t.numbers(
      "undrawn_power", "Power of cable ends that are not drawn", kind::power,
      [](const Row& r) { return r.cabling->plan ? Known(r.undrawn_w) : std::nullopt; }, "kW");
  t.numbers("without_power", "Cable ends without a stated power", kind::count,
            [&](const Row& r) { return known(r.cabling->plan != nullptr, r.without_power); });
  t.words("changes", "Changes that can be built", [](const Row& r) { return r.cabling->facts.changes; });
  t.words("next_unit", "What one more unit changes", [](const Row& r) { return r.cabling->facts.growth.words; });
  t.numbers("moved_cables", "Cables that it moves", kind::count, [](const Row& r) {
    const auto& moved = r.cabling->facts.growth.moved_cables;
    return moved ? Known(static_cast<double>(*moved)) : std::nullopt;
  });
}

/// Switches by rack and plane.
void CablingTables::switch_racks() {
  using Row = OfNetwork<SwitchRack>;
  const auto rows = rows_of_all<SwitchRack>(cabling_, [](const NetworkCabling& c) { return &c.facts.switch_racks; });
  Table& of = table("cabling.switch_racks", "Racks with switches", "racks");
  for (const Row& r : rows)
    of.entities.push_back(r.row->rack);
  TableColumns<Row> t(of, rows);
  t.words("network", "Network", [](const Row& r) { return r.network->name; });
  t.numbers("network_id", "Number of the network", kind::count, [](const Row& r) { return r.network->network; });
  t.numbers("plane", "Plane", kind::count, [](const Row& r) { return r.row->plane + 1; });
  t.numbers("leafs", "Leafs", kind::count, [](const Row& r) { return r.row->leafs; });
  t.numbers("spines", "Spines", kind::count, [](const Row& r) { return r.row->spines; });
  t.numbers("cores", "Cores", kind::count, [](const Row& r) { return r.row->cores; });
}

} // namespace

std::vector<Table> cabling_tables(const CablingResult& cabling, const FabricResult& fabric, const Catalog& catalog,
                                  Count gpus_per_node) {
  return CablingTables(cabling, fabric, catalog, gpus_per_node).make();
}

} // namespace hallwright
