// SPDX-License-Identifier: GPL-3.0-or-later
// Neighbour tables that switches print: SONiC "show lldp table", EOS and NX-OS "show lldp neighbors".
#include <algorithm>

#include "project/found_links_maker.h"

namespace hallwright::found {
namespace {

enum class Table : std::uint8_t { none, sonic, eos, nxos };

/// Cells that stand at least two blanks apart.
std::vector<std::string_view> cells_of(std::string_view line) {
  std::vector<std::string_view> out;
  line = trimmed(line);
  while (!line.empty()) {
    std::size_t end = 0;
    while (end < line.size() && line[end] != '\t' &&
           !(line[end] == ' ' && end + 1 < line.size() && line[end + 1] == ' '))
      ++end;
    out.push_back(trimmed(line.substr(0, end)));
    line = trimmed(line.substr(end));
  }
  return out;
}

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> out;
  for (std::string_view w = take_word(line); !w.empty(); w = take_word(line))
    out.push_back(w);
  return out;
}

/// Letters as switches print for what a neighbour can do: "B", "BR", "B,R".
bool is_capability(std::string_view word) {
  return !word.empty() && word.size() <= 15 && std::all_of(word.begin(), word.end(), [](char c) {
    return std::string_view("RBTCWPSOA,").find(c) != std::string_view::npos;
  });
}

} // namespace

Read read_neighbour_table(std::string_view text, std::string_view local_name, Maker& maker) {
  Lines lines(text);
  std::string_view line;
  std::string local(local_name), wrapped;
  std::uint32_t wrapped_line = 0;
  Table table = Table::none;
  std::vector<std::size_t> starts; // of SONiC's columns, from the dashed rule
  std::size_t tables = 0;

  const auto add = [&](std::string_view port, std::string_view device, std::string_view far_port, std::uint32_t number,
                       bool bridge) {
    FoundLink l;
    l.line = number;
    l.near = maker.by_name(local, number);
    maker.device(l.near).own_record = true;
    l.near_port = maker.port(port);
    std::uint64_t mac = 0;
    const bool has_mac = mac_number(far_port, mac) && mac;
    if (has_mac && !bridge) {
      l.far = maker.by_guid(mac, number); // an adapter, told by its identity
      maker.device(l.far).kind = FoundKind::host;
      if (maker.device(l.far).name.empty() && !mac_number(device, mac)) maker.device(l.far).name = device;
    } else {
      if (device.empty()) return;
      l.far = maker.neighbour(device, number);
      l.far_port = has_mac ? 0 : maker.port(far_port);
    }
    if (bridge && maker.device(l.far).kind == FoundKind::unknown) maker.device(l.far).kind = FoundKind::network_switch;
    maker.add(l);
  };

  while (lines.next(line)) {
    const std::uint32_t number = lines.number();
    const std::string_view t = trimmed(line);
    if (t.empty()) continue;
    // "leaf-03# show lldp neighbors" and "admin@leaf-03:~$ show lldp table" name the switch.
    if (const auto show = t.find("show lldp"); show != std::string_view::npos && show > 0) {
      std::string_view prompt = trimmed(t.substr(0, show));
      while (!prompt.empty() &&
             (prompt.back() == '#' || prompt.back() == '>' || prompt.back() == '$' || prompt.back() == ' '))
        prompt.remove_suffix(1);
      if (const auto at = prompt.rfind('@'); at != std::string_view::npos) prompt.remove_prefix(at + 1);
      prompt = prompt.substr(0, prompt.find(':'));
      if (!prompt.empty() && prompt.find(' ') == std::string_view::npos) local = prompt;
      table = Table::none;
      continue;
    }
    const std::string low = lower(t);
    if (low.starts_with("localport") && low.find("remotedevice") != std::string::npos) {
      table = Table::sonic;
      starts.clear();
      ++tables;
      continue;
    }
    if (low.starts_with("port ") && low.find("neighbor device") != std::string::npos) {
      table = Table::eos;
      ++tables;
      continue;
    }
    if (low.starts_with("device id") && low.find("local intf") != std::string::npos) {
      table = Table::nxos;
      ++tables;
      continue;
    }
    if (table == Table::none) continue; // preamble
    if (t.find_first_not_of("- ") == std::string_view::npos) {
      if (table == Table::sonic && starts.empty())
        for (std::size_t i = 0; i < line.size(); ++i)
          if (line[i] == '-' && (i == 0 || line[i - 1] != '-')) starts.push_back(i);
      continue;
    }
    if (low.starts_with("total entries")) {
      if (!wrapped.empty())
        return fault(wrapped_line,
                     fmt::format("{} stands alone: the rest of its row is missing", found::quoted(wrapped)));
      table = Table::none;
      continue;
    }
    if (table == Table::sonic) {
      const auto cell = [&](std::size_t column) {
        if (column >= starts.size() || starts[column] >= line.size()) return std::string_view();
        const std::size_t end = column + 1 < starts.size() ? starts[column + 1] : line.size();
        return trimmed(line.substr(starts[column], std::min(end, line.size()) - starts[column]));
      };
      std::string_view port = cell(0), device = cell(1), far = cell(2), can = cell(3);
      if (starts.size() < 3) { // no rule: cells apart by two blanks
        const auto cells = cells_of(line);
        if (cells.size() < 3)
          return fault(number,
                       fmt::format("{} is no row of LocalPort, RemoteDevice, RemotePortID, Capability, RemotePortDescr",
                                   found::quoted(t)));
        port = cells[0], device = cells[1], far = cells[2], can = cells.size() > 3 ? cells[3] : std::string_view();
      }
      if (port.empty() || (device.empty() && far.empty()))
        return fault(number,
                     fmt::format("{} is no row of LocalPort, RemoteDevice, RemotePortID, Capability, RemotePortDescr",
                                 found::quoted(t)));
      add(port, device, far, number, is_capability(can) && can.find('B') != std::string_view::npos);
      continue;
    }
    auto words = words_of(line);
    const bool indented = is_blank(line.front());
    std::string device;
    if (table == Table::nxos) {
      // Device, local port, hold time, capability (may be blank), port; a long device stands on a line of its own.
      if (!indented && words.size() == 1) {
        if (!wrapped.empty())
          return fault(wrapped_line,
                       fmt::format("{} stands alone: the rest of its row is missing", found::quoted(wrapped)));
        wrapped = words[0];
        wrapped_line = number;
        continue;
      }
      std::size_t hold = 0; // the first whole number after a port
      std::uint32_t seconds = 0;
      for (std::size_t i = 1; i + 1 < words.size() && !hold; ++i)
        if (whole_number(words[i], seconds)) hold = i;
      if (!hold)
        return fault(number, fmt::format("{} is no row of Device ID, Local Intf, Hold-time, Capability, Port ID",
                                         found::quoted(t)));
      for (std::size_t i = 0; i + 1 < hold; ++i)
        device += (device.empty() ? "" : " ") + std::string(words[i]);
      if (device.empty())
        device = wrapped;
      else if (!wrapped.empty())
        device = wrapped + device;
      wrapped.clear();
      if (device.empty())
        return fault(number, fmt::format("{} has no device, and none stands above it", found::quoted(t)));
      const bool has_capability = hold + 2 < words.size() && is_capability(words[hold + 1]);
      std::string far;
      for (std::size_t i = hold + (has_capability ? 2 : 1); i < words.size(); ++i)
        far += (far.empty() ? "" : " ") + std::string(words[i]);
      add(words[hold - 1], device, far, number, has_capability && words[hold + 1].find('B') != std::string_view::npos);
      continue;
    }
    // EOS: port, device, port of the device, time to live; a long device wraps the row.
    std::uint32_t seconds = 0;
    if (words.size() < 4 || !whole_number(words.back(), seconds)) {
      if (words.size() <= 2 && wrapped.empty()) {
        wrapped = std::string(t);
        wrapped_line = number;
        continue;
      }
      if (wrapped.empty())
        return fault(number,
                     fmt::format("{} is no row of Port, Neighbor Device ID, Neighbor Port ID, TTL", found::quoted(t)));
    }
    std::string whole;
    if (!wrapped.empty()) {
      whole = wrapped + "  " + std::string(t);
      wrapped.clear();
      words = words_of(whole);
      if (words.size() < 4 || !whole_number(words.back(), seconds))
        return fault(number,
                     fmt::format("{} is no row of Port, Neighbor Device ID, Neighbor Port ID, TTL", found::quoted(t)));
    }
    // Between: device and port, two blanks apart; else the last word is the port.
    std::string_view middle = whole.empty() ? std::string_view(t) : std::string_view(whole);
    middle.remove_prefix(words.front().size());
    middle = trimmed(middle.substr(0, middle.size() - words.back().size()));
    const auto parts = cells_of(middle);
    std::string_view far = words[words.size() - 2];
    if (parts.size() == 2)
      device = parts[0], far = parts[1];
    else
      device = trimmed(middle.substr(0, middle.size() - far.size()));
    add(words.front(), device, far, number, false);
  }
  if (!wrapped.empty())
    return fault(wrapped_line, fmt::format("{} stands alone: the rest of its row is missing", found::quoted(wrapped)));
  if (tables == 0)
    return fault(std::max(1U, lines.number()), "no heading of a neighbour table: LocalPort RemoteDevice (SONiC), Port "
                                               "Neighbor Device ID (EOS), Device ID Local Intf (NX-OS)");
  return {};
}

} // namespace hallwright::found
