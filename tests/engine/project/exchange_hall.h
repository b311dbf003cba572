// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtTest>

#include "catalog/catalog.h"
#include "design/edits.h"

/// A hall of 12 x 8 m with two rack types, three racks, two feeds and a loop, at coordinates that are easy to work
/// with.
namespace hallwright::test {

inline const Catalog& shipped_catalog() {
  static const Catalog catalog = [] {
    auto read = read_catalog_text(HALLWRIGHT_SOURCE_DIR "/catalogs");
    if (!read) qFatal("the shipped catalog is refused");
    return *read;
  }();
  return catalog;
}

struct ExchangeHall {
  Design design;
  Id hall = 0, compute = 0, network = 0, row = 0, feed_a = 0, feed_b = 0, loop = 0;
  Id first = 0, second = 0, third = 0; ///< racks
};

inline ExchangeHall exchange_hall() {
  ExchangeHall out;
  Design& d = out.design;
  auto add = [&d](auto table, auto entity) {
    Made made = add_entity(d, table, std::move(entity));
    d = std::move(made.design);
    return made.entities.at(0).id;
  };
  d.project = share(Project{.name = "Exchange"});
  d.site = share(Site{.name = "Delta"});
  out.hall = add(&Design::halls, Hall{.name = "Hall A", .outline = {{0, 0}, {12000, 0}, {12000, 8000}, {0, 8000}}});
  out.compute = add(
      &Design::rack_types,
      RackType{.name = "Compute", .rack_part = "apc-ar3300", .width = millimeters(600), .depth = millimeters(1200)});
  out.network =
      add(&Design::rack_types, RackType{.name = "Network", .role = RackRole::fabric, .rack_part = "apc-ar3357"});
  add(&Design::rack_items,
      RackItem{
          .rack_type = out.compute, .kind = RackItemKind::node, .part = "dgx-h100", .count = 4, .lowest_half_unit = 5});
  add(&Design::rack_items, RackItem{.rack_type = out.network,
                                    .kind = RackItemKind::network_switch,
                                    .part = "qm9700",
                                    .count = 2,
                                    .lowest_half_unit = 60});
  out.row = add(&Design::rows, Row{.name = "R01", .hall = out.hall});
  out.feed_a = add(&Design::power_units, PowerUnit{.name = "PDU A",
                                                   .kind = PowerUnitKind::distribution,
                                                   .hall = out.hall,
                                                   .x = millimeters(9000),
                                                   .y = millimeters(500),
                                                   .width = millimeters(900),
                                                   .depth = millimeters(800)});
  out.feed_b = add(&Design::power_units, PowerUnit{.name = "PDU B",
                                                   .kind = PowerUnitKind::distribution,
                                                   .hall = out.hall,
                                                   .x = millimeters(10000),
                                                   .y = millimeters(500),
                                                   .width = millimeters(900),
                                                   .depth = millimeters(800)});
  out.loop = add(&Design::loops, CoolantLoop{.name = "L1"});
  out.first = add(&Design::racks, Rack{.name = "R01-01",
                                       .rack_type = out.compute,
                                       .hall = out.hall,
                                       .row = out.row,
                                       .x = millimeters(1000),
                                       .y = millimeters(2000),
                                       .feed_a = out.feed_a,
                                       .feed_b = out.feed_b,
                                       .loop = out.loop});
  out.second = add(&Design::racks, Rack{.name = "R01-02",
                                        .rack_type = out.compute,
                                        .hall = out.hall,
                                        .row = out.row,
                                        .x = millimeters(1600),
                                        .y = millimeters(2000),
                                        .rotation = degrees(90)});
  out.third = add(&Design::racks, Rack{.name = "R01-03",
                                       .rack_type = out.network,
                                       .hall = out.hall,
                                       .row = out.row,
                                       .x = millimeters(3000.5),
                                       .y = millimeters(2000),
                                       .locked = true});
  return out;
}

} // namespace hallwright::test
