// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"

#include <cstdio>
#include <memory>
#include <string>

#include <fmt/format.h>

#include "output.h"
#include "predicted_table.h"
#include "project_input.h"
#include "training/training_runs.h"

namespace hallwright::cli {
namespace {

struct TrainArguments : CatalogArguments {
  std::string runs, out;
  bool json = false;
};

int predict(const TrainArguments& a) {
  const std::string text = table_text(a.runs, a.out);
  const auto table = predict_training_runs(text, *load_catalog(a), a.json);
  if (!table) throw Refusal(refused, lines_of(table.error(), a.runs + ": "));
  write_table(a.out, table->csv);
  if (!table->not_read.empty()) {
    std::string names;
    for (const std::string& n : table->not_read) names += (names.empty() ? "" : ", ") + n;
    std::fprintf(stderr, "%s: columns that are not read: %s\n", a.runs.c_str(), names.c_str());
  }
  print(fmt::format("{} lines with a predicted step time, {} of them beyond the memory; {} illegal, {} with too little "
                    "input: {}\n",
                    table->predicted, table->does_not_fit, table->illegal, table->not_enough, a.out));
  return fine;
}

} // namespace

void add_train_command(CLI::App& program, int& exit_code) {
  auto a = std::make_shared<TrainArguments>();
  CLI::App* command = program.add_subcommand("train", "Predicted step time and memory beside a table of training runs");
  command->add_option("RUNS", a->runs, "CSV with a model, its split and its accelerators on each line")
      ->type_name("RUNS.csv")
      ->required();
  command
      ->add_option("--out", a->out,
                   "File to write: every column of RUNS, then predicted_step_s, predicted_low_s, predicted_high_s,\n"
                   "predicted_tflops_per_gpu, predicted_mfu, predicted_memory_gib, status, region")
      ->type_name("FILE")
      ->required();
  command->add_flag("--json", a->json, "Write JSON, with the parts of each step, instead of CSV");
  add_catalog_arguments(*command, *a);
  command->footer(
      "Columns that are read: model, layers, hidden, heads, kv_heads, ffn_hidden, vocab, experts, topk, seq_len,\n"
      "global_batch_seqs, global_batch_tokens, micro_batch, tp, pp, vpp, cp, ep, dp, zero_fsdp_stage, sequence_parallel, recompute, "
      "precision,\n"
      "gpu, gpus_per_node, n_gpus, interconnect, id, family, source, release, total_params_b. Measured columns are never read.\n"
      "Status: ok, does_not_fit, \"illegal: why\", \"not_enough_input: what\". MFU counts model FLOPs with causal "
      "attention\n"
      "halved. Every time is an estimate; low and high enclose 90 %.\n"
      "Example:\n"
      "  hallwright-cli train runs.csv --out predicted.csv");
  command->callback([a, &exit_code] { exit_code = predict(*a); });
}

} // namespace hallwright::cli
