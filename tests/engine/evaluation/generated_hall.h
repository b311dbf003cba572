// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>

#include "catalog/catalog.h"
#include "design/edits.h"

/// Designs of any size for tests and measurements: racks of four DGX H100 in halls of rows, with power, cooling, networks
/// and a job, made through the same edits that the tools of the plan use.
namespace hallwright::test {

inline Design must(Edited edited) {
  if (!edited) throw std::runtime_error(edited.error());
  return *std::move(edited);
}
inline Made must(Making made) {
  if (!made) throw std::runtime_error(made.error());
  return *std::move(made);
}

/// A design of `gpus` GPUs in racks of 32, at most 512 racks a hall. `gpus` is rounded up to whole racks.
inline Design generated_hall(Count gpus) {
  constexpr Count gpus_per_rack = 32, racks_per_row = 16, rows_per_hall = 32;
  Design d;
  const auto add = [&](auto table, auto entity) {
    Made made = add_entity(d, table, std::move(entity));
    d = std::move(made.design);
    return made.entities.at(0).id;
  };
  const Count racks = (gpus + gpus_per_rack - 1) / gpus_per_rack;
  const double megawatt = static_cast<double>(racks) * 0.0408;

  Project project;
  project.name = "Generated, " + std::to_string(racks * gpus_per_rack) + " GPUs";
  d.project = share(project);
  Site site;
  site.name = "Generated";
  site.utility_power = megawatts(megawatt * 1.6);
  d.site = share(site);

  RackType type;
  type.name = "DGX H100 rack";
  type.rack_part = "generic-48u-600x1200";
  type.power_limit = kilowatts(45);
  const Id rack_type = add(&Design::rack_types, type);
  RackItem node;
  node.rack_type = rack_type;
  node.kind = RackItemKind::node;
  node.part = "dgx-h100";
  node.count = 4;
  add(&Design::rack_items, node);
  Network compute;
  compute.name = "Compute";
  compute.switch_part = "qm9700";
  compute.nodes_per_unit = 32;
  add(&Design::networks, compute);
  Network storage;
  storage.name = "Storage";
  storage.kind = NetworkKind::storage;
  storage.switch_part = "qm9700";
  storage.links_per_node = 2;
  storage.rails = false;
  add(&Design::networks, storage);

  for (Count placed = 0, hall_number = 1; placed < racks; ++hall_number) {
    const std::string mark = std::to_string(hall_number);
    Hall hall;
    hall.name = "Hall " + mark;
    hall.outline = {{0, 0}, {16000, 0}, {16000, 86000}, {0, 86000}};
    const Id hall_id = add(&Design::halls, hall);
    const auto unit = [&](const char* name, PowerUnitKind kind, double rating_mw, Id upstream, Feed feed) {
      PowerUnit u;
      u.name = name + mark;
      u.kind = kind;
      u.hall = hall_id;
      u.upstream = upstream;
      u.feed = feed;
      u.rating = megawatts(rating_mw);
      return add(&Design::power_units, u);
    };
    const Id utility = unit("Utility ", PowerUnitKind::utility_feed, 40, 0, Feed::both);
    const Id ups_a = unit("UPS A", PowerUnitKind::ups, 24, unit("Transformer A", PowerUnitKind::transformer, 30, utility, Feed::a), Feed::a);
    const Id ups_b = unit("UPS B", PowerUnitKind::ups, 24, unit("Transformer B", PowerUnitKind::transformer, 30, utility, Feed::b), Feed::b);
    CoolantLoop loop;
    loop.name = "Loop " + mark;
    const Id loop_id = add(&Design::loops, loop);
    for (int i = 0; i < 4; ++i) {
      CoolingUnit cdu;
      cdu.name = "CDU " + mark + "." + std::to_string(i + 1);
      cdu.part = "vertiv-coolchip-2300";
      cdu.hall = hall_id;
      cdu.loop = loop_id;
      cdu.x = millimeters(11000 + 1200 * i);
      cdu.y = millimeters(80000);
      add(&Design::cooling_units, cdu);
    }
    for (Count row = 0; row < rows_per_hall && placed < racks; ++row) {
      RowPlan plan;
      plan.hall = hall_id;
      plan.rack_type = rack_type;
      plan.x = millimeters(1000);
      plan.y = millimeters(1500 + 2400.0 * static_cast<double>(row));
      plan.racks_per_row = std::min(racks_per_row, racks - placed);
      plan.first_row_name = "H" + mark + "R" + (row < 9 ? "0" : "") + std::to_string(row + 1);
      plan.feed_a = unit("Busway A", PowerUnitKind::busway, 1.2, ups_a, Feed::a);
      plan.feed_b = unit("Busway B", PowerUnitKind::busway, 1.2, ups_b, Feed::b);
      plan.loop = loop_id;
      d = must(place_rows(d, plan)).design;
      placed += plan.racks_per_row;
    }
  }

  Job job;
  job.tensor_parallel = 8;
  job.pipeline_parallel = 16;
  job.data_parallel = std::max<Count>(1, racks * gpus_per_rack / 128);
  job.global_batch_sequences = job.data_parallel * 16;
  d.job = share(job);
  StoragePlan plan;
  plan.system_part = "ddn-ai400x3";
  plan.systems = std::max<Count>(1, racks / 8);
  d.storage = share(plan);
  return d;
}

} // namespace hallwright::test
