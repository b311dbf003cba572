// SPDX-License-Identifier: GPL-3.0-or-later
#include "power/one_line_tables.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>

#include "ledger/table_columns.h"

namespace hallwright {
namespace {

constexpr ModelNote flow_note{
    "from the racks up: output = sum of what hangs on it; input = output + loss at that load",
    "power balance; UPS by efficiency curve, transformers by P0 + Pk (S / Sn)^2 (IEC 60076-1)"};
constexpr ModelNote contingency_note{
    "every drawn unit out in turn; racks move to their live feed, buses and second sources take over, what is "
    "overloaded beyond its trip share drops out, too",
    "enumeration of failures on the drawn one-line"};

std::string kind_of_element(PowerUnitKind kind) {
  return std::string(ChoiceWords<PowerUnitKind>::words[static_cast<std::size_t>(kind)]);
}
double or_unknown(double v) { return std::isfinite(v) ? v : std::numeric_limits<double>::quiet_NaN(); }

} // namespace

OneLineFigures one_line_figures(Ledger& ledger, const OneLineStudy& study, const std::vector<ModelInput>& inputs) {
  OneLineFigures out;
  const PowerFlow flow(study.line);
  const FlowTotals totals = flow.totals();
  out.losses = ledger.modelled<Power>("power.flow.losses", "Losses of the drawn units at their load", flow_note, inputs,
                                      totals.losses);
  out.source_power = ledger.modelled<Power>("power.flow.source_power", "Power from the drawn sources", flow_note,
                                            inputs, totals.sources.real);
  out.without_power = ledger.modelled<Power>("power.flow.without_power", "Load of racks on no live unit", flow_note,
                                             inputs, totals.without_power);
  if (in_watts(totals.it) > 0.0)
    out.power_usage_effectiveness = ledger.modelled<double>("power.flow.pue", "PUE of what is drawn, at its load",
                                                            flow_note, inputs, totals.power_usage_effectiveness);
  else
    out.power_usage_effectiveness =
        ledger.absent<double>("power.flow.pue", "PUE of what is drawn, at its load", Completeness::not_applicable,
                              "no rack hangs on a drawn unit");
  const ContingencyCase& worst = study.single.worst_case();
  if (worst.worst_element != 0) {
    out.worst_headroom =
        ledger.modelled<double>("power.contingency.headroom", "Smallest headroom with any one unit out",
                                contingency_note, inputs, worst.worst_headroom, kind::percent);
    ledger.remark(out.worst_headroom, study.contingencies.sentence(worst));
  } else {
    out.worst_headroom = ledger.absent<double>("power.contingency.headroom", "Smallest headroom with any one unit out",
                                               Completeness::unknown, "no loaded unit has a rating", &kind::percent);
  }
  const ContingencyCase none;
  const ContingencyCase& darkest =
      study.single.darkest < 0 ? none : study.single.cases[static_cast<std::size_t>(study.single.darkest)];
  out.racks_dark = ledger.modelled<Count>("power.contingency.racks_dark", "Racks dark, most with one unit out",
                                          contingency_note, inputs, darkest.racks_dark);
  out.gpus_dark = ledger.modelled<Count>("power.contingency.gpus_dark", "GPUs dark, most with one unit out",
                                         contingency_note, inputs, darkest.gpus_dark);
  out.job_share_dark = ledger.modelled<double>("power.contingency.job_share_dark",
                                               "Share of the job's GPUs dark, most with one unit out", contingency_note,
                                               inputs, darkest.job_share_dark, kind::percent);
  if (study.single.darkest >= 0) ledger.remark(out.racks_dark, study.contingencies.sentence(darkest));
  const ProvenRedundancy proven =
      proven_redundancy(study.contingencies, study.single, study.contingencies.normal_only());
  out.redundancy =
      ledger.modelled<Count>("power.redundancy_proven", "Redundancy that failures prove (0 N, 1 N+1, 2 2N)",
                             contingency_note, inputs, static_cast<Count>(proven.proven));
  if (!proven.why.empty()) ledger.remark(out.redundancy, proven.why);
  return out;
}

Table one_line_flow_table(const OneLineStudy& study) {
  const PowerFlow flow(study.line);
  const std::vector<ElementFlow> rows = element_flows(flow);
  std::vector<std::size_t> index(rows.size());
  std::iota(index.begin(), index.end(), std::size_t{0});
  const auto element = [&](std::size_t i) -> const OneLineElement& { return study.line.elements()[i]; };
  Table t;
  t.id = "power.flow";
  t.title = "Power through each unit";
  t.entity_table = "power_units";
  t.columns.reserve(12);
  TableColumns<std::size_t> columns(t, index);
  columns.words("unit", "Unit", [&](std::size_t i) { return study.line.name(element(i).id); });
  columns.words("kind", "Kind", [&](std::size_t i) { return kind_of_element(element(i).kind); });
  columns.words("fed_by", "Fed by", [&](std::size_t i) {
    return !rows[i].live ? std::string("no power") : rows[i].fed_by ? study.line.name(rows[i].fed_by) : std::string();
  });
  columns.numbers(
      "output", "Output", kind::power, [&](std::size_t i) { return in_watts(rows[i].output.real); }, "kW");
  columns.numbers(
      "input", "Input", kind::power, [&](std::size_t i) { return in_watts(rows[i].input.real); }, "kW");
  columns
      .numbers(
          "loss", "Loss", kind::power, [&](std::size_t i) { return in_watts(rows[i].loss); }, "kW")
      .formula = "input - output, at the load that it carries";
  columns.numbers(
      "plant", "Cooling and plant on it", kind::power, [&](std::size_t i) { return in_watts(rows[i].plant); }, "kW");
  columns.numbers("load_share", "Load", kind::percent, [&](std::size_t i) { return or_unknown(rows[i].load_share); })
      .formula = "output / rating, by kW or kVA, the tighter one";
  columns.numbers("headroom", "Headroom", kind::percent, [&](std::size_t i) { return or_unknown(rows[i].headroom); })
      .formula = "1 - load / usable share of the rating";
  columns.numbers("power_factor", "Power factor", kind::ratio, [&](std::size_t i) -> std::optional<double> {
    if (element(i).system == ElectricalSystem::direct_current) return std::nullopt; // it has none
    return rows[i].output.factor().cosine;
  });
  columns.numbers(
      "apparent", "Apparent power", kind::apparent_power,
      [&](std::size_t i) { return rows[i].output.apparent().volt_amperes(); }, "kVA");
  columns
      .numbers(
          "line_current", "Line current", kind::current,
          [&](std::size_t i) -> std::optional<double> {
            for (const auto& current :
                 {rows[i].output_line_current, rows[i].output_direct_current, rows[i].output_phase_current})
              if (current) return in_amperes(*current);
            return std::nullopt;
          },
          "A")
      .formula = "S / (sqrt(3) U), U between lines; of one phase S / U; of direct current P / U";
  for (const std::size_t i : index) {
    t.entities.push_back(element(i).id);
    t.row_figures.emplace_back();
  }
  return t;
}

Table contingency_table(const OneLineStudy& study) {
  std::vector<const ContingencyCase*> rows;
  for (const ContingencyCase& c : study.single.cases)
    rows.push_back(&c);
  const auto rank = [](const ContingencyCase* c) {
    return std::tuple(std::isfinite(c->worst_headroom) ? c->worst_headroom : 1e9, -c->gpus_dark, -c->racks_dark);
  };
  std::stable_sort(rows.begin(), rows.end(), [&](const auto* a, const auto* b) { return rank(a) < rank(b); });
  Table t;
  t.id = "power.contingencies";
  t.title = "Every single failure";
  t.entity_table = "power_units";
  t.columns.reserve(11);
  TableColumns<const ContingencyCase*> columns(t, rows);
  using Case = const ContingencyCase*;
  columns.words("out", "Unit out", [&](Case c) { return study.line.name(c->out.front()); });
  columns.numbers("racks_dark", "Racks dark", kind::count, [](Case c) { return c->racks_dark; });
  columns.numbers("gpus_dark", "GPUs dark", kind::count, [](Case c) { return c->gpus_dark; });
  columns.numbers("job_share", "Share of the job", kind::percent, [](Case c) { return c->job_share_dark; });
  columns.words("worst", "Least headroom at",
                [&](Case c) { return c->worst_element ? study.line.name(c->worst_element) : std::string(); });
  columns.numbers("headroom", "Headroom", kind::percent, [](Case c) { return or_unknown(c->worst_headroom); });
  columns.numbers(
      "load", "Its load", kind::power, [](Case c) { return c->worst_load_w; }, "kW");
  columns.numbers(
      "load_normal", "In normal operation", kind::power, [](Case c) { return c->worst_normal_w; }, "kW");
  columns.numbers("trips", "Units that trip", kind::count,
                  [](Case c) { return static_cast<double>(c->cascade.size()); });
  columns.numbers("short", "Racks short of supplies", kind::count, [](Case c) { return c->racks_short; });
  columns.words("what", "What happens", [&](Case c) { return study.contingencies.sentence(*c); });
  for (Case c : rows) {
    t.entities.push_back(c->out.front());
    t.row_figures.emplace_back();
  }
  return t;
}

Table worst_loads_table(const OneLineStudy& study) {
  const auto& rows = study.single.elements;
  Table t;
  t.id = "power.elements_worst";
  t.title = "Worst load of each unit";
  t.entity_table = "power_units";
  t.columns.reserve(5);
  TableColumns<ElementWorst> columns(t, rows);
  columns.words("unit", "Unit", [&](const ElementWorst& e) { return study.line.name(e.element); });
  columns.numbers(
      "normal", "Load", kind::power, [](const ElementWorst& e) { return e.normal_w; }, "kW");
  columns.numbers(
      "worst", "Load, worst unit out", kind::power, [](const ElementWorst& e) { return e.worst_w; }, "kW");
  columns.words("with_out", "With out", [&](const ElementWorst& e) {
    return e.worst_case < 0 ? std::string()
                            : study.contingencies.out_words(study.single.cases[static_cast<std::size_t>(e.worst_case)]);
  });
  columns.numbers("headroom", "Headroom", kind::percent,
                  [](const ElementWorst& e) { return or_unknown(e.worst_headroom); });
  for (const ElementWorst& e : rows) {
    t.entities.push_back(e.element);
    t.row_figures.emplace_back();
  }
  return t;
}

} // namespace hallwright
