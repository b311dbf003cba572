// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/number_formats.h"

#include <array>
#include <cmath>
#include <string>

namespace hallwright {

double NumberFormatFacts::lost_update_share() const { return std::ldexp(1.0, -mantissa_bits - 1); }

const NumberFormatFacts& number_format(NumberFormat f) {
  static const std::array<NumberFormatFacts, 8> facts{{
      {"fp32", 4, 8, 23, 3.4028234663852886e38, 1.1754943508222875e-38, 1.401298464324817e-45},
      {"tf32", 4, 8, 10, 3.4011621342146535e38, 1.1754943508222875e-38, 1.1479437019748901e-41},
      {"bf16", 2, 8, 7, 3.3895313892515355e38, 1.1754943508222875e-38, 9.183549615799121e-41},
      {"fp16", 2, 5, 10, 65504, 6.103515625e-5, 5.9604644775390625e-8},
      {"fp8_e4m3", 1, 4, 3, 448, 0.015625, 0.001953125},
      {"fp8_e5m2", 1, 5, 2, 57344, 6.103515625e-5, 1.52587890625e-5},
      {"mxfp8", 1.0 + 1.0 / 32, 4, 3, 448, 0.015625, 0.001953125},
      {"nvfp4", 0.5 + 1.0 / 16, 2, 1, 6, 1, 0.5},
  }};
  return facts[static_cast<std::size_t>(f)];
}

std::optional<PrecisionRecipe> precision_recipe(std::string_view word) {
  std::string w;
  for (char c : word)
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
      w += c;
    else if (c >= 'A' && c <= 'Z')
      w += static_cast<char>(c - 'A' + 'a');
  const auto has = [&](std::string_view part) { return w.find(part) != std::string::npos; };
  if (has("fp4")) return PrecisionRecipe::nvfp4;
  if (has("mxfp8") || has("fp8mx")) return PrecisionRecipe::mxfp8;
  if (has("fp8") && (has("sub") || has("block") || has("sc"))) return PrecisionRecipe::fp8_block;
  if (has("fp8") || w == "float8") return PrecisionRecipe::fp8;
  if (has("bf16") || has("fp16") || has("16bit") || has("float16") || w == "half" || w == "mixed")
    return PrecisionRecipe::half;
  if (has("tf32")) return PrecisionRecipe::tf32;
  if (has("fp32") || has("float32")) return PrecisionRecipe::fp32;
  return std::nullopt;
}

std::string_view precision_word(PrecisionRecipe r) {
  constexpr std::array<std::string_view, 7> words{"fp32", "tf32", "16 bit", "fp8", "fp8 in blocks", "mxfp8", "nvfp4"};
  return words[static_cast<std::size_t>(r)];
}

double operand_bytes(PrecisionRecipe r) {
  constexpr std::array<double, 7> bytes{4, 4, 2, 1, 1.0 + 1.0 / 32, 1.0 + 1.0 / 32, 0.5 + 1.0 / 16};
  return bytes[static_cast<std::size_t>(r)];
}

} // namespace hallwright
