// SPDX-License-Identifier: GPL-3.0-or-later
#include "fabric/cable_exports.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include <fmt/format.h>

#include "fabric/link_medium.h"
#include "quantity/quantity.h"

namespace hallwright {
namespace {

constexpr std::array<std::string_view, 7> file_words{"schedule", "netbox", "topo", "ptm", "pull", "ports", "tests"};
constexpr std::array<std::string_view, 3> names_words{"numbers", "faceplate", "swp"};

template <std::size_t n>
tl::expected<std::size_t, std::string> place_of(std::string_view word, const std::array<std::string_view, n>& words,
                                                std::string_view what) {
  const auto at = std::find(words.begin(), words.end(), word);
  if (at != words.end()) return static_cast<std::size_t>(at - words.begin());
  return tl::make_unexpected(fmt::format("\"{}\" is no {}; it is one of {}", word, what, fmt::join(words, ", ")));
}

/// A name as part of a label.
std::string label_word(std::string_view name) {
  std::string out;
  for (const char c : name) {
    if (static_cast<unsigned char>(c) <= ' ') continue;
    out += c == '/' || c == ':' ? '.' : c;
  }
  return out;
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

/// "a" ... "z", "aa" ...
std::string letters(std::size_t n) {
  std::string out;
  for (++n; n > 0; n = (n - 1) / 26)
    out.insert(out.begin(), static_cast<char>('a' + (n - 1) % 26));
  return out;
}

template <class E>
std::map<Id, const E*> by_id(const std::vector<E>& table) {
  std::map<Id, const E*> out;
  for (const E& e : table)
    out[e.id] = &e;
  return out;
}

/// A port that two links use, in a sentence; empty: there is none.
std::string shared_port(const CableBookNetwork& n) {
  const Wiring& w = *n.cabling.wiring;
  std::vector<std::uint64_t> ends;
  ends.reserve(w.links.size() * 2);
  for (const WiredLink& l : w.links) {
    ends.push_back((std::uint64_t{l.near} << 16) | l.near_port);
    ends.push_back((std::uint64_t{l.far} << 16) | l.far_port);
  }
  std::sort(ends.begin(), ends.end());
  const auto twice = std::adjacent_find(ends.begin(), ends.end());
  if (twice == ends.end()) return {};
  return fmt::format("port {} of {} is used by two links; every port takes one", *twice & 0xffff,
                     n.devices[static_cast<std::size_t>(*twice >> 16)].name);
}

class BookMaker {
public:
  BookMaker(const Design& design, const Shared<Catalog>& catalog)
      : halls_(by_id(*design.halls)), rows_(by_id(*design.rows)), racks_(by_id(*design.racks)), catalog_(*catalog),
        netbox_(design, *catalog) {
    std::set<std::string> taken;
    for (const Hall& h : *design.halls) {
      std::string code = label_word(h.name);
      if (code.empty() || !taken.insert(code).second) code += fmt::format("~{}", h.id), taken.insert(code);
      hall_codes_[h.id] = code;
    }
  }

  /// An error names two racks that labels would not tell apart.
  tl::expected<CableBookNetwork, std::string> network(const NetworkCabling& cabling) {
    CableBookNetwork n;
    n.cabling = cabling;
    const Wiring& w = *cabling.wiring;
    const Network& planned = cabling.plan_inputs.network;
    const auto part = [&](const std::string& own) {
      return catalog_.find<SwitchPart>(own.empty() ? planned.switch_part : own);
    };
    const double link = in_gigabits_per_second(planned.link_rate),
                 up = planned.uplink_rate ? in_gigabits_per_second(*planned.uplink_rate) : link;
    n.leaf_cages = known_cages(w.request.leaf_cages, part({}), link);
    n.spine_cages = known_cages(w.request.spine_cages, part(planned.spine_switch_part), up);
    n.core_cages =
        known_cages(w.request.core_cages,
                    part(planned.core_switch_part.empty() ? planned.spine_switch_part : planned.core_switch_part), up);
    n.devices.resize(w.devices.size());
    std::map<std::string, std::vector<std::uint32_t>> at_code;
    for (std::uint32_t d = 0; d < w.devices.size(); ++d) {
      CableDevice& out = n.devices[d];
      out.name = fmt::format("{} {}", cabling.name, w.device_name(d));
      out.code = label_word(cabling.name) + "-" + label_word(w.device_name(d));
      const Id id = cabling.places && d < cabling.places->places.size() ? cabling.places->rack_of(d) : 0;
      const auto rack = racks_.find(id);
      if (rack == racks_.end()) continue;
      const Rack& r = *rack->second;
      out.rack_id = r.id;
      out.hall_id = r.hall;
      out.rack = r.name;
      if (const auto hall = halls_.find(r.hall); hall != halls_.end()) out.hall = hall->second->name;
      if (const auto row = rows_.find(r.row); row != rows_.end()) out.row = row->second->name;
      out.unit = cabling.places->unit_text(d);
      if (out.unit.starts_with('U')) out.unit.erase(0, 1);
      std::string place = hall_codes_.contains(r.hall) ? hall_codes_[r.hall] + "." : std::string();
      place += r.name.empty() ? fmt::format("~{}", r.id) : label_word(r.name);
      if (const auto [known, fresh] = rack_of_code_.emplace(place, r.id); !fresh && known->second != r.id)
        return tl::make_unexpected(fmt::format(
            "two racks of hall \"{}\" are named \"{}\": labels would not tell them apart; give each rack of a "
            "hall a name of its own",
            out.hall, r.name));
      const std::string unit =
          out.unit.ends_with(" upper half") ? out.unit.substr(0, out.unit.find(' ')) + "u" : label_word(out.unit);
      out.code = place + "-" + (unit.empty() ? label_word(w.device_name(d)) : unit);
      at_code[out.code].push_back(d);
    }
    for (const auto& [code, devices] : at_code) {
      if (devices.size() < 2) continue;
      for (std::size_t i = 0; i < devices.size(); ++i)
        n.devices[devices[i]].code += letters(i);
    }
    const std::vector<NetboxEnd> netbox = netbox_.of(cabling);
    for (std::uint32_t d = 0; d < n.devices.size() && d < netbox.size(); ++d)
      n.devices[d].netbox = netbox[d];
    number_cables(n);
    if (std::string twice = shared_port(n); !twice.empty()) return tl::make_unexpected(std::move(twice));
    return n;
  }

private:
  static void number_cables(CableBookNetwork& n) {
    const std::vector<LinkCable>& links = n.cabling.plan->links;
    n.cable_number.resize(links.size());
    n.leg.resize(links.size());
    n.legs.assign(links.size(), 0);
    std::uint32_t cables = 0;
    for (std::uint32_t i = 0; i < links.size(); ++i) {
      const std::uint32_t first = links[i].cable;
      n.cable_number[i] = first == i ? ++cables : n.cable_number[first];
      n.leg[i] = ++n.legs[first];
    }
    for (std::uint32_t i = 0; i < links.size(); ++i)
      n.legs[i] = n.legs[links[i].cable];
  }

  std::map<Id, const Hall*> halls_;
  std::map<Id, const Row*> rows_;
  std::map<Id, const Rack*> racks_;
  std::map<Id, std::string> hall_codes_;
  std::map<std::string, Id> rack_of_code_;
  const Catalog& catalog_;
  NetboxDevices netbox_;
};

} // namespace

std::string_view cable_file_word(CableFile file) { return file_words[static_cast<std::size_t>(file)]; }

tl::expected<CableFile, std::string> cable_file_of(std::string_view word) {
  return place_of(word, file_words, "format of cable files").map([](std::size_t i) {
    return static_cast<CableFile>(i);
  });
}

std::string_view port_names_word(PortNames names) { return names_words[static_cast<std::size_t>(names)]; }

tl::expected<PortNames, std::string> port_names_of(std::string_view word) {
  return place_of(word, names_words, "way to name ports").map([](std::size_t i) { return static_cast<PortNames>(i); });
}

const Cages* CableBookNetwork::cages_of(std::uint32_t device) const {
  switch (cabling.wiring->devices[device].kind) {
  case DeviceKind::node:
  case DeviceKind::manager:
    return nullptr;
  case DeviceKind::leaf:
    return &leaf_cages;
  case DeviceKind::spine:
    return &spine_cages;
  case DeviceKind::core:
    return &core_cages;
  }
  return nullptr;
}

std::string CableBookNetwork::port_text(std::uint32_t device, Count port, PortNames names) const {
  const Cages* cages = cages_of(device);
  if (!cages || names == PortNames::numbers) return std::to_string(port);
  if (names == PortNames::faceplate) return cages->port_name(port);
  if (cages->links_per_cage <= 1) return fmt::format("swp{}", port);
  return fmt::format("swp{}s{}", cages->cage_of(port), (port - 1) % cages->links_per_cage);
}

std::string CableBookNetwork::cable_id(std::uint32_t link) const {
  std::string front = tag;
  for (char& c : front)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return fmt::format("{}{:06}", front, cable_number[link]);
}

std::string CableBookNetwork::end_label(std::uint32_t device, Count port) const {
  std::string text = port_text(device, port, PortNames::faceplate);
  std::replace(text.begin(), text.end(), '/', '.');
  return fmt::format("{}:{}{}", devices[device].code, cages_of(device) ? "" : tag, text);
}

std::string CableBookNetwork::label(std::uint32_t link, bool far_end) const {
  const WiredLink& l = cabling.wiring->links[link];
  const std::string near = end_label(l.near, l.near_port), far = end_label(l.far, l.far_port);
  return far_end ? far + "/" + near : near + "/" + far;
}

tl::expected<CableBook, std::string> cable_book(const Design& design, const Shared<Catalog>& catalog,
                                                const CablingResult& cabling, const std::string& network) {
  CableBook out;
  out.design = design;
  out.catalog = catalog;
  out.trays = cabling.trays;
  out.site = !design.site->name.empty()      ? design.site->name
             : !design.project->name.empty() ? design.project->name
                                             : "Site";
  BookMaker maker(design, catalog);
  const std::map<Id, std::string> tags = network_tags(cabling);
  std::map<std::string, int> of_name;
  std::vector<std::string> names;
  for (const NetworkCabling& c : cabling.networks) {
    ++of_name[lower(c.name)];
    names.push_back(c.name);
  }
  for (const NetworkCabling& c : cabling.networks) {
    if (!network.empty() && c.name != network) continue;
    if (!c.wiring || !c.places || !c.plan) {
      out.notes.push_back(
          fmt::format("network {} is left out: {}", c.name, c.problem.empty() ? "it is not wired" : c.problem));
      continue;
    }
    if (of_name[lower(c.name)] > 1)
      return tl::make_unexpected(
          fmt::format("two networks are named \"{}\": their devices would have the same names; rename one", c.name));
    auto made = maker.network(c);
    if (!made) return tl::make_unexpected(made.error());
    made->tag = tags.at(c.network); // "c2.3": port 3 to the second compute network
    out.networks.push_back(*std::move(made));
  }
  if (!network.empty() && std::find(names.begin(), names.end(), network) == names.end())
    return tl::make_unexpected(
        names.empty() ? std::string("the design has no networks")
                      : fmt::format("the design has no network \"{}\"; it has {}", network, fmt::join(names, ", ")));
  if (out.networks.empty())
    return tl::make_unexpected(out.notes.empty() ? std::string("the design has no networks") : out.notes.front());
  return out;
}

std::vector<RackPorts> rack_ports(const CableBook& book) {
  std::map<Id, std::size_t> place;
  std::map<Id, std::size_t> hall_place;
  for (const Hall& h : *book.design.halls)
    hall_place.emplace(h.id, hall_place.size());
  std::vector<const Rack*> racks;
  for (const Rack& r : *book.design.racks)
    racks.push_back(&r);
  std::stable_sort(racks.begin(), racks.end(), [&](const Rack* a, const Rack* b) {
    const auto at = [&](const Rack* r) {
      return hall_place.contains(r->hall) ? hall_place[r->hall] : hall_place.size();
    };
    return at(a) < at(b);
  });
  for (const Rack* r : racks)
    place.emplace(r->id, place.size());
  std::vector<RackPorts> out(place.size() + 1);
  for (std::uint32_t k = 0; k < book.networks.size(); ++k) {
    const CableBookNetwork& n = book.networks[k];
    const Wiring& w = *n.cabling.wiring;
    for (std::uint32_t d = 0; d < w.devices.size(); ++d) {
      const CableDevice& device = n.devices[d];
      RackPorts& rack = device.rack_id ? out[place.at(device.rack_id)] : out.back();
      if (device.rack_id && rack.rack == 0) {
        rack.rack = device.rack_id;
        rack.hall = device.hall, rack.row = device.row, rack.name = device.rack;
      }
      for (const std::uint32_t link : w.at_device(d))
        rack.lines.push_back({k, link, w.links[link].near != d});
    }
  }
  std::erase_if(out, [](const RackPorts& r) { return r.lines.empty(); });
  for (RackPorts& rack : out) {
    if (rack.rack == 0) continue; // in the order of the devices
    const auto height = [&](const RackPorts::Line& line) {
      const NetworkCabling& c = book.networks[line.network].cabling;
      const WiredLink& l = c.wiring->links[line.link];
      return c.places->places[line.far_end ? l.far : l.near].half_unit;
    };
    std::stable_sort(rack.lines.begin(), rack.lines.end(),
                     [&](const RackPorts::Line& a, const RackPorts::Line& b) { return height(a) > height(b); });
  }
  return out;
}

std::string length_class(double length_mm) {
  if (!(length_mm > 0)) return {};
  for (const int m : {1, 3, 5, 10, 30, 50, 100, 500})
    if (length_mm <= 1000.0 * m) return fmt::format("{} m", m);
  return length_mm <= 2e6 ? "2 km" : ">2 km";
}

PlaneColor plane_color(Count plane) {
  constexpr std::array<PlaneColor, 8> colors{{{"blue", "2196f3"},
                                              {"orange", "ff9800"},
                                              {"green", "4caf50"},
                                              {"purple", "9c27b0"},
                                              {"yellow", "ffeb3b"},
                                              {"cyan", "00bcd4"},
                                              {"brown", "795548"},
                                              {"grey", "9e9e9e"}}};
  return plane >= 0 && plane < static_cast<Count>(colors.size()) ? colors[static_cast<std::size_t>(plane)]
                                                                 : PlaneColor{};
}

} // namespace hallwright
