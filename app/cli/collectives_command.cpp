// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"

#include <cstdio>
#include <memory>

#include <fmt/format.h>

#include "fabric/collective_time_table.h"
#include "output.h"
#include "predicted_table.h"
#include "project_input.h"

namespace hallwright::cli {
namespace {

struct CollectivesArguments : CatalogArguments {
  std::string cases, out;
};

int predict(const CollectivesArguments& a) {
  const std::string text = table_text(a.cases, a.out);
  const auto table = predict_collectives(text, *load_catalog(a));
  if (!table) throw Refusal(refused, lines_of(table.error(), a.cases + ": "));
  write_table(a.out, table->csv);
  for (const std::string& note : table->notes)
    std::fprintf(stderr, "%s: %s\n", a.cases.c_str(), note.c_str());
  print(fmt::format("{} lines with a predicted time, {} measured without one, {} passed through: {}\n",
                    table->predicted, table->notes.size(), table->passed, a.out));
  return fine;
}

} // namespace

void add_collectives_command(CLI::App& program, int& exit_code) {
  auto a = std::make_shared<CollectivesArguments>();
  CLI::App* command = program.add_subcommand("collectives", "Predicted times beside a table of measured collectives");
  command
      ->add_option("CASES", a->cases, "CSV with gpus, nodes, collective, bytes, intra_GBps_per_gpu, inter_GBps_per_gpu")
      ->type_name("CASES.csv")
      ->required();
  command->add_option("--out", a->out, "CSV to write: every column of CASES, then predicted_time_us")
      ->type_name("FILE")
      ->required();
  add_catalog_arguments(*command, *a);
  command->footer(
      "Where there is a column record_type, lines other than \"measured\" pass through. Of system, gpus_per_node,\n"
      "algo_proto, software and note only hardware and caller are read: the accelerator, its domain (NVL72), EFA,\n"
      "torch, SHARP, and an algorithm named alone. A time is an estimate: NCCL's published model on a quiet machine.\n"
      "Example:\n"
      "  hallwright-cli collectives measured.csv --out predicted.csv");
  command->callback([a, &exit_code] { exit_code = predict(*a); });
}

} // namespace hallwright::cli
