// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ctime>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "../engine/evaluation/generated_hall.h"
#include "fabric/cable_exports.h"
#include "fabric/cabling.h"
#include "fabric/fabric_failures.h"
#include "fabric/wiring.h"
#include "project/rack_list.h"
#include "project/recovery.h"
#include "space/routes.h"
#include "training/software_stack.h"
#include "training/step_model.h"

/// Measures of work on long lists: racks pasted and kept for recovery, ways of cables, failures one by one, splits of a
/// job. Times of the processor, so that a busy machine changes little.
namespace hallwright::bench {

template <class Work>
double processor_ms(const Work& work) {
  const std::clock_t start = std::clock();
  work();
  return 1e3 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

/// Ten thousand lines of a rack list, read and applied.
inline double rack_list_ms() {
  const Design design = test::generated_hall(1024);
  std::string text = "name\ttype\tx [mm]\ty [mm]\trow\n";
  for (int i = 0; i < 10'000; ++i)
    text += "N" + std::to_string(i) + "\t" + design.rack_types->front().name + "\t" + std::to_string(i * 600) +
            "\t0\tNew " + std::to_string(i / 20) + "\n";
  return processor_ms([&] {
    const auto list = read_rack_list(text, design);
    if (!list || list->added != 10'000) throw std::runtime_error("the rack list was not read");
    test::must(rack_list_edit(*list).apply(design));
  });
}

/// The recovery file of a design with 4,000 racks, written again.
inline double recovery_ms() {
  const Design design = test::generated_hall(4'000 * 32);
  const auto folder = std::filesystem::temp_directory_path() / ("hallwright-recovery-" + std::to_string(std::clock()));
  RecoveryWriter writer(folder, folder / "a.hall");
  double out = 0.0;
  for (int i = 1; i < 4; ++i)
    out = processor_ms([&] {
      if (auto written = writer.write(design, i); !written) throw std::runtime_error(written.error());
    });
  writer.remove();
  std::filesystem::remove_all(folder);
  return out;
}

/// Ways of cables of 10,000 racks under a tray a row and a cross tray at both ends; and each length from 200 racks to
/// all others.
struct RouteTimes {
  double stage_ms = 0.0, lengths_ms = 0.0;
};
inline RouteTimes route_times(const Shared<Catalog>& catalog) {
  constexpr int rows = 100, in_row = 100;
  const Design made = test::generated_hall(32);
  std::vector<Rack> racks;
  std::vector<Tray> trays;
  Rack rack = made.racks->front();
  Tray tray;
  tray.hall = rack.hall;
  tray.kind = TrayKind::fibre;
  tray.elevation = millimeters(2700);
  Id id = made.next_id;
  for (int row = 0; row < rows; ++row) {
    for (int i = 0; i < in_row; ++i) {
      rack.id = id++;
      rack.x = millimeters(600.0 * i), rack.y = millimeters(2400.0 * row);
      racks.push_back(rack);
    }
    tray.id = id++;
    tray.path = {{-1000, 2400.0 * row + 600}, {61000, 2400.0 * row + 600}};
    trays.push_back(tray);
  }
  for (const double x : {-1000.0, 61000.0}) {
    tray.id = id++;
    tray.path = {{x, -1000}, {x, 240000}};
    trays.push_back(tray);
  }
  RouteTimes out;
  RouteResult r;
  const RouteInputs in{made.rack_types,    made.rack_items, share(racks), made.power_units,
                       made.cooling_units, share(trays),    made.pipes,   catalog};
  out.stage_ms = processor_ms([&] { r = routes(in); });
  std::vector<Id> all;
  for (const Rack& each : racks)
    all.push_back(each.id);
  double total = 0.0;
  out.lengths_ms = processor_ms([&] {
    for (int leaf = 0; leaf < 200; ++leaf)
      for (const double length : r.cables->lengths(racks[static_cast<std::size_t>(leaf) * 50].id, all))
        total += length;
  });
  if (!(total > 0.0)) throw std::runtime_error("no rack was reached");
  return out;
}

/// Every single failure of 98,304 GPUs.
inline double failures_ms() {
  WiringRequest q;
  q.counts = {.nodes = 12288, .links_per_node = 8, .radix = 128, .tiers = Tiers::three, .nodes_per_unit = 64};
  q.leaf_cages = q.spine_cages = q.core_cages = {64, 2};
  const Wiring w = wire(q).value();
  return processor_ms([&] {
    if (FailureStudy(w, 8).all_single().empty()) throw std::runtime_error("no failures were studied");
  });
}

/// The schedule of every cable of 98,304 GPUs, as text.
inline double cable_schedule_ms(const Shared<Catalog>& catalog) {
  WiringRequest q;
  q.counts = {.nodes = 12288, .links_per_node = 8, .radix = 128, .nodes_per_unit = 64};
  q.counts.rails = true;
  NetworkCabling c;
  c.network = 7;
  c.name = "Compute";
  c.wiring = std::make_shared<const Wiring>(wire(q).value());
  DevicePlaces places;
  places.places.resize(c.wiring->devices.size());
  c.places = std::make_shared<const DevicePlaces>(std::move(places));
  Network n;
  n.id = c.network;
  n.name = c.name;
  n.switch_part = "qm9700";
  c.plan_inputs = {n, c.wiring, c.places, share(CableRoutes()), catalog, "dgx-h100", 30000.0};
  c.plan = std::make_shared<const CablePlan>(cable_plan(c.plan_inputs));
  CablingResult cabling;
  cabling.networks.push_back(std::move(c));
  return processor_ms([&] {
    const auto book = cable_book(Design(), catalog, cabling);
    if (!book || !cable_file_text(*book, CableFile::schedule, PortNames::numbers))
      throw std::runtime_error("there is no schedule");
  });
}

/// Step time of one split, in microseconds: GPT-3 175B on 512 accelerators.
inline double step_time_us(const Catalog& catalog) {
  const TrainingConstants constants = training_constants(catalog).value();
  const ModelDimensions model{.layers = 96,
                              .hidden = 12288,
                              .heads = 96,
                              .kv_heads = 96,
                              .head_dimension = 128,
                              .ffn = 49152,
                              .vocabulary = 51200};
  JobSplit split{.sequence = 2048, .global_batch = 1024, .micro_batch = 1, .tp = 4, .pp = 8, .vpp = 12, .dp = 16};
  split.sequence_parallel = true;
  split.sharding = Sharding::optimizer;
  split.schedule = PipelineSchedule::interleaved;
  constexpr int rounds = 20'000;
  double sum = 0.0;
  const double ms = processor_ms([&] {
    for (int i = 0; i < rounds; ++i)
      sum += step_time(model, split, {}, constants, constants.stacks[static_cast<std::size_t>(SoftwareStack::nemo)])
                 .total();
  });
  if (!(sum > 0.0)) throw std::runtime_error("no step time");
  return 1e3 * ms / rounds;
}

} // namespace hallwright::bench
