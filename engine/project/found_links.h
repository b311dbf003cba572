// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

/// What a network says about itself: devices and links as discovery programs, neighbour tables and cable lists tell
/// them.
///
/// One structure for all formats, so that a plan read from a file and a network read from a dump are compared alike.
namespace hallwright {

enum class FoundFormat : std::uint8_t {
  automatic,     ///< recognised from the first lines
  ibnetdiscover, ///< both forms of ibnetdiscover, and net files of ibsim
  iblinkinfo,    ///< with and without -l
  lldp_json,     ///< lldpd (json, json0), EOS, NetQ graph
  neighbours,    ///< tables of SONiC, EOS, NX-OS
  ptm,           ///< topology.dot
  topo,          ///< ibdm .topo
  csv            ///< cable lists: own schedule, NetBox, AVD
};
/// "ibnetdiscover", "iblinkinfo", "lldp-json", "neighbours", "ptm", "topo", "csv", "auto".
std::string_view found_format_word(FoundFormat format);
/// The format of a word, or an error that lists the words.
tl::expected<FoundFormat, std::string> found_format_of(std::string_view word);

enum class FoundKind : std::uint8_t { unknown, host, network_switch, router };

/// A port as a file names it. 0: not told. Below the named bit: a number, from 1. Else an index into `port_names`.
using PortKey = std::uint32_t;
constexpr PortKey named_port = 0x8000'0000U;
constexpr std::uint32_t no_device = std::numeric_limits<std::uint32_t>::max();

/// A switch, a host, or one adapter of a host: what has an identity of its own.
struct FoundDevice {
  std::string name;             ///< the device, without what programs put around it: "LEAF-R04-K04", "rk04-tray01"
  std::string adapter;          ///< "mlx5_5" where the name tells which adapter of the node it is
  std::string rack, unit_place; ///< of a cable list: rack, and its unit in it ("41")
  std::uint64_t guid = 0;       ///< GUID, or a MAC in its low 48 bits; 0: not told
  std::uint64_t system = 0;     ///< system image GUID; 0: not told
  std::uint32_t lid = 0;        ///< local id of the subnet; 0: not told
  std::uint32_t ports = 0;      ///< 0: not told
  std::uint32_t line = 0;       ///< where it was first told, from 1
  std::uint16_t file = 0;
  FoundKind kind = FoundKind::unknown;
  bool own_record = false; ///< told by itself, not only as another's peer
};

struct FoundLink {
  std::uint32_t near = no_device, far = no_device; ///< devices; far is none for a dark port
  PortKey near_port = 0, far_port = 0;
  float lane_gbps = 0.0F; ///< nominal rate of a lane; 0: not told
  std::uint8_t lanes = 0; ///< 0: not told
  bool both_ends = false; ///< told from both ends
  std::uint16_t file = 0;
  std::uint32_t message = 0; ///< into `messages`: what the program remarks ("Could be 4X / 53.125 Gbps"); 0: nothing
  std::uint32_t label = 0;   ///< into `messages`: label of the cable; 0: none
  std::uint32_t line = 0;
  std::int16_t rail = -1, plane = -1; ///< of a cable list, from 0
};

struct FoundLinks {
  std::vector<FoundDevice> devices;
  std::vector<FoundLink> links; ///< each once; aggregation nodes inside switches are left out
  std::vector<FoundLink> dark;  ///< ports that were told to have no peer
  std::vector<std::string> port_names, messages, files, notes;
  std::size_t aggregation_links = 0; ///< left out
  std::vector<FoundFormat> formats;  ///< of each file
  [[nodiscard]] std::string port_text(PortKey port) const;
  /// Name, or the identity of a device without one: "S-2c5eab0301f01b40".
  [[nodiscard]] std::string device_text(std::uint32_t device) const;
};

/// One file: its text and its name. A neighbour table speaks for one switch, whose name is the file's without ending,
/// unless a prompt in the file tells it.
struct FoundSource {
  std::string_view text;
  std::string name;
};

/// Reads one or several files of one network. An error names file, line, what was found and what is allowed.
tl::expected<FoundLinks, std::string> read_found_links(std::span<const FoundSource> sources,
                                                       FoundFormat format = FoundFormat::automatic);

/// True for a name that says nothing about which device it is: empty, the factory's text, "localhost".
bool says_nothing(std::string_view name);

/// Nominal rate of a lane [Gb/s]: "NDR" is 100, "EDR" 25; 0 for what is not known.
float lane_rate(std::string_view word);
/// "4xNDR" of lanes and rate, or "4x 53.125 Gb/s" where the rate has no name.
std::string rate_text(int lanes, float lane_gbps);

} // namespace hallwright
