// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <memory>
#include <vector>

#include <QColor>
#include <QString>

#include "design/entities.h"
#include "fabric/wiring.h"

/// One network as the Fabric workspace shows it: its wiring, and what is known of each device and link beside it.
namespace hallwright::wired {

/// Where a device stands; `rack` 0: not drawn.
struct Place {
  Id rack = 0;
  Count lowest_half_unit = 0; ///< from 1; 0: not known
};

/// What failed: stated by the user (crossed out), or lost with something that was stated.
enum class Outage : std::uint8_t { none, stated, lost };

/// Vectors by device or by link are empty where nothing is known of any of them.
struct Picture {
  Id network = 0;
  QString name;
  std::shared_ptr<const Wiring> wiring;
  std::vector<Place> places; ///< by device
  std::map<Id, QString> rack_names;
  std::vector<float> length_m, ordered_m; ///< by link; NaN: not known
  std::vector<bool> estimated;            ///< by link: its length is an estimate
  std::vector<LinkMedium> medium;         ///< by link
  std::vector<std::uint16_t> cable;       ///< by link: into `cables`
  QStringList cables;                     ///< names of cable parts
  std::vector<float> load;                ///< by link: time for the bytes of a step, against the worst link's
  std::vector<double> bytes;              ///< by link: of a step, in the fuller direction
  std::vector<Outage> device_outage, link_outage;
  std::vector<std::uint32_t> marked_links; ///< in another place than planned, as-built

  [[nodiscard]] bool shows() const { return wiring && !wiring->devices.empty(); }
  [[nodiscard]] Outage outage_of_device(std::uint32_t d) const {
    return d < device_outage.size() ? device_outage[d] : Outage::none;
  }
  [[nodiscard]] Outage outage_of_link(std::uint32_t l) const {
    return l < link_outage.size() ? link_outage[l] : Outage::none;
  }
  [[nodiscard]] const Cages& cages_of(std::uint32_t device) const;
  /// Ports of a switch, counted in links; 0 for nodes.
  [[nodiscard]] Count ports_of(std::uint32_t device) const;
  /// Ports that the design keeps free on a switch: its last ones.
  [[nodiscard]] Count reserved_ports_of(std::uint32_t device) const;
};

// Words for the screen.
QString device_title(const Picture& picture, std::uint32_t device);           ///< "Leaf 3"
QString device_words(const Picture& picture, std::uint32_t device);           ///< several lines, for a tooltip
QString place_words(const Picture& picture, std::uint32_t device);            ///< "R03-12 U17", or empty
QString port_words(const Picture& picture, std::uint32_t device, Count port); ///< "17/1"
/// "leaf 3 port 12" as rows of `Design::failures` name a link, by the end that is a switch and nearer to the nodes.
std::string link_element(const Wiring& wiring, std::uint32_t link);
QString link_title(const Picture& picture, std::uint32_t link); ///< "Node 1 port 3 – leaf 3 port 1"
QString link_words(const Picture& picture, std::uint32_t link); ///< several lines, for a tooltip
QString tier_name(DeviceKind kind, bool dragonfly = false);     ///< "Leafs"
QString link_class_name(LinkClass kind);                        ///< "Node – leaf"
QString medium_name(LinkMedium medium);

enum class ColorBy : std::uint8_t { rail, plane, length, medium, load, failure };

/// Links sorted into classes of one colour and stroke each.
struct LinkColors {
  struct Entry {
    QString name;
    QColor color;
    Qt::PenStyle stroke = Qt::SolidLine;
    Count links = 0;
  };
  QString title;
  std::vector<Entry> entries;
  std::vector<std::uint8_t> of_link; ///< into `entries`; empty: all are of the first
  [[nodiscard]] std::size_t entry(std::uint32_t link) const { return link < of_link.size() ? of_link[link] : 0; }
};
LinkColors link_colors(const Picture& picture, ColorBy by);
QString color_by_name(ColorBy by);

} // namespace hallwright::wired
