// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"

#include <memory>
#include <optional>

#include <fmt/format.h>

#include "fabric/rank_placement.h"
#include "output.h"
#include "project/durable_file.h"
#include "project_input.h"

namespace hallwright::cli {
namespace {

struct RanksArguments : ProjectArguments {
  std::string file, order, axes;
};

RankOrder order_of(const std::string& word, RankOrder stated) {
  if (word.empty()) return stated;
  if (word == "units") return RankOrder::unit_order;
  if (word == "racks") return RankOrder::rack_order;
  if (word == "random") return RankOrder::random;
  throw Refusal(wrong_use, fmt::format("--order {}: it is units, racks or random", word));
}
AxisOrder axes_of_words(const std::string& words, AxisOrder stated) {
  if (words.empty()) return stated;
  if (words == "data-pipeline") return AxisOrder::data_before_pipeline;
  if (words == "pipeline-data") return AxisOrder::pipeline_before_data;
  throw Refusal(wrong_use, fmt::format("--axes {}: it is data-pipeline or pipeline-data", words));
}

void write_ranks(const RanksArguments& a) {
  static_cast<void>(axes_of_words(a.axes, AxisOrder::data_before_pipeline)); // refused before the design is read
  static_cast<void>(order_of(a.order, RankOrder::unit_order));
  const auto catalog = load_catalog(a);
  const Design design = load_design(a);
  const Timed timed = evaluate_timed(design, catalog);
  const Evaluation& e = timed.evaluation;
  const TrafficResult& traffic = *e.traffic;
  const RankOrder order = order_of(a.order, e.design.job->rank_order);
  const RankOrderTraffic* row = nullptr;
  for (const RankOrderTraffic& o : traffic.orders)
    if (o.order == order && !row) row = &o;
  if (!row || !row->placement || !traffic.wiring || !traffic.drawn) {
    const Figure* why = e.figures.find("traffic.spine_share");
    throw Refusal(refused, fmt::format("{}: the ranks lie on no network: {}", a.project,
                                       row && !row->problem.empty() ? row->problem
                                       : why                        ? why->reason
                                                                    : std::string("there is no job")));
  }
  RankPlacement placement = *row->placement;
  placement.axis_order = axes_of_words(a.axes, e.design.job->axis_order);
  const Wiring& wiring = *traffic.wiring;
  const DevicePlaces& places = *traffic.drawn;
  std::string text = "rank,tensor,context,data,pipeline,expert,node,gpu,rack,unit,leaf_ports\n";
  for (const RankPorts& r : rank_map(axes_of(*e.design.job), placement, wiring)) {
    const Rack* rack = find(*e.design.racks, places.rack_of(r.node));
    std::string ports;
    for (const std::uint32_t l : r.links)
      ports += fmt::format("{}{} port {}", ports.empty() ? "" : "; ", wiring.device_name(wiring.links[l].far),
                           wiring.links[l].far_port);
    text += fmt::format("{},{},{},{},{},{},{},{},{},{},{}\n", r.rank, r.tensor, r.context, r.data, r.pipeline, r.expert,
                        wiring.device_name(r.node), r.gpu, csv_words(rack ? rack->name : std::string()),
                        places.unit_text(r.node), ports);
  }
  write_answer(a.file, text, {a.project});
}

} // namespace

void add_ranks_command(CLI::App& program, int& exit_code) {
  auto a = std::make_shared<RanksArguments>();
  CLI::App* command = program.add_subcommand("ranks", "Where each rank of the job lies: GPU, rack and leaf ports");
  add_project_arguments(*command, *a);
  command->add_option("--csv", a->file, "File to write; - writes to standard output")->type_name("FILE")->required();
  command->add_option("--order", a->order, "Order of the nodes (default: that of the job)")->type_name("units|racks|random");
  command
      ->add_option("--axes", a->axes,
                   "Which axis lies outermost on the nodes: pipeline after data, or data after pipeline (default: as the job says)")
      ->type_name("data-pipeline|pipeline-data");
  command->footer("A line a rank, with its coordinates on the axes of the job from 0, its node and GPU, and every port that the GPU\n"
                  "has at leafs of the compute network. Ranks run over tensor, context, data and pipeline, the fastest first.\n"
                  "Examples:\n"
                  "  hallwright-cli ranks hall.hall --csv ranks.csv\n"
                  "  hallwright-cli ranks hall.hall --csv - --axes pipeline-data");
  command->callback([a, &exit_code] {
    write_ranks(*a);
    exit_code = fine;
  });
}

} // namespace hallwright::cli
