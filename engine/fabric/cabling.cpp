// SPDX-License-Identifier: GPL-3.0-or-later
#include "fabric/cabling.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "catalog/traced_part.h"
#include "fabric/network_rules.h"
#include "fabric/wiring_rules.h"
#include "ledger/ledger.h"
#include "space/design_value.h"

namespace hallwright {
namespace {

constexpr double unknown_number = std::numeric_limits<double>::quiet_NaN();
/// Way between two racks where nothing is drawn.
constexpr double assumed_way_m = 20.0;

constexpr std::array<LinkClass, 5> link_classes{LinkClass::node_leaf, LinkClass::leaf_spine, LinkClass::spine_core,
                                                LinkClass::group_local, LinkClass::group_global};

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

template <class T>
Traced<T> sum_or_unknown(Ledger& ledger, const std::string& id, const std::string& label, const std::vector<Traced<T>>& parts) {
  const bool any_known = std::any_of(parts.begin(), parts.end(), [](const auto& p) { return p.has_value(); });
  const auto missing = std::find_if(parts.begin(), parts.end(), [](const auto& p) { return p.completeness == Completeness::unknown; });
  if (!any_known && missing != parts.end())
    return ledger.absent<T>(id, label, Completeness::unknown, missing->reason ? *missing->reason : std::string("a part of it is not known"));
  if (!any_known && !parts.empty())
    return ledger.absent<T>(id, label, Completeness::not_applicable, parts.front().reason ? *parts.front().reason : std::string("there is none"));
  return ledger.sum(id, label, parts);
}

/// Rows of the tables of the stage, network after network.
struct NetworkRow {
  const NetworkCabling* cabling = nullptr;
  Count links = 0, routed = 0, estimated = 0, assumed = 0, within = 0;
  double longest_mm = 0;
};

class CablingStage {
public:
  CablingStage(const CablingInputs& in, const PopulationResult& population, const FabricResult& fabric, const SpaceResult& space,
               const CablingResult* previous, const std::stop_token& stop)
      : in_(in), catalog_(*in.catalog), population_(population), fabric_(fabric), space_(space), previous_(previous), stop_(stop) {}
  CablingResult run();

private:
  NetworkCabling wired(const Network& n, const NetworkResult& r, DrawnPlaces& drawn);
  void figures_of(const NetworkCabling& c, const NetworkResult& r);
  void trays(CablingResult& out);
  void tables(CablingResult& out);
  void tables_for_rules(const CablingResult& out, std::vector<Table>& tables);
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
  for (const TrayLoad& load : out.trays->loads) {
    const Tray* tray = hallwright::find(*space_.routes->trays, load.tray);
    if (!tray || tray->kind == TrayKind::power) continue;
    const auto area = ledger_.measured<Area>(fmt::format("cabling.tray.{}.cable_area", tray->id), tray->name + ": cross section of cables",
                                             square_meters(load.area_mm2 * 1e-6), fmt::format("{} cables of all networks at its fullest place", load.cables),
                                             &KindOf<Area>::value, estimated_);
    const auto fill = ledger_.derive(fmt::format("cabling.tray.{}.fill", tray->id), tray->name + ": fill with the cables of all networks", tray_fill, area,
                                     design_value<&Tray::width>(ledger_, "trays", *tray, tray->name),
                                     design_value<&Tray::height>(ledger_, "trays", *tray, tray->name));
    ledger_.limit(fill, design_value<&Tray::fill_limit>(ledger_, "trays", *tray, tray->name), LimitSense::at_most, 1.0);
  }
}

void CablingStage::tables(CablingResult& out) {
  std::vector<Table> tables;
  auto table = [&](std::string id, std::string title) -> Table& {
    Table& t = tables.emplace_back();
    t.id = std::move(id);
    t.title = std::move(title);
    t.entity_table = "networks";
    return t;
  };
  const auto& all = out.networks;
  { // port rules
    Table& t = table("cabling.port_rules", "Port map");
    std::vector<std::string> network, kind, line;
    std::vector<double> links, departures;
    for (const NetworkCabling& c : all)
      if (c.wiring)
        for (const PortRule& rule : c.wiring->rules) {
          t.entities.push_back(c.network);
          network.push_back(c.name);
          kind.emplace_back(link_class_word(rule.kind));
          line.push_back(rule.line);
          links.push_back(static_cast<double>(rule.links));
          departures.push_back(static_cast<double>(rule.departures));
        }
    t.add_words("network", "Network").words = std::move(network);
    t.add_words("links", "Links").words = std::move(kind);
    t.add_words("rule", "Rule").words = std::move(line);
    t.add_numbers("follow", "Follow it", kind::count).numbers = std::move(links);
    t.add_numbers("depart", "Depart from it", kind::count).numbers = std::move(departures);
  }
  { // lengths by class
    Table& t = table("cabling.lengths", "Lengths of links");
    std::vector<std::string> network, kind;
    std::vector<double> links, within, routed, estimated, assumed, mean, longest;
    for (const NetworkCabling& c : all)
      if (c.plan)
        for (const LengthRow& row : c.plan->lengths) {
          if (row.links == 0) continue;
          t.entities.push_back(c.network);
          network.push_back(c.name);
          kind.emplace_back(link_class_word(row.kind));
          links.push_back(static_cast<double>(row.links));
          auto of = [&](LengthKind k) { return static_cast<double>(row.by_kind[static_cast<std::size_t>(k)]); };
          within.push_back(of(LengthKind::within_rack));
          routed.push_back(of(LengthKind::routed));
          estimated.push_back(of(LengthKind::estimated));
          assumed.push_back(of(LengthKind::assumed));
          mean.push_back(row.sum_mm / static_cast<double>(row.links) / 1000.0);
          longest.push_back(row.longest_mm / 1000.0);
        }
    t.add_words("network", "Network").words = std::move(network);
    t.add_words("class", "Links").words = std::move(kind);
    t.add_numbers("count", "Number", kind::count).numbers = std::move(links);
    t.add_numbers("within_rack", "Within a rack", kind::count).numbers = std::move(within);
    t.add_numbers("routed", "Along trays", kind::count).numbers = std::move(routed);
    t.add_numbers("estimated", "Estimated", kind::count).numbers = std::move(estimated);
    t.add_numbers("assumed", "Not drawn", kind::count).numbers = std::move(assumed);
    t.add_numbers("mean", "Mean length", kind::length, "m").numbers = std::move(mean);
    t.add_numbers("longest", "Longest", kind::length, "m").numbers = std::move(longest);
  }
  { // media
    Table& t = table("cabling.media", "Media");
    std::vector<std::string> network, kind, medium, cable, near, far, chain;
    std::vector<double> links, beyond, longest, limit, loss, budget, margin, estimated, joints;
    for (const NetworkCabling& c : all)
      if (c.plan)
        for (const MediumRow& row : c.plan->media) {
          const LinkChoice& choice = c.plan->choices[row.choice];
          t.entities.push_back(c.network);
          network.push_back(c.name);
          kind.emplace_back(link_class_word(row.kind));
          medium.emplace_back(medium_word(choice.medium));
          cable.push_back(choice.cable);
          near.push_back(choice.near_optic);
          far.push_back(choice.far_optic);
          links.push_back(static_cast<double>(row.links));
          beyond.push_back(static_cast<double>(row.beyond));
          longest.push_back(row.longest_mm / 1000.0);
          limit.push_back(choice.limit_known ? choice.limit_mm / 1000.0 : unknown_number);
          const bool fibre = choice.shape == CableShape::fibre;
          loss.push_back(fibre ? row.loss.loss_db : unknown_number);
          budget.push_back(fibre && row.loss.budget_db ? *row.loss.budget_db : unknown_number);
          margin.push_back(fibre && row.loss.margin_db ? *row.loss.margin_db : unknown_number);
          estimated.push_back(fibre && row.loss.budget_db ? row.loss.budget_estimated : unknown_number);
          joints.push_back(fibre ? static_cast<double>(choice.channel.joints) : unknown_number);
          std::string broken;
          for (const std::string& s : row.chain) broken += (broken.empty() ? "" : "; ") + s;
          chain.push_back(std::move(broken));
        }
    t.add_words("network", "Network").words = std::move(network);
    t.add_words("class", "Links").words = std::move(kind);
    t.add_words("medium", "Medium").words = std::move(medium);
    t.add_numbers("count", "Number", kind::count).numbers = std::move(links);
    t.add_words("cable", "Cable").words = std::move(cable);
    t.add_words("near_optic", "Module, near end").words = std::move(near);
    t.add_words("far_optic", "Module, far end").words = std::move(far);
    t.add_numbers("longest", "Longest", kind::length, "m").numbers = std::move(longest);
    t.add_numbers("limit", "Reaches", kind::length, "m").numbers = std::move(limit);
    t.add_numbers("beyond", "Beyond reach", kind::count).numbers = std::move(beyond);
    t.add_numbers("loss", "Loss (dB)", kind::ratio).numbers = std::move(loss);
    t.add_numbers("budget", "Budget (dB)", kind::ratio).numbers = std::move(budget);
    t.add_numbers("margin", "Margin (dB)", kind::ratio).numbers = std::move(margin);
    t.add_numbers("budget_estimated", "Budget from the reach (1: yes)", kind::count).numbers = std::move(estimated);
    t.add_numbers("joints", "Joints", kind::count).numbers = std::move(joints);
    t.add_words("chain", "Connectors that do not close").words = std::move(chain);
  }
  { // assemblies
    Table& t = table("cabling.assemblies", "Cable assemblies");
    std::vector<std::string> network, part, medium;
    std::vector<double> length, cables, spares, waste, price;
    for (const NetworkCabling& c : all)
      if (c.plan)
        for (const CableRow& row : c.plan->cables) {
          t.entities.push_back(c.network);
          network.push_back(c.name);
          part.push_back(row.part);
          medium.emplace_back(medium_word(row.medium));
          length.push_back(row.ordered_mm / 1000.0);
          cables.push_back(static_cast<double>(row.cables));
          spares.push_back(static_cast<double>(row.spares));
          waste.push_back(row.ordered_m - row.routed_m);
          price.push_back(row.price_usd ? *row.price_usd : unknown_number);
        }
    t.add_words("network", "Network").words = std::move(network);
    t.add_words("part", "Part").words = std::move(part);
    t.add_words("medium", "Medium").words = std::move(medium);
    t.add_numbers("length", "Ordered length", kind::length, "m").numbers = std::move(length);
    t.add_numbers("cables", "Cables", kind::count).numbers = std::move(cables);
    t.add_numbers("spares", "Spares", kind::count).numbers = std::move(spares);
    t.add_numbers("waste", "Length beyond the routes", kind::length, "m").numbers = std::move(waste);
    t.add_numbers("price", "Price with spares", kind::money, "USD").numbers = std::move(price);
  }
  { // modules
    Table& t = table("cabling.modules", "Optical modules");
    std::vector<std::string> network, part, in;
    std::vector<double> modules, spares, idle, power, price;
    for (const NetworkCabling& c : all)
      if (c.plan)
        for (const ModuleRow& row : c.plan->modules) {
          t.entities.push_back(c.network);
          network.push_back(c.name);
          part.push_back(row.part);
          in.emplace_back(device_word(row.in));
          modules.push_back(static_cast<double>(row.modules));
          spares.push_back(static_cast<double>(row.spares));
          idle.push_back(static_cast<double>(row.idle_links));
          power.push_back(row.power_w ? *row.power_w : unknown_number);
          price.push_back(row.price_usd ? *row.price_usd : unknown_number);
        }
    t.add_words("network", "Network").words = std::move(network);
    t.add_words("part", "Part").words = std::move(part);
    t.add_words("in", "In").words = std::move(in);
    t.add_numbers("modules", "Modules", kind::count).numbers = std::move(modules);
    t.add_numbers("spares", "Spares", kind::count).numbers = std::move(spares);
    t.add_numbers("idle_links", "Links left idle", kind::count).numbers = std::move(idle);
    t.add_numbers("power", "Power", kind::power, "kW").numbers = std::move(power);
    t.add_numbers("price", "Price with spares", kind::money, "USD").numbers = std::move(price);
  }
  { // what does not work
    Table& t = table("cabling.problems", "Cables that do not work");
    std::vector<std::string> network, kind, what, sentence;
    std::vector<double> links;
    for (const NetworkCabling& c : all) {
      if (!c.plan) continue;
      static constexpr std::array<std::string_view, 5> words{"no medium", "beyond reach", "parts", "mixed cage", "connectors"};
      for (const CableProblem& p : c.plan->problems) {
        t.entities.push_back(c.network);
        network.push_back(c.name);
        kind.emplace_back(link_class_word(p.of));
        what.emplace_back(words[static_cast<std::size_t>(p.kind)]);
        sentence.push_back(p.sentence);
        links.push_back(static_cast<double>(p.links));
      }
    }
    t.add_words("network", "Network").words = std::move(network);
    t.add_words("class", "Links").words = std::move(kind);
    t.add_words("what", "What").words = std::move(what);
    t.add_numbers("links", "Links", kind::count).numbers = std::move(links);
    t.add_words("sentence", "Why").words = std::move(sentence);
  }
  { // places and notes
    Table& t = table("cabling.places", "Places of devices");
    std::vector<std::string> network, notes;
    std::vector<double> nodes, leafs, spines, cores;
    for (const NetworkCabling& c : all) {
      if (!c.places) continue;
      t.entities.push_back(c.network);
      network.push_back(c.name);
      auto missing = [&](DeviceKind k) { return static_cast<double>(c.places->undrawn[static_cast<std::size_t>(k)]); };
      nodes.push_back(missing(DeviceKind::node));
      leafs.push_back(missing(DeviceKind::leaf));
      spines.push_back(missing(DeviceKind::spine));
      cores.push_back(missing(DeviceKind::core));
      std::string joined;
      for (const auto* list : {&c.places->notes, &c.plan->notes})
        for (const std::string& s : *list) joined += (joined.empty() ? "" : "; ") + s;
      notes.push_back(std::move(joined));
    }
    t.add_words("network", "Network").words = std::move(network);
    t.add_numbers("nodes", "Nodes not drawn", kind::count).numbers = std::move(nodes);
    t.add_numbers("leafs", "Leafs not drawn", kind::count).numbers = std::move(leafs);
    t.add_numbers("spines", "Spines not drawn", kind::count).numbers = std::move(spines);
    t.add_numbers("cores", "Cores not drawn", kind::count).numbers = std::move(cores);
    t.add_words("notes", "Notes").words = std::move(notes);
  }
  tables_for_rules(out, tables);
  out.tables = share(std::move(tables));
}

void CablingStage::tables_for_rules(const CablingResult& out, std::vector<Table>& tables) {
  { // what asks for a look at every link
    Table t;
    t.id = "cabling.networks";
    t.title = "Networks as wired";
    t.entity_table = "networks";
    std::vector<std::string> network, problem, isolated_by, next, changes;
    std::vector<double> nodes, links, planes, down, up, uplink_ports, unit, gpus, skew, isolated, whole, shared, apart,
        undrawn, silent, moved;
    for (const NetworkCabling& c : out.networks) {
      const auto r = std::find_if(fabric_.networks.begin(), fabric_.networks.end(),
                                  [&](const NetworkResult& x) { return x.network == c.network; });
      const FabricRequest& q = r->request;
      const bool counted = r->switches.has_value();
      auto known = [](bool is, Count n) { return is ? static_cast<double>(n) : unknown_number; };
      const NodePart* node = catalog_.find<NodePart>(population_.main_node_part);
      const Count gpus_per_node = node && node->accelerators ? *node->accelerators : 0;
      t.entities.push_back(c.network);
      t.row_figures.push_back(fmt::format("fabric.network.{}.switches", c.network));
      network.push_back(c.name);
      problem.push_back(c.problem);
      nodes.push_back(known(counted, q.nodes));
      links.push_back(known(counted, q.links_per_node));
      planes.push_back(known(counted, q.planes));
      down.push_back(known(counted, r->counts.leaf_down));
      up.push_back(known(counted, r->counts.leaf_up));
      uplink_ports.push_back(known(counted, q.uplink_ports));
      unit.push_back(known(counted, r->counts.nodes_per_unit));
      gpus.push_back(known(gpus_per_node > 0, gpus_per_node));
      std::string can;
      if (counted) {
        const Network* n = hallwright::find(*in_.networks, c.network);
        const SwitchPart* leaf = n ? catalog_.find<SwitchPart>(n->switch_part) : nullptr;
        const Count radix = leaf ? part_radix(*leaf, in_gigabits_per_second(n->link_rate)) : 0;
        for (const std::string& change : changes_that_count(q, radix))
          can += (can.empty() ? "" : ", ") + change;
      }
      changes.push_back(std::move(can));
      const Growth growth = counted ? growth_of(q, r->counts) : Growth{};
      next.push_back(growth.words);
      moved.push_back(growth.moved_cables ? static_cast<double>(*growth.moved_cables) : unknown_number);
      LostLeaf lost;
      if (c.wiring && c.kind == NetworkKind::compute && gpus_per_node > 0) lost = worst_leaf(*c.wiring, gpus_per_node);
      isolated.push_back(known(c.wiring != nullptr, lost.gpus));
      whole.push_back(known(c.wiring != nullptr, lost.nodes));
      isolated_by.push_back(lost.gpus > 0 ? c.wiring->device_name(lost.leaf) : std::string());
      const Count cage_links = c.plan ? node_cage(catalog_, c.plan_inputs.node_part, c.kind,
                                                  in_gigabits_per_second(c.plan_inputs.network.link_rate),
                                                  c.plan_inputs.network.node_optic_part, q.planes)
                                            .links
                                      : 1;
      shared.push_back(known(c.plan != nullptr, q.nodes * cages_of_two_planes(q.links_per_node, q.planes, cage_links)));
      apart.push_back(known(c.plan != nullptr, c.plan ? cables_to_two_switches(*c.wiring, *c.plan) : 0));
      skew.push_back(c.plan ? c.plan->worst_skew_ns * 1e-9 : unknown_number);
      double undrawn_w = 0;
      Count without_power = 0;
      if (c.plan)
        for (const RackCableLoad& rack : c.plan->racks) {
          if (rack.rack == 0) undrawn_w += rack.total_w();
          without_power += rack.without_power;
        }
      undrawn.push_back(c.plan ? undrawn_w : unknown_number);
      silent.push_back(known(c.plan != nullptr, without_power));
    }
    t.add_words("network", "Network").words = std::move(network);
    t.add_words("problem", "Why it is not wired").words = std::move(problem);
    t.add_numbers("nodes", "Nodes", kind::count).numbers = std::move(nodes);
    t.add_numbers("links", "Links of a node, per plane", kind::count).numbers = std::move(links);
    t.add_numbers("planes", "Planes", kind::count).numbers = std::move(planes);
    t.add_numbers("leaf_down", "Links of a leaf down", kind::count).numbers = std::move(down);
    t.add_numbers("leaf_up", "Links of a leaf up", kind::count).numbers = std::move(up);
    t.add_numbers("uplink_ports", "Leaf ports of an uplink", kind::count).numbers = std::move(uplink_ports);
    t.add_numbers("unit_nodes", "Nodes of a unit (0: packed)", kind::count).numbers = std::move(unit);
    t.add_numbers("gpus_per_node", "GPUs of a node", kind::count).numbers = std::move(gpus);
    t.add_numbers("isolated_gpus", "GPUs that one lost leaf isolates", kind::count).numbers = std::move(isolated);
    t.add_numbers("isolated_nodes", "Nodes that one lost leaf isolates", kind::count).numbers = std::move(whole);
    t.add_words("isolated_by", "Worst leaf").words = std::move(isolated_by);
    t.add_numbers("shared_cages", "Node cages with links of two planes", kind::count).numbers = std::move(shared);
    t.add_numbers("cables_apart", "Split cables that end at two switches", kind::count).numbers = std::move(apart);
    t.add_numbers("skew", "Worst skew within a module", kind::time).numbers = std::move(skew);
    t.add_numbers("undrawn_power", "Power of cable ends that are not drawn", kind::power, "kW").numbers =
        std::move(undrawn);
    t.add_numbers("without_power", "Cable ends without a stated power", kind::count).numbers = std::move(silent);
    t.add_words("changes", "Changes that can be built").words = std::move(changes);
    t.add_words("next_unit", "What one more unit changes").words = std::move(next);
    t.add_numbers("moved_cables", "Cables that it moves", kind::count).numbers = std::move(moved);
    tables.push_back(std::move(t));
  }
  { // switches by rack and plane
    Table t;
    t.id = "cabling.switch_racks";
    t.title = "Racks with switches";
    t.entity_table = "racks";
    std::vector<std::string> network;
    std::vector<double> id, plane, leafs, spines, cores;
    for (const NetworkCabling& c : out.networks) {
      if (!c.wiring || !c.places) continue;
      for (const SwitchRack& rack : switch_racks(*c.wiring, *c.places)) {
        t.entities.push_back(rack.rack);
        network.push_back(c.name);
        id.push_back(static_cast<double>(c.network));
        plane.push_back(static_cast<double>(rack.plane + 1));
        leafs.push_back(static_cast<double>(rack.leafs));
        spines.push_back(static_cast<double>(rack.spines));
        cores.push_back(static_cast<double>(rack.cores));
      }
    }
    t.add_words("network", "Network").words = std::move(network);
    t.add_numbers("network_id", "Number of the network", kind::count).numbers = std::move(id);
    t.add_numbers("plane", "Plane", kind::count).numbers = std::move(plane);
    t.add_numbers("leafs", "Leafs", kind::count).numbers = std::move(leafs);
    t.add_numbers("spines", "Spines", kind::count).numbers = std::move(spines);
    t.add_numbers("cores", "Cores", kind::count).numbers = std::move(cores);
    tables.push_back(std::move(t));
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
    out.cables = sum_or_unknown(ledger_, "cabling.cables", cables, cables_);
    out.modules = sum_or_unknown(ledger_, "cabling.modules", modules, modules_);
    out.optics_power = sum_or_unknown(ledger_, "cabling.optics_power", optics, optics_);
    out.node_side_optics_power = sum_or_unknown(ledger_, "cabling.node_side_optics_power", node_side, node_side_);
    if (any_wired_) {
      out.ordered_length = ledger_.sum("cabling.ordered_length", ordered, ordered_);
      out.longest_cable = ledger_.measured<Length>("cabling.longest_cable", longest, meters(longest_m_), "the longest of all networks",
                                                   &KindOf<Length>::value, estimated_);
    } else {
      const std::string reason = "no network is wired: " + out.networks.front().problem;
      out.ordered_length = ledger_.absent<Length>("cabling.ordered_length", ordered, Completeness::unknown, reason);
      out.longest_cable = ledger_.absent<Length>("cabling.longest_cable", longest, Completeness::unknown, reason);
    }
    out.parts_cost = sum_or_unknown(ledger_, "cabling.parts_cost", cost, costs_);
  }
  trays(out);
  if (stop_.stop_requested()) return out;
  tables(out);
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
