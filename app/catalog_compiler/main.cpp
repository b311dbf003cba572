// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdio>

#include "catalog/catalog.h"

/// Compiles the text catalog of a folder into one file. Exit codes: 0 done, 2 wrong use, 3 refused.
int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: hallwright-catalog-compiler FOLDER FILE.sqlite\n");
    return 2;
  }
  auto catalog = hallwright::read_catalog_text(argv[1]);
  if (!catalog) {
    for (const std::string& problem : catalog.error()) std::fprintf(stderr, "%s\n", problem.c_str());
    return 3;
  }
  if (auto written = hallwright::write_catalog_file(*catalog, argv[2]); !written) {
    std::fprintf(stderr, "%s\n", written.error().c_str());
    return 3;
  }
  return 0;
}
