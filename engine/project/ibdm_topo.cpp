// SPDX-License-Identifier: GPL-3.0-or-later
// Topology files of ibdm (ibdiagnet -t): "TYPE NAME", then indented "PORT -[4x-5G]-> TYPE NAME PORT".
#include "project/found_links_maker.h"

namespace hallwright::found {
namespace {

constexpr const char* form = "allowed are: SYSTEM-TYPE NAME, and below it indented: PORT -[4x-5G]-> TYPE NAME PORT";

/// "-4x-5G->" tells lanes and rate of a lane.
void read_speed(std::string_view arrow, FoundLink& link) {
  std::uint32_t lanes = 0;
  if (!take(arrow, '-') || !take_number(arrow, lanes) || !take(arrow, 'x') || !take(arrow, '-') || lanes > 12) return;
  double gbps = 0.0;
  const auto [end, failed] = std::from_chars(arrow.data(), arrow.data() + arrow.size(), gbps);
  if (failed != std::errc() || end == arrow.data() + arrow.size() || *end != 'G' || !(gbps > 0.0 && gbps < 10'000.0))
    return;
  link.lanes = static_cast<std::uint8_t>(lanes);
  link.lane_gbps = static_cast<float>(gbps == 2.5 ? 2.5 : gbps);
}

/// Systems whose name says what they are: adapters' boards stand for hosts.
FoundKind kind_of(std::string_view type) {
  for (std::string_view host : {"Cougar", "HCA", "HCA_1", "HCA_2", "Lion", "LionCub", "Tiger", "Cheetah", "CX", "BF"})
    if (type == host || (host.size() > 3 && type.starts_with(host))) return FoundKind::host;
  if (type.starts_with("HCA")) return FoundKind::host;
  return FoundKind::unknown;
}

} // namespace

Read read_ibdm_topo(std::string_view text, std::string_view, Maker& maker) {
  Lines lines(text);
  std::string_view line;
  std::uint32_t current = no_device;
  std::size_t links = 0;
  while (lines.next(line)) {
    const std::uint32_t number = lines.number();
    if (const auto hash = line.find('#'); hash != std::string_view::npos) line = line.substr(0, hash);
    const std::string_view t = trimmed(line);
    if (t.empty()) {
      if (line.empty()) current = no_device;
      continue;
    }
    if (t.find("->") == std::string_view::npos) {
      if (is_blank(line.front()))
        return fault(number, fmt::format("{} is no port of the system above it; {}", quoted(t), form));
      std::string_view rest = t;
      const std::string_view type = take_word(rest), name = take_word(rest);
      if (name.empty()) return fault(number, fmt::format("{} names a type and no system; {}", quoted(t), form));
      rest = trimmed(rest);
      if (!rest.empty() && !rest.starts_with("CFG:"))
        return fault(number, fmt::format("{} after the system's name; allowed is CFG:", quoted(rest)));
      current = maker.by_name(name, number);
      maker.device(current).own_record = true;
      if (maker.device(current).kind == FoundKind::unknown) maker.device(current).kind = kind_of(type);
      continue;
    }
    if (current == no_device) return fault(number, fmt::format("{} stands below no system; {}", quoted(t), form));
    std::string_view rest = t;
    const std::string_view port = take_word(rest), arrow = take_word(rest), type = take_word(rest),
                           name = take_word(rest), far_port = take_word(rest);
    if (!arrow.starts_with('-') || !arrow.ends_with("->"))
      return fault(number, fmt::format("{} is no arrow; {}", quoted(arrow), form));
    if (far_port.empty()) return fault(number, fmt::format("{} is cut off; {}", quoted(t), form));
    if (!trimmed(rest).empty())
      return fault(number, fmt::format("{} after the far port; {}", quoted(trimmed(rest)), form));
    FoundLink l;
    l.line = number;
    l.near = current;
    l.far = maker.by_name(name, number);
    if (maker.device(l.far).kind == FoundKind::unknown) maker.device(l.far).kind = kind_of(type);
    l.near_port = maker.port(port);
    l.far_port = maker.port(far_port);
    read_speed(arrow, l);
    maker.add(l);
    ++links;
  }
  if (links == 0) return fault(std::max(1U, lines.number()), fmt::format("no link in the whole file; {}", form));
  return {};
}

} // namespace hallwright::found
