// SPDX-License-Identifier: GPL-3.0-or-later
#include "cooling/epanet_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <unordered_map>

#include <fmt/format.h>

namespace hallwright {
namespace {

constexpr double foot = 0.3048;
constexpr double cubic_foot = foot * foot * foot;
constexpr std::size_t most_errors = 20;

char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

bool same_word(std::string_view a, std::string_view b) {
  return a.size() == b.size() &&
         std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) { return upper(x) == upper(y); });
}

enum class Section {
  title,
  junctions,
  reservoirs,
  tanks,
  pipes,
  pumps,
  valves,
  curves,
  patterns,
  demands,
  status,
  options,
  controls,
  rules,
  emitters,
  leakage,
  passed,
  end,
  unknown
};

struct SectionName {
  std::string_view word;
  Section section;
};

constexpr std::array section_names = {SectionName{"TITLE", Section::title},
                                      SectionName{"JUNCTIONS", Section::junctions},
                                      SectionName{"RESERVOIRS", Section::reservoirs},
                                      SectionName{"TANKS", Section::tanks},
                                      SectionName{"PIPES", Section::pipes},
                                      SectionName{"PUMPS", Section::pumps},
                                      SectionName{"VALVES", Section::valves},
                                      SectionName{"CURVES", Section::curves},
                                      SectionName{"PATTERNS", Section::patterns},
                                      SectionName{"DEMANDS", Section::demands},
                                      SectionName{"STATUS", Section::status},
                                      SectionName{"OPTIONS", Section::options},
                                      SectionName{"CONTROLS", Section::controls},
                                      SectionName{"RULES", Section::rules},
                                      SectionName{"EMITTERS", Section::emitters},
                                      SectionName{"LEAKAGE", Section::leakage},
                                      SectionName{"TIMES", Section::passed},
                                      SectionName{"REPORT", Section::passed},
                                      SectionName{"ENERGY", Section::passed},
                                      SectionName{"QUALITY", Section::passed},
                                      SectionName{"SOURCES", Section::passed},
                                      SectionName{"REACTIONS", Section::passed},
                                      SectionName{"MIXING", Section::passed},
                                      SectionName{"COORDINATES", Section::passed},
                                      SectionName{"VERTICES", Section::passed},
                                      SectionName{"LABELS", Section::passed},
                                      SectionName{"BACKDROP", Section::passed},
                                      SectionName{"TAGS", Section::passed},
                                      SectionName{"END", Section::end}};

/// Sections may be shortened to their first four letters, as the program itself allows.
SectionName section_of(std::string_view word) {
  for (const SectionName& s : section_names)
    if (same_word(word, s.word) ||
        (word.size() >= 4 && word.size() < s.word.size() && same_word(word, s.word.substr(0, word.size()))))
      return s;
  return {word, Section::unknown};
}

struct Line {
  std::size_t number = 0;
  std::string_view section;
  std::vector<std::string_view> words;
};

struct FlowUnit {
  std::string_view word;
  double m3_per_s;
  bool metric;
};
constexpr std::array flow_units = {FlowUnit{"CFS", cubic_foot, false},
                                   FlowUnit{"GPM", 3.785411784e-3 / 60.0, false},
                                   FlowUnit{"MGD", 3785.411784 / 86400.0, false},
                                   FlowUnit{"IMGD", 4546.09 / 86400.0, false},
                                   FlowUnit{"AFD", 43560.0 * cubic_foot / 86400.0, false},
                                   FlowUnit{"LPS", 1e-3, true},
                                   FlowUnit{"LPM", 1e-3 / 60.0, true},
                                   FlowUnit{"MLD", 1000.0 / 86400.0, true},
                                   FlowUnit{"CMH", 1.0 / 3600.0, true},
                                   FlowUnit{"CMD", 1.0 / 86400.0, true},
                                   FlowUnit{"CMS", 1.0, true}};

class Reader {
public:
  Reader(std::string_view text, std::string_view name) : text_(text), name_(name) {}

  tl::expected<EpanetNetwork, std::vector<std::string>> run() {
    split();
    for (const Line& l : lines_[index(Section::options)])
      option(l);
    settle_units();
    for (const Line& l : lines_[index(Section::patterns)])
      pattern(l);
    for (const Line& l : lines_[index(Section::curves)])
      curve_point(l);
    for (const Line& l : lines_[index(Section::junctions)])
      junction(l);
    for (const Line& l : lines_[index(Section::reservoirs)])
      reservoir(l);
    for (const Line& l : lines_[index(Section::tanks)])
      tank(l);
    for (const Line& l : lines_[index(Section::demands)])
      demand(l);
    for (NetworkNode& n : out_.network.nodes)
      n.demand_m3_per_s *= demand_multiplier_;
    for (const Line& l : lines_[index(Section::pipes)])
      pipe(l);
    for (const Line& l : lines_[index(Section::pumps)])
      pump(l);
    for (const Line& l : lines_[index(Section::valves)])
      valve(l);
    for (const Line& l : lines_[index(Section::status)])
      status(l);
    for (const Section s : {Section::emitters, Section::leakage})
      for (const Line& l : lines_[index(s)])
        refuse(l, "flows that leave by pressure are not part of this solver; write them as demands");
    for (const Section s : {Section::controls, Section::rules})
      if (!lines_[index(s)].empty())
        out_.notes.push_back(fmt::format("{} lines of [{}] are not applied: links are as their sections say",
                                         lines_[index(s)].size(), s == Section::rules ? "RULES" : "CONTROLS"));
    if (errors_.empty() && out_.network.nodes.empty())
      errors_.push_back(fmt::format("{}: no node; [JUNCTIONS] or [RESERVOIRS] is needed", name_));
    if (errors_.empty())
      for (std::string& problem : network_problems(out_.network))
        if (errors_.size() < most_errors) errors_.push_back(fmt::format("{}: {}", name_, problem));
    if (!errors_.empty()) return tl::unexpected(std::move(errors_));
    return std::move(out_);
  }

private:
  static std::size_t index(Section s) { return static_cast<std::size_t>(s); }

  void refuse(const Line& l, const std::string& what) {
    if (errors_.size() < most_errors)
      errors_.push_back(fmt::format("{} line {}: [{}] {}", name_, l.number, l.section, what));
  }

  // Lines into sections; remarks begin with a semicolon.
  void split() {
    Section section = Section::unknown;
    std::string_view section_word;
    bool inside = false;
    std::size_t number = 0;
    for (std::size_t at = 0; at < text_.size();) {
      std::size_t end = text_.find('\n', at);
      if (end == std::string_view::npos) end = text_.size();
      const std::string_view whole = text_.substr(at, end - at);
      at = end + 1;
      ++number;
      if (lines_[index(Section::junctions)].empty()) remark(whole, number);
      Line line;
      line.number = number;
      const std::string_view said = whole.substr(0, whole.find(';'));
      words_of(said, line.words);
      if (line.words.empty()) continue;
      if (line.words[0].front() == '[') {
        std::string_view word = line.words[0].substr(1);
        word = word.substr(0, word.find(']'));
        const SectionName found = section_of(word);
        section = found.section;
        section_word = found.word;
        inside = true;
        if (section == Section::end) return;
        if (section == Section::unknown && errors_.size() < most_errors)
          errors_.push_back(
              fmt::format("{} line {}: the section [{}] is not known; known are {}", name_, number, word, known()));
        continue;
      }
      if (!inside) {
        if (errors_.size() < most_errors)
          errors_.push_back(fmt::format("{} line {}: \"{}\" stands before the first section, such as [JUNCTIONS]",
                                        name_, number, line.words[0].substr(0, 40)));
        inside = true;
        continue;
      }
      if (section == Section::title && out_.title.empty()) out_.title = trimmed(said);
      if (section == Section::title || section == Section::passed || section == Section::unknown) continue;
      line.section = section_word;
      lines_[index(section)].push_back(std::move(line));
    }
  }

  static std::string known() {
    std::string out;
    for (const SectionName& s : section_names)
      out += (out.empty() ? "" : ", ") + std::string(s.word);
    return out;
  }

  static std::string trimmed(std::string_view s) {
    const std::size_t first = s.find_first_not_of(" \t\r"), last = s.find_last_not_of(" \t\r");
    return first == std::string_view::npos ? std::string() : std::string(s.substr(first, last - first + 1));
  }

  static void words_of(std::string_view s, std::vector<std::string_view>& out) {
    for (std::size_t i = 0; i < s.size();) {
      if (s[i] == ' ' || s[i] == '\t' || s[i] == '\r') {
        ++i;
      } else if (s[i] == '"') {
        const std::size_t end = std::min(s.find('"', i + 1), s.size());
        out.push_back(s.substr(i + 1, end - i - 1));
        i = end + 1;
      } else {
        const std::size_t end = std::min(s.find_first_of(" \t\r", i), s.size());
        out.push_back(s.substr(i, end - i));
        i = end;
      }
    }
    std::erase_if(out, [](std::string_view w) { return w.empty(); });
  }

  /// "density 1010.6 kg/m3" in a remark or title.
  void remark(std::string_view whole, std::size_t number) {
    constexpr std::string_view word = "density ";
    const std::size_t at = whole.find(word);
    if (at == std::string_view::npos || density_) return;
    double value = 0.0;
    const char* begin = whole.data() + at + word.size();
    const auto [end, failed] = std::from_chars(begin, whole.data() + whole.size(), value);
    const std::string_view rest(end, static_cast<std::size_t>(whole.data() + whole.size() - end));
    if (failed != std::errc() || !rest.starts_with(" kg/m3") || !(value > 0.0)) return;
    density_ = value;
    out_.notes.push_back(fmt::format("density {} kg/m3 as the remark in line {} says", value, number));
  }

  // Fields

  std::optional<double> number(const Line& l, std::size_t i, std::string_view field, std::string_view allowed) {
    if (i >= l.words.size()) {
      refuse(l, fmt::format("{}: missing; {} is needed", field, allowed));
      return {};
    }
    std::string_view w = l.words[i];
    if (w.starts_with('+')) w.remove_prefix(1);
    double value = 0.0;
    const auto [end, failed] = std::from_chars(w.data(), w.data() + w.size(), value);
    if (failed != std::errc() || end != w.data() + w.size() || !std::isfinite(value)) {
      refuse(l, fmt::format("{}: \"{}\" is not {}", field, l.words[i], allowed));
      return {};
    }
    return value;
  }
  std::optional<double> any(const Line& l, std::size_t i, std::string_view field) {
    return number(l, i, field, "a number");
  }
  std::optional<double> positive(const Line& l, std::size_t i, std::string_view field, bool zero_too = false) {
    const std::string_view allowed = zero_too ? "a number of zero or more" : "a number above 0";
    const auto value = number(l, i, field, allowed);
    if (value && (zero_too ? *value < 0.0 : *value <= 0.0)) {
      refuse(l, fmt::format("{}: {} is not {}", field, l.words[i], allowed));
      return {};
    }
    return value;
  }
  bool too_many(const Line& l, std::size_t most) {
    if (l.words.size() <= most) return false;
    refuse(l, fmt::format("\"{}\" is one field too many; {} are allowed", l.words[most], most));
    return true;
  }

  // Options

  void option(const Line& l) {
    const std::string_view w = l.words[0];
    const auto word = [&](std::size_t i) { return i < l.words.size() ? l.words[i] : std::string_view(); };
    if (same_word(w, "UNITS")) {
      const auto unit = std::find_if(flow_units.begin(), flow_units.end(),
                                     [&](const FlowUnit& u) { return same_word(u.word, word(1)); });
      if (unit == flow_units.end())
        refuse(l,
               fmt::format("UNITS: \"{}\" is not CFS, GPM, MGD, IMGD, AFD, LPS, LPM, MLD, CMH, CMD or CMS", word(1)));
      else
        unit_ = *unit;
    } else if (same_word(w, "HEADLOSS")) {
      if (same_word(word(1), "D-W"))
        out_.network.formula = LossFormula::darcy_weisbach;
      else if (same_word(word(1), "H-W"))
        out_.network.formula = LossFormula::hazen_williams;
      else
        refuse(l, fmt::format("HEADLOSS: \"{}\" is not D-W (Darcy-Weisbach) or H-W (Hazen-Williams)", word(1)));
    } else if (same_word(w, "VISCOSITY")) {
      if (const auto v = positive(l, 1, "VISCOSITY")) viscosity_ = *v;
    } else if (same_word(w, "SPECIFIC")) {
      if (const auto v = positive(l, 2, "SPECIFIC GRAVITY")) gravity_ = *v;
    } else if (same_word(w, "PATTERN")) {
      default_pattern_ = word(1);
    } else if (same_word(w, "PRESSURE") && l.words.size() > 1) {
      if (same_word(word(1), "EXPONENT")) return;
      if (same_word(word(1), "PSI") || same_word(word(1), "KPA") || same_word(word(1), "METERS"))
        pressure_ = word(1);
      else
        refuse(l, fmt::format("PRESSURE: \"{}\" is not PSI, KPA or METERS", word(1)));
    } else if (same_word(w, "DEMAND") && same_word(word(1), "MULTIPLIER")) {
      if (const auto v = positive(l, 2, "DEMAND MULTIPLIER", true)) demand_multiplier_ = *v;
    } else if (same_word(w, "DEMAND") && same_word(word(1), "MODEL") && !same_word(word(2), "DDA")) {
      refuse(l, fmt::format("DEMAND MODEL: \"{}\" is not DDA; demands are taken whatever the pressure", word(2)));
    }
  }

  void settle_units() {
    if (!(density_)) density_ = 1000.0 * gravity_;
    out_.network.density_kg_per_m3 = *density_;
    constexpr double water = 1.1e-5 * foot * foot; // EPANET's own, m2/s
    if (viscosity_ > 1e-3)
      out_.network.viscosity_m2_per_s = viscosity_ * water;
    else
      out_.network.viscosity_m2_per_s = viscosity_ * (unit_.metric ? 1.0 : foot * foot);
    length_ = unit_.metric ? 1.0 : foot;
    diameter_ = unit_.metric ? 1e-3 : foot / 12.0;
    roughness_ = unit_.metric ? 1e-3 : 1e-3 * foot;
    if (pressure_.empty()) pressure_ = unit_.metric ? "METERS" : "PSI";
    // Head of water of 62.4 lb/ft3, over the specific gravity.
    constexpr double foot_of_psi = 1.0 / 0.4333;
    pressure_head_ = (same_word(pressure_, "METERS") ? 1.0
                      : same_word(pressure_, "PSI")  ? foot_of_psi * foot
                                                     : foot_of_psi * foot / 6.895) /
                     gravity_;
  }

  // Patterns and curves

  void pattern(const Line& l) {
    if (patterns_.contains(l.words[0])) return; // a further line of the same pattern
    if (const auto v = any(l, 1, "first multiplier")) patterns_[l.words[0]] = *v;
  }

  double multiplier(const Line& l, std::string_view id, bool named) {
    const auto found = patterns_.find(id);
    if (found != patterns_.end()) return found->second;
    if (named) refuse(l, fmt::format("pattern: \"{}\" is not in [PATTERNS]", id));
    return 1.0;
  }

  struct RawCurve {
    std::vector<FlowHead> points;
    int loss = -1, pump = -1;
  };

  void curve_point(const Line& l) {
    const auto x = any(l, 1, "x"), y = any(l, 2, "y");
    if (x && y) curves_[l.words[0]].points.push_back({*x, *y});
  }

  RawCurve* curve(const Line& l, std::string_view id) {
    const auto found = curves_.find(id);
    if (found != curves_.end()) return &found->second;
    refuse(l, fmt::format("curve: \"{}\" is not in [CURVES]", id));
    return nullptr;
  }

  std::vector<FlowHead> flow_and_head(const RawCurve& raw) const {
    std::vector<FlowHead> out = raw.points;
    for (FlowHead& p : out) {
      p.flow_m3_per_s *= unit_.m3_per_s;
      p.head_m *= length_;
    }
    return out;
  }

  // Nodes

  NetworkNode* new_node(const Line& l, NodeKind kind) {
    const auto [place, fresh] = nodes_.try_emplace(l.words[0], static_cast<int>(out_.network.nodes.size()));
    if (!fresh) {
      refuse(l, fmt::format("id: the node \"{}\" is there twice; each id is allowed once", l.words[0]));
      return nullptr;
    }
    NetworkNode node;
    node.id = std::string(l.words[0]);
    node.kind = kind;
    out_.network.nodes.push_back(std::move(node));
    return &out_.network.nodes.back();
  }

  void junction(const Line& l) {
    NetworkNode* node = new_node(l, NodeKind::junction);
    if (!node || too_many(l, 4)) return;
    if (l.words.size() > 1)
      if (const auto v = any(l, 1, "elevation")) node->elevation_m = *v * length_;
    if (l.words.size() > 2)
      if (const auto v = any(l, 2, "demand")) {
        const bool named = l.words.size() > 3;
        node->demand_m3_per_s = *v * unit_.m3_per_s * multiplier(l, named ? l.words[3] : default_pattern_, named);
      }
  }

  void reservoir(const Line& l) {
    NetworkNode* node = new_node(l, NodeKind::reservoir);
    if (!node || too_many(l, 3)) return;
    if (const auto v = any(l, 1, "head")) {
      node->head_m = *v * length_;
      if (l.words.size() > 2) node->head_m *= multiplier(l, l.words[2], true);
      node->elevation_m = 0.0; // a reservoir states its head only
    }
  }

  void tank(const Line& l) {
    NetworkNode* node = new_node(l, NodeKind::tank);
    if (!node) return;
    const auto elevation = any(l, 1, "elevation"), level = any(l, 2, "initial level");
    if (!elevation || !level) return;
    node->elevation_m = *elevation * length_;
    node->head_m = (*elevation + *level) * length_;
  }

  void demand(const Line& l) {
    const auto found = nodes_.find(l.words[0]);
    if (found == nodes_.end() || out_.network.nodes[found->second].kind != NodeKind::junction) {
      refuse(l, fmt::format("junction: \"{}\" is not in [JUNCTIONS]", l.words[0]));
      return;
    }
    NetworkNode& node = out_.network.nodes[found->second];
    const auto v = any(l, 1, "demand");
    if (!v) return;
    const bool named = l.words.size() > 2;
    // The first line of a junction takes the place of the demand in [JUNCTIONS], further ones add to it.
    if (demanded_.try_emplace(l.words[0], 1).second) node.demand_m3_per_s = 0.0;
    node.demand_m3_per_s += *v * unit_.m3_per_s * multiplier(l, named ? l.words[2] : default_pattern_, named);
  }

  // Links

  NetworkLink* new_link(const Line& l, LinkKind kind) {
    if (l.words.size() < 3) {
      refuse(l, fmt::format("\"{}\": id and two nodes are needed", l.words[0]));
      return nullptr;
    }
    NetworkLink link;
    link.id = std::string(l.words[0]);
    link.kind = kind;
    for (int end = 0; end < 2; ++end) {
      const auto found = nodes_.find(l.words[1 + end]);
      if (found == nodes_.end()) {
        refuse(l, fmt::format("{} node of {}: \"{}\" is not in [JUNCTIONS], [RESERVOIRS] or [TANKS]",
                              end ? "second" : "first", link.id, l.words[1 + end]));
        return nullptr;
      }
      (end ? link.to : link.from) = found->second;
    }
    if (!links_.try_emplace(l.words[0], static_cast<int>(out_.network.links.size())).second) {
      refuse(l, fmt::format("id: the link \"{}\" is there twice; each id is allowed once", l.words[0]));
      return nullptr;
    }
    out_.network.links.push_back(std::move(link));
    return &out_.network.links.back();
  }

  void pipe_status(const Line& l, NetworkLink& link, std::string_view w) {
    if (same_word(w, "OPEN"))
      link.status = LinkStatus::active;
    else if (same_word(w, "CLOSED"))
      link.status = LinkStatus::closed;
    else if (same_word(w, "CV"))
      link.kind = LinkKind::check_valve_pipe;
    else
      refuse(l, fmt::format("status: \"{}\" is not OPEN, CLOSED or CV", w));
  }

  void pipe(const Line& l) {
    NetworkLink* link = new_link(l, LinkKind::pipe);
    if (!link || too_many(l, 8)) return;
    const auto length = positive(l, 3, "length"), diameter = positive(l, 4, "diameter");
    const bool rough = out_.network.formula == LossFormula::darcy_weisbach;
    const auto roughness = positive(l, 5, rough ? "roughness" : "roughness coefficient", rough);
    if (!length || !diameter || !roughness) return;
    link->length_m = *length * length_;
    link->diameter_m = *diameter * diameter_;
    link->roughness = rough ? *roughness * roughness_ : *roughness;
    if (l.words.size() == 7 && !(l.words[6].front() >= '0' && l.words[6].front() <= '9') && l.words[6].front() != '.' &&
        l.words[6].front() != '-') {
      pipe_status(l, *link, l.words[6]);
      return;
    }
    if (l.words.size() > 6)
      if (const auto v = positive(l, 6, "minor loss coefficient", true)) link->minor_loss = *v;
    if (l.words.size() > 7) pipe_status(l, *link, l.words[7]);
  }

  void pump(const Line& l) {
    NetworkLink* link = new_link(l, LinkKind::pump);
    if (!link) return;
    link->setting = 1.0;
    bool described = false;
    for (std::size_t i = 3; i < l.words.size(); i += 2) {
      const std::string_view w = l.words[i];
      if (i + 1 >= l.words.size()) {
        refuse(l, fmt::format("{}: a value is missing", w));
        return;
      }
      if (same_word(w, "HEAD")) {
        RawCurve* raw = curve(l, l.words[i + 1]);
        if (!raw) return;
        if (raw->pump < 0) {
          auto made = pump_curve_through(flow_and_head(*raw));
          if (!made) {
            refuse(l, fmt::format("curve {} of pump {}: {}", l.words[i + 1], link->id, made.error()));
            return;
          }
          raw->pump = static_cast<int>(out_.network.pump_curves.size());
          out_.network.pump_curves.push_back({std::string(l.words[i + 1]), *std::move(made)});
        }
        link->curve = raw->pump;
        described = true;
      } else if (same_word(w, "POWER")) {
        const auto power = positive(l, i + 1, "POWER");
        if (!power) return;
        // 62.4 lb/ft3 as EPANET has it.
        constexpr double pound_per_cubic_foot = 0.45359237 / cubic_foot;
        auto made =
            pump_of_constant_power(*power * (unit_.metric ? 1000.0 : 745.7), 62.4 * pound_per_cubic_foot * gravity_);
        if (!made) {
          refuse(l, fmt::format("POWER: {}", made.error()));
          return;
        }
        link->curve = static_cast<int>(out_.network.pump_curves.size());
        out_.network.pump_curves.push_back({fmt::format("power of {}", link->id), *std::move(made)});
        described = true;
      } else if (same_word(w, "SPEED")) {
        if (const auto v = positive(l, i + 1, "SPEED", true)) link->setting = *v;
      } else if (same_word(w, "PATTERN")) {
        link->setting = multiplier(l, l.words[i + 1], true);
      } else {
        refuse(l, fmt::format("\"{}\" is not HEAD, POWER, SPEED or PATTERN", w));
        return;
      }
    }
    if (!described) refuse(l, fmt::format("pump {}: HEAD with a curve or POWER is needed", link->id));
  }

  void valve(const Line& l) {
    NetworkLink* link = new_link(l, LinkKind::throttle);
    if (!link || too_many(l, 8)) return;
    const auto diameter = positive(l, 3, "diameter");
    if (!diameter) return;
    link->diameter_m = *diameter * diameter_;
    const std::string_view type = l.words.size() > 4 ? l.words[4] : std::string_view();
    struct Type {
      std::string_view word;
      LinkKind kind;
    };
    constexpr std::array types = {Type{"TCV", LinkKind::throttle},
                                  Type{"PRV", LinkKind::pressure_reducing},
                                  Type{"PSV", LinkKind::pressure_sustaining},
                                  Type{"PBV", LinkKind::pressure_breaker},
                                  Type{"FCV", LinkKind::flow_control},
                                  Type{"GPV", LinkKind::general},
                                  Type{"PCV", LinkKind::positional}};
    const auto found = std::find_if(types.begin(), types.end(), [&](const Type& t) { return same_word(t.word, type); });
    if (found == types.end()) {
      refuse(l, fmt::format("type: \"{}\" is not TCV, PRV, PSV, PBV, FCV, GPV or PCV", type));
      return;
    }
    link->kind = found->kind;
    if (link->kind == LinkKind::general) {
      if (l.words.size() < 6) {
        refuse(l, "setting: the curve of losses is missing");
        return;
      }
      RawCurve* raw = curve(l, l.words[5]);
      if (!raw) return;
      if (raw->loss < 0) {
        raw->loss = static_cast<int>(out_.network.loss_curves.size());
        out_.network.loss_curves.push_back({std::string(l.words[5]), flow_and_head(*raw)});
      }
      link->curve = raw->loss;
    } else if (const auto setting = positive(l, 5, "setting", true)) {
      link->setting = valve_setting(*link, *setting);
    }
    if (l.words.size() > 6)
      if (const auto v = positive(l, 6, "minor loss coefficient", true)) link->minor_loss = *v;
    if (l.words.size() > 7)
      refuse(l, fmt::format("\"{}\": a curve of the opening is not supported; leave it out for a linear valve",
                            l.words[7]));
  }

  [[nodiscard]] double valve_setting(const NetworkLink& link, double written) const {
    switch (link.kind) {
    case LinkKind::flow_control:
      return written * unit_.m3_per_s;
    case LinkKind::positional:
      return written / 100.0;
    case LinkKind::pressure_reducing:
    case LinkKind::pressure_sustaining:
    case LinkKind::pressure_breaker:
      return written * pressure_head_;
    default:
      return written;
    }
  }

  void status(const Line& l) {
    const auto found = links_.find(l.words[0]);
    if (found == links_.end()) {
      refuse(l, fmt::format("link: \"{}\" is not in [PIPES], [PUMPS] or [VALVES]", l.words[0]));
      return;
    }
    if (too_many(l, 2)) return;
    NetworkLink& link = out_.network.links[found->second];
    const std::string_view w = l.words.size() > 1 ? l.words[1] : std::string_view();
    const bool pipe = link.kind == LinkKind::pipe, pump = link.kind == LinkKind::pump;
    if (link.kind == LinkKind::check_valve_pipe) {
      refuse(l, fmt::format("the check valve pipe {} opens and shuts by itself; leave it out", link.id));
    } else if (same_word(w, "CLOSED")) {
      link.status = LinkStatus::closed;
    } else if (same_word(w, "OPEN")) {
      link.status = pipe || pump ? LinkStatus::active : LinkStatus::open;
    } else if (same_word(w, "ACTIVE") && !pipe && !pump) {
      link.status = LinkStatus::active;
    } else if (pipe || link.kind == LinkKind::general) {
      refuse(l, fmt::format("status of {}: \"{}\" is not OPEN or CLOSED", link.id, w));
    } else if (const auto v = number(l, 1, "status", "OPEN, CLOSED or a setting of zero or more"); v && *v >= 0.0) {
      link.setting = valve_setting(link, *v);
      link.status = LinkStatus::active;
    } else if (v) {
      refuse(l, fmt::format("status of {}: {} is below zero", link.id, w));
    }
  }

  std::string_view text_, name_;
  std::array<std::vector<Line>, static_cast<std::size_t>(Section::unknown) + 1> lines_;
  EpanetNetwork out_{[] {
    EpanetNetwork n;
    n.network.formula = LossFormula::hazen_williams;
    return n;
  }()};
  std::vector<std::string> errors_;
  std::optional<double> density_;
  FlowUnit unit_ = flow_units[1];
  double viscosity_ = 1.0, gravity_ = 1.0, demand_multiplier_ = 1.0;
  double length_ = 1.0, diameter_ = 1.0, roughness_ = 1.0, pressure_head_ = 1.0;
  std::string_view default_pattern_ = "1", pressure_;
  std::unordered_map<std::string_view, double> patterns_;
  std::unordered_map<std::string_view, RawCurve> curves_;
  std::unordered_map<std::string_view, int> nodes_, links_, demanded_;
};

} // namespace

tl::expected<EpanetNetwork, std::vector<std::string>> read_epanet_text(std::string_view text, std::string_view name) {
  const auto refused = [&](std::string_view what) {
    return tl::make_unexpected(std::vector<std::string>{fmt::format("{}: {}", name, what)});
  };
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF"))
    return refused("the file is UTF-16; plain text in UTF-8 is allowed");
  if (const auto zero = text.find('\0'); zero != std::string_view::npos)
    return refused(fmt::format("line {}: a zero byte; this is not a text file",
                               1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(zero), '\n')));
  return Reader(text, name).run();
}

} // namespace hallwright
