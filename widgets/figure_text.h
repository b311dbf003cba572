// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "ledger/figure.h"
#include "quantity/text.h"

/// Figures as words on the screen, with the decimal mark of the locale. Three significant digits; full on hover.
namespace hallwright {

/// Decimal mark of the present locale.
DecimalMark screen_decimal_mark();
/// "21.3 MW", "at least 41 m", "not applicable".
QString screen_text(const Figure& figure, int significant = 3);
QString screen_text(double base_value, const Kind& kind, int significant = 3, std::string_view unit = {});
QuantityText screen_quantity(double base_value, const Kind& kind, int significant = 3, std::string_view unit = {});
QString screen_field(const FieldInfo& field, const FieldValue& value);
/// A limit in the unit of the figure that it bounds.
QString screen_limit(const Figure& figure, const Figure& limit);
/// Tooltip: label, full value, completeness in words, reason, formula, source.
QString figure_tooltip(const Figure& figure);
/// "1 rack", "12 racks": `one` holds the whole phrase, `many` has %1 for the number.
QString counted(qint64 n, const QString& one, const QString& many);
inline QString to_qstring(std::string_view s) { return QString::fromUtf8(s.data(), static_cast<qsizetype>(s.size())); }

} // namespace hallwright
