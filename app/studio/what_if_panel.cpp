// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/what_if_panel.h"

#include <algorithm>
#include <cmath>

#include <QComboBox>
#include <QGridLayout>
#include <QInputDialog>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSlider>

#include "widgets/figure_text.h"
#include "widgets/theme.h"
#include "widgets/whole_label.h"

namespace hallwright {

struct WhatIfPanel::PathValue {
  FieldInfo field;
  double value = 0.0;
};

namespace {

constexpr int shares_of_today = 100; ///< positions of a slider without stops

std::optional<FieldInfo> field_of_path(std::string_view path) {
  const auto dot = path.find('.');
  for (const FieldInfo& f : table_fields(path.substr(0, dot)))
    if (f.name == path.substr(dot + 1)) return f;
  return std::nullopt;
}

FieldValue typed_value(const FieldInfo& field, double v) {
  if (field.type == FieldType::count) return static_cast<std::int64_t>(std::llround(v));
  return v;
}

QString value_words_of(const FieldInfo& field, double v) {
  return field.kind ? screen_short(v, *field.kind, field.unit) : screen_number(v);
}

} // namespace

WhatIfPanel::WhatIfPanel(Document& document, std::vector<WhatIfInput> inputs, int sliders, const QString& name,
                         QWidget* parent)
    : QWidget(parent), document_(document), inputs_(std::move(inputs)) {
  setObjectName(name);
  auto* grid = new QGridLayout(this);
  grid->setContentsMargins(0, 0, 0, 0);
  for (int i = 0; i < sliders; ++i) {
    Slider s;
    s.input = new QComboBox(this);
    s.input->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    s.input->setMinimumContentsLength(20);
    s.input->setAccessibleName(tr("Input %1").arg(i + 1));
    s.input->setObjectName(QStringLiteral("%1_input_%2").arg(name).arg(i));
    for (const WhatIfInput& input : inputs_) {
      const auto field = field_of_path(input.path);
      const QString label = !input.name.isEmpty() ? input.name : field ? to_qstring(field->label) : QString::fromStdString(input.path);
      s.input->addItem(label, QString::fromStdString(input.path));
    }
    s.input->setCurrentIndex(i);
    s.slider = new QSlider(Qt::Horizontal, this);
    s.slider->setObjectName(QStringLiteral("%1_%2").arg(name).arg(i));
    s.slider->setRange(0, shares_of_today);
    s.slider->setValue(shares_of_today / 2);
    s.middle = shares_of_today / 2;
    s.slider->setAccessibleName(tr("What if %1").arg(i + 1));
    s.ends = new QLabel(this);
    s.ends->setObjectName(QStringLiteral("secondary"));
    s.value = new QLabel(this);
    s.value->setMinimumWidth(fontMetrics().averageCharWidth() * 16);
    s.value->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    grid->addWidget(s.input, 3 * i, 0);
    grid->addWidget(s.value, 3 * i, 1);
    grid->addWidget(s.slider, 3 * i + 1, 0, 1, 2);
    grid->addWidget(s.ends, 3 * i + 2, 0, 1, 2);
    connect(s.slider, &QSlider::valueChanged, this, &WhatIfPanel::slide);
    connect(s.input, &QComboBox::activated, this, [this, i] {
      Slider& chosen = sliders_[static_cast<std::size_t>(i)];
      chosen.chosen = true;
      show(chosen, true);
      slide();
    });
    sliders_.push_back(s);
  }
  auto* buttons = new QHBoxLayout;
  apply_ = new QPushButton(tr("Apply"), this);
  apply_->setObjectName(name + QStringLiteral("_apply"));
  keep_ = new QPushButton(tr("Keep as scenario\u2026"), this);
  keep_->setObjectName(name + QStringLiteral("_keep"));
  reset_ = new QPushButton(tr("Reset"), this);
  reset_->setObjectName(name + QStringLiteral("_reset"));
  for (QPushButton* b : {apply_, keep_, reset_}) {
    b->setEnabled(false);
    buttons->addWidget(b);
  }
  grid->addLayout(buttons, 3 * sliders, 0, 1, 2);
  auto* hint = new WholeLabel(tr("Sliding shows the effect on every headline; nothing is kept until Apply or Keep."), this);
  hint->setObjectName(QStringLiteral("secondary"));
  grid->addWidget(hint, 3 * sliders + 1, 0, 1, 2);

  connect(reset_, &QPushButton::clicked, this, [this] {
    reset();
    document_.cancelPreview();
  });
  connect(apply_, &QPushButton::clicked, this, [this] {
    const Edit change = edit();
    reset();
    Q_EMIT editRequested(change);
  });
  connect(keep_, &QPushButton::clicked, this, &WhatIfPanel::keep);
}

const WhatIfInput& WhatIfPanel::input_of(const Slider& slider) const {
  return inputs_[static_cast<std::size_t>(std::max(0, slider.input->currentIndex()))];
}

std::optional<WhatIfPanel::PathValue> WhatIfPanel::value_of(const WhatIfInput& input) const {
  const auto parsed = parse_path(document_.design(), input.path);
  const auto field = field_of_path(input.path);
  if (!parsed || !field) return std::nullopt;
  const auto value = get_field(document_.design(), parsed->entity, field->name);
  if (!value) return std::nullopt;
  if (const auto* d = std::get_if<double>(&*value)) return PathValue{*field, *d};
  if (const auto* i = std::get_if<std::int64_t>(&*value)) return PathValue{*field, static_cast<double>(*i)};
  const Figure* stands_in = !input.figure.isEmpty() && document_.evaluation() && !document_.previewing()
                                ? document_.evaluation()->figures.find(input.figure.toStdString())
                                : nullptr;
  if (stands_in && stands_in->has_value()) return PathValue{*field, stands_in->value};
  return std::nullopt;
}

/// Without stops the middle is today's value, the ends half and one and a half of it, inside the field's range;
/// temperatures move by 15 K either way.
double WhatIfPanel::slid(const PathValue& p, const Slider& slider, int position) {
  if (!slider.stops.empty()) return slider.stops[static_cast<std::size_t>(position)];
  if (position == slider.middle) return slider.today;
  const double s = static_cast<double>(position - slider.middle) / slider.middle;
  const bool point = p.field.kind && p.field.kind->scale == Scale::point;
  double v = point ? slider.today + 15.0 * s : slider.today * (1.0 + 0.5 * s);
  // Steps that are read and kept without dust: a tenth of a degree, or three digits and one more.
  v = point ? std::round((v - 273.15) * 10.0) / 10.0 + 273.15 : QString::number(v, 'g', 4).toDouble();
  v = std::clamp(v, p.field.minimum, p.field.maximum);
  return p.field.type == FieldType::count ? std::round(v) : v;
}

std::vector<WhatIfPanel::Change> WhatIfPanel::changes() const {
  std::vector<Change> out;
  for (const Slider& s : sliders_) {
    if (s.slider->value() == s.middle) continue;
    const WhatIfInput& input = input_of(s);
    if (const auto field = field_of_path(input.path))
      out.push_back({input.path, exact_field_text(*field, typed_value(*field, slid({*field, s.today}, s, s.slider->value())))});
  }
  return out;
}

Edit WhatIfPanel::edit() const {
  QStringList what;
  for (const Slider& s : sliders_)
    if (s.slider->value() != s.middle) what << s.input->currentText() + QLatin1Char(' ') + s.value->text();
  return {tr("What if: %1").arg(what.join(QStringLiteral(", "))).toStdString(), [list = changes()](const Design& d) -> Edited {
            Design out = d;
            for (const Change& c : list) {
              auto next = set_by_path(out, c.path, c.text);
              if (!next) return next;
              out = std::move(*next);
            }
            return out;
          }};
}

/// @param back  the slider returns to today's value
void WhatIfPanel::show(Slider& s, bool back) {
  const WhatIfInput& input = input_of(s);
  const QSignalBlocker quiet(s.slider);
  if (back) {
    auto p = value_of(input);
    // While something is tried the figure that stands in is that of the trial: what it was before counts.
    if (const auto field = field_of_path(input.path); !p && field && document_.previewing() && s.figure_is_today)
      p = PathValue{*field, s.today};
    s.figure_is_today = p && !input.figure.isEmpty();
    s.slider->setEnabled(p.has_value());
    if (!p) { // what has no value yet cannot be moved from it
      s.value->setText(QStringLiteral("\u2013"));
      s.ends->setText(tr("not set: enter it first"));
      s.middle = s.slider->value();
      return;
    }
    s.today = p->value;
    s.stops = input.stops ? input.stops(document_) : std::vector<double>{};
    const auto at = std::lower_bound(s.stops.begin(), s.stops.end(), s.today);
    if (at == s.stops.end() || *at != s.today) s.stops.clear();
    s.middle = s.stops.empty() ? shares_of_today / 2 : static_cast<int>(at - s.stops.begin());
    s.slider->setRange(0, s.stops.empty() ? shares_of_today : static_cast<int>(s.stops.size()) - 1);
    s.slider->setPageStep(s.stops.empty() ? 10 : 1);
    s.slider->setValue(s.middle);
  }
  const auto field = field_of_path(input.path);
  if (!field || !s.slider->isEnabled()) return;
  const auto words = [&](int position) { return value_words_of(*field, slid({*field, s.today}, s, position)); };
  s.value->setText(words(s.slider->value()));
  s.ends->setText(tr("from %1 to %2").arg(words(s.slider->minimum()), words(s.slider->maximum())));
}

void WhatIfPanel::slide() {
  sliding_ = true;
  bool any = false;
  for (Slider& s : sliders_) {
    show(s, false);
    any = any || s.slider->value() != s.middle;
  }
  for (QPushButton* b : {apply_, keep_, reset_}) b->setEnabled(any);
  if (any) document_.preview(edit());
  else document_.cancelPreview();
  sliding_ = false;
}

/// Until somebody chooses: the first inputs that this design has set.
void WhatIfPanel::choose_inputs() {
  if (document_.previewing()) return;
  std::vector<int> taken;
  for (const Slider& s : sliders_)
    if (s.chosen) taken.push_back(s.input->currentIndex());
  for (Slider& s : sliders_) {
    if (s.chosen) continue;
    for (int i = 0; i < static_cast<int>(inputs_.size()); ++i) {
      if (std::find(taken.begin(), taken.end(), i) != taken.end() || !value_of(inputs_[static_cast<std::size_t>(i)])) continue;
      s.input->setCurrentIndex(i);
      taken.push_back(i);
      break;
    }
  }
}

void WhatIfPanel::reset() {
  choose_inputs();
  for (Slider& s : sliders_) show(s, true);
  for (QPushButton* b : {apply_, keep_, reset_}) b->setEnabled(false);
}

bool WhatIfPanel::trying() const {
  return std::any_of(sliders_.begin(), sliders_.end(), [](const Slider& s) { return s.slider->value() != s.middle; });
}

void WhatIfPanel::refresh() {
  if (!document_.previewing() && !sliding_) reset();
}

void WhatIfPanel::keep() {
  auto* dialog = new QInputDialog(this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setWindowTitle(tr("Keep as scenario"));
  dialog->setMinimumWidth(dialog->fontMetrics().averageCharWidth() * 60);
  dialog->setLabelText(tr("Name of the scenario"));
  dialog->setTextValue(QString::fromStdString(free_name(document_.design(), "scenarios", "Scenario 1")));
  connect(dialog, &QInputDialog::textValueSelected, this, [this, kept = changes()](const QString& name) {
    reset();
    document_.cancelPreview();
    const std::string n = name.toStdString();
    Q_EMIT editRequested({"Keep scenario " + n, [n, kept](const Design& d) -> Edited {
                            Scenario s;
                            s.name = n;
                            Made made = add_entity(d, &Design::scenarios, s);
                            const Id id = made.entities.front().id;
                            for (const Change& c : kept) {
                              ScenarioChange change;
                              change.scenario = id;
                              change.path = c.path;
                              change.value = c.text;
                              made = add_entity(made.design, &Design::scenario_changes, change);
                            }
                            return made.design;
                          }});
  });
  dialog->open();
}

} // namespace hallwright
