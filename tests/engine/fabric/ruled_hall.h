// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <QString>

#include "fabric/cabling.h"
#include "project/project_file.h"

/// Halls with networks for the tests of rules: nodes in rows, switches in fabric racks, and the shipped catalog.
namespace hallwright::test {

inline const Catalog& shipped_parts() {
  static const Catalog catalog = [] {
    auto read = read_catalog_text(HALLWRIGHT_SOURCE_DIR "/catalogs");
    if (!read) throw std::runtime_error(read.error().front());
    return std::move(*read);
  }();
  return catalog;
}

/// Everything that the rules of networks see, and what they say.
struct Ruled {
  Design design;
  Shared<Catalog> catalog;
  PopulationResult population;
  SpaceResult space;
  FabricResult fabric;
  CablingResult cabling;
  Figures figures;
  std::vector<Finding> findings;

  [[nodiscard]] Count found(std::string_view code) const {
    return std::count_if(findings.begin(), findings.end(), [&](const Finding& f) { return f.code == code; });
  }
  [[nodiscard]] const Finding& the(std::string_view code) const {
    for (const Finding& f : findings)
      if (f.code == code) return f;
    throw std::runtime_error("no finding " + std::string(code));
  }
  [[nodiscard]] Count errors() const {
    return std::count_if(findings.begin(), findings.end(),
                         [](const Finding& f) { return f.severity == Severity::error; });
  }
  [[nodiscard]] std::string all() const {
    std::string out;
    for (const Finding& f : findings)
      out += f.code + " " + std::string(severity_word(f.severity)) + (f.undecided ? " undecided: " : ": ") + f.message +
             "\n";
    return out;
  }
  [[nodiscard]] bool says(std::string_view code, std::string_view words) const {
    return std::any_of(findings.begin(), findings.end(),
                       [&](const Finding& f) { return f.code == code && f.message.find(words) != std::string::npos; });
  }
};

/// A figure of a stage that comes after the fabric, as the rules find it.
struct LaterFigure {
  Page page = Page::storage;
  std::string id;
  double value = 0;
};

inline Ruled ruled(const Design& design, const Catalog& parts = shipped_parts(),
                   const std::vector<LaterFigure>& later = {}) {
  Ruled r;
  r.design = design;
  const Design& d = r.design;
  std::vector<PartOverrideValue> values;
  for (const PartOverride& o : *d.part_overrides)
    values.push_back({o.part_kind, o.part, o.field, o.value});
  std::vector<std::string> problems;
  r.catalog = share(values.empty() ? parts : with_overrides(parts, values, problems));
  if (!problems.empty()) throw std::runtime_error(problems.front());
  r.population = population({d.site, d.goal, d.rack_types, d.rack_items, d.racks, d.project, r.catalog});
  const auto routed =
      share(routes({d.rack_types, d.rack_items, d.racks, d.power_units, d.cooling_units, d.trays, d.pipes, r.catalog}));
  r.space = space({d.site, d.halls, d.structures, d.rack_types, d.rack_items, d.racks, d.power_units, d.cooling_units,
                   r.catalog, d.zones, d.containments, d.trays, d.pipes},
                  r.population, routed);
  r.fabric = fabric({d.networks, d.rack_items, d.project, d.storage, d.goal, r.catalog}, r.population, r.space);
  r.cabling =
      cabling({d.networks, d.rack_types, d.rack_items, d.racks, d.storage, r.catalog}, r.population, r.fabric, r.space);
  r.figures.add(r.population);
  r.figures.add(r.space);
  r.figures.add(r.fabric);
  r.figures.add(r.cabling);
  for (const LaterFigure& f : later) {
    LedgerPage page;
    page.page = f.page;
    Figure figure;
    figure.id = f.id;
    figure.label = f.id;
    figure.value = f.value;
    page.figures.push_back(figure);
    r.figures.add(StageResult{seal(std::move(page)), share(std::vector<Table>{})});
  }
  r.findings = run_rules({d, *r.catalog, r.figures}, fabric_rules());
  return r;
}

/// A copy with one table changed.
template <class E, class F>
Design with(Design d, Shared<std::vector<E>> Design::*table, F&& change) {
  std::vector<E> copy = *(d.*table);
  change(copy);
  d.*table = share(std::move(copy));
  return d;
}
/// A copy with the network of this id changed.
template <class F>
Design with_network(Design d, Id id, F&& change) {
  return with(std::move(d), &Design::networks, [&](std::vector<Network>& all) {
    for (Network& n : all)
      if (n.id == id) change(n);
  });
}
inline Design with_part(Design d, std::string kind, std::string part, std::string field, std::string value) {
  return with(std::move(d), &Design::part_overrides, [&](std::vector<PartOverride>& all) {
    PartOverride o;
    o.id = 9000 + static_cast<Id>(all.size());
    o.part_kind = std::move(kind);
    o.part = std::move(part);
    o.field = std::move(field);
    o.value = std::move(value);
    all.push_back(o);
  });
}

inline constexpr Id compute_id = 50;

/// DGX H100 nodes on 64-port switches with modules and multimode fibre, a unit of 32 places: the published design.
inline Network compute_network() {
  Network n;
  n.id = compute_id;
  n.name = "Compute";
  n.switch_part = "qm9700";
  n.node_optic_part = "mma4z00-ns-flt";
  n.leaf_optic_part = n.spine_optic_part = "mma4z00-ns";
  n.node_cable_part = n.spine_cable_part = "mmf-mpo-400";
  n.reserved_node_places = 1;
  n.reserved_links = 4;
  return n;
}

/// `nodes` nodes, four to a rack, eight racks to a row; two fabric racks with `switches` switches each beside the first
/// row.
inline Design hall_of(Count nodes, Count switches, std::vector<Network> networks = {compute_network()}) {
  Design d;
  Hall hall;
  hall.id = 5;
  hall.name = "Hall A";
  hall.outline = {{0, 0}, {40000, 0}, {40000, 60000}, {0, 60000}};
  d.halls = share(std::vector{hall});
  std::vector<RackType> types(3);
  std::vector<RackItem> items;
  const std::pair<const char*, RackRole> kinds[] = {
      {"Air", RackRole::compute}, {"Fabric", RackRole::fabric}, {"Rest", RackRole::compute}};
  for (std::size_t i = 0; i < 3; ++i) {
    types[i].id = static_cast<Id>(i) + 1;
    types[i].name = kinds[i].first;
    types[i].role = kinds[i].second;
    types[i].width = millimeters(600);
    types[i].depth = millimeters(1200);
    types[i].height = millimeters(2200);
  }
  auto item = [&](Id id, Id type, RackItemKind kind, std::string part, Count count, Count from) {
    RackItem it;
    it.id = id;
    it.rack_type = type;
    it.kind = kind;
    it.part = std::move(part);
    it.count = count;
    it.lowest_half_unit = from;
    if (count > 0) items.push_back(it);
  };
  item(11, 1, RackItemKind::node, "dgx-h100", 4, 1);
  item(12, 2, RackItemKind::network_switch, "qm9700", switches, 21);
  item(13, 3, RackItemKind::node, "dgx-h100", nodes % 4, 1);
  std::vector<Rack> racks;
  auto rack = [&](Id id, Id type, Count column, Count row) {
    Rack r;
    r.id = id;
    r.name = "R" + std::to_string(id);
    r.rack_type = type;
    r.hall = 5;
    r.x = millimeters(1000.0 + 600.0 * static_cast<double>(column));
    r.y = millimeters(1000.0 + 2400.0 * static_cast<double>(row));
    racks.push_back(r);
  };
  const Count full = nodes / 4;
  for (Count i = 0; i < full; ++i)
    rack(100 + i, 1, i % 8, i / 8);
  if (nodes % 4 > 0) rack(100 + full, 3, full % 8, full / 8);
  if (switches > 0) {
    rack(800, 2, 9, 0);
    rack(801, 2, 10, 0);
  }
  d.rack_types = share(std::move(types));
  d.rack_items = share(std::move(items));
  d.racks = share(std::move(racks));
  d.networks = share(std::move(networks));
  d.next_id = 100000;
  return d;
}

/// "" when every remedy of the first finding of `code` can be applied, takes that finding away and brings no new error.
inline std::string remedies_clear(const Ruled& before, std::string_view code, std::size_t at_least = 1,
                                  const Catalog& parts = shipped_parts(), const std::vector<LaterFigure>& later = {}) {
  const Finding f = before.the(code);
  if (f.remedies.size() < at_least) return "only " + std::to_string(f.remedies.size()) + " remedies: " + f.message;
  for (const Remedy& remedy : f.remedies) {
    const Edited edited = remedy.edit.apply(before.design);
    if (!edited) return remedy.edit.label + " refuses: " + edited.error();
    const Ruled after = ruled(*edited, parts, later);
    if (after.found(code) >= before.found(code)) return remedy.edit.label + " leaves it:\n" + after.all();
    if (after.errors() > before.errors()) return remedy.edit.label + " brings errors:\n" + after.all();
  }
  return {};
}

} // namespace hallwright::test

/// A rule speaks with these words, or says nothing, or its remedies take it away and bring no error.
#define SAYS(r, code, words)                                                                                           \
  do {                                                                                                                 \
    const hallwright::test::Ruled& ruled_here = (r);                                                                   \
    QVERIFY2(ruled_here.says(code, words), ruled_here.all().c_str());                                                  \
  } while (false)
#define SILENT(r, code)                                                                                                \
  do {                                                                                                                 \
    const hallwright::test::Ruled& ruled_here = (r);                                                                   \
    QVERIFY2(ruled_here.found(code) == 0, ruled_here.all().c_str());                                                   \
  } while (false)
#define CLEARS(before, code, ...)                                                                                      \
  do {                                                                                                                 \
    const std::string left_over = hallwright::test::remedies_clear(before, code, ##__VA_ARGS__);                       \
    QVERIFY2(left_over.empty(), left_over.c_str());                                                                    \
  } while (false)
