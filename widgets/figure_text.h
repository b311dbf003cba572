// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <concepts>

#include <QString>
#include <QStringList>

#include "ledger/figure.h"
#include "quantity/text.h"

/// Figures as words on the screen, with the decimal mark of the locale. Three significant digits; full on hover.
namespace hallwright {

/// Decimal mark of the present locale.
DecimalMark screen_decimal_mark();
/// A bare number with the decimal mark of the locale, grouped as amounts are: thin spaces, from 10 000 on. Locales group
/// with what others take for a decimal mark.
QString screen_whole_number(qint64 n);
template <std::integral I>
QString screen_number(I n) {
  return screen_whole_number(static_cast<qint64>(n));
}
QString screen_number(double value, char format = 'g', int digits = 6);
/// "21.3 MW", "at least 41 m", "not applicable".
QString screen_text(const Figure& figure, int significant = 3);
QString screen_text(double base_value, const Kind& kind, int significant = 3, std::string_view unit = {});
QuantityText screen_quantity(double base_value, const Kind& kind, int significant = 3, std::string_view unit = {});
QString screen_field(const FieldInfo& field, const FieldValue& value);
/// As `screen_text`, and of so many things or tokens that nobody counts them "15.6 T".
QString screen_short(double base_value, const Kind& kind, std::string_view unit = {});
QString screen_short(const Figure& figure);
/// Whether it is a total of which no part is known: "at least 0" says nothing.
bool nothing_known(const Figure& figure);
/// An amount by which a value of this kind changed: of shares in percentage points ("14 pp").
QString screen_difference(double difference, const Kind& kind, int significant = 2);
/// What one value became, beside another: "+4.6 %", of shares "−14 pp"; empty where they do not differ.
QString screen_change(const Figure& from, const Figure& to);
/// A number of percent with its sign, one digit after the mark; what rounds to nothing has no sign.
QString screen_signed_percent(double percent);
/// A limit in the unit of the figure that it bounds; one that was entered keeps its digits.
QString screen_limit(const Figure& figure, const Figure& limit);
/// Units as one writes them by hand, wherever words and values of the engine are shown: "°C", "kg/m²". Files and the command line keep what
/// every keyboard has, and what is typed may be either.
QString screen_units(const QString& words);
/// Tooltip: label, full value, completeness in words, reason, formula, source.
QString figure_tooltip(const Figure& figure);
/// A sentence of the engine with the decimal mark of the locale, so that it reads as the numbers beside it do, and fields
/// by their labels. Numbers
/// inside `names`, which are written by people, stay as they are.
QString screen_sentence(const QString& sentence, const QStringList& names = {});
/// "1 rack", "12 racks": `one` holds the whole phrase, `many` has %1 for the number.
QString counted(qint64 n, const QString& one, const QString& many);
inline QString to_qstring(std::string_view s) { return QString::fromUtf8(s.data(), static_cast<qsizetype>(s.size())); }

} // namespace hallwright
