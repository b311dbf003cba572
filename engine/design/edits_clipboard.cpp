// SPDX-License-Identifier: GPL-3.0-or-later
#include "design/copying.h"

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

/// The clipboard: entities as text that pastes into any project.
namespace hallwright {
namespace {

constexpr std::string_view format_mark = "hallwright-clipboard";
constexpr int format_version = 1;

using Json = nlohmann::ordered_json;

/// All fields as exact text, without ids and references: what "equal content" compares.
template <class E>
std::vector<std::string> content_of(const E& e) {
  std::vector<std::string> out;
  for (const Field<E>& f : fields<E>()) {
    if (f.type != FieldType::reference) out.push_back(exact_field_text(f, f.get(e)));
  }
  return out;
}

std::vector<std::vector<std::string>> items_of(const Design& design, Id rack_type) {
  std::vector<std::vector<std::string>> out;
  for (const RackItem& item : *design.rack_items) {
    if (item.rack_type == rack_type) out.push_back(content_of(item));
  }
  std::sort(out.begin(), out.end());
  return out;
}

/// What the clipboard holds.
struct Clip {
  Design design;                                     ///< ids as written
  std::vector<EntityRef> selected;                   ///< what was copied, with what it owns
  std::vector<Id> brought_types;                     ///< rack types that only come along with their racks
  std::map<std::pair<std::string, Id>, std::string> outside; ///< names of what references outside lead to
};

tl::unexpected<std::string> not_ours(std::string_view why) {
  return tl::make_unexpected(fmt::format("The clipboard holds nothing that can be pasted: {}; copy from a Hallwright project", why));
}

template <class E>
tl::expected<void, std::string> read_fields(const Json& texts, std::string_view table, E& e) {
  if (!texts.is_object()) return not_ours(fmt::format("an entity of {} has no fields", table));
  for (const auto& [name, text] : texts.items()) {
    const Field<E>* f = field_named<E>(name);
    if (f == nullptr || !text.is_string()) return not_ours(fmt::format("{} has no field '{}'", table, name));
    const auto written = text.template get<std::string>();
    auto value = parse_field(*f, written);
    if (f->type == FieldType::outline && written.empty()) continue;
    if (!value) return not_ours(fmt::format("{} of {}: {}", name, table, value.error()));
    f->set(e, *value);
  }
  return {};
}

tl::expected<Clip, std::string> read_clip(const std::string& text) {
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object() || !json.contains("format") || json["format"] != std::string(format_mark)) return not_ours("it is other text");
  if (!json.contains("version") || !json["version"].is_number_integer()) return not_ours("it states no version");
  if (json["version"].get<std::int64_t>() > format_version)
    return not_ours(fmt::format("it is of version {}, and this program reads version {}", json["version"].get<std::int64_t>(), format_version));
  if (!json.contains("entities") || !json["entities"].is_array()) return not_ours("it lists no entities");
  if (json["entities"].size() > static_cast<std::size_t>(most_new_entities))
    return not_ours(fmt::format("it lists {} entities, and at most {} are allowed", json["entities"].size(), most_new_entities));
  Clip out;
  // Collected table by table, then sorted, since the text may have been written by hand.
  std::map<std::string, std::vector<const Json*>> by_table;
  for (const Json& entity : json["entities"]) {
    if (!entity.is_object() || !entity.contains("table") || !entity["table"].is_string() || !entity.contains("id") ||
        !entity["id"].is_number_integer() || !entity.contains("fields"))
      return not_ours("an entity has no table, id or fields");
    by_table[entity["table"].get<std::string>()].push_back(&entity);
  }
  std::vector<Id> all_ids;
  std::string refusal;
  for (const auto& [table, entities] : by_table) {
    const bool known = at_table(table, [&](auto member) {
      using E = typename TableOf<decltype(member)>::entity;
      std::vector<E> read;
      for (const Json* entity : entities) {
        E e;
        e.id = (*entity)["id"].template get<Id>();
        if (auto ok = read_fields((*entity)["fields"], table, e); !ok) {
          refusal = ok.error();
          return;
        }
        all_ids.push_back(e.id);
        const bool brought = entity->contains("brought") && (*entity)["brought"] == true;
        if (!brought) out.selected.push_back({table, e.id});
        if constexpr (std::is_same_v<E, RackType>) {
          if (brought) out.brought_types.push_back(e.id);
        }
        read.push_back(std::move(e));
      }
      std::sort(read.begin(), read.end(), [](const E& a, const E& b) { return a.id < b.id; });
      out.design.*member = hallwright::share(std::move(read));
    });
    if (!refusal.empty()) return tl::make_unexpected(refusal);
    if (!known) return not_ours(fmt::format("'{}' is not a table", table));
  }
  std::sort(all_ids.begin(), all_ids.end());
  if (!all_ids.empty() && (all_ids.front() < 1 || std::adjacent_find(all_ids.begin(), all_ids.end()) != all_ids.end()))
    return not_ours("its ids are not unique");
  if (json.contains("outside") && json["outside"].is_array()) {
    for (const Json& ref : json["outside"]) {
      if (ref.is_object() && ref.contains("table") && ref["table"].is_string() && ref.contains("id") && ref["id"].is_number_integer() &&
          ref.contains("name") && ref["name"].is_string())
        out.outside[{ref["table"].get<std::string>(), ref["id"].get<Id>()}] = ref["name"].get<std::string>();
    }
  }
  std::sort(out.brought_types.begin(), out.brought_types.end());
  return out;
}

} // namespace

std::string copy_text(const Design& design, const std::vector<EntityRef>& what) {
  std::vector<EntityRef> present;
  std::copy_if(what.begin(), what.end(), std::back_inserter(present), [&](const EntityRef& ref) { return ref.id != 0 && has_entity(design, ref); });
  const Selection chosen = with_groups(design, with_belongings(design, Selection::of(design, present).value_or(Selection{}), copied_along()));
  // Racks bring their types, and types their content, so that they mean the same in another project.
  Selection all = chosen;
  std::vector<Id> types;
  for (const Id id : chosen.ids("racks")) {
    if (const Id type = find(*design.racks, id)->rack_type; type != 0) types.push_back(type);
  }
  for (Selection::Part& part : all.parts) {
    if (part.table != "rack_types") continue;
    part.ids.insert(part.ids.end(), types.begin(), types.end());
    std::sort(part.ids.begin(), part.ids.end());
    part.ids.erase(std::unique(part.ids.begin(), part.ids.end()), part.ids.end());
  }
  all = with_belongings(design, std::move(all), copied_along());
  Json entities = Json::array();
  std::map<EntityRef, std::string> outside;
  for (const Selection::Part& part : all.parts) {
    at_table(part.table, [&](auto member) {
      using E = typename TableOf<decltype(member)>::entity;
      for (const Id id : part.ids) {
        const E* e = find(*(design.*member), id);
        if (e == nullptr) continue;
        Json texts = Json::object();
        for (const Field<E>& f : fields<E>()) {
          const FieldValue value = f.get(*e);
          texts[std::string(f.name)] = exact_field_text(f, value);
          if (f.type != FieldType::reference) continue;
          const Id to = std::get<Id>(value);
          if (to == 0 || all.holds(f.target, to)) continue;
          const EntityRef ref{std::string(f.target), to};
          if (!outside.contains(ref)) outside[ref] = entity_name(design, ref);
        }
        Json entity{{"table", std::string(part.table)}, {"id", id}, {"fields", std::move(texts)}};
        if (!chosen.holds(part.table, id)) entity["brought"] = true;
        entities.push_back(std::move(entity));
      }
    });
  }
  Json others = Json::array();
  for (const auto& [ref, name] : outside) others.push_back({{"table", ref.table}, {"id", ref.id}, {"name", name}});
  const Json out{{"format", std::string(format_mark)}, {"version", format_version}, {"entities", std::move(entities)}, {"outside", std::move(others)}};
  return out.dump(1, ' ', false, Json::error_handler_t::replace);
}

Making paste_text(const Design& design, const std::string& text, Id hall, Length dx, Length dy) {
  if (!std::isfinite(in_meters(dx)) || !std::isfinite(in_meters(dy)))
    return tl::make_unexpected("The distance is not a finite number; write a length such as 600 mm");
  const auto clip = read_clip(text);
  if (!clip) return tl::make_unexpected(clip.error());
  CopyRequest request{.source = &clip->design, .target = &design, .shifts = {{in_meters(dx), in_meters(dy)}}, .hall = hall};
  std::vector<EntityRef> what = clip->selected;
  for (const Id id : clip->brought_types) {
    const RackType& type = *find(*clip->design.rack_types, id);
    const auto same = std::find_if(design.rack_types->begin(), design.rack_types->end(), [&](const RackType& t) {
      return t.name == type.name && content_of(t) == content_of(type) && items_of(design, t.id) == items_of(clip->design, id);
    });
    if (same != design.rack_types->end()) {
      request.stand_ins[{"rack_types", id}] = same->id;
    } else {
      what.push_back({"rack_types", id});
      for (const RackItem& item : *clip->design.rack_items) {
        if (item.rack_type == id) what.push_back({"rack_items", item.id});
      }
    }
  }
  // A reference to something that was not copied is kept where the project holds the same thing under the same id.
  request.outside = [&](std::string_view table, Id id) -> Id {
    const auto it = clip->outside.find({std::string(table), id});
    const EntityRef ref{std::string(table), id};
    return it != clip->outside.end() && has_entity(design, ref) && entity_name(design, ref) == it->second ? id : 0;
  };
  const auto selection = Selection::of(clip->design, what);
  if (!selection) return tl::make_unexpected(selection.error());
  request.selection = &*selection;
  return copied(request);
}

} // namespace hallwright
