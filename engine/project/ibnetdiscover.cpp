// SPDX-License-Identifier: GPL-3.0-or-later
// The two forms of ibnetdiscover (rdma-core), and net files of ibsim, which are its first form typed by hand.
#include "project/found_links_maker.h"

namespace hallwright::found {
namespace {

/// "H-e09d730301b1ebd8" names kind and identity; ibsim allows any other text.
std::uint32_t device_of_id(std::string_view id, std::uint32_t line, Maker& maker) {
  std::uint64_t guid = 0;
  if (id.size() == 18 && id[1] == '-' && (id[0] == 'S' || id[0] == 'H' || id[0] == 'R') &&
      hex_number(id.substr(2), guid) && guid) {
    const std::uint32_t device = maker.by_guid(guid, line);
    maker.device(device).kind = id[0] == 'S'   ? FoundKind::network_switch
                                : id[0] == 'H' ? FoundKind::host
                                               : FoundKind::router;
    return device;
  }
  return maker.by_name(id, line);
}

/// What stands between quotes at the start; false when there are none.
bool take_quoted(std::string_view& text, std::string_view& inside) {
  if (!take(text, '"')) return false;
  const auto end = text.find('"');
  if (end == std::string_view::npos) return false;
  inside = text.substr(0, end);
  text.remove_prefix(end + 1);
  return true;
}

/// The name in a remark: from its first quote to its last, for a name may hold any.
std::string_view name_in(std::string_view remark) {
  const auto first = remark.find('"'), last = remark.rfind('"');
  return first == std::string_view::npos || last == first ? std::string_view()
                                                          : remark.substr(first + 1, last - first - 1);
}

/// "4xNDR" into lanes and rate.
void read_rate(std::string_view word, FoundLink& link) {
  std::uint32_t lanes = 0;
  if (!take_number(word, lanes) || !take(word, 'x') || lanes > 12) return;
  link.lanes = static_cast<std::uint8_t>(lanes);
  link.lane_gbps = lane_rate(word);
}

bool take_port(std::string_view& text, std::uint32_t& port) {
  return take(text, '[') && take_number(text, port) && port <= largest_port && take(text, ']');
}

void skip_blanks(std::string_view& text) {
  while (!text.empty() && is_blank(text.front()))
    text.remove_prefix(1);
}

/// One line of the form that lists ports: "CA lid port 0xguid width speed - SW lid port 0xguid ( 'name' - 'name' )".
Read read_list_line(std::string_view line, std::uint32_t number, Maker& maker) {
  constexpr const char* form =
      "allowed is: CA|SW|RT lid port 0xguid 4x NDR - CA|SW lid port 0xguid ( 'name' - 'name' )";
  struct End {
    std::uint32_t device = no_device, port = 0;
  };
  std::string_view rest = line;
  const auto end_of = [&](End& e) -> Read {
    const std::string_view kind = take_word(rest), lid = take_word(rest), port = take_word(rest),
                           guid = take_word(rest);
    std::uint64_t id = 0;
    std::uint32_t l = 0;
    if (kind != "CA" && kind != "SW" && kind != "RT")
      return fault(number, fmt::format("{} is no kind of device; {}", quoted(kind), form));
    if (!whole_number(lid, l)) return fault(number, fmt::format("{} is no LID; {}", quoted(lid), form));
    if (!whole_number(port, e.port) || e.port > largest_port)
      return fault(number, fmt::format("{} is no port; {}", quoted(port), form));
    if (!guid.starts_with("0x") || !hex_number(guid, id) || !id)
      return fault(number, fmt::format("{} is no GUID; {}", quoted(guid), form));
    e.device = maker.by_guid(id, number);
    FoundDevice& d = maker.device(e.device);
    d.kind = kind == "CA" ? FoundKind::host : kind == "SW" ? FoundKind::network_switch : FoundKind::router;
    if (l) d.lid = l;
    return {};
  };
  End near, far;
  if (auto r = end_of(near); !r) return r;
  maker.device(near.device).own_record = true;
  FoundLink link;
  const std::string_view width = take_word(rest), speed = take_word(rest);
  std::string_view w = width;
  std::uint32_t lanes = 0;
  if (!take_number(w, lanes) || w != "x" || lanes > 12)
    return fault(number, fmt::format("{} is no width; {}", quoted(width), form));
  if (speed.empty()) return fault(number, fmt::format("the line ends before the speed; {}", form));
  link.lanes = static_cast<std::uint8_t>(lanes);
  link.lane_gbps = lane_rate(speed);
  link.near = near.device;
  link.near_port = near.port;
  link.line = number;
  rest = trimmed(rest);
  if (!rest.starts_with("- ") || rest.starts_with("- '")) { // no peer: a name, quoted or not, or nothing
    std::string_view name = rest;
    if (name.size() >= 2 && name.front() == '\'' && name.back() == '\'') name = name.substr(1, name.size() - 2);
    maker.set_name(near.device, name);
    maker.add(link);
    return {};
  }
  rest.remove_prefix(1);
  if (auto r = end_of(far); !r) return r;
  link.far = far.device;
  link.far_port = far.port;
  rest = trimmed(rest);
  if (!rest.empty()) {
    const auto middle = rest.find("' - '");
    if (!rest.starts_with("( '") || !rest.ends_with("' )") || middle == std::string_view::npos ||
        rest.size() < middle + 8)
      return fault(number, fmt::format("the names {} are cut off or not in quotes; {}", quoted(rest), form));
    maker.set_name(near.device, rest.substr(3, middle - 3));
    maker.set_name(far.device, rest.substr(middle + 5, rest.size() - middle - 8));
  }
  maker.add(link);
  return {};
}

bool is_list_line(std::string_view line) {
  return line.size() > 3 && (line.starts_with("CA ") || line.starts_with("SW ") || line.starts_with("RT "));
}

} // namespace

Read read_ibnetdiscover(std::string_view text, std::string_view, Maker& maker) {
  Lines lines(text);
  std::string_view line;
  std::uint32_t current = no_device, ports = 0;
  std::uint64_t system = 0;
  bool aggregation = false;
  std::size_t records = 0;
  while (lines.next(line)) {
    const std::uint32_t number = lines.number();
    if (line.empty()) {
      current = no_device;
      continue;
    }
    if (line.front() == '[') {
      if (current == no_device)
        return fault(number, fmt::format("{} is a port outside a block; a line as Switch 65 \"S-...\" begins one",
                                         quoted(line)));
      std::string_view rest = line, id;
      FoundLink link;
      link.near = current;
      link.line = number;
      std::uint32_t port = 0;
      const auto cut = [&](std::string_view what) {
        return fault(number,
                     fmt::format("{}: {}; allowed is: [port] \"id\"[port] # \"name\" lid n 4xNDR", quoted(line), what));
      };
      if (!take_port(rest, port)) return cut("the port is no number in brackets, or above 65535");
      if (ports && port > ports) return cut(fmt::format("the device has {} ports", ports));
      link.near_port = port;
      while (take(rest, '(') || take(rest, '[')) { // port GUID, external number
        const auto end = rest.find_first_of(")]");
        if (end == std::string_view::npos) return cut("a bracket is not closed");
        rest.remove_prefix(end + 1);
      }
      skip_blanks(rest);
      if (!take_quoted(rest, id) || id.empty()) return cut("no peer in quotes");
      if (!take_port(rest, port)) return cut("the peer has no port in brackets");
      link.far_port = port;
      link.far = device_of_id(id, number, maker);
      const bool near_switch = maker.device(current).kind == FoundKind::network_switch;
      if (const auto hash = rest.find('#'); hash != std::string_view::npos) {
        std::string_view remark = trimmed(rest.substr(hash + 1));
        if (remark.find('"') != std::string_view::npos && remark.rfind('"') == remark.find('"'))
          return cut("the name is cut off");
        const std::string_view name = name_in(remark);
        maker.set_name(link.far, name);
        std::string_view after = remark.substr(
            std::min(remark.size(), remark.rfind('"') == std::string_view::npos ? 0 : remark.rfind('"') + 1));
        // The peer's LID, then the rate; an adapter's own LID stands before the name.
        for (std::string_view word = take_word(after); !word.empty(); word = take_word(after)) {
          std::uint32_t lid = 0;
          if (word == "lid" && whole_number(take_word(after), lid)) {
            if (lid) maker.device(link.far).lid = lid;
          } else if (!word.empty() && is_digit(word.front()) && word.find('x') != std::string_view::npos) {
            read_rate(word, link);
          }
        }
        if (!near_switch && remark.starts_with("lid ")) {
          remark.remove_prefix(4);
          std::uint32_t lid = 0;
          if (take_number(remark, lid) && lid) maker.device(current).lid = lid;
        }
      } else if (rest.find("w=") != std::string_view::npos || trimmed(rest).empty()) {
        // ibsim: no remark
      } else if (const std::string_view t = trimmed(rest); !t.empty() && t.front() != '(') {
        return cut(fmt::format("{} after the peer", quoted(t)));
      }
      maker.add(link);
      continue;
    }
    if (line.front() == '#') continue;
    const auto value_of = [&](std::string_view key, std::uint64_t& value) -> bool {
      std::string_view v = line.substr(key.size());
      v = v.substr(0, v.find('('));
      return hex_number(trimmed(v), value);
    };
    if (const auto equals = line.find('=');
        equals != std::string_view::npos && equals < 12 && line.find(' ') > equals) {
      const std::string_view key = line.substr(0, equals + 1);
      std::uint64_t value = 0;
      if (key != "vendid=" && key != "devid=" && key != "sysimgguid=" && key != "switchguid=" && key != "caguid=" &&
          key != "rtguid=")
        return fault(
            number, fmt::format("{} is not known; allowed are vendid, devid, sysimgguid, switchguid, caguid and rtguid",
                                quoted(line)));
      if (!value_of(key, value))
        return fault(number, fmt::format("{} is no hexadecimal number of at most 16 digits", quoted(line)));
      if (key == "vendid=") { // a block begins
        system = 0;
        aggregation = false;
      }
      if (key == "sysimgguid=") system = value;
      if (key == "devid=") aggregation = value == 0xCF09; // the aggregation node's device id
      continue;
    }
    if (is_list_line(line)) {
      if (auto r = read_list_line(line, number, maker); !r) return r;
      ++records;
      continue;
    }
    std::string_view rest = line;
    const std::string_view kind = take_word(rest);
    if (kind == "Switch" || kind == "Ca" || kind == "Hca" || kind == "Rt" || kind == "Router") {
      const std::string_view count = take_word(rest);
      std::string_view id;
      skip_blanks(rest);
      if (!whole_number(count, ports) || ports > largest_port)
        return fault(number, fmt::format("{}: {} is no number of ports from 1 to {}", quoted(line), quoted(count),
                                         largest_port));
      if (!take_quoted(rest, id) || id.empty())
        return fault(number, fmt::format("{}: no identity in quotes", quoted(line)));
      current = device_of_id(id, number, maker);
      FoundDevice& d = maker.device(current);
      if (d.own_record && d.ports) maker.note(fmt::format("{} has a second block in line {}", quoted(id), number));
      d.own_record = true;
      d.line = number;
      d.kind = kind == "Switch"                ? FoundKind::network_switch
               : kind == "Ca" || kind == "Hca" ? FoundKind::host
                                               : FoundKind::router;
      d.ports = ports;
      d.system = system;
      if (aggregation) maker.skip_aggregation(current);
      if (const auto hash = rest.find('#'); hash != std::string_view::npos) {
        const std::string_view remark = rest.substr(hash);
        if (remark.find('"') != std::string_view::npos && remark.rfind('"') == remark.find('"'))
          return fault(number, fmt::format("{}: the name is cut off", quoted(line)));
        maker.set_name(current, name_in(remark));
        if (const auto lid = remark.rfind(" lid "); lid != std::string_view::npos && kind == "Switch") {
          std::string_view word = remark.substr(lid + 5);
          std::uint32_t value = 0;
          if (take_number(word, value)) maker.device(current).lid = value;
        }
      }
      system = 0;
      aggregation = false;
      ++records;
      continue;
    }
    if (kind == "include" || kind == "do") {
      maker.note(fmt::format("line {}: {} is a command of ibsim and is not followed", number, quoted(line)));
      continue;
    }
    // Grouping (-g) prints headings between blocks.
    if (kind == "Chassis" || kind == "Non-Chassis" || kind == "Spine" || kind == "Line" || trimmed(line).empty())
      continue;
    return fault(number, fmt::format("{} is not understood; allowed are blocks of Switch, Ca and Rt, their ports, and "
                                     "lists as CA|SW lid port 0xguid",
                                     quoted(line)));
  }
  if (records == 0) return fault(std::max(1U, lines.number()), "no device in the whole file");
  return {};
}

} // namespace hallwright::found
