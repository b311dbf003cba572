// SPDX-License-Identifier: GPL-3.0-or-later
#include "cooling/pipe_network_solver.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

#include <Eigen/Dense>
#include <Eigen/SparseCholesky>

namespace hallwright {
namespace {

constexpr double pi = std::numbers::pi;
/// Slope of a check valve or pump beyond what it lets through, while it is not yet known to hold [s/m2].
constexpr double barrier_slope = 1e8;
/// Slope of a flow limit: 20 m across it let 2e-9 m3/s more through than its setting.
constexpr double limit_slope = 1e10;
/// Least slope of a law in a step [s/m2]: keeps steps finite where a law is flat; the answer does not depend on it.
constexpr double least_slope = 1e-4;
/// Below this velocity losses of valves go over into a straight line [m/s].
constexpr double creeping_velocity = 1e-5;
/// A barrier opens again when the heads drive it by more than this [m].
constexpr double opening_head = 1e-6;
/// Steady loss of a pressure breaker, or of a curve that begins above zero, is reached at this flow [m3/s].
constexpr double ramp_flow = 1e-6;

struct Loss {
  double head, slope;
};

/// The law of a link with everything that does not depend on its flow.
struct Law {
  enum class Kind : std::uint8_t { darcy, hazen, quadratic, table, pump, breaker };
  Kind kind = Kind::quadratic;
  bool one_way = false;
  bool limited = false; ///< at most `limit` of flow
  double limit = 0.0;
  double resistance = 0.0; ///< friction: L / (2 g D A^2), or Hazen-Williams'
  double minor = 0.0;      ///< h = minor q |q|
  double reynolds_per_flow = 0.0;
  double creeping_flow = 0.0;
  FrictionCurve friction;
  Friction near;              ///< of the turbulent law at `near_reynolds`
  double near_reynolds = 0.0; ///< 0: not worked out yet
  double near_power = 0.0;    ///< d ln f / d ln Re there
  double friction_reach = 0.0;
  const PumpCurve* pump = nullptr;
  double speed = 1.0;
  const LossCurve* curve = nullptr;
  double breaker_loss = 0.0;
};

/// h = k q |q|, made straight near zero with value and slope kept where the two meet.
Loss quadratic_loss(double k, double creeping, double q) {
  const double a = std::abs(q);
  if (a >= creeping) return {k * q * a, 2.0 * k * a};
  const double s = a / creeping;
  return {k * creeping * q * 0.5 * (1.0 + s * s), 0.5 * k * creeping * (1.0 + 3.0 * s * s)};
}

Loss table_loss(const LossCurve& curve, double q) {
  const double a = std::abs(q);
  const std::vector<FlowHead>& p = curve.points;
  FlowHead low{0.0, 0.0}, high = p[0];
  if (p[0].flow_m3_per_s == 0.0) high.flow_m3_per_s = p[0].head_m > 0.0 ? ramp_flow : 0.0;
  std::size_t i = 0;
  if (p.size() > 8 && a > p[1].flow_m3_per_s) {
    const auto above = std::lower_bound(p.begin() + 1, p.end() - 1, a,
                                        [](const FlowHead& point, double flow) { return point.flow_m3_per_s < flow; });
    high = *above;
    low = *(above - 1);
    const double slope = (high.head_m - low.head_m) / (high.flow_m3_per_s - low.flow_m3_per_s);
    return {std::copysign(low.head_m + slope * (a - low.flow_m3_per_s), q), slope};
  }
  while (i + 1 < p.size() && a > high.flow_m3_per_s) {
    low = high;
    high = p[++i];
  }
  if (high.flow_m3_per_s <= low.flow_m3_per_s) { // the first point is the origin
    low = high;
    high = p[1];
  }
  const double slope = (high.head_m - low.head_m) / (high.flow_m3_per_s - low.flow_m3_per_s);
  return {std::copysign(low.head_m + slope * (a - low.flow_m3_per_s), q), slope};
}

/// Turbulent friction beside a Reynolds number at which it is known, as a power of it. Most steps of a solve move
/// little, and logarithms are most of its time.
Friction near_friction(Law& law, double reynolds) {
  const double off = reynolds / law.near_reynolds - 1.0;
  if (law.near_reynolds > 0.0 && std::abs(off) <= law.friction_reach) {
    const double n = law.near_power, bend = 0.5 * n * (n - 1.0);
    return {law.near.factor * (1.0 + off * (n + bend * off)),
            law.near.factor * (n + 2.0 * bend * off) / law.near_reynolds};
  }
  const bool close = law.near_reynolds > 0.0 && std::abs(off) <= 0.25 && reynolds >= turbulent_reynolds_limit;
  const Friction out =
      close ? turbulent_friction_near(law.friction, reynolds,
                                      law.near.factor *
                                          (1.0 + law.near_power * off * (1.0 + 0.5 * (law.near_power - 1.0) * off)))
            : friction(law.friction, reynolds);
  if (reynolds >= turbulent_reynolds_limit * (1.0 + law.friction_reach)) {
    law.near = out;
    law.near_reynolds = reynolds;
    law.near_power = out.slope_per_reynolds * reynolds / out.factor;
  }
  return out;
}

Loss lawful_loss(Law& law, double q) {
  switch (law.kind) {
  case Law::Kind::darcy: {
    const double a = std::abs(q), reynolds = a * law.reynolds_per_flow;
    if (reynolds <= laminar_reynolds_limit) {
      const double straight = 64.0 / law.reynolds_per_flow * law.resistance;
      return {q * (straight + law.minor * a), straight + 2.0 * law.minor * a};
    }
    const Friction f = near_friction(law, reynolds);
    const double k = f.factor * law.resistance + law.minor;
    return {k * a * q, 2.0 * k * a + f.slope_per_reynolds * law.reynolds_per_flow * law.resistance * a * a};
  }
  case Law::Kind::hazen: {
    constexpr double n = 1.852;
    const double a = std::abs(q);
    const Loss minor = law.minor > 0.0 ? quadratic_loss(law.minor, law.creeping_flow, q) : Loss{0.0, 0.0};
    if (a < law.creeping_flow) {
      const double straight = law.resistance * std::pow(law.creeping_flow, n - 1.0);
      return {minor.head + straight * q, minor.slope + straight};
    }
    const double power = law.resistance * std::pow(a, n - 1.0);
    return {minor.head + power * q, minor.slope + n * power};
  }
  case Law::Kind::quadratic:
    return quadratic_loss(law.minor, law.creeping_flow, q);
  case Law::Kind::table:
    return table_loss(*law.curve, q);
  case Law::Kind::pump: {
    const PumpHead lift = pump_head(*law.pump, law.speed, std::max(q, 0.0));
    return {-lift.head_m, -lift.slope_s_per_m2};
  }
  case Law::Kind::breaker: {
    const Loss open = quadratic_loss(law.minor, law.creeping_flow, q);
    const double held = law.breaker_loss * std::clamp(q / ramp_flow, 0.0, 1.0);
    if (open.head > held) return open;
    const double ramp = q >= 0.0 && q < ramp_flow ? law.breaker_loss / ramp_flow : 0.0;
    return q < 0.0 ? open : Loss{held, ramp};
  }
  }
  return {0.0, 0.0};
}

Loss loss_of(Law& law, double q) {
  if (law.one_way && q < 0.0) return {lawful_loss(law, 0.0).head + barrier_slope * q, barrier_slope};
  Loss out = lawful_loss(law, q);
  if (law.limited && q > law.limit) {
    out.head += limit_slope * (q - law.limit);
    out.slope += limit_slope;
  }
  return out;
}

bool regulates(LinkKind kind) { return kind == LinkKind::pressure_reducing || kind == LinkKind::pressure_sustaining; }

/// What a pressure valve does in the present pass.
enum class Regulator : std::uint8_t { none, holding, open, shut };

} // namespace

class PipeNetworkSolver::Core {
public:
  Core(PipeNetwork network, const SolverOptions& options) : net(std::move(network)), opt(options) {
    const std::size_t links = net.links.size(), nodes = net.nodes.size();
    laws.resize(links);
    held.assign(links, 0);
    ends.resize(links);
    flips.assign(links, 0);
    regulator.assign(links, Regulator::none);
    flow.assign(links, 0.0);
    loss.assign(links, {0.0, 1.0});
    change.assign(links, 0.0);
    before.assign(links, 0.0);
    head.assign(nodes, 0.0);
    reached.assign(nodes, 0);
    held_head.assign(nodes, 0);
    for (std::size_t i = 0; i < links; ++i)
      make_law(static_cast<int>(i));
    number_rows();
    forget();
  }

  tl::expected<void, std::string> solve() {
    answer.steps = 0;
    answer.notes.clear();
    if (!started) start();
    std::fill(flips.begin(), flips.end(), 0);
    for (std::size_t i = 0; i < held.size(); ++i)
      if (held[i] && !(reached[net.links[i].from] && reached[net.links[i].to])) held[i] = 0;
    for (int pass = 0; pass < 200; ++pass) {
      if (auto fine = reach(); !fine) return fine;
      if (auto fine = newton(); !fine) {
        started = false;
        return fine;
      }
      if (!settle()) {
        report();
        return {};
      }
      if (const auto busy = std::max_element(flips.begin(), flips.end()); busy != flips.end() && *busy > 20) {
        started = false;
        const NetworkLink& l = net.links[static_cast<std::size_t>(busy - flips.begin())];
        return tl::unexpected(std::string(link_kind_word(l.kind)) + " " + l.id +
                              " opens and shuts without end: its setting contradicts another valve or pump");
      }
    }
    started = false;
    return tl::unexpected(std::string("the states of valves and pumps do not settle"));
  }

  void forget() {
    started = false;
    std::fill(held.begin(), held.end(), 0);
    for (std::size_t i = 0; i < regulator.size(); ++i)
      regulator[i] = initial_regulator(static_cast<int>(i));
  }

  void make_law(int i) {
    const NetworkLink& l = net.links[i];
    Law law;
    const double g = opt.gravity_m_per_s2;
    const double area = pi / 4.0 * l.diameter_m * l.diameter_m;
    // EPANET: h [ft] = 0.02517 K q^2 [cfs] / d^4 [ft]
    const double minor_unit =
        area > 0.0 ? (opt.rounded_minor_loss ? 0.02517 / 0.3048 / std::pow(l.diameter_m, 4) : 0.5 / (g * area * area))
                   : 0.0;
    const double fully_open = minor_unit * l.minor_loss;
    law.creeping_flow = area * creeping_velocity;
    law.minor = fully_open;
    const bool active = l.status == LinkStatus::active;
    switch (l.kind) {
    case LinkKind::check_valve_pipe:
      law.one_way = true;
      [[fallthrough]];
    case LinkKind::pipe:
      if (net.formula == LossFormula::hazen_williams) {
        law.kind = Law::Kind::hazen;
        // h [ft] = 4.727 C^-1.852 d^-4.871 L q^1.852
        law.resistance = 4.727 * std::pow(0.3048, 4.871 - 3.0 * 1.852) * l.length_m * std::pow(l.roughness, -1.852) *
                         std::pow(l.diameter_m, -4.871);
      } else {
        law.kind = Law::Kind::darcy;
        law.resistance = l.length_m / (2.0 * g * l.diameter_m * area * area);
        law.friction = friction_curve(opt.law, l.roughness / l.diameter_m);
        law.friction_reach = opt.friction_reach;
      }
      law.reynolds_per_flow =
          4.0 / (pi * l.diameter_m * (l.viscosity_m2_per_s > 0.0 ? l.viscosity_m2_per_s : net.viscosity_m2_per_s));
      break;
    case LinkKind::pump:
      law.one_way = true;
      law.speed = l.setting;
      if (l.curve >= 0) {
        law.kind = Law::Kind::pump;
        law.pump = &net.pump_curves[l.curve].curve;
      }
      break;
    case LinkKind::throttle:
      if (active) law.minor = minor_unit * std::max(l.setting, 0.0);
      break;
    case LinkKind::positional:
      if (active && l.setting > 0.0) law.minor = fully_open / (l.setting * l.setting);
      break;
    case LinkKind::general:
      if (active) {
        law.kind = Law::Kind::table;
        law.curve = &net.loss_curves[l.curve];
      }
      break;
    case LinkKind::flow_control:
      law.limited = active;
      law.limit = l.setting;
      break;
    case LinkKind::pressure_reducing:
    case LinkKind::pressure_sustaining:
      law.one_way = active;
      break;
    case LinkKind::pressure_breaker:
      if (active && l.setting > 0.0) {
        law.kind = Law::Kind::breaker;
        law.breaker_loss = l.setting;
      }
      break;
    }
    laws[i] = law;
  }

  [[nodiscard]] Regulator initial_regulator(int i) const {
    const NetworkLink& l = net.links[i];
    return regulates(l.kind) && l.status == LinkStatus::active ? Regulator::holding : Regulator::none;
  }

  void start_from(const SolverState& state) {
    if (state.flow_m3_per_s.size() != flow.size() || state.head_m.size() != head.size() ||
        state.held_shut.size() != held.size() || state.regulators.size() != regulator.size())
      return;
    flow = state.flow_m3_per_s;
    head = state.head_m;
    held = state.held_shut;
    for (std::size_t i = 0; i < regulator.size(); ++i) {
      regulator[i] = static_cast<Regulator>(state.regulators[i]);
      // What stood still begins with a trickle, as a link does whose status is set.
      if (flow[i] == 0.0 && !shut(i)) flow[i] = 1e-4;
    }
    started = true;
  }

  std::optional<std::vector<double>> first_order_closure(int link, std::span<const int> links) {
    const auto l = static_cast<std::size_t>(link);
    if (!started || rows == 0 || !holding.empty() || idle(l) || flow[l] == 0.0) return std::nullopt;
    const Ends& e = ends[l];
    Eigen::VectorXd& reply = right;
    reply.setZero();
    if (e.row_from >= 0) reply[e.row_from] += 1.0;
    if (e.row_to >= 0) reply[e.row_to] -= 1.0;
    back_solve(reply);
    const auto at = [&](int row) { return row >= 0 ? reply[row] : 0.0; };
    // `before` holds the slopes that the factor was made of.
    const double through = (at(e.row_from) - at(e.row_to)) / before[l];
    const double rest = 1.0 - through;
    if (!(rest > 1e-6)) return std::nullopt;
    const double scale = flow[l] / rest;
    std::vector<double> out;
    out.reserve(links.size());
    for (const int k : links) {
      const auto i = static_cast<std::size_t>(k);
      out.push_back(idle(i)     ? 0.0
                    : k == link ? -flow[l]
                                : scale * (at(ends[i].row_from) - at(ends[i].row_to)) / before[i]);
    }
    return out;
  }

  /// Shut by its status, a setting of nothing, or because it would run backwards.
  [[nodiscard]] bool shut(std::size_t i) const { return closed(i) || held[i] || regulator[i] == Regulator::shut; }
  [[nodiscard]] bool closed(std::size_t i) const {
    const NetworkLink& l = net.links[i];
    return l.status == LinkStatus::closed || ((l.kind == LinkKind::pump || l.kind == LinkKind::positional) &&
                                              l.setting == 0.0 && l.status != LinkStatus::open);
  }

  PipeNetwork net;
  SolverOptions opt;
  NetworkSolution answer;
  std::vector<Law> laws;
  std::vector<char> held; ///< links that would run backwards
  std::vector<Regulator> regulator;
  std::vector<double> flow, head;
  bool started = false;

private:
  // Rows of the matrix: one a junction, in the order that keeps the factor sparse.
  void number_rows() {
    using Matrix = Eigen::SparseMatrix<double>;
    std::vector<int> plain(net.nodes.size(), -1);
    rows = 0;
    for (std::size_t i = 0; i < plain.size(); ++i)
      if (net.nodes[i].kind == NodeKind::junction) plain[i] = rows++;
    std::vector<Eigen::Triplet<double>> entries;
    entries.reserve(net.links.size() * 2 + static_cast<std::size_t>(rows));
    for (int r = 0; r < rows; ++r)
      entries.emplace_back(r, r, 1.0);
    for (const NetworkLink& l : net.links)
      if (plain[l.from] >= 0 && plain[l.to] >= 0) {
        entries.emplace_back(plain[l.from], plain[l.to], 1.0);
        entries.emplace_back(plain[l.to], plain[l.from], 1.0);
      }
    Matrix whole(rows, rows);
    whole.setFromTriplets(entries.begin(), entries.end());
    Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order;
    if (rows > 0) Eigen::AMDOrdering<int>()(whole, order);
    std::vector<int> place(static_cast<std::size_t>(rows));
    for (int k = 0; k < rows; ++k)
      place[order.size() ? order.indices()[k] : k] = k;
    row_of.resize(plain.size());
    for (std::size_t i = 0; i < plain.size(); ++i)
      row_of[i] = plain[i] < 0 ? -1 : place[plain[i]];

    entries.clear();
    for (int r = 0; r < rows; ++r)
      entries.emplace_back(r, r, 1.0);
    for (const NetworkLink& l : net.links) {
      const int a = row_of[l.from], b = row_of[l.to];
      if (a >= 0 && b >= 0) entries.emplace_back(std::min(a, b), std::max(a, b), 1.0);
    }
    matrix.resize(rows, rows);
    matrix.setFromTriplets(entries.begin(), entries.end());
    matrix.makeCompressed();
    const auto slot = [&](int r, int c) {
      const int* begin = matrix.innerIndexPtr() + matrix.outerIndexPtr()[c];
      const int* end = matrix.innerIndexPtr() + matrix.outerIndexPtr()[c + 1];
      return static_cast<int>(std::lower_bound(begin, end, r) - matrix.innerIndexPtr());
    };
    diagonal.resize(static_cast<std::size_t>(rows));
    for (int r = 0; r < rows; ++r)
      diagonal[r] = slot(r, r);
    beside.resize(net.links.size());
    for (std::size_t i = 0; i < net.links.size(); ++i) {
      const int a = row_of[net.links[i].from], b = row_of[net.links[i].to];
      beside[i] = a >= 0 && b >= 0 ? slot(std::min(a, b), std::max(a, b)) : -1;
    }
    if (rows > 0) factor.analyzePattern(matrix);
    right.resize(rows);
    // Links at each node, for the search of what is cut off.
    first_link.assign(net.nodes.size() + 1, 0);
    for (const NetworkLink& l : net.links) {
      ++first_link[l.from + 1];
      ++first_link[l.to + 1];
    }
    for (std::size_t i = 1; i < first_link.size(); ++i)
      first_link[i] += first_link[i - 1];
    links_at.resize(net.links.size() * 2);
    std::vector<int> next(first_link.begin(), first_link.end() - 1);
    for (int i = 0; i < static_cast<int>(net.links.size()); ++i) {
      links_at[next[net.links[i].from]++] = i;
      links_at[next[net.links[i].to]++] = i;
    }
    queue.reserve(net.nodes.size());
  }

  void start() {
    double sum = 0.0;
    int count = 0;
    for (const NetworkNode& n : net.nodes)
      if (n.kind != NodeKind::junction) {
        sum += n.head_m;
        ++count;
      }
    for (std::size_t i = 0; i < net.nodes.size(); ++i)
      head[i] = sum / std::max(count, 1);
    for (std::size_t i = 0; i < net.links.size(); ++i) {
      const NetworkLink& l = net.links[i];
      flow[i] = 0.3 * pi / 4.0 * l.diameter_m * l.diameter_m;
      if (l.kind == LinkKind::pump && l.curve >= 0) {
        const double end = pump_end_flow_m3_per_s(net.pump_curves[l.curve].curve, std::max(l.setting, 0.01));
        flow[i] = end > 0.0 ? 0.5 * end : std::cbrt(net.pump_curves[l.curve].curve.head_times_flow) * 0.1;
      } else if (l.kind == LinkKind::flow_control && l.status == LinkStatus::active)
        flow[i] = std::min(flow[i], l.setting);
      if (flow[i] == 0.0) flow[i] = 1e-3;
    }
    started = true;
  }

  /// The node whose head a pressure valve holds, and the other one.
  [[nodiscard]] int held_node(const NetworkLink& l) const {
    return l.kind == LinkKind::pressure_reducing ? l.to : l.from;
  }
  [[nodiscard]] int other_node(const NetworkLink& l) const {
    return l.kind == LinkKind::pressure_reducing ? l.from : l.to;
  }
  [[nodiscard]] double held_value(const NetworkLink& l) const {
    return net.nodes[held_node(l)].elevation_m + l.setting;
  }

  /// Marks the nodes that a pressure point reaches; refuses demands and pumps in what is cut off.
  tl::expected<void, std::string> reach() {
    std::fill(reached.begin(), reached.end(), 0);
    std::fill(held_head.begin(), held_head.end(), 0);
    holding.clear();
    for (int i = 0; i < static_cast<int>(net.links.size()); ++i)
      if (regulator[i] == Regulator::holding && !shut(i)) {
        holding.push_back(i);
        held_head[held_node(net.links[i])] = 1;
        head[held_node(net.links[i])] = held_value(net.links[i]);
      }
    queue.clear();
    for (int i = 0; i < static_cast<int>(net.nodes.size()); ++i)
      if (net.nodes[i].kind != NodeKind::junction) {
        head[i] = net.nodes[i].head_m;
        reached[i] = 1;
        queue.push_back(i);
      }
    for (std::size_t at = 0; at < queue.size(); ++at)
      for (int k = first_link[queue[at]]; k < first_link[queue[at] + 1]; ++k) {
        const int i = links_at[k];
        const int far = net.links[i].from == queue[at] ? net.links[i].to : net.links[i].from;
        if (reached[far] || shut(i)) continue;
        reached[far] = 1;
        queue.push_back(far);
      }
    find_ends();
    if (queue.size() == net.nodes.size()) return {};
    for (std::size_t i = 0; i < net.nodes.size(); ++i)
      if (!reached[i] && net.nodes[i].demand_m3_per_s != 0.0)
        return tl::unexpected("node " + net.nodes[i].id +
                              " has a demand but is cut off from every reservoir and tank by closed links");
    for (std::size_t i = 0; i < net.links.size(); ++i) {
      const NetworkLink& l = net.links[i];
      if (l.kind == LinkKind::pump && !shut(i) && !reached[l.from])
        return tl::unexpected("pump " + l.id +
                              " runs in a loop without a pressure point: join a reservoir (expansion vessel) to it");
    }
    return {};
  }

  void evaluate() {
    for (std::size_t i = 0; i < laws.size(); ++i) {
      if (idle(i)) continue;
      loss[i] = loss_of(laws[i], flow[i]);
      loss[i].slope = std::max(loss[i].slope, least_slope);
    }
  }

  /// No law of its own in this pass: shut, cut off, or a valve that holds a head.
  [[nodiscard]] bool idle(std::size_t i) const { return ends[i].idle; }

  [[nodiscard]] double drop(std::size_t i) const { return head[ends[i].from] - head[ends[i].to]; }

  /// Ends of the links as nodes and rows, for the loops that run every step.
  void find_ends() {
    for (std::size_t i = 0; i < ends.size(); ++i) {
      const NetworkLink& l = net.links[i];
      Ends& e = ends[i];
      e.from = l.from;
      e.to = l.to;
      e.row_from = held_head[l.from] ? -1 : row_of[l.from];
      e.row_to = held_head[l.to] ? -1 : row_of[l.to];
      e.idle = shut(i) || regulator[i] == Regulator::holding || !reached[l.from];
    }
  }

  tl::expected<void, std::string> newton() {
    for (std::size_t i = 0; i < laws.size(); ++i)
      if (idle(i) && regulator[i] != Regulator::holding) flow[i] = 0.0;
    double last_change = 1.0;
    for (int step = 0;; ++step) {
      evaluate();
      if (step > 1 && last_change > 1e-6) shorten(); // below it only rounding is left to see
      double worst = 0.0;
      for (std::size_t i = 0; i < laws.size(); ++i)
        if (!idle(i)) worst = std::max(worst, std::abs(loss[i].head - drop(i)) / (1.0 + 1e-9 * loss[i].slope));
      answer.head_error_m = worst;
      if (step > 0 && last_change <= opt.flow_accuracy && worst <= opt.head_accuracy_m) return {};
      if (step == opt.most_steps)
        return tl::unexpected("no steady state after " + std::to_string(step) + " steps; worst at " + worst_link());
      if (auto fine = step_once(); !fine) return fine;
      ++answer.steps;
      double moved = 0.0, total = 0.0;
      for (std::size_t i = 0; i < laws.size(); ++i) {
        moved += std::abs(change[i]);
        total += std::abs(flow[i]);
      }
      last_change = moved / std::max(total, 1e-9);
      if (!std::isfinite(last_change)) return tl::unexpected("no steady state: the heads run away at " + worst_link());
    }
  }

  [[nodiscard]] std::string worst_link() const {
    std::size_t worst = 0;
    double most = -1.0;
    for (std::size_t i = 0; i < laws.size(); ++i) {
      const double miss = idle(i) ? 0.0 : std::abs(loss[i].head - drop(i));
      if (miss > most || !std::isfinite(miss)) {
        worst = i;
        most = miss;
        if (!std::isfinite(miss)) break;
      }
    }
    return net.links.empty() ? std::string("no link")
                             : std::string(link_kind_word(net.links[worst].kind)) + " " + net.links[worst].id;
  }

  /// Shortens the last step where the work along it rises again: flows between the last two keep every node balanced.
  void shorten() {
    double slope0 = 0.0, slope1 = 0.0;
    for (std::size_t i = 0; i < laws.size(); ++i) {
      if (idle(i)) continue;
      slope0 -= before[i] * change[i] * change[i];
      slope1 += (loss[i].head - drop(i)) * change[i];
    }
    if (slope1 <= 0.5 * std::abs(slope0) || !holding.empty()) return;
    double low = 0.0, high = 1.0, low_slope = slope0, high_slope = slope1, share = 1.0;
    for (int trial = 0; trial < 12; ++trial) {
      double next = low + (high - low) * low_slope / (low_slope - high_slope);
      next = std::clamp(next, low + 0.1 * (high - low), high - 0.1 * (high - low));
      for (std::size_t i = 0; i < laws.size(); ++i)
        flow[i] += (next - share) * change[i];
      share = next;
      evaluate();
      double slope = 0.0;
      for (std::size_t i = 0; i < laws.size(); ++i)
        if (!idle(i)) slope += (loss[i].head - drop(i)) * change[i];
      if (std::abs(slope) <= 0.5 * std::abs(slope0)) break;
      (slope > 0.0 ? high : low) = next;
      (slope > 0.0 ? high_slope : low_slope) = slope;
    }
  }

  /// One Newton step in heads and flows.
  tl::expected<void, std::string> step_once() {
    double* value = matrix.valuePtr();
    std::fill(value, value + matrix.nonZeros(), 0.0);
    right.setZero();
    double* rest = right.data();
    for (std::size_t i = 0; i < row_of.size(); ++i) {
      const int r = row_of[i];
      if (r < 0) continue;
      if (!reached[i] || held_head[i])
        value[diagonal[r]] = 1.0;
      else
        rest[r] -= net.nodes[i].demand_m3_per_s;
    }
    for (std::size_t i = 0; i < laws.size(); ++i) {
      before[i] = loss[i].slope;
      if (idle(i)) continue;
      const int from = ends[i].row_from, to = ends[i].row_to;
      const double p = 1.0 / loss[i].slope;
      const double moved = flow[i] - p * (loss[i].head - drop(i)); // flow with the heads as they are
      if (from >= 0) {
        value[diagonal[from]] += p;
        rest[from] -= moved;
      }
      if (to >= 0) {
        value[diagonal[to]] += p;
        rest[to] += moved;
      }
      if (from >= 0 && to >= 0) value[beside[i]] -= p;
    }
    if (rows > 0) {
      factor.factorize(matrix);
      if (factor.info() != Eigen::Success)
        return tl::unexpected("the heads are not determined; look at " + worst_link());
      if (!holding.empty()) {
        if (auto fine = add_held_flows(); !fine) return fine;
      } else
        back_solve(right);
    }
    for (std::size_t i = 0; i < row_of.size(); ++i)
      if (row_of[i] >= 0 && reached[i] && !held_head[i]) head[i] += rest[row_of[i]];
    for (std::size_t i = 0; i < laws.size(); ++i) {
      if (idle(i)) {
        change[i] = 0.0;
        continue;
      }
      change[i] = -(loss[i].head - drop(i)) / loss[i].slope;
      flow[i] += change[i];
    }
    for (int i : holding) {
      const double now = held_flow(i);
      change[i] = now - flow[i];
      flow[i] = now;
    }
    return {};
  }

  void back_solve(Eigen::VectorXd& x) {
    factor.matrixL().solveInPlace(x);
    x.array() /= factor.vectorD().array();
    factor.matrixU().solveInPlace(x);
  }

  /// Flow through a valve that holds a head: what balances the node that it holds.
  [[nodiscard]] double held_flow(int valve) const {
    const NetworkLink& v = net.links[valve];
    const int node = held_node(v);
    double out = net.nodes[node].demand_m3_per_s;
    for (int k = first_link[node]; k < first_link[node + 1]; ++k) {
      const int i = links_at[k];
      if (i != valve) out += net.links[i].from == node ? flow[i] : -flow[i];
    }
    return v.kind == LinkKind::pressure_reducing ? out : -out;
  }

  /// A valve that holds a head passes the balance of that node on to its other node: one rank a valve on top of the
  /// symmetric matrix.
  tl::expected<void, std::string> add_held_flows() {
    const int count = static_cast<int>(holding.size());
    Eigen::MatrixXd reply = Eigen::MatrixXd::Zero(rows, count), coupling = Eigen::MatrixXd::Zero(rows, count);
    for (int c = 0; c < count; ++c) {
      const int valve = holding[c];
      const NetworkLink& v = net.links[valve];
      const int node = held_node(v), other = row_of[other_node(v)];
      if (other < 0) continue;
      double balance = net.nodes[node].demand_m3_per_s;
      for (int k = first_link[node]; k < first_link[node + 1]; ++k) {
        const int i = links_at[k];
        if (i == valve || idle(i)) continue;
        const double p = 1.0 / loss[i].slope, moved = flow[i] - p * (loss[i].head - drop(i));
        const bool leaves = net.links[i].from == node;
        balance += leaves ? moved : -moved;
        const int far = leaves ? net.links[i].to : net.links[i].from;
        if (row_of[far] >= 0 && !held_head[far]) coupling(row_of[far], c) -= p;
      }
      right[other] -= balance;
      reply(other, c) = 1.0;
    }
    back_solve(right);
    for (int c = 0; c < count; ++c) {
      Eigen::VectorXd column = reply.col(c);
      back_solve(column);
      reply.col(c) = column;
    }
    const Eigen::MatrixXd small = Eigen::MatrixXd::Identity(count, count) + coupling.transpose() * reply;
    const Eigen::VectorXd share = small.fullPivLu().solve(coupling.transpose() * right);
    right -= reply * share;
    if (!right.allFinite()) return tl::unexpected("the heads are not determined behind " + net.links[holding[0]].id);
    return {};
  }

  /// Shuts what runs backwards and opens what is driven forwards again; sets the states of pressure valves. True when
  /// something changed.
  bool settle() {
    bool changed = false;
    for (std::size_t i = 0; i < laws.size(); ++i) {
      const NetworkLink& l = net.links[i];
      if (closed(i) || !laws[i].one_way || regulates(l.kind)) continue;
      if (!held[i] && flow[i] < 0.0) {
        held[i] = 1;
        flow[i] = 0.0;
      } else if (held[i] && reached[l.from] && reached[l.to] &&
                 drop(i) - lawful_loss(laws[i], 0.0).head > opening_head) {
        held[i] = 0;
      } else
        continue;
      ++flips[i];
      changed = true;
    }
    for (std::size_t i = 0; i < laws.size(); ++i) {
      if (regulator[i] == Regulator::none || closed(i)) continue;
      const Regulator next = next_regulator(i);
      if (next == regulator[i]) continue;
      regulator[i] = next;
      ++flips[i];
      changed = true;
    }
    return changed;
  }

  [[nodiscard]] Regulator next_regulator(std::size_t i) const {
    const NetworkLink& l = net.links[i];
    const double start = head[l.from], end = head[l.to], wanted = held_value(l);
    const double own = quadratic_loss(laws[i].minor, laws[i].creeping_flow, std::max(flow[i], 0.0)).head;
    if (!reached[l.from] || !reached[l.to]) return regulator[i];
    const bool forwards = start > end + opening_head;
    const bool reducing = l.kind == LinkKind::pressure_reducing;
    switch (regulator[i]) {
    case Regulator::holding:
      if (flow[i] < -1e-12) return Regulator::shut;
      if (reducing) return start - own < wanted - opening_head ? Regulator::open : Regulator::holding;
      return end + own > wanted + opening_head ? Regulator::open : Regulator::holding;
    case Regulator::open:
      if (flow[i] < 0.0) return Regulator::shut;
      if (reducing) return end > wanted + opening_head ? Regulator::holding : Regulator::open;
      return start < wanted - opening_head ? Regulator::holding : Regulator::open;
    case Regulator::shut:
      if (reducing) {
        if (start >= wanted + opening_head && end < wanted - opening_head) return Regulator::holding;
        return start < wanted - opening_head && forwards ? Regulator::open : Regulator::shut;
      }
      if (end > wanted + opening_head && forwards) return Regulator::open;
      return start >= wanted + opening_head && forwards ? Regulator::holding : Regulator::shut;
    case Regulator::none:
      break;
    }
    return Regulator::none;
  }

  /// Flows follow from differences of heads, whose last digits a short wide pipe makes large: what nodes are out of
  /// balance by is solved for once more and passed along.
  void mend_balance() {
    if (rows == 0 || !holding.empty()) return;
    right.setZero();
    double worst = 0.0, largest = 0.0;
    for (std::size_t i = 0; i < laws.size(); ++i) {
      if (ends[i].row_from >= 0) right[ends[i].row_from] -= flow[i];
      if (ends[i].row_to >= 0) right[ends[i].row_to] += flow[i];
      largest = std::max(largest, std::abs(flow[i]));
    }
    for (std::size_t i = 0; i < row_of.size(); ++i) {
      const int r = row_of[i];
      if (r < 0) continue;
      right[r] = reached[i] ? right[r] - net.nodes[i].demand_m3_per_s : 0.0;
      worst = std::max(worst, std::abs(right[r]));
    }
    if (worst <= 1e-11 * largest) return;
    back_solve(right);
    const double* x = right.data();
    for (std::size_t i = 0; i < laws.size(); ++i) {
      if (idle(i)) continue;
      const double rise =
          ((ends[i].row_from >= 0 ? x[ends[i].row_from] : 0.0) - (ends[i].row_to >= 0 ? x[ends[i].row_to] : 0.0)) /
          before[i];
      if (std::isfinite(rise)) flow[i] += rise;
    }
  }

  void report() {
    mend_balance();
    answer.flow_m3_per_s = flow;
    answer.head_m = head;
    answer.head_known = reached;
    answer.state.resize(laws.size());
    std::vector<double> balance(net.nodes.size(), 0.0);
    double largest = 0.0;
    for (std::size_t i = 0; i < laws.size(); ++i) {
      const NetworkLink& l = net.links[i];
      LinkState& state = answer.state[i];
      state = closed(i)                                                    ? LinkState::closed
              : held[i] || regulator[i] == Regulator::shut                 ? LinkState::held_shut
              : !reached[l.from]                                           ? LinkState::standing
              : regulator[i] == Regulator::holding                         ? LinkState::limiting
              : laws[i].limited && flow[i] >= laws[i].limit * (1.0 - 1e-9) ? LinkState::limiting
                                                                           : LinkState::flowing;
      balance[l.from] -= flow[i];
      balance[l.to] += flow[i];
      largest = std::max(largest, std::abs(flow[i]));
      if (l.kind == LinkKind::pump && held[i])
        answer.notes.push_back("pump " + l.id + " delivers nothing: the head against it is above its shut-off head");
      if (l.kind == LinkKind::check_valve_pipe && held[i])
        answer.notes.push_back("check valve pipe " + l.id + " is shut by reverse pressure");
      if (l.kind == LinkKind::pump && l.curve >= 0 && !shut(i)) {
        const double end = pump_end_flow_m3_per_s(net.pump_curves[l.curve].curve, l.setting);
        if (end > 0.0 && flow[i] > end * (1.0 + 1e-9))
          answer.notes.push_back("pump " + l.id + " runs beyond the end of its curve; its head there is extrapolated");
        if (net.pump_curves[l.curve].curve.kind == PumpCurve::Kind::constant_power && -loss[i].head > 1000.0)
          answer.notes.push_back("pump " + l.id + " of constant power runs against a closed way: its head is not real");
      }
    }
    double worst = 0.0;
    std::string first;
    std::size_t cut_off = 0;
    for (std::size_t i = 0; i < net.nodes.size(); ++i) {
      if (net.nodes[i].kind == NodeKind::junction)
        worst = std::max(worst, std::abs(balance[i] - net.nodes[i].demand_m3_per_s));
      largest = std::max(largest, std::abs(net.nodes[i].demand_m3_per_s));
      if (reached[i]) continue;
      answer.head_m[i] = head[i] = 0.0;
      if (cut_off++ == 0) first = net.nodes[i].id;
    }
    answer.mass_error = largest > 0.0 ? worst / largest : 0.0;
    if (cut_off > 0)
      answer.notes.push_back("node " + first +
                             (cut_off > 1 ? " and " + std::to_string(cut_off - 1) + " more are" : " is") +
                             " cut off from every pressure point: no flow, and the pressure is not known");
  }

  struct Ends {
    int from = 0, to = 0, row_from = -1, row_to = -1;
    bool idle = false;
  };

  int rows = 0;
  std::vector<Ends> ends;
  std::vector<int> row_of, diagonal, beside;
  std::vector<int> first_link, links_at, queue, holding;
  std::vector<char> reached, held_head;
  std::vector<Loss> loss;
  std::vector<double> change, before;
  std::vector<int> flips;
  Eigen::SparseMatrix<double> matrix; ///< upper half
  Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>, Eigen::Upper, Eigen::NaturalOrdering<int>> factor;
  Eigen::VectorXd right;
};

PipeNetworkSolver::PipeNetworkSolver(std::unique_ptr<Core> core) : core_(std::move(core)) {}
PipeNetworkSolver::PipeNetworkSolver(PipeNetworkSolver&&) noexcept = default;
PipeNetworkSolver& PipeNetworkSolver::operator=(PipeNetworkSolver&&) noexcept = default;
PipeNetworkSolver::~PipeNetworkSolver() = default;

tl::expected<PipeNetworkSolver, std::vector<std::string>> PipeNetworkSolver::prepare(PipeNetwork network,
                                                                                     const SolverOptions& options) {
  if (auto problems = network_problems(network); !problems.empty()) return tl::unexpected(std::move(problems));
  return PipeNetworkSolver(std::make_unique<Core>(std::move(network), options));
}

const PipeNetwork& PipeNetworkSolver::network() const { return core_->net; }
const NetworkSolution& PipeNetworkSolver::solution() const { return core_->answer; }
void PipeNetworkSolver::set_accuracy(double flow_accuracy, double head_accuracy_m) {
  core_->opt.flow_accuracy = flow_accuracy;
  core_->opt.head_accuracy_m = head_accuracy_m;
}
void PipeNetworkSolver::forget() { core_->forget(); }
SolverState PipeNetworkSolver::state() const {
  SolverState out{core_->flow, core_->head, core_->held, {}};
  out.regulators.reserve(core_->regulator.size());
  for (const Regulator r : core_->regulator)
    out.regulators.push_back(static_cast<char>(r));
  return out;
}
void PipeNetworkSolver::start_from(const SolverState& state) { core_->start_from(state); }
std::optional<std::vector<double>> PipeNetworkSolver::first_order_closure(int link, std::span<const int> links) {
  return core_->first_order_closure(link, links);
}
tl::expected<void, std::string> PipeNetworkSolver::solve() { return core_->solve(); }

namespace {
tl::unexpected<std::string> wrong(const std::string& id, const char* what, double value, const char* allowed) {
  return tl::unexpected(id + ": the " + what + " " + std::to_string(value) + " must be " + allowed);
}
} // namespace

tl::expected<void, std::string> PipeNetworkSolver::set_status(int link, LinkStatus status) {
  core_->net.links.at(link).status = status;
  core_->make_law(link);
  core_->held[link] = 0;
  core_->regulator[link] = core_->initial_regulator(link);
  if (core_->started && core_->flow[link] == 0.0) core_->flow[link] = 1e-4;
  return {};
}

tl::expected<void, std::string> PipeNetworkSolver::set_setting(int link, double setting) {
  NetworkLink& l = core_->net.links.at(link);
  if (!(setting >= 0.0) || !std::isfinite(setting)) return wrong(l.id, "setting", setting, "zero or more");
  if (l.kind == LinkKind::positional && setting > 1.0) return wrong(l.id, "open share", setting, "0 to 1");
  l.setting = setting;
  core_->make_law(link);
  core_->held[link] = 0;
  if (core_->regulator[link] == Regulator::shut) core_->regulator[link] = Regulator::holding;
  return {};
}

tl::expected<void, std::string> PipeNetworkSolver::set_minor_loss(int link, double coefficient) {
  NetworkLink& l = core_->net.links.at(link);
  if (!(coefficient >= 0.0) || !std::isfinite(coefficient))
    return wrong(l.id, "minor loss coefficient", coefficient, "zero or more");
  l.minor_loss = coefficient;
  core_->make_law(link);
  return {};
}

tl::expected<void, std::string> PipeNetworkSolver::set_demand(int node, double demand) {
  NetworkNode& n = core_->net.nodes.at(node);
  if (n.kind != NodeKind::junction || !std::isfinite(demand))
    return wrong(n.id, "demand", demand, "a number at a junction");
  n.demand_m3_per_s = demand;
  return {};
}

tl::expected<void, std::string> PipeNetworkSolver::set_head(int node, double head_m) {
  NetworkNode& n = core_->net.nodes.at(node);
  if (n.kind == NodeKind::junction || !std::isfinite(head_m))
    return wrong(n.id, "head", head_m, "a number at a reservoir or tank");
  n.head_m = head_m;
  return {};
}

tl::expected<void, std::string> PipeNetworkSolver::set_viscosity(int link, double viscosity) {
  NetworkLink& l = core_->net.links.at(link);
  if (!(viscosity > 0.0) || !std::isfinite(viscosity)) return wrong(l.id, "viscosity", viscosity, "above 0");
  l.viscosity_m2_per_s = viscosity;
  core_->make_law(link);
  return {};
}

LinkReport PipeNetworkSolver::link_report(int link) const {
  const NetworkLink& l = core_->net.links.at(link);
  Law law = core_->laws[link];
  const double q = core_->answer.flow_m3_per_s.at(link);
  LinkReport out;
  if (l.kind != LinkKind::pump && l.diameter_m > 0.0)
    out.velocity_m_per_s = std::abs(q) / (pi / 4.0 * l.diameter_m * l.diameter_m);
  if (core_->answer.head_known[l.from] && core_->answer.head_known[l.to])
    out.head_loss_m = core_->answer.head_m[l.from] - core_->answer.head_m[l.to];
  if (law.kind == Law::Kind::darcy && q != 0.0) {
    out.reynolds = std::abs(q) * law.reynolds_per_flow;
    out.friction_factor = friction(law.friction, out.reynolds).factor;
  } else if (law.kind == Law::Kind::hazen && q != 0.0) {
    out.reynolds = std::abs(q) * law.reynolds_per_flow;
    const double friction_loss = lawful_loss(law, q).head - law.minor * q * std::abs(q);
    const double dynamic = out.velocity_m_per_s * out.velocity_m_per_s / (2.0 * core_->opt.gravity_m_per_s2);
    out.friction_factor = std::abs(friction_loss) / (dynamic * l.length_m / l.diameter_m);
  }
  return out;
}

} // namespace hallwright
