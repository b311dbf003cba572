// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "project/found_links.h"
#include "project/found_links_table.h"

/// What the readers of found links share: lines, words, numbers, and a maker that joins what several places tell.
namespace hallwright::found {

/// What is wrong at a line; the caller adds the file.
struct Fault {
  std::uint32_t line = 0;
  std::string what;
};
using Read = tl::expected<void, Fault>;

inline tl::unexpected<Fault> fault(std::uint32_t line, std::string what) {
  return tl::make_unexpected(Fault{line, std::move(what)});
}
/// The start of a piece of text for messages, in quotes, control characters replaced.
std::string quoted(std::string_view text);

/// Lines of a text, without their ends.
class Lines {
public:
  explicit Lines(std::string_view text) : rest_(text) {}
  bool next(std::string_view& line);
  [[nodiscard]] std::uint32_t number() const { return number_; }

private:
  std::string_view rest_;
  std::uint32_t number_ = 0;
};

constexpr bool is_blank(char c) { return c == ' ' || c == '\t'; }
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
std::string_view trimmed(std::string_view text);
/// Takes the first word apart by blanks; empty when there is none.
std::string_view take_word(std::string_view& text);
bool take(std::string_view& text, char c);
/// A whole number at the start; false when there is none or it is above 4,000,000,000.
bool take_number(std::string_view& text, std::uint32_t& value);
bool whole_number(std::string_view text, std::uint32_t& value);
/// Hexadecimal digits, with or without 0x, all of the text.
bool hex_number(std::string_view text, std::uint64_t& value);
/// "02:00:00:00:00:03", "0200.0000.0003", "02-00-..." as a number.
bool mac_number(std::string_view text, std::uint64_t& value);
std::string lower(std::string_view text);

/// Largest port number that is taken for one.
constexpr std::uint32_t largest_port = 65'535;

class Maker {
public:
  explicit Maker(FoundLinks& out) : out_(out) {}
  void begin_file(std::uint16_t file) { file_ = file; }
  std::uint32_t by_guid(std::uint64_t guid, std::uint32_t line);
  std::uint32_t by_name(std::string_view name, std::uint32_t line);
  std::uint32_t by_lid(std::uint32_t lid, std::uint32_t line);
  /// A neighbour by name; one whose name says nothing ("localhost") is a device of its own each time.
  std::uint32_t neighbour(std::string_view name, std::uint32_t line);
  FoundDevice& device(std::uint32_t index) { return out_.devices[index]; }
  /// Names a device as InfiniBand programs do: takes away "MF0;...:MODEL/U1", splits a host's name and its adapter.
  void set_name(std::uint32_t device, std::string_view raw);
  PortKey port(std::string_view name);
  std::uint32_t message(std::string_view text);
  /// A link, or what the other end says about one that is there. Far may be none: a dark port.
  FoundLink* add(const FoundLink& link);
  void skip_aggregation(std::uint32_t device) { aggregation(device) = true; }
  void note(std::string text);
  /// Leaves out links of aggregation nodes and counts what only one end told.
  void finish();
  FoundLinks& out() { return out_; }

private:
  std::vector<bool>::reference aggregation(std::uint32_t device) {
    if (aggregation_.size() <= device) aggregation_.resize(device + 1024);
    return aggregation_[device];
  }
  std::uint32_t new_device(std::uint32_t line);
  FoundLinks& out_;
  std::uint16_t file_ = 0;
  KeyTable guids_, lids_, ends_, names_, ports_, messages_;
  std::vector<bool> aggregation_;
};

using Reader = Read (*)(std::string_view text, std::string_view local_name, Maker& maker);
Read read_ibnetdiscover(std::string_view text, std::string_view local_name, Maker& maker);
Read read_iblinkinfo(std::string_view text, std::string_view local_name, Maker& maker);
Read read_lldp_json(std::string_view text, std::string_view local_name, Maker& maker);
Read read_neighbour_table(std::string_view text, std::string_view local_name, Maker& maker);
Read read_ptm_dot(std::string_view text, std::string_view local_name, Maker& maker);
Read read_ibdm_topo(std::string_view text, std::string_view local_name, Maker& maker);
Read read_cable_csv(std::string_view text, std::string_view local_name, Maker& maker);

} // namespace hallwright::found
