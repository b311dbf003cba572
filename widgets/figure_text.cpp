// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/figure_text.h"

#include <algorithm>
#include <cmath>

#include <QCoreApplication>
#include <QHash>
#include <QLocale>
#include <QRegularExpression>

#include "design/access.h"
#include "ledger/limit_unit.h"

namespace hallwright {
namespace {
QString tr(const char* text) { return QCoreApplication::translate("FigureText", text); }

QString grouped(QString digits, const QString& mark) {
  const qsizetype begin = digits.startsWith(QLatin1Char('-')) || digits.startsWith(QChar(0x2212)) ? 1 : 0;
  if (digits.contains(QLatin1Char('e'), Qt::CaseInsensitive)) return digits;
  const qsizetype point = digits.indexOf(mark);
  qsizetype end = point < 0 ? digits.size() : point;
  if (end - begin < 5) return digits;
  for (; end > begin + 3; end -= 3) digits.insert(end - 3, QChar(0x2009));
  return digits;
}

/// The present locale without its own grouping.
QLocale plain_locale() {
  QLocale out;
  out.setNumberOptions(out.numberOptions() | QLocale::OmitGroupSeparator);
  return out;
}
} // namespace

DecimalMark screen_decimal_mark() {
  return QLocale().decimalPoint() == QLatin1String(",") ? DecimalMark::comma : DecimalMark::point;
}

QString screen_whole_number(qint64 n) {
  const QLocale locale = plain_locale();
  return grouped(locale.toString(static_cast<qlonglong>(n)), locale.decimalPoint());
}

QString screen_number(double value, char format, int digits) {
  const QLocale locale = plain_locale();
  return grouped(locale.toString(value, format, digits), locale.decimalPoint());
}

QuantityText screen_quantity(double base_value, const Kind& kind, int significant, std::string_view unit) {
  NumberStyle style;
  style.significant = significant;
  style.mark = screen_decimal_mark();
  style.unit = unit;
  return format_quantity(base_value, kind, style);
}

QString screen_text(double base_value, const Kind& kind, int significant, std::string_view unit) {
  return screen_units(QString::fromStdString(screen_quantity(base_value, kind, significant, unit).joined()));
}

QString screen_units(const QString& words) {
  const bool degrees = words.contains(QLatin1String("deg")), powers = words.contains(QLatin1Char('m')) && words.contains(QRegularExpression(QStringLiteral("m[23]")));
  if (!degrees && !powers) return words;
  QString out = words;
  if (degrees) {
    static const QRegularExpression degree(QStringLiteral("(?<![\\w.])deg([CF])(?!\\w)"));
    out.replace(degree, QStringLiteral("\u00b0\\1"));
  }
  if (powers) {
    // "kg/m2", "1.20 m3", not a name that ends so.
    static const QRegularExpression square(QStringLiteral("(?<=/|[0-9][ \u2009\u202f\u00a0])m2(?![\\w.-])")),
        cube(QStringLiteral("(?<=/|[0-9][ \u2009\u202f\u00a0])m3(?![\\w.-])"));
    out.replace(square, QStringLiteral("m\u00b2")).replace(cube, QStringLiteral("m\u00b3"));
  }
  return out;
}

QString screen_short(double base_value, const Kind& kind, std::string_view unit) {
  const bool bare = kind.scale == Scale::count || kind.scale == Scale::ratio;
  static constexpr std::pair<double, char> prefixes[] = {{1e18, 'E'}, {1e15, 'P'}, {1e12, 'T'}, {1e9, 'G'}};
  if (bare)
    for (const auto& [size, prefix] : prefixes)
      if (std::abs(base_value) >= size)
        return screen_text(base_value / size, kind::ratio) + QChar(0x202f) + QLatin1Char(prefix);
  return screen_text(base_value, kind, 3, unit);
}

QString screen_short(const Figure& figure) {
  if (!figure.has_value() || nothing_known(figure)) return screen_text(figure);
  const QString value = screen_short(figure.value, *figure.kind);
  return figure.completeness == Completeness::lower_bound ? tr("at least %1").arg(value) : value;
}

bool nothing_known(const Figure& figure) {
  return figure.completeness == Completeness::lower_bound && figure.value == 0.0;
}

QString screen_difference(double difference, const Kind& kind, int significant) {
  if (kind.scale != Scale::percent) return screen_text(difference, kind, significant);
  QString words = screen_text(difference, kind, significant);
  while (!words.isEmpty() && (words.back() == QLatin1Char('%') || words.back().isSpace())) words.chop(1);
  return tr("%1 pp").arg(words);
}

QString screen_signed_percent(double percent) {
  const double rounded = std::round(percent * 10.0) / 10.0;
  const QString sign = rounded > 0 ? QStringLiteral("+") : rounded < 0 ? QStringLiteral("\u2212") : QString();
  return QStringLiteral("%1%2 %").arg(sign, screen_number(std::abs(rounded), 'f', 1));
}

QString screen_change(const Figure& from, const Figure& to) {
  if (!from.has_value() || !to.has_value() || nothing_known(from) || nothing_known(to)) return {};
  const double difference = to.value - from.value;
  if (from.kind->scale == Scale::percent) {
    if (std::abs(difference) < 0.0005) return {};
    return (difference > 0 ? QStringLiteral("+") : QStringLiteral("\u2212")) +
           screen_difference(std::abs(difference), *from.kind);
  }
  if (from.value == 0.0) return {};
  const double percent = difference / std::abs(from.value) * 100.0;
  return std::abs(percent) < 0.05 ? QString() : screen_signed_percent(percent);
}

QString screen_text(const Figure& figure, int significant) {
  if (!figure.has_value()) return figure.completeness == Completeness::unknown ? tr("unknown") : tr("not applicable");
  if (nothing_known(figure)) return tr("unknown");
  const QString value = screen_text(figure.value, *figure.kind, significant);
  return figure.completeness == Completeness::lower_bound ? tr("at least %1").arg(value) : value;
}

QString screen_field(const FieldInfo& field, const FieldValue& value) {
  if (const auto* number = std::get_if<double>(&value); number && field.kind) {
    // All digits that mean something: sums of lengths leave dust in the sixteenth one. Where another unit than the base
    // one is shown, rounding may make dust of its own; then the value itself is the shorter text.
    QString text = screen_text(*number, *field.kind, 0, field.unit);
    // Its neighbours, too: 4.5e-5 m is no number of millimetres, the double beside it is 0.045 mm.
    for (const double near : {QString::number(*number, 'g', 12).toDouble(), std::nextafter(*number, -1e300), std::nextafter(*number, 1e300)})
      if (const QString shorter = screen_text(near, *field.kind, 0, field.unit); shorter.size() < text.size()) text = shorter;
    return text;
  }
  return QString::fromStdString(field_text(field, value));
}

QString screen_limit(const Figure& figure, const Figure& limit) {
  const Figure like = limit_in_unit_of(figure, limit);
  if (!figure.has_value() || !like.has_value() || like.kind != figure.kind) return screen_text(like);
  // "1220 L/min of 0 L/min", "3.86 s of 60 s": one unit for both, unless the limit is far away.
  const std::string unit = screen_quantity(figure.value, *figure.kind).unit;
  const double share = std::abs(like.value / figure.value);
  if (unit.empty() || !std::isfinite(share) || share > 50.0 || (share > 0.0 && share < 0.005)) return screen_text(like);
  QString value = screen_text(like.value, *like.kind, 3, unit);
  // What somebody entered stands as it was entered: 1221, not 1220.
  if (like.completeness == Completeness::exact)
    for (int digits = 4; digits <= 6; ++digits) {
      const double kept = QString::number(like.value, 'g', digits).toDouble();
      if (std::abs(kept - like.value) > 1e-9 * std::abs(like.value)) continue;
      if (std::abs(QString::number(like.value, 'g', 3).toDouble() - like.value) > 1e-9 * std::abs(like.value))
        value = screen_text(like.value, *like.kind, digits, unit);
      break;
    }
  return like.completeness == Completeness::lower_bound ? tr("at least %1").arg(value) : value;
}

namespace {

/// Names of fields that nobody types on a screen, such as "tensor_parallel", and their labels: "tensor parallel".
const QHash<QString, QString>& labels_of_fields() {
  static const QHash<QString, QString> labels = [] {
    QHash<QString, QString> out;
    std::vector<std::string_view> words = section_words();
    for (const std::string_view table : table_words()) words.push_back(table);
    for (const std::string_view table : words)
      for (const FieldInfo& f : table_fields(table)) {
        const QString name = to_qstring(f.name);
        if (!name.contains(QLatin1Char('_')) || out.contains(name)) continue;
        QString label = to_qstring(f.label);
        if (label.size() > 1 && label[1].isLower()) label[0] = label[0].toLower();
        out.insert(name, label);
      }
    return out;
  }();
  return labels;
}

/// Fields by their labels; names of things stay as they were given.
QString with_labels(const QString& sentence, const QStringList& names) {
  if (!sentence.contains(QLatin1Char('_'))) return sentence;
  static const QRegularExpression word(QStringLiteral("(?<![\\w.'\"/-])[a-z]+(?:_[a-z0-9]+)+(?![\\w'\"/]|\\.\\w|-\\w)"));
  QString out;
  qsizetype done = 0;
  for (auto it = word.globalMatch(sentence); it.hasNext();) {
    const QRegularExpressionMatch m = it.next();
    const auto label = labels_of_fields().constFind(m.captured());
    if (label == labels_of_fields().constEnd()) continue;
    const bool in_name = std::any_of(names.begin(), names.end(), [&](const QString& name) { return name.contains(m.captured()); });
    if (in_name) continue;
    out += sentence.mid(done, m.capturedStart() - done) + (m.capturedStart() == 0 ? label->left(1).toUpper() + label->mid(1) : *label);
    done = m.capturedEnd();
  }
  return out + sentence.mid(done);
}

} // namespace

QString screen_sentence(const QString& said, const QStringList& names) {
  const QString sentence = screen_units(with_labels(said, names));
  const QString mark = QLocale().decimalPoint();
  if (mark == QLatin1String(".")) return sentence;
  // A number that stands alone: "1.20 m", "(0.5)", "-3.5 K"; not "v2.0", "1.2.3" or "R1.5".
  static const QRegularExpression number(QStringLiteral(
      "(?<![^\\s(\u2248\u2265\u2264\u00b1+\u2212\u2013-])(\\d+)\\.(\\d+)(?=$|[\\s,;:)%\u00b0]|\\.(?:\\s|$))"));
  std::vector<std::pair<qsizetype, qsizetype>> kept; // places of names
  for (const QString& name : names) {
    if (!name.contains(QLatin1Char('.'))) continue;
    for (qsizetype at = sentence.indexOf(name); at >= 0; at = sentence.indexOf(name, at + 1))
      kept.emplace_back(at, at + name.size());
  }
  QString out;
  qsizetype done = 0;
  for (auto it = number.globalMatch(sentence); it.hasNext();) {
    const QRegularExpressionMatch m = it.next();
    const qsizetype point = m.capturedEnd(1);
    const bool in_name = std::any_of(kept.begin(), kept.end(),
                                     [&](const auto& k) { return k.first <= point && point < k.second; });
    if (in_name) continue;
    out += sentence.mid(done, point - done) + mark;
    done = point + 1;
  }
  return out + sentence.mid(done);
}

QString counted(qint64 n, const QString& one, const QString& many) { return n == 1 ? one : many.arg(n); }

QString figure_tooltip(const Figure& figure) {
  QStringList lines;
  lines << QStringLiteral("<b>%1</b>").arg(QString::fromStdString(figure.label).toHtmlEscaped());
  if (figure.has_value()) {
    lines << screen_text(figure, 0).toHtmlEscaped();
  }
  switch (figure.completeness) {
  case Completeness::exact: lines << tr("exact"); break;
  case Completeness::estimate: lines << tr("estimate: a first-order model or an assumption stands in it"); break;
  case Completeness::lower_bound: lines << tr("lower bound: a part is unknown"); break;
  case Completeness::unknown: lines << tr("unknown"); break;
  case Completeness::not_applicable: lines << tr("not applicable"); break;
  }
  if (!figure.reason.empty()) lines << QString::fromStdString(figure.reason).toHtmlEscaped();
  if (!figure.formula_text.empty()) lines << QStringLiteral("<i>%1</i>").arg(to_qstring(figure.formula_text).toHtmlEscaped());
  if (!figure.source.empty()) lines << tr("Source: %1").arg(QString::fromStdString(figure.source).left(200).toHtmlEscaped());
  return lines.join(QStringLiteral("<br>"));
}

} // namespace hallwright
