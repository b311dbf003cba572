// SPDX-License-Identifier: GPL-3.0-or-later
#include "fabric/collective_time_table.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

#include "catalog/csv.h"
#include "quantity/text.h"

namespace hallwright {
namespace {

constexpr std::string_view added_column = "predicted_time_us";

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}
/// Letters and digits in a row, as words.
std::set<std::string, std::less<>> words_of(std::string_view text) {
  std::set<std::string, std::less<>> out;
  std::string word;
  const auto end = [&] {
    if (!word.empty()) out.insert(std::move(word));
    word.clear();
  };
  for (char c : text) {
    if ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))
      word += c;
    else
      end();
  }
  end();
  return out;
}

/// A number that is not below `least`; nothing for empty text; an error's end of sentence else.
tl::expected<std::optional<double>, std::string> number_in(std::string_view text, double least = 0.0) {
  while (!text.empty() && text.front() == ' ')
    text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ')
    text.remove_suffix(1);
  if (text.empty()) return std::nullopt;
  double value = 0.0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failed != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
    return tl::make_unexpected(fmt::format("\"{}\" is not a number", text.substr(0, 40)));
  if (value < least || value > 1e18) return tl::make_unexpected(fmt::format("{} is outside 0 to 1e18", text));
  return value;
}

std::optional<Collective> collective_in(std::string_view text) {
  std::string plain;
  for (char c : lower(text))
    if (c >= 'a' && c <= 'z') plain += c;
  static const std::map<std::string, Collective, std::less<>> names{
      {"allreduce", Collective::all_reduce},
      {"allgather", Collective::all_gather},
      {"reducescatter", Collective::reduce_scatter},
      {"alltoall", Collective::all_to_all},
      {"reduce", Collective::broadcast}, // the same ring the other way
      {"broadcast", Collective::broadcast},
      {"sendreceive", Collective::send_receive},
      {"sendrecv", Collective::send_receive}};
  const auto it = names.find(plain);
  return it == names.end() ? std::nullopt : std::optional(it->second);
}

/// Binds what `algo_proto` names, when it names nothing else.
void bind_algorithm(std::string_view text, CollectiveCase& c) {
  std::string plain;
  for (char ch : lower(text))
    plain += ch == '/' || ch == '_' || ch == '-' || ch == '+' || ch == ',' ? ' ' : ch;
  std::optional<CollectiveAlgorithm> algorithm;
  std::optional<CollectiveProtocol> protocol;
  bool nvls = false, tree = false;
  for (const std::string& word : words_of(plain)) {
    if (word == "ring")
      algorithm = CollectiveAlgorithm::ring;
    else if (word == "tree")
      tree = true;
    else if (word == "nvls")
      nvls = true;
    else if (word == "nvlstree")
      nvls = tree = true;
    else if (word == "ll")
      protocol = CollectiveProtocol::ll;
    else if (word == "ll128")
      protocol = CollectiveProtocol::ll128;
    else if (word == "simple")
      protocol = CollectiveProtocol::simple;
    else
      return;
  }
  // Between domains NVLS means its tree, unless the network reduces too.
  if (nvls)
    algorithm = tree || (c.group.domains > 1 && !c.group.switch_reduction) ? CollectiveAlgorithm::nvls_tree
                                                                           : CollectiveAlgorithm::nvls;
  else if (tree)
    algorithm = CollectiveAlgorithm::tree;
  if (algorithm == CollectiveAlgorithm::nvls_tree && c.group.domains == 1) algorithm = CollectiveAlgorithm::nvls;
  c.call.algorithm = algorithm;
  c.call.protocol = protocol;
}

GpuGeneration generation_of(std::string_view system, double scale_up_gb_s) {
  for (const std::string& word : words_of(lower(system))) {
    const auto begins = [&](std::string_view with) { return word.compare(0, with.size(), with) == 0; };
    if (begins("b100") || begins("b200") || begins("b300") || begins("gb200") || begins("gb300"))
      return GpuGeneration::blackwell;
    if (begins("h100") || begins("h200") || begins("h800") || begins("h20") || begins("gh200"))
      return GpuGeneration::hopper;
    if (begins("a100") || begins("a800")) return GpuGeneration::ampere;
    if (begins("v100")) return GpuGeneration::volta;
    if (begins("mi") || begins("gaudi") || begins("tpu") || begins("trainium")) return GpuGeneration::other;
  }
  return scale_up_gb_s >= 700   ? GpuGeneration::blackwell
         : scale_up_gb_s >= 350 ? GpuGeneration::hopper
         : scale_up_gb_s >= 240 ? GpuGeneration::ampere
                                : GpuGeneration::volta;
}

/// GPUs of a scale-up domain: "NVL72" in the name, else what the catalog says of the accelerator, else a node.
Count domain_of(std::string_view system, Count gpus_per_node, const Catalog& catalog) {
  Count from_name = 0, from_part = 0;
  for (const std::string& word : words_of(lower(system))) {
    if (word.size() > 3 && word.compare(0, 3, "nvl") == 0)
      std::from_chars(word.data() + 3, word.data() + word.size(), from_name);
    for (const Accelerator& a : catalog.accelerators)
      if (a.scale_up_domain && a.id.size() > word.size() && a.id.compare(0, word.size(), word) == 0 &&
          a.id[word.size()] == '-' && word.size() >= 4)
        from_part = *a.scale_up_domain;
  }
  if (from_name > 0) return from_name;
  return std::max(from_part, gpus_per_node);
}

std::string cell_text(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string out = "\"";
  for (char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

class Reader {
public:
  Reader(const CsvRecord& header, const Catalog& catalog) : catalog_(catalog) {
    for (std::size_t i = 0; i < header.cells.size(); ++i)
      column_.emplace(header.cells[i], i);
  }
  [[nodiscard]] bool has(std::string_view column) const { return column_.find(column) != column_.end(); }
  [[nodiscard]] std::string_view cell(const CsvRecord& row, std::string_view column) const {
    const auto it = column_.find(column);
    return it == column_.end() || it->second >= row.cells.size() ? std::string_view() : row.cells[it->second];
  }

  /// The case of a line; without a value where something is missing (then `missing` says what).
  std::optional<CollectiveCase> read(const CsvRecord& row, std::vector<std::string>& wrong,
                                     std::string& missing) const {
    std::size_t wrong_before = wrong.size();
    const auto number = [&](std::string_view column, double lowest = 0.0) -> std::optional<double> {
      auto value = number_in(cell(row, column), lowest);
      if (!value) {
        wrong.push_back(fmt::format("line {}: {} {}", row.line, column, value.error()));
        return std::nullopt;
      }
      if (!*value && missing.empty()) missing = std::string(column) + " is empty";
      return *value;
    };
    const auto count = [&](std::string_view column, double least) -> std::optional<Count> {
      const auto value = number(column, -1e18);
      if (value && (*value < least || *value > 1e7 || *value != std::floor(*value))) {
        wrong.push_back(fmt::format("line {}: {} must be a whole number from {} to 10000000; it is {}", row.line,
                                    column, least, cell(row, column)));
        return std::nullopt;
      }
      return value ? std::optional(static_cast<Count>(*value)) : std::nullopt;
    };
    CollectiveCase c;
    const auto bytes = number("bytes");
    const auto gpus = count("gpus", 2);
    const auto nodes = count("nodes", 1);
    const auto intra = number("intra_GBps_per_gpu");
    const std::string missing_before = missing;
    const auto inter = number("inter_GBps_per_gpu");
    missing = missing_before; // asked for below, where it is needed
    std::optional<Count> per_node;
    if (has("gpus_per_node") && !cell(row, "gpus_per_node").empty()) per_node = count("gpus_per_node", 1);
    const auto collective = collective_in(cell(row, "collective"));
    if (!collective && missing.empty())
      wrong.push_back(
          fmt::format("line {}: collective \"{}\" is not known; use all_reduce, all_gather, reduce_scatter, "
                      "all_to_all, broadcast or send_receive",
                      row.line, cell(row, "collective").substr(0, 40)));
    if (gpus && nodes && *nodes > *gpus)
      wrong.push_back(fmt::format("line {}: nodes must be at most gpus, {}; it is {}", row.line, *gpus, *nodes));
    if (gpus && nodes && per_node && *per_node * *nodes < *gpus)
      wrong.push_back(fmt::format("line {}: {} nodes with {} gpus_per_node hold fewer than {} gpus", row.line, *nodes,
                                  *per_node, *gpus));
    if (wrong.size() > wrong_before || !missing.empty()) return std::nullopt;
    const std::string_view system = cell(row, "system");
    const Count in_node = per_node.value_or((*gpus + *nodes - 1) / *nodes);
    const Count domain = std::max<Count>(1, domain_of(system, std::min(in_node, *gpus), catalog_));
    c.call = {.collective = *collective, .bytes = *bytes};
    c.group.ranks = *gpus;
    // Nodes that share a domain lie in it whole; else each node is one.
    const Count nodes_in_domain = std::max<Count>(1, domain / std::max<Count>(1, in_node));
    c.group.domains = std::min(*gpus, (*nodes + nodes_in_domain - 1) / nodes_in_domain);
    c.group.scale_up_gb_s = *intra;
    c.group.network_gb_s = inter.value_or(0.0);
    c.group.generation = generation_of(system, *intra);
    c.group.tier = c.group.domains > 1 ? PathTier::same_leaf : *nodes > 1 ? PathTier::same_domain : PathTier::same_node;
    const std::string all =
        fmt::format("{} {} {} {}", system, cell(row, "algo_proto"), cell(row, "software"), cell(row, "note"));
    const auto words = words_of(all);
    if (words.count("EFA") || words.count("OFI")) c.group.transport = NetworkTransport::srd;
    const auto software = words_of(lower(cell(row, "software")));
    c.group.framework = software.count("torch") || software.count("pytorch") || software.count("jax");
    const auto algorithm_words = words_of(lower(cell(row, "algo_proto")));
    c.group.switch_reduction = algorithm_words.count("sharp") || algorithm_words.count("collnet");
    bind_algorithm(cell(row, "algo_proto"), c);
    if (c.group.domains > 1 && c.group.network_gb_s <= 0.0)
      missing = fmt::format("inter_GBps_per_gpu is {}", inter ? "0, and its nodes are joined by the network" : "empty");
    else if (c.group.ranks > c.group.domains && c.group.scale_up_gb_s <= 0.0)
      missing = "intra_GBps_per_gpu is 0, and its GPUs are joined within a domain";
    if (!missing.empty()) return std::nullopt;
    return c;
  }

private:
  const Catalog& catalog_;
  std::map<std::string, std::size_t, std::less<>> column_;
};

} // namespace

tl::expected<CollectiveTable, std::vector<std::string>> predict_collectives(std::string_view csv,
                                                                            const Catalog& catalog) {
  std::vector<std::string> wrong;
  const auto refuse = [&](std::string sentence) {
    wrong.push_back(std::move(sentence));
    return tl::make_unexpected(std::move(wrong));
  };
  const auto records = read_csv(csv);
  if (!records) return refuse(records.error());
  if (records->empty()) return refuse("the table is empty; its first line names the columns");
  const auto constants = collective_constants(catalog);
  if (!constants) return refuse(constants.error());
  const CsvRecord& header = records->front();
  const Reader reader(header, catalog);
  for (std::string_view column : {"gpus", "nodes", "collective", "bytes", "intra_GBps_per_gpu", "inter_GBps_per_gpu"})
    if (!reader.has(column)) wrong.push_back(fmt::format("line {}: there is no column {}", header.line, column));
  if (reader.has(added_column))
    wrong.push_back(fmt::format("line {}: there is a column {} already; take it out first", header.line, added_column));
  if (!wrong.empty()) return tl::make_unexpected(std::move(wrong));

  CollectiveTable table;
  const auto write = [&](const CsvRecord& row, std::string_view last) {
    for (std::size_t i = 0; i < header.cells.size(); ++i)
      table.csv += cell_text(i < row.cells.size() ? std::string_view(row.cells[i]) : std::string_view()) + ",";
    table.csv += fmt::format("{}\n", last);
  };
  write(header, added_column);
  for (std::size_t r = 1; r < records->size(); ++r) {
    const CsvRecord& row = (*records)[r];
    if (row.cells.size() > header.cells.size()) {
      wrong.push_back(
          fmt::format("line {}: {} cells, but there are {} columns", row.line, row.cells.size(), header.cells.size()));
      continue;
    }
    if (reader.has("record_type") && reader.cell(row, "record_type") != "measured") {
      ++table.passed;
      write(row, {});
      continue;
    }
    std::string missing;
    const auto found = reader.read(row, wrong, missing);
    if (!found) {
      if (!missing.empty())
        table.notes.push_back(fmt::format("line {}: no prediction, {}", row.line, missing));
      write(row, {});
      continue;
    }
    const auto time = collective_time(found->call, found->group, *constants);
    if (!time) {
      wrong.push_back(fmt::format("line {}: {}", row.line, time.error()));
      continue;
    }
    ++table.predicted;
    write(row, exact_number(time->total_us()));
  }
  if (!wrong.empty()) return tl::make_unexpected(std::move(wrong));
  return table;
}

} // namespace hallwright
