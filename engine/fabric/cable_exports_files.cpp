// SPDX-License-Identifier: GPL-3.0-or-later
// The texts of cable files.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <iterator>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "fabric/cable_exports.h"
#include "project/rack_list.h"

namespace hallwright {
namespace {

/// A cell: guarded against formulas, in quotes where needed.
std::string cell(std::string_view word) {
  const std::string guarded = guarded_cell(word);
  // Tab and line ends at the start begin formulas too in some programs.
  const bool control = !guarded.empty() && static_cast<unsigned char>(guarded.front()) < ' ';
  const std::string& text = control ? "'" + guarded : guarded;
  const bool blank_end = !text.empty() && (text.front() == ' ' || text.back() == ' ');
  if (!blank_end && text.find_first_of(",\"\n\r;\t") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + "\"";
}

void add_number(std::string& out, Count value) {
  std::array<char, 24> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value);
  out.append(digits.data(), end.ptr);
}
/// Millimetres as metres: "12.34", without zeros at the end.
void add_metres(std::string& out, double mm) {
  if (!(mm > 0) || !std::isfinite(mm)) return;
  const auto hundredths = static_cast<Count>(std::llround(mm / 10.0));
  add_number(out, hundredths / 100);
  const Count rest = hundredths % 100;
  if (rest == 0) return;
  out += '.';
  out += static_cast<char>('0' + rest / 10);
  if (rest % 10) out += static_cast<char>('0' + rest % 10);
}
std::string metres(double mm) {
  std::string out;
  add_metres(out, mm);
  return out;
}

std::string_view basis_word(LengthKind how) {
  switch (how) {
  case LengthKind::within_rack:
    return "within rack";
  case LengthKind::routed:
    return "routed";
  case LengthKind::estimated:
    return "estimate: no trays join the racks";
  case LengthKind::assumed:
    return "estimate: an end is not drawn";
  }
  return "";
}

/// What the parts of a choice are called in files, each a cell.
struct ChoiceCells {
  std::string medium, cable, fibre, near_optic, far_optic, netbox_type;
  Count cables_per_link = 1;
};

bool holds(std::string_view text, std::string_view word) { return text.find(word) != std::string_view::npos; }

std::string fibre_word(const LinkChoice& c, const CablePart* part) {
  if (c.medium != LinkMedium::multimode && c.medium != LinkMedium::single_mode) return {};
  if (part)
    for (const std::string_view grade : {"OM3", "OM4", "OM5", "OS1", "OS2"})
      if (holds(part->name, grade)) return std::string(grade);
  return c.medium == LinkMedium::multimode ? "multimode" : "single-mode";
}

std::string netbox_type(const LinkChoice& c, const CablePart* part) {
  switch (c.medium) {
  case LinkMedium::passive_copper:
    if (part && part->medium == "utp")
      return holds(part->name, "6A")      ? "cat6a"
             : holds(part->name, "Cat 6") ? "cat6"
             : holds(part->name, "Cat 7") ? "cat7"
                                          : "";
    return "dac-passive";
  case LinkMedium::active_copper:
    return "dac-active";
  case LinkMedium::active_optical:
    return "aoc";
  case LinkMedium::multimode:
  case LinkMedium::single_mode: {
    std::string grade = fibre_word(c, part), out = c.medium == LinkMedium::multimode ? "mmf" : "smf";
    if (grade.size() == 3)
      out += fmt::format("-{}{}{}", static_cast<char>(grade[0] | 32), static_cast<char>(grade[1] | 32), grade[2]);
    return out;
  }
  case LinkMedium::automatic:
    break;
  }
  return {};
}

std::vector<ChoiceCells> choice_cells(const CableBook& book, const CableBookNetwork& n) {
  std::vector<ChoiceCells> out;
  for (const LinkChoice& c : n.cabling.plan->choices) {
    const CablePart* part = book.catalog->find<CablePart>(c.cable);
    out.push_back({cell(medium_word(c.medium)), cell(c.cable), fibre_word(c, part), cell(c.near_optic),
                   cell(c.far_optic), netbox_type(c, part), c.cables_per_link});
  }
  return out;
}

/// Polls every so many lines.
class Steps {
public:
  Steps(const CableBook& book, const ExportProgress& progress) : progress_(progress) {
    for (const CableBookNetwork& n : book.networks)
      all_ += n.cabling.wiring->links.size();
  }
  /// False: stop.
  bool operator()() {
    if (++done_ % 4096 != 0 || !progress_) return true;
    return progress_(static_cast<double>(done_) / static_cast<double>(std::max<std::size_t>(done_, all_)));
  }
  [[nodiscard]] std::size_t all() const { return all_; }

private:
  const ExportProgress& progress_;
  std::size_t all_ = 0, done_ = 0;
};

using Text = tl::expected<std::string, std::string>;
tl::unexpected<std::string> stopped() { return tl::make_unexpected(std::string(export_stopped)); }

/// Both labels of links, made of the devices' codes with as little copying as may be.
class Labels {
public:
  explicit Labels(const CableBookNetwork& n) : n_(n) {}
  void add(std::string& out, const WiredLink& l, bool far_end) const {
    const std::size_t begin = out.size();
    add_end(out, far_end ? l.far : l.near, far_end ? l.far_port : l.near_port);
    out += '/';
    add_end(out, far_end ? l.near : l.far, far_end ? l.near_port : l.far_port);
    if (out.find_first_of("=+-@,;\"'", begin) == std::string::npos) return;
    const std::string plain = out.substr(begin);
    if (std::string guarded = cell(plain); guarded != plain) out.replace(begin, std::string::npos, guarded);
  }

private:
  void add_end(std::string& out, std::uint32_t device, Count port) const {
    out += n_.devices[device].code;
    out += ':';
    const Cages* cages = n_.cages_of(device);
    if (!cages) out += n_.tag;
    if (cages && cages->links_per_cage > 1) {
      add_number(out, cages->cage_of(port));
      out += '.';
      add_number(out, (port - 1) % cages->links_per_cage + 1);
    } else {
      add_number(out, port);
    }
  }
  const CableBookNetwork& n_;
};

void add_id(std::string& out, const CableBookNetwork& n, std::uint32_t link) {
  for (const char c : n.tag)
    out += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  const std::uint32_t number = n.cable_number[link];
  for (std::uint32_t least = 100'000; least > number && least > 1; least /= 10)
    out += '0';
  add_number(out, number);
}

void add_faceplate(std::string& out, const CableBookNetwork& n, std::uint32_t device, Count port) {
  const Cages* cages = n.cages_of(device);
  if (!cages || cages->links_per_cage <= 1) return add_number(out, port);
  add_number(out, cages->cage_of(port));
  out += '/';
  add_number(out, (port - 1) % cages->links_per_cage + 1);
}

Text schedule(const CableBook& book, const ExportProgress& progress) {
  Steps step(book, progress);
  std::string out =
      "network,cable_id,leg,legs,cables,link_class,lit,rail,plane,plane_colour,medium,cable_part,fibre,length_class,"
      "routed_m,ordered_m,length_basis";
  for (const char* end : {"near", "far"})
    for (const char* field : {"site", "hall", "row", "rack", "u", "device", "kind", "port", "faceplate", "optic"})
      out += fmt::format(",{}_{}", end, field);
  out += ",label,far_label,remark\n";
  out.reserve(step.all() * 380 + 4096);
  for (const CableBookNetwork& n : book.networks) {
    const Wiring& w = *n.cabling.wiring;
    const CablePlan& plan = *n.cabling.plan;
    const auto choices = choice_cells(book, n);
    const std::string network = cell(n.cabling.name), site = cell(book.site);
    std::vector<std::string> device(n.devices.size());
    for (std::uint32_t d = 0; d < device.size(); ++d) {
      const CableDevice& c = n.devices[d];
      device[d] = fmt::format(",{},{},{},{},{},{},{},", c.rack_id ? site : "", cell(c.hall), cell(c.row), cell(c.rack),
                              cell(c.unit), cell(c.name), device_word(w.devices[d].kind));
    }
    const Labels labels(n);
    const bool rails = w.request.counts.rails || w.request.counts.topology == Topology::rail_only;
    const bool planes = w.request.counts.planes > 1;
    double last_mm = 0;
    std::string last_class;
    for (std::uint32_t i = 0; i < w.links.size(); ++i) {
      if (!step()) return stopped();
      const WiredLink& l = w.links[i];
      const LinkCable& c = plan.links[i];
      const ChoiceCells* choice = c.choice == LinkCable::no_choice ? nullptr : &choices[c.choice];
      out += network;
      out += ',';
      add_id(out, n, i);
      out += ',';
      add_number(out, n.leg[i]);
      out += ',';
      add_number(out, n.legs[i]);
      out += ',';
      add_number(out, n.leg[i] == 1 && choice ? choice->cables_per_link : 0);
      out += ',';
      out += link_class_word(l.kind);
      out += l.lit ? ",yes," : ",no,";
      if (rails && l.kind == LinkClass::node_leaf) add_number(out, l.rail + 1);
      out += ',';
      if (planes) add_number(out, l.plane + 1);
      out += ',';
      out += plane_color(l.plane).name;
      out += ',';
      if (choice) out += choice->medium;
      out += ',';
      if (choice) out += choice->cable;
      out += ',';
      if (choice) out += choice->fibre;
      out += ',';
      if (const double mm = c.ordered_mm ? c.ordered_mm : c.routed_mm; mm != last_mm)
        last_mm = mm, last_class = length_class(mm);
      out += last_class;
      out += ',';
      add_metres(out, c.routed_mm);
      out += ',';
      add_metres(out, c.ordered_mm);
      out += ',';
      out += basis_word(c.how);
      for (const bool far_end : {false, true}) {
        const std::uint32_t d = far_end ? l.far : l.near;
        const Count port = far_end ? l.far_port : l.near_port;
        out += device[d];
        add_number(out, port);
        out += ',';
        add_faceplate(out, n, d, port);
        out += ',';
        if (choice) out += far_end ? choice->far_optic : choice->near_optic;
      }
      out += ',';
      labels.add(out, l, false);
      out += ',';
      labels.add(out, l, true);
      out += !choice    ? ",no medium of the catalog joins these ports\n"
             : c.beyond ? ",longer than its medium reaches\n"
                        : ",\n";
    }
  }
  return out;
}

Text netbox(const CableBook& book, PortNames names, const ExportProgress& progress) {
  Steps step(book, progress);
  std::string out;
  for (const char* side : {"side_a", "side_b"})
    for (const char* field : {"site", "device", "power_panel", "type", "name"})
      out += fmt::format("{}_{},", side, field);
  out += "type,status,profile,tenant,bundle,label,color,length,length_unit,description,owner,comments,tags\n";
  out.reserve(step.all() * 260 + 4096);
  const std::string site = cell(book.site);
  for (const CableBookNetwork& n : book.networks) {
    const Wiring& w = *n.cabling.wiring;
    const CablePlan& plan = *n.cabling.plan;
    const auto choices = choice_cells(book, n);
    const Labels labels(n);
    std::vector<std::string> device;
    for (const CableDevice& d : n.devices)
      device.push_back(cell(d.netbox.device.empty() ? d.name : d.netbox.device));
    for (std::uint32_t i = 0; i < w.links.size(); ++i) {
      if (!step()) return stopped();
      const WiredLink& l = w.links[i];
      const LinkCable& c = plan.links[i];
      for (const bool far_end : {false, true}) {
        const std::uint32_t d = far_end ? l.far : l.near;
        out += site;
        out += ',';
        out += device[d];
        out += ",,dcim.interface,";
        const Count port = far_end ? l.far_port : l.near_port;
        const NetboxEnd& end = n.devices[d].netbox;
        // A node has ports of several networks, which its tag tells apart.
        out += !n.cages_of(d) && !end.device.empty() ? netbox_node_port(n.tag, port, end) : n.port_text(d, port, names);
        out += ',';
      }
      if (c.choice != LinkCable::no_choice) out += choices[c.choice].netbox_type;
      out += ",planned,,,,";
      labels.add(out, l, false);
      out += ',';
      out += plane_color(l.plane).hex;
      out += ',';
      add_metres(out, c.ordered_mm);
      out += c.ordered_mm ? ",m," : ",,";
      add_id(out, n, i);
      out += ",,";
      // NetBox takes one name per side: each leg of a splitter is a line of its own.
      if (n.legs[i] > 1) out += fmt::format("leg {} of {} of cable {}", n.leg[i], n.legs[i], n.cable_id(i));
      out += ",\n";
    }
  }
  return out;
}

/// A name as one word of a topology file.
std::string host_word(std::string_view name) {
  std::string out;
  for (const char c : name)
    out += static_cast<unsigned char>(c) <= ' ' || holds("#\"'\\;{}[],", std::string_view(&c, 1)) ? '-' : c;
  return out;
}

/// A part's name as a system type: letters and digits.
std::string type_word(std::string_view name, std::string_view otherwise) {
  std::string out;
  for (const char c : name)
    if ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '_') out += c;
  return out.empty() ? std::string(otherwise) : out;
}

/// Lanes and lane rate where the rate of a link says both; 200 Gb/s may be 4 x HDR or 2 x NDR and is left open.
std::string_view topo_arrow(double gbit_s) {
  for (const auto& [rate, arrow] : {std::pair{40.0, "-4x-10G->"},
                                    {56.0, "-4x-14G->"},
                                    {100.0, "-4x-25G->"},
                                    {400.0, "-4x-100G->"},
                                    {800.0, "-4x-200G->"}})
    if (std::abs(gbit_s - rate) < 0.5) return arrow;
  return "->";
}

Text topo(const CableBook& book, const ExportProgress& progress) {
  Steps step(book, progress);
  std::string out =
      "# " + host_word(book.design.project->name) + ": planned links, each once; system types are names of parts\n";
  out.reserve(step.all() * 90 + 4096);
  for (const CableBookNetwork& n : book.networks) {
    const Wiring& w = *n.cabling.wiring;
    const Network& planned = n.cabling.plan_inputs.network;
    const double link_rate = planned.link_rate.value() * 8e-9,
                 up_rate = planned.uplink_rate ? planned.uplink_rate->value() * 8e-9 : link_rate;
    const std::string &leaf = planned.switch_part,
                      &spine = planned.spine_switch_part.empty() ? leaf : planned.spine_switch_part,
                      &core = planned.core_switch_part.empty() ? spine : planned.core_switch_part;
    const auto type_of = [&](std::uint32_t d) {
      switch (w.devices[d].kind) {
      case DeviceKind::node:
      case DeviceKind::manager:
        return fmt::format("HCA_{}", std::max<std::size_t>(1, w.at_device(d).size()));
      case DeviceKind::leaf:
        return type_word(leaf, "SWITCH");
      case DeviceKind::spine:
        return type_word(spine, "SWITCH");
      case DeviceKind::core:
        return type_word(core, "SWITCH");
      }
      return std::string("SWITCH");
    };
    std::vector<std::string> word(n.devices.size());
    for (std::uint32_t d = 0; d < word.size(); ++d)
      word[d] = type_of(d) + " " + host_word(n.devices[d].name);
    for (std::uint32_t d = 0; d < word.size(); ++d) {
      bool begun = false;
      for (const std::uint32_t i : w.at_device(d)) {
        const WiredLink& l = w.links[i];
        if (l.near != d) continue;
        if (!step()) return stopped();
        if (!begun) out += "\n" + word[d] + "\n";
        begun = true;
        out += "\tP";
        add_number(out, l.near_port);
        out += ' ';
        out += topo_arrow(l.kind == LinkClass::node_leaf ? link_rate : up_rate);
        out += ' ';
        out += word[l.far];
        out += " P";
        add_number(out, l.far_port);
        out += '\n';
      }
    }
  }
  return out;
}

Text ptm(const CableBook& book, PortNames names, const ExportProgress& progress) {
  Steps step(book, progress);
  std::string out = fmt::format("graph \"{}\" {{\n", host_word(book.design.project->name));
  out.reserve(step.all() * 70 + 4096);
  for (const CableBookNetwork& n : book.networks) {
    const Wiring& w = *n.cabling.wiring;
    std::vector<std::string> word(n.devices.size());
    for (std::uint32_t d = 0; d < word.size(); ++d) {
      word[d] = "\"" + host_word(n.devices[d].name) + "\"";
      const bool host = !n.cages_of(d);
      out += fmt::format("  {} [role=\"{}\"];\n", word[d],
                         host ? std::string_view("host") : device_word(w.devices[d].kind));
    }
    for (const WiredLink& l : w.links) {
      if (!step()) return stopped();
      out += fmt::format("  {}:\"{}\" -- {}:\"{}\";\n", word[l.near], n.port_text(l.near, l.near_port, names),
                         word[l.far], n.port_text(l.far, l.far_port, names));
    }
  }
  return out + "}\n";
}

/// Cables of one part and length between two racks.
struct Bundle {
  std::uint32_t network = 0;
  Id from = 0, to = 0;
  std::uint16_t choice = 0;
  std::uint32_t ordered_mm = 0;
  LengthKind how = LengthKind::assumed;
  Count cables = 0, links = 0;
  double ordered_sum_mm = 0;
};

Text pull(const CableBook& book, const ExportProgress& progress) {
  Steps step(book, progress);
  std::map<std::pair<Id, Id>, std::vector<Id>> way; // between two racks, the lower id first
  if (book.trays)
    for (const TrayUsage::Pair& p : book.trays->pairs) {
      const auto [at, fresh] = way.try_emplace(std::minmax(p.from, p.to));
      if (!fresh) continue;
      for (std::uint32_t i = p.first_leg; i < p.first_leg + p.legs; ++i)
        if (const Id run = book.trays->ways[i].run; at->second.empty() || at->second.back() != run)
          at->second.push_back(run);
      if (p.from > p.to) std::reverse(at->second.begin(), at->second.end());
    }
  std::map<std::tuple<Id, Id, std::uint32_t, std::uint16_t, std::uint32_t, LengthKind>, Bundle> bundles;
  for (std::uint32_t k = 0; k < book.networks.size(); ++k) {
    const CableBookNetwork& n = book.networks[k];
    const Wiring& w = *n.cabling.wiring;
    for (std::uint32_t i = 0; i < w.links.size(); ++i) {
      if (!step()) return stopped();
      const LinkCable& c = n.cabling.plan->links[i];
      const LinkCable& first = n.cabling.plan->links[c.cable];
      const WiredLink& l = w.links[c.cable];
      const Id a = n.devices[l.near].rack_id, b = n.devices[l.far].rack_id;
      Bundle& bundle = bundles[{std::min(a, b), std::max(a, b), k, first.choice, first.ordered_mm, first.how}];
      bundle.network = k;
      bundle.from = std::min(a, b), bundle.to = std::max(a, b);
      bundle.choice = first.choice;
      bundle.ordered_mm = first.ordered_mm;
      bundle.how = first.how;
      ++bundle.links;
      if (c.cable != i || c.choice == LinkCable::no_choice) continue;
      const Count cables = n.cabling.plan->choices[c.choice].cables_per_link;
      bundle.cables += cables;
      bundle.ordered_sum_mm += static_cast<double>(cables) * c.ordered_mm;
    }
  }
  std::map<Id, const Rack*> racks;
  for (const Rack& r : *book.design.racks)
    racks[r.id] = &r;
  std::map<Id, std::string> halls;
  for (const Hall& h : *book.design.halls)
    halls[h.id] = h.name;
  std::map<Id, const Tray*> trays;
  for (const Tray& t : *book.design.trays)
    trays[t.id] = &t;
  std::vector<std::vector<ChoiceCells>> choices;
  for (const CableBookNetwork& n : book.networks)
    choices.push_back(choice_cells(book, n));
  const auto rack_cells = [&](Id id) {
    const auto r = racks.find(id);
    return r == racks.end() ? std::string("(not drawn),") : cell(r->second->name) + "," + cell(halls[r->second->hall]);
  };
  const auto tray_name = [&](Id id) {
    const auto t = trays.find(id);
    return t == trays.end() ? fmt::format("tray {}", id) : t->second->name;
  };
  // Under each tray the bundles that lie on it; those on none come last.
  std::map<Id, std::string> lines;
  std::string on_none;
  std::size_t number = 0;
  std::pair<Id, Id> last{-1, -1};
  for (const auto& [key, b] : bundles) {
    if (last != std::pair(b.from, b.to)) ++number;
    last = {b.from, b.to};
    const CableBookNetwork& n = book.networks[b.network];
    const auto there = b.how == LengthKind::routed ? way.find({b.from, b.to}) : way.end();
    std::string names;
    if (there != way.end())
      for (const Id t : there->second)
        names += (names.empty() ? "" : " > ") + tray_name(t);
    const ChoiceCells* choice = b.choice == LinkCable::no_choice ? nullptr : &choices[b.network][b.choice];
    const std::string rest = fmt::format(",B{:05},{},{},{},{},{},{},{},{},{},{},{}\n", number, rack_cells(b.from),
                                         rack_cells(b.to), cell(n.cabling.name), choice ? choice->medium : "",
                                         choice ? choice->cable : "", choice ? choice->fibre : "", metres(b.ordered_mm),
                                         b.cables, metres(b.ordered_sum_mm), basis_word(b.how), cell(names));
    if (there == way.end() || there->second.empty()) {
      on_none += ",,,0" + rest;
      continue;
    }
    for (std::size_t s = 0; s < there->second.size(); ++s) {
      const Id id = there->second[s];
      const auto t = trays.find(id);
      const std::string_view kind = t == trays.end()                      ? ""
                                    : t->second->kind == TrayKind::copper ? "copper"
                                    : t->second->kind == TrayKind::power  ? "power"
                                                                          : "fibre";
      lines[id] += fmt::format("{},{},{},{}{}", cell(tray_name(id)), kind,
                               t == trays.end() ? "" : cell(halls[t->second->hall]), s + 1, rest);
    }
  }
  std::string out = "tray,tray_kind,hall,step,bundle,from_rack,from_hall,to_rack,to_hall,network,medium,cable_part,"
                    "fibre,ordered_m,cables,"
                    "total_m,length_basis,way\n";
  for (const Tray& t : *book.design.trays) {
    out += lines[t.id];
    lines.erase(t.id);
  }
  for (const auto& [id, text] : lines)
    out += text;
  return out + on_none;
}

Text ports(const CableBook& book, const ExportProgress& progress) {
  Steps step(book, progress);
  std::string out = "hall,row,rack,u,device,port,faceplate,far_hall,far_row,far_rack,far_u,far_device,far_port,far_"
                    "faceplate,network,cable_id,label,"
                    "medium,ordered_m,lit\n";
  out.reserve(step.all() * 440 + 4096);
  std::vector<std::vector<ChoiceCells>> choices;
  std::vector<std::vector<std::string>> devices;
  std::vector<std::string> names;
  for (const CableBookNetwork& n : book.networks) {
    choices.push_back(choice_cells(book, n));
    names.push_back(cell(n.cabling.name));
    auto& list = devices.emplace_back();
    for (const CableDevice& d : n.devices)
      list.push_back(
          fmt::format("{},{},{},{},{},", cell(d.hall), cell(d.row), cell(d.rack), cell(d.unit), cell(d.name)));
  }
  bool second = false; // both ends of each link come by
  for (const RackPorts& rack : rack_ports(book))
    for (const RackPorts::Line& line : rack.lines) {
      if ((second = !second) && !step()) return stopped();
      const CableBookNetwork& n = book.networks[line.network];
      const WiredLink& l = n.cabling.wiring->links[line.link];
      const LinkCable& c = n.cabling.plan->links[line.link];
      for (const bool far_end : {line.far_end, !line.far_end}) {
        const std::uint32_t d = far_end ? l.far : l.near;
        const Count port = far_end ? l.far_port : l.near_port;
        out += devices[line.network][d];
        add_number(out, port);
        out += ',';
        add_faceplate(out, n, d, port);
        out += ',';
      }
      out += names[line.network];
      out += ',';
      add_id(out, n, line.link);
      out += ',';
      Labels(n).add(out, l, line.far_end);
      out += ',';
      if (c.choice != LinkCable::no_choice) out += choices[line.network][c.choice].medium;
      out += ',';
      add_metres(out, c.ordered_mm);
      out += l.lit ? ",yes\n" : ",no\n";
    }
  return out;
}

Text tests(const CableBook& book, const ExportProgress& progress) {
  Steps step(book, progress);
  const ChannelRules rules = channel_rules(*book.catalog);
  std::string out = "cable_id,leg,network,label,near_device,near_faceplate,far_device,far_faceplate,medium,fibre,"
                    "ordered_m,joints,expected_loss_db,"
                    "budget_db,margin_db,budget_basis,measured_length_m,loss_near_far_db,loss_far_near_db,polarity,"
                    "ends_inspected,result,tester,date\n";
  out.reserve(step.all() * 240 + 4096);
  for (const CableBookNetwork& n : book.networks) {
    const Wiring& w = *n.cabling.wiring;
    const CablePlan& plan = *n.cabling.plan;
    const auto choices = choice_cells(book, n);
    const std::string network = cell(n.cabling.name);
    const Labels labels(n);
    std::map<std::pair<std::uint16_t, std::uint32_t>, std::string> losses; // by choice and ordered length
    for (std::uint32_t i = 0; i < w.links.size(); ++i) {
      if (!step()) return stopped();
      const WiredLink& l = w.links[i];
      const LinkCable& c = plan.links[i];
      const LinkChoice* choice = plan.choice_of(i);
      add_id(out, n, i);
      out += ',';
      add_number(out, n.leg[i]);
      out += ',';
      out += network;
      out += ',';
      labels.add(out, l, false);
      for (const bool far_end : {false, true}) {
        const std::uint32_t d = far_end ? l.far : l.near;
        out += ',';
        out += cell(n.devices[d].name);
        out += ',';
        add_faceplate(out, n, d, far_end ? l.far_port : l.near_port);
      }
      out += ',';
      if (choice) out += choices[c.choice].medium;
      out += ',';
      if (choice) out += choices[c.choice].fibre;
      out += ',';
      add_metres(out, c.ordered_mm);
      out += ',';
      if (choice && choice->shape == CableShape::fibre) {
        std::string& loss = losses[{c.choice, c.ordered_mm}];
        if (loss.empty()) {
          Channel channel = choice->channel;
          channel.length_m = c.ordered_mm * 1e-3;
          const ChannelLoss is = channel_loss(rules, channel, choice->budget);
          loss = fmt::format("{},{:.2f},", channel.joints, is.loss_db);
          loss += is.budget_db ? fmt::format("{:.2f},", *is.budget_db) : ",";
          loss += is.margin_db ? fmt::format("{:.2f},", *is.margin_db) : ",";
          loss += !is.budget_db         ? "not known"
                  : is.budget_estimated ? "estimate: from the reach"
                                        : "stated by the modules";
        }
        out += loss;
      } else {
        out += ",,,,";
      }
      out += ",,,,,,,,\n";
    }
  }
  return out;
}

} // namespace

tl::expected<std::string, std::string> cable_file_text(const CableBook& book, CableFile file, PortNames names,
                                                       const ExportProgress& progress) {
  switch (file) {
  case CableFile::schedule:
    return schedule(book, progress);
  case CableFile::netbox:
    return netbox(book, names, progress);
  case CableFile::topo:
    return topo(book, progress);
  case CableFile::ptm:
    return ptm(book, names, progress);
  case CableFile::pull:
    return pull(book, progress);
  case CableFile::ports:
    return ports(book, progress);
  case CableFile::tests:
    return tests(book, progress);
  }
  return tl::make_unexpected(std::string("no such file"));
}

} // namespace hallwright
