// SPDX-License-Identifier: GPL-3.0-or-later
#include "space/tray_steps.h"

#include <algorithm>
#include <utility>

namespace hallwright {

TrayLoad fullest(Id tray, std::vector<TrayStep>& steps) {
  // What ends at a place is taken off before what begins there is put on.
  std::stable_sort(steps.begin(), steps.end(), [](const TrayStep& a, const TrayStep& b) {
    return std::pair(a.at, a.cables > 0) < std::pair(b.at, b.cables > 0);
  });
  TrayLoad load;
  load.tray = tray;
  double area = 0, mass = 0;
  Count cables = 0;
  for (const TrayStep& s : steps) {
    cables += s.cables;
    area = cables == 0 ? 0.0 : area + s.area;
    mass = cables == 0 ? 0.0 : mass + s.mass;
    if (area > load.area_mm2 * (1 + 1e-12)) load.area_mm2 = area, load.cables = cables, load.at_mm = s.at;
    load.mass_kg_m = std::max(load.mass_kg_m, mass);
  }
  return load;
}

} // namespace hallwright
