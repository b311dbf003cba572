// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "design/design.h"
#include "fabric/cabling.h"
#include "fabric/netbox_devices.h"

/// What leaves the fabric as files: cable schedule, NetBox, ibdm topology, PTM, pull list, port sheets, test sheet. All
/// of them read one book, so that a cable has the same id, ends and label everywhere.
namespace hallwright {

enum class CableFile : std::uint8_t {
  schedule, ///< CSV, one line a link end to end
  netbox,   ///< CSV for NetBox's bulk import of cables
  topo,     ///< .topo of ibdm (ibdiagnet -t)
  ptm,      ///< topology.dot of the Prescriptive Topology Manager
  pull,     ///< CSV, bundles by rack pair under each tray that they lie on
  ports,    ///< CSV, every port of every rack with its far end
  tests     ///< CSV, one line a link with loss and budget, and room for what is measured
};
std::string_view cable_file_word(CableFile file); ///< "schedule" ...
/// The file of a word, or an error that lists the words.
tl::expected<CableFile, std::string> cable_file_of(std::string_view word);

/// How NetBox and PTM files call the ports of switches. Ports of nodes are numbers.
enum class PortNames : std::uint8_t {
  numbers,   ///< "34", as InfiniBand switches count and as as-built compares
  faceplate, ///< "17/2"
  swp        ///< "swp17s1", as Cumulus does
};
std::string_view port_names_word(PortNames names);
tl::expected<PortNames, std::string> port_names_of(std::string_view word);

/// A device as files tell of it.
struct CableDevice {
  std::string name;                  ///< "Compute leaf 3": network, kind, number
  std::string hall, row, rack, unit; ///< unit "41" or "41 upper half"; empty: not drawn
  Id rack_id = 0, hall_id = 0;       ///< 0: not drawn
  NetboxEnd netbox; ///< as the device list for NetBox names it
  /// TIA-606 form of its place, "DH1.C07-41"; several devices at one place get a letter; where nothing is drawn its
  /// name. Blanks are left out, '/' and ':' become '.'.
  std::string code;
};

struct CableBookNetwork {
  NetworkCabling cabling; ///< with wiring, places and plan
  std::string tag;        ///< before ports of nodes on labels: "c" compute, "s" storage, "i" in band, "m" out of band
  std::vector<CableDevice> devices;          ///< by device of the wiring
  std::vector<std::uint32_t> cable_number;   ///< by link, from 1
  std::vector<std::uint16_t> leg, legs;      ///< by link: which leg of its cable, and how many that has
  Cages leaf_cages, spine_cages, core_cages; ///< as the wiring states them, else as the part has them
  [[nodiscard]] const Cages* cages_of(std::uint32_t device) const; ///< null: a node or manager
  [[nodiscard]] std::string port_text(std::uint32_t device, Count port, PortNames names) const;
  [[nodiscard]] std::string cable_id(std::uint32_t link) const; ///< "C000123"
  /// "DH1.C07-41:12": the port as on the faceplate with '.' for '/', at nodes with the network's tag.
  [[nodiscard]] std::string end_label(std::uint32_t device, Count port) const;
  /// What is printed on an end: it, '/', the other end.
  [[nodiscard]] std::string label(std::uint32_t link, bool far_end) const;
};

/// Networks with all that files say about them.
struct CableBook {
  Design design;
  Shared<Catalog> catalog;
  std::shared_ptr<const TrayUsage> trays; ///< null: none are drawn
  std::string site;
  std::vector<CableBookNetwork> networks;
  std::vector<std::string> notes; ///< networks that are left out, and why
};

/// The book of one network (by name) or of all that are wired. Refuses: no such network, nothing wired, two networks or
/// two racks of a hall with one name (labels would not tell them apart), a port that two links use.
tl::expected<CableBook, std::string> cable_book(const Design& design, const Shared<Catalog>& catalog,
                                                const CablingResult& cabling, const std::string& network = {});

/// Told how much is done, 0 to 1; false stops the work.
using ExportProgress = std::function<bool(double share)>;
inline constexpr std::string_view export_stopped = "stopped"; ///< the error of work that was stopped

/// The text of a file: UTF-8; CSV as RFC 4180 (lines end with LF), cells that a spreadsheet would take for a
/// formula guarded as `guarded_cell` does. Lengths are metres. What is planned and not drawn has empty cells.
tl::expected<std::string, std::string> cable_file_text(const CableBook& book, CableFile file,
                                                       PortNames names = PortNames::numbers,
                                                       const ExportProgress& progress = {});

/// All ports of one rack, highest rack unit first, then by device and port.
struct RackPorts {
  Id rack = 0; ///< 0: devices that are not drawn
  std::string hall, row, name;
  struct Line {
    std::uint32_t network = 0, link = 0; ///< into the book
    bool far_end = false;                ///< the port is at the far end of its link
  };
  std::vector<Line> lines;
};
/// Racks with ports, by hall and drawing order; what is not drawn comes last.
std::vector<RackPorts> rack_ports(const CableBook& book);

/// Class of a length for sorting and labels: "3 m" for all from above 1 m to 3 m; above 2 km ">2 km"; empty for 0.
std::string length_class(double length_mm);
/// Colour of a plane (from 0), the first eight of NetBox's palette; an empty name beyond.
struct PlaneColor {
  std::string_view name, hex; ///< "blue", "2196f3"
};
PlaneColor plane_color(Count plane);

} // namespace hallwright
