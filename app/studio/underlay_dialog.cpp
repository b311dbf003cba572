// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/underlay_dialog.h"

#include <algorithm>
#include <cmath>

#include <QApplication>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QListWidget>
#include <QLocale>
#include <QPainter>
#include <QPushButton>
#include <QSlider>
#include <QVBoxLayout>

#include "app/studio/dialog_room.h"
#include "widgets/figure_text.h"
#include "widgets/plan/plan_length.h"
#include "widgets/quantity_edit.h"
#include "widgets/theme.h"

namespace hallwright {

using namespace plan;

namespace {

struct Unit {
  const char* name;
  double mm;
};
constexpr Unit units[] = {{QT_TRANSLATE_NOOP("UnderlayDialog", "millimetres"), 1},
                          {QT_TRANSLATE_NOOP("UnderlayDialog", "centimetres"), 10},
                          {QT_TRANSLATE_NOOP("UnderlayDialog", "metres"), 1000},
                          {QT_TRANSLATE_NOOP("UnderlayDialog", "inches"), 25.4},
                          {QT_TRANSLATE_NOOP("UnderlayDialog", "feet"), 304.8}};

enum Anchor { at_origin, at_lower_left, in_view, origin_at_lower_left };

} // namespace

/// The drawing with the halls round it.
class UnderlayDialog::Preview : public QWidget {
public:
  explicit Preview(UnderlayDialog& dialog) : QWidget(&dialog), dialog_(dialog) {
    setAccessibleName(UnderlayDialog::tr("Preview of the underlay"));
    setMinimumSize(200, 160);
  }

protected:
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    Canvas c;
    c.painter = &painter;
    c.colors = PlanColors::screen();
    c.base_font = font();
    painter.fillRect(rect(), c.colors.canvas);
    if (!dialog_.ready()) return;
    Design d = dialog_.design_;
    Underlay u = dialog_.underlay();
    u.id = d.next_id;
    std::vector<Underlay> one{u};
    d.underlays = share(std::move(one));
    PlanModel model;
    model.update(d, dialog_.catalog_, 0);
    const HallShape* hall = model.hall(u.hall);
    const UnderlayPlace place(u, hall ? hall->offset : QPointF());
    const QRectF e = dialog_.file_->extent();
    QPolygonF corners;
    for (const QPointF& q : {e.topLeft(), e.topRight(), e.bottomRight(), e.bottomLeft()})
      corners << place.scene(q.x(), q.y());
    QRectF all = corners.boundingRect();
    if (hall) all = all.united(hall->box);
    if (all.isEmpty()) return;
    const double room = 24;
    c.scale = std::min((width() - 2 * room) / all.width(), (height() - 2 * room) / all.height());
    c.origin = QRectF(rect()).center() - all.center() * c.scale;
    Picture p;
    p.model = &model;
    p.area = QRectF(-c.origin / c.scale, QSizeF(size()) / c.scale);
    paint_floor(c, p);
    paint_underlays(c, p);
    paint_hall_outlines(c, p);
    painter.setPen(QPen(c.colors.accent, 1, Qt::DashLine));
    painter.setBrush(Qt::NoBrush);
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.drawPolygon(c.polygon(corners));
    const QRectF box = c.rect(corners.boundingRect());
    c.text_at({box.center().x(), box.bottom() + 3}, Qt::AlignHCenter | Qt::AlignTop,
              extent_text(corners.boundingRect().width()), c.font(11, true), c.colors.accent);
  }

private:
  UnderlayDialog& dialog_;
};

UnderlayDialog::UnderlayDialog(const QString& path, const Design& design, const Shared<Catalog>& catalog, Id hall,
                               const QPointF& view_center, QWidget* parent)
    : QDialog(parent), path_(path), design_(design), catalog_(catalog), view_center_(view_center) {
  setObjectName(QStringLiteral("underlay_dialog"));
  setWindowTitle(tr("Import an underlay"));
  model_.update(design_, catalog_, 0);
  build();
  hall_->setCurrentIndex(
      std::max(0, hall_->findData(static_cast<qlonglong>(hall                     ? hall
                                                         : design_.halls->empty() ? 0
                                                                                  : design_.halls->front().id))));
  connect(&UnderlayFiles::shared(), &UnderlayFiles::fileRead, this, &UnderlayDialog::look);
  resize(within_screen(*this, {fontMetrics().averageCharWidth() * 130, fontMetrics().height() * 32}));
  look();
}

void UnderlayDialog::build() {
  auto* row = new QHBoxLayout(this);
  // Options are scrolled on a small screen; the buttons below them stay.
  auto* left = new QVBoxLayout;
  row->addLayout(left);
  const OptionColumn area = option_column(this);
  QVBoxLayout* column = area.column;
  column->setContentsMargins(0, 0, 2 * spacing_unit, 0);
  auto* name = new QLabel(QStringLiteral("<b>%1</b>").arg(QFileInfo(path_).fileName().toHtmlEscaped()), this);
  name->setToolTip(path_);
  column->addWidget(name);
  says_ = new QLabel(tr("Being read…"), this);
  says_->setObjectName(QStringLiteral("underlay_says"));
  says_->setWordWrap(true);
  says_->setFixedWidth(fontMetrics().averageCharWidth() * 52);
  column->addWidget(says_);
  column->addSpacing(2 * spacing_unit);
  auto* form = new QFormLayout;
  column->addLayout(form);
  const auto combo = [&](const char* object, const QString& label) {
    auto* c = new QComboBox(this);
    c->setObjectName(QLatin1String(object));
    c->setAccessibleName(label);
    form->addRow(label, c);
    connect(c, &QComboBox::activated, this, &UnderlayDialog::show_result);
    return c;
  };
  unit_ = combo("underlay_unit", tr("One unit is"));
  connect(unit_, &QComboBox::activated, this, &UnderlayDialog::unit_chosen);
  width_ = new QuantityEdit(this);
  width_->setObjectName(QStringLiteral("underlay_width"));
  width_->setAccessibleName(tr("Width of the drawing"));
  FieldInfo field;
  field.name = "width";
  field.label = "Width";
  field.type = FieldType::number;
  field.kind = &kind::length;
  field.minimum = 0.01, field.maximum = 1e5;
  field.unit = "m";
  width_->setField(field);
  form->addRow(tr("It is as wide as"), width_);
  connect(width_, &QuantityEdit::committed, this, [this](const FieldValue& v) {
    if (const double* m = std::get_if<double>(&v)) width_typed(*m);
  });
  result_ = new QLabel(this);
  result_->setObjectName(QStringLiteral("underlay_result"));
  result_->setWordWrap(true);
  form->addRow(result_);
  hall_ = combo("underlay_hall", tr("Hall"));
  for (const Hall& h : *design_.halls) hall_->addItem(QString::fromStdString(h.name), static_cast<qlonglong>(h.id));
  if (design_.halls->empty()) hall_->addItem(tr("none yet"), 0);
  origin_ = combo("underlay_origin", tr("Place"));
  turn_ = combo("underlay_turn", tr("Turned by"));
  for (int degrees : {0, 90, 180, 270}) turn_->addItem(QStringLiteral("%1°").arg(degrees), degrees);
  opacity_ = new QSlider(Qt::Horizontal, this);
  opacity_->setObjectName(QStringLiteral("underlay_opacity"));
  opacity_->setAccessibleName(tr("Opacity"));
  opacity_->setRange(5, 100);
  opacity_->setValue(50);
  form->addRow(tr("Opacity"), opacity_);
  connect(opacity_, &QSlider::valueChanged, this, &UnderlayDialog::show_result);

  layer_box_ = new QWidget(this);
  auto* layer_column = new QVBoxLayout(layer_box_);
  layer_column->setContentsMargins(0, 0, 0, 0);
  auto* head = new QHBoxLayout;
  head->addWidget(new QLabel(tr("Layers"), layer_box_));
  head->addStretch(1);
  for (const bool all : {true, false}) {
    auto* b = new QPushButton(all ? tr("All") : tr("None"), layer_box_);
    b->setAutoDefault(false);
    head->addWidget(b);
    connect(b, &QPushButton::clicked, this, [this, all] {
      for (int i = 0; i < layers_->count(); ++i) layers_->item(i)->setCheckState(all ? Qt::Checked : Qt::Unchecked);
    });
  }
  layer_column->addLayout(head);
  layers_ = new QListWidget(layer_box_);
  layers_->setObjectName(QStringLiteral("underlay_layers"));
  layers_->setAccessibleName(tr("Layers that are shown"));
  layer_column->addWidget(layers_, 1);
  connect(layers_, &QListWidget::itemChanged, this, &UnderlayDialog::show_result);
  column->addWidget(layer_box_, 1);
  left_out_ = new QLabel(this);
  left_out_->setObjectName(QStringLiteral("secondary"));
  left_out_->setWordWrap(true);
  column->addWidget(left_out_);
  column->addStretch(0);
  area.scroll->setMinimumWidth(area.options->minimumSizeHint().width() + 4 * spacing_unit);
  left->addWidget(area.scroll, 1);
  buttons_ = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
  buttons_->button(QDialogButtonBox::Ok)->setText(tr("Import"));
  buttons_->button(QDialogButtonBox::Ok)->setEnabled(false);
  connect(buttons_, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons_, &QDialogButtonBox::rejected, this, &QDialog::reject);
  left->addWidget(buttons_);
  preview_ = new Preview(*this);
  row->addWidget(preview_, 1);
}

void UnderlayDialog::look() {
  Underlay u;
  u.kind = underlay_kind(path_);
  u.file = path_.toStdString();
  file_ = UnderlayFiles::shared().file(u);
  if (file_->state == UnderlayFile::State::reading) return;
  if (ready() && file_->extent().isEmpty() && !file_->is_picture() &&
      (!file_->drawing->extent || file_->extent().width() + file_->extent().height() <= 0)) {
    says_->setText(tr("Nothing is drawn in it. %1").arg(QString::fromStdString(file_->drawing->not_shown_words())));
    return;
  }
  if (!ready()) {
    QPalette colours = palette();
    colours.setColor(QPalette::WindowText, theme().red);
    says_->setPalette(colours);
    says_->setText(file_->problem);
    return;
  }
  if (!filled_) fill();
  preview_->update();
}

void UnderlayDialog::fill() {
  filled_ = true;
  buttons_->button(QDialogButtonBox::Ok)->setEnabled(true);
  const bool picture = file_->is_picture();
  origin_->clear();
  origin_->addItem(picture ? tr("Its upper left corner at the hall's origin") : tr("Its origin at the hall's origin"),
                   at_origin);
  origin_->addItem(tr("Its lower left corner at that of the hall"), at_lower_left);
  origin_->addItem(tr("In the middle of the view"), in_view);
  if (!picture) origin_->addItem(tr("Its origin at the lower left corner of the hall"), origin_at_lower_left);
  layer_box_->setVisible(!picture);
  if (picture) {
    const QSize size = file_->levels.front().size();
    says_->setText(tr("A picture of %1 × %2 pixels. It does not say how large it is: type the width that it shows, or "
                      "measure it afterwards between two points.")
                       .arg(screen_number(size.width()), screen_number(size.height())));
    unit_->addItem(tr("a pixel"), -1.0);
    unit_->setEnabled(false);
    const HallShape* hall = model_.hall(static_cast<Id>(hall_->currentData().toLongLong()));
    unit_mm_ = (hall ? hall->box.width() : 20000) / size.width();
  } else {
    const DrawingUnits& units_of = file_->drawing->units;
    says_->setText(QString::fromStdString(units_of.why));
    for (const Unit& u : units) unit_->addItem(tr(u.name), u.mm);
    const double stated = units_of.millimetres_per_unit.value_or(1.0);
    int at = -1;
    for (int i = 0; i < unit_->count(); ++i)
      if (std::abs(unit_->itemData(i).toDouble() - stated) < 1e-9 * stated) at = i;
    if (at < 0) {
      unit_->addItem(QStringLiteral("%1 (%2 mm)").arg(to_qstring(units_of.name), screen_number(stated, 'g', 8)),
                     stated);
      at = unit_->count() - 1;
    }
    unit_->addItem(tr("other, by the width"), -1.0);
    unit_->setCurrentIndex(at);
    unit_mm_ = stated;
    for (const DrawingLayer& l : file_->drawing->layers) {
      auto* item = new QListWidgetItem(QString::fromStdString(l.name), layers_);
      item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
      item->setCheckState(l.visible ? Qt::Checked : Qt::Unchecked);
    }
    QStringList remarks;
    if (const std::string words = file_->drawing->not_shown_words(); !words.empty())
      remarks << QString::fromStdString(words);
    for (const std::string& note : file_->drawing->notes) remarks << QString::fromStdString(note);
    left_out_->setText(remarks.join(QLatin1Char('\n')));
    // A drawing far from its origin would not be seen.
    const QRectF e = file_->extent();
    const double far = std::hypot(e.center().x(), e.center().y()), side = std::hypot(e.width(), e.height());
    // One that lies above its origin was drawn from a lower left corner; the plan counts from the upper left one.
    const Anchor usual = far > 5 * side ? at_lower_left : e.center().y() > 0 ? origin_at_lower_left : at_origin;
    origin_->setCurrentIndex(origin_->findData(usual));
  }
  show_result();
}

void UnderlayDialog::unit_chosen() {
  const double mm = unit_->currentData().toDouble();
  if (mm > 0) unit_mm_ = mm;
  show_result();
}

void UnderlayDialog::width_typed(double metres) {
  const double units_wide = file_ ? file_->extent().width() : 0;
  if (!ready() || !(units_wide > 0)) return;
  const double unit = metres * 1000 / units_wide;
  if (std::abs(unit - unit_mm_) <= 1e-9 * unit_mm_) return;
  unit_mm_ = unit;
  int at = unit_->findData(-1.0);
  for (int i = 0; i < unit_->count(); ++i)
    if (std::abs(unit_->itemData(i).toDouble() - unit) < 1e-7 * unit) at = i;
  unit_->setCurrentIndex(at);
  show_result();
}

void UnderlayDialog::keyPressEvent(QKeyEvent* event) {
  // Enter in the width takes the width; it does not import.
  if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) &&
      (width_->hasFocus() || focusWidget() == width_))
    return;
  QDialog::keyPressEvent(event);
}

QString UnderlayDialog::result_words() const {
  if (!ready()) return {};
  const QRectF e = file_->extent();
  return tr("The drawing would be %1 wide and %2 deep.")
      .arg(extent_text(e.width() * unit_mm_), extent_text(e.height() * unit_mm_));
}

void UnderlayDialog::show_result() {
  if (!ready()) return;
  QString words = result_words();
  if (const HallShape* hall = model_.hall(static_cast<Id>(hall_->currentData().toLongLong())))
    words += QLatin1Char(' ') +
             tr("The hall is %1 wide and %2 deep.").arg(extent_text(hall->box.width()), extent_text(hall->box.height()));
  result_->setText(words);
  if (!width_->hasFocus()) width_->setValue(file_->extent().width() * unit_mm_ / 1000);
  preview_->update();
}

Underlay UnderlayDialog::underlay() const {
  Underlay u;
  u.kind = underlay_kind(path_);
  u.file = UnderlayFiles::shared().kept_name(path_).toStdString();
  u.name = QFileInfo(path_).completeBaseName().toStdString();
  u.hall = static_cast<Id>(hall_->currentData().toLongLong());
  u.unit_length = millimeters(unit_mm_);
  u.rotation = degrees(turn_->currentData().toDouble());
  u.opacity = opacity_->value() / 100.0;
  std::set<std::string> hidden;
  for (int i = 0; i < layers_->count(); ++i)
    if (layers_->item(i)->checkState() != Qt::Checked) hidden.insert(layers_->item(i)->text().toStdString());
  u.hidden_layers = hidden_layers_text(hidden);
  const HallShape* hall = model_.hall(u.hall);
  const QPointF offset = hall ? hall->offset : QPointF();
  const UnderlayPlace place(u, offset);
  const QRectF e = file_->extent();
  QPolygonF corners;
  for (const QPointF& q : {e.topLeft(), e.topRight(), e.bottomRight(), e.bottomLeft()})
    corners << place.scene(q.x(), q.y());
  const QRectF box = corners.boundingRect();
  QPointF shift;
  switch (origin_->currentData().toInt()) {
  case at_lower_left: shift = (hall ? hall->box.bottomLeft() : QPointF()) - box.bottomLeft(); break;
  case origin_at_lower_left:
    if (hall) shift = hall->box.bottomLeft() - hall->offset;
    break;
  case in_view: shift = view_center_ - box.center(); break;
  default: break;
  }
  u.x = millimeters(std::round(shift.x() * 1000) / 1000), u.y = millimeters(std::round(shift.y() * 1000) / 1000);
  return u;
}

} // namespace hallwright
