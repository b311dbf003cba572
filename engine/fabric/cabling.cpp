// SPDX-License-Identifier: GPL-3.0-or-later
#include "fabric/cabling.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "catalog/traced_part.h"
#include "fabric/cabling_tables.h"
#include "fabric/network_rules.h"
#include "fabric/wiring_rules.h"
#include "ledger/ledger.h"
#include "ledger/sum_of_known.h"
#include "space/design_value.h"

namespace hallwright {
namespace {

/// Way between two racks where nothing is drawn.
constexpr double assumed_way_m = 20.0;

WiringRequest wiring_request(const Network& n, const NetworkResult& r, const Catalog& catalog) {
  const SwitchPart* leaf = catalog.find<SwitchPart>(n.switch_part);
  const SwitchPart* spine = n.spine_switch_part.empty() ? leaf : catalog.find<SwitchPart>(n.spine_switch_part);
  const SwitchPart* core = n.core_switch_part.empty() ? spine : catalog.find<SwitchPart>(n.core_switch_part);
  // Leafs count in links, the tiers above in uplinks.
  const double link = in_gigabits_per_second(n.link_rate), uplink = in_gigabits_per_second(n.uplink_rate.value_or(n.link_rate));
  return {r.request, known_cages({}, leaf, link), known_cages({}, spine, uplink), known_cages({}, core, uplink)};
}

/// Same by content; keeps the old object so that what rests on it can rest too.
template <class T>
std::shared_ptr<const T> kept(T made, const std::shared_ptr<const T>& last) {
  if (last && *last == made) return last;
  return std::make_shared<const T>(std::move(made));
}

bool same_plan_inputs(const CablePlanInputs& a, const CablePlanInputs& b) {
  const Network& m = a.network;
  const Network& n = b.network;
  const bool same_network =
      m.id == n.id && m.kind == n.kind && m.switch_part == n.switch_part && m.spine_switch_part == n.spine_switch_part &&
      m.core_switch_part == n.core_switch_part && m.link_rate == n.link_rate && m.uplink_rate == n.uplink_rate &&
      m.node_medium == n.node_medium && m.uplink_medium == n.uplink_medium && m.cable_lengths == n.cable_lengths &&
      m.patch_panels == n.patch_panels && m.spare_share == n.spare_share && m.node_optic_part == n.node_optic_part &&
      m.leaf_optic_part == n.leaf_optic_part && m.spine_optic_part == n.spine_optic_part &&
      m.node_cable_part == n.node_cable_part && m.spine_cable_part == n.spine_cable_part &&
      m.optical_share_of_node_links == n.optical_share_of_node_links;
  return same_network && a.wiring == b.wiring && a.places == b.places && a.routes == b.routes && a.catalog == b.catalog &&
         a.node_part == b.node_part && a.stand_in_mm == b.stand_in_mm;
}

class CablingStage {
public:
  CablingStage(const CablingInputs& in, const PopulationResult& population, const FabricResult& fabric, const SpaceResult& space,
               const CablingResult* previous, const std::stop_token& stop)
      : in_(in), catalog_(*in.catalog), population_(population), fabric_(fabric), space_(space), previous_(previous), stop_(stop) {}
  CablingResult run();

private:
  NetworkCabling wired(const Network& n, const NetworkResult& r, DrawnPlaces& drawn);
  /// The facts of a network; each stays where what it rests on did.
  NetworkFacts facts_of(const NetworkCabling& c, const NetworkResult& r) const;
  void figures_of(const NetworkCabling& c, const NetworkResult& r);
  void trays(CablingResult& out);
  /// A bulk result, as a lower bound where `missing` of its parts are not known.
  template <class T>
  Traced<T> told(std::string id, std::string label, T value, const std::string& what, bool estimate, Count missing = 0,
                 std::string_view missing_words = {}) {
    if (missing <= 0) return ledger_.measured<T>(std::move(id), std::move(label), value, what, &KindOf<T>::value, estimate);
    const auto known = ledger_.measured<T>(id + ".known", label + ": what is known", value, what, &KindOf<T>::value, estimate);
    const auto rest = ledger_.absent<T>(id + ".missing", label + ": what is not known", Completeness::unknown,
                                        fmt::format("{} {}", missing, missing_words));
    return ledger_.sum<T>(std::move(id), std::move(label), {known, rest});
  }

  /// GPUs of the main node; 0: not known.
  [[nodiscard]] Count gpus_of_node() const {
    const NodePart* node = catalog_.find<NodePart>(population_.main_node_part);
    return node && node->accelerators ? *node->accelerators : 0;
  }

  const CablingInputs& in_;
  const Catalog& catalog_;
  const PopulationResult& population_;
  const FabricResult& fabric_;
  const SpaceResult& space_;
  const CablingResult* previous_;
  const std::stop_token& stop_;
  Ledger ledger_{Page::cabling};
  std::vector<Traced<Count>> cables_, modules_;
  std::vector<Traced<Power>> optics_, node_side_;
  std::vector<Traced<Length>> ordered_;
  std::vector<Traced<Money>> costs_;
  double longest_m_ = 0;
  bool any_wired_ = false, estimated_ = false;
};

NetworkCabling CablingStage::wired(const Network& n, const NetworkResult& r, DrawnPlaces& drawn) {
  NetworkCabling out;
  out.network = n.id;
  out.name = n.name;
  out.kind = n.kind;
  if (!r.switches.has_value()) {
    out.problem = r.problem.empty() ? std::string("its switches are not known") : r.problem;
    return out;
  }
  const NetworkCabling* last = previous_ ? previous_->find(n.id) : nullptr;
  const WiringRequest request = wiring_request(n, r, catalog_);
  if (last && last->wiring && last->wiring->request == request) {
    out.wiring = last->wiring;
  } else {
    auto made = wire(request, stop_);
    if (!made) {
      out.problem = made.error();
      return out;
    }
    out.wiring = std::make_shared<const Wiring>(*std::move(made));
  }
  PlaceRequest place;
  place.network = n.id;
  if (n.kind == NetworkKind::compute) place.node_part = population_.main_node_part;
  place.leaf_part = n.switch_part;
  place.spine_part = n.spine_switch_part.empty() ? n.switch_part : n.spine_switch_part;
  place.core_part = n.core_switch_part.empty() ? place.spine_part : n.core_switch_part;
  if (n.kind == NetworkKind::storage) {
    place.storage_part = in_.storage->system_part;
    const StoragePart* part = catalog_.find<StoragePart>(place.storage_part);
    if (part && part->ports && r.ports_per_node > 0)
      place.places_per_storage = static_cast<double>(*part->ports) / static_cast<double>(r.ports_per_node);
  }
  if (n.kind == NetworkKind::out_of_band) {
    place.devices_per_node = std::max<Count>(1, r.ports_per_node);
    place.switches_as_nodes = true;
  }
  out.places = kept(drawn.place(*out.wiring, place), last ? last->places : nullptr);

  CablePlanInputs& p = out.plan_inputs;
  p.network = n;
  p.wiring = out.wiring;
  p.places = out.places;
  p.routes = space_.routes->cables;
  p.catalog = in_.catalog;
  p.node_part = population_.main_node_part;
  p.stand_in_mm = 1000.0 * (space_.mean_rack_distance.has_value() ? in_meters(space_.mean_rack_distance.value) : assumed_way_m);
  if (last && last->plan && same_plan_inputs(last->plan_inputs, p)) {
    out.plan = last->plan;
  } else {
    out.plan = std::make_shared<const CablePlan>(cable_plan(p, last ? last->plan.get() : nullptr, stop_));
  }
  return out;
}

NetworkFacts CablingStage::facts_of(const NetworkCabling& c, const NetworkResult& r) const {
  const NetworkCabling* last = previous_ ? previous_->find(c.network) : nullptr;
  NetworkFacts out;
  if (r.switches.has_value()) {
    const Network* n = hallwright::find(*in_.networks, c.network);
    const SwitchPart* leaf = n ? catalog_.find<SwitchPart>(n->switch_part) : nullptr;
    out.request = r.request;
    out.part_radix = leaf ? part_radix(*leaf, in_gigabits_per_second(n->link_rate)) : 0;
    if (last && last->facts.counted && last->facts.request == out.request && last->facts.part_radix == out.part_radix) {
      out.changes = last->facts.changes;
      out.growth = last->facts.growth;
    } else {
      for (const std::string& change : changes_that_count(out.request, out.part_radix))
        out.changes += (out.changes.empty() ? "" : ", ") + change;
      out.growth = growth_of(out.request, r.counts);
    }
    out.counted = true;
  }
  const bool same_wiring = last && last->wiring == c.wiring;
  if (c.kind == NetworkKind::compute) out.gpus_per_node = gpus_of_node();
  if (c.wiring && out.gpus_per_node > 0)
    out.lost = same_wiring && last->facts.gpus_per_node == out.gpus_per_node ? last->facts.lost : worst_leaf(*c.wiring, out.gpus_per_node);
  if (c.plan) out.cables_apart = same_wiring && last->plan == c.plan ? last->facts.cables_apart : cables_to_two_switches(*c.wiring, *c.plan);
  if (c.wiring && c.places)
    out.switch_racks = same_wiring && last->places == c.places ? last->facts.switch_racks : switch_racks(*c.wiring, *c.places);
  return out;
}

void CablingStage::figures_of(const NetworkCabling& c, const NetworkResult& r) {
  const std::string stem = fmt::format("cabling.network.{}", c.network);
  auto id = [&](std::string_view name) { return fmt::format("{}.{}", stem, name); };
  auto label = [&](std::string_view words) { return fmt::format("{}, {}", words, c.name); };
  if (!c.plan) {
    // What cannot be wired falls back to the counts, so that it does not vanish from the totals.
    cables_.push_back(ledger_.as<Count>(id("cables"), label("Cables"), r.cables));
    modules_.push_back(ledger_.as<Count>(id("modules"), label("Optical modules"), r.transceivers));
    optics_.push_back(ledger_.as<Power>(id("optics_power"), label("Power of modules and active cables"), r.optics_power));
    node_side_.push_back(ledger_.as<Power>(id("node_side_optics_power"), label("Power of modules and active cables in nodes"), r.node_side_optics_power));
    return;
  }
  any_wired_ = true;
  const CablePlan& plan = *c.plan;
  const bool estimate = plan.estimated_links + plan.assumed_links > 0;
  estimated_ = estimated_ || estimate;
  const std::string what = estimate ? fmt::format("each cable of the port map; {} of {} lengths are estimates, since trays or racks are not drawn",
                                                  plan.estimated_links + plan.assumed_links, plan.links.size())
                                    : std::string("each cable of the port map, along the drawn trays");
  Count cables = 0, modules = 0, unpriced_cables = 0, unpriced_modules = 0, without_power = 0;
  double ordered_m = 0, cable_usd = 0, module_usd = 0, node_w = 0, all_w = 0, longest_mm = 0;
  for (const CableRow& row : plan.cables) {
    cables += row.cables;
    ordered_m += row.ordered_m;
    if (row.price_usd) cable_usd += *row.price_usd;
    else unpriced_cables += row.cables + row.spares;
  }
  for (const ModuleRow& row : plan.modules) {
    modules += row.modules;
    if (row.price_usd) module_usd += *row.price_usd;
    else unpriced_modules += row.modules + row.spares;
  }
  for (const RackCableLoad& rack : plan.racks) {
    node_w += rack.node_module_w + rack.node_cable_end_w;
    all_w += rack.total_w();
    without_power += rack.without_power;
  }
  for (const LengthRow& row : plan.lengths) longest_mm = std::max(longest_mm, row.longest_mm);
  longest_m_ = std::max(longest_m_, longest_mm / 1000.0);

  cables_.push_back(told<Count>(id("cables"), label("Cables"), cables, "assemblies of the port map", false));
  modules_.push_back(told<Count>(id("modules"), label("Optical modules"), modules, "cages of the port map that take a module", estimate));
  ordered_.push_back(told<Length>(id("ordered_length"), label("Ordered length"), meters(ordered_m), what, estimate));
  static_cast<void>(told<Length>(id("longest_cable"), label("Longest routed cable"), meters(longest_mm / 1000.0), what, estimate));
  const std::string stated = "modules and active cable ends of every cage, at the power that the catalog states for each part";
  optics_.push_back(told<Power>(id("optics_power"), label("Power of modules and active cables"), watts(all_w), stated, estimate, without_power,
                                "ends without a stated power"));
  node_side_.push_back(told<Power>(id("node_side_optics_power"), label("Power of modules and active cables in nodes"), watts(node_w), stated, estimate,
                                   without_power, "ends without a stated power, at nodes or switches"));
  costs_.push_back(told<Money>(id("cable_cost"), label("Cost of cables with spares"), dollars(cable_usd), "prices of the parts", estimate, unpriced_cables,
                               "cables without a price"));
  costs_.push_back(told<Money>(id("module_cost"), label("Cost of modules with spares"), dollars(module_usd), "prices of the parts", estimate,
                               unpriced_modules, "modules without a price"));
}

void CablingStage::trays(CablingResult& out) {
  std::vector<const CablePlan*> plans;
  for (const NetworkCabling& c : out.networks)
    if (c.plan) plans.push_back(c.plan.get());
  if (plans.empty() || space_.routes->trays->empty()) return;
  out.trays = tray_usage(space_.routes->cables, plans, catalog_, previous_ ? previous_->trays.get() : nullptr, stop_);
  if (!out.trays) return;
  Count unknown = 0; // links that nothing of the catalog joins: their cables are in no tray
  for (const CablePlan* plan : plans)
    unknown += std::count_if(plan->links.begin(), plan->links.end(),
                             [](const LinkCable& c) { return c.choice == LinkCable::no_choice; });
  Formula filled = tray_fill; // more cables, more fill: width and height are stated
  filled.monotone = Monotone::increasing;
  for (const TrayLoad& load : out.trays->loads) {
    const Tray* tray = hallwright::find(*space_.routes->trays, load.tray);
    if (!tray || tray->kind == TrayKind::power) continue;
    const auto area = told<Area>(fmt::format("cabling.tray.{}.cable_area", tray->id), tray->name + ": cross section of cables",
                                 square_meters(load.area_mm2 * 1e-6), fmt::format("{} cables of all networks at its fullest place", load.cables),
                                 estimated_, unknown, "links without a cable that the catalog knows");
    const auto fill = ledger_.derive(fmt::format("cabling.tray.{}.fill", tray->id), tray->name + ": fill with the cables of all networks", filled, area,
                                     design_value<&Tray::width>(ledger_, "trays", *tray, tray->name),
                                     design_value<&Tray::height>(ledger_, "trays", *tray, tray->name));
    ledger_.limit(fill, design_value<&Tray::fill_limit>(ledger_, "trays", *tray, tray->name), LimitSense::at_most, 1.0);
  }
}

CablingResult CablingStage::run() {
  CablingResult out;
  std::vector<std::pair<const Network*, const NetworkResult*>> order;
  for (const NetworkResult& r : fabric_.networks)
    if (const Network* n = hallwright::find(*in_.networks, r.network)) order.emplace_back(n, &r);
  // The compute network has the first choice of switch places; out-of-band networks come last and reach all others.
  auto rank = [](const Network& n) { return n.kind == NetworkKind::compute ? 0 : n.kind == NetworkKind::out_of_band ? 2 : 1; };
  std::stable_sort(order.begin(), order.end(), [&](const auto& a, const auto& b) { return rank(*a.first) < rank(*b.first); });
  if (!order.empty()) {
    DrawnPlaces drawn({in_.rack_types, in_.rack_items, in_.racks, in_.catalog});
    for (const auto& [n, r] : order) {
      if (stop_.stop_requested()) return out;
      out.networks.push_back(wired(*n, *r, drawn));
      if (stop_.stop_requested()) return out; // a plan may be unfinished
      out.networks.back().facts = facts_of(out.networks.back(), *r);
    }
    std::sort(out.networks.begin(), out.networks.end(), [](const auto& a, const auto& b) { return a.network < b.network; });
  }
  if (stop_.stop_requested()) return out;
  for (const NetworkCabling& c : out.networks) {
    const auto r = std::find_if(fabric_.networks.begin(), fabric_.networks.end(), [&](const NetworkResult& x) { return x.network == c.network; });
    figures_of(c, *r);
    if (r->switch_cost.figure.valid()) {
      costs_.push_back(r->switch_cost);
    } else if (r->switches.completeness == Completeness::unknown) {
      costs_.push_back(ledger_.absent<Money>(fmt::format("cabling.network.{}.cost", c.network), "Cost of parts, " + c.name, Completeness::unknown,
                                             r->problem));
    }
  }
  const std::string cables = "Cables", modules = "Optical modules", optics = "Power of modules and active cables",
                    node_side = "Power of modules and active cables in nodes", ordered = "Ordered length of cables",
                    longest = "Longest routed cable", cost = "Cost of the fabric's parts";
  if (out.networks.empty()) {
    const std::string reason = "no network is described";
    auto none = [&]<class T>(Traced<T>& into, const char* id, const std::string& label) {
      into = ledger_.absent<T>(id, label, Completeness::not_applicable, reason);
    };
    none(out.cables, "cabling.cables", cables);
    none(out.modules, "cabling.modules", modules);
    none(out.optics_power, "cabling.optics_power", optics);
    none(out.node_side_optics_power, "cabling.node_side_optics_power", node_side);
    none(out.ordered_length, "cabling.ordered_length", ordered);
    none(out.longest_cable, "cabling.longest_cable", longest);
    none(out.parts_cost, "cabling.parts_cost", cost);
  } else {
    out.cables = sum_of_known(ledger_, "cabling.cables", cables, cables_);
    out.modules = sum_of_known(ledger_, "cabling.modules", modules, modules_);
    out.optics_power = sum_of_known(ledger_, "cabling.optics_power", optics, optics_);
    out.node_side_optics_power = sum_of_known(ledger_, "cabling.node_side_optics_power", node_side, node_side_);
    if (any_wired_) {
      out.ordered_length = ledger_.sum("cabling.ordered_length", ordered, ordered_);
      out.longest_cable = ledger_.measured<Length>("cabling.longest_cable", longest, meters(longest_m_), "the longest of all networks",
                                                   &KindOf<Length>::value, estimated_);
    } else {
      const std::string reason = "no network is wired: " + out.networks.front().problem;
      out.ordered_length = ledger_.absent<Length>("cabling.ordered_length", ordered, Completeness::unknown, reason);
      out.longest_cable = ledger_.absent<Length>("cabling.longest_cable", longest, Completeness::unknown, reason);
    }
    out.parts_cost = sum_of_known(ledger_, "cabling.parts_cost", cost, costs_);
  }
  trays(out);
  if (stop_.stop_requested()) return out;
  out.tables = share(cabling_tables(out, fabric_, catalog_, gpus_of_node()));
  out.page = ledger_.finish_page();
  return out;
}

} // namespace

const NetworkCabling* CablingResult::find(Id network) const {
  const auto at = std::lower_bound(networks.begin(), networks.end(), network, [](const NetworkCabling& c, Id id) { return c.network < id; });
  return at != networks.end() && at->network == network ? &*at : nullptr;
}

CablingResult cabling(const CablingInputs& inputs, const PopulationResult& population, const FabricResult& fabric, const SpaceResult& space,
                      const CablingResult* previous, const std::stop_token& stop) {
  return CablingStage(inputs, population, fabric, space, previous, stop).run();
}

} // namespace hallwright
