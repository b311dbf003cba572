// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <tl/expected.hpp>

#include "quantity/kind.h"
#include "quantity/text.h"

/// How a member of an entity is described once, for inspector, file, validation, diff and CSV.
/// The maker that needs C++ quantity types is in `field_maker.h`; this header has no Boost.
namespace hallwright {

/// Stable identity of an entity in a design. 0 means "none".
using Id = std::int64_t;

/// Target of a reference that may lead to an entity of any table: ids are unique over all of them.
inline constexpr std::string_view any_table = "any";

/// A point on the plan, millimetres from the origin of its hall (x to the right, y downwards).
struct PlanPoint {
  double x_mm = 0.0, y_mm = 0.0;
  friend bool operator==(const PlanPoint&, const PlanPoint&) = default;
};

enum class FieldType : std::uint8_t {
  number,    ///< amount of a kind, base unit, double
  count,     ///< whole number
  text,      ///< free text
  boolean,   ///< yes or no
  choice,    ///< one of `choices`, held as its word
  reference, ///< Id of an entity in table `target`
  part,      ///< id of a catalog part of kind `target`
  outline    ///< polygon, or a path where `minimum` is 2: text "x,y x,y ..." in millimetres
};

/// Value of a field without its type; monostate: not set (unknown, or taken from the catalog).
using FieldValue = std::variant<std::monostate, bool, std::int64_t, double, std::string>;

/// What is known of a field whatever entity it belongs to.
struct FieldInfo {
  std::string_view name;  ///< stable, snake_case: file column, CLI path, JSON key
  std::string_view label; ///< for people
  FieldType type = FieldType::text;
  const Kind* kind = nullptr; ///< for number and count
  double minimum = -std::numeric_limits<double>::infinity();
  double maximum = std::numeric_limits<double>::infinity();
  bool optional = false;                         ///< may be not set
  std::span<const std::string_view> choices = {}; ///< for choice
  /// Table or part kind, for reference and part; `any_table` for a reference to whatever has an id.
  std::string_view target = {};
  std::string_view unit = {};                    ///< preferred display unit (its symbol)
  std::string_view help = {};                    ///< one or two sentences: meaning, range, where the default comes from
  std::string_view section = {};                 ///< heading under which forms fold it away; empty: always in sight
  /// "kind: ups, generator": forms show it where that choice is one of these words; empty: always. Files keep it anyway.
  std::string_view only_for = {};
};

template <class Entity>
struct Field : FieldInfo {
  FieldValue (*get)(const Entity&) = nullptr;
  /// Sets a value that `check_field` has accepted.
  void (*set)(Entity&, const FieldValue&) = nullptr;
};

/// Refuses a value of the wrong type or outside the range, with a sentence that names field, value and range.
[[nodiscard]] tl::expected<void, std::string> check_field(const FieldInfo& field, const FieldValue& value);

/// Text of a field's value for people: three digits in the field's unit, "" when not set.
[[nodiscard]] std::string field_text(const FieldInfo& field, const FieldValue& value, DecimalMark mark = DecimalMark::point);
/// Text of a field's value for CSV and the command line: full precision and unit, locale-free ("600 mm", "16384", "90 %");
/// `parse_field` reads it back as the very same value. "" when not set.
[[nodiscard]] std::string exact_field_text(const FieldInfo& field, const FieldValue& value);

/// Reads typed text into a value of this field ("" is "not set" for optional fields). A bare number is taken in the
/// field's unit. The sentence of a refusal starts with the field's label.
[[nodiscard]] tl::expected<FieldValue, std::string> parse_field(const FieldInfo& field, std::string_view text,
                                                                DecimalMark mark = DecimalMark::point);
/// The same for an editor that may also be given `+=`, `-=`, `*=` or `/=` of the `present` value.
[[nodiscard]] tl::expected<FieldValue, std::string> parse_field_edit(const FieldInfo& field, std::string_view text,
                                                                     const FieldValue& present,
                                                                     DecimalMark mark = DecimalMark::point);

/// "0,0 36000,0 36000,16000": corners in millimetres, full precision.
[[nodiscard]] std::string outline_text(const std::vector<PlanPoint>& outline);
/// Reads corners as written by `outline_text`: at least `least_corners`, within 10 km of the origin, no two neighbours
/// equal. A polygon (three or more needed) must enclose an area, and its sides must not cross.
[[nodiscard]] tl::expected<std::vector<PlanPoint>, std::string> parse_outline(std::string_view text,
                                                                              std::size_t least_corners = 3);

} // namespace hallwright
