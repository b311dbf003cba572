// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "catalog/catalog.h"

namespace hallwright::test {

/// A default of the catalog with a value that the test works with by hand. A catalog's list is ordered by id.
inline Assumption assumption_of(std::string id, double value, std::string unit) {
  Assumption a;
  a.id = std::move(id);
  a.name = a.id;
  a.value = value;
  a.unit = std::move(unit);
  a.source = "test";
  return a;
}

} // namespace hallwright::test
