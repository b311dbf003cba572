// SPDX-License-Identifier: GPL-3.0-or-later
#include "project/stored_tables.h"

#include <algorithm>
#include <map>

#include "design/access.h"

namespace hallwright {
namespace {

template <class Member>
struct Held;
template <class T>
struct Held<Shared<T> Design::*> {
  using type = T;
};

template <class E>
std::vector<FieldValue> values_of(const E& entity) {
  std::vector<FieldValue> out;
  out.reserve(fields<E>().size());
  for (const Field<E>& f : fields<E>()) out.push_back(f.get(entity));
  return out;
}

template <class E>
StoredTable layout_of(std::string_view word, bool single) {
  StoredTable out{.word = word, .single = single, .fields = {}, .defaults = values_of(E{}), .records = {}};
  for (const Field<E>& f : fields<E>()) out.fields.push_back(f);
  return out;
}

template <class E>
E entity_of(const StoredRecord& record) {
  E out{};
  std::size_t i = 0;
  for (const Field<E>& f : fields<E>()) f.set(out, record.values[i++]);
  return out;
}

void check_values(const StoredTable& table, const StoredRecord& record, Complaints& complaints) {
  for (std::size_t i = 0; i < table.fields.size(); ++i) {
    if (auto ok = check_field(table.fields[i], record.values[i]); !ok)
      complaints.add(record.line, record_name(table, record.id) + ", field '" + std::string(table.fields[i].name) + "': " + ok.error());
  }
}

/// Whole numbers up to here are exact in every program that reads the text form, and the next ids still fit.
constexpr Id largest_id = Id{1} << 53;

using Owners = std::map<Id, const StoredTable*>;

Owners check_ids(const std::vector<StoredTable>& tables, Complaints& complaints) {
  Owners owners;
  for (const StoredTable& table : tables) {
    if (table.single) continue;
    for (const StoredRecord& record : table.records) {
      if (record.id < 1) {
        complaints.add(record.line, record_name(table, record.id) + ", field 'id': " + std::to_string(record.id) +
                                        " is not an id; ids are whole numbers from 1");
        continue;
      }
      if (record.id > largest_id) {
        complaints.add(record.line, record_name(table, record.id) + ", field 'id': " + std::to_string(record.id) +
                                        " is too large for an id; at most " + std::to_string(largest_id) + " (2^53) is allowed");
        continue;
      }
      const auto [place, fresh] = owners.emplace(record.id, &table);
      if (!fresh)
        complaints.add(record.line, record_name(table, record.id) + ", field 'id': " + std::to_string(record.id) + " is taken by " +
                                        record_name(*place->second, record.id) + "; every id is used once in a project");
    }
  }
  return owners;
}

void check_references(const std::vector<StoredTable>& tables, const Owners& owners, Complaints& complaints) {
  for (const StoredTable& table : tables) {
    for (std::size_t i = 0; i < table.fields.size(); ++i) {
      const FieldInfo& field = table.fields[i];
      if (field.type != FieldType::reference) continue;
      for (const StoredRecord& record : table.records) {
        const auto* id = std::get_if<std::int64_t>(&record.values[i]);
        if (id == nullptr || *id == 0) continue;
        const auto found = owners.find(*id);
        if (found != owners.end() && (field.target == any_table || found->second->word == field.target)) continue;
        std::string sentence = record_name(table, record.id) + ", field '" + std::string(field.name) + "': " + std::to_string(*id) +
                               " is not an id in " + (field.target == any_table ? "the project" : std::string(field.target));
        if (found != owners.end()) sentence += " (it is one in " + std::string(found->second->word) + ")";
        complaints.add(record.line, sentence + "; use one that is there, or 0 for none");
      }
    }
  }
}

} // namespace

std::vector<StoredTable> table_layout() {
  std::vector<StoredTable> out;
  for_each_section([&](std::string_view word, auto member) {
    out.push_back(layout_of<typename Held<decltype(member)>::type>(word, true));
  });
  for_each_table([&](std::string_view word, auto member) {
    out.push_back(layout_of<typename Held<decltype(member)>::type::value_type>(word, false));
  });
  return out;
}

std::vector<StoredTable> stored_tables(const Design& design) {
  std::vector<StoredTable> out = table_layout();
  std::size_t at = 0;
  for_each_section([&](std::string_view, auto member) {
    out[at++].records.push_back({.id = 0, .line = 0, .values = values_of(*(design.*member))});
  });
  for_each_table([&](std::string_view, auto member) {
    auto& records = out[at++].records;
    records.reserve((design.*member)->size());
    for (const auto& entity : *(design.*member)) records.push_back({.id = entity.id, .line = 0, .values = values_of(entity)});
  });
  return out;
}

void Complaints::add(int line, const std::string& sentence) {
  constexpr std::size_t most = 20;
  if (++count_ > most) return;
  sentences_.push_back(name_ + (line > 0 ? ", line " + std::to_string(line) : "") + ": " + sentence);
}

std::string Complaints::text() const {
  std::string out;
  for (const std::string& s : sentences_) out += (out.empty() ? "" : "\n") + s;
  if (count_ > sentences_.size()) out += "\n" + std::to_string(count_ - sentences_.size()) + " more faults are not listed";
  return out;
}

std::string record_name(const StoredTable& table, Id id) {
  return table.single ? std::string(table.word) : std::string(table.word) + " " + std::to_string(id);
}

std::optional<Design> design_of(std::vector<StoredTable>& tables, std::optional<Id> next_id, Complaints& complaints) {
  for (StoredTable& table : tables) {
    if (table.single && table.records.size() != 1)
      complaints.add(0, std::string(table.word) + ": " + std::to_string(table.records.size()) + " entries; there must be exactly one");
    for (const StoredRecord& record : table.records) check_values(table, record, complaints);
  }
  const Owners owners = check_ids(tables, complaints);
  check_references(tables, owners, complaints);
  const Id largest = owners.empty() ? 0 : owners.rbegin()->first;
  if (next_id && *next_id <= largest)
    complaints.add(0, "next_id " + std::to_string(*next_id) + " is not above the largest id in use; " + std::to_string(largest + 1) +
                          " or more is allowed");
  if (next_id && *next_id > largest_id + 1)
    complaints.add(0, "next_id " + std::to_string(*next_id) + " is too large; at most " + std::to_string(largest_id + 1) + " is allowed");
  if (!complaints.empty()) return std::nullopt;

  Design design;
  std::size_t at = 0;
  for_each_section([&](std::string_view, auto member) {
    using E = typename Held<decltype(member)>::type;
    design.*member = share(entity_of<E>(tables[at++].records.front()));
  });
  for_each_table([&](std::string_view, auto member) {
    using E = typename Held<decltype(member)>::type::value_type;
    std::vector<E> entities;
    entities.reserve(tables[at].records.size());
    for (const StoredRecord& record : tables[at].records) {
      entities.push_back(entity_of<E>(record));
      entities.back().id = record.id;
    }
    std::sort(entities.begin(), entities.end(), [](const E& a, const E& b) { return a.id < b.id; });
    design.*member = share(std::move(entities));
    ++at;
  });
  design.next_id = next_id.value_or(largest + 1);
  for (const std::string& fault : validate(design)) complaints.add(0, fault);
  if (!complaints.empty()) return std::nullopt;
  return design;
}

bool same_design(const Design& a, const Design& b) {
  if (a.next_id != b.next_id) return false;
  const auto left = stored_tables(a), right = stored_tables(b);
  for (std::size_t t = 0; t < left.size(); ++t) {
    if (left[t].records.size() != right[t].records.size()) return false;
    for (std::size_t r = 0; r < left[t].records.size(); ++r) {
      if (left[t].records[r].id != right[t].records[r].id || left[t].records[r].values != right[t].records[r].values) return false;
    }
  }
  return true;
}

} // namespace hallwright
