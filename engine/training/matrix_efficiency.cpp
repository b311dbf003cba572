// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/matrix_efficiency.h"

#include <algorithm>
#include <cmath>

namespace hallwright {
namespace {

double filled(double rows, double columns, double m, double n, double count, double processors, double weight) {
  const double across = std::ceil(m / rows), down = std::ceil(n / columns);
  const double edges = m * n / (across * rows * down * columns);
  const double waves = across * down * count / processors;
  const double whole = std::ceil(waves - 1e-9);
  return edges / (1.0 + weight * (whole / waves - 1.0));
}

} // namespace

double tile_share(const MatrixRates& r, double m, double n, double count) {
  // A smaller tile fills better and reads its operands more often: 8 % is what that costs.
  const double large = filled(r.tile_rows, r.tile_columns, m, n, count, r.processors, r.wave_weight);
  const double small = 0.92 * filled(r.tile_rows, r.tile_columns * 0.5, m, n, count, r.processors, r.wave_weight);
  return std::max(large, small);
}

double matrix_seconds(const MatrixRates& r, double m, double n, double k, double count) {
  const double flops = 2.0 * m * n * k * count;
  const double rate = r.peak_tflops * 1e12 * r.share * tile_share(r, m, n, count) * k / (k + r.ramp_k);
  const double bytes = ((m * k + k * n) * r.operand_bytes + m * n * r.result_bytes) * count;
  return std::max(flops / rate, bytes / (r.memory_gb_s * 1e9));
}

} // namespace hallwright
