// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtTest>

#include "catalog/catalog.h"
#include "training/training.h"

/// A cluster and a job for tests of the subjects from training downwards, without a drawing.
namespace hallwright::fixture {

/// The catalog of this source tree.
inline const Shared<Catalog>& shipped_catalog() {
  static const Shared<Catalog> catalog = [] {
    auto read = read_catalog_text(HALLWRIGHT_SOURCE_DIR "/catalogs");
    if (!read) qFatal("the catalog does not load: %s", read.error().front().c_str());
    return share(std::move(*read));
  }();
  return catalog;
}

/// `nodes` nodes with eight H100 each; no nodes: an empty design.
inline PopulationResult h100_cluster(Count nodes) {
  PopulationResult p;
  Ledger ledger(Page::population);
  const auto eight = ledger.counted("population.node.dgx-h100.gpus_per_node", "GPUs of a node", 8, "test");
  p.nodes = ledger.counted("population.nodes", "Nodes", nodes, "test");
  p.racks = ledger.counted("population.racks", "Racks", 0, "test");
  p.compute_racks = ledger.counted("population.compute_racks", "Compute racks", 0, "test");
  p.accelerators = ledger.counted("population.gpus", "GPUs", nodes * 8, "test");
  p.accelerators_per_node = eight;
  if (nodes > 0) {
    p.main_node_part = "dgx-h100";
    p.main_accelerator_part = "h100-sxm";
    p.node_kinds.push_back({"dgx-h100", p.nodes, eight, p.accelerators});
  }
  p.page = ledger.finish_page();
  p.tables = std::make_shared<const std::vector<Table>>();
  return p;
}

/// The run of Llama 3 405B at 8k tokens: 16,384 GPUs, TP 8, PP 16, DP 128.
inline Job llama_job() {
  Job job;
  job.model_part = "llama3-1-405b";
  job.tokens = 15.6e12;
  job.sequence_length = 8192;
  job.global_batch_sequences = 2048;
  job.micro_batch = 1;
  job.tensor_parallel = 8;
  job.pipeline_parallel = 16;
  job.virtual_stages = 1;
  job.context_parallel = 1;
  job.expert_parallel = 1;
  job.data_parallel = 128;
  job.precision = Precision::bf16;
  job.sharding = Sharding::optimizer;
  job.recompute = Recompute::selective;
  job.model_flops_utilization = 0.38;
  return job;
}

inline TrainingResult train(const Job& job, const PopulationResult& population) {
  return training({share(job), shipped_catalog()}, population);
}

/// The figure of this id; ends the test run where there is none.
inline const Figure& figure(const StageResult& result, const char* id) {
  const Figure* f = result.page->find(id);
  if (!f) qFatal("no figure %s", id);
  return *f;
}

/// Every leaf below the figures of a page is a field of the design or of the catalog, a sourced constant, or counted.
inline bool rests_on_sources(const Figures& figures, const LedgerPage& page) {
  for (const Figure& f : page.figures) {
    if (f.inputs.empty()) {
      const bool sourced = (f.origin == Origin::design && !f.table.empty() && !f.field.empty()) ||
                           (f.origin == Origin::catalog && !f.part.empty() && !f.source.empty()) || !f.source.empty();
      if (!sourced) {
        qWarning("%s rests on nothing", f.id.c_str());
        return false;
      }
    }
    for (const FigureRef& ref : f.inputs) {
      if (figures.at(ref)) continue;
      qWarning("%s has an input that does not exist", f.id.c_str());
      return false;
    }
  }
  return true;
}

/// `actual` within `relative` of `expected`.
inline bool near(double actual, double expected, double relative) {
  const bool ok = std::abs(actual - expected) <= relative * std::abs(expected);
  if (!ok) qWarning("%.12g is not within %g of %.12g", actual, relative, expected);
  return ok;
}

} // namespace hallwright::fixture
