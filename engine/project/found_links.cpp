// SPDX-License-Identifier: GPL-3.0-or-later
#include "project/found_links.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <list>

#include "project/found_links_maker.h"

namespace hallwright {
namespace {

struct FormatWord {
  FoundFormat format;
  std::string_view word;
};
constexpr std::array<FormatWord, 8> format_words{{{FoundFormat::automatic, "auto"},
                                                  {FoundFormat::ibnetdiscover, "ibnetdiscover"},
                                                  {FoundFormat::iblinkinfo, "iblinkinfo"},
                                                  {FoundFormat::lldp_json, "lldp-json"},
                                                  {FoundFormat::neighbours, "neighbours"},
                                                  {FoundFormat::ptm, "ptm"},
                                                  {FoundFormat::topo, "topo"},
                                                  {FoundFormat::csv, "csv"}}};

struct LaneRate {
  std::string_view word;
  float gbps;
};
/// Data rates of a lane as the InfiniBand Trade Association names them; FDR10 and FDR with their coding counted.
constexpr std::array<LaneRate, 9> lane_rates{{{"SDR", 2.5F},
                                              {"DDR", 5.0F},
                                              {"QDR", 10.0F},
                                              {"FDR10", 10.3125F},
                                              {"FDR", 14.0625F},
                                              {"EDR", 25.0F},
                                              {"HDR", 50.0F},
                                              {"NDR", 100.0F},
                                              {"XDR", 200.0F}}};

/// Guesses the format from the first lines that say something.
FoundFormat recognised(std::string_view text) {
  using found::trimmed;
  std::string_view head = text.substr(0, 65'536);
  found::Lines lines(head);
  std::string_view line;
  int looked = 0;
  while (lines.next(line) && looked < 400) {
    const std::string_view t = trimmed(line);
    if (t.empty()) continue;
    if (t.find("==(") != std::string_view::npos) return FoundFormat::iblinkinfo;
    if (t.front() == '#') continue;
    ++looked;
    if (looked == 1 && (t.front() == '{' || t.front() == '[') && (t.size() == 1 || !found::is_digit(t[1])))
      return FoundFormat::lldp_json;
    if (t.starts_with("vendid=") || t.starts_with("devid=") || t.starts_with("switchguid=") || t.starts_with("caguid="))
      return FoundFormat::ibnetdiscover;
    if (t.starts_with("Switch: 0x") || t.starts_with("CA: ") || t.starts_with("Switch: "))
      return FoundFormat::iblinkinfo;
    std::string_view words = t;
    const std::string_view first = found::take_word(words), second = found::take_word(words),
                           third = found::take_word(words);
    std::uint32_t number = 0;
    if ((first == "Switch" || first == "Ca" || first == "Hca" || first == "Rt") &&
        found::whole_number(second, number) && third.starts_with('"'))
      return FoundFormat::ibnetdiscover;
    if ((first == "CA" || first == "SW" || first == "RT") && found::whole_number(second, number) &&
        found::whole_number(third, number))
      return FoundFormat::ibnetdiscover;
    if (first == "graph" || first == "digraph" || first == "strict") return FoundFormat::ptm;
    if (t.find("\" -- \"") != std::string_view::npos || t.find("--") != std::string_view::npos
            ? t.find("\":\"") != std::string_view::npos
            : false)
      return FoundFormat::ptm;
    const std::string low = found::lower(t);
    if (low.find("local intf") != std::string::npos || low.starts_with("localport") ||
        low.find("neighbor device id") != std::string::npos || low.starts_with("capability codes") ||
        low.starts_with("last table change"))
      return FoundFormat::neighbours;
    if (second.starts_with('-') && second.ends_with("->") && !third.empty()) return FoundFormat::topo;
    if (looked == 1 && std::count_if(t.begin(), t.end(), [](char c) { return c == ',' || c == ';' || c == '\t'; }) >= 3)
      return FoundFormat::csv;
  }
  return FoundFormat::automatic;
}

/// "racks/leaf-03.json" is "leaf-03".
std::string_view stem_of(std::string_view path) {
  if (const auto slash = path.find_last_of("/\\"); slash != std::string_view::npos) path.remove_prefix(slash + 1);
  if (const auto dot = path.find_last_of('.'); dot != std::string_view::npos && dot > 0) path = path.substr(0, dot);
  return path;
}

std::uint32_t line_of(std::string_view text, std::size_t at) {
  return static_cast<std::uint32_t>(1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

} // namespace

std::string_view found_format_word(FoundFormat format) {
  for (const FormatWord& f : format_words)
    if (f.format == format) return f.word;
  return "auto";
}

tl::expected<FoundFormat, std::string> found_format_of(std::string_view word) {
  std::string all;
  for (const FormatWord& f : format_words) {
    if (f.word == word) return f.format;
    all += (all.empty() ? "" : ", ") + std::string(f.word);
  }
  return tl::make_unexpected(fmt::format("\"{}\" is not a format of found links; it is one of {}", word, all));
}

std::string FoundLinks::port_text(PortKey port) const {
  if (port == 0) return "?";
  if (port & named_port) return port_names[port & ~named_port];
  return std::to_string(port);
}

std::string FoundLinks::device_text(std::uint32_t device) const {
  if (device == no_device) return "nothing";
  const FoundDevice& d = devices[device];
  if (!says_nothing(d.name)) return d.name;
  if (d.guid)
    return fmt::format("{}-{:016x}",
                       d.kind == FoundKind::network_switch ? "S"
                       : d.kind == FoundKind::router       ? "R"
                                                           : "H",
                       d.guid);
  return d.name.empty() ? fmt::format("device of line {}", d.line) : d.name;
}

bool says_nothing(std::string_view name) {
  if (name.empty() || name == "localhost" || name.starts_with("localhost ") || name.starts_with("localhost.") ||
      name == "(none)")
    return true;
  if (name.find("Mellanox Technologies") != std::string_view::npos) return true;
  // "MT4129 ConnectX7": the part, not the node.
  return name.size() > 6 && name.starts_with("MT") && found::is_digit(name[2]) && found::is_digit(name[3]) &&
         name.find("ConnectX") != std::string_view::npos;
}

float lane_rate(std::string_view word) {
  for (const LaneRate& r : lane_rates)
    if (r.word == word) return r.gbps;
  return 0.0F;
}

std::string rate_text(int lanes, float lane_gbps) {
  for (const LaneRate& r : lane_rates)
    if (std::abs(r.gbps - lane_gbps) < 0.01F) return fmt::format("{}x{}", lanes, r.word);
  return lane_gbps > 0 ? fmt::format("{}x {:g} Gb/s", lanes, lane_gbps) : fmt::format("{}x at unknown rate", lanes);
}

tl::expected<FoundLinks, std::string> read_found_links(std::span<const FoundSource> sources, FoundFormat format) {
  FoundLinks out;
  out.port_names.emplace_back();
  out.messages.emplace_back();
  if (sources.size() > 60'000)
    return tl::make_unexpected(fmt::format("{} files are given; 60000 are allowed", sources.size()));
  found::Maker maker(out);
  std::list<std::string> with_line_feeds;
  for (const FoundSource& source : sources) {
    const auto file = static_cast<std::uint16_t>(out.files.size());
    out.files.push_back(source.name);
    maker.begin_file(file);
    std::string_view text = source.text;
    const auto refusal = [&](std::uint32_t line, std::string_view what) {
      return tl::make_unexpected(fmt::format("{} line {}: {}", source.name, line, what));
    };
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF"))
      return refusal(1, "the file is UTF-16; plain text in UTF-8 is allowed");
    if (const void* zero = text.empty() ? nullptr : std::memchr(text.data(), 0, text.size()))
      return refusal(line_of(text, static_cast<std::size_t>(static_cast<const char*>(zero) - text.data())),
                     "a zero byte; this is not a text file");
    // Lines of old programs end with CR alone.
    if (text.find('\r') != std::string_view::npos && text.find('\n') == std::string_view::npos) {
      with_line_feeds.emplace_back(text);
      std::replace(with_line_feeds.back().begin(), with_line_feeds.back().end(), '\r', '\n');
      text = with_line_feeds.back();
    }
    if (text.size() >= std::numeric_limits<std::uint32_t>::max())
      return refusal(1, "the file has 4 GB or more; split it");
    const FoundFormat is = format == FoundFormat::automatic ? recognised(text) : format;
    out.formats.push_back(is);
    found::Reader reader = nullptr;
    switch (is) {
    case FoundFormat::ibnetdiscover:
      reader = found::read_ibnetdiscover;
      break;
    case FoundFormat::iblinkinfo:
      reader = found::read_iblinkinfo;
      break;
    case FoundFormat::lldp_json:
      reader = found::read_lldp_json;
      break;
    case FoundFormat::neighbours:
      reader = found::read_neighbour_table;
      break;
    case FoundFormat::ptm:
      reader = found::read_ptm_dot;
      break;
    case FoundFormat::topo:
      reader = found::read_ibdm_topo;
      break;
    case FoundFormat::csv:
      reader = found::read_cable_csv;
      break;
    case FoundFormat::automatic:
      break;
    }
    if (!reader) {
      found::Lines lines(text);
      std::string_view line;
      while (lines.next(line) && (found::trimmed(line).empty() || line.front() == '#')) {
      }
      if (found::trimmed(text).empty()) return refusal(1, "the file is empty");
      return refusal(
          std::max(1U, lines.number()),
          fmt::format(
              "{} begins no known format; name it: ibnetdiscover, iblinkinfo, lldp-json, neighbours, ptm, topo or csv",
              found::quoted(found::trimmed(line))));
    }
    if (auto read = reader(text, stem_of(source.name), maker); !read)
      return refusal(read.error().line, read.error().what);
  }
  maker.finish();
  return out;
}

namespace found {

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (char c : text.substr(0, 60))
    out += static_cast<unsigned char>(c) < 32 || c == 127 ? ' ' : c;
  while (!out.empty() && (static_cast<unsigned char>(out.back()) & 0xC0) == 0x80 && text.size() > 60)
    out.pop_back();
  if (text.size() > 60) {
    if (static_cast<unsigned char>(out.back()) >= 0xC0) out.pop_back();
    out += "...";
  }
  return out + "\"";
}

bool Lines::next(std::string_view& line) {
  if (rest_.empty()) return false;
  const void* end = std::memchr(rest_.data(), '\n', rest_.size());
  const std::size_t length =
      end ? static_cast<std::size_t>(static_cast<const char*>(end) - rest_.data()) : rest_.size();
  line = rest_.substr(0, length);
  rest_.remove_prefix(end ? length + 1 : length);
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  ++number_;
  return true;
}

std::string_view trimmed(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; };
  while (!text.empty() && blank(text.front()))
    text.remove_prefix(1);
  while (!text.empty() && blank(text.back()))
    text.remove_suffix(1);
  return text;
}

std::string_view take_word(std::string_view& text) {
  std::size_t at = 0;
  while (at < text.size() && is_blank(text[at]))
    ++at;
  std::size_t end = at;
  while (end < text.size() && !is_blank(text[end]))
    ++end;
  const std::string_view word = text.substr(at, end - at);
  text.remove_prefix(end);
  return word;
}

bool take(std::string_view& text, char c) {
  if (text.empty() || text.front() != c) return false;
  text.remove_prefix(1);
  return true;
}

bool take_number(std::string_view& text, std::uint32_t& value) {
  std::uint64_t sum = 0;
  std::size_t at = 0;
  for (; at < text.size() && is_digit(text[at]); ++at) {
    sum = sum * 10 + static_cast<std::uint64_t>(text[at] - '0');
    if (sum > 4'000'000'000ULL) return false;
  }
  if (at == 0) return false;
  value = static_cast<std::uint32_t>(sum);
  text.remove_prefix(at);
  return true;
}

bool whole_number(std::string_view text, std::uint32_t& value) { return take_number(text, value) && text.empty(); }

bool hex_number(std::string_view text, std::uint64_t& value) {
  if (text.starts_with("0x") || text.starts_with("0X")) text.remove_prefix(2);
  if (text.empty() || text.size() > 16) return false;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  return failed == std::errc() && end == text.data() + text.size();
}

bool mac_number(std::string_view text, std::uint64_t& value) {
  if (text.size() != 17 && text.size() != 14) return false;
  std::uint64_t sum = 0;
  int digits = 0;
  for (char c : text) {
    const int d = is_digit(c)            ? c - '0'
                  : c >= 'a' && c <= 'f' ? c - 'a' + 10
                  : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                         : -1;
    if (d < 0 && c != ':' && c != '-' && c != '.') return false;
    if (d < 0) continue;
    sum = sum * 16 + static_cast<std::uint64_t>(d);
    ++digits;
  }
  value = sum;
  return digits == 12;
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

std::uint32_t Maker::new_device(std::uint32_t line) {
  FoundDevice d;
  d.line = line;
  d.file = file_;
  out_.devices.push_back(std::move(d));
  return static_cast<std::uint32_t>(out_.devices.size() - 1);
}

std::uint32_t Maker::by_guid(std::uint64_t guid, std::uint32_t line) {
  std::uint32_t& at = guids_.at(guid, static_cast<std::uint32_t>(out_.devices.size()));
  if (at == out_.devices.size()) {
    new_device(line);
    out_.devices.back().guid = guid;
  }
  return at;
}

std::uint32_t Maker::by_name(std::string_view name, std::uint32_t line) {
  for (std::uint64_t key = KeyTable::key_of(name);; key += 0x9E3779B97F4A7C15ULL) {
    const std::uint32_t there = names_.find(key);
    if (there == KeyTable::none) {
      const std::uint32_t made = new_device(line);
      out_.devices[made].name = name;
      names_.at(key, made);
      return made;
    }
    if (out_.devices[there].name == name) return there;
  }
}

std::uint32_t Maker::by_lid(std::uint32_t lid, std::uint32_t line) {
  std::uint32_t& at = lids_.at(lid, static_cast<std::uint32_t>(out_.devices.size()));
  if (at == out_.devices.size()) {
    new_device(line);
    out_.devices.back().lid = lid;
  }
  return at;
}

std::uint32_t Maker::neighbour(std::string_view name, std::uint32_t line) {
  if (!says_nothing(name)) return by_name(name, line);
  const std::uint32_t made = new_device(line);
  out_.devices[made].name = name;
  return made;
}

void Maker::set_name(std::uint32_t device, std::string_view raw) {
  FoundDevice& d = out_.devices[device];
  if (raw.find("Aggregation Node") != std::string_view::npos) skip_aggregation(device);
  raw = trimmed(raw);
  if (raw.empty() || !d.name.empty()) return;
  if (raw.starts_with("MF0;")) {
    raw.remove_prefix(4);
    if (const auto colon = raw.rfind(':'); colon != std::string_view::npos) raw = raw.substr(0, colon);
    d.name = raw;
    return;
  }
  // "node adapter": the adapter is one short word as drivers name them.
  constexpr std::array<std::string_view, 12> drivers{"mlx",   "HCA",  "hca",   "ib",  "hfi",  "qib",
                                                     "mthca", "bnxt", "irdma", "efa", "roce", "rdma"};
  if (d.kind != FoundKind::network_switch)
    if (const auto space = raw.rfind(' ');
        space != std::string_view::npos && is_digit(raw.back()) && raw.size() - space <= 16 &&
        std::any_of(drivers.begin(), drivers.end(), [&](auto w) { return raw.substr(space + 1).starts_with(w); })) {
      d.adapter = raw.substr(space + 1);
      raw = trimmed(raw.substr(0, space));
    }
  d.name = raw;
}

PortKey Maker::port(std::string_view name) {
  name = trimmed(name);
  if (name.empty()) return 0;
  std::uint32_t number = 0;
  if (whole_number(name, number) && number > 0 && number <= largest_port && name.front() != '0') return number;
  // ibdm names front-panel ports "P12".
  if (name.front() == 'P' && whole_number(name.substr(1), number) && number > 0 && number <= largest_port &&
      name[1] != '0')
    return number;
  for (std::uint64_t key = KeyTable::key_of(name);; key += 0x9E3779B97F4A7C15ULL) {
    std::uint32_t& at = ports_.at(key, static_cast<std::uint32_t>(out_.port_names.size()));
    if (at == out_.port_names.size()) out_.port_names.emplace_back(name);
    if (out_.port_names[at] == name) return at | named_port;
  }
}

std::uint32_t Maker::message(std::string_view text) {
  text = trimmed(text);
  if (text.empty()) return 0;
  for (std::uint64_t key = KeyTable::key_of(text);; key += 0x9E3779B97F4A7C15ULL) {
    std::uint32_t& at = messages_.at(key, static_cast<std::uint32_t>(out_.messages.size()));
    if (at == out_.messages.size()) out_.messages.emplace_back(text);
    if (out_.messages[at] == text) return at;
  }
}

FoundLink* Maker::add(const FoundLink& link) {
  if (link.far == no_device) {
    out_.dark.push_back(link);
    out_.dark.back().file = file_;
    return &out_.dark.back();
  }
  const auto end_key = [](std::uint32_t device, PortKey port) {
    return (static_cast<std::uint64_t>(device) << 32) | port;
  };
  const auto next = static_cast<std::uint32_t>(out_.links.size());
  // The other end may have told the link already. Where the far port is not told, the near one finds it.
  if (link.far_port || link.near_port) {
    const std::uint32_t there =
        link.far_port ? ends_.find(end_key(link.far, link.far_port)) : ends_.find(end_key(link.near, link.near_port));
    if (there != KeyTable::none) {
      FoundLink& old = out_.links[there];
      const bool turned = old.near == link.far && old.far == link.near &&
                          (old.far_port == link.near_port || !old.far_port || !link.near_port);
      const bool same = old.near == link.near && old.far == link.far && old.near_port == link.near_port &&
                        (old.far_port == link.far_port || !link.far_port);
      if (turned || same) {
        if (turned) old.both_ends = true;
        if (turned && !old.far_port) old.far_port = link.near_port;
        if (!old.lanes) old.lanes = link.lanes;
        if (old.lane_gbps <= 0) old.lane_gbps = link.lane_gbps;
        if (!old.message) old.message = link.message;
        if (!old.label) old.label = link.label;
        return &old;
      }
    }
  }
  out_.links.push_back(link);
  out_.links.back().file = file_;
  if (link.near_port) ends_.at(end_key(link.near, link.near_port), next);
  if (link.far_port) ends_.at(end_key(link.far, link.far_port), next);
  return &out_.links.back();
}

void Maker::note(std::string text) {
  if (out_.notes.size() < 20) out_.notes.push_back(std::move(text));
}

void Maker::finish() {
  // The node inside a switch that adds up for collectives sits on its last port, 65 of a QM97xx, with an identity next
  // to the switch's.
  std::vector<std::uint32_t> last(out_.devices.size(), 0);
  for (const FoundLink& l : out_.links)
    for (const auto& [d, p] : {std::pair(l.near, l.near_port), std::pair(l.far, l.far_port)})
      if (!(p & named_port)) last[d] = std::max(last[d], p);
  const auto inside = [&](std::uint32_t device, PortKey port, std::uint32_t peer) {
    const FoundDevice &s = out_.devices[device], &h = out_.devices[peer];
    if (s.kind != FoundKind::network_switch || h.kind != FoundKind::host) return false;
    if (s.guid && h.guid > s.guid && h.guid - s.guid <= 64) return true;
    return port == 65 && last[device] == 65 && (s.ports == 0 || s.ports == 65) && says_nothing(h.name);
  };
  const auto left_out = [&](const FoundLink& l) {
    for (std::uint32_t d : {l.near, l.far})
      if (d != no_device && d < aggregation_.size() && aggregation_[d]) return true;
    return l.far != no_device && (inside(l.near, l.near_port, l.far) || inside(l.far, l.far_port, l.near));
  };
  const std::size_t before = out_.links.size();
  std::erase_if(out_.links, left_out);
  out_.aggregation_links = before - out_.links.size();
  std::erase_if(out_.dark, left_out);
}

} // namespace found
} // namespace hallwright
