// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/theme.h"

#include <array>

#include <QApplication>
#include <QFile>
#include <QFontDatabase>
#include <QIconEngine>
#include <QPainter>
#include <QPainterPath>
#include <QProxyStyle>
#include <QStyleFactory>
#include <QStyleHints>
#include <QStyleOption>
#include <QSvgRenderer>

namespace hallwright {
namespace {

Theme make_theme(bool dark) {
  Theme t;
  t.dark = dark;
  if (!dark) {
    t.window = QColor("#edf1f5");
    t.panel = QColor("#ffffff");
    t.canvas = QColor("#fbfcfd");
    t.field = QColor("#f5f7fa");
    t.border = QColor("#d9dfe6");
    t.text = QColor("#1f2a37");
    t.secondary_text = QColor("#5d6b7a");
    t.accent = QColor("#2a6cb5");
    t.accent_soft = QColor("#dce9f7");
    t.on_accent = QColor("#ffffff");
    t.red = QColor("#c0392b");
    t.red_soft = QColor("#fbe9e7");
    t.amber = QColor("#d9790a");
    t.amber_soft = QColor("#fdf1e0");
    t.green = QColor("#2f855a");
    t.grid = QColor("#eef1f5");
    t.grid_major = QColor("#dfe5ec");
    t.hall_outline = QColor("#4a5a6a");
    t.hall_floor = QColor("#ffffff");
    t.rack = QColor("#cfe0f3");
    t.rack_border = QColor("#6f92b8");
    t.cold_aisle = QColor("#e6f0fb");
    t.hot_aisle = QColor("#fdeee6");
    t.liquid = QColor("#2f9e77");
    t.power = QColor("#b9770e");
    t.fabric_kind = QColor("#8e5aa8");
    t.structure = QColor("#8996a3");
  } else {
    t.window = QColor("#161b21");
    t.panel = QColor("#1e252d");
    t.canvas = QColor("#181e25");
    t.field = QColor("#262f39");
    t.border = QColor("#36414d");
    t.text = QColor("#e6ebf0");
    t.secondary_text = QColor("#a0aebb");
    t.accent = QColor("#5b9be0");
    t.accent_soft = QColor("#24405f");
    t.on_accent = QColor("#0d1318");
    t.red = QColor("#f07a6c");
    t.red_soft = QColor("#46251f");
    t.amber = QColor("#f0a045");
    t.amber_soft = QColor("#45331a");
    t.green = QColor("#63c295");
    t.grid = QColor("#1f2730");
    t.grid_major = QColor("#2a343f");
    t.hall_outline = QColor("#93a3b3");
    t.hall_floor = QColor("#1c232b");
    t.rack = QColor("#2f4a68");
    t.rack_border = QColor("#6d93bd");
    t.cold_aisle = QColor("#1d2f44");
    t.hot_aisle = QColor("#3b2a22");
    t.liquid = QColor("#4fc79b");
    t.power = QColor("#e0a040");
    t.fabric_kind = QColor("#c08ad8");
    t.structure = QColor("#77858f");
  }
  return t;
}

struct State {
  Appearance appearance = Appearance::system;
  Theme theme = make_theme(false);
};
State& state() {
  static State s;
  return s;
}

/// Renders an icon file in the text colour of the appearance, at the size and scale that is asked for.
class RecolouredIcon final : public QIconEngine {
public:
  explicit RecolouredIcon(QString name) : name_(std::move(name)) {}
  void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override {
    QFile file(QStringLiteral(":/icons/%1.svg").arg(name_));
    if (!file.open(QIODevice::ReadOnly)) return;
    QByteArray svg = file.readAll();
    QColor c = theme().text;
    if (mode == QIcon::Disabled) c = theme().structure;
    // Selected lines keep dark letters on a soft ground, and so do their icons.
    svg.replace("#3b4a5a", c.name().toLatin1());
    QSvgRenderer renderer(svg);
    renderer.render(painter, rect);
  }
  QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State st) override {
    if (size.isEmpty()) return {};
    QPixmap out(size);
    out.fill(Qt::transparent);
    QPainter painter(&out);
    paint(&painter, QRect(QPoint(0, 0), size), mode, st);
    return out;
  }
  [[nodiscard]] QIconEngine* clone() const override { return new RecolouredIcon(name_); }
  bool isNull() override { return !QFile::exists(QStringLiteral(":/icons/%1.svg").arg(name_)); }

private:
  QString name_;
};

/// Fusion with check boxes, radio buttons and spin boxes in colours of the theme: its own are too faint on a dark ground.
class ThemedStyle final : public QProxyStyle {
public:
  ThemedStyle() : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion"))) {}

  void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter, const QWidget* widget) const override {
    if (element != PE_IndicatorCheckBox && element != PE_IndicatorItemViewItemCheck && element != PE_IndicatorRadioButton) {
      QProxyStyle::drawPrimitive(element, option, painter, widget);
      return;
    }
    const Theme& t = theme();
    const bool able = option->state & State_Enabled, on = option->state & State_On, partly = option->state & State_NoChange;
    const bool lit = able && (option->state & (State_HasFocus | State_MouseOver));
    const double side = std::min(option->rect.width(), option->rect.height()) - 1.0;
    QRectF box(0, 0, side, side);
    box.moveCenter(QRectF(option->rect).center());
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const QColor edge = !able ? t.border : lit || on || partly ? t.accent : t.structure;
    const bool round = element == PE_IndicatorRadioButton;
    painter->setPen(QPen(edge, lit ? 1.6 : 1.2));
    painter->setBrush(able && (on || partly) && !round ? t.accent : t.field);
    if (round) painter->drawEllipse(box);
    else painter->drawRoundedRect(box, 2.5, 2.5);
    const QColor mark = able ? (round ? t.accent : t.on_accent) : t.structure;
    const auto at = [&](double x, double y) { return QPointF(box.left() + x * side, box.top() + y * side); };
    if (round && on) {
      painter->setPen(Qt::NoPen);
      painter->setBrush(mark);
      painter->drawEllipse(box.center(), side * 0.25, side * 0.25);
    } else if (on || partly) {
      painter->setPen(QPen(mark, std::max(1.5, side / 7.5), Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
      painter->setBrush(Qt::NoBrush);
      if (partly) painter->drawLine(at(0.25, 0.5), at(0.75, 0.5));
      else painter->drawPolyline(QPolygonF({at(0.22, 0.52), at(0.42, 0.72), at(0.78, 0.29)}));
    }
    painter->restore();
  }

  /// What waits behind the end of a tool bar is behind a button that is seen and hit.
  int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override {
    return metric == PM_ToolBarExtensionExtent ? 24 : QProxyStyle::pixelMetric(metric, option, widget);
  }
  QIcon standardIcon(StandardPixmap pixmap, const QStyleOption* option, const QWidget* widget) const override {
    if (pixmap == SP_ToolBarVerticalExtensionButton || pixmap == SP_ToolBarHorizontalExtensionButton)
      return icon(QStringLiteral("more"));
    return QProxyStyle::standardIcon(pixmap, option, widget);
  }

  /// The handle of a splitter is seen: a short line in its middle, in the accent colour under the cursor.
  void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                   const QWidget* widget) const override {
    if (element != CE_Splitter) {
      QProxyStyle::drawControl(element, option, painter, widget);
      return;
    }
    const Theme& t = theme();
    const bool upright = option->rect.width() < option->rect.height();
    const int room = upright ? option->rect.height() : option->rect.width();
    QRectF grip(0, 0, upright ? 3.0 : std::min(36, room), upright ? std::min(36, room) : 3.0);
    grip.moveCenter(QRectF(option->rect).center());
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    painter->setBrush(option->state & (State_MouseOver | State_Sunken) ? t.accent : t.border);
    painter->drawRoundedRect(grip, 1.5, 1.5);
    painter->restore();
  }

  void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter, const QWidget* widget) const override {
    const auto* spin = control == CC_SpinBox ? qstyleoption_cast<const QStyleOptionSpinBox*>(option) : nullptr;
    if (!spin) {
      QProxyStyle::drawComplexControl(control, option, painter, widget);
      return;
    }
    const Theme& t = theme();
    const bool able = spin->state & State_Enabled;
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    if (spin->frame) {
      painter->setPen(able && (spin->state & State_HasFocus) ? t.accent : t.border);
      painter->setBrush(t.field);
      painter->drawRoundedRect(QRectF(spin->rect).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
    }
    for (const SubControl part : {SC_SpinBoxUp, SC_SpinBoxDown}) {
      if (spin->buttonSymbols == QAbstractSpinBox::NoButtons) break;
      const bool up = part == SC_SpinBoxUp;
      const QRectF room = proxy()->subControlRect(CC_SpinBox, spin, part, widget);
      const bool can = able && (spin->stepEnabled & (up ? QAbstractSpinBox::StepUpEnabled : QAbstractSpinBox::StepDownEnabled));
      if (can && (spin->activeSubControls & part)) {
        painter->setPen(Qt::NoPen);
        painter->setBrush(t.accent_soft);
        painter->drawRoundedRect(room.adjusted(1, 1, -1, -1), 2, 2);
      }
      const double half = std::min(room.width(), room.height()) * 0.28;
      const QPointF c = room.center();
      const double rise = up ? half * 0.5 : -half * 0.5;
      painter->setPen(QPen(can ? t.text : t.structure, 1.3, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
      painter->setBrush(Qt::NoBrush);
      painter->drawPolyline(QPolygonF({c + QPointF(-half, rise), c + QPointF(0, -rise), c + QPointF(half, rise)}));
    }
    painter->restore();
  }
};

QString style_sheet(const Theme& t) {
  QString s = QStringLiteral(R"(
QMainWindow, QDialog { background: @window; }
QDockWidget { color: @text; font-weight: 600; titlebar-close-icon: none; }
QDockWidget::title { background: @panel; padding: 7px 10px 5px 10px; text-align: left; }
QMainWindow::separator { background: @border; width: 1px; height: 1px; }
QMainWindow::separator:hover { background: @accent; }
QToolTip { background: @panel; color: @text; border: 1px solid @border; padding: 4px; }
QLineEdit, QPlainTextEdit, QTextEdit, QComboBox { background: @field; color: @text; border: 1px solid @border; border-radius: 3px; padding: 3px 6px; selection-background-color: @accent; selection-color: @onaccent; }
QLineEdit:focus, QComboBox:focus, QPlainTextEdit:focus { border: 1px solid @accent; }
QLineEdit[mark="error"], QComboBox[mark="error"] { border: 1px solid @red; }
QLineEdit[mark="warning"], QComboBox[mark="warning"] { border: 1px solid @amber; }
QLineEdit[mark="note"], QComboBox[mark="note"] { border: 1px solid @accent; }
QLineEdit[problem="true"] { border: 1px solid @red; background: @redsoft; }
QAbstractSpinBox QLineEdit { background: transparent; border: none; padding: 1px 4px; }
QComboBox::drop-down { border: none; width: 20px; }
QComboBox::down-arrow { image: url(:/icons/@chevron.svg); width: 12px; height: 12px; }
QComboBox QAbstractItemView { background: @panel; color: @text; border: 1px solid @border; selection-background-color: @accentsoft; selection-color: @text; }
QPushButton { background: @panel; color: @text; border: 1px solid @border; border-radius: 3px; padding: 4px 12px; }
QPushButton:hover { border-color: @accent; }
QPushButton:pressed, QPushButton:checked { background: @accentsoft; }
QPushButton:default { background: @accent; color: @onaccent; border-color: @accent; }
QPushButton:disabled { color: @structure; }
QPushButton[axisValue="true"] { background: @field; padding: 2px 7px; min-width: 14px; }
QPushButton[axisValue="true"]:checked { background: @accent; color: @onaccent; border-color: @accent; font-weight: 600; }
QPushButton[axisValue="true"][problem="true"]:checked { background: @redsoft; color: @red; border-color: @red; }
QPushButton[axisValue="true"]:disabled { background: transparent; color: @structure; border-style: dashed; }
QPushButton[axisValue="true"]:focus { border: 2px solid @text; padding: 1px 6px; }
QToolButton { background: transparent; color: @text; border: 1px solid transparent; border-radius: 3px; padding: 3px; }
QToolButton:hover { border-color: @border; background: @field; }
QToolButton:checked { background: @accentsoft; border-color: @accent; }
QToolButton[popupMode="1"] { padding-right: 11px; }
QToolButton::menu-button { border: none; background: transparent; width: 11px; }
QToolButton::menu-arrow { image: url(:/icons/@chevron.svg); width: 9px; height: 9px; }
QTreeView, QTableView, QListView { background: @panel; alternate-background-color: @field; color: @text; border: none; selection-background-color: @accentsoft; selection-color: @text; outline: 0; }
QTreeView::item, QListView::item { padding: 2px 2px; }
QTreeView:focus, QTableView:focus, QListView:focus { border: 1px solid @accentsoft; }
QHeaderView { background: @panel; border: none; }
QHeaderView::section { background: @panel; color: @secondary; border: none; border-bottom: 1px solid @border; padding: 4px 6px; font-weight: 400; }
QTableView { gridline-color: transparent; }
QTabBar::tab { background: transparent; color: @text; padding: 6px 18px; border: none; border-top-left-radius: 4px; border-top-right-radius: 4px; }
QMainWindow > QTabBar::tab { padding: 6px 10px; }
QTabBar::tab:selected { background: @panel; font-weight: 600; }
QTabBar::tab:hover:!selected { color: @accent; }
QTabBar::tab:focus { color: @accent; }
QMenuBar { background: @panel; color: @text; padding: 2px; }
QMenuBar::item { padding: 4px 10px; background: transparent; border-radius: 3px; }
QMenuBar::item:selected { background: @accentsoft; }
QMenu { background: @panel; color: @text; border: 1px solid @border; padding: 4px; }
QMenu::item { padding: 5px 28px 5px 24px; border-radius: 3px; }
QMenu::item:selected { background: @accentsoft; }
QMenu::item:disabled { color: @structure; }
QMenu::separator { height: 1px; background: @border; margin: 4px 6px; }
QStatusBar { background: @window; color: @secondary; }
QStatusBar::item { border: none; }
QScrollBar:vertical { background: transparent; width: 10px; margin: 0; }
QScrollBar::handle:vertical { background: @border; border-radius: 4px; min-height: 24px; margin: 1px; }
QScrollBar:horizontal { background: transparent; height: 10px; margin: 0; }
QScrollBar::handle:horizontal { background: @border; border-radius: 4px; min-width: 24px; margin: 1px; }
QScrollBar::handle:hover { background: @structure; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QScrollArea { border: none; background: transparent; }
QWidget#clear { background: transparent; }
QWidget#tab_row { background: @window; }
QFrame#preview_bar, QFrame#kept_bar { background: @accentsoft; border: none; border-bottom: 1px solid @accent; }
QFrame#preview_bar QLabel, QFrame#kept_bar QLabel { background: transparent; }
QPushButton#preview_apply { background: @accent; color: @onaccent; border-color: @accent; }
QDockWidget > QWidget { background: @panel; }
QPlainTextEdit { background: @panel; border: none; }
QFrame#card { background: @panel; border: 1px solid @border; border-radius: 4px; }
QSplitter#checks_split, QLabel#finding_whole { background: @panel; }
QLabel#title { font-weight: 600; }
QLabel#secondary { color: @secondary; }
QLabel#checks_preview { background: @accentsoft; color: @text; border-bottom: 1px solid @accent; }
QLabel#plan_hint { background: @panel; color: @text; border: 1px solid @border; border-radius: 4px; padding: 4px 10px; }
QLabel#problem { color: @red; }
QGroupBox { border: none; margin-top: 18px; font-weight: 600; }
QGroupBox::title { subcontrol-origin: margin; left: 0; }
)");
  const std::array<std::pair<const char*, QColor>, 13> colors{{{"@window", t.window}, {"@panel", t.panel}, {"@field", t.field},
      {"@border", t.border}, {"@text", t.text}, {"@secondary", t.secondary_text}, {"@accentsoft", t.accent_soft}, {"@accent", t.accent},
      {"@onaccent", t.on_accent}, {"@redsoft", t.red_soft}, {"@red", t.red}, {"@structure", t.structure}, {"@amber", t.amber}}};
  s.replace(QLatin1String("@chevron"), t.dark ? QLatin1String("chevron-dark") : QLatin1String("chevron"));
  for (const auto& [key, color] : colors) s.replace(QLatin1String(key), color.name());
  return s;
}

} // namespace

const Theme& theme() { return state().theme; }
Appearance present_appearance() { return state().appearance; }

void apply_appearance(Appearance appearance) {
  static const QPalette desktop_palette = QGuiApplication::palette();
  state().appearance = appearance;
  const bool desktop_dark = desktop_palette.color(QPalette::Window).lightness() < 128;
  const bool dark = appearance == Appearance::dark || (appearance == Appearance::system && desktop_dark);
  state().theme = make_theme(dark);
  const Theme& t = state().theme;
  QApplication::setStyle(new ThemedStyle);
  QPalette p;
  p.setColor(QPalette::Window, t.window);
  p.setColor(QPalette::WindowText, t.text);
  p.setColor(QPalette::Base, t.panel);
  p.setColor(QPalette::AlternateBase, t.field);
  p.setColor(QPalette::Text, t.text);
  p.setColor(QPalette::PlaceholderText, t.secondary_text);
  p.setColor(QPalette::Button, t.panel);
  p.setColor(QPalette::ButtonText, t.text);
  p.setColor(QPalette::Highlight, t.accent);
  p.setColor(QPalette::HighlightedText, t.on_accent);
  p.setColor(QPalette::Link, t.accent);
  p.setColor(QPalette::ToolTipBase, t.panel);
  p.setColor(QPalette::ToolTipText, t.text);
  p.setColor(QPalette::Mid, t.border);
  p.setColor(QPalette::Midlight, t.border);
  p.setColor(QPalette::Dark, t.structure);
  p.setColor(QPalette::Light, t.panel);
  for (auto role : {QPalette::Text, QPalette::WindowText, QPalette::ButtonText}) p.setColor(QPalette::Disabled, role, t.structure);
  QApplication::setPalette(p);
  QFont font = QApplication::font();
  if (QFontDatabase::families().contains(QStringLiteral("Inter"))) font.setFamily(QStringLiteral("Inter"));
  QApplication::setFont(font);
  qApp->setStyleSheet(style_sheet(t));
}

QIcon icon(const QString& name) { return QIcon(new RecolouredIcon(name)); }

QColor amount_color(double share) {
  // Between two blues of one hue: reads the same without colour vision, and in print.
  const QColor low = theme().dark ? QColor("#24384d") : QColor("#dbe8f6");
  const QColor high = theme().dark ? QColor("#8cc0f5") : QColor("#1f5c9e");
  const double s = std::clamp(share, 0.0, 1.0);
  return QColor::fromRgbF(static_cast<float>(low.redF() + s * (high.redF() - low.redF())),
                          static_cast<float>(low.greenF() + s * (high.greenF() - low.greenF())),
                          static_cast<float>(low.blueF() + s * (high.blueF() - low.blueF())));
}

QColor kind_color(int index) {
  static const std::array<QColor, 8> okabe_ito{QColor("#0072b2"), QColor("#e69f00"), QColor("#009e73"), QColor("#cc79a7"),
                                               QColor("#56b4e9"), QColor("#d55e00"), QColor("#f0e442"), QColor("#999999")};
  return okabe_ito[static_cast<std::size_t>(index) % okabe_ito.size()];
}

} // namespace hallwright
