// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/field_marks.h"

#include <algorithm>

namespace hallwright {
namespace {

constexpr std::size_t most_entities = 200; ///< of a form: of more at once nobody reads single marks
constexpr std::size_t most_remedies = 24;  ///< that are tried for one form

/// Leaves of the design that a figure is, or that its limit is or is made of.
std::vector<const Figure*> fields_behind(const Evaluation& e, const Figure& figure) {
  std::vector<const Figure*> out;
  const auto take = [&out](const Figure* f) {
    if (f && f->origin == Origin::design) out.push_back(f);
  };
  take(&figure);
  if (const Figure* limit = e.figures.at(figure.limit)) {
    take(limit);
    for (const FigureRef& input : limit->inputs)
      take(e.figures.at(input));
  }
  return out;
}

} // namespace

std::map<std::string, std::vector<const Finding*>> findings_of_fields(const Evaluation& e,
                                                                      const std::vector<EntityRef>& entities) {
  std::map<std::string, std::vector<const Finding*>> out;
  if (entities.empty() || entities.size() > most_entities) return out;
  std::vector<EntityRef> shown = entities;
  std::sort(shown.begin(), shown.end());
  const auto is_shown = [&shown](const EntityRef& ref) { return std::binary_search(shown.begin(), shown.end(), ref); };
  const auto add = [&out](const std::string& field, const Finding& f) {
    auto& list = out[field];
    if (std::find(list.begin(), list.end(), &f) == list.end()) list.push_back(&f);
  };
  const std::vector<FieldInfo> fields = table_fields(entities.front().table);
  std::size_t tried = 0;
  for (const Finding& f : e.findings) { // errors first
    if (f.waived) continue;
    for (const std::string& id : f.figures)
      if (const Figure* figure = e.figures.find(id))
        for (const Figure* leaf : fields_behind(e, *figure))
          if (is_shown({leaf->table, leaf->entity})) add(leaf->field, f);
    if (entities.size() != 1 || std::none_of(f.entities.begin(), f.entities.end(), is_shown)) continue;
    for (const Remedy& remedy : f.remedies) {
      if (++tried > most_remedies) break;
      const Edited mended = remedy.edit.apply(e.design);
      if (!mended) continue;
      for (const FieldInfo& field : fields) {
        const auto before = get_field(e.design, entities.front(), field.name),
                   after = get_field(*mended, entities.front(), field.name);
        if (before && after && !(*before == *after)) add(std::string(field.name), f);
      }
    }
  }
  return out;
}

} // namespace hallwright
