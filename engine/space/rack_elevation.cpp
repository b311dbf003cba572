// SPDX-License-Identifier: GPL-3.0-or-later
#include "space/rack_elevation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "ledger/formula_range.h"
#include "space/design_value.h"

namespace hallwright {
namespace {

constexpr double unknown_number = std::numeric_limits<double>::quiet_NaN();

// --- formulas
// ----------------------------------------------------------------------------------------------------------

constinit const Formula<double, Count, double> parts_rack_units{
    .name = "parts_rack_units",
    .text = "count * ceil(2 * units_each) / 2",
    .source = "count; a part takes whole half units",
    .parameters = {"count", "units_each"},
    .function = [](Count count, double units_each) -> Result<double> {
      if (auto wrong = violated({not_negative("count", count), not_negative("units_each", units_each)})) return *wrong;
      return static_cast<double>(count) * whole_at_least(2.0 * units_each) / 2.0;
    },
    .result_kind = &kind::ratio,
};

constinit const Formula<double, Length, Length> units_of_height{
    .name = "units_of_height",
    .text = "height / unit_pitch",
    .source = "EIA-310",
    .parameters = {"height", "unit_pitch"},
    .function = [](Length height, Length unit_pitch) -> Result<double> {
      if (auto wrong = violated({not_negative("height", height), above_zero("unit_pitch", unit_pitch)})) return *wrong;
      return height / unit_pitch;
    },
    .result_kind = &kind::ratio,
};

constinit const Formula<double, double, double> free_rack_units{
    .name = "free_rack_units",
    .text = "units - taken",
    .source = "difference",
    .parameters = {"units", "taken"},
    .function = [](double units, double taken) -> Result<double> {
      if (auto wrong = violated({not_negative("units", units), not_negative("taken", taken)})) return *wrong;
      if (taken > units) return not_applicable("the content takes more units than the cabinet has");
      return units - taken;
    },
    .monotone = Monotone::mixed,
    .result_kind = &kind::ratio,
};

constinit const Formula<Length, Length, Length, Count, Count, double> middle_of_parts{
    .name = "middle_of_parts",
    .text = "first_unit_height + unit_pitch * (lowest_half_unit - 1 + count * ceil(2 * units_each) / 2) / 2",
    .source = "geometry: equal parts one above the other, each heavy in its middle",
    .parameters = {"first_unit_height", "unit_pitch", "lowest_half_unit", "count", "units_each"},
    .function = [](Length first_unit_height, Length unit_pitch, Count lowest_half_unit, Count count,
                   double units_each) -> Result<Length> {
      if (auto wrong =
              violated({not_negative("first_unit_height", first_unit_height), above_zero("unit_pitch", unit_pitch),
                        at_least("lowest_half_unit", lowest_half_unit, 1), not_negative("count", count),
                        not_negative("units_each", units_each)}))
        return *wrong;
      const double halves = static_cast<double>(lowest_half_unit - 1) +
                            static_cast<double>(count) * whole_at_least(2.0 * units_each) / 2.0;
      return first_unit_height + unit_pitch * (halves / 2.0);
    },
    .estimate = true,
    .monotone = Monotone::mixed,
};

constinit const Formula<Length, Length, double, Length> height_of_cabinet{
    .name = "height_of_cabinet",
    .text = "first_unit_height + units * unit_pitch",
    .source = "geometry, without a roof",
    .parameters = {"first_unit_height", "units", "unit_pitch"},
    .function = [](Length first_unit_height, double units, Length unit_pitch) -> Result<Length> {
      if (auto wrong = violated({not_negative("first_unit_height", first_unit_height), not_negative("units", units),
                                 above_zero("unit_pitch", unit_pitch)}))
        return *wrong;
      return first_unit_height + unit_pitch * units;
    },
    .estimate = true,
};

constinit const Formula<Length, Length> half_of_length{
    .name = "half_of_length",
    .text = "length / 2",
    .source = "geometry",
    .parameters = {"length"},
    .function = [](Length length) -> Result<Length> {
      if (auto wrong = violated({not_negative("length", length)})) return *wrong;
      return length / 2.0;
    },
};

constinit const Formula<Length, Mass, Length, Mass, Length> centre_of_two_masses{
    .name = "centre_of_two_masses",
    .text = "(first_mass * first_position + second_mass * second_position) / (first_mass + second_mass)",
    .source = "statics: moments about one point",
    .parameters = {"first_mass", "first_position", "second_mass", "second_position"},
    .function = [](Mass first_mass, Length first_position, Mass second_mass, Length second_position) -> Result<Length> {
      if (auto wrong =
              violated({not_negative("first_mass", first_mass), any_finite("first_position", first_position),
                        not_negative("second_mass", second_mass), any_finite("second_position", second_position)}))
        return *wrong;
      const Mass both = first_mass + second_mass;
      if (!(in_kilograms(both) > 0.0)) return not_applicable("nothing weighs anything");
      const double share_of_second = second_mass / both;
      return first_position + (second_position - first_position) * share_of_second;
    },
    .estimate = true,
    .monotone = Monotone::mixed,
};

constinit const Formula<Length, Length, Length> depth_between_doors{
    .name = "depth_between_doors",
    .text = "depth - depth_beyond_rails",
    .source = "difference",
    .parameters = {"depth", "depth_beyond_rails"},
    .function = [](Length depth, Length depth_beyond_rails) -> Result<Length> {
      if (auto wrong = violated({above_zero("depth", depth), not_negative("depth_beyond_rails", depth_beyond_rails)}))
        return *wrong;
      if (depth_beyond_rails >= depth) return not_applicable("the cabinet is not deeper than what its doors take");
      return depth - depth_beyond_rails;
    },
    .estimate = true,
    .monotone = Monotone::mixed,
};

constinit const Formula<Length, Length, Length> middle_behind_front{
    .name = "middle_behind_front",
    .text = "depth_beyond_rails / 2 + part_depth / 2",
    .source = "geometry: the part's face stands at the front rails",
    .parameters = {"depth_beyond_rails", "part_depth"},
    .function = [](Length depth_beyond_rails, Length part_depth) -> Result<Length> {
      if (auto wrong = violated(
              {not_negative("depth_beyond_rails", depth_beyond_rails), not_negative("part_depth", part_depth)}))
        return *wrong;
      return depth_beyond_rails / 2.0 + part_depth / 2.0;
    },
    .estimate = true,
};

constinit const Formula<Length, Length, Length, Length> middle_before_rear{
    .name = "middle_before_rear",
    .text = "depth - depth_beyond_rails / 2 - part_depth / 2",
    .source = "geometry: the part's face stands at the rear rails",
    .parameters = {"depth", "depth_beyond_rails", "part_depth"},
    .function = [](Length depth, Length depth_beyond_rails, Length part_depth) -> Result<Length> {
      if (auto wrong = violated({above_zero("depth", depth), not_negative("depth_beyond_rails", depth_beyond_rails),
                                 not_negative("part_depth", part_depth)}))
        return *wrong;
      return depth - depth_beyond_rails / 2.0 - part_depth / 2.0;
    },
    .estimate = true,
    .monotone = Monotone::mixed,
};

constinit const Formula<Count, Count, Count> parts_ports{
    .name = "parts_ports",
    .text = "count * ports_each",
    .source = "count",
    .parameters = {"count", "ports_each"},
    .function = [](Count count, Count ports_each) -> Result<Count> {
      if (auto wrong = violated({not_negative("count", count), not_negative("ports_each", ports_each)})) return *wrong;
      return counted_whole(1.0 * count * ports_each);
    },
};

// --- one rack type
// -----------------------------------------------------------------------------------------------------

/// Calls `f(part)` with the catalog part of an item, whatever its type; false when the catalog does not have it.
template <class F>
bool at_part(const Catalog& catalog, const RackItem& item, F&& f) {
  const auto in = [&]<class P>(std::type_identity<P>, bool asked) {
    const P* part = asked ? catalog.find<P>(item.part) : nullptr;
    if (part) f(*part);
    return part != nullptr;
  };
  const bool other = item.kind == RackItemKind::other;
  return in(std::type_identity<StoragePart>{}, other || item.kind == RackItemKind::storage) ||
         in(std::type_identity<SwitchPart>{}, other || item.kind == RackItemKind::network_switch) ||
         in(std::type_identity<NodePart>{}, other || item.kind == RackItemKind::node) ||
         in(std::type_identity<PowerPart>{}, other) || in(std::type_identity<CoolingPart>{}, other);
}

/// What is known of one item.
struct ItemFigures {
  Traced<double> units_each; ///< rack units of one
  Traced<Length> depth;
  Traced<Length> middle; ///< height of the middle of all of it
};

/// Figures and rows of one rack type.
class TypeElevation {
public:
  TypeElevation(Ledger& ledger, const Catalog& catalog, const RackType& type, const RackMass& mass)
      : ledger_(ledger), catalog_(catalog), type_(type), items_(mass.content_items), mass_(mass),
        part_(catalog.find<RackPart>(type.rack_part)), stem_(fmt::format("space.rack_type.{}", type.id)) {}

  void run() {
    sizes();
    for (std::size_t i = 0; i < items_.size(); ++i)
      item(i);
    units();
    gravity_height();
    gravity_depth();
    ports();
    if (part_ && part_->maximum_load)
      ledger_.limit(mass_.content, part_value<&RackPart::maximum_load>(ledger_, catalog_, *part_), LimitSense::at_most);
  }

  std::vector<ItemFigures> of_items;
  Traced<double> taken_front, taken_rear, free_front, free_rear;
  Traced<Length> centre_height, centre_depth, mounting_depth, half_height;

private:
  std::string named(const char* what) const { return fmt::format("{}, {}", what, type_.name); }

  void sizes() {
    const bool open_rack = in_millimeters(rack_unit_pitch(part_)) > 45.0;
    pitch_ = ledger_.constant<Length>(open_rack ? "space.rack_unit_open" : "space.rack_unit",
                                      open_rack ? "Height of an open rack unit" : "Height of a rack unit",
                                      rack_unit_pitch(part_),
                                      open_rack ? "OCP Open Rack V3 base specification, 48 mm" : "EIA-310, 44.45 mm");
    first_unit_ = assumption<Length>(ledger_, catalog_, "space.rack_first_unit_height");
    beyond_rails_ = assumption<Length>(ledger_, catalog_, "space.rack_depth_beyond_rails");
    cabinet_units_ =
        part_ ? part_value<&RackPart::rack_units>(ledger_, catalog_, *part_)
              : ledger_.absent<double>(stem_ + ".units", named("Rack units of the cabinet"), Completeness::unknown,
                                       "no cabinet with rack units is chosen for rack type " + type_.name);
    if (type_.height)
      height_ = design_value<&RackType::height>(ledger_, "rack_types", type_, type_.name);
    else if (part_ && part_->height)
      height_ = part_value<&RackPart::height>(ledger_, catalog_, *part_);
    else
      height_ = ledger_.derive(stem_ + ".cabinet_height", named("Height, from its units"), height_of_cabinet,
                               first_unit_, cabinet_units_, pitch_);
    if (type_.depth || !part_)
      depth_ = design_value<&RackType::depth>(ledger_, "rack_types", type_, type_.name);
    else
      depth_ = part_value<&RackPart::depth>(ledger_, catalog_, *part_);
    half_height = ledger_.derive(stem_ + ".half_height", named("Half of the height"), half_of_length, height_);
    mounting_depth =
        ledger_.derive(stem_ + ".mounting_depth", named("Mounting depth"), depth_between_doors, depth_, beyond_rails_);
  }

  void item(std::size_t i) {
    const RackItem& it = *items_[i];
    const std::string stem = fmt::format("space.rack_item.{}", it.id);
    ItemFigures out;
    const bool found = at_part(catalog_, it, [&](const auto& part) {
      using P = std::remove_cvref_t<decltype(part)>;
      if constexpr (requires { part.rack_units; }) out.units_each = part_value<&P::rack_units>(ledger_, catalog_, part);
      if constexpr (requires { part.height; }) {
        if (!out.units_each.has_value() && part.height)
          out.units_each = ledger_.derive(stem + ".units_each", "Rack units of one " + part.name, units_of_height,
                                          part_value<&P::height>(ledger_, catalog_, part), eia_pitch());
      }
      if constexpr (requires { part.depth; }) out.depth = part_value<&P::depth>(ledger_, catalog_, part);
      name_ = part.name;
    });
    if (!found) name_ = it.part.empty() ? "a part that is not named" : it.part;
    const std::string why = found ? "" : fmt::format("the catalog has no part \"{}\"", it.part);
    if (!out.units_each.figure.valid())
      out.units_each =
          ledger_.absent<double>(stem + ".units_each", "Rack units of one " + name_, Completeness::unknown,
                                 found ? fmt::format("the catalog has no rack units for {}", it.part) : why);
    if (!out.depth.figure.valid())
      out.depth = ledger_.absent<Length>(stem + ".depth", "Depth of " + name_, Completeness::unknown,
                                         found ? fmt::format("the catalog has no depth for {}", it.part) : why);
    if (it.mount == RackMount::zero_u_left || it.mount == RackMount::zero_u_right)
      out.middle =
          ledger_.as<Length>(stem + ".middle", "Height of the middle of " + name_ + ", beside the rails", half_height);
    else
      out.middle = ledger_.derive(
          stem + ".middle", fmt::format("Height of the middle of {} in a rack of type {}", name_, type_.name),
          middle_of_parts, first_unit_, pitch_,
          design_value<&RackItem::lowest_half_unit>(ledger_, "rack_items", it, type_.name),
          design_value<&RackItem::count>(ledger_, "rack_items", it, type_.name), out.units_each);
    of_items.push_back(out);
  }

  Traced<Length> eia_pitch() {
    return ledger_.constant<Length>("space.rack_unit", "Height of a rack unit", rack_unit_pitch(nullptr),
                                    "EIA-310, 44.45 mm");
  }

  void units() {
    std::vector<Traced<double>> front, rear;
    for (std::size_t i = 0; i < items_.size(); ++i) {
      const RackItem& it = *items_[i];
      if (it.mount == RackMount::zero_u_left || it.mount == RackMount::zero_u_right) continue;
      const auto taken =
          ledger_.derive(fmt::format("space.rack_item.{}.units", it.id),
                         fmt::format("Rack units of {} in a rack of type {}", it.part, type_.name), parts_rack_units,
                         design_value<&RackItem::count>(ledger_, "rack_items", it, type_.name), of_items[i].units_each);
      if (it.mount != RackMount::rear) front.push_back(taken);
      if (it.mount != RackMount::front) rear.push_back(taken);
    }
    taken_front = ledger_.sum(stem_ + ".taken_front", named("Rack units taken, front"), front, kind::ratio);
    taken_rear = ledger_.sum(stem_ + ".taken_rear", named("Rack units taken, rear"), rear, kind::ratio);
    free_front = free_of("front", taken_front);
    free_rear = free_of("rear", taken_rear);
  }
  Traced<double> free_of(const char* face, const Traced<double>& taken) {
    auto out =
        ledger_.derive(fmt::format("{}.free_{}", stem_, face), fmt::format("Rack units free, {}, {}", face, type_.name),
                       free_rack_units, cabinet_units_, taken);
    if (out.has_value() && taken.completeness == Completeness::lower_bound)
      ledger_.remark(out, "at most: " + (taken.reason ? *taken.reason : std::string("a height is not known")));
    return out;
  }

  /// Cabinet first, then item by item, so that each step opens to the next. What is not known is left out and named.
  /// @param positions  of the items, in their order
  Traced<Length> centre(const std::string& id, const std::string& label, const Traced<Length>& middle_of_cabinet,
                        const std::vector<Traced<Length>>& positions) {
    std::vector<std::pair<Traced<Mass>, Traced<Length>>> known;
    std::vector<std::string> left_out;
    const auto take = [&](const Traced<Mass>& mass, const Traced<Length>& at, const std::string& name) {
      if (mass.has_value() && mass.completeness != Completeness::lower_bound && at.has_value())
        known.emplace_back(mass, at);
      else
        left_out.push_back(name);
    };
    take(mass_.cabinet, middle_of_cabinet, "the cabinet");
    for (std::size_t i = 0; i < items_.size(); ++i)
      take(mass_.items[i], positions[i], items_[i]->part);
    const bool only_cabinet = known.size() == 1 && mass_.cabinet.has_value() && !items_.empty();
    if (known.empty() || only_cabinet)
      return ledger_.absent<Length>(id, label, Completeness::unknown,
                                    "neither mass nor place is known for what stands in a rack of type " + type_.name);
    Traced<Mass> mass = known[0].first;
    Traced<Length> at = known[0].second;
    for (std::size_t k = 1; k < known.size(); ++k) {
      const bool last = k + 1 == known.size();
      at = ledger_.derive(last ? id : fmt::format("{}.first_{}", id, k + 1),
                          last ? label : fmt::format("{}, of the first {}", label, k + 1), centre_of_two_masses, mass,
                          at, known[k].first, known[k].second);
      if (!last)
        mass = ledger_.sum<Mass>(fmt::format("{}.mass_of_first_{}", id, k + 1),
                                 fmt::format("Mass of the first {}, {}", k + 1, type_.name), {mass, known[k].first});
    }
    if (known.size() == 1) at = ledger_.as<Length>(id, label, at);
    if (!left_out.empty()) {
      std::string names = left_out[0];
      for (std::size_t i = 1; i < left_out.size(); ++i)
        names += ", " + left_out[i];
      ledger_.remark(at, "left out, since mass or place is not known: " + names);
    }
    return at;
  }

  void gravity_height() {
    std::vector<Traced<Length>> middles;
    for (const ItemFigures& f : of_items)
      middles.push_back(f.middle);
    centre_height =
        centre(stem_ + ".centre_of_gravity_height", named("Centre of gravity above the floor"), half_height, middles);
    ledger_.limit(centre_height, half_height, LimitSense::at_most, 1.0);
  }

  void gravity_depth() {
    const std::string id = stem_ + ".centre_of_gravity_depth", label = named("Centre of gravity behind the front");
    std::vector<Traced<Length>> middles;
    for (std::size_t i = 0; i < items_.size(); ++i) {
      const RackItem& it = *items_[i];
      const Traced<Length>& depth = of_items[i].depth;
      if (!depth.has_value()) {
        centre_depth = ledger_.absent<Length>(id, label, Completeness::unknown,
                                              depth.reason ? *depth.reason : std::string("a depth is not known"));
        return;
      }
      const std::string stem = fmt::format("space.rack_item.{}.behind_front", it.id),
                        what = fmt::format("Middle of {} behind the front", it.part);
      middles.push_back(it.mount == RackMount::rear
                            ? ledger_.derive(stem, what, middle_before_rear, depth_, beyond_rails_, depth)
                            : ledger_.derive(stem, what, middle_behind_front, beyond_rails_, depth));
    }
    const auto half = ledger_.derive(stem_ + ".half_depth", named("Half of the depth"), half_of_length, depth_);
    centre_depth = centre(id, label, half, middles);
  }

  void ports() {
    std::map<std::string, std::vector<Traced<Count>>> of;
    for (const RackItem* it : items_) {
      const auto count = design_value<&RackItem::count>(ledger_, "rack_items", *it, type_.name);
      const auto add = [&](const std::string& network, const Traced<Count>& each) {
        const std::string words = fmt::format("{} ports of {} in a rack of type {}", network, it->part, type_.name);
        of[network].push_back(
            ledger_.derive(fmt::format("space.rack_item.{}.{}", it->id, network), words, parts_ports, count, each));
      };
      if (const auto* p = catalog_.find<NodePart>(it->part); p && it->kind == RackItemKind::node) {
        add("ports.compute", part_value<&NodePart::compute_nics>(ledger_, catalog_, *p));
        add("ports.storage", part_value<&NodePart::storage_nics>(ledger_, catalog_, *p));
        add("ports.in_band", part_value<&NodePart::in_band_nics>(ledger_, catalog_, *p));
        add("ports.out_of_band", part_value<&NodePart::out_of_band_ports>(ledger_, catalog_, *p));
      }
      if (const auto* p = catalog_.find<SwitchPart>(it->part); p && it->kind == RackItemKind::network_switch)
        add("switch_ports." + (p->network_kind.empty() ? "other" : p->network_kind),
            part_value<&SwitchPart::ports>(ledger_, catalog_, *p));
      if (const auto* p = catalog_.find<StoragePart>(it->part); p && it->kind == RackItemKind::storage)
        add("ports.storage", part_value<&StoragePart::ports>(ledger_, catalog_, *p));
    }
    for (const auto& [network, counts] : of) {
      std::string words = network;
      const bool of_switches = words.rfind("switch_ports.", 0) == 0;
      words = words.substr(words.find('.') + 1);
      std::replace(words.begin(), words.end(), '_', '-');
      ledger_.sum(fmt::format("{}.{}", stem_, network),
                  fmt::format("{} of a rack, {}, {}", of_switches ? "Switch ports" : "Ports", words, type_.name),
                  counts);
    }
  }

  Ledger& ledger_;
  const Catalog& catalog_;
  const RackType& type_;
  const std::vector<const RackItem*>& items_;
  const RackMass& mass_;
  const RackPart* part_ = nullptr;
  std::string stem_, name_;
  Traced<Length> pitch_, first_unit_, beyond_rails_, height_, depth_;
  Traced<double> cabinet_units_;
};

// --- tables
// ------------------------------------------------------------------------------------------------------------

/// A cell of a figure: empty where it has no value or is less than the truth.
template <class T>
double cell(const Traced<T>& traced) {
  const bool whole = traced.has_value() && traced.completeness != Completeness::lower_bound;
  return whole ? base_value(traced.value) : unknown_number;
}

struct Rows {
  std::vector<Id> types, items;
  std::vector<std::string> type_figures, item_figures;
  std::vector<std::string> type, item_type, part, mount, place, note, first, second, at, overlap_type;
  std::vector<double> racks, free_front, free_rear, content, mass, height, depth, count, units, item_mass, item_middle,
      item_depth, mounting;

  void add(const SpaceInputs& in, const RackType& t, const std::vector<const RackItem*>& its, const RackMass& m,
           const TypeElevation& e) {
    types.push_back(t.id);
    type_figures.push_back(fmt::format("space.rack_type.{}.mass", t.id));
    type.push_back(t.name);
    racks.push_back(static_cast<double>(
        std::count_if(in.racks->begin(), in.racks->end(), [&](const Rack& r) { return r.rack_type == t.id; })));
    free_front.push_back(cell(e.free_front));
    free_rear.push_back(cell(e.free_rear));
    content.push_back(cell(m.content));
    mass.push_back(cell(m.mass));
    height.push_back(cell(e.centre_height));
    depth.push_back(cell(e.centre_depth));
    const RackSlots places = rack_slots(*in.catalog, t, *in.rack_items);
    for (std::size_t i = 0; i < its.size(); ++i) {
      const RackItem& it = *its[i];
      items.push_back(it.id);
      item_figures.push_back(fmt::format("space.rack_item.{}.mass", it.id));
      item_type.push_back(t.name);
      part.push_back(rack_part_size(*in.catalog, it.kind, it.part).name);
      mount.emplace_back(ChoiceWords<RackMount>::words[static_cast<std::size_t>(it.mount)]);
      count.push_back(static_cast<double>(it.count));
      units.push_back(cell(e.of_items[i].units_each));
      item_mass.push_back(cell(m.items[i]));
      item_middle.push_back(cell(e.of_items[i].middle));
      item_depth.push_back(cell(e.of_items[i].depth));
      mounting.push_back(cell(e.mounting_depth));
      bool overlaps = false, overflows = false;
      Count height_of_all = 0;
      for (const RackSlot& s : places.places) {
        if (s.item != it.id) continue;
        overlaps |= s.overlaps, overflows |= s.overflows;
        height_of_all += s.half_units;
      }
      place.push_back(height_of_all == 0 ? std::string("beside the rails")
                                         : half_unit_range(it.lowest_half_unit, height_of_all));
      std::string words = cell(e.of_items[i].units_each) == cell(e.of_items[i].units_each) ? "" : "height not known";
      for (const auto& [wrong, text] : {std::pair(overlaps, "overlaps"), std::pair(overflows, "above the cabinet")})
        if (wrong) words += (words.empty() ? "" : "; ") + std::string(text);
      note.push_back(words);
    }
    for (const auto& [a, b] : places.overlaps) {
      const RackSlot &sa = places.places[a], &sb = places.places[b];
      const auto name = [&](const RackSlot& s) {
        const RackItem* it = find(*in.rack_items, s.item);
        return rack_part_size(*in.catalog, it->kind, it->part).name;
      };
      overlap_type.push_back(t.name);
      first.push_back(name(sa));
      second.push_back(name(sb));
      at.push_back(half_unit_range(std::max(sa.lowest_half_unit, sb.lowest_half_unit), 1));
    }
  }

  void into(std::vector<Table>& tables) {
    Table t;
    t.id = "space.rack_types";
    t.title = "Rack types";
    t.entity_table = "rack_types";
    t.entities = std::move(types);
    t.row_figures = std::move(type_figures);
    t.add_words("type", "Rack type").words = std::move(type);
    t.add_numbers("racks", "Racks of it", kind::count).numbers = std::move(racks);
    t.add_numbers("free_front", "Free units, front", kind::ratio).numbers = std::move(free_front);
    t.add_numbers("free_rear", "Free units, rear", kind::ratio).numbers = std::move(free_rear);
    t.add_numbers("content_mass", "Mass of its content", kind::mass, "kg").numbers = std::move(content);
    t.add_numbers("mass", "Mass", kind::mass, "kg").numbers = std::move(mass);
    t.add_numbers("centre_height", "Centre of gravity above the floor", kind::length, "mm").numbers = std::move(height);
    t.add_numbers("centre_depth", "Centre of gravity behind the front", kind::length, "mm").numbers = std::move(depth);
    tables.push_back(std::move(t));

    Table i;
    i.id = "space.rack_items";
    i.title = "Content of racks";
    i.entity_table = "rack_items";
    i.entities = std::move(items);
    i.row_figures = std::move(item_figures);
    i.add_words("type", "Rack type").words = std::move(item_type);
    i.add_words("part", "Part").words = std::move(part);
    i.add_numbers("count", "Count", kind::count).numbers = std::move(count);
    i.add_words("mount", "Mounting").words = std::move(mount);
    i.add_words("place", "Place").words = std::move(place);
    i.add_numbers("units", "Rack units of one", kind::ratio).numbers = std::move(units);
    i.add_numbers("mass", "Mass", kind::mass, "kg").numbers = std::move(item_mass);
    i.add_numbers("middle", "Height of its middle", kind::length, "mm").numbers = std::move(item_middle);
    i.add_numbers("depth", "Depth of one", kind::length, "mm").numbers = std::move(item_depth);
    i.add_numbers("mounting_depth", "Mounting depth", kind::length, "mm").numbers = std::move(mounting);
    i.add_words("note", "Note").words = std::move(note);
    tables.push_back(std::move(i));

    Table o;
    o.id = "space.rack_overlaps";
    o.title = "Parts that share units of a rack";
    o.add_words("type", "Rack type").words = std::move(overlap_type);
    o.add_words("first", "First").words = std::move(first);
    o.add_words("second", "Second").words = std::move(second);
    o.add_words("at", "At").words = std::move(at);
    tables.push_back(std::move(o));
  }
};

} // namespace

void add_rack_elevations(Ledger& ledger, const SpaceInputs& in, const std::vector<RackMass>& masses,
                         std::vector<Table>& tables) {
  Rows rows;
  for (std::size_t t = 0; t < in.rack_types->size(); ++t) {
    const RackType& type = (*in.rack_types)[t];
    TypeElevation elevation(ledger, *in.catalog, type, masses[t]);
    elevation.run();
    rows.add(in, type, masses[t].content_items, masses[t], elevation);
  }
  rows.into(tables);
}

std::vector<AnyFormula> rack_elevation_formulas() {
  std::vector<AnyFormula> out = rack_mass_formulas();
  for (AnyFormula& f : std::vector<AnyFormula>{any(parts_rack_units), any(units_of_height), any(free_rack_units),
                                               any(middle_of_parts), any(height_of_cabinet), any(half_of_length),
                                               any(centre_of_two_masses), any(depth_between_doors),
                                               any(middle_behind_front), any(middle_before_rear), any(parts_ports)})
    out.push_back(std::move(f));
  return out;
}

} // namespace hallwright
