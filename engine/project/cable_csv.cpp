// SPDX-License-Identifier: GPL-3.0-or-later
// Lists of cables as CSV: our own schedule, NetBox's bulk import, AVD's fabric topology, and whatever names its columns
// alike.
#include <algorithm>
#include <array>

#include "project/found_links_maker.h"

namespace hallwright::found {
namespace {

/// "Rack A" and "a_rack [U]" become "rack_a" and "a_rack".
std::string plain_header(std::string_view text) {
  std::string out;
  text = text.substr(0, text.find('['));
  for (char c : lower(trimmed(text))) {
    const bool word = (c >= 'a' && c <= 'z') || is_digit(c);
    if (word)
      out += c;
    else if (!out.empty() && out.back() != '_')
      out += '_';
  }
  while (!out.empty() && out.back() == '_')
    out.pop_back();
  return out;
}

enum Field : std::uint8_t { device, port, rack, unit_place, kind, fields_of_an_end };
struct FieldWord {
  std::string_view word;
  Field field;
};
constexpr std::array<FieldWord, 20> field_words{
    {{"device", device},        {"node", device},         {"system", device},   {"host", device},
     {"switch", device},        {"device_name", device},  {"port", port},       {"interface", port},
     {"port_name", port},       {"node_interface", port}, {"name", port},       {"rack", rack},
     {"rack_name", rack},       {"u", unit_place},        {"unit", unit_place}, {"position", unit_place},
     {"rack_unit", unit_place}, {"rack_u", unit_place},   {"kind", kind},       {"node_type", kind}}};
struct SideWord {
  std::string_view word;
  int side;
};
constexpr std::array<SideWord, 16> side_words{{{"near", 0},
                                               {"a", 0},
                                               {"from", 0},
                                               {"side_a", 0},
                                               {"end_a", 0},
                                               {"source", 0},
                                               {"local", 0},
                                               {"end_1", 0},
                                               {"far", 1},
                                               {"b", 1},
                                               {"to", 1},
                                               {"side_b", 1},
                                               {"end_b", 1},
                                               {"destination", 1},
                                               {"remote", 1},
                                               {"peer", 1}}};

/// Which side and field a header names, if any.
bool field_of(const std::string& header, int& side, Field& field) {
  const auto is_field = [&](std::string_view rest) {
    for (const FieldWord& f : field_words)
      if (f.word == rest) {
        field = f.field;
        return true;
      }
    return false;
  };
  for (const SideWord& s : side_words) {
    const std::string front = std::string(s.word) + "_", back = "_" + std::string(s.word);
    if ((header.starts_with(front) && is_field(std::string_view(header).substr(front.size()))) ||
        (header.ends_with(back) && is_field(std::string_view(header).substr(0, header.size() - back.size())))) {
      side = s.side;
      return true;
    }
  }
  return false;
}

/// Cells of one record, quotes undone; a record may run over lines. False at the end.
class Records {
public:
  Records(std::string_view text, char separator) : text_(text), separator_(separator) {}
  std::uint32_t line = 0;
  std::vector<std::string_view> cells;

  tl::expected<bool, Fault> next() {
    cells.clear();
    undone_.clear();
    while (at_ < text_.size() && (text_[at_] == '\n' || text_[at_] == '\r'))
      step();
    if (at_ >= text_.size()) return false;
    line = here_;
    undone_.reserve(64);
    for (;;) {
      if (at_ < text_.size() && text_[at_] == '"') {
        const std::uint32_t began = here_;
        std::size_t begin = ++at_;
        bool doubled = false;
        for (;; step()) {
          if (at_ >= text_.size()) return fault(began, "a quote is not closed");
          if (text_[at_] != '"') continue;
          if (at_ + 1 < text_.size() && text_[at_ + 1] == '"') {
            doubled = true;
            ++at_;
            continue;
          }
          break;
        }
        std::string_view cell = text_.substr(begin, at_ - begin);
        ++at_;
        if (doubled && undone_.size() < 64) {
          std::string plain;
          for (std::size_t i = 0; i < cell.size(); ++i) {
            plain += cell[i];
            if (cell[i] == '"' && i + 1 < cell.size() && cell[i + 1] == '"') ++i;
          }
          undone_.push_back(std::move(plain));
          cell = undone_.back();
        }
        cells.push_back(cell);
        if (at_ < text_.size() && text_[at_] != separator_ && text_[at_] != '\n' && text_[at_] != '\r')
          return fault(here_, "text after a closing quote");
      } else {
        const std::size_t begin = at_;
        while (at_ < text_.size() && text_[at_] != separator_ && text_[at_] != '\n')
          ++at_;
        cells.push_back(trimmed(text_.substr(begin, at_ - begin)));
      }
      if (at_ < text_.size() && text_[at_] == '\r') ++at_;
      if (at_ >= text_.size()) return true;
      if (text_[at_] == '\n') {
        step();
        return true;
      }
      if (text_[at_] != separator_) return fault(here_, "text after a closing quote");
      ++at_;
      if (cells.size() > 1000) return fault(line, "more than 1000 cells");
    }
  }

private:
  void step() {
    if (text_[at_] == '\n') ++here_;
    ++at_;
  }
  std::string_view text_;
  char separator_;
  std::size_t at_ = 0;
  std::uint32_t here_ = 1;
  std::vector<std::string> undone_;
};

FoundKind kind_word(std::string_view word) {
  const std::string w = lower(word);
  for (std::string_view s : {"leaf", "spine", "core", "switch", "super", "mlag"})
    if (w.find(s) != std::string::npos) return FoundKind::network_switch;
  for (std::string_view h : {"server", "host", "node", "manager", "adapter"})
    if (w.find(h) != std::string::npos) return FoundKind::host;
  return FoundKind::unknown;
}

} // namespace

Read read_cable_csv(std::string_view text, std::string_view, Maker& maker) {
  const std::string_view first = text.substr(0, text.find('\n'));
  const auto count = [&](char c) { return std::count(first.begin(), first.end(), c); };
  const char separator = count('\t') > count(',') ? '\t' : count(';') > count(',') ? ';' : ',';
  Records records(text, separator);
  auto more = records.next();
  if (!more) return tl::make_unexpected(more.error());
  if (!*more) return fault(1, "the file is empty");
  constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
  std::array<std::array<std::size_t, fields_of_an_end>, 2> columns;
  for (auto& side : columns)
    side.fill(none);
  std::size_t label = none, rail = none, plane = none;
  std::string headers;
  for (std::size_t c = 0; c < records.cells.size(); ++c) {
    const std::string h = plain_header(records.cells[c]);
    if (headers.size() < 200) headers += (headers.empty() ? "" : ", ") + h;
    int side = 0;
    Field field = device;
    if (h == "label" || h == "cable_label" || h == "cable_id" || h == "cable") {
      if (label == none || h == "label") label = c;
    } else if (h == "rail") {
      rail = c;
    } else if (h == "plane") {
      plane = c;
    } else if (h == "node") { // AVD: Node, Node Interface, Peer Node, Peer Interface
      columns[0][device] = c;
    } else if (h == "node_interface") {
      columns[0][port] = c;
    } else if (h == "node_type" || h == "peer_type") {
      columns[h == "peer_type"][kind] = c;
    } else if (field_of(h, side, field) && columns[static_cast<std::size_t>(side)][field] == none) {
      columns[static_cast<std::size_t>(side)][field] = c;
    }
  }
  for (int side : {0, 1})
    for (Field f : {device, port})
      if (columns[static_cast<std::size_t>(side)][f] == none)
        return fault(1,
                     fmt::format("no column for the {} of the {} end among {}; allowed are names as near_device, "
                                 "near_port, far_device, far_port, or NetBox's side_a_device, side_a_name",
                                 f == device ? "device" : "port", side == 0 ? "near" : "far", found::quoted(headers)));
  const auto cell = [&](std::size_t column) {
    return column < records.cells.size() ? trimmed(records.cells[column]) : std::string_view();
  };
  std::size_t rows = 0;
  while ((more = records.next()) && *more) {
    FoundLink l;
    l.line = records.line;
    bool blank = true;
    for (std::string_view c : records.cells)
      blank &= trimmed(c).empty();
    if (blank) continue;
    for (std::size_t side : {0, 1}) {
      const auto& at = columns[side];
      const std::string_view name = cell(at[device]), port_name = cell(at[port]);
      if (name.empty())
        return fault(l.line, fmt::format("the {} end has no device; every row names both", side == 0 ? "near" : "far"));
      if (port_name.empty())
        return fault(l.line, fmt::format("{} has no port; every row names both", found::quoted(name)));
      const std::uint32_t d = maker.by_name(name, l.line);
      FoundDevice& made = maker.device(d);
      if (made.rack.empty()) made.rack = cell(at[rack]);
      if (made.unit_place.empty()) made.unit_place = cell(at[unit_place]);
      if (made.kind == FoundKind::unknown && at[kind] != none) made.kind = kind_word(cell(at[kind]));
      (side == 0 ? l.near : l.far) = d;
      (side == 0 ? l.near_port : l.far_port) = maker.port(port_name);
    }
    if (label != none) l.label = maker.message(cell(label));
    for (auto [column, into, what] : {std::tuple(rail, &l.rail, "rail"), std::tuple(plane, &l.plane, "plane")}) {
      const std::string_view c = column == none ? std::string_view() : cell(column);
      std::uint32_t value = 0;
      if (c.empty()) continue;
      if (!whole_number(c, value) || value < 1 || value > 30'000)
        return fault(l.line, fmt::format("{} {} is no whole number from 1 to 30000", what, found::quoted(c)));
      *into = static_cast<std::int16_t>(value - 1);
    }
    maker.add(l);
    ++rows;
  }
  if (!more) return tl::make_unexpected(more.error());
  if (rows == 0) return fault(1, "a heading and no cable below it");
  return {};
}

} // namespace hallwright::found
