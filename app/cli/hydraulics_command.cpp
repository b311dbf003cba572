// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>

#include <fmt/format.h>

#include "cooling/epanet_text.h"
#include "cooling/pipe_network_solver.h"
#include "output.h"
#include "project/durable_file.h"
#include "quantity/text.h"

namespace hallwright::cli {
namespace {

struct HydraulicsArguments {
  std::string file, constants = "si", friction = "colebrook";
  double density_kg_per_m3 = 0.0;
  bool csv = false;
};

constexpr double pascals_per_meter_and_density = 9.80665;

/// A solution in the units of its reader.
class Readings {
public:
  explicit Readings(const PipeNetworkSolver& solver)
      : kilopascals_per_meter_(solver.network().density_kg_per_m3 * pascals_per_meter_and_density / 1000.0),
        flows_(solver.solution().flow_m3_per_s) {
    for (double q : flows_)
      largest_ = std::max(largest_, std::abs(q));
  }
  /// L/s; a flow of rounding errors only is none.
  [[nodiscard]] double flow(std::size_t link) const {
    return std::abs(flows_[link]) <= 1e-12 * largest_ ? 0.0 : flows_[link] * 1e3;
  }
  [[nodiscard]] double kilopascals(double head_m) const { return head_m * kilopascals_per_meter_; }

private:
  double kilopascals_per_meter_, largest_ = 0.0;
  const std::vector<double>& flows_;
};

const char* state_word(LinkState state) {
  switch (state) {
  case LinkState::closed:
  case LinkState::held_shut:
    return "closed";
  case LinkState::limiting:
    return "active";
  default:
    return "open";
  }
}

/// What the CSV names the roughness: millimetres, or the coefficient of Hazen-Williams.
std::string setting_text(const NetworkLink& l) {
  switch (l.kind) {
  case LinkKind::pump:
    return "speed " + exact_number(l.setting);
  case LinkKind::pipe:
  case LinkKind::check_valve_pipe:
    return exact_number(l.minor_loss);
  case LinkKind::flow_control:
    return exact_number(l.setting * 1e3);
  case LinkKind::general:
    return exact_number(l.minor_loss);
  default:
    return exact_number(l.setting);
  }
}

std::string csv_text(const PipeNetworkSolver& solver) {
  const PipeNetwork& n = solver.network();
  const NetworkSolution& s = solver.solution();
  const Readings in(solver);
  std::string out = "element,id,type,from,to,length_m,diameter_mm,roughness_mm,minor_k_or_setting,status,flow_L_per_s,"
                    "velocity_m_per_s,headloss_m,pressure_loss_kPa,reynolds,friction_factor,head_m,gauge_kPa\n";
  for (std::size_t i = 0; i < n.nodes.size(); ++i) {
    const NetworkNode& node = n.nodes[i];
    const char* kind = node.kind == NodeKind::junction ? "junction"
                       : node.kind == NodeKind::tank   ? "tank"
                                                       : "reservoir";
    out += fmt::format("node,{},{},,,,,,,,,,,,,,", csv_words(node.id), kind);
    if (s.head_known[i])
      out +=
          fmt::format("{},{}", exact_number(s.head_m[i]), exact_number(in.kilopascals(s.head_m[i] - node.elevation_m)));
    else
      out += ",";
    out += '\n';
  }
  for (std::size_t i = 0; i < n.links.size(); ++i) {
    const NetworkLink& l = n.links[i];
    const LinkReport r = solver.link_report(static_cast<int>(i));
    const double flow = in.flow(i);
    const bool pipe = l.kind == LinkKind::pipe || l.kind == LinkKind::check_valve_pipe;
    const double rough = n.formula == LossFormula::hazen_williams ? l.roughness : l.roughness * 1e3;
    const bool flows = flow != 0.0 && r.reynolds > 0.0;
    const bool known = s.head_known[l.from] && s.head_known[l.to];
    out += fmt::format("link,{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},,\n", csv_words(l.id), link_kind_word(l.kind),
                       csv_words(n.nodes[l.from].id), csv_words(n.nodes[l.to].id), pipe ? exact_number(l.length_m) : "",
                       l.diameter_m > 0.0 ? exact_number(l.diameter_m * 1e3) : "", pipe ? exact_number(rough) : "",
                       setting_text(l), state_word(s.state[i]), exact_number(flow),
                       exact_number(flow == 0.0 ? 0.0 : r.velocity_m_per_s), known ? exact_number(r.head_loss_m) : "",
                       known ? exact_number(in.kilopascals(r.head_loss_m)) : "", flows ? exact_number(r.reynolds) : "",
                       flows ? exact_number(r.friction_factor) : "");
  }
  return out;
}

std::string people_text(const PipeNetworkSolver& solver, const std::string& title) {
  const PipeNetwork& n = solver.network();
  const NetworkSolution& s = solver.solution();
  const Readings in(solver);
  std::string out = title.empty() ? std::string() : title + "\n";
  out += fmt::format("{} nodes, {} links, {} steps; largest imbalance of a node {:.1e} of the largest flow, of heads "
                     "{:.1e} m\n\n",
                     n.nodes.size(), n.links.size(), s.steps, s.mass_error, s.head_error_m);
  std::vector<std::vector<std::string>> rows = {{"node", "head [m]", "gauge pressure [kPa]"}};
  for (std::size_t i = 0; i < n.nodes.size(); ++i)
    rows.push_back(
        {n.nodes[i].id, s.head_known[i] ? fmt::format("{:.4f}", s.head_m[i]) : "not known",
         s.head_known[i] ? fmt::format("{:.2f}", in.kilopascals(s.head_m[i] - n.nodes[i].elevation_m)) : ""});
  out += aligned(rows) + "\n";
  rows = {{"link", "kind", "state", "flow [L/s]", "velocity [m/s]", "pressure loss [kPa]", "Reynolds"}};
  int between = 0;
  for (std::size_t i = 0; i < n.links.size(); ++i) {
    const NetworkLink& l = n.links[i];
    const LinkReport r = solver.link_report(static_cast<int>(i));
    const double flow = in.flow(i);
    const bool known = s.head_known[l.from] && s.head_known[l.to];
    if (flow != 0.0 && r.reynolds > laminar_reynolds_limit && r.reynolds < turbulent_reynolds_limit) ++between;
    rows.push_back({l.id, link_kind_word(l.kind), state_word(s.state[i]), fmt::format("{:.5f}", flow),
                    fmt::format("{:.3f}", flow == 0.0 ? 0.0 : r.velocity_m_per_s),
                    known ? fmt::format("{:.3f}", in.kilopascals(r.head_loss_m)) : "",
                    flow != 0.0 && r.reynolds > 0.0 ? fmt::format("{:.0f}", r.reynolds) : ""});
  }
  out += aligned(rows);
  if (between > 0)
    out += fmt::format("\n{} pipes lie between Reynolds 2,000 and 4,000, where friction is uncertain by 10 to 15 %\n",
                       between);
  return out;
}

int run(const HydraulicsArguments& a) {
  const auto text = read_whole_file(a.file);
  if (!text) throw Refusal(refused, fmt::format("{} cannot be read: {}", a.file, text.error()));
  auto read = read_epanet_text(*text, a.file);
  if (!read) throw Refusal(refused, lines_of(read.error()));
  if (a.density_kg_per_m3 > 0.0) read->network.density_kg_per_m3 = a.density_kg_per_m3;
  const FrictionLaw law = a.friction == "colebrook" ? FrictionLaw::colebrook_white : FrictionLaw::swamee_jain;
  SolverOptions options;
  if (a.constants == "epanet") options = SolverOptions::epanet(law);
  options.law = law;
  auto solver = PipeNetworkSolver::prepare(std::move(read->network), options);
  if (!solver) throw Refusal(refused, lines_of(solver.error(), a.file + ": "));
  if (auto solved = solver->solve(); !solved) throw Refusal(refused, a.file + ": " + solved.error());
  for (const std::string& note : read->notes)
    std::fprintf(stderr, "%s: %s\n", a.file.c_str(), note.c_str());
  for (const std::string& note : solver->solution().notes)
    std::fprintf(stderr, "%s: %s\n", a.file.c_str(), note.c_str());
  print(a.csv ? csv_text(*solver) : people_text(*solver, read->title));
  return fine;
}

} // namespace

void add_hydraulics_command(CLI::App& program, int& exit_code) {
  auto a = std::make_shared<HydraulicsArguments>();
  CLI::App* command =
      program.add_subcommand("hydraulics", "Steady flows and heads of a pipe network in EPANET's text form");
  command->add_option("NETWORK", a->file, "The network")->type_name("NETWORK.inp")->required();
  command->add_flag("--csv", a->csv, "Write every node and link as CSV");
  command
      ->add_option("--constants", a->constants,
                   "Gravity and minor-loss constant: si (default), or epanet's own (32.2 ft/s2, 0.02517)")
      ->type_name("epanet|si")
      ->check(CLI::IsMember({"epanet", "si"}));
  command->add_option("--friction", a->friction, "Law of turbulent friction (default: colebrook)")
      ->type_name("swamee-jain|colebrook")
      ->check(CLI::IsMember({"swamee-jain", "colebrook"}));
  command
      ->add_option("--density", a->density_kg_per_m3,
                   "Density that turns heads into pressures (default: as the file says)")
      ->type_name("KG_PER_M3")
      ->check(CLI::Range(1.0, 100000.0));
  command->footer("Reads junctions, reservoirs, tanks, pipes, pumps, valves, curves, patterns, demands, status and "
                  "options; controls\n"
                  "and rules are not applied. What a reader should know (shut pumps, parts that are cut off) goes to "
                  "standard error.\n"
                  "Examples:\n"
                  "  hallwright-cli hydraulics loop.inp\n"
                  "  hallwright-cli hydraulics loop.inp --csv --constants epanet --friction swamee-jain");
  command->callback([a, &exit_code] { exit_code = run(*a); });
}

} // namespace hallwright::cli
