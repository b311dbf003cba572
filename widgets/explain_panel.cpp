// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <deque>
#include <map>

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QToolButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "widgets/entity_title.h"
#include "widgets/figure_text.h"
#include "widgets/panels.h"
#include "widgets/quantity_edit.h"
#include "widgets/sensitivity_bars.h"
#include "widgets/theme.h"
#include "widgets/wrapping_delegate.h"

namespace hallwright {
namespace {

enum ExplainColumn { value_column, label_column };
constexpr int figure_role = Qt::UserRole + 1;
constexpr int loaded_role = Qt::UserRole + 2;

/// Where a leaf comes from, in one short line.
QString origin_line(const Figure& f) {
  switch (f.origin) {
  case Origin::design: return ExplainPanel::tr("input of this design");
  case Origin::catalog: return (f.overridden ? ExplainPanel::tr("replaced in this design") : ExplainPanel::tr("catalog: %1").arg(QString::fromStdString(f.source)));
  case Origin::choice: return QString::fromStdString(f.source);
  case Origin::counted: return QString::fromStdString(f.source);
  case Origin::sum:
  case Origin::derived: return to_qstring(f.formula_text);
  }
  return {};
}

const FieldInfo* field_of_figure(const Figure& f, FieldInfo& buffer) {
  if (f.origin != Origin::design) return nullptr;
  for (const FieldInfo& info : table_fields(f.table))
    if (info.name == f.field) {
      buffer = info;
      return &buffer;
    }
  return nullptr;
}

/// Edits a design input where it stands in the tree.
class InputDelegate final : public WrappingDelegate {
public:
  InputDelegate(ExplainPanel* panel, QTreeView* tree, const SharedEvaluation& evaluation)
      : WrappingDelegate(tree, 4), panel_(panel), evaluation_(evaluation) {}
  QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem&, const QModelIndex& index) const override {
    if (index.column() != value_column || !evaluation_) return nullptr;
    const Figure* f = evaluation_->figures.find(index.data(figure_role).toString().toStdString());
    FieldInfo info;
    if (!f || !field_of_figure(*f, info)) return nullptr;
    auto* edit = new QuantityEdit(parent);
    edit->setField(info);
    edit->setObjectName(QStringLiteral("explain_editor"));
    auto value = get_field(evaluation_->design, {f->table, f->entity}, f->field);
    edit->setValue(value ? *value : FieldValue{});
    const EntityRef entity{f->table, f->entity};
    const std::string field = f->field;
    // The design of before, for the words of the history; parts are shared.
    QObject::connect(edit, &QuantityEdit::committed, panel_,
                     [panel = panel_, seen = evaluation_, entity, info, field, label = f->label](const FieldValue& v) {
                       const auto before = get_field(seen->design, entity, field);
                       const auto words = [&](const FieldValue& x) {
                         return value_words(info, x, seen->design, seen->catalog.get());
                       };
                       Edit e;
                       e.label =
                           ExplainPanel::tr("Set %1: %2 \u2192 %3")
                               .arg(QString::fromStdString(label), words(before ? *before : FieldValue{}), words(v))
                               .toStdString();
                       e.apply = [entity, field, v](const Design& d) { return set_field(d, entity, field, v); };
                       // The tree is rebuilt by the answer: let the editor close first.
                       QMetaObject::invokeMethod(
                           panel, [panel, e] { Q_EMIT panel->editRequested(e); }, Qt::QueuedConnection);
                     });
    QObject::connect(edit, &QuantityEdit::refused, panel_, &ExplainPanel::refused);
    return edit;
  }
  void setEditorData(QWidget*, const QModelIndex&) const override {}
  void setModelData(QWidget*, QAbstractItemModel*, const QModelIndex&) const override {}

private:
  ExplainPanel* panel_;
  const SharedEvaluation& evaluation_;
};

/// Whether a figure is another one under a name of its own, with nothing computed.
bool passes_on(const Figure& f) {
  return f.origin == Origin::sum && f.inputs.size() == 1 && f.formula_text == "the same amount";
}

/// The figure at the end of a chain of such figures; `names` gets the labels on the way, from the outer one on.
const Figure* passed_on(const Evaluation& e, const Figure* f, QStringList* names = nullptr) {
  for (int step = 0; f && passes_on(*f) && step < 100; ++step) {
    const Figure* next = e.figures.at(f->inputs.front());
    if (!next) break;
    if (names) *names << QString::fromStdString(f->label);
    f = next;
  }
  return f;
}

/// Whether a figure is the largest or smallest of two, of which a row of such figures takes one after the other.
bool picks(const Figure& f) {
  return f.inputs.size() == 2 && (f.formula_text == "max(first, second)" || f.formula_text == "min(first, second)");
}

/// One line below a figure.
struct Input {
  const Figure* figure = nullptr;
  QString role;      ///< parameter of the formula, or empty
  QStringList names; ///< of figures that pass this one on
};

void add_inputs(const Evaluation& e, const Figure& f, std::vector<Input>& out, int depth = 0) {
  constexpr int most_depth = 10000;
  for (std::size_t i = 0; i < f.inputs.size(); ++i) {
    Input in;
    in.figure = passed_on(e, e.figures.at(f.inputs[i]), &in.names);
    if (!in.figure) continue;
    if (picks(f) && in.figure->formula_text == f.formula_text && picks(*in.figure) && depth < most_depth) {
      add_inputs(e, *in.figure, out, depth + 1);
      continue;
    }
    if (i < f.input_names.size() && !picks(f)) in.role = to_qstring(f.input_names[i]);
    out.push_back(std::move(in));
  }
}

/// What a figure is made of. Of a row of maxima, each of the one before and the next, the things that are compared: the
/// one that decides comes first.
std::vector<Input> inputs_of(const Evaluation& e, const Figure& f) {
  std::vector<Input> out;
  add_inputs(e, f, out);
  if (!picks(f)) return out;
  const bool largest = f.formula_text.rfind("max", 0) == 0;
  std::stable_sort(out.begin(), out.end(), [largest](const Input& a, const Input& b) {
    if (a.figure->has_value() != b.figure->has_value()) return a.figure->has_value();
    return largest ? a.figure->value > b.figure->value : a.figure->value < b.figure->value;
  });
  const auto same = [](const Input& a, const Input& b) { return a.figure == b.figure; };
  out.erase(std::unique(out.begin(), out.end(), same), out.end());
  return out;
}

/// The formula as it is read: that of a row of maxima says of how many.
QString formula_words(const Evaluation& e, const Figure& f) {
  if (!picks(f)) return to_qstring(f.formula_text);
  const auto n = static_cast<qlonglong>(inputs_of(e, f).size());
  return f.formula_text.rfind("max", 0) == 0 ? ExplainPanel::tr("the largest of %1").arg(n)
                                             : ExplainPanel::tr("the smallest of %1").arg(n);
}

QString value_of(const Figure& f) {
  QString v = screen_text(f);
  if (f.completeness == Completeness::estimate) v = QStringLiteral("\u2248 ") + v;
  return v;
}

} // namespace

ExplainPanel::ExplainPanel(QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("Explain"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(3 * spacing_unit, 2 * spacing_unit, 3 * spacing_unit, 2 * spacing_unit);
  column->setSpacing(spacing_unit);
  auto* head = new QHBoxLayout;
  auto* back = new QToolButton(this);
  back->setText(QStringLiteral("\u2190"));
  back->setToolTip(tr("Back to the figure before"));
  back->setAccessibleName(tr("Back"));
  title_ = new QLabel(this);
  title_->setObjectName(QStringLiteral("title"));
  title_->setWordWrap(true);
  auto* copy = new QToolButton(this);
  copy->setIcon(icon(QStringLiteral("copy")));
  copy->setToolTip(tr("Copy the derivation as text"));
  copy->setAccessibleName(tr("Copy derivation"));
  head->addWidget(back);
  head->addWidget(title_, 1);
  head->addWidget(copy);
  column->addLayout(head);
  value_ = new QLabel(this);
  QFont big = value_->font();
  big.setPointSizeF(big.pointSizeF() * 1.3);
  big.setWeight(QFont::DemiBold);
  value_->setFont(big);
  value_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  column->addWidget(value_);
  formula_ = new QLabel(this);
  formula_->setObjectName(QStringLiteral("secondary"));
  formula_->setWordWrap(true);
  formula_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  column->addWidget(formula_);
  auto make_tree = [this](const QString& name) {
    auto* tree = new QTreeWidget(this);
    tree->setAccessibleName(name);
    tree->setColumnCount(2);
    tree->setHeaderLabels({tr("Value"), tr("What it is")});
    tree->setRootIsDecorated(true);
    tree->setIndentation(14);
    tree->header()->setStretchLastSection(true);
    tree->header()->resizeSection(value_column, fontMetrics().averageCharWidth() * 17);
    tree->setTextElideMode(Qt::ElideRight);
    return tree;
  };
  tree_ = make_tree(tr("Inputs"));
  tree_->setObjectName(QStringLiteral("explain_tree"));
  tree_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  tree_->setItemDelegate(new InputDelegate(this, tree_, evaluation_));
  column->addWidget(tree_, 3);
  auto* used = new QLabel(tr("Used by"), this);
  used->setObjectName(QStringLiteral("title"));
  column->addWidget(used);
  used_by_ = make_tree(tr("Used by"));
  used_by_->setItemDelegate(new WrappingDelegate(used_by_));
  used_by_->setRootIsDecorated(false);
  used_by_->setHeaderHidden(true);
  used_by_->setMinimumHeight(1);
  column->addWidget(used_by_, 1);
  movers_ = new SensitivityBars(this);
  column->addWidget(movers_);
  back_button_ = back;
  copy_button_ = copy;
  used_title_ = used;
  rest_ = new QWidget(this);
  rest_->setObjectName(QStringLiteral("clear"));
  column->addWidget(rest_, 1);

  connect(copy, &QToolButton::clicked, this, [this] { QApplication::clipboard()->setText(asText()); });
  connect(back, &QToolButton::clicked, this, [this] {
    if (back_.empty()) return;
    figure_ = back_.back();
    back_.pop_back();
    fill();
    Q_EMIT figureShown(figure_);
  });
  connect(movers_, &SensitivityBars::rowActivated, this, &ExplainPanel::reveal);
  connect(movers_, &SensitivityBars::openChanged, this, [this] { show_lists(tree_->isVisibleTo(this)); });
  connect(tree_, &QTreeWidget::itemExpanded, this, [this](QTreeWidgetItem* item) {
    if (item->data(0, loaded_role).toBool() || !evaluation_) return;
    item->setData(0, loaded_role, true);
    qDeleteAll(item->takeChildren());
    const Figure* f = evaluation_->figures.find(item->data(0, figure_role).toString().toStdString());
    if (!f) return;
    const Figure* worked = passed_on(*evaluation_, f);
    std::vector<Input> inputs = inputs_of(*evaluation_, *worked);
    if (inputs.empty() && worked != f) inputs.push_back({worked, {}, {}}); // an entry of the design under another name
    for (const Input& input : inputs) {
      const Figure* in = input.figure;
      auto* child = new QTreeWidgetItem(item);
      child->setData(0, figure_role, QString::fromStdString(in->id));
      child->setText(value_column, value_of(*in));
      QString text = QString::fromStdString(in->label);
      if (in->is_leaf() || in->origin == Origin::counted) text += QStringLiteral(" \u2014 ") + origin_line(*in);
      else text += QStringLiteral("  = ") + formula_words(*evaluation_, *in);
      child->setText(label_column, text);
      QString tip = figure_tooltip(*in);
      if (!input.role.isEmpty())
        tip += QStringLiteral("<br>") + tr("In the formula above: %1").arg(input.role.toHtmlEscaped());
      if (!input.names.isEmpty())
        tip += QStringLiteral("<br>") +
               tr("The same amount as: %1").arg(input.names.join(QStringLiteral(", ")).toHtmlEscaped());
      child->setToolTip(value_column, tip);
      child->setToolTip(label_column, tip);
      QFont bold = font();
      bold.setWeight(QFont::DemiBold);
      child->setFont(value_column, bold);
      FieldInfo info;
      if (field_of_figure(*in, info)) {
        child->setFlags(child->flags() | Qt::ItemIsEditable);
        child->setForeground(value_column, theme().accent);
      }
      if (in->overridden) child->setForeground(label_column, theme().amber);
      if (!in->inputs.empty()) {
        child->setChildIndicatorPolicy(QTreeWidgetItem::ShowIndicator);
        new QTreeWidgetItem(child); // filled when it opens
      }
    }
  });
  auto edit_or_open = [this](QTreeWidgetItem* item) {
    if (!item || !evaluation_) return;
    const Figure* f = evaluation_->figures.find(item->data(0, figure_role).toString().toStdString());
    if (!f) return;
    FieldInfo info;
    if (field_of_figure(*f, info)) {
      if (info.type == FieldType::number || info.type == FieldType::count) tree_->editItem(item, value_column);
      else Q_EMIT entityActivated({f->table, f->entity});
    } else if (f->origin == Origin::catalog || f->origin == Origin::choice) {
      Q_EMIT sourceActivated(QString::fromStdString(f->source));
    } else {
      showFigure(QString::fromStdString(f->id));
    }
  };
  connect(tree_, &QTreeWidget::itemDoubleClicked, this, [edit_or_open](QTreeWidgetItem* item, int) { edit_or_open(item); });
  connect(tree_, &QTreeWidget::itemActivated, this, [this, edit_or_open](QTreeWidgetItem* item, int) {
    // A double click activates too; the keyboard comes only here.
    if (QApplication::mouseButtons() == Qt::NoButton && !tree_->findChild<QuantityEdit*>()) edit_or_open(item);
  });
  connect(used_by_, &QTreeWidget::itemDoubleClicked, this, [this](QTreeWidgetItem* item, int) { showFigure(item->data(0, figure_role).toString()); });
  reset();
}

void ExplainPanel::show_lists(bool any) {
  for (QWidget* w : {static_cast<QWidget*>(tree_), copy_button_, static_cast<QWidget*>(value_)}) w->setVisible(any);
  back_button_->setVisible(any || !back_.empty());
  // In a short dock one of the two lists below the tree is enough.
  const bool short_of_room = movers_->open() && height() < fontMetrics().height() * 26;
  const bool used = any && used_by_->topLevelItemCount() > 0 && !short_of_room;
  used_title_->setVisible(used);
  used_by_->setVisible(used);
  rest_->setVisible(!any);
}

void ExplainPanel::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  if (event->size().height() == event->oldSize().height()) return;
  // The tree keeps a quarter, the list below it may not take all.
  tree_->setMinimumHeight(std::max(tree_->minimumSizeHint().height(), std::min(height() / 4, fontMetrics().height() * 9)));
  show_lists(tree_->isVisibleTo(this));
}

void ExplainPanel::reset() {
  evaluation_.reset();
  figure_.clear();
  back_.clear();
  tree_->clear();
  used_by_->clear();
  value_->clear();
  value_->setToolTip({});
  title_->setText(tr("Click a number"));
  formula_->setText(tr("Any number in the window opens here: its formula, its inputs and their sources."));
  show_lists(false);
  Q_EMIT figureShown({});
}

void ExplainPanel::setEvaluation(const SharedEvaluation& evaluation) {
  evaluation_ = evaluation;
  if (tree_->findChild<QuantityEdit*>()) return; // being typed into
  fill();
}

void ExplainPanel::showFigure(const QString& id) {
  if (id == figure_) return;
  if (!figure_.isEmpty()) back_.push_back(figure_);
  figure_ = id;
  fill();
  Q_EMIT figureShown(figure_);
}

void ExplainPanel::reveal(const QString& leaf) {
  const Figure* root = evaluation_ ? evaluation_->figures.find(figure_.toStdString()) : nullptr;
  QTreeWidgetItem* item = tree_->topLevelItem(0);
  if (!root || !item) return;
  // The shortest way through what the tree shows.
  std::map<std::string, std::string> above{{root->id, {}}};
  std::deque<const Figure*> next{root};
  const std::string wanted = leaf.toStdString();
  while (!next.empty() && above.count(wanted) == 0) {
    const Figure* f = next.front();
    next.pop_front();
    const Figure* worked = passed_on(*evaluation_, f);
    std::vector<Input> inputs = inputs_of(*evaluation_, *worked);
    if (inputs.empty() && worked != f) inputs.push_back({worked, {}, {}});
    for (const Input& in : inputs)
      if (above.try_emplace(in.figure->id, f->id).second) next.push_back(in.figure);
  }
  if (above.count(wanted) == 0) {
    showFigure(leaf);
    return;
  }
  std::vector<QString> way;
  for (std::string at = wanted; at != root->id; at = above.at(at)) way.push_back(QString::fromStdString(at));
  for (auto step = way.rbegin(); step != way.rend(); ++step) {
    item->setExpanded(true); // fills it
    for (int i = 0; i < item->childCount(); ++i)
      if (item->child(i)->data(0, figure_role).toString() == *step) {
        item = item->child(i);
        break;
      }
  }
  // Room for a number, however deep it stands.
  const int depth = static_cast<int>(way.size()) + 1, letter = fontMetrics().averageCharWidth();
  const int wanted_width = std::min(depth * tree_->indentation() + 14 * letter, tree_->viewport()->width() * 3 / 5);
  if (tree_->columnWidth(value_column) < wanted_width) tree_->setColumnWidth(value_column, wanted_width);
  tree_->setCurrentItem(item);
  tree_->scrollToItem(item, QAbstractItemView::PositionAtCenter);
  tree_->setFocus(Qt::OtherFocusReason);
  const Figure* f = evaluation_->figures.find(wanted);
  FieldInfo info;
  if (f && field_of_figure(*f, info) && (info.type == FieldType::number || info.type == FieldType::count))
    tree_->editItem(item, value_column);
}

void ExplainPanel::fill() {
  // Keep what was open: the same figures open again after an edit.
  std::vector<QString> open;
  auto collect = [&](auto&& self, QTreeWidgetItem* item) -> void {
    if (item->isExpanded()) open.push_back(item->data(0, figure_role).toString());
    for (int i = 0; i < item->childCount(); ++i) self(self, item->child(i));
  };
  for (int i = 0; i < tree_->topLevelItemCount(); ++i) collect(collect, tree_->topLevelItem(i));
  tree_->clear();
  used_by_->clear();
  const Figure* f = evaluation_ && !figure_.isEmpty() ? evaluation_->figures.find(figure_.toStdString()) : nullptr;
  if (!f) {
    if (!figure_.isEmpty()) {
      title_->setText(tr("%1 is not part of this design").arg(figure_));
      formula_->clear();
    }
    value_->clear();
    show_lists(false);
    return;
  }
  title_->setText(QString::fromStdString(f->label));
  value_->setText(screen_text(*f) + (f->completeness == Completeness::estimate ? tr("  estimate") : QString()));
  value_->setToolTip(figure_tooltip(*f));
  QStringList lines;
  const Figure* worked = passed_on(*evaluation_, f);
  if (worked != f && worked->label != f->label) lines << QString::fromStdString(worked->label);
  if (!worked->formula_text.empty()) lines << QStringLiteral("= ") + formula_words(*evaluation_, *worked);
  // Of a row of maxima: which one it is, and how that comes about.
  const Figure* decides = worked;
  for (int step = 0; picks(*decides) && step < 100; ++step) {
    const std::vector<Input> compared = inputs_of(*evaluation_, *decides);
    if (compared.empty()) break;
    decides = compared.front().figure;
  }
  if (decides != worked) {
    lines << tr("It is: %1").arg(QString::fromStdString(decides->label));
    if (!decides->formula_text.empty()) lines << QStringLiteral("= ") + formula_words(*evaluation_, *decides);
  } else if (worked != f && worked->is_leaf())
    lines << origin_line(*worked);
  if (!f->reason.empty()) lines << QString::fromStdString(f->reason);
  if (const Figure* limit = evaluation_->figures.at(f->limit))
    lines << tr("Limit: %1 (%2)").arg(screen_limit(*f, *limit), QString::fromStdString(limit->label));
  const std::string& source = decides != worked ? decides->source : f->source.empty() ? worked->source : f->source;
  if (!source.empty()) lines << tr("Source: %1").arg(QString::fromStdString(source));
  formula_->setText(lines.join(QLatin1Char('\n')));
  auto* root = new QTreeWidgetItem(tree_);
  root->setData(0, figure_role, figure_);
  root->setText(value_column, value_of(*f));
  root->setText(label_column, QString::fromStdString(f->label) + (f->is_leaf() ? QStringLiteral(" \u2014 ") + origin_line(*f) : QString()));
  FieldInfo info;
  if (field_of_figure(*f, info)) {
    root->setFlags(root->flags() | Qt::ItemIsEditable);
    root->setForeground(value_column, theme().accent);
  }
  if (!worked->inputs.empty() || worked != f) new QTreeWidgetItem(root);
  root->setExpanded(true);
  auto reopen = [&](auto&& self, QTreeWidgetItem* item, int depth) -> void {
    const QString id = item->data(0, figure_role).toString();
    // A figure that only passes another on opens down to where something is computed.
    if (open.empty() && (depth < 1 || (depth < 4 && item->parent() && item->parent()->childCount() == 1))) item->setExpanded(true);
    // So does the first of a row of maxima, which decides.
    const QTreeWidgetItem* above = item->parent();
    const Figure* parent =
        above ? evaluation_->figures.find(above->data(0, figure_role).toString().toStdString()) : nullptr;
    if (open.empty() && parent && depth < 4 && picks(*passed_on(*evaluation_, parent)) && above->child(0) == item)
      item->setExpanded(true);
    if (std::find(open.begin(), open.end(), id) != open.end()) item->setExpanded(true);
    if (item->isExpanded())
      for (int i = 0; i < item->childCount(); ++i) self(self, item->child(i), depth + 1);
  };
  reopen(reopen, root, 0);
  const auto ref_page = [&]() -> FigureRef {
    for (std::size_t p = 0; p < page_count; ++p) {
      const auto& page = evaluation_->figures.page(static_cast<Page>(p));
      if (!page || page->figures.empty()) continue;
      if (f >= page->figures.data() && f < page->figures.data() + page->figures.size())
        return {static_cast<Page>(p), static_cast<std::uint32_t>(f - page->figures.data())};
    }
    return {};
  }();
  for (const Figure* user : evaluation_->figures.used_by(ref_page)) {
    auto* item = new QTreeWidgetItem(used_by_);
    item->setData(0, figure_role, QString::fromStdString(user->id));
    item->setText(value_column, value_of(*user));
    item->setText(label_column, QString::fromStdString(user->label));
    item->setToolTip(label_column, figure_tooltip(*user));
  }
  show_lists(true);
}

QString ExplainPanel::asText() const {
  if (!evaluation_) return {};
  const Figure* f = evaluation_->figures.find(figure_.toStdString());
  if (!f) return {};
  QString out;
  std::vector<int> left_out; // depths of the figures above that only pass on
  for (const Derivation& d : derivation(evaluation_->figures, *f)) {
    while (!left_out.empty() && left_out.back() >= d.depth) left_out.pop_back();
    if (d.depth > 0 && passes_on(*d.figure) && !d.opened_above) {
      left_out.push_back(d.depth);
      continue;
    }
    out += QString(2 * (d.depth - static_cast<int>(left_out.size())), QLatin1Char(' ')) +
           QString::fromStdString(figure_text(*d.figure, 0)) + QStringLiteral("  ") +
           QString::fromStdString(d.figure->label);
    if (!d.figure->formula_text.empty()) out += QStringLiteral("  = ") + to_qstring(d.figure->formula_text);
    if (d.figure->is_leaf()) out += QStringLiteral("  [") + QString::fromStdString(d.figure->source) + QLatin1Char(']');
    out += QLatin1Char('\n');
  }
  return out;
}

} // namespace hallwright
