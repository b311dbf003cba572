// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/training_runs.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "catalog/csv.h"
#include "catalog/utf8.h"
#include "training/job_inputs.h"

namespace hallwright {
namespace {

constexpr double gib = 1073741824.0;

/// Lower-case letters and digits alone: "LLAMA3.1_405B" and "llama 3.1 405b" are one name.
std::string plain(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) out += c;
  }
  return out;
}
bool holds(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

template <class T>
double or_zero(const std::optional<T>& v) {
  return v ? static_cast<double>(*v) : 0.0;
}

/// Model of the catalog whose id or name begins a name ("DeepSeekV3", "Qwen3_30B_a3B"): the longest that fits.
const ModelPart* model_named(const Catalog& catalog, std::string_view name) {
  const std::string wanted = plain(name);
  const ModelPart* found = nullptr;
  std::size_t length = 0;
  for (const ModelPart& m : catalog.of<ModelPart>()) {
    for (const std::string& key : {plain(m.id), plain(m.name)})
      if (key.size() > length && key.size() >= 5 && holds(wanted, key)) {
        found = &m;
        length = key.size();
      }
  }
  return found;
}

const Accelerator* accelerator_named(const Catalog& catalog, std::string_view name) {
  const std::string n = plain(name);
  const auto by = [&](const char* id) { return catalog.find<Accelerator>(id); };
  if (holds(n, "gb300")) return by("gb300-gpu");
  if (holds(n, "gb200")) return by("gb200-gpu");
  if (holds(n, "b300")) return by("b300-sxm");
  if (holds(n, "b200")) return by("b200-sxm");
  if (holds(n, "h200") || holds(n, "gh200")) return by("h200-sxm");
  if (holds(n, "h800")) return by("h800-sxm");
  if (holds(n, "h100")) return by(holds(n, "pcie") ? "h100-pcie" : "h100-sxm");
  if (holds(n, "a100") || holds(n, "a800")) {
    const bool small = holds(n, "40gb");
    return holds(n, "pcie") ? by(small ? "a100-40-pcie" : "a100-80-pcie") : by(small ? "a100-40-sxm" : "a100-80-sxm");
  }
  for (const Accelerator& a : catalog.of<Accelerator>()) {
    const std::string id = plain(a.id);
    if (holds(n, id) || (id.size() > 3 && n.size() > 3 && holds(id, n))) return &a;
  }
  return nullptr;
}

SoftwareStack stack_of(std::string_view source, std::string_view release, double sharding, AcceleratorFamily family) {
  std::string s;
  for (char c : source)
    s += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  if (holds(s, "torchtitan") || holds(s, "pytorch"))
    return holds(s, "compile") || holds(release, "compile") ? SoftwareStack::torchtitan : SoftwareStack::fsdp_eager;
  if (holds(s, "mosaic") || holds(s, "llm-foundry") || holds(s, "composer")) return SoftwareStack::composer;
  if (holds(s, "deepspeed") || holds(s, "vtrain") || holds(s, "bigscience") || holds(s, "bloom"))
    return SoftwareStack::megatron_deepspeed;
  const bool container_25 = release.substr(0, 2) == "25" && holds(release, "NeMo"),
             container_26 = release.substr(0, 2) == "26";
  if (holds(s, "megatron-bridge") || container_25 || container_26) {
    if (container_25) return SoftwareStack::bridge_2025;
    return container_26 && (release.substr(0, 5) == "26.02" || release.substr(0, 5) == "26.04")
               ? SoftwareStack::bridge_2026
               : SoftwareStack::bridge_late;
  }
  if (holds(s, "nemo") || holds(s, "dgxc") || holds(s, "mcore") || holds(release, "mcore")) return SoftwareStack::nemo;
  if (holds(s, "narayanan") || holds(s, "korthikanti") || holds(s, "megatron-lm readme scaling"))
    return SoftwareStack::megatron_2020;
  if (sharding >= 3) return SoftwareStack::fsdp_eager;
  // Programs of no stated year are taken to be present ones; Volta is older than fused attention.
  const bool early = holds(s, "2019") || holds(s, "2020") || holds(s, "2021") || holds(s, "2022");
  return family == AcceleratorFamily::volta || (early && holds(s, "megatron")) ? SoftwareStack::megatron_2020
                                                                               : SoftwareStack::nemo;
}

/// Rate of the NICs of one accelerator that a text states, GB/s; 0 when it states none. "8x 200 Gb/s ... per node",
/// "1600 Gb/s node-node", "400 Gb/s per GPU".
double stated_network_gb_s(const std::string& text, double per_node) {
  const std::size_t unit = text.find(" Gb/s");
  if (unit == std::string::npos) return 0.0;
  std::size_t begin = unit;
  while (begin > 0 && text[begin - 1] >= '0' && text[begin - 1] <= '9')
    --begin;
  if (begin == unit) return 0.0;
  const double rate = std::stod(text.substr(begin, std::min<std::size_t>(unit - begin, 9)));
  double count = 1.0;
  if (begin > 2 && text[begin - 1] == ' ' && text[begin - 2] == 'x') {
    std::size_t first = begin - 2;
    while (first > 0 && text[first - 1] >= '0' && text[first - 1] <= '9')
      --first;
    if (first < begin - 2) count = std::stod(text.substr(first, std::min<std::size_t>(begin - 2 - first, 3)));
  }
  const std::string rest = text.substr(unit);
  const bool of_one = holds(rest, "per GPU") || holds(rest, "per accelerator");
  return rate * count / 8.0 / (of_one ? 1.0 : per_node);
}

/// Stage of a text as "3 (FULL_SHARD)", "0/1 (DDP)", "ZeRO-1", "stage 2", "FSDP2"; -1: it says nothing, or a number that
/// is no stage ("-1", "12", "1.5").
double sharding_stage(const std::string& text) {
  std::string word;
  for (char c : text) word += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  std::size_t at = 0;
  for (const std::string_view before : {"zero", "stage"}) {
    if (word.compare(at, before.size(), before) != 0) continue;
    at += before.size();
    while (at < word.size() && (word[at] == ' ' || (word[at] == '-' && before == "zero"))) ++at;
  }
  if (at < word.size() && word[at] >= '0' && word[at] <= '3') {
    const char next = at + 1 < word.size() ? word[at + 1] : ' ';
    return (next >= '0' && next <= '9') || next == '.' ? -1.0 : word[at] - '0';
  }
  const bool letter = at < word.size() && word[at] >= 'a' && word[at] <= 'z';
  return letter && (holds(word, "fsdp") || holds(word, "full_shard")) ? 3.0 : -1.0;
}

/// Columns that a table may have and that are read.
constexpr std::array<std::string_view, 32> columns_read{
    "id",      "family",     "source",  "release",      "model",           "total_params_b",    "layers",    "hidden",    "heads", "kv_heads", "ffn_hidden",
    "vocab",   "experts",    "topk",    "seq_len",      "global_batch_seqs", "global_batch_tokens", "micro_batch", "tp",    "pp",    "vpp",      "cp",
    "ep",      "dp",         "zero_fsdp_stage", "sequence_parallel", "recompute", "precision",  "gpu",       "gpus_per_node", "n_gpus", "interconnect"};
bool is_read(std::string_view column) { return std::find(columns_read.begin(), columns_read.end(), column) != columns_read.end(); }
constexpr std::array<std::string_view, 8> columns_added{
    "predicted_step_s", "predicted_low_s",      "predicted_high_s", "predicted_tflops_per_gpu",
    "predicted_mfu",    "predicted_memory_gib", "status",           "region"};

/// Whether a text says how accelerators are joined: a rate in Gb/s above 0, or the name of a link, a fabric or a system.
bool says_interconnect(const std::string& text) {
  std::string word;
  for (char c : text) word += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  if (holds(text, " Gb/s")) return stated_network_gb_s(text, 1.0) > 0.0;
  constexpr std::array<std::string_view, 15> names{"nvlink", "nvl72", "nvswitch", "infiniband", "roce", "ethernet", "omni-path", "slingshot",
                                                   "efa", "pcie", "xgmi", "infinity fabric", "single node", "dgx", "hgx"};
  return std::any_of(names.begin(), names.end(), [&](std::string_view name) { return holds(word, name); });
}

/// What is wrong with the header and the shape of a table; a prediction would not be of what the table says.
std::vector<std::string> table_problems(const std::vector<CsvRecord>& records) {
  std::vector<std::string> out;
  const std::vector<std::string>& header = records[0].cells;
  bool any = false;
  for (std::size_t i = 0; i < header.size(); ++i) {
    any = any || is_read(header[i]);
    const std::string shown = header[i].substr(0, 40);
    if (const auto first = std::find(header.begin(), header.end(), header[i]); !header[i].empty() && first - header.begin() < static_cast<std::ptrdiff_t>(i))
      out.push_back(fmt::format("line {}, columns {} and {}: both are named \"{}\"; a name may stand once", records[0].line,
                                first - header.begin() + 1, i + 1, shown));
    if (std::find(columns_added.begin(), columns_added.end(), header[i]) != columns_added.end())
      out.push_back(fmt::format("line {}, column {}: \"{}\" is the name of a column that is added; rename it or leave it out", records[0].line, i + 1, shown));
  }
  if (!any) {
    std::string names;
    for (const std::string_view c : columns_read) names += fmt::format("{}{}", names.empty() ? "" : ", ", c);
    out.push_back(fmt::format("line {}: no column is one that is read; these are: {}", records[0].line, names));
  }
  for (std::size_t i = 1; i < records.size(); ++i)
    if (records[i].cells.size() > header.size())
      out.push_back(fmt::format("line {}: {} cells, and the header names {} columns", records[i].line, records[i].cells.size(), header.size()));
  return out;
}

class Reader {
public:
  Reader(const Catalog& c, const std::vector<CsvRecord>& r) : catalog(c), records(r) {
    for (std::size_t i = 0; i < records[0].cells.size(); ++i)
      column.emplace(records[0].cells[i], i);
  }
  std::vector<std::string> problems;

  [[nodiscard]] std::string text(const CsvRecord& r, const char* name) const {
    const auto it = column.find(name);
    return it == column.end() || it->second >= r.cells.size() ? std::string() : r.cells[it->second];
  }
  double number(const CsvRecord& r, const char* name) {
    const std::string t = text(r, name);
    if (t.empty()) return 0.0;
    double v = 0.0;
    const auto [end, failed] = std::from_chars(t.data(), t.data() + t.size(), v);
    if (failed != std::errc() || end != t.data() + t.size() || !(v >= 0.0) || v > 1e15) {
      problems.push_back(
          fmt::format("line {}, {}: \"{}\" is not a number from 0 to 1e15", r.line, name, t.substr(0, 40)));
      return 0.0;
    }
    return v;
  }
  void wrong_word(const CsvRecord& r, const char* name, const std::string& word, const char* allowed) {
    problems.push_back(fmt::format("line {}, {}: \"{}\" is none of what is allowed: {}", r.line, name, word.substr(0, 40), allowed));
  }
  double count(const CsvRecord& r, const char* name) {
    const double v = number(r, name);
    if (v != std::floor(v)) {
      problems.push_back(fmt::format("line {}, {}: {} is not a whole number", r.line, name, v));
      return 0.0;
    }
    return v;
  }

  /// A count that may be left out, and is above 0 where it is stated.
  double positive(const CsvRecord& r, const char* name) {
    const std::size_t before = problems.size();
    const double v = count(r, name);
    if (v == 0.0 && problems.size() == before && !text(r, name).empty())
      problems.push_back(fmt::format("line {}, {}: \"{}\" must be 1 or more, or nothing where it is not known", r.line, name,
                                     text(r, name).substr(0, 40)));
    return v;
  }

  /// The same for an axis or a depth: at most what whole numbers of 32 bits hold, far above any cluster.
  double axis(const CsvRecord& r, const char* name) {
    const double v = positive(r, name);
    if (v <= 1e9) return v;
    problems.push_back(fmt::format("line {}, {}: \"{}\" is not from 1 to 1e9", r.line, name, text(r, name).substr(0, 40)));
    return 0.0;
  }

  TrainingRun run(const CsvRecord& r) {
    TrainingRun out;
    out.id = text(r, "id");
    out.model = text(r, "model");
    std::vector<std::string> missing;
    ModelDimensions& m = out.dimensions;
    JobSplit& j = out.split;
    const ModelPart* known = model_named(catalog, out.model);
    shape(r, out, known);
    j.sequence = positive(r, "seq_len");
    j.global_batch = positive(r, "global_batch_seqs");
    if (j.global_batch == 0 && j.sequence > 0)
      j.global_batch = std::floor(count(r, "global_batch_tokens") / j.sequence);
    if (j.sequence == 0 && out.model.rfind("GPT-2", 0) == 0) {
      j.sequence = 1024; // the context of GPT-2
      out.assumed.push_back("seq_len 1024");
    }
    out.gpus = axis(r, "n_gpus");
    j.micro_batch = positive(r, "micro_batch");
    j.tp = axis(r, "tp");
    j.pp = axis(r, "pp");
    j.vpp = std::max(1.0, axis(r, "vpp"));
    j.cp = std::max(1.0, axis(r, "cp"));
    j.ep = std::max(1.0, axis(r, "ep"));
    j.dp = axis(r, "dp");
    // Fully sharded jobs whose line names no other axis have none; one axis that is left open takes what is left.
    if (sharding_stage(text(r, "zero_fsdp_stage")) >= 3 || (j.dp > 0 && j.dp == out.gpus)) {
      if (j.tp == 0) j.tp = 1.0;
      if (j.pp == 0) j.pp = 1.0;
    }
    const auto rest = [&](double a, double b) { return a > 0 && b > 0 ? std::floor(out.gpus / (a * b * j.cp)) : 0.0; };
    if (j.tp == 0) j.tp = rest(j.pp, j.dp);
    if (j.pp == 0) j.pp = rest(j.tp, j.dp);
    if (j.dp == 0 && j.tp > 0 && j.pp > 0 && out.gpus > 0) j.dp = std::floor(out.gpus / (j.tp * j.pp * j.cp));
    if (j.global_batch == 0 && j.dp > 0 && j.micro_batch > 0) j.global_batch = j.dp * j.micro_batch;
    if (j.pp > 1.5) j.schedule = j.vpp > 1.5 ? PipelineSchedule::interleaved : PipelineSchedule::one_f_one_b;
    if (j.pp == 1 && j.vpp > 1) j.vpp = 1.0; // some tables fill the column where it means nothing

    const std::string gpu = text(r, "gpu");
    out.accelerator = gpu;
    const Accelerator* a = accelerator_named(catalog, gpu);
    if (gpu.empty())
      missing.push_back("gpu");
    else if (!a && !holds(plain(gpu), "v100"))
      missing.push_back(fmt::format("gpu \"{}\" in the catalog", gpu));
    cluster(r, out, a);
    if (const std::string joined = text(r, "interconnect"); !joined.empty() && !says_interconnect(joined))
      wrong_word(r, "interconnect", joined,
                 "a rate above 0 as in \"400 Gb/s per GPU\", or a text that names NVLink, NVL72, NVSwitch, InfiniBand, RoCE, Ethernet, Omni-Path, Slingshot, EFA, PCIe, "
                 "xGMI, Infinity Fabric, DGX, HGX or single node; or nothing");
    const std::string word = text(r, "precision");
    if (!word.empty()) {
      if (const auto recipe = precision_recipe(word))
        j.recipe = *recipe;
      else
        problems.push_back(
            fmt::format("line {}, precision: \"{}\" is none of fp32, tf32, bf16, fp16, fp8, mxfp8, nvfp4", r.line,
                        word.substr(0, 40)));
    }
    peak(out, a, missing);
    const std::string said = plain(word);
    const std::string sharding = text(r, "zero_fsdp_stage");
    const double stage = sharding_stage(sharding);
    out.stack = stack_of(text(r, "source") + " " + text(r, "family"), text(r, "release"), stage, out.cluster.family);
    const bool modern = out.stack >= SoftwareStack::nemo;
    // DeepSpeed sums gradients of fp16 in 16 bits; its optimizer for bf16, of 2022, keeps 32-bit sums beside them.
    if (out.stack == SoftwareStack::megatron_deepspeed && !holds(said, "bf16")) {
      j.gradient_bytes = 2;
      if (word.empty()) out.assumed.push_back("fp16");
    }
    if (modern && j.pp > 1.5 && text(r, "vpp").empty()) {
      if (holds(plain(text(r, "source")), "deepseek")) {
        // DeepSeek-V3 technical report, 3.2.1: DualPipe runs two directions, exchange of one beside products of the
        // other; its bubble is that of ZB-V.
        j.schedule = PipelineSchedule::zero_bubble_v;
        out.assumed.push_back("a bidirectional schedule");
      } else {
        interleave(out);
      }
    }
    j.sharding = stage >= 3                           ? Sharding::parameters
                 : stage == 2                         ? Sharding::gradients
                 : stage == 0 && sharding.size() == 1 ? Sharding::none
                 : stage >= 0 || modern               ? Sharding::optimizer
                                                      : Sharding::none;
    if (const std::size_t at = sharding.find("FSDP "); at != std::string::npos && stage == 3) {
      double ranks = 0.0;
      std::from_chars(sharding.data() + at + 5, sharding.data() + sharding.size(), ranks);
      if (ranks >= 1.0 && ranks < j.dp) j.shard_ranks = ranks;
    }
    if (stage < 0 && !sharding.empty()) wrong_word(r, "zero_fsdp_stage", sharding, "0, 1, 2 or 3, with words after it");
    const std::string sp = text(r, "sequence_parallel");
    if (const std::string w = plain(sp); !w.empty() && w != "yes" && w != "no" && w != "true" && w != "false" && w != "1" && w != "0")
      wrong_word(r, "sequence_parallel", sp, "yes or no");
    j.sequence_parallel = j.tp > 1.5 && (sp.empty() ? modern : plain(sp) == "yes" || sp == "1" || plain(sp) == "true");
    const std::string again = plain(text(r, "recompute"));
    if (again.empty()) {
      // DeepSpeed leaves it to the script, where it is off unless asked for; Megatron-LM to 2022 ran with it on.
      out.recompute_open = modern;
      if (!out.recompute_open && out.stack != SoftwareStack::composer) j.recompute = Recompute::full;
    } else {
      if (!holds(again, "full") && !holds(again, "selective") && again != "none" && again != "no")
        wrong_word(r, "recompute", text(r, "recompute"), "none, selective or full");
      j.recompute = holds(again, "full")               ? Recompute::full
                    : again == "none" || again == "no" ? Recompute::none
                                                       : Recompute::selective;
    }
    if (out.stack == SoftwareStack::megatron_2020 || out.stack == SoftwareStack::megatron_deepspeed) m.dropout = 1.0;
    out.micro_batch_open = j.micro_batch == 0;
    if (m.layers == 0) missing.push_back("layers");
    if (m.hidden == 0) missing.push_back("hidden");
    if (m.experts > 0 && m.expert_ffn == 0) missing.push_back("ffn_hidden");
    if (m.heads == 0) missing.push_back("heads");
    for (const auto& [value, name] : {std::pair(j.sequence, "seq_len"),
                                      {j.global_batch, "global_batch_seqs"},
                                      {out.gpus, "n_gpus"},
                                      {j.tp, "tp"},
                                      {j.pp, "pp"},
                                      {j.dp, "dp"}})
      if (value == 0) missing.push_back(name);
    for (const std::string& s : missing)
      out.missing += (out.missing.empty() ? "" : ", ") + s;
    if (out.missing.empty()) {
      JobSplit trial = j;
      if (out.micro_batch_open) trial.micro_batch = 1.0;
      out.illegal = split_problem(m, trial, out.gpus);
    }
    return out;
  }

private:
  const Catalog& catalog;
  const std::vector<CsvRecord>& records;
  std::map<std::string, std::size_t, std::less<>> column;

  void shape(const CsvRecord& r, TrainingRun& out, const ModelPart* known) {
    ModelDimensions& m = out.dimensions;
    m.layers = axis(r, "layers");
    m.hidden = positive(r, "hidden");
    m.heads = positive(r, "heads");
    m.kv_heads = positive(r, "kv_heads");
    m.vocabulary = positive(r, "vocab");
    m.experts = count(r, "experts");
    m.experts_per_token = count(r, "topk");
    double ffn = positive(r, "ffn_hidden");
    // A catalog entry whose shape differs from the line's is another model; one of the name and width alone is the
    // same with fewer layers.
    const bool same = known && (m.hidden == 0 ? m.layers == 0 || m.layers == or_zero(known->layers)
                                              : m.hidden == or_zero(known->hidden));
    if (known && m.vocabulary == 0) m.vocabulary = or_zero(known->vocabulary);
    if (same) {
      const auto fill = [](double& into, double from) {
        if (into == 0) into = from;
      };
      fill(m.layers, or_zero(known->layers));
      fill(m.hidden, or_zero(known->hidden));
      fill(m.heads, or_zero(known->attention_heads));
      fill(m.kv_heads, or_zero(known->kv_heads));
      fill(m.experts, or_zero(known->experts_routed));
      fill(m.experts_per_token, or_zero(known->experts_per_token));
      m.head_dimension = or_zero(known->head_dimension);
      m.latent = known->attention == "MLA";
      m.q_rank = or_zero(known->q_lora_rank);
      m.kv_rank = or_zero(known->kv_lora_rank);
      m.nope_dimension = or_zero(known->qk_nope_head_dimension);
      m.rope_dimension = or_zero(known->qk_rope_head_dimension);
      m.v_dimension = or_zero(known->v_head_dimension);
      m.window = or_zero(known->sliding_window);
      m.windowed_share = m.window > 0 ? 0.5 : 0.0;
      m.experts_shared = or_zero(known->experts_shared);
      m.first_dense_layers = std::min(or_zero(known->first_dense_layers), std::max(0.0, m.layers - 1.0));
      m.expert_layer_spacing = std::max(1.0, or_zero(known->moe_every_n_layers));
      m.tied_embeddings = or_zero(known->tied_embeddings) > 0.5;
      if (m.experts > 0) {
        // Some tables give the width of the dense layers.
        const bool of_dense = ffn == or_zero(known->ffn_hidden) && known->moe_ffn_hidden.has_value();
        m.expert_ffn = ffn > 0 && !of_dense ? ffn : or_zero(known->moe_ffn_hidden);
        ffn = or_zero(known->ffn_hidden);
      } else if (ffn == 0) {
        ffn = or_zero(known->ffn_hidden);
      }
    } else if (m.experts > 0) {
      m.expert_ffn = ffn;
    }
    if (m.experts > 0 && (m.experts_per_token == 0 || (!text(r, "topk").empty() && count(r, "topk") == 0)))
      problems.push_back(fmt::format("line {}, topk: \"{}\" is not from 1 to {:.0f}, the experts of the model", r.line, text(r, "topk").substr(0, 40), m.experts));
    if (m.experts == 0 && m.experts_per_token > 0)
      problems.push_back(fmt::format("line {}, topk: \"{}\" needs experts, and experts says \"{}\"; allowed is 0 or nothing", r.line,
                                     text(r, "topk").substr(0, 40), text(r, "experts").substr(0, 40)));
    // Only the catalog tells of heads that are no even cut of the width.
    const bool own_heads = !text(r, "heads").empty() && !(same && m.heads == or_zero(known->attention_heads));
    if (own_heads && m.heads > 0 && m.hidden > 0 && std::fmod(m.hidden, m.heads) != 0.0)
      problems.push_back(fmt::format("line {}, heads: \"{}\" does not divide hidden = {:.0f}; allowed are its divisors, or the heads of a model of the catalog",
                                     r.line, text(r, "heads").substr(0, 40), m.hidden));
    const double billions = number(r, "total_params_b");
    if ((m.layers == 0 || m.hidden == 0) && billions > 0 && m.experts == 0 && number(r, "pp") > 0) {
      // A plain transformer of the size: depth about a 160th of its width, layers that the stages divide.
      const double parameters = billions * 1e9, stages = number(r, "pp");
      if (m.hidden == 0) m.hidden = std::max(1.0, std::round(std::cbrt(parameters * 160.0 / 12.0) / 256.0)) * 256.0;
      if (m.layers == 0)
        m.layers = std::max(1.0, std::round(parameters / (12.0 * m.hidden * m.hidden) / stages)) * stages;
      if (m.heads == 0) m.heads = std::max(1.0, std::floor(m.hidden / 1024.0)) * 8.0;
      out.shape_open = true;
      out.assumed.push_back(
          fmt::format("hidden {:.0f} and {:.0f} layers from the parameter count", m.hidden, m.layers));
    }
    if (m.kv_heads == 0) m.kv_heads = m.heads;
    if (m.head_dimension == 0 && m.heads > 0) m.head_dimension = m.hidden / m.heads;
    if (ffn == 0 && m.experts == 0) ffn = 4.0 * m.hidden;
    m.ffn = ffn;
    if (m.vocabulary == 0) {
      m.vocabulary = holds(plain(out.model), "bloom") ? 250880.0 : 51200.0;
      out.assumed.push_back(fmt::format("vocab {:.0f}", m.vocabulary));
    }
    m.gated = same && known->ffn_gated ? or_zero(known->ffn_gated) > 0.5 : !(ffn == 4.0 * m.hidden);
    if (!(same && known->ffn_gated) && m.experts == 0 && billions > 0 && !out.shape_open) {
      // The parameter count tells two matrices from three.
      ModelDimensions other = m;
      other.gated = !m.gated;
      const auto off = [&](const ModelDimensions& d) { return std::abs(d.parameters(false) / billions / 1e9 - 1.0); };
      if (off(other) + 0.05 < off(m)) m.gated = other.gated;
    }
  }

  /// Fewer than two micro-batches a stage are not run without interleaving by programs that have it: as many chunks as
  /// a stage has layers, up to eight.
  static void interleave(TrainingRun& out) {
    JobSplit& j = out.split;
    const double micro_batches = j.global_batch / std::max(1.0, j.dp * std::max(1.0, j.micro_batch));
    const double stage = std::ceil(out.dimensions.layers / j.pp);
    if (micro_batches >= 2.0 * j.pp || std::fmod(micro_batches, j.pp) != 0.0) return;
    double chunks = std::min(8.0, stage);
    while (chunks > 1.5 && std::fmod(stage, chunks) != 0.0)
      --chunks;
    if (chunks < 1.5) return;
    j.vpp = chunks;
    j.schedule = PipelineSchedule::interleaved;
    out.assumed.push_back(fmt::format("vpp {:.0f}", chunks));
  }

  void cluster(const CsvRecord& r, TrainingRun& out, const Accelerator* a) {
    ClusterRates& c = out.cluster;
    const std::string joined = text(r, "interconnect");
    double per_node = count(r, "gpus_per_node");
    if (const std::string stated = text(r, "gpus_per_node"); per_node == 0 && !stated.empty())
      wrong_word(r, "gpus_per_node", stated, "1 or more, or nothing");
    if (per_node == 0) per_node = 8.0;
    if (!a) { // V100 in DGX-2: NVIDIA V100 data sheet, 125 TFLOP/s, 900 GB/s, 32 GB; NVLink 2 150 GB/s; 8 x 100 Gb/s
      c = {.family = AcceleratorFamily::volta,
           .peak_tflops = 125,
           .half_peak_tflops = 125,
           .memory_gb_s = 900,
           .memory_gib = 31.7,
           .scale_up_gb_s = 150,
           .scale_up_ranks = 16,
           .network_gb_s = 6.25};
      return;
    }
    c = accelerator_rates(*a, per_node);
    if (holds(joined, "NVL72")) c.scale_up_ranks = 72.0;
    if (const double stated = stated_network_gb_s(joined, per_node); stated > 0) c.network_gb_s = stated;
  }

  static void peak(TrainingRun& out, const Accelerator* a, std::vector<std::string>& missing) {
    ClusterRates& c = out.cluster;
    c.peak_tflops = c.half_peak_tflops;
    if (out.split.recipe == PrecisionRecipe::half) return;
    const std::optional<FlopRate> rate = a ? recipe_peak(*a, out.split.recipe) : std::nullopt;
    if (rate)
      c.peak_tflops = rate->value() * 1e-12;
    else
      missing.push_back(fmt::format("peak of {} in {}", out.accelerator, precision_word(out.split.recipe)));
  }
};

/// Activations that do not fit: norms, activation functions and projections are cheap to compute again, and copies in
/// host memory come back beside the products. Of the published runs whose mode is open, those that need this are no
/// slower than the model without it, so it costs no time here; a second forward would add a third.
/// `least`: with nothing kept but the inputs of layers.
void make_room(RunPrediction& out, const RankMemory& least, double limit, double slack) {
  out.fits = least.total() <= limit;
  const double kept = out.memory.activations;
  const double excess = std::min((out.memory.total() - limit) / (1.0 + slack), kept - least.activations);
  if (excess <= 0.0) return;
  out.memory.activations -= excess;
  out.memory.slack -= slack * excess;
  out.made_room = fmt::format("{:.0f} of {:.0f} GiB of activations computed again or kept in host memory", excess / gib,
                              kept / gib);
}

} // namespace

tl::expected<std::vector<TrainingRun>, std::vector<std::string>> read_training_runs(std::string_view csv,
                                                                                    const Catalog& catalog) {
  if (const int line = line_of_bad_utf8(csv); line != 0)
    return tl::make_unexpected(std::vector<std::string>{fmt::format("line {}: is not text (UTF-8)", line)});
  if (const std::size_t zero = csv.find('\0'); zero != std::string_view::npos)
    return tl::make_unexpected(std::vector<std::string>{
        fmt::format("line {}: holds a byte 0; a table is text", 1 + std::count(csv.begin(), csv.begin() + static_cast<std::ptrdiff_t>(zero), '\n'))});
  const auto records = read_csv(csv);
  if (!records) return tl::make_unexpected(std::vector<std::string>{records.error()});
  if (records->empty()) return tl::make_unexpected(std::vector<std::string>{"the table is empty"});
  if (auto wrong = table_problems(*records); !wrong.empty()) return tl::make_unexpected(std::move(wrong));
  Reader reader(catalog, *records);
  std::vector<TrainingRun> out;
  for (std::size_t i = 1; i < records->size(); ++i)
    out.push_back(reader.run((*records)[i]));
  if (!reader.problems.empty()) return tl::make_unexpected(reader.problems);
  return out;
}

RunPrediction predict_run(const TrainingRun& run, const TrainingConstants& constants) {
  RunPrediction out;
  const StackConstants& stack = constants.stacks[static_cast<std::size_t>(run.stack)];
  const double limit = run.cluster.memory_gib * gib;
  const auto memory_of = [&](const JobSplit& j) { return heaviest_rank_memory(run.dimensions, j, constants, stack); };
  // An open mode costs no second forward; make_room sees to what does not fit.
  const auto settle = [&](JobSplit j) {
    if (run.recompute_open) j.recompute = Recompute::none;
    return j;
  };
  if (run.micro_batch_open) {
    // The fastest that fits; one sequence when none does.
    double best = 0.0;
    for (const double b : {1.0, 2.0, 4.0, 8.0, 16.0}) {
      JobSplit j = run.split;
      j.micro_batch = b;
      if (j.micro_batches() < 1.0 || j.micro_batches() != std::floor(j.micro_batches())) continue;
      j = settle(j);
      if (b > 1.0 && memory_of(j).total() > limit) continue;
      const double t = step_time(run.dimensions, j, run.cluster, constants, stack).total();
      if (best > 0.0 && t >= best) continue;
      best = t;
      out.split = j;
    }
    if (best == 0.0) {
      out.split = run.split;
      out.split.micro_batch = 1.0;
    }
  } else {
    out.split = settle(run.split);
  }
  out.parts = step_time(run.dimensions, out.split, run.cluster, constants, stack);
  out.memory = memory_of(out.split);
  out.fits = out.memory.total() <= limit;
  if (!out.fits && run.recompute_open) {
    JobSplit full = out.split;
    full.recompute = Recompute::full;
    make_room(out, memory_of(full), limit, constants.memory_slack);
  }
  out.step_s = out.parts.total();
  CalibrationPlace place = place_among_measured(run.dimensions, run.split, run.cluster, run.stack, run.gpus, run.id, run.shape_open);
  out.region = place.region;
  out.nearest = std::move(place.nearest);
  const double width = interval_width(constants, out.region, run.dimensions.experts > 0);
  out.low_s = out.step_s * std::exp(-width);
  out.high_s = out.step_s * std::exp(width);
  out.tflops_per_gpu = model_flops_per_step(run.dimensions, out.split) / out.step_s / run.gpus * 1e-12;
  out.mfu = out.tflops_per_gpu / run.cluster.peak_tflops;
  out.largest_terms = largest_terms(out.parts);
  return out;
}

namespace {

std::string csv_cell(const std::string& s) {
  if (s.find_first_of(",\"\n\r") == std::string::npos) return s;
  std::string out = "\"";
  for (char c : s)
    out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}
std::string json_text(const std::string& s) {
  std::string out = "\"";
  for (char c : s)
    if (c == '"' || c == '\\')
      out += std::string("\\") + c;
    else if (static_cast<unsigned char>(c) < 0x20)
      out += fmt::format("\\u{:04x}", static_cast<int>(c));
    else
      out += c;
  return out + "\"";
}
std::string json_list(const std::vector<std::string>& list) {
  std::string out = "[";
  for (const std::string& s : list)
    out += (out.size() > 1 ? ", " : "") + json_text(s);
  return out + "]";
}

} // namespace

tl::expected<TrainingTable, std::vector<std::string>> predict_training_runs(std::string_view csv,
                                                                            const Catalog& catalog, bool json) {
  const auto constants = training_constants(catalog);
  if (!constants) return tl::make_unexpected(std::vector<std::string>{constants.error()});
  const auto runs = read_training_runs(csv, catalog);
  if (!runs) return tl::make_unexpected(runs.error());
  const auto records = read_csv(csv);
  constexpr const auto& added = columns_added;
  const std::vector<std::string>& header = (*records)[0].cells;
  TrainingTable out;
  for (const std::string& h : header)
    if (!is_read(h)) out.not_read.push_back(h);
  std::string& text = out.csv;
  if (json) {
    text = "[";
  } else {
    for (const std::string& h : header)
      text += csv_cell(h) + ",";
    for (std::size_t i = 0; i < added.size(); ++i)
      text += fmt::format("{}{}", added[i], i + 1 < added.size() ? "," : "\n");
  }
  for (std::size_t i = 0; i < runs->size(); ++i) {
    const TrainingRun& run = (*runs)[i];
    const std::vector<std::string>& cells = (*records)[i + 1].cells;
    std::array<std::string, 8> values;
    std::optional<RunPrediction> p;
    if (!run.missing.empty()) {
      values[6] = "not_enough_input: " + run.missing;
      ++out.not_enough;
    } else if (!run.illegal.empty()) {
      values[6] = "illegal: " + run.illegal;
      ++out.illegal;
    } else {
      p = predict_run(run, *constants);
      const std::array<double, 6> numbers{p->step_s,         p->low_s, p->high_s,
                                          p->tflops_per_gpu, p->mfu,   p->memory.total() / gib};
      const StepParts& s = p->parts;
      const std::array<double, 17> parts{s.matrix, s.attention, s.passes, s.experts, s.recompute, s.logits, s.launch, s.tensor, s.context,
                                         s.expert, s.pipeline, s.data, s.bubble, s.optimizer, s.stragglers, s.other, s.offload};
      const auto sound = [](double v) { return std::isfinite(v) && v >= 0.0; };
      std::size_t wrong = 0;
      while (wrong < numbers.size() && sound(numbers[wrong]) && numbers[wrong] > 0.0) ++wrong;
      if (wrong < numbers.size() || !std::all_of(parts.begin(), parts.end(), sound)) {
        values[6] = fmt::format("illegal: {} of these numbers is not a finite number above 0; they are too large or too small for the model",
                                wrong < numbers.size() ? added[wrong].substr(10) : std::string_view("a part of the step"));
        p.reset();
        ++out.illegal;
      } else {
        for (std::size_t k = 0; k < numbers.size(); ++k)
          values[k] = fmt::format("{}", numbers[k]);
        values[6] = p->fits ? "ok" : "does_not_fit";
        values[7] = region_word(p->region);
        ++out.predicted;
        if (!p->fits) ++out.does_not_fit;
      }
    }
    if (!json) {
      for (std::size_t k = 0; k < header.size(); ++k)
        text += csv_cell(k < cells.size() ? cells[k] : std::string()) + ",";
      for (std::size_t k = 0; k < values.size(); ++k)
        text += csv_cell(values[k]) + (k + 1 < values.size() ? "," : "\n");
      continue;
    }
    text += i > 0 ? ",\n {" : "\n {";
    for (std::size_t k = 0; k < header.size(); ++k)
      text += fmt::format("{}: {}, ", json_text(header[k]), json_text(k < cells.size() ? cells[k] : std::string()));
    for (std::size_t k = 0; k < values.size(); ++k)
      text += fmt::format("{}{}: {}", k > 0 ? ", " : "", json_text(std::string(added[k])),
                          values[k].empty() ? "null"
                          : k < 6           ? values[k]
                                            : json_text(values[k]));
    if (p) {
      const StepParts& s = p->parts;
      text += fmt::format(", \"parts_s\": {{\"matrix\": {}, \"attention\": {}, \"passes\": {}, \"experts\": {}, "
                          "\"recompute\": {}, \"logits\": {}, \"launch\": {}, \"tensor\": {}, \"context\": {}, "
                          "\"expert\": {}, \"pipeline\": {}, \"data\": {}, \"bubble\": {}, \"optimizer\": {}, "
                          "\"stragglers\": {}, \"other\": {}, \"offload\": {}}}",
                          s.matrix, s.attention, s.passes, s.experts, s.recompute, s.logits, s.launch, s.tensor,
                          s.context, s.expert, s.pipeline, s.data, s.bubble, s.optimizer, s.stragglers, s.other, s.offload);
      std::vector<std::string> assumed = run.assumed;
      if (!p->made_room.empty()) assumed.push_back(p->made_room);
      text += fmt::format(", \"hangs_on\": {}, \"nearest\": {}, \"assumed\": {}", json_list(p->largest_terms),
                          json_list(p->nearest), json_list(assumed));
    }
    text += "}";
  }
  if (json) text += "\n]\n";
  return out;
}

} // namespace hallwright
