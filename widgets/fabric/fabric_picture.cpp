// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/fabric/fabric_picture.h"

#include <algorithm>
#include <cmath>

#include <QCoreApplication>
#include <QLocale>

#include <fmt/format.h>

#include "widgets/figure_text.h"
#include "widgets/theme.h"

namespace hallwright::wired {
namespace {

QString tr(const char* text) { return QCoreApplication::translate("Fabric", text); }

/// Okabe-Ito; its yellow and grey are too faint for lines on a light ground.
QColor class_color(std::size_t i) {
  const bool dark = theme().dark;
  static const std::array<const char*, 8> light{"#0072b2", "#d98a00", "#009e73", "#c0619a",
                                                "#3c9fd8", "#d55e00", "#8a7a00", "#5f6b76"};
  static const std::array<const char*, 8> on_dark{"#4aa3e0", "#e69f00", "#2fc498", "#de92bd",
                                                  "#86cdf5", "#f0813c", "#e2d64a", "#b4bcc4"};
  return QColor(QLatin1String((dark ? on_dark : light)[i % 8]));
}

QString meters_text(double m) {
  return screen_number(m, 'f', m < 9.95 ? 1 : m < 99.5 ? 1 : 0) + QStringLiteral("\u2009m");
}

constexpr std::array<double, 7> length_steps{2, 3, 5, 10, 30, 50, 100};
constexpr std::array<double, 5> load_steps{0.25, 0.5, 0.75, 0.9, 1.0};

} // namespace

const Cages& Picture::cages_of(std::uint32_t device) const {
  const WiringRequest& q = wiring->request;
  switch (wiring->devices[device].kind) {
  case DeviceKind::spine:
    return q.spine_cages;
  case DeviceKind::core:
    return q.core_cages;
  default:
    return q.leaf_cages;
  }
}

Count Picture::ports_of(std::uint32_t device) const {
  const FabricRequest& q = wiring->request.counts;
  Count ports = 0;
  switch (wiring->devices[device].kind) {
  case DeviceKind::leaf:
    ports = q.radix;
    break;
  case DeviceKind::spine:
    ports = q.spine_radix > 0 ? q.spine_radix : q.radix;
    break;
  case DeviceKind::core:
    ports = q.core_radix > 0 ? q.core_radix : q.spine_radix > 0 ? q.spine_radix : q.radix;
    break;
  default:
    return 0;
  }
  for (const std::uint32_t l : wiring->at_device(device)) {
    const WiredLink& link = wiring->links[l];
    ports = std::max<Count>(ports, link.near == device ? link.near_port : link.far_port);
  }
  return ports;
}

Count Picture::reserved_ports_of(std::uint32_t device) const {
  switch (wiring->devices[device].kind) {
  case DeviceKind::leaf:
    return wiring->request.counts.reserved_leaf_ports;
  case DeviceKind::spine:
    return wiring->request.counts.reserved_spine_ports;
  default:
    return 0;
  }
}

QString tier_name(DeviceKind kind, bool dragonfly) {
  switch (kind) {
  case DeviceKind::node:
    return tr("Nodes");
  case DeviceKind::manager:
    return tr("Managers");
  case DeviceKind::leaf:
    return dragonfly ? tr("Switches") : tr("Leafs");
  case DeviceKind::spine:
    return tr("Spines");
  case DeviceKind::core:
    return tr("Cores");
  }
  return {};
}

QString link_class_name(LinkClass kind) {
  switch (kind) {
  case LinkClass::node_leaf:
    return tr("Node \u2013 leaf");
  case LinkClass::leaf_spine:
    return tr("Leaf \u2013 spine");
  case LinkClass::spine_core:
    return tr("Spine \u2013 core");
  case LinkClass::group_local:
    return tr("Within groups");
  case LinkClass::group_global:
    return tr("Between groups");
  }
  return {};
}

QString medium_name(LinkMedium medium) {
  switch (medium) {
  case LinkMedium::automatic:
    return tr("not chosen");
  case LinkMedium::passive_copper:
    return tr("passive copper");
  case LinkMedium::active_copper:
    return tr("active copper");
  case LinkMedium::active_optical:
    return tr("active optical");
  case LinkMedium::multimode:
    return tr("multimode fibre");
  case LinkMedium::single_mode:
    return tr("single-mode fibre");
  }
  return {};
}

QString device_title(const Picture& p, std::uint32_t device) {
  QString name = QString::fromStdString(p.wiring->device_name(device));
  if (!name.isEmpty()) name[0] = name[0].toUpper();
  return name;
}

QString place_words(const Picture& p, std::uint32_t device) {
  if (device >= p.places.size() || p.places[device].rack == 0) return {};
  const auto name = p.rack_names.find(p.places[device].rack);
  if (name == p.rack_names.end()) return {};
  const Count half = p.places[device].lowest_half_unit;
  if (half <= 0) return name->second;
  const QString unit =
      half % 2 == 1 ? QString::number((half + 1) / 2) : screen_number(static_cast<double>(half + 1) / 2, 'f', 1);
  return tr("%1 U%2").arg(name->second, unit);
}

QString port_words(const Picture& p, std::uint32_t device, Count port) {
  const DeviceKind kind = p.wiring->devices[device].kind;
  if (kind == DeviceKind::node || kind == DeviceKind::manager) return QString::number(port);
  return QString::fromStdString(p.cages_of(device).port_name(port));
}

QString device_words(const Picture& p, std::uint32_t device) {
  const Wiring& w = *p.wiring;
  const WiredDevice& d = w.devices[device];
  QStringList lines{device_title(p, device)};
  QStringList where;
  const bool leaf = d.kind == DeviceKind::leaf;
  if (d.kind == DeviceKind::node || d.kind == DeviceKind::manager || leaf) where << tr("unit %1").arg(d.unit + 1);
  if (w.counts.pods > 1 && (leaf || d.kind == DeviceKind::spine)) where << tr("pod %1").arg(d.pod + 1);
  if (leaf && w.request.counts.rails) where << tr("rail %1").arg(d.rail + 1);
  if (w.request.counts.planes > 1 && d.kind >= DeviceKind::leaf) where << tr("plane %1").arg(d.plane + 1);
  if (!where.isEmpty()) lines << where.join(QStringLiteral(", "));
  const QString place = place_words(p, device);
  lines << (place.isEmpty() ? tr("not placed in a rack") : place);
  const auto links = w.at_device(device);
  if (d.kind >= DeviceKind::leaf) {
    std::size_t up = 0;
    for (const std::uint32_t l : links)
      up += w.links[l].near == device;
    lines << tr("%1 of %2 ports used: %3 down, %4 up")
                 .arg(links.size())
                 .arg(p.ports_of(device))
                 .arg(links.size() - up)
                 .arg(up);
  } else {
    lines << tr("%1 links").arg(links.size());
  }
  if (p.outage_of_device(device) == Outage::stated) lines << tr("taken out of service");
  if (p.outage_of_device(device) == Outage::lost) lines << tr("cut off by failures");
  return lines.join(QLatin1Char('\n'));
}

std::string link_element(const Wiring& wiring, std::uint32_t link) {
  const WiredLink& l = wiring.links[link];
  const bool near_switch = wiring.devices[l.near].kind >= DeviceKind::leaf;
  return fmt::format("link {} port {}", wiring.device_name(near_switch ? l.near : l.far),
                     near_switch ? l.near_port : l.far_port);
}

QString link_title(const Picture& p, std::uint32_t link) {
  const WiredLink& l = p.wiring->links[link];
  return tr("%1 port %2 \u2013 %3 port %4")
      .arg(device_title(p, l.near), port_words(p, l.near, l.near_port),
           QString::fromStdString(p.wiring->device_name(l.far)), port_words(p, l.far, l.far_port));
}

QString link_words(const Picture& p, std::uint32_t link) {
  const WiredLink& l = p.wiring->links[link];
  QStringList lines;
  const auto end = [&](std::uint32_t device, Count port) {
    const QString place = place_words(p, device);
    const QString name = tr("%1, port %2").arg(device_title(p, device), port_words(p, device, port));
    return place.isEmpty() ? name : name + QStringLiteral("  \u00b7  ") + place;
  };
  lines << end(l.near, l.near_port) << end(l.far, l.far_port);
  QStringList facts;
  if (link < p.length_m.size() && std::isfinite(p.length_m[link])) {
    const double m = static_cast<double>(p.length_m[link]);
    const bool guess = link < p.estimated.size() && p.estimated[link];
    facts << (guess ? tr("%1 estimated").arg(meters_text(m)) : meters_text(m));
    if (link < p.ordered_m.size() && std::isfinite(p.ordered_m[link]))
      facts << tr("ordered as %1").arg(meters_text(static_cast<double>(p.ordered_m[link])));
  }
  if (link < p.medium.size()) facts << medium_name(p.medium[link]);
  if (!facts.isEmpty()) lines << facts.join(QStringLiteral("  \u00b7  "));
  if (link < p.cable.size() && p.cable[link] < p.cables.size()) lines << p.cables[p.cable[link]];
  if (link < p.load.size() && std::isfinite(p.load[link])) {
    const QString share = screen_number(static_cast<double>(p.load[link]) * 100, 'f', 1);
    const QString bytes = link < p.bytes.size() ? QLocale().formattedDataSize(static_cast<qint64>(p.bytes[link]), 2,
                                                                              QLocale::DataSizeSIFormat)
                                                : QString();
    lines << (bytes.isEmpty() ? tr("load %1 % of the worst link's").arg(share)
                              : tr("%1 a step, %2 % of the worst link's time").arg(bytes, share));
  }
  if (p.wiring->request.counts.rails && l.kind == LinkClass::node_leaf) lines << tr("rail %1").arg(l.rail + 1);
  if (p.wiring->request.counts.planes > 1) lines << tr("plane %1").arg(l.plane + 1);
  if (!l.lit) lines << tr("built, not lit: no node needs it yet");
  if (p.outage_of_link(link) == Outage::stated) lines << tr("taken out of service");
  if (p.outage_of_link(link) == Outage::lost) lines << tr("lost with what failed");
  return lines.join(QLatin1Char('\n'));
}

QString color_by_name(ColorBy by) {
  switch (by) {
  case ColorBy::rail:
    return tr("Rail");
  case ColorBy::plane:
    return tr("Plane");
  case ColorBy::length:
    return tr("Length class");
  case ColorBy::medium:
    return tr("Medium");
  case ColorBy::load:
    return tr("Load");
  case ColorBy::failure:
    return tr("Failure");
  }
  return {};
}

LinkColors link_colors(const Picture& p, ColorBy by) {
  LinkColors out;
  out.title = color_by_name(by);
  if (!p.shows()) return out;
  const Wiring& w = *p.wiring;
  const std::size_t n = w.links.size();
  const QColor quiet = theme().dark ? QColor("#7d8b98") : QColor("#8b98a5");
  const auto entry = [&](const QString& name, const QColor& color, Qt::PenStyle stroke = Qt::SolidLine) {
    out.entries.push_back({name, color, stroke, 0});
    return static_cast<std::uint8_t>(out.entries.size() - 1);
  };
  out.of_link.resize(n);
  switch (by) {
  case ColorBy::rail: {
    std::uint16_t most = 0;
    for (const WiredLink& l : w.links)
      if (l.kind == LinkClass::node_leaf) most = std::max(most, l.rail);
    const bool rails = w.request.counts.rails && most > 0;
    const std::size_t shown = rails ? std::min<std::size_t>(most + 1U, 8) : 0;
    for (std::size_t r = 0; r < shown; ++r) {
      QStringList numbers;
      for (std::size_t k = r; k <= most && numbers.size() < 4; k += 8)
        numbers << QString::number(k + 1);
      entry((numbers.size() > 1 ? tr("Rails %1") : tr("Rail %1")).arg(numbers.join(QStringLiteral(", "))),
            class_color(r));
    }
    const std::uint8_t other = entry(rails ? tr("Between switches") : tr("All links, no rails"), quiet);
    for (std::size_t i = 0; i < n; ++i) {
      const WiredLink& l = w.links[i];
      std::uint8_t c = other;
      if (rails && l.kind == LinkClass::node_leaf) c = static_cast<std::uint8_t>(l.rail % 8);
      // A leaf of a rail sends that rail's traffic on.
      if (rails && l.kind == LinkClass::leaf_spine) c = static_cast<std::uint8_t>(w.devices[l.near].rail % 8);
      out.of_link[i] = c;
    }
    break;
  }
  case ColorBy::plane: {
    const Count planes = std::max<Count>(1, w.request.counts.planes);
    for (Count k = 0; k < std::min<Count>(planes, 8); ++k) {
      QStringList numbers;
      for (Count i = k; i < planes && numbers.size() < 4; i += 8)
        numbers << QString::number(i + 1);
      entry((numbers.size() > 1 ? tr("Planes %1") : tr("Plane %1")).arg(numbers.join(QStringLiteral(", "))),
            class_color(static_cast<std::size_t>(k)));
    }
    for (std::size_t i = 0; i < n; ++i)
      out.of_link[i] = static_cast<std::uint8_t>(w.links[i].plane % 8);
    break;
  }
  case ColorBy::length: {
    for (std::size_t k = 0; k < length_steps.size(); ++k) {
      const double share = static_cast<double>(k) / static_cast<double>(length_steps.size());
      entry(tr("up to %1").arg(screen_number(length_steps[k], 'f', 0) + QStringLiteral("\u2009m")),
            amount_color(0.25 + 0.75 * share));
    }
    const std::uint8_t beyond = entry(tr("over %1").arg(QStringLiteral("100\u2009m")), theme().amber);
    const std::uint8_t unknown = entry(tr("not known"), quiet, Qt::DotLine);
    for (std::size_t i = 0; i < n; ++i) {
      const float m = i < p.length_m.size() ? p.length_m[i] : std::nanf("");
      if (!std::isfinite(m)) {
        out.of_link[i] = unknown;
        continue;
      }
      const auto at = std::lower_bound(length_steps.begin(), length_steps.end(), static_cast<double>(m) - 1e-6);
      out.of_link[i] = at == length_steps.end() ? beyond : static_cast<std::uint8_t>(at - length_steps.begin());
    }
    break;
  }
  case ColorBy::medium: {
    constexpr std::array strokes{Qt::DotLine,     Qt::SolidLine, Qt::DashLine,
                                 Qt::DashDotLine, Qt::DashLine,  Qt::SolidLine};
    constexpr std::array<std::size_t, 6> colors{7, 5, 1, 3, 2, 0};
    for (std::size_t k = 0; k < colors.size(); ++k)
      entry(medium_name(static_cast<LinkMedium>(k)), k == 0 ? quiet : class_color(colors[k]), strokes[k]);
    for (std::size_t i = 0; i < n; ++i)
      out.of_link[i] = i < p.medium.size()
                           ? static_cast<std::uint8_t>(std::min<std::size_t>(static_cast<std::size_t>(p.medium[i]), 5))
                           : 0;
    break;
  }
  case ColorBy::load: {
    double low = 0;
    for (std::size_t k = 0; k < load_steps.size(); ++k) {
      const auto percent = [](double v) { return QString::number(qRound(v * 100)); };
      entry(tr("%1 to %2 %").arg(percent(low), percent(load_steps[k])), amount_color(0.2 + 0.8 * load_steps[k]));
      low = load_steps[k];
    }
    const std::uint8_t over = entry(tr("over 100 %"), theme().red);
    const std::uint8_t unknown = entry(tr("not known"), quiet, Qt::DotLine);
    for (std::size_t i = 0; i < n; ++i) {
      const float v = i < p.load.size() ? p.load[i] : std::nanf("");
      if (!std::isfinite(v)) {
        out.of_link[i] = unknown;
        continue;
      }
      const auto at = std::lower_bound(load_steps.begin(), load_steps.end(), static_cast<double>(v) - 1e-6);
      out.of_link[i] = at == load_steps.end() ? over : static_cast<std::uint8_t>(at - load_steps.begin());
    }
    break;
  }
  case ColorBy::failure: {
    const std::uint8_t good = entry(tr("in service"), theme().dark ? QColor("#6d93bd") : QColor("#7f9cbb"));
    const std::uint8_t dark = entry(tr("built, not lit"), quiet, Qt::DotLine);
    const std::uint8_t lost = entry(tr("lost with what failed"), theme().amber, Qt::DashLine);
    const std::uint8_t out_of_service = entry(tr("taken out of service"), theme().red, Qt::DashLine);
    for (std::size_t i = 0; i < n; ++i) {
      const Outage o = p.outage_of_link(static_cast<std::uint32_t>(i));
      out.of_link[i] = o == Outage::stated ? out_of_service : o == Outage::lost ? lost : w.links[i].lit ? good : dark;
    }
    break;
  }
  }
  for (const std::uint8_t c : out.of_link)
    ++out.entries[c].links;
  // Classes that no link has are left out of the legend by the view; their places stay.
  return out;
}

} // namespace hallwright::wired
