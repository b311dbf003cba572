// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

/// Number formats of training: bytes, range and resolution of each, and what a named recipe multiplies and sends in.
namespace hallwright {

enum class NumberFormat : std::uint8_t { fp32, tf32, bf16, fp16, fp8_e4m3, fp8_e5m2, mxfp8, nvfp4 };

/// Facts of one format. `bytes` holds the block scales where there are any (mxfp8: one byte for 32 values, nvfp4: one
/// for 16).
struct NumberFormatFacts {
  std::string_view word;
  double bytes = 0;
  int exponent_bits = 0, mantissa_bits = 0;
  double largest = 0;         ///< finite value
  double smallest_normal = 0; ///< below it resolution is lost
  double smallest_subnormal = 0;
  /// Half a step at 1: an update smaller than this share of a weight vanishes when added in the format.
  [[nodiscard]] double lost_update_share() const;
};
/// @source IEEE 754; bfloat16; OCP 8-bit floating point 1.0; OCP microscaling 1.0; NVFP4 as NVIDIA describes it
const NumberFormatFacts& number_format(NumberFormat f);

/// How matrix products of a step are done; norms, softmax, loss and optimizer stay in 16 or 32 bits.
enum class PrecisionRecipe : std::uint8_t { fp32, tf32, half, fp8, fp8_block, mxfp8, nvfp4 };
/// "bf16", "16-bit mixed", "fp8", "fp8-cs", "fp8-mx", "nvfp4"...; nothing when the word is not known.
std::optional<PrecisionRecipe> precision_recipe(std::string_view word);
std::string_view precision_word(PrecisionRecipe r);
/// Bytes of an operand of a matrix product, scales included.
double operand_bytes(PrecisionRecipe r);

} // namespace hallwright
