// SPDX-License-Identifier: GPL-3.0-or-later
#include "space/delivery_path.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "catalog/traced_part.h"
#include "ledger/formula_range.h"
#include "ledger/ledger.h"
#include "space/design_value.h"
#include "space/floor_gates.h"

namespace hallwright {
namespace {

constexpr double unknown_number = std::numeric_limits<double>::quiet_NaN();

constinit const Formula<Length, Length, Length> crate_side{
    .name = "crate_side",
    .text = "rack + packing",
    .source = "pallet and carton round the rack",
    .parameters = {"rack", "packing"},
    .function = [](Length rack, Length packing) -> Result<Length> {
      if (auto wrong = violated({not_negative("rack", rack), not_negative("packing", packing)})) return *wrong;
      return rack + packing;
    },
    .estimate = true,
    .monotone = Monotone::increasing,
};

constinit const Formula<Length, Length, Length, Length> delivery_width_needed{
    .name = "delivery_width_needed",
    .text = "min(crate_width, crate_depth) + play",
    .source = "a crate pushed lengthways, with some play to steer it",
    .parameters = {"crate_width", "crate_depth", "play"},
    .function = [](Length crate_width, Length crate_depth, Length play) -> Result<Length> {
      if (auto wrong = violated({above_zero("crate_width", crate_width), above_zero("crate_depth", crate_depth),
                                 not_negative("play", play)}))
        return *wrong;
      return std::min(crate_width, crate_depth) + play;
    },
    .estimate = true,
    .monotone = Monotone::mixed,
};

/// Racks at the ends of what stands side by side in the order of the list.
std::vector<std::uint32_t> row_ends(const FloorPlan& plan, const std::vector<std::uint32_t>& racks) {
  auto beside = [&](std::size_t a, std::size_t b) {
    const PlanThing &p = plan.things[racks[a]], &q = plan.things[racks[b]];
    constexpr double close = 50; // mm
    const PlanBox grown{p.box.x0 - close, p.box.y0 - close, p.box.x1 + close, p.box.y1 + close};
    return p.front_x == q.front_x && p.front_y == q.front_y && grown.overlaps(q.box);
  };
  std::vector<std::uint32_t> out;
  for (std::size_t k = 0; k < racks.size(); ++k)
    if (k == 0 || k + 1 == racks.size() || !beside(k, k - 1) || !beside(k, k + 1)) out.push_back(racks[k]);
  return out;
}

/// What comes in of one rack type.
struct Crate {
  Traced<Length> width, depth, height, needed;
  double side = 0, high = 0, mass = 0; ///< mm, mm, kg; mass 0: not known
  double overhead = 0;                 ///< mm: its height and the play
  bool known = false;
};

Crate crate_of(Ledger& ledger, const SpaceInputs& in, const TypeOnFloor& f) {
  const RackType& type = *f.type;
  const std::string stem = fmt::format("space.rack_type.{}", type.id);
  Crate c;
  auto side = [&](const std::string& id, const std::string& label, const std::optional<Length>& own, auto own_leaf,
                  const Traced<Length>& rack, std::string_view packing) {
    if (own) return ledger.as<Length>(id, label, own_leaf);
    return ledger.derive(id, label, crate_side, rack, assumption<Length>(ledger, *in.catalog, packing));
  };
  const auto height =
      f.footprint.height > Length{} && f.footprint.known
          ? ledger.measured<Length>(stem + ".standing_height", "Height of a rack, " + type.name, f.footprint.height,
                                    "rack type or part; 2 m where neither states it")
          : ledger.absent<Length>(stem + ".standing_height", "Height of a rack, " + type.name, Completeness::unknown,
                                  "the size of rack type " + type.name + " is not known");
  c.width = side(stem + ".crate_width", "Width of the crate, " + type.name, type.crate_width,
                 design_value<&RackType::crate_width>(ledger, "rack_types", type, type.name), f.width,
                 "delivery.packing_width");
  c.depth = side(stem + ".crate_depth", "Depth of the crate, " + type.name, type.crate_depth,
                 design_value<&RackType::crate_depth>(ledger, "rack_types", type, type.name), f.depth,
                 "delivery.packing_depth");
  c.height = side(stem + ".crate_height", "Height of the crate, " + type.name, type.crate_height,
                  design_value<&RackType::crate_height>(ledger, "rack_types", type, type.name), height,
                  "delivery.packing_height");
  const auto play = assumption<Length>(ledger, *in.catalog, "delivery.play");
  c.needed = ledger.derive(stem + ".delivery_width", "Width that the crate needs, " + type.name, delivery_width_needed,
                           c.width, c.depth, play);
  c.known = c.needed.has_value() && c.height.has_value();
  if (c.known) {
    c.side = std::ceil(in_millimeters(c.needed.value) - 1e-6), c.high = in_millimeters(c.height.value);
    c.overhead = c.high + in_millimeters(play.value) - 0.5; // half a millimetre is rounding
  }
  if (f.mass.has_value()) c.mass = in_kilograms(f.mass.value);
  return c;
}

/// Widths with which ways are reached from outside; 0: not.
std::vector<double> reach_ways(const SpaceInputs& in, const FloorPlan& plan, const std::vector<WayIn>& ways,
                               const std::vector<char>& usable, bool docks, const Crate& crate, const TooLow& too_low,
                               std::map<std::int32_t, FreeFloor>& floors, const std::stop_token& stop) {
  std::vector<double> width(ways.size(), 0);
  auto floor_of = [&](std::int32_t hall) -> const FreeFloor& {
    auto it = floors.find(hall);
    if (it == floors.end())
      it = floors.emplace(hall, free_floor(in, plan, hall, crate.mass, crate.high, too_low)).first;
    return it->second;
  };
  for (std::size_t w = 0; w < ways.size(); ++w)
    if (usable[w] && ways[w].from_outside && (!docks || ways[w].kind == StructureKind::dock))
      width[w] = std::min(ways[w].gate.width, FreeFloor::most);
  // Outwards from what is reached, hall by hall, until nothing gets wider.
  for (std::size_t round = 0; round <= in.halls->size() && !stop.stop_requested(); ++round) {
    bool changed = false;
    for (std::size_t w = 0; w < ways.size(); ++w)
      for (const std::uint32_t b : ways[w].beyond)
        if (usable[b] && std::min(width[w], ways[b].gate.width) > width[b])
          width[b] = std::min(width[w], ways[b].gate.width), changed = true;
    for (std::size_t w = 0; w < ways.size(); ++w) {
      if (!usable[w] || ways[w].beyond.empty()) continue;
      std::vector<FloorGate> from;
      double most = 0;
      for (std::size_t o = 0; o < ways.size(); ++o)
        if (o != w && ways[o].hall == ways[w].hall && width[o] > 0) {
          from.push_back(ways[o].gate);
          from.back().width = width[o];
          most = std::max(most, width[o]);
        }
      most = std::min(most, ways[w].gate.width);
      if (from.empty() || most <= width[w] || most < FreeFloor::least) continue;
      const double found = floor_of(ways[w].hall).widest(from, {ways[w].gate}, most);
      if (found > width[w]) width[w] = found, changed = true;
    }
    if (!changed) break;
  }
  return width;
}

} // namespace

DeliveryResult delivery(Ledger& ledger, const SpaceInputs& in, const FloorPlan& plan, const FloorLoads& loads,
                        const std::stop_token& stop) {
  DeliveryResult out;
  out.width.assign(plan.racks, unknown_number);
  const std::vector<WayIn> ways = ways_in(in, plan);
  const std::vector<Hanging> hanging = hanging_things(in, plan);
  const bool docks =
      std::any_of(ways.begin(), ways.end(), [](const WayIn& w) { return w.kind == StructureKind::dock; });
  struct DeliveryRow {
    std::size_t type;
    std::size_t hall;
    double needed = unknown_number, narrowest = unknown_number, x = unknown_number, y = unknown_number, racks = 0,
           not_reached = 0, high = unknown_number, overhead = unknown_number;
    std::string between, word, way, also;
    EntityRef first, second;
  };
  std::vector<DeliveryRow> rows;
  const std::string label = "Narrowest place of a way in";
  Traced<Length> worst, worst_limit;
  double worst_share = std::numeric_limits<double>::infinity();
  // Types for which the same ways are open and the same ramps carry share their floors.
  std::map<std::pair<std::vector<char>, std::array<std::size_t, 3>>,
           std::pair<std::vector<double>, std::map<std::int32_t, FreeFloor>>>
      known;
  std::vector<std::vector<std::uint32_t>> of_hall(in.halls->size());
  for (const TypeOnFloor& f : loads.on_floor) {
    const Crate crate = crate_of(ledger, in, f);
    bool stands = false;
    for (std::size_t h = 0; h < in.halls->size(); ++h)
      stands = stands || plan.racks_in_hall[f.type_index][h + 1] > 0;
    if (!stands) continue;
    for (auto& list : of_hall)
      list.clear();
    for (std::uint32_t i = 0; i < plan.racks; ++i)
      if (plan.type_of[i] == static_cast<std::int32_t>(f.type_index) && plan.things[i].hall >= 0)
        of_hall[static_cast<std::size_t>(plan.things[i].hall)].push_back(i);
    std::vector<char> usable(ways.size());
    for (std::size_t w = 0; w < ways.size(); ++w)
      usable[w] = ways[w].height >= crate.high - 0.5 && ways[w].carries >= crate.mass;
    // Ramps that do not carry it and doors inside halls that are too low: the more of them, the fewer ways.
    // So for what is too low: the more of it, the less floor.
    std::array<std::size_t, 3> shut{};
    for (std::size_t t = plan.first_structure; t < plan.things.size(); ++t) {
      const Structure& one = *plan.sources[t - plan.racks].structure;
      if (one.kind == StructureKind::ramp && one.load_rating && in_kilograms(*one.load_rating) < crate.mass) ++shut[0];
      if (one.kind == StructureKind::door && one.height && in_millimeters(*one.height) < crate.high - 0.5) ++shut[1];
    }
    const TooLow too_low{&hanging, crate.overhead};
    for (const Hanging& one : hanging)
      shut[2] += too_low.in_the_way(one);
    for (const Zone& zone : rows_of(in.zones))
      shut[2] += too_low.in_the_way(zone);
    auto& [widths, floors] = known[{usable, shut}];
    if (widths.empty() && !ways.empty())
      widths = reach_ways(in, plan, ways, usable, docks, crate, too_low, floors, stop);
    for (std::size_t h = 0; h < in.halls->size(); ++h) {
      if (of_hall[h].empty() || stop.stop_requested()) continue;
      DeliveryRow row{loads.on_floor.size(), h};
      row.type = static_cast<std::size_t>(&f - loads.on_floor.data());
      row.racks = static_cast<double>(of_hall[h].size());
      const Hall& hall = (*in.halls)[h];
      const std::string id = fmt::format("space.rack_type.{}.hall.{}.delivery_width", f.type->id, hall.id);
      const std::string what = fmt::format("Narrowest place of the way in, {} to {}", f.type->name, hall.name);
      if (crate.known)
        row.needed = crate.side * 1e-3, row.high = crate.high * 1e-3, row.overhead = crate.overhead * 1e-3 + 5e-4;
      std::vector<FloorGate> from;
      for (std::size_t w = 0; w < ways.size(); ++w)
        if (ways[w].hall == static_cast<std::int32_t>(h) && !widths.empty() && widths[w] >= FreeFloor::least) {
          from.push_back(ways[w].gate);
          from.back().width = widths[w];
          if (row.way.empty()) row.way = plan.name(ways[w].thing, *in.racks);
        }
      const bool any_way =
          std::any_of(ways.begin(), ways.end(), [&](const WayIn& w) { return w.hall == static_cast<std::int32_t>(h); });
      if (!crate.known || (!any_way && !docks)) {
        row.word = crate.known ? "no way in is drawn" : "crate not known";
        ledger.absent<Length>(id, what, Completeness::unknown,
                              crate.known ? "no door, dock or lift of " + hall.name + " is drawn"
                                          : "the size of rack type " + f.type->name + " is not known");
        rows.push_back(std::move(row));
        continue;
      }
      // Which openings and ramps do not let it in? Those of this hall; those of others where none of its own is
      // reached.
      std::vector<std::string> shut;
      const auto tell_shut = [&](bool here) {
        for (std::size_t w = 0; w < ways.size(); ++w)
          if (!usable[w] && (ways[w].hall == static_cast<std::int32_t>(h)) == here) {
            const std::string name = plan.name(ways[w].thing, *in.racks);
            std::string words =
                ways[w].height < crate.high - 0.5
                    ? fmt::format("{} is {:.0f} mm high and the crate {:.0f} mm", name, ways[w].height, crate.high)
                    : fmt::format("{} carries {:.0f} kg and the rack weighs {:.0f} kg", name, ways[w].carries,
                                  crate.mass);
            if (std::find(shut.begin(), shut.end(), words) != shut.end()) continue; // seen from both rooms
            shut.push_back(std::move(words));
            if (row.first.table.empty()) row.first = plan.ref(ways[w].thing, *in.racks);
          }
        for (std::uint32_t t = static_cast<std::uint32_t>(plan.first_structure); t < plan.things.size(); ++t) {
          const Structure& ramp = *plan.source(t).structure;
          if (ramp.kind != StructureKind::ramp || (plan.things[t].hall == static_cast<std::int32_t>(h)) != here ||
              !ramp.load_rating || in_kilograms(*ramp.load_rating) >= crate.mass)
            continue;
          shut.push_back(fmt::format("{} carries {:.0f} kg and the rack weighs {:.0f} kg", plan.name(t, *in.racks),
                                     in_kilograms(*ramp.load_rating), crate.mass));
        }
      };
      const bool under_ceiling = in_millimeters(hall.ceiling_height) >= crate.overhead;
      if (from.empty() || !under_ceiling) {
        if (!under_ceiling)
          shut.push_back(fmt::format("its ceiling is at {:.0f} mm and the crate needs {:.0f} mm",
                                     in_millimeters(hall.ceiling_height), crate.overhead + 0.5));
        tell_shut(true);
        if (from.empty()) tell_shut(false);
        if (shut.empty())
          shut.emplace_back(docks ? "no opening of the hall is reached from a dock"
                                  : "no opening of the hall is reached from a door that leads out");
        if (!docks) shut.emplace_back("no dock is drawn");
        row.word = "no way";
        row.between = fmt::format("{}", fmt::join(shut, ", "));
        row.not_reached = row.racks;
        row.narrowest = 0;
        for (const std::uint32_t i : of_hall[h])
          out.width[i] = 0;
      } else {
        auto it = floors.find(static_cast<std::int32_t>(h));
        if (it == floors.end())
          it = floors
                   .emplace(static_cast<std::int32_t>(h),
                            free_floor(in, plan, static_cast<std::int32_t>(h), crate.mass, crate.high, too_low))
                   .first;
        const FreeFloor& floor = it->second;
        // By the front or by the rear: the front where it gets there, else the rear.
        auto reached = [&](double side, const std::vector<std::uint32_t>& which) {
          std::vector<FloorGate> fronts;
          fronts.reserve(which.size());
          for (const std::uint32_t i : which)
            fronts.push_back(face_gate(plan.things[i], true));
          auto any = floor.reached(side, from, fronts);
          std::vector<std::size_t> rest; // by the rear, then
          std::vector<FloorGate> rears;
          for (std::size_t k = 0; k < which.size(); ++k)
            if (!any[k]) rest.push_back(k), rears.push_back(face_gate(plan.things[which[k]], false));
          if (rest.empty()) return any;
          const auto behind = floor.reached(side, from, rears);
          for (std::size_t k = 0; k < rest.size(); ++k)
            any[rest[k]] = behind[k];
          return any;
        };
        const auto fits = reached(crate.side, of_hall[h]);
        std::vector<std::uint32_t> kept_out;
        for (std::size_t k = 0; k < fits.size(); ++k) {
          out.width[of_hall[h][k]] = fits[k];
          if (!fits[k]) kept_out.push_back(of_hall[h][k]);
        }
        row.not_reached = static_cast<double>(kept_out.size());
        // The narrowest place: the widest square that still gets to all, and where it is tight for the one that it
        // stops at.
        const std::vector<std::uint32_t>& asked = kept_out.empty() ? of_hall[h] : kept_out;
        auto all = [&](double side, const std::vector<std::uint32_t>& which) {
          const auto r = reached(side, which);
          return std::all_of(r.begin(), r.end(), [](char c) { return c != 0; });
        };
        auto search = [&](double low, double high, const std::vector<std::uint32_t>& which) {
          while (high - low > 1.0 && !stop.stop_requested()) {
            const double middle = std::floor((low + high) / 2);
            (all(middle, which) ? low : high) = middle;
          }
          return low;
        };
        double low = kept_out.empty() ? crate.side : FreeFloor::least;
        const double high = kept_out.empty() ? FreeFloor::most : crate.side;
        std::uint32_t critical = asked.front();
        std::vector<std::uint32_t> ends;
        if (kept_out.empty() || all(low, asked)) {
          // The ends of rows first: what gets to them mostly gets to those between, and then that is the answer.
          ends = row_ends(plan, asked);
          double found = kept_out.empty() && all(high, ends) ? high : search(low, high, ends);
          if (found > low && !all(found, asked)) found = search(low, found, asked);
          low = found;
        } else {
          low = 0;
        }
        if (low >= FreeFloor::least && low < FreeFloor::most) {
          // The one that the next millimetre keeps out: mostly at the end of a row.
          for (const std::vector<std::uint32_t>* some :
               std::initializer_list<const std::vector<std::uint32_t>*>{&ends, &asked}) {
            const auto beyond = reached(low + 1, *some);
            const auto out_of_reach = std::find(beyond.begin(), beyond.end(), 0);
            if (out_of_reach == beyond.end()) continue;
            critical = (*some)[static_cast<std::size_t>(out_of_reach - beyond.begin())];
            break;
          }
          for (const bool front : {true, false})
            if (const auto place =
                    floor.narrowest_place(low, from, face_gate(plan.things[critical], front), plan.things)) {
              row.x = place->x * 1e-3, row.y = place->y * 1e-3;
              const auto& zones = rows_of(in.zones);
              const auto first_zone = plan.things.size() + hanging.size();
              auto who = [&](std::uint32_t t) -> std::string {
                if (t == FloorBlock::wall) return "the wall";
                if (t < plan.things.size()) return plan.name(t, *in.racks);
                if (t >= first_zone)
                  return fmt::format("{} with its ceiling at {:.0f} mm", zones[t - first_zone].name,
                                     in_millimeters(*zones[t - first_zone].ceiling_height));
                const Hanging& low = hanging[t - plan.things.size()];
                return fmt::format("{} at {:.0f} mm", low.name, low.bottom);
              };
              auto ref_of = [&](std::uint32_t t) -> EntityRef {
                return t == FloorBlock::wall    ? EntityRef{}
                       : t < plan.things.size() ? plan.ref(t, *in.racks)
                       : t >= first_zone        ? EntityRef{"zones", zones[t - first_zone].id}
                                                : hanging[t - plan.things.size()].ref;
              };
              row.between = place->between == place->and_between
                                ? "at " + who(place->between)
                                : fmt::format("between {} and {}", who(place->between), who(place->and_between));
              row.first = ref_of(place->between), row.second = ref_of(place->and_between);
              break;
            }
          // A door is narrower than anything behind it.
          for (const FloorGate& g : from)
            if (std::abs(g.width - low) < 1.5) {
              for (std::size_t w = 0; w < ways.size(); ++w)
                if (ways[w].hall == static_cast<std::int32_t>(h) && std::abs(widths[w] - low) < 1.5) {
                  row.between = "at " + plan.name(ways[w].thing, *in.racks);
                  row.x = plan.things[ways[w].thing].center_x * 1e-3;
                  row.y = plan.things[ways[w].thing].center_y * 1e-3;
                  row.first = plan.ref(ways[w].thing, *in.racks);
                  row.second = {};
                }
            }
        }
        row.word = kept_out.empty() ? "reached" : "not reached";
        if (!kept_out.empty()) {
          const EntityRef first = row.first;
          tell_shut(true);
          row.first = first;
          for (const Hanging& one : hanging)
            if (low == 0 && one.hall == static_cast<std::int32_t>(h) && too_low.in_the_way(one))
              shut.push_back(fmt::format("{} hangs at {:.0f} mm and the crate needs {:.0f} mm", one.name, one.bottom,
                                         crate.overhead + 0.5));
          for (const Zone& zone : rows_of(in.zones))
            if (low == 0 && zone.hall == hall.id && too_low.in_the_way(zone))
              shut.push_back(fmt::format("the ceiling of {} is at {:.0f} mm and the crate needs {:.0f} mm", zone.name,
                                         in_millimeters(*zone.ceiling_height), crate.overhead + 0.5));
          constexpr std::size_t most_told = 6;
          if (shut.size() > most_told) {
            const std::size_t more = shut.size() - most_told;
            shut.resize(most_told);
            shut.push_back(fmt::format("{} more are in the way", more));
          }
          if (!docks) shut.emplace_back("no dock is drawn");
          row.also = fmt::format("{}", fmt::join(shut, ", "));
        }
        row.narrowest = low * 1e-3;
      }
      const auto figure = ledger.measured<Length>(
          id, what, meters(row.narrowest),
          fmt::format("a square pushed along x and y from {} beside the front or rear of each place, all other racks "
                      "standing; {}{}",
                      row.way.empty() ? "the way in" : row.way,
                      row.narrowest >= FreeFloor::most * 1e-3 ? "6 m or more everywhere" : row.between,
                      row.narrowest > 0 ? "" : "; less than 300 mm counts as nothing"),
          &kind::length, true);
      ledger.limit(figure, crate.needed, LimitSense::at_least, 1.0);
      if (const double share_left = row.narrowest / row.needed; share_left < worst_share)
        worst_share = share_left, worst = figure, worst_limit = crate.needed;
      rows.push_back(std::move(row));
    }
  }
  if (std::isfinite(worst_share)) {
    const auto figure = ledger.as<Length>("space.delivery_width", label, worst);
    ledger.limit(figure, worst_limit, LimitSense::at_least, 1.0);
  } else {
    const bool undecided = !rows.empty();
    ledger.absent<Length>("space.delivery_width", label,
                          undecided ? Completeness::unknown : Completeness::not_applicable,
                          undecided ? "no way in is drawn" : "no rack stands in a hall");
  }
  Table& table = out.table;
  table.id = "space.delivery";
  table.title = "Ways in for racks";
  std::vector<std::string> types, halls, between, words, ways_words, first_tables, second_tables, also;
  std::vector<double> needed, narrowest, x, y, racks, kept, high, overhead, type_ids, hall_ids, first_ids, second_ids;
  for (const DeliveryRow& r : rows) {
    const RackType& type = *loads.on_floor[r.type].type;
    types.push_back(type.name);
    halls.push_back((*in.halls)[r.hall].name);
    between.push_back(r.between);
    words.push_back(r.word);
    ways_words.push_back(r.way);
    needed.push_back(r.needed), narrowest.push_back(r.narrowest), x.push_back(r.x), y.push_back(r.y),
        racks.push_back(r.racks), kept.push_back(r.not_reached);
    high.push_back(r.high), overhead.push_back(r.overhead), also.push_back(r.also);
    type_ids.push_back(static_cast<double>(type.id)), hall_ids.push_back(static_cast<double>((*in.halls)[r.hall].id));
    first_tables.push_back(r.first.table), second_tables.push_back(r.second.table);
    first_ids.push_back(static_cast<double>(r.first.id)), second_ids.push_back(static_cast<double>(r.second.id));
    table.row_figures.push_back(
        fmt::format("space.rack_type.{}.hall.{}.delivery_width", type.id, (*in.halls)[r.hall].id));
  }
  table.add_words("type", "Rack type").words = std::move(types);
  table.add_words("hall", "Hall").words = std::move(halls);
  table.add_words("state", "State").words = std::move(words);
  table.add_numbers("racks", "Racks", kind::count).numbers = std::move(racks);
  table.add_numbers("not_reached", "Not reached", kind::count).numbers = std::move(kept);
  table.add_numbers("needed", "Width needed", kind::length, "mm").numbers = std::move(needed);
  auto& clear = table.add_numbers("clear", "Narrowest place", kind::length, "mm");
  clear.numbers = std::move(narrowest);
  clear.formula = "widest square that is pushed to all of them; to those that are not reached, where some are not";
  table.add_words("place", "Where").words = std::move(between);
  table.add_words("way_in", "Way in").words = std::move(ways_words);
  table.add_numbers("height", "Height of the crate", kind::length, "mm").numbers = std::move(high);
  table.add_numbers("overhead", "Height needed", kind::length, "mm").numbers = std::move(overhead);
  table.add_words("also", "Also in the way").words = std::move(also);
  table.add_numbers("x", "x", kind::length, "mm").numbers = std::move(x);
  table.add_numbers("y", "y", kind::length, "mm").numbers = std::move(y);
  table.add_numbers("type_id", "Id of the rack type", kind::count).numbers = std::move(type_ids);
  table.add_numbers("hall_id", "Id of the hall", kind::count).numbers = std::move(hall_ids);
  table.add_words("first_table", "Kind of the first").words = std::move(first_tables);
  table.add_numbers("first_id", "Id of the first", kind::count).numbers = std::move(first_ids);
  table.add_words("second_table", "Kind of the second").words = std::move(second_tables);
  table.add_numbers("second_id", "Id of the second", kind::count).numbers = std::move(second_ids);
  return out;
}

std::vector<AnyFormula> delivery_formulas() { return {any(crate_side), any(delivery_width_needed)}; }

} // namespace hallwright
