// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <string_view>
#include <tuple>

#include <fmt/format.h>

#include "catalog/catalog.h"

namespace hallwright {
namespace {

bool begins_with_any(std::string_view id, std::initializer_list<std::string_view> fronts) {
  return std::any_of(fronts.begin(), fronts.end(), [&](std::string_view front) { return id.starts_with(front); });
}

/// What may stand for the value of an assumption: what the engine divides by is above 0, and a share is at most 1.
/// An empty text: it may.
std::string assumption_refusal(const Assumption& row, double value) {
  const std::string_view id = row.id;
  const bool share = id.find("efficiency") != std::string_view::npos || id.ends_with("_share") || id.ends_with("usable_fraction") ||
                     begins_with_any(id, {"power.power_factor", "reliability.goodput_target", "fabric.hashed_", "training.matrix_share_",
                                          "training.mfu_"});
  const bool divides =
      begins_with_any(id, {"efficiency.", "power.power_factor", "reliability.goodput_target", "fabric.hashed_", "training.matrix_share_",
                           "training.mfu_", "training.memory_share", "training.scale_up_share", "training.network_share",
                           "training.all_to_all_", "training.grouped", "training.clock_", "cooling.coolant_rise",
                           "cooling.tower_cycles", "cooling.chiller_cop_", "cooling.pump_efficiency", "cooling.pump_motor_efficiency",
                           "air.density", "air.specific_heat", "air.temperature_rise", "floor.rack_feet", "floor.structural_bay",
                           "storage.usable_fraction", "fabric.nic_efficiency", "life."}) ||
      id.find("mean_time_between") != std::string_view::npos;
  const double low = id.starts_with("pue.") ? 1.0 : 0.0;
  const bool bounded_below = low > 0.0 || share || divides || (row.unit != "C" && row.value && *row.value >= 0.0);
  const bool too_low = bounded_below && (divides ? value <= 0.0 : value < low), too_high = share && value > 1.0;
  if (!too_low && !too_high) return {};
  const std::string least = divides ? "above 0" : fmt::format("at least {:g}", low);
  const std::string unit = row.unit == "1" ? "" : " " + row.unit;
  return fmt::format("Value: {:g}{} is out of range; {}{} is allowed", value, unit, least, share ? ", at most 1," : unit);
}

/// Number of an assumption in the unit of its row: "5" and "5 h" are the same where the row is in hours, and so is
/// "300 min". A unit that no kind of quantity has ("dB") takes a bare number only.
tl::expected<FieldValue, std::string> parse_assumption(const FieldInfo& field, const Assumption& row, const std::string& text) {
  if (row.unit.empty() || row.unit == "1") return parse_field(field, text);
  if (auto bare = parse_field(field, text)) return bare;
  std::string refusal = "is a number in " + row.unit;
  for (const Kind* kind : all_kinds()) {
    if (row.unit == "K" && kind->scale == Scale::point) continue; // rows in K are differences, those in C temperatures
    const auto zero = parse_quantity("0 " + row.unit, *kind), one = parse_quantity("1 " + row.unit, *kind);
    if (!zero || !one || *one == *zero) continue;
    const auto base = parse_quantity(text, *kind);
    if (!base) {
      refusal = base.error();
      continue;
    }
    // Fifteen digits: what a person typed, without the rounding of the two conversions.
    const std::string digits = fmt::format("{:.15g}", (*base - *zero) / (*one - *zero));
    double number = 0.0;
    std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return FieldValue(number);
  }
  return tl::make_unexpected(fmt::format("'{}' does not fit; the row is in {}: {}", text, row.unit, refusal));
}

tl::expected<FieldValue, std::string> parse_override(const Catalog& catalog, const FieldInfo& field, const std::string& text) {
  auto value = parse_field(field, text);
  if (value && field.target == part_kind<Accelerator>())
    if (const auto* id = std::get_if<std::string>(&*value); id && !id->empty() && !catalog.find<Accelerator>(*id))
      return tl::make_unexpected(fmt::format("the catalog has no accelerator '{}'", *id));
  return value;
}

/// "part override of dgx-h100 power_max_w: replaced 2 times, with '9 kW' and '10 kW'; keep one of them".
std::string rival_overrides(const std::vector<const PartOverrideValue*>& rivals) {
  std::string values;
  for (std::size_t i = 0; i < rivals.size(); ++i)
    values += fmt::format("{}'{}'", i == 0 ? "" : i + 1 == rivals.size() ? " and " : ", ", rivals[i]->value);
  const PartOverrideValue& first = *rivals.front();
  return fmt::format("part override of {} {}: the field is replaced {} times, with {}; the catalog's value stands until one of them is left",
                     first.part, first.field, rivals.size(), values);
}

} // namespace

std::vector<PartSummary> part_summaries(const Catalog& catalog, std::string_view kind) {
  std::vector<PartSummary> out;
  for_each_part_type([&]<class P>(std::type_identity<P>) {
    if (part_kind<P>() != kind) return;
    for (const P& p : catalog.of<P>())
      out.push_back({std::string(kind), p.id, p.name, p.vendor, p.source, p.as_of, p.confidence, p.notes,
                     catalog.user_parts.count({std::string(kind), p.id}) > 0});
  });
  return out;
}

std::vector<PartFieldValue> part_values(const Catalog& catalog, std::string_view kind, std::string_view id) {
  std::vector<PartFieldValue> out;
  for_each_part_type([&]<class P>(std::type_identity<P>) {
    if (part_kind<P>() != kind) return;
    const P* part = catalog.find<P>(id);
    if (!part) return;
    for (const auto& f : part_fields<P>())
      out.push_back({f, f.get(*part), catalog.overridden.count(std::tuple(std::string(kind), std::string(id), std::string(f.name))) > 0});
  });
  return out;
}

Catalog with_overrides(const Catalog& catalog, const std::vector<PartOverrideValue>& overrides, std::vector<std::string>& problems) {
  Catalog out = catalog;
  std::map<std::tuple<std::string_view, std::string_view, std::string_view>, std::vector<const PartOverrideValue*>> by_field;
  for (const PartOverrideValue& o : overrides) by_field[{o.kind, o.part, o.field}].push_back(&o);
  for (const PartOverrideValue& o : overrides) {
    const auto& rivals = by_field.at({o.kind, o.part, o.field});
    bool known_kind = false;
    for_each_part_type([&]<class P>(std::type_identity<P>) {
      if (part_kind<P>() != o.kind) return;
      known_kind = true;
      const P* present = catalog.find<P>(o.part);
      if (!present) {
        problems.push_back(fmt::format("part override: the catalog has no {} '{}'", o.kind, o.part));
        return;
      }
      for (const auto& f : part_fields<P>()) {
        if (f.name != o.field) continue;
        if (f.name == "id") {
          problems.push_back("part override: the id of a part cannot be replaced");
          return;
        }
        if (rivals.size() > 1) { // which of them is meant nobody can tell
          if (rivals.front() == &o) problems.push_back(rival_overrides(rivals));
          return;
        }
        auto value = [&] {
          if constexpr (std::is_same_v<P, Assumption>)
            if (f.type == FieldType::number) return parse_assumption(f, *present, o.value);
          return parse_override(catalog, f, o.value);
        }();
        if (value)
          if (auto ok = check_field(f, *value); !ok) value = tl::make_unexpected(ok.error());
        if constexpr (std::is_same_v<P, Assumption>)
          if (const double* number = value && f.name == "value" ? std::get_if<double>(&*value) : nullptr)
            if (std::string why = assumption_refusal(*present, *number); !why.empty()) value = tl::make_unexpected(std::move(why));
        if (!value) {
          problems.push_back(fmt::format("part override of {} {}: {}", o.part, o.field, value.error()));
          return;
        }
        f.set(out.of<P>()[static_cast<std::size_t>(present - &*catalog.of<P>().begin())], *value);
        out.overridden.insert({o.kind, o.part, o.field});
        return;
      }
      problems.push_back(fmt::format("part override: a {} has no field '{}'", o.kind, o.field));
    });
    if (!known_kind) problems.push_back(fmt::format("part override: '{}' is not a kind of part", o.kind));
  }
  return out;
}

Catalog layered(const Catalog& shipped, const Catalog& user) {
  Catalog out = shipped;
  out.date = std::max(shipped.date, user.date);
  for_each_part_type([&]<class P>(std::type_identity<P>) {
    auto& parts = out.of<P>();
    for (const P& p : user.of<P>()) {
      const auto at = std::lower_bound(parts.begin(), parts.end(), p.id, [](const P& a, const std::string& id) { return a.id < id; });
      if (at != parts.end() && at->id == p.id) *at = p;
      else parts.insert(at, p);
      out.user_parts.insert({std::string(part_kind<P>()), p.id});
    }
  });
  return out;
}

} // namespace hallwright
