// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/plan_length.h"

#include <cmath>

#include <QLocale>

#include "widgets/figure_text.h"
#include "widgets/plan/plan_canvas.h"

namespace hallwright::plan {
namespace {

LengthStyle present_style = LengthStyle::metric;
constexpr double mm_per_inch = 25.4;

/// "12 ft 4.5 in", trailing zeros of the inches left out.
QString feet_and_inches(double mm, int decimals) {
  const double power = std::pow(10.0, decimals);
  const double inches = std::round(std::abs(mm) / mm_per_inch * power) / power;
  const double feet = std::floor(inches / 12.0 + 1e-9);
  QString rest = screen_number(std::abs(inches - 12.0 * feet), 'f', decimals);
  const QString mark = QLocale().decimalPoint();
  if (decimals > 0 && rest.contains(mark)) {
    while (rest.endsWith(QLatin1Char('0')))
      rest.chop(1);
    if (rest.endsWith(mark)) rest.chop(mark.size());
  }
  const QString sign = mm < 0 && inches > 0 ? QStringLiteral("-") : QString();
  if (feet < 1) return sign + rest + QStringLiteral(" in");
  const QString whole = screen_number(feet, 'f', 0) + QStringLiteral(" ft");
  return sign + (rest == QLatin1String("0") ? whole : whole + QLatin1Char(' ') + rest + QStringLiteral(" in"));
}

} // namespace

LengthStyle length_style() { return present_style; }
void set_length_style(LengthStyle style) { present_style = style; }

QString length_text(double mm, int decimals) {
  if (present_style == LengthStyle::imperial) return feet_and_inches(mm, std::max(0, decimals - 1));
  return screen_number(mm / 1000.0, 'f', decimals) + QStringLiteral(" m");
}

QString exact_length_text(double mm) {
  if (present_style == LengthStyle::imperial) return feet_and_inches(mm, 2);
  const bool whole_centimetres = std::abs(mm / 10 - std::round(mm / 10)) < 0.005;
  return screen_number(mm / 1000.0, 'f', whole_centimetres ? 2 : 3) + QStringLiteral(" m");
}

QString level_text(double mm) { return (mm >= 0 ? QStringLiteral("+") : QString()) + length_text(mm, 2); }

QString extent_text(double mm) {
  const int least = std::abs(mm) < 10000 ? 2 : 1;
  if (present_style == LengthStyle::imperial) return length_text(mm, 2);
  // Digits that were typed stand there, to the millimetre.
  const auto whole = std::llround(mm);
  return length_text(mm, std::max(least, whole % 100 == 0 ? 1 : whole % 10 == 0 ? 2 : 3));
}

QString size_text(double mm) {
  if (present_style == LengthStyle::imperial) return feet_and_inches(mm, 1);
  return screen_number(mm, 'f', std::abs(mm - std::round(mm)) < 0.05 ? 0 : 1) + QStringLiteral(" mm");
}

namespace {
std::optional<double> read(const QString& typed, const Kind& kind, std::string_view unit, double factor,
                           QString* problem) {
  const auto value = parse_quantity(typed.toStdString(), kind, screen_decimal_mark(), unit);
  if (value) return *value * factor;
  if (problem) *problem = QString::fromStdString(value.error());
  return std::nullopt;
}
} // namespace

std::optional<double> read_length(const QString& typed, QString* problem) {
  return read(typed, kind::length, present_style == LengthStyle::imperial ? "ft" : "m", 1000.0, problem);
}
std::optional<double> read_angle(const QString& typed, QString* problem) {
  return read(typed, kind::angle, "deg", 57.29577951308232, problem);
}

} // namespace hallwright::plan
