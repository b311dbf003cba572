// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <tl/expected.hpp>

#include "catalog/part_list.h"
#include "catalog/parts.h"

namespace hallwright {

/// All parts, each kind sorted by id. Immutable once made; a design's overrides make a changed copy, which shares the
/// lists of the kinds that it does not change.
struct Catalog {
  PartList<Accelerator> accelerators;
  PartList<NodePart> nodes;
  PartList<RackPart> racks;
  PartList<PowerPart> power;
  PartList<CoolingPart> cooling;
  PartList<SwitchPart> switches;
  PartList<OpticPart> optics;
  PartList<CablePart> cables;
  PartList<StoragePart> storage;
  PartList<ModelPart> models;
  PartList<FluidPart> fluids;
  PartList<ClimatePart> climates;
  PartList<Assumption> assumptions;
  std::string date; ///< newest `as_of` of its rows: printed on reports
  /// (kind, part id, field) of values that a design overrides.
  std::set<std::tuple<std::string, std::string, std::string>, std::less<>> overridden;
  /// (kind, part id) of parts that come from the user's catalog.
  std::set<std::pair<std::string, std::string>> user_parts;

  template <class P>
  [[nodiscard]] const PartList<P>& of() const {
    if constexpr (std::is_same_v<P, Accelerator>) return accelerators;
    else if constexpr (std::is_same_v<P, NodePart>) return nodes;
    else if constexpr (std::is_same_v<P, RackPart>) return racks;
    else if constexpr (std::is_same_v<P, PowerPart>) return power;
    else if constexpr (std::is_same_v<P, CoolingPart>) return cooling;
    else if constexpr (std::is_same_v<P, SwitchPart>) return switches;
    else if constexpr (std::is_same_v<P, OpticPart>) return optics;
    else if constexpr (std::is_same_v<P, CablePart>) return cables;
    else if constexpr (std::is_same_v<P, StoragePart>) return storage;
    else if constexpr (std::is_same_v<P, ModelPart>) return models;
    else if constexpr (std::is_same_v<P, FluidPart>) return fluids;
    else if constexpr (std::is_same_v<P, ClimatePart>) return climates;
    else return assumptions;
  }
  template <class P>
  [[nodiscard]] PartList<P>& of() {
    return const_cast<PartList<P>&>(static_cast<const Catalog*>(this)->of<P>());
  }
  /// The part of this id, or null.
  template <class P>
  [[nodiscard]] const P* find(std::string_view id) const {
    const auto& list = of<P>();
    auto it = std::lower_bound(list.begin(), list.end(), id, [](const P& p, std::string_view wanted) { return p.id < wanted; });
    return it != list.end() && it->id == id ? &*it : nullptr;
  }
};

/// Calls `f` with a `P` tag value for each part type: `for_each_part_type([&]<class P>(std::type_identity<P>) {...})`.
template <class F>
void for_each_part_type(F&& f) {
  f(std::type_identity<Accelerator>{});
  f(std::type_identity<NodePart>{});
  f(std::type_identity<RackPart>{});
  f(std::type_identity<PowerPart>{});
  f(std::type_identity<CoolingPart>{});
  f(std::type_identity<SwitchPart>{});
  f(std::type_identity<OpticPart>{});
  f(std::type_identity<CablePart>{});
  f(std::type_identity<StoragePart>{});
  f(std::type_identity<ModelPart>{});
  f(std::type_identity<FluidPart>{});
  f(std::type_identity<ClimatePart>{});
  f(std::type_identity<Assumption>{});
}

/// A part without its type, for lists, search, the parts dock and the inspector.
struct PartSummary {
  std::string kind, id, name, vendor, source, as_of, confidence, notes;
  bool from_user = false;
};
std::vector<PartSummary> part_summaries(const Catalog& catalog, std::string_view kind);
/// Field list with values of one part ("power_max_w", label, value, kind, overridden); empty when there is no such part.
struct PartFieldValue {
  FieldInfo field;
  FieldValue value;
  bool overridden = false;
};
std::vector<PartFieldValue> part_values(const Catalog& catalog, std::string_view kind, std::string_view id);

/// One replaced field of one part, as a design states it.
struct PartOverrideValue {
  std::string kind, part, field, value; ///< `value` is unit-aware text
};
/// A copy with the overrides applied and marked; an override that names no part or field, or does not parse, is
/// reported in `problems` (one sentence each) and left out. Where several replace one field, none of them holds and the
/// problem names them all.
Catalog with_overrides(const Catalog& catalog, const std::vector<PartOverrideValue>& overrides, std::vector<std::string>& problems);

/// Reads the text catalog of a folder (`nodes.csv`, ...). Problems name file, line, column and value, all at once.
/// `beneath` is the shipped catalog where the folder is a user's, which may hold only some of the files and may refer to
/// shipped parts; without it every file must be there.
tl::expected<Catalog, std::vector<std::string>> read_catalog_text(const std::string& folder, const Catalog* beneath = nullptr);
/// Writes / reads the one-file form that the build makes (SQLite, one table a kind). Columns are named as the headers of
/// the text and hold the same numbers, in the header's unit. Marks of overrides and user parts are not kept.
/// Writing makes a new file and renames it; a missing, foreign, newer or damaged file is refused with a sentence.
tl::expected<void, std::string> write_catalog_file(const Catalog& catalog, const std::string& file);
tl::expected<Catalog, std::string> read_catalog_file(const std::string& file);
/// The compiled catalog: `wanted` where it is not empty (what the environment names), else beside the program in
/// `../share/hallwright/`. The error says where it was looked for.
tl::expected<std::string, std::string> find_catalog_file(const std::string& program_folder, const std::string& wanted = {});
/// Lays a user's catalog over the shipped one: equal ids replace whole rows, other rows are added, both marked.
Catalog layered(const Catalog& shipped, const Catalog& user);

} // namespace hallwright
