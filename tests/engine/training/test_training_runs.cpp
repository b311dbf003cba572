// SPDX-License-Identifier: GPL-3.0-or-later
// Reading a table of runs and predicting each; how near that is to the measured ones: test_training_accuracy.cpp.
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <rapidcheck.h>

#include "catalog/csv.h"
#include "engine/training/job_fixture.h"
#include "training/training_runs.h"

using namespace hallwright;

namespace {

std::string runs_text() {
  std::ifstream in(HALLWRIGHT_SOURCE_DIR "/resources/validation/training_runs.csv");
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}
const Catalog& shipped() {
  static const Catalog catalog = read_catalog_text(HALLWRIGHT_SOURCE_DIR "/catalogs").value();
  return catalog;
}

} // namespace

class TestTrainingRuns : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void every_line_has_a_status() {
    const auto table = predict_training_runs(runs_text(), shipped());
    QVERIFY(table.has_value());
    QVERIFY(table->predicted > 620);
    const auto records = read_csv(table->csv).value();
    QCOMPARE(records.size(), std::size_t(678));
    const std::vector<std::string>& header = records[0].cells;
    const auto status = static_cast<std::size_t>(std::find(header.begin(), header.end(), "status") - header.begin());
    for (const CsvRecord& r : records) {
      QCOMPARE(r.cells.size(), header.size());
      const std::string& s = r.cells[status];
      QVERIFY2(s == "status" || s == "ok" || s == "does_not_fit" || s.rfind("illegal: ", 0) == 0 ||
                   s.rfind("not_enough_input: ", 0) == 0,
               s.c_str());
    }
  }

  void what_is_missing_or_wrong_is_named() {
    const std::string head = "id,model,layers,hidden,heads,seq_len,global_batch_seqs,micro_batch,tp,pp,dp,gpu,n_gpus\n";
    const auto of = [&](const std::string& line) { return read_training_runs(head + line, shipped()); };
    QVERIFY(of("a,GPT,24,2048,16,2048,64,1,1,1,8,,8")->at(0).missing == "gpu");
    QVERIFY(of("a,GPT,24,2048,16,2048,64,1,1,1,8,Abacus,8")->at(0).missing == "gpu \"Abacus\" in the catalog");
    QVERIFY(of("a,GPT,24,2048,16,2048,64,1,3,1,8,H100,24")->at(0).illegal.find("16 heads") != std::string::npos);
    const auto wrong = of("a,GPT,24,2048,16,2048,64,1,1,1,x,H100,8\nb,GPT,24,2048,16,-1,64,1,1,1,8,H100,8");
    QVERIFY(!wrong.has_value());
    QCOMPARE(wrong.error().size(), std::size_t(2));
    QVERIFY(wrong.error()[0].find("line 2, dp") != std::string::npos);
  }

  /// Where the mode is open and all activations would not fit, room is made without a second forward: 80 GiB hold
  /// Llama 3 8B over two GPUs with full recomputing, not without. Where the mode is stated, it is kept to.
  /// A layout that no program runs is no prediction, and a word that is not known is refused with what is allowed.
  void lines_that_cannot_run_say_why() {
    const std::string head = "id,model,layers,hidden,heads,kv_heads,ffn_hidden,vocab,seq_len,global_batch_seqs,micro_batch,gpu,n_gpus,gpus_per_node,tp,pp,vpp,cp,dp,"
                             "precision,recompute,sequence_parallel,zero_fsdp_stage\n";
    const auto line = [](const std::map<std::string, std::string>& changes) {
      std::string out;
      for (const auto& [name, value] : std::vector<std::pair<std::string, std::string>>{
               {"id", "x"}, {"model", "own"}, {"layers", "32"}, {"hidden", "4096"}, {"heads", "32"}, {"kv_heads", "8"}, {"ffn_hidden", "14336"}, {"vocab", "128256"},
               {"seq_len", "8192"}, {"global_batch_seqs", "128"}, {"micro_batch", "1"}, {"gpu", "H100"}, {"n_gpus", "8"}, {"gpus_per_node", "8"}, {"tp", "2"},
               {"pp", "1"}, {"vpp", "1"}, {"cp", "1"}, {"dp", "4"}, {"precision", "bf16"}, {"recompute", "none"}, {"sequence_parallel", "yes"}, {"zero_fsdp_stage", "1"}}) {
        const auto changed = changes.find(name);
        out += (out.empty() ? "" : ",") + (changed == changes.end() ? value : changed->second);
      }
      return out + "\n";
    };
    const auto first = [&](const std::map<std::string, std::string>& changes) { return read_training_runs(head + line(changes), *fixture::shipped_catalog()); };
    QVERIFY(first({}).has_value() && first({})->front().illegal.empty());
    for (const auto& [changes, words] : std::vector<std::pair<std::map<std::string, std::string>, std::string>>{
             {{{"global_batch_seqs", "127"}}, "does not divide the global batch"},
             {{{"micro_batch", "5"}}, "does not divide the global batch"},
             {{{"cp", "3"}, {"n_gpus", "24"}}, "does not divide a sequence"},
             {{{"kv_heads", "7"}}, "key-value heads do not divide 32 heads"},
             {{{"kv_heads", "64"}}, "key-value heads do not divide 32 heads"},
             {{{"vpp", "3"}, {"pp", "4"}, {"dp", "1"}}, "no whole chunks"}}) {
      const auto r = first(changes);
      QVERIFY(r.has_value());
      QVERIFY2(r->front().illegal.find(words) != std::string::npos, (words + ": " + r->front().illegal).c_str());
    }
    for (const auto& [name, value] : std::vector<std::pair<std::string, std::string>>{
             {"recompute", "banana"}, {"zero_fsdp_stage", "9"}, {"sequence_parallel", "maybe"}, {"gpus_per_node", "0"},
             {"layers", "0"}, {"hidden", "0"}, {"heads", "0"}, {"kv_heads", "0"}, {"ffn_hidden", "0"}, {"vocab", "0"}, {"seq_len", "0"},
             {"global_batch_seqs", "0"}, {"micro_batch", "0"}, {"n_gpus", "0"}, {"tp", "0"}, {"pp", "0"}, {"dp", "0"}, {"layers", "-32"},
             {"hidden", "-1"}, {"micro_batch", "0.5"}}) {
      const auto r = first({{name, value}});
      QVERIFY2(!r.has_value() && r.error().front().find(name) != std::string::npos, name.c_str());
    }
  }

  /// Columns of a legal line, each of which a test may change.
  static std::string table_of(const std::map<std::string, std::string>& changes) {
    std::string names, cells;
    for (const auto& [name, value] : std::vector<std::pair<std::string, std::string>>{
             {"model", "own"}, {"layers", "32"}, {"hidden", "4096"}, {"heads", "32"}, {"kv_heads", "8"}, {"ffn_hidden", "14336"}, {"vocab", "128256"}, {"experts", ""},
             {"topk", ""}, {"seq_len", "8192"}, {"global_batch_seqs", "512"}, {"micro_batch", "1"}, {"tp", "2"}, {"pp", "2"}, {"vpp", "1"}, {"cp", "1"}, {"ep", "1"},
             {"dp", "16"}, {"zero_fsdp_stage", "1"}, {"sequence_parallel", "true"}, {"recompute", "selective"}, {"precision", "bf16"}, {"gpu", "H100 SXM"},
             {"gpus_per_node", "8"}, {"n_gpus", "64"}, {"interconnect", ""}}) {
      const auto changed = changes.find(name);
      names += (names.empty() ? "" : ",") + name;
      cells += (cells.empty() ? "" : ",") + (changed == changes.end() ? value : changed->second);
    }
    return names + "\n" + cells + "\n";
  }

  /// Each is refused with its line, field, value and what is allowed.
  void what_makes_no_sense_is_refused_by_name() {
    QVERIFY(predict_training_runs(table_of({}), shipped()).has_value());
    using Changes = std::map<std::string, std::string>;
    for (const auto& [changes, words] : std::vector<std::pair<Changes, std::string>>{
             {{{"experts", "8"}, {"topk", "0"}}, "line 2, topk: \"0\" is not from 1 to 8"},
             {{{"experts", "8"}}, "line 2, topk: \"\" is not from 1 to 8"},
             {{{"topk", "2"}}, "line 2, topk: \"2\" needs experts"},
             {{{"zero_fsdp_stage", "-1"}}, "line 2, zero_fsdp_stage: \"-1\" is none of"},
             {{{"zero_fsdp_stage", "-2"}}, "\"-2\" is none of"},
             {{{"zero_fsdp_stage", "-3"}}, "\"-3\" is none of"},
             {{{"zero_fsdp_stage", "1.5"}}, "\"1.5\" is none of"},
             {{{"zero_fsdp_stage", "12"}}, "\"12\" is none of"},
             {{{"interconnect", "foo"}}, "line 2, interconnect: \"foo\" is none of"},
             {{{"interconnect", "0 Gb/s per GPU"}}, "\"0 Gb/s per GPU\" is none of"},
             {{{"heads", "1000000"}, {"kv_heads", ""}}, "line 2, heads: \"1000000\" does not divide hidden = 4096"},
             {{{"heads", "24"}, {"kv_heads", ""}}, "does not divide hidden = 4096"},
             {{{"pp", "1e12"}}, "line 2, pp: \"1e12\" is not from 1 to 1e9"}}) {
      const auto r = read_training_runs(table_of(changes), shipped());
      QVERIFY2(!r.has_value() && r.error().front().find(words) != std::string::npos, (words + ": " + (r ? "taken" : r.error().front())).c_str());
    }
    for (const std::string stage : {"", "0", "1", "2", "3", "0/1 (DDP)", "3 (FULL_SHARD)", "3 (FSDP 64)", "ZeRO-1", "zero 2", "stage 3", "FSDP2"})
      QVERIFY2(read_training_runs(table_of({{"zero_fsdp_stage", stage}}), shipped()).has_value(), stage.c_str());
    for (const std::string joined : {"NVL72 domain", "400 Gb/s per GPU", "DGX H100", "single node", "NVLink 4 and RoCE"})
      QVERIFY2(read_training_runs(table_of({{"interconnect", joined}}), shipped()).has_value(), joined.c_str());
    // Experts of no stated width, in a model that the catalog does not have.
    QVERIFY(read_training_runs(table_of({{"experts", "8"}, {"topk", "2"}, {"ffn_hidden", ""}}), shipped())->at(0).missing == "ffn_hidden");
  }

  void what_is_no_table_is_refused() {
    for (const auto& [text, words] : std::vector<std::pair<std::string, std::string>>{
             {std::string("\0\xff\0\xff", 4), "line 1: is not text"},
             {std::string("model,tp\na\0b,1\n", 15), "line 2: holds a byte 0"},
             {"model,model\n1,2\n", "columns 1 and 2: both are named \"model\""},
             {"model,note,note\n1,2,3\n", "columns 2 and 3: both are named \"note\""},
             {"model,status\n1,2\n", "\"status\" is the name of a column that is added"},
             {"a,b\n1,2\n", "no column is one that is read; these are: id"},
             {"model,tp\nx,1,2\n", "line 2: 3 cells, and the header names 2 columns"},
             {"", "the table is empty"}}) {
      const auto r = predict_training_runs(text, shipped());
      QVERIFY2(!r.has_value() && r.error().front().find(words) != std::string::npos, (words + ": " + (r ? "taken" : r.error().front())).c_str());
    }
    // A column that nobody reads is told.
    const auto r = predict_training_runs("model,colour\nx,red\n", shipped());
    QVERIFY(r.has_value() && r->not_read == std::vector<std::string>{"colour"});
  }

  /// A stage of 1F1B holds as many micro-batches as there are stages to come, however many a step has.
  void more_micro_batches_than_32_bits_hold() {
    const auto constants = training_constants(shipped()).value();
    const auto of = [&](const char* batch) { return predict_run(read_training_runs(table_of({{"global_batch_seqs", batch}}), shipped())->at(0), constants); };
    const RunPrediction some = of("512"), many = of("1000000000000"), most = of("160000000000000");
    QCOMPARE(many.memory.total(), some.memory.total());
    QCOMPARE(most.memory.total(), some.memory.total());
    QVERIFY(many.step_s > 1e9 * some.step_s && most.step_s > many.step_s);
  }

  /// Whatever a table says, it is refused, or each number that leaves is finite and above 0, in CSV and in JSON.
  void no_number_leaves_that_is_none() {
    QVERIFY(rc::check("finite or said", [] {
      static const std::vector<std::string> names{"layers", "hidden", "heads", "kv_heads", "ffn_hidden", "vocab", "experts", "topk", "seq_len", "global_batch_seqs",
                                                  "micro_batch", "tp", "pp", "vpp", "cp", "ep", "dp", "zero_fsdp_stage", "sequence_parallel", "recompute", "precision",
                                                  "gpu", "gpus_per_node", "n_gpus", "interconnect", "model"};
      static const std::vector<std::string> values{"", "0", "1", "2", "3", "8", "64", "512", "4096", "1e6", "1e9", "1e12", "1e15", "-1", "nan", "inf", "0.5", "no", "full",
                                                   "fp8", "V100", "B200", "DeepSeek-V3", "Llama 3 8B"};
      std::map<std::string, std::string> changes;
      if (*rc::gen::arbitrary<bool>()) changes = {{"experts", "8"}, {"topk", "2"}};
      const int many = *rc::gen::inRange(1, 6);
      for (int i = 0; i < many; ++i) changes[*rc::gen::elementOf(names)] = *rc::gen::elementOf(values);
      // Counts that hang together, so that some lines are legal.
      if (*rc::gen::arbitrary<bool>()) changes["n_gpus"] = changes["dp"] = changes["tp"] = changes["pp"] = "";
      if (*rc::gen::arbitrary<bool>()) changes["n_gpus"] = "64", changes["dp"] = "64", changes["tp"] = changes["pp"] = "1";
      const std::string text = table_of(changes);
      const auto table = predict_training_runs(text, shipped()), as_json = predict_training_runs(text, shipped(), true);
      RC_ASSERT(table.has_value() == as_json.has_value());
      if (!table) {
        RC_ASSERT(!table.error().empty());
        return;
      }
      const auto records = read_csv(table->csv).value();
      for (std::size_t k = 0; k < records[0].cells.size(); ++k) {
        if (records[0].cells[k].rfind("predicted_", 0) != 0 || records[1].cells[k].empty()) continue;
        const double v = std::stod(records[1].cells[k]);
        RC_ASSERT(std::isfinite(v) && v > 0.0);
      }
      RC_ASSERT(nlohmann::json::accept(as_json->csv));
    }));
  }

  void open_recompute_mode() {
    const std::string head = "id,source,release,model,layers,hidden,heads,kv_heads,ffn_hidden,vocab,seq_len,"
                             "global_batch_seqs,micro_batch,tp,pp,dp,gpu,n_gpus,precision,recompute\n";
    const auto constants = training_constants(shipped()).value();
    const auto of = [&](int micro_batch, const char* recompute) {
      const auto runs = read_training_runs(
          fmt::format("{}a,Megatron-Bridge,25.09,Llama 3 8B,32,4096,32,8,14336,128256,8192,128,{},2,1,4,H100,8,BF16,{}",
                      head, micro_batch, recompute),
          shipped());
      return predict_run(runs.value().at(0), constants);
    };
    const double limit = 80 * 1073741824.0; // 81,920 MiB
    const RunPrediction open = of(4, ""), none = of(4, "none"), full = of(4, "full");
    QVERIFY(!none.fits && none.memory.total() > limit);
    QVERIFY(full.fits && full.made_room.empty());
    QVERIFY(open.fits && !open.made_room.empty());
    QVERIFY(std::abs(open.memory.total() / limit - 1) < 1e-9);
    QCOMPARE(open.step_s, none.step_s);
    QVERIFY(full.step_s > 1.2 * none.step_s);
    // Not even the inputs of the layers fit: that is said, and how much there would be.
    const RunPrediction large = of(32, ""), largest = of(32, "full");
    QCOMPARE(large.fits, largest.fits);
    QVERIFY(!large.fits && std::abs(large.memory.total() / largest.memory.total() - 1) < 1e-9);
  }

  void measured_columns_are_not_read() {
    const std::string head = "id,model,layers,hidden,heads,seq_len,global_batch_seqs,micro_batch,tp,pp,dp,gpu,n_gpus,"
                             "derived_step_s,measured_value\na,GPT,24,2048,16,2048,64,1,1,1,8,H100,8,";
    const auto constants = training_constants(shipped()).value();
    const double with = predict_run(read_training_runs(head + "9,9", shipped())->at(0), constants).step_s;
    QCOMPARE(predict_run(read_training_runs(head + ",", shipped())->at(0), constants).step_s, with);
  }

  /// The name and the width make the model: with four layers of 61 it keeps its latent attention and its experts'
  /// width, 2048, where the line gives the 18432 of its dense layers.
  void a_model_cut_in_depth() {
    const auto runs = read_training_runs(
        "id,model,layers,hidden,heads,ffn_hidden,experts,topk,seq_len,global_batch_seqs,micro_batch,tp,pp,ep,dp,gpu,"
        "n_gpus\na,DeepSeek-V3,4,7168,128,18432,256,8,4096,32,1,1,1,8,8,B200,8",
        shipped());
    const TrainingRun& r = runs->at(0);
    QVERIFY2(r.missing.empty() && r.illegal.empty(), (r.missing + r.illegal).c_str());
    QVERIFY(r.dimensions.latent);
    QCOMPARE(r.dimensions.layers, 4.0);
    QCOMPARE(r.dimensions.expert_ffn, 2048.0);
    QCOMPARE(r.dimensions.ffn, 18432.0);
    QVERIFY(r.dimensions.expert_layers() > 0);
  }

  /// 16 micro-batches over 16 stages would wait half of the time: present programs interleave, as Llama 3 405B did.
  /// A stated 1 is kept to, and so are more micro-batches.
  void an_open_interleave() {
    const auto of = [&](const char* batch, const char* vpp) {
      return read_training_runs(
                 fmt::format("id,source,model,layers,hidden,heads,kv_heads,ffn_hidden,vocab,seq_len,global_batch_seqs,"
                             "micro_batch,tp,pp,vpp,dp,gpu,n_gpus\na,NeMo,Llama 3.1 405B,126,16384,128,8,53248,128256,"
                             "8192,{},1,8,16,{},128,H100,16384",
                             batch, vpp),
                 shipped())
          ->at(0);
    };
    QCOMPARE(of("2048", "").split.vpp, 8.0);
    QCOMPARE(of("2048", "").split.schedule, PipelineSchedule::interleaved);
    QVERIFY(!of("2048", "").assumed.empty());
    QCOMPARE(of("2048", "1").split.vpp, 1.0);
    QCOMPARE(of("8192", "").split.vpp, 1.0);
  }

  /// Falcon 180B (arXiv:2311.16867): few key heads, yet a plain feed-forward of four times the width; Mistral 7B
  /// (arXiv:2310.06825): gated. The parameter count tells them apart.
  void gated_or_plain_by_the_parameter_count() {
    const auto of = [&](const char* shape) {
      return read_training_runs(
                 std::string("id,model,total_params_b,layers,hidden,heads,kv_heads,ffn_hidden,vocab,seq_len,"
                             "global_batch_seqs,micro_batch,tp,pp,dp,gpu,n_gpus\n") +
                     shape + ",2048,64,1,8,1,8,A100,64",
                 shipped())
          ->at(0)
          .dimensions.gated;
    };
    QVERIFY(!of("a,an own model,180,80,14848,232,8,59392,65024"));
    QVERIFY(of("a,an own model,7.24,32,4096,32,8,14336,32000"));
    QVERIFY(of("a,an own model,10.2,32,4096,32,8,16384,128256"));
  }

  /// An axis that is left open takes the accelerators that are left; a fully sharded job without others has none.
  void open_axes() {
    const auto of = [&](const char* axes) {
      return read_training_runs(std::string("id,model,layers,hidden,heads,seq_len,global_batch_seqs,micro_batch,"
                                            "zero_fsdp_stage,tp,pp,dp,gpu,n_gpus\na,GPT,24,2048,16,2048,64,1,") +
                                    axes + ",H100,64",
                                shipped())
          ->at(0);
    };
    QCOMPARE(of("FSDP2,,,").split.dp, 64.0);
    QCOMPARE(of("FSDP2,,,").split.sharding, Sharding::parameters);
    QCOMPARE(of("ZeRO-1,2,2,").split.dp, 16.0);
    QCOMPARE(of("ZeRO-1,2,2,").split.sharding, Sharding::optimizer);
    QCOMPARE(of(",4,,8").split.pp, 2.0);
    QCOMPARE(of(",,4,8").split.tp, 2.0);
    QVERIFY(of(",,,").missing.find("tp") != std::string::npos);
  }

  /// Kernels of PyTorch run one at a time unless the line says that they are compiled; that costs time.
  void compiled_or_not() {
    const auto of = [&](const char* release) {
      return read_training_runs(
                 fmt::format("id,source,release,model,layers,hidden,heads,kv_heads,ffn_hidden,vocab,seq_len,"
                             "global_batch_seqs,micro_batch,tp,pp,dp,zero_fsdp_stage,gpu,n_gpus,recompute\n"
                             "a,torchtitan,{},Llama 3 8B,32,4096,32,8,14336,128256,8192,16,2,1,1,8,3,H100,8,none",
                             release),
                 shipped())
          ->at(0);
    };
    const auto constants = training_constants(shipped()).value();
    const TrainingRun plain = of(""), compiled = of("torch.compile");
    QCOMPARE(plain.stack, SoftwareStack::fsdp_eager);
    QCOMPARE(compiled.stack, SoftwareStack::torchtitan);
    QVERIFY(predict_run(plain, constants).step_s > 1.02 * predict_run(compiled, constants).step_s);
  }
};

QTEST_APPLESS_MAIN(TestTrainingRuns)
#include "test_training_runs.moc"
