// SPDX-License-Identifier: GPL-3.0-or-later
#include "project/netbox_device_type.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <span>

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include "catalog/utf8.h"

namespace hallwright {
namespace {

using Words = std::span<const std::string_view>;

// Choices of NetBox; a word outside them is warned of and kept.
constexpr std::array<std::string_view, 15> console_types{
    "de-9",  "db-25",      "rj-11",      "rj-12",       "rj-45",       "mini-din-8",   "usb-a", "usb-b",
    "usb-c", "usb-mini-a", "usb-mini-b", "usb-micro-a", "usb-micro-b", "usb-micro-ab", "other"};
constexpr std::array<std::string_view, 20> power_prefixes{
    "iec-60320-", "iec-60309-", "iec-60906-",  "nbr-",  "nema-",      "cs",       "ita-",
    "usb-",       "molex-",     "dc-terminal", "hdot-", "saf-d-grid", "eaton-",   "neutrik-",
    "ubiquiti-",  "hardwired",  "other",       "din-",  "schuko",     "anderson-"};
constexpr std::array<std::string_view, 21> interface_words{
    "virtual", "bridge", "lag", "other", "other-wireless", "gsm",  "cdma", "lte",  "4g",   "5g",    "t1",
    "e1",      "t3",     "e3",  "xdsl",  "docsis",         "moca", "bpon", "epon", "gpon", "xg-pon"};
constexpr std::array<std::string_view, 9> interface_prefixes{
    "ieee802.", "sonet-", "infiniband-", "cisco-", "juniper-", "extreme-", "xgs-pon", "ng-pon2", "10g-epon"};
constexpr std::array<std::string_view, 3> passive_interfaces{"virtual", "bridge", "lag"};
constexpr std::array<std::string_view, 7> form_factors{"wall-cabinet",         "4-post-frame", "2-post-frame",
                                                       "4-post-cabinet",       "wall-frame",   "wall-frame-vertical",
                                                       "wall-cabinet-vertical"};
constexpr std::array<std::string_view, 10> airflows{"front-to-rear", "rear-to-front", "left-to-right", "right-to-left",
                                                    "side-to-rear",  "rear-to-side",  "bottom-to-top", "top-to-bottom",
                                                    "passive",       "mixed"};

constexpr std::array<std::string_view, 30> type_keys{"manufacturer",
                                                     "model",
                                                     "slug",
                                                     "part_number",
                                                     "u_height",
                                                     "is_full_depth",
                                                     "airflow",
                                                     "weight",
                                                     "weight_unit",
                                                     "front_image",
                                                     "rear_image",
                                                     "subdevice_role",
                                                     "is_powered",
                                                     "console-ports",
                                                     "console-server-ports",
                                                     "power-ports",
                                                     "power-outlets",
                                                     "interfaces",
                                                     "front-ports",
                                                     "rear-ports",
                                                     "module-bays",
                                                     "device-bays",
                                                     "inventory-items",
                                                     "description",
                                                     "comments",
                                                     "profile",
                                                     "attributes",
                                                     "attribute_data",
                                                     "exclude_from_utilization",
                                                     "default_platform"};
constexpr std::array<std::string_view, 19> rack_keys{
    "manufacturer",   "model",         "slug",       "description", "comments",     "form_factor", "width",
    "u_height",       "starting_unit", "desc_units", "outer_width", "outer_height", "outer_depth", "outer_unit",
    "mounting_depth", "weight",        "max_weight", "weight_unit", "airflow"};

constexpr double largest_port_draw_w = 32767.0; // a 16-bit field of NetBox until version 4.2
constexpr double kilograms_per_pound = 0.45359237, kilograms_per_ounce = 0.028349523125;

bool has(Words words, std::string_view word) { return std::find(words.begin(), words.end(), word) != words.end(); }
bool starts(Words prefixes, std::string_view word) {
  return std::any_of(prefixes.begin(), prefixes.end(), [&](std::string_view p) { return word.starts_with(p); });
}
std::string listed(Words words) {
  std::string out;
  for (std::string_view w : words)
    out += (out.empty() ? "" : ", ") + std::string(w);
  return out;
}
std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}
std::string squeezed(std::string_view text) {
  std::string out;
  for (char c : text)
    if (std::isalnum(static_cast<unsigned char>(c)) != 0)
      out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}
std::string slug_of(std::string_view text) {
  std::string out;
  for (char c : lower(text)) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_')
      out += c;
    else if (!out.empty() && out.back() != '-')
      out += '-';
  }
  while (!out.empty() && out.back() == '-')
    out.pop_back();
  return out;
}
bool is_passive(std::string_view interface_type) { return has(passive_interfaces, interface_type); }

bool known_interface_type(std::string_view type) {
  static const std::regex line_rate(R"(^[0-9.]+[gt]?base-?[a-z0-9._-]*$|^[0-9]+gfc-[a-z0-9]+$|^[0-9]+g-pon$)");
  return has(interface_words, type) || starts(interface_prefixes, type) ||
         std::regex_match(type.begin(), type.end(), line_rate);
}

/// Watts that a text speaks of: "22.0kW(32A)", "2400 W".
std::string power_said(const std::string& text) {
  static const std::regex watts(
      R"((?:^|[^A-Za-z0-9.])([0-9][0-9.,]*\s?(?:kW|kVA|MW|W|Watts|watts|BTU/h))(?![A-Za-z]))");
  std::string out;
  int found = 0;
  for (std::sregex_iterator it(text.begin(), text.end(), watts), end; it != end && found < 3; ++it, ++found)
    out += (out.empty() ? "" : ", ") + (*it)[1].str();
  return out;
}

/// One mapping of the file, read key by key; what is refused or odd is told with its line.
class Reader {
public:
  Reader(const std::string& file, NetboxType& out) : file_(file), out_(out) {}

  struct Refused {
    std::string sentence;
  };
  [[noreturn]] void refuse(int line, const std::string& what) const {
    throw Refused{fmt::format("{}, line {}: {}", file_, line, what)};
  }
  void warn(int line, const std::string& what) {
    if (out_.warnings.size() < 200) out_.warnings.push_back(line > 0 ? fmt::format("line {}: {}", line, what) : what);
  }
  static int line_of(const YAML::Node& node) { return node.Mark().line + 1; }

  /// A mapping as key and value, each key once; the first of two equal keys holds.
  std::vector<std::pair<std::string, YAML::Node>> members(const YAML::Node& map, std::string_view what) {
    if (!map.IsMap()) refuse(line_of(map), fmt::format("{} is not a list of \"key: value\" lines", what));
    std::vector<std::pair<std::string, YAML::Node>> out;
    std::set<std::string> seen;
    for (const auto& entry : map) {
      if (!entry.first.IsScalar()) refuse(line_of(entry.first), fmt::format("a key of {} is not a word", what));
      const std::string key = entry.first.Scalar();
      if (!seen.insert(key).second) {
        warn(line_of(entry.first), fmt::format("key '{}' stands twice in {}; the first one holds", key, what));
        continue;
      }
      out.emplace_back(key, entry.second);
    }
    return out;
  }

  std::string text(const YAML::Node& node, std::string_view key) const {
    if (node.IsNull()) return {};
    if (!node.IsScalar())
      refuse(line_of(node), fmt::format("{} is a {}, a text is allowed", key, node.IsMap() ? "mapping" : "list"));
    return node.Scalar();
  }
  /// A number, zero or more; not set where the value is left empty.
  std::optional<double> number(const YAML::Node& node, std::string_view key) const {
    const std::string word = text(node, key);
    if (word.empty()) return {};
    double value = 0.0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc{} || end != word.data() + word.size() || !std::isfinite(value))
      refuse(line_of(node), fmt::format("{} '{}' is not a number; digits with a decimal point are allowed", key, word));
    if (value < 0.0) refuse(line_of(node), fmt::format("{} {} is below zero; zero or more is allowed", key, word));
    if (value > 1e9)
      refuse(line_of(node), fmt::format("{} {} is out of range; at most 1000000000 is allowed", key, word));
    return value;
  }
  std::optional<bool> yes(const YAML::Node& node, std::string_view key) const {
    const std::string word = lower(text(node, key));
    if (word.empty()) return {};
    if (word == "true" || word == "yes" || word == "on") return true;
    if (word == "false" || word == "no" || word == "off") return false;
    refuse(line_of(node), fmt::format("{} '{}' is neither true nor false", key, node.Scalar()));
  }

  std::vector<NetboxComponent> components(const YAML::Node& list, const std::string& key) {
    std::vector<NetboxComponent> out;
    if (list.IsNull()) return out;
    if (!list.IsSequence())
      refuse(line_of(list), fmt::format("{} is not a list; lines that begin with \"- name:\" are allowed", key));
    if (list.size() > 20000)
      refuse(line_of(list), fmt::format("{} has {} entries; at most 20000 are allowed", key, list.size()));
    for (const YAML::Node& entry : list) {
      NetboxComponent c;
      c.line = line_of(entry);
      std::vector<std::string> odd;
      for (const auto& [name, value] : members(entry, "an entry of " + key)) {
        if (name == "name") {
          c.name = text(value, "name");
          if (value.Tag() == "?" && c.name.size() > 1 && c.name[0] == '0' &&
              std::all_of(c.name.begin(), c.name.end(), [](char d) { return d >= '0' && d <= '9'; }))
            warn(line_of(value), fmt::format("name {} is not quoted; it is kept as text", c.name));
        } else if (name == "type")
          c.type = text(value, "type");
        else if (name == "description")
          c.description = text(value, "description");
        else if (name == "maximum_draw" && key == "power-ports")
          c.maximum_draw_w = draw(value, name);
        else if (name == "allocated_draw" && key == "power-ports")
          c.allocated_draw_w = draw(value, name);
        else if (name == "mgmt_only" && key == "interfaces")
          c.management_only = yes(value, name).value_or(false);
        else if (!allowed_keys(key).contains(name))
          odd.push_back(name);
      }
      for (const std::string& name : odd)
        warn(c.line, fmt::format("key '{}' of {} '{}' is not part of the format; it is left out", name, key, c.name));
      if (c.name.empty()) refuse(c.line, fmt::format("an entry of {} has no name; every entry needs one", key));
      out.push_back(std::move(c));
    }
    std::map<std::string, int> first;
    for (const NetboxComponent& c : out)
      if (const auto [at, fresh] = first.emplace(c.name, c.line); !fresh)
        warn(c.line, fmt::format("{} '{}' stands in line {} already; both are kept here, NetBox keeps one", key, c.name,
                                 at->second));
    return out;
  }

private:
  std::optional<double> draw(const YAML::Node& node, std::string_view key) const {
    auto watts = number(node, key);
    return watts && *watts > 0.0 ? watts : std::nullopt; // the format allows 1 and more: a zero says nothing
  }
  static const std::set<std::string>& allowed_keys(const std::string& list) {
    static const std::map<std::string, std::set<std::string>> keys{
        {"console-ports", {"label", "_is_power_source"}},
        {"console-server-ports", {"label"}},
        {"power-ports", {"label"}},
        {"power-outlets", {"label", "power_port", "feed_leg", "color"}},
        {"interfaces", {"label", "enabled", "bridge", "poe_mode", "poe_type", "rf_role"}},
        {"front-ports", {"label", "color", "rear_port", "rear_port_position", "positions"}},
        {"rear-ports", {"label", "color", "positions", "_is_power_source"}},
        {"module-bays", {"label", "position"}},
        {"device-bays", {"label"}},
        {"inventory-items", {"label", "manufacturer", "part_id"}}};
    return keys.at(list);
  }
  const std::string& file_;
  NetboxType& out_;
};

/// What a type says of its mass: number and unit apart.
struct Weight {
  std::optional<double> value;
  std::string unit;
  int line = 0;
};

std::optional<double> kilograms_per(std::string_view unit) {
  if (unit == "kg") return 1.0;
  if (unit == "g") return 0.001;
  if (unit == "lb") return kilograms_per_pound;
  if (unit == "oz") return kilograms_per_ounce;
  return {};
}

void read_weight(Reader& reader, NetboxType& out, const Weight& weight, const std::optional<double>& maximum_load,
                 int load_line) {
  if (!weight.value && !maximum_load) {
    if (!weight.unit.empty()) reader.warn(weight.line, "weight_unit stands without a weight");
    return;
  }
  const int line = weight.line > 0 ? weight.line : load_line;
  if (weight.unit.empty()) {
    reader.warn(line, "weight has no weight_unit; the mass stays unknown (kg, g, lb and oz are allowed)");
    return;
  }
  const auto factor = kilograms_per(weight.unit);
  if (!factor) {
    reader.warn(line, fmt::format("weight_unit '{}' is not allowed (kg, g, lb and oz are); the mass stays unknown",
                                  weight.unit));
    return;
  }
  if (weight.value) out.weight_kg = weight.unit == "g" ? *weight.value / 1000.0 : *weight.value * *factor;
  if (maximum_load) out.maximum_load_kg = weight.unit == "g" ? *maximum_load / 1000.0 : *maximum_load * *factor;
  if (out.weight_kg && *out.weight_kg == 0.0) {
    reader.warn(line, "weight is zero; the mass stays unknown");
    out.weight_kg.reset();
  }
  if (!out.weight_kg || !out.u_height || *out.u_height < 0.5) return;
  const double per_unit = *out.weight_kg / *out.u_height;
  const double lightest = out.kind == NetboxTypeKind::rack ? 0.3 : 0.2, heaviest = 60.0;
  if (per_unit < lightest || per_unit > heaviest)
    reader.warn(line,
                fmt::format("weight {:.4g} kg is {:.3g} kg a rack unit, outside {} to {}: is the unit '{}' right?",
                            *out.weight_kg, per_unit, lightest, heaviest, weight.unit));
}

void judge_power(Reader& reader, NetboxType& out) {
  const std::string said = power_said(out.comments.empty() ? out.description : out.comments + " " + out.description);
  const std::string offer = said.empty() ? "" : fmt::format("; the comments speak of {}: to be entered by hand", said);
  const auto& ports = out.power_ports;
  const std::size_t bays = out.supply_bays();
  if (out.is_powered == false && ports.empty())
    reader.warn(0, "is_powered is false: it has no power inlet of its own, which does not say that it draws nothing" +
                       offer);
  else if (ports.empty())
    reader.warn(
        0, (bays > 0 ? fmt::format("no power-ports, {} module bays for supplies: the draw is unknown, not zero", bays)
                     : std::string("no power-ports: the draw is unknown, not zero")) +
               offer);
  std::size_t stated = 0;
  std::set<double> ratings;
  for (const NetboxComponent& p : ports) {
    if (p.maximum_draw_w) {
      ++stated;
      ratings.insert(*p.maximum_draw_w);
      if (*p.maximum_draw_w > largest_port_draw_w)
        reader.warn(p.line, fmt::format("maximum_draw {:.0f} W of '{}' is above {:.0f} W: milliwatts?",
                                        *p.maximum_draw_w, p.name, largest_port_draw_w));
      if (p.allocated_draw_w && *p.allocated_draw_w > *p.maximum_draw_w)
        reader.warn(p.line, fmt::format("allocated_draw {:.0f} W of '{}' is above its maximum_draw {:.0f} W",
                                        *p.allocated_draw_w, p.name, *p.maximum_draw_w));
    } else if (p.allocated_draw_w) {
      if (*p.allocated_draw_w > largest_port_draw_w)
        reader.warn(p.line, fmt::format("allocated_draw {:.0f} W of '{}' is above {:.0f} W: milliwatts?",
                                        *p.allocated_draw_w, p.name, largest_port_draw_w));
      reader.warn(p.line, fmt::format("power port '{}' states an allocated_draw and no maximum_draw", p.name));
    }
  }
  if (!ports.empty() && stated == 0)
    reader.warn(0, fmt::format("{} power-port{} without maximum_draw: the draw is unknown, not zero{}", ports.size(),
                               ports.size() == 1 ? "" : "s", offer));
  else if (stated < ports.size())
    reader.warn(0, fmt::format("{} of {} power-ports state no maximum_draw: the sum is a lower bound",
                               ports.size() - stated, ports.size()));
  if (ratings.size() > 1) reader.warn(0, "the power-ports state different maximum_draw");
  if (stated > 1)
    reader.warn(0, fmt::format("{:.0f} W is the sum over {} power-ports: capacity of the supplies, which may be "
                               "redundant, not the draw of the device{}",
                               *out.sum_maximum_draw_w(), stated, offer));
  else if (stated == 1 && !said.empty())
    reader.warn(0, fmt::format("the comments speak of {}; maximum_draw is {:.0f} W", said, *out.sum_maximum_draw_w()));
  if (!ports.empty() && bays > 0 && bays != ports.size())
    reader.warn(0, fmt::format("{} power-ports and {} module bays for supplies disagree", ports.size(), bays));
  if (out.is_powered == false && !ports.empty())
    reader.warn(0, fmt::format("is_powered is false and there are {} power-ports", ports.size()));
}

void judge_components(Reader& reader, NetboxType& out) {
  auto check = [&](const std::vector<NetboxComponent>& list, std::string_view what, auto&& known,
                   std::string_view allowed) {
    for (const NetboxComponent& c : list)
      if (c.type.empty())
        reader.warn(c.line, fmt::format("{} '{}' has no type", what, c.name));
      else if (!known(c.type))
        reader.warn(c.line,
                    fmt::format("type '{}' of {} '{}' is not one of NetBox's{}", c.type, what, c.name, allowed));
  };
  auto console = [](const std::string& t) { return has(console_types, t); };
  auto power = [](const std::string& t) { return starts(power_prefixes, lower(t)); };
  const std::string consoles = " (" + listed(console_types) + ")";
  check(out.console_ports, "console port", console, consoles);
  check(out.console_server_ports, "console server port", console, consoles);
  check(out.power_ports, "power port", power, "");
  check(out.power_outlets, "power outlet", power, "");
  check(out.interfaces, "interface", known_interface_type, "");

  const std::size_t passive = out.interfaces.size() - out.physical_interfaces();
  if (passive > 0)
    reader.warn(0, fmt::format("{} of {} interfaces {} virtual, bridge or lag: no port", passive, out.interfaces.size(),
                               passive == 1 ? "is" : "are"));
  const std::size_t fast = out.interfaces_400g_or_faster(), cages = out.fast_cages();
  if (cages < fast)
    reader.warn(0,
                fmt::format("{} ports of 400 Gb/s or more have {} names of a cage: optics count by cage", fast, cages));
}

void judge_shape(Reader& reader, NetboxType& out, int height_line) {
  if (!out.u_height) {
    if (out.kind != NetboxTypeKind::module) reader.warn(0, "u_height is missing: the height is unknown");
  } else {
    const double doubled = *out.u_height * 2.0;
    if (doubled != std::floor(doubled))
      reader.warn(height_line, fmt::format("u_height {} is no multiple of 0.5 and is not taken over", *out.u_height));
    else if (*out.u_height != std::floor(*out.u_height))
      reader.warn(height_line, fmt::format("u_height {} is not whole: kept in half units", *out.u_height));
    if (*out.u_height > 60.0) reader.warn(height_line, fmt::format("u_height {} is above 60", *out.u_height));
    if (*out.u_height == 0.0 && out.kind == NetboxTypeKind::device && out.subdevice_role != "child" &&
        out.power_outlets.empty())
      reader.warn(height_line, "u_height 0 of something that is neither a power strip nor a child: it may lie on a "
                               "shelf, its height is unknown");
  }
  if (out.kind == NetboxTypeKind::device) {
    if (!out.is_full_depth) reader.warn(0, "is_full_depth is missing");
    if (out.subdevice_role == "child")
      reader.warn(0, "subdevice_role is child: it goes into a bay of a parent, not into a rack");
    else if (!out.subdevice_role.empty() && out.subdevice_role != "parent")
      reader.warn(0, fmt::format("subdevice_role '{}' is not allowed (parent and child are)", out.subdevice_role));
    if (!out.device_bays.empty() && out.subdevice_role != "parent")
      reader.warn(0, "device-bays stand without subdevice_role: parent");
  }
  if (!out.airflow.empty() && !has(airflows, out.airflow))
    reader.warn(0, fmt::format("airflow '{}' is not one of NetBox's ({})", out.airflow, listed(airflows)));
}

void judge_names(Reader& reader, NetboxType& out, const std::string& file, bool slug_given) {
  if (!slug_given) {
    reader.warn(0, fmt::format("slug is missing; '{}' is derived from maker and model", out.slug));
  }
  std::string stem = std::filesystem::path(file).stem().string();
  if (const auto at = stem.rfind("__"); at != std::string::npos) stem = stem.substr(at + 2);
  const std::string name = squeezed(stem), model = squeezed(out.model), part = squeezed(out.part_number),
                    slug = squeezed(out.slug);
  auto agree = [](const std::string& a, const std::string& b) {
    return !a.empty() && !b.empty() && (a.find(b) != std::string::npos || b.find(a) != std::string::npos);
  };
  if (!name.empty() && !agree(name, model) && !agree(name, part) && !agree(name, slug))
    reader.warn(
        0,
        fmt::format("file name, slug '{}' and model '{}' disagree; maker, model and part number say which part it is",
                    out.slug, out.model));
  else if (slug_given && !agree(slug, model) && !agree(slug, part))
    reader.warn(0, fmt::format("slug '{}' and model '{}' disagree; maker, model and part number say which part it is",
                               out.slug, out.model));
}

NetboxTypeKind kind_of(const std::vector<std::pair<std::string, YAML::Node>>& members, const std::string& file) {
  auto holds = [&](std::string_view key) {
    return std::any_of(members.begin(), members.end(), [&](const auto& m) { return m.first == key; });
  };
  if (holds("form_factor") || holds("outer_width") || holds("mounting_depth") || holds("starting_unit"))
    return NetboxTypeKind::rack;
  if (holds("u_height") || holds("is_full_depth") || holds("slug")) return NetboxTypeKind::device;
  if (file.find("rack-types") != std::string::npos) return NetboxTypeKind::rack;
  if (file.find("device-types") != std::string::npos) return NetboxTypeKind::device;
  return NetboxTypeKind::module;
}

NetboxType read_document(const YAML::Node& document, const std::string& file) {
  NetboxType out;
  out.file = file;
  Reader reader(file, out);
  const auto members = reader.members(document, "the file");
  out.kind = kind_of(members, file);
  const bool rack = out.kind == NetboxTypeKind::rack;

  Weight weight;
  std::optional<double> maximum_load, outer_width, outer_depth, outer_height;
  std::string outer_unit;
  int height_line = 0, outer_line = 0, depth_line = 0, load_line = 0;
  for (const auto& [key, value] : members) {
    const int line = Reader::line_of(value);
    if (key == "manufacturer")
      out.manufacturer = reader.text(value, key);
    else if (key == "model")
      out.model = reader.text(value, key);
    else if (key == "slug")
      out.slug = reader.text(value, key);
    else if (key == "part_number")
      out.part_number = reader.text(value, key);
    else if (key == "description")
      out.description = reader.text(value, key);
    else if (key == "comments")
      out.comments = reader.text(value, key);
    else if (key == "u_height")
      out.u_height = reader.number(value, key), height_line = line;
    else if (key == "weight")
      weight.value = reader.number(value, key), weight.line = line;
    else if (key == "weight_unit")
      weight.unit = reader.text(value, key);
    else if (key == "airflow")
      out.airflow = reader.text(value, key);
    else if (rack && key == "form_factor")
      out.form_factor = reader.text(value, key);
    else if (rack && key == "width")
      out.rail_width_in = reader.number(value, key);
    else if (rack && key == "outer_width")
      outer_width = reader.number(value, key), outer_line = line;
    else if (rack && key == "outer_depth")
      outer_depth = reader.number(value, key), outer_line = line;
    else if (rack && key == "outer_height")
      outer_height = reader.number(value, key), outer_line = line;
    else if (rack && key == "outer_unit")
      outer_unit = reader.text(value, key);
    else if (rack && key == "mounting_depth")
      out.mounting_depth_mm = reader.number(value, key), depth_line = line;
    else if (rack && key == "max_weight")
      maximum_load = reader.number(value, key), load_line = line;
    else if (!rack && key == "is_full_depth")
      out.is_full_depth = reader.yes(value, key);
    else if (!rack && key == "is_powered")
      out.is_powered = reader.yes(value, key);
    else if (!rack && key == "subdevice_role")
      out.subdevice_role = reader.text(value, key);
    else if (!rack && key == "power-ports")
      out.power_ports = reader.components(value, key);
    else if (!rack && key == "power-outlets")
      out.power_outlets = reader.components(value, key);
    else if (!rack && key == "interfaces")
      out.interfaces = reader.components(value, key);
    else if (!rack && key == "module-bays")
      out.module_bays = reader.components(value, key);
    else if (!rack && key == "device-bays")
      out.device_bays = reader.components(value, key);
    else if (!rack && key == "console-ports")
      out.console_ports = reader.components(value, key);
    else if (!rack && key == "console-server-ports")
      out.console_server_ports = reader.components(value, key);
    else if (!rack && key == "front-ports")
      out.front_ports = reader.components(value, key);
    else if (!rack && key == "rear-ports")
      out.rear_ports = reader.components(value, key);
    else if (!rack && key == "inventory-items")
      out.inventory_items = reader.components(value, key);
    else if (!has(rack ? Words(rack_keys) : Words(type_keys), key))
      reader.warn(line, fmt::format("key '{}' is not part of the format of a {}; it is left out", key,
                                    netbox_kind_words(out.kind)));
  }
  for (const auto& [key, word] : {std::pair{"manufacturer", &out.manufacturer}, {"model", &out.model}})
    if (word->empty())
      reader.refuse(Reader::line_of(document),
                    fmt::format("{} is missing; a {} needs manufacturer and model", key, netbox_kind_words(out.kind)));
  const bool slug_given = !out.slug.empty();
  if (!slug_given) out.slug = slug_of(out.manufacturer + " " + out.model);
  judge_names(reader, out, file, slug_given || out.kind == NetboxTypeKind::module);
  judge_shape(reader, out, height_line);
  read_weight(reader, out, weight, maximum_load, load_line);
  if (rack) {
    const double unit = outer_unit == "mm" ? 1.0 : outer_unit == "in" ? 25.4 : 0.0;
    if (unit > 0.0) {
      auto scaled = [&](const std::optional<double>& v) {
        return v && *v > 0.0 ? std::optional<double>(*v * unit) : std::nullopt;
      };
      out.outer_width_mm = scaled(outer_width), out.outer_depth_mm = scaled(outer_depth),
      out.outer_height_mm = scaled(outer_height);
    } else if (outer_width || outer_depth || outer_height) {
      reader.warn(outer_line,
                  fmt::format("outer dimensions have {} (mm and in are allowed); they stay unknown",
                              outer_unit.empty() ? "no outer_unit" : "the outer_unit '" + outer_unit + "'"));
    }
    if (!out.outer_width_mm || !out.outer_depth_mm)
      reader.warn(0, "outer_width or outer_depth is missing: the footprint on the plan is unknown");
    if (out.mounting_depth_mm) {
      const bool too_deep = out.outer_depth_mm && *out.mounting_depth_mm > *out.outer_depth_mm;
      if (too_deep || *out.mounting_depth_mm < 300.0) {
        reader.warn(
            depth_line,
            fmt::format("mounting_depth {} mm is implausible ({}); it stays unknown", *out.mounting_depth_mm,
                        too_deep ? fmt::format("deeper than the outer {} mm", *out.outer_depth_mm) : "below 300 mm"));
        out.mounting_depth_mm.reset();
      }
    }
    if (!out.form_factor.empty() && !has(form_factors, out.form_factor))
      reader.warn(0,
                  fmt::format("form_factor '{}' is not one of NetBox's ({})", out.form_factor, listed(form_factors)));
  } else {
    judge_components(reader, out);
    if (out.kind == NetboxTypeKind::device) judge_power(reader, out);
  }
  return out;
}

} // namespace

std::string_view netbox_kind_words(NetboxTypeKind kind) {
  switch (kind) {
  case NetboxTypeKind::device:
    return "device type";
  case NetboxTypeKind::module:
    return "module type";
  case NetboxTypeKind::rack:
    return "rack type";
  }
  return "type";
}

std::optional<double> NetboxType::sum_maximum_draw_w() const {
  std::optional<double> sum;
  for (const NetboxComponent& p : power_ports)
    if (p.maximum_draw_w) sum = sum.value_or(0.0) + *p.maximum_draw_w;
  return sum;
}

std::size_t NetboxType::interfaces_400g_or_faster() const {
  return static_cast<std::size_t>(std::count_if(interfaces.begin(), interfaces.end(), [](const NetboxComponent& c) {
    return netbox_interface_gbit_s(c.type).value_or(0.0) >= 400.0;
  }));
}

std::size_t NetboxType::physical_interfaces() const {
  return static_cast<std::size_t>(std::count_if(interfaces.begin(), interfaces.end(),
                                                [](const NetboxComponent& c) { return !is_passive(c.type); }));
}

std::size_t NetboxType::fast_cages() const {
  // "sw12p1" and "sw12p2" are the two ports of cage sw12. A single "...p1" without its twin is a cage of its own.
  static const std::regex twin(R"(^(.*[0-9])p([12])$)");
  std::set<std::string> cages;
  for (const NetboxComponent& c : interfaces) {
    if (netbox_interface_gbit_s(c.type).value_or(0.0) < 400.0) continue;
    std::smatch match;
    cages.insert(std::regex_match(c.name, match, twin) ? match[1].str() : c.name);
  }
  return cages.size();
}

std::size_t NetboxType::supply_bays() const {
  static const std::regex supply(R"((^|[^a-z])(psu|ps|pem|pwr|power( ?supply)?)([^a-z]|$))");
  return static_cast<std::size_t>(std::count_if(module_bays.begin(), module_bays.end(), [](const NetboxComponent& c) {
    return std::regex_search(lower(c.name), supply);
  }));
}

std::optional<double> netbox_interface_gbit_s(std::string_view type) {
  if (type.starts_with("infiniband-")) {
    static const std::map<std::string_view, double> ports{{"sdr", 10},  {"ddr", 20},  {"qdr", 40},  {"fdr10", 40},
                                                          {"fdr", 56},  {"edr", 100}, {"hdr", 200}, {"ndr", 400},
                                                          {"xdr", 800}, {"gdr", 1600}};
    const auto at = ports.find(type.substr(11));
    return at == ports.end() ? std::nullopt : std::optional<double>(at->second);
  }
  double number = 0.0;
  const auto [end, error] = std::from_chars(type.data(), type.data() + type.size(), number);
  if (error != std::errc{} || !(number > 0.0)) return {};
  const std::string_view rest(end, static_cast<std::size_t>(type.data() + type.size() - end));
  if (rest.starts_with("tbase")) return number * 1000.0;
  if (rest.starts_with("gbase")) return number;
  if (rest.starts_with("base")) return number / 1000.0;
  return {};
}

tl::expected<NetboxType, std::string> read_netbox_type(std::string_view text, const std::string& file) {
  if (text.size() > netbox_largest_file)
    return tl::make_unexpected(fmt::format("{}: {} bytes are too many for one type; at most {} are allowed", file,
                                           text.size(), netbox_largest_file));
  if (const int line = line_of_bad_utf8(text); line > 0)
    return tl::make_unexpected(fmt::format("{}, line {}: the text is not UTF-8; only UTF-8 is allowed", file, line));
  if (text.find('\0') != std::string_view::npos)
    return tl::make_unexpected(
        fmt::format("{}, line {}: a zero byte stands in the text; only text is allowed", file,
                    1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(text.find('\0')), '\n')));
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  try {
    const std::vector<YAML::Node> documents = YAML::LoadAll(std::string(text));
    if (documents.empty() || (documents.size() == 1 && documents[0].IsNull()))
      return tl::make_unexpected(
          fmt::format("{}, line 1: the file is empty; a type with manufacturer and model is allowed", file));
    if (documents.size() > 1)
      return tl::make_unexpected(fmt::format("{}, line {}: a second document begins; one type a file is allowed", file,
                                             Reader::line_of(documents[1])));
    return read_document(documents[0], file);
  } catch (const Reader::Refused& refused) {
    return tl::make_unexpected(refused.sentence);
  } catch (const YAML::Exception& wrong) {
    return tl::make_unexpected(
        fmt::format("{}, line {}: this is not YAML: {}; \"key: value\" lines, indented by spaces, are allowed", file,
                    wrong.mark.is_null() ? 1 : wrong.mark.line + 1, wrong.msg));
  }
}

tl::expected<std::vector<std::string>, std::string> netbox_files(const std::vector<std::string>& paths) {
  namespace fs = std::filesystem;
  std::vector<std::string> out;
  for (const std::string& path : paths) {
    std::error_code failed;
    if (!fs::is_directory(path, failed)) {
      if (!fs::exists(path, failed)) return tl::make_unexpected(fmt::format("{} does not exist", path));
      out.push_back(path);
      continue;
    }
    std::vector<std::string> found;
    fs::recursive_directory_iterator entry(path, fs::directory_options::skip_permission_denied, failed), end;
    for (; !failed && entry != end; entry.increment(failed)) {
      const std::string suffix = lower(entry->path().extension().string());
      if ((suffix == ".yaml" || suffix == ".yml") && entry->is_regular_file(failed))
        found.push_back(entry->path().string());
    }
    if (found.empty()) return tl::make_unexpected(fmt::format("the folder {} holds no .yaml or .yml file", path));
    std::sort(found.begin(), found.end());
    out.insert(out.end(), found.begin(), found.end());
  }
  return out;
}

} // namespace hallwright
