// SPDX-License-Identifier: GPL-3.0-or-later
// iblinkinfo (rdma-core): a block per device, or everything on each line (-l). Dark ports are printed.
#include "project/found_links_maker.h"

namespace hallwright::found {
namespace {

constexpr const char* form =
    "allowed is: lid port[ext] ==( 4X 53.125 Gbps Active/ LinkUp)==> lid port[ext] \"name\" ( message )";

/// One side of an arrow: [0xguid] ["name"] [lid] port[ext] ["name"]; a dark port's far side has no numbers.
struct Side {
  std::uint64_t guid = 0;
  std::uint32_t lid = 0, port = 0;
  std::string_view name;
  bool named = false;
};

tl::expected<Side, std::string> side_of(std::string_view text) {
  Side s;
  std::uint32_t numbers[2] = {0, 0};
  int count = 0;
  const auto bracket_or_quote = [](char c) { return c == '[' || c == '"' || is_blank(c); };
  while (!(text = trimmed(text)).empty()) {
    if (text.front() == '"') {
      const auto end = text.rfind('"');
      if (end == 0) return tl::make_unexpected(fmt::format("the name {} is cut off", quoted(text)));
      // On the left the numbers follow the name, on the right nothing does.
      const auto next = text.find('"', 1);
      s.name = text.substr(1, next - 1);
      s.named = true;
      text.remove_prefix(next + 1);
      continue;
    }
    if (text.front() == '[') {
      const auto end = text.find(']');
      if (end == std::string_view::npos) return tl::make_unexpected(std::string("a bracket is not closed"));
      text.remove_prefix(end + 1);
      continue;
    }
    std::size_t length = 0;
    while (length < text.size() && !bracket_or_quote(text[length]))
      ++length;
    const std::string_view word = text.substr(0, length);
    text.remove_prefix(length);
    if (word.starts_with("0x")) {
      if (!hex_number(word, s.guid)) return tl::make_unexpected(fmt::format("{} is no GUID", quoted(word)));
    } else if (count == 2 || !whole_number(word, numbers[count])) {
      return tl::make_unexpected(fmt::format("{} is no LID or port", quoted(word)));
    } else {
      ++count;
    }
  }
  if (count == 1) s.port = numbers[0];
  if (count == 2) s.lid = numbers[0], s.port = numbers[1];
  if (s.port > largest_port) return tl::make_unexpected(fmt::format("port {} is above {}", s.port, largest_port));
  return s;
}

/// "4X 53.125 Gbps Active/ LinkUp": lanes and rate of a lane.
void read_state(std::string_view text, FoundLink& link) {
  const std::string_view width = take_word(text);
  std::string_view w = width;
  std::uint32_t lanes = 0;
  if (!take_number(w, lanes) || lanes > 12 || (w != "X" && w != "x")) return;
  link.lanes = static_cast<std::uint8_t>(lanes);
  const std::string_view rate = take_word(text);
  double gbps = 0.0;
  const auto [end, failed] = std::from_chars(rate.data(), rate.data() + rate.size(), gbps);
  if (failed != std::errc() || end != rate.data() + rate.size() || !(gbps > 0.0 && gbps < 10'000.0)) return;
  // Printed are rates on the wire; the names of rates count what is left after coding for EDR and up.
  struct Wire {
    double wire;
    float nominal;
  };
  constexpr Wire wires[] = {{25.78125, 25.0F}, {53.125, 50.0F}, {106.25, 100.0F}, {212.5, 200.0F}};
  link.lane_gbps = static_cast<float>(gbps);
  for (const Wire& x : wires)
    if (gbps > x.wire - 0.01 && gbps < x.wire + 0.01) link.lane_gbps = x.nominal;
}

} // namespace

Read read_iblinkinfo(std::string_view text, std::string_view, Maker& maker) {
  Lines lines(text);
  std::string_view line, header_name;
  FoundKind header_kind = FoundKind::unknown;
  std::uint64_t header_guid = 0;
  std::size_t ports = 0;
  // One device may be told by LID as a peer and by GUID in its own block: the LID is what both have.
  const auto device_of = [&](const Side& s, FoundKind kind, std::uint32_t number) {
    const std::uint32_t device = s.lid ? maker.by_lid(s.lid, number) : maker.by_guid(s.guid, number);
    FoundDevice& d = maker.device(device);
    if (s.guid && !d.guid) d.guid = s.guid;
    if (d.kind == FoundKind::unknown) d.kind = kind;
    return device;
  };
  while (lines.next(line)) {
    const std::uint32_t number = lines.number();
    const std::string_view t = trimmed(line);
    if (t.empty() || t.front() == '#') continue;
    const auto begin = line.find("==("), end = line.find(")==>");
    if (begin == std::string_view::npos) {
      const bool is_switch = t.starts_with("Switch:"), is_adapter = t.starts_with("CA:"),
                 is_router = t.starts_with("Router:") || t.starts_with("RT:");
      if (!is_switch && !is_adapter && !is_router)
        return fault(number, fmt::format("{} is neither a heading (CA: name:, Switch: 0xguid name:) nor a port; {}",
                                         quoted(t), form));
      std::string_view rest = trimmed(t.substr(t.find(':') + 1));
      header_guid = 0;
      if (rest.starts_with("0x")) {
        const std::string_view guid = take_word(rest);
        if (!hex_number(guid, header_guid)) return fault(number, fmt::format("{} is no GUID", quoted(guid)));
      }
      rest = trimmed(rest);
      if (!rest.empty() && rest.back() == ':') rest.remove_suffix(1);
      header_name = rest;
      header_kind = is_switch ? FoundKind::network_switch : is_adapter ? FoundKind::host : FoundKind::router;
      continue;
    }
    if (end == std::string_view::npos || end < begin)
      return fault(number, fmt::format("{} ends within its arrow; {}", quoted(t), form));
    auto near = side_of(line.substr(0, begin));
    if (!near) return fault(number, fmt::format("{}; {}", near.error(), form));
    if (near->port == 0) return fault(number, fmt::format("{} has no port before its arrow; {}", quoted(t), form));
    std::string_view right = trimmed(line.substr(end + 4)), remark;
    if (right.empty() || right.back() != ')')
      return fault(number, fmt::format("{} is cut off after its arrow; {}", quoted(t), form));
    // The message stands in the brackets after the last quote; names may hold brackets.
    const auto quote = right.rfind('"');
    const auto open = right.find('(', quote == std::string_view::npos ? 0 : quote);
    if (open == std::string_view::npos)
      return fault(number, fmt::format("{} has no message in brackets; {}", quoted(t), form));
    remark = trimmed(right.substr(open + 1, right.size() - open - 2));
    right = right.substr(0, open);
    // A name on the right goes to its last quote.
    std::string_view far_name;
    if (const auto first = right.find('"'); first != std::string_view::npos) {
      const auto last = right.rfind('"');
      if (last == first)
        return fault(number, fmt::format("the name {} is cut off; {}", quoted(right.substr(first)), form));
      far_name = right.substr(first + 1, last - first - 1);
      right = right.substr(0, first);
    }
    auto far = side_of(right);
    if (!far) return fault(number, fmt::format("{}; {}", far.error(), form));
    if (!near->named) {
      near->name = header_name;
      if (!near->guid) near->guid = header_guid;
    }
    if (near->lid == 0 && near->guid == 0)
      return fault(number, fmt::format("{} has no LID, and no heading above it tells a GUID; {}", quoted(t), form));
    FoundLink link;
    link.line = number;
    link.near_port = near->port;
    link.near = device_of(*near, near->named ? FoundKind::unknown : header_kind, number);
    maker.device(link.near).own_record = true;
    if (near->lid) maker.device(link.near).lid = near->lid;
    const std::string_view state = line.substr(begin + 3, end - begin - 3);
    read_state(trimmed(state), link);
    link.message = maker.message(remark);
    if (far->lid || far->guid) {
      link.far_port = far->port;
      link.far = device_of(*far, FoundKind::unknown, number);
      if (near->named && maker.device(link.near).kind == FoundKind::unknown && near->name.starts_with("MF0;"))
        maker.device(link.near).kind = FoundKind::network_switch;
      if (maker.device(link.far).kind == FoundKind::unknown && far_name.starts_with("MF0;"))
        maker.device(link.far).kind = FoundKind::network_switch;
      maker.set_name(link.far, far_name);
    }
    maker.set_name(link.near, near->name);
    if (!link.message && link.far == no_device) link.message = maker.message(state);
    maker.add(link);
    ++ports;
  }
  if (ports == 0) return fault(std::max(1U, lines.number()), "no port in the whole file");
  return {};
}

} // namespace hallwright::found
