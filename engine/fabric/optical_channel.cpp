// SPDX-License-Identifier: GPL-3.0-or-later
#include "fabric/optical_channel.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace hallwright {
namespace {

double number_or(const Catalog& catalog, std::string_view id, double fallback) {
  const Assumption* a = catalog.find<Assumption>(id);
  return a && a->value ? *a->value : fallback;
}

std::string polish_word(Polish p) { return p == Polish::angled ? "APC" : "UPC"; }
std::string fibre_word(FibreKind f) { return f == FibreKind::single_mode ? "single-mode" : "multimode"; }
std::string in_words(const FibrePlug& p, bool mpo) {
  return p.connector + "/" + polish_word(p.polish) +
         (mpo ? (p.pins == Pins::male ? " with pins" : " without pins") : "");
}
bool is_mpo(std::string_view connector) { return connector.rfind("MPO", 0) == 0; }

/// Two plugs that meet, in a panel or in a module.
void check_joint(const FibrePlug& a, const std::string& of_a, const FibrePlug& b, const std::string& of_b,
                 std::vector<std::string>& problems) {
  if (a.connector != b.connector) {
    problems.push_back(fmt::format("{} of {} does not fit {} of {}", a.connector, of_a, b.connector, of_b));
    return;
  }
  if (a.polish != b.polish)
    problems.push_back(
        fmt::format("mixed polish: {} of {} meets {} of {}", polish_word(a.polish), of_a, polish_word(b.polish), of_b));
  if (is_mpo(a.connector) && a.pins == b.pins)
    problems.push_back(fmt::format("{} of {} meets {} of {}; one side needs pins, the other none", in_words(a, true),
                                   of_a, in_words(b, true), of_b));
}

} // namespace

std::optional<FibreKind> fibre_kind_of(std::string_view word) {
  if (word == "smf") return FibreKind::single_mode;
  if (word == "mmf") return FibreKind::multimode;
  return std::nullopt;
}

ChannelRules channel_rules(const Catalog& catalog) {
  ChannelRules r;
  r.mpo_joint_db = number_or(catalog, "cabling.mpo_joint_loss", r.mpo_joint_db);
  r.lc_joint_db = number_or(catalog, "cabling.lc_joint_loss", r.lc_joint_db);
  r.single_mode_db_km = number_or(catalog, "cabling.smf_attenuation", r.single_mode_db_km);
  r.multimode_db_km = number_or(catalog, "cabling.mmf_attenuation", r.multimode_db_km);
  r.joints_in_reach = static_cast<Count>(
      std::llround(number_or(catalog, "cabling.joints_in_reach", static_cast<double>(r.joints_in_reach))));
  r.least_margin_db = number_or(catalog, "cabling.loss_margin", r.least_margin_db);
  r.delay_ns_m = number_or(catalog, "cabling.delay_per_metre", r.delay_ns_m);
  return r;
}

double channel_loss_db(const ChannelRules& rules, const Channel& c) {
  const double per_km = c.fibre == FibreKind::single_mode ? rules.single_mode_db_km : rules.multimode_db_km;
  return static_cast<double>(c.joints) * (c.lc ? rules.lc_joint_db : rules.mpo_joint_db) + c.length_m * 1e-3 * per_km;
}

ChannelLoss channel_loss(const ChannelRules& rules, const Channel& channel, const ChannelBudget& budget) {
  ChannelLoss out;
  out.loss_db = channel_loss_db(rules, channel);
  if (budget.stated_db) {
    out.budget_db = budget.stated_db;
  } else if (budget.reach_m) {
    Channel at_reach = channel;
    at_reach.joints = rules.joints_in_reach;
    at_reach.length_m = *budget.reach_m;
    out.budget_db = channel_loss_db(rules, at_reach);
    out.budget_estimated = true;
  }
  if (out.budget_db) out.margin_db = *out.budget_db - out.loss_db;
  return out;
}

std::optional<double> longest_channel_m(const ChannelRules& rules, FibreKind fibre, bool lc, Count joints,
                                        const ChannelBudget& budget) {
  const ChannelLoss bare = channel_loss(rules, {fibre, lc, joints, 0.0}, budget);
  const double per_km = fibre == FibreKind::single_mode ? rules.single_mode_db_km : rules.multimode_db_km;
  if (!bare.margin_db || !(per_km > 0)) return std::nullopt;
  return *bare.margin_db / per_km * 1e3;
}

FibrePlug plug_of(std::string_view connector, std::string_view polish) {
  const auto slash = connector.find('/');
  FibrePlug out;
  out.connector = std::string(connector.substr(0, slash));
  if (polish.empty() && slash != std::string_view::npos) polish = connector.substr(slash + 1);
  out.polish = polish.empty() ? (is_mpo(out.connector) ? Polish::angled : Polish::flat)
                              : (polish == "APC" ? Polish::angled : Polish::flat);
  return out;
}

std::vector<std::string> chain_problems(const ModuleSocket& near, const std::vector<FibreSegment>& chain,
                                        const ModuleSocket& far) {
  std::vector<std::string> out;
  if (chain.empty()) return {"there is no fibre between the modules"};
  const auto socket_plug = [](const ModuleSocket& m) { return FibrePlug{m.connector, m.polish, Pins::male}; };
  check_joint(socket_plug(near), "the near module", chain.front().near, chain.front().name, out);
  for (std::size_t i = 0; i + 1 < chain.size(); ++i)
    check_joint(chain[i].far, chain[i].name, chain[i + 1].near, chain[i + 1].name, out);
  check_joint(chain.back().far, chain.back().name, socket_plug(far), "the far module", out);

  if (near.fibre != far.fibre)
    out.push_back(fmt::format("the near module is {}, the far one {}", fibre_word(near.fibre), fibre_word(far.fibre)));
  Count straight = 0, paired = 0;
  for (const FibreSegment& s : chain) {
    if (s.fibre != near.fibre)
      out.push_back(
          fmt::format("{} is {} fibre between {} modules", s.name, fibre_word(s.fibre), fibre_word(near.fibre)));
    straight += s.polarity == Polarity::type_a;
    paired += s.polarity == Polarity::type_c;
  }
  // A Type-B cable turns the fibres round (1 to 12, A to B), and so does a joint key up to key up: n cables and n - 1
  // joints turn an odd number of times, as links need, unless an odd number of cables is straight.
  if (is_mpo(near.connector) && paired > 0)
    out.push_back("a Type-C cable turns fibres in pairs, which suits duplex links and not parallel optics");
  else if (straight % 2 != 0)
    out.push_back(
        fmt::format("{} of {} cables {} straight (Type-A): transmitters meet transmitters; use Type-B end to end",
                    straight, chain.size(), straight == 1 ? "is" : "are"));
  return out;
}

std::vector<FibreSegment> usual_chain(const ModuleSocket& socket, Count panels) {
  std::vector<FibreSegment> out;
  const Count segments = std::max<Count>(0, panels) + 1;
  for (Count i = 0; i < segments; ++i) {
    const bool end = i == 0 || i + 1 == segments;
    FibreSegment s;
    s.fibre = socket.fibre;
    s.name = segments == 1 ? "the patch cord"
             : i == 0      ? "the near patch cord"
             : end         ? "the far patch cord"
                           : fmt::format("trunk {}", i);
    s.near = s.far = {socket.connector, socket.polish, Pins::female};
    // At each panel the plug that comes later has what the earlier one lacks.
    if (i > 0) s.near.pins = out.back().far.pins == Pins::female ? Pins::male : Pins::female;
    s.far.pins = end && i + 1 == segments ? Pins::female : s.near.pins;
    out.push_back(std::move(s));
  }
  return out;
}

double skew_ns(const ChannelRules& rules, double length_difference_m) {
  return std::abs(length_difference_m) * rules.delay_ns_m;
}

double bend_depth_mm(double plug_length_mm, double bend_radius_mm, double diameter_mm) {
  return plug_length_mm + bend_radius_mm + diameter_mm / 2;
}

} // namespace hallwright
