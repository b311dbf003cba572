// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

/// Time of one matrix product by its shape: tiles and waves over the processors of a GPU, the ramp of a short inner
/// dimension, and the bytes that must pass. Plain numbers, no allocation. Every result is an estimate.
namespace hallwright {

/// What a GPU reaches in one format.
struct MatrixRates {
  double peak_tflops = 989; ///< dense
  double share = 0.75;      ///< of the peak that a large product sustains at the clock that its power allows
  double processors = 132;  ///< that tiles are dealt to
  double tile_rows = 128, tile_columns = 256;
  double ramp_k = 300;       ///< inner length at which half of the time goes into filling and draining a tile
  double wave_weight = 0.5;  ///< 0: a part-filled last wave costs nothing (split work); 1: a whole wave
  double memory_gb_s = 3000; ///< sustained
  double operand_bytes = 2, result_bytes = 2;
};

/// Seconds of `count` products of (m x k) by (k x n), launched together.
/// @param m, n, k [count], above 0; count, at least 1
double matrix_seconds(const MatrixRates& r, double m, double n, double k, double count = 1);

/// Share of the last wave's work: tiles over processors, and edges of tiles that hold nothing (0 to 1).
double tile_share(const MatrixRates& r, double m, double n, double count = 1);

} // namespace hallwright
