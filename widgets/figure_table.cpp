// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/figure_table.h"

#include <cmath>
#include <set>

#include <QAbstractTableModel>
#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QScrollBar>
#include <QSettings>
#include <QShortcut>
#include <QSortFilterProxyModel>
#include <QStackedLayout>
#include <QTableView>
#include <QVBoxLayout>

#include "quantity/table_number.h"
#include "widgets/entity_title.h"
#include "widgets/figure_text.h"
#include "widgets/theme.h"
#include "widgets/wrapped_text.h"
#include "widgets/written_file.h"

namespace hallwright {
namespace {
constexpr int sort_role = Qt::UserRole + 1;

/// The unit that a whole column is shown in: its own, but where its numbers would get long, that of its largest one, as
/// figures have it.
std::string column_unit(const TableColumn& c) {
  if (!c.kind) return c.unit;
  double largest = 0.0;
  for (double v : c.numbers)
    if (std::isfinite(v)) largest = std::max(largest, std::abs(v));
  constexpr double long_number = 10'000;
  for (const DisplayUnit& u : c.kind->display)
    if (u.symbol == c.unit && (c.kind->scale != Scale::quantity || largest / u.factor < long_number)) return c.unit;
  return std::string(suited_unit(largest, *c.kind).symbol);
}

std::string csv_cell(const std::string& text) {
  // A cell that a spreadsheet would take for a formula is made harmless.
  std::string t = text;
  if (!t.empty() && std::string_view("=+-@").find(t.front()) != std::string_view::npos) t.insert(t.begin(), '\'');
  if (t.find_first_of(",\"\n\r") == std::string::npos) return t;
  std::string out = "\"";
  for (char ch : t) {
    if (ch == '"') out += '"';
    out += ch;
  }
  return out + "\"";
}
/// A long heading of numbers, broken where its lines are most alike: columns of short numbers stay narrow.
QString in_two_lines(const QString& title) {
  constexpr qsizetype short_enough = 12;
  if (title.size() <= short_enough) return title;
  qsizetype best = -1;
  for (qsizetype at = title.indexOf(QLatin1Char(' ')); at >= 0; at = title.indexOf(QLatin1Char(' '), at + 1))
    if (best < 0 || std::abs(2 * at - title.size()) < std::abs(2 * best - title.size())) best = at;
  return best < 0 ? title : title.left(best) + QLatin1Char('\n') + title.mid(best + 1);
}

} // namespace

class FigureTable::Model final : public QAbstractTableModel {
public:
  using QAbstractTableModel::QAbstractTableModel;
  void set(const Table* table) {
    if (table && has_ && same_table(*table, table_)) return;
    if (!table && !has_) return;
    // Same shape: cells change, selection and scroll position stay.
    const bool same_shape = table && has_ && table->columns.size() == table_.columns.size() && table->row_count() == table_.row_count() && table->entities == table_.entities;
    if (!same_shape) beginResetModel();
    has_ = table != nullptr;
    table_ = table ? *table : Table{};
    units_.clear();
    for (const auto& c : table_.columns) units_.push_back(column_unit(c));
    if (!same_shape) endResetModel();
    else if (rowCount() > 0) {
      Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
      Q_EMIT headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
    }
  }
  int rowCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : static_cast<int>(table_.row_count()); }
  int columnCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : static_cast<int>(table_.columns.size()); }
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
    const auto i = static_cast<std::size_t>(section);
    const auto& c = table_.columns[i];
    if (role == Qt::DisplayRole) {
      const QString title = QString::fromStdString(c.label) +
                            (units_[i].empty() ? QString() : screen_units(QStringLiteral(", 1 ") + QString::fromStdString(units_[i])).remove(2, 2));
      return c.kind ? in_two_lines(title) : title;
    }
    if (role == Qt::ToolTipRole) return QString::fromStdString(c.formula);
    if (role == Qt::TextAlignmentRole) return QVariant(c.kind ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter);
    return {};
  }
  QVariant data(const QModelIndex& index, int role) const override {
    if (!index.isValid()) return {};
    const auto& c = table_.columns[static_cast<std::size_t>(index.column())];
    const auto row = static_cast<std::size_t>(index.row());
    if (!c.kind) {
      const QString word = row < c.words.size() ? QString::fromStdString(c.words[row]) : QString();
      if (role == Qt::DisplayRole || role == sort_role || role == Qt::ToolTipRole) {
        // A sentence has the numbers of the screen; a name stays as it was given.
        const bool sentence = word.size() > 30 && (word.contains(QLatin1String(", ")) || word.contains(QLatin1String("; ")));
        return sentence ? screen_sentence(word) : screen_choice(word.toStdString());
      }
      return {};
    }
    const double v = row < c.numbers.size() ? c.numbers[row] : std::nan("");
    if (role == sort_role) return v;
    if (role == Qt::TextAlignmentRole) return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (!std::isfinite(v)) {
      if (role == Qt::DisplayRole) return QStringLiteral("\u2013");
      if (role == Qt::ToolTipRole) return FigureTable::tr("unknown");
      return {};
    }
    if (role == Qt::DisplayRole) return QString::fromStdString(screen_quantity(v, *c.kind, 3, units_[static_cast<std::size_t>(index.column())]).number);
    if (role == Qt::ToolTipRole) return screen_text(v, *c.kind, 0, units_[static_cast<std::size_t>(index.column())]);
    return {};
  }
  [[nodiscard]] const Table& table() const { return table_; }
  [[nodiscard]] bool has() const { return has_; }

private:
  Table table_;
  bool has_ = false;
  std::vector<std::string> units_;
};

FigureTable::FigureTable(QWidget* parent) : QWidget(parent) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(spacing_unit);
  filter_ = new QLineEdit(this);
  filter_->setPlaceholderText(tr("Filter rows"));
  filter_->setClearButtonEnabled(true);
  filter_->setAccessibleName(tr("Filter rows"));
  filter_->setMaximumWidth(260);
  column->addWidget(filter_);
  model_ = new Model(this);
  auto* proxy = new QSortFilterProxyModel(this);
  proxy->setSourceModel(model_);
  proxy->setSortRole(sort_role);
  proxy->setFilterKeyColumn(-1);
  proxy->setFilterCaseSensitivity(Qt::CaseInsensitive);
  view_ = new QTableView(this);
  view_->setModel(proxy);
  view_->setSortingEnabled(true);
  view_->sortByColumn(-1, Qt::AscendingOrder);
  view_->setAlternatingRowColors(true);
  view_->setShowGrid(false);
  view_->setWordWrap(false);
  view_->setTextElideMode(Qt::ElideMiddle); // names of kin differ at their ends
  view_->verticalHeader()->hide();
  view_->verticalHeader()->setDefaultSectionSize(view_->fontMetrics().height() + 8);
  view_->horizontalHeader()->setStretchLastSection(false); // numbers stay beside each other
  view_->horizontalHeader()->setHighlightSections(false);
  view_->setSelectionBehavior(QAbstractItemView::SelectRows);
  view_->setContextMenuPolicy(Qt::CustomContextMenu);
  column->addWidget(view_, 1);
  detail_ = new QLabel(this);
  detail_->setObjectName(QStringLiteral("table_detail"));
  detail_->setWordWrap(true);
  detail_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  detail_->setAlignment(Qt::AlignTop);
  detail_->hide();
  column->addWidget(detail_);
  empty_ = new QLabel(this);
  empty_->setObjectName(QStringLiteral("secondary"));
  empty_->setAlignment(Qt::AlignCenter);
  empty_->setWordWrap(true);
  column->addWidget(empty_, 1);
  connect(filter_, &QLineEdit::textChanged, proxy, &QSortFilterProxyModel::setFilterFixedString);
  connect(model_, &QAbstractItemModel::modelReset, this, [this] {
    arranging_ = true;
    view_->resizeColumnsToContents();
    wanted_widths_.clear();
    for (int i = 0; i < model_->columnCount(); ++i) wanted_widths_.push_back(view_->columnWidth(i) + 12);
    read_widths();
    arranging_ = false;
    spread_widths();
    const Table& table = model_->table();
    int place = 0;
    for (const QString& id : first_columns_)
      for (std::size_t c = 0; c < table.columns.size(); ++c)
        if (QString::fromStdString(table.columns[c].id) == id)
          view_->horizontalHeader()->moveSection(view_->horizontalHeader()->visualIndex(static_cast<int>(c)), place++);
    filter_->setVisible(model_->rowCount() > 12);
    show_empty();
    show_detail();
  });
  connect(view_->horizontalHeader(), &QHeaderView::sectionResized, this, [this](int column, int, int width) {
    if (arranging_) return;
    keep_width(column, width);
    show_detail();
  });
  view_->viewport()->installEventFilter(this);
  connect(view_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this] { show_detail(); });
  connect(view_->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this, proxy] {
    if (!view_->hasFocus()) return;
    const Table& t = model_->table();
    std::vector<EntityRef> entities;
    for (const QModelIndex& i : view_->selectionModel()->selectedRows()) {
      const auto row = static_cast<std::size_t>(proxy->mapToSource(i).row());
      if (row < t.entities.size() && t.entities[row] != 0) entities.push_back({t.entity_table, t.entities[row]});
    }
    if (!entities.empty()) Q_EMIT rowsSelected(entities);
  });
  connect(view_, &QTableView::doubleClicked, this, [this, proxy](const QModelIndex& i) {
    const Table& t = model_->table();
    const auto row = static_cast<std::size_t>(proxy->mapToSource(i).row());
    if (row < t.row_figures.size() && !t.row_figures[row].empty()) Q_EMIT rowExplained(QString::fromStdString(t.row_figures[row]));
  });
  auto copy = [this] { QApplication::clipboard()->setText(asTabSeparated()); };
  auto* shortcut = new QShortcut(QKeySequence::Copy, view_, nullptr, nullptr, Qt::WidgetShortcut);
  connect(shortcut, &QShortcut::activated, this, copy);
  connect(view_, &QTableView::customContextMenuRequested, this, [this, copy, proxy](const QPoint& at) {
    QMenu menu(this);
    menu.addAction(tr("Copy rows"), this, copy);
    menu.addAction(tr("Export CSV\u2026"), this, [this] {
      const QString file = QFileDialog::getSaveFileName(this, tr("Export table"), QString::fromStdString(model_->table().id) + QStringLiteral(".csv"), tr("CSV (*.csv)"));
      if (file.isEmpty()) return;
      tell_unwritten(this, write_whole(file, table_csv(model_->table())));
    });
    const Table& t = model_->table();
    const QModelIndex i = view_->indexAt(at);
    const auto row = static_cast<std::size_t>(proxy->mapToSource(i).row());
    if (i.isValid() && row < t.row_figures.size() && !t.row_figures[row].empty())
      menu.addAction(icon(QStringLiteral("explain")), tr("Explain"), this, [this, id = QString::fromStdString(t.row_figures[row])] { Q_EMIT rowExplained(id); });
    menu.exec(view_->viewport()->mapToGlobal(at));
  });
  setEmptyText(tr("Nothing to show yet."));
  filter_->hide();
  show_empty();
}

void FigureTable::setTable(const Table* table) {
  model_->set(table);
  if (table) {
    setAccessibleName(QString::fromStdString(table->title));
    view_->setAccessibleName(QString::fromStdString(table->title));
  }
}

namespace {

constexpr int widest_at_first = 320; // pixels, of a column whose words are long

} // namespace

int FigureTable::contentWidth() const {
  int sum = 0;
  for (const int w : wanted_widths_) sum += w;
  return sum;
}

/// First widths: as wide as what is in them, long words at most so wide, and what the view has left goes to those.
/// Columns that somebody drew wider or narrower stay so.
void FigureTable::spread_widths() {
  const auto columns = static_cast<int>(wanted_widths_.size());
  if (columns == 0 || columns != model_->columnCount()) return;
  std::vector<int> widths;
  int sum = 0, cut = 0;
  for (int i = 0; i < columns; ++i) {
    const auto own = own_widths_.find(i);
    const int wanted = wanted_widths_[static_cast<std::size_t>(i)];
    widths.push_back(own != own_widths_.end() ? own->second : std::min(wanted, widest_at_first));
    sum += widths.back();
    cut += own == own_widths_.end() && wanted > widest_at_first;
  }
  int left = view_->viewport()->width() - sum;
  for (int i = 0; i < columns && left > 0 && cut > 0; ++i) {
    const int wanted = wanted_widths_[static_cast<std::size_t>(i)];
    if (own_widths_.count(i) || wanted <= widest_at_first) continue;
    const int more = std::min(wanted - widest_at_first, left / cut);
    widths[static_cast<std::size_t>(i)] += more;
    left -= more;
    --cut;
  }
  arranging_ = true;
  for (int i = 0; i < columns; ++i)
    if (view_->columnWidth(i) != widths[static_cast<std::size_t>(i)]) view_->setColumnWidth(i, widths[static_cast<std::size_t>(i)]);
  arranging_ = false;
}

QString FigureTable::width_key(int column) const {
  const Table& t = model_->table();
  return QStringLiteral("table_widths/%1/%2")
      .arg(QString::fromStdString(t.id), QString::fromStdString(t.columns[static_cast<std::size_t>(column)].id));
}

void FigureTable::read_widths() {
  own_widths_.clear();
  const QSettings settings;
  for (int i = 0; i < model_->columnCount(); ++i)
    if (const int w = settings.value(width_key(i)).toInt(); w > 0) own_widths_[i] = w;
}

void FigureTable::keep_width(int column, int width) {
  if (column < 0 || column >= model_->columnCount() || width <= 0) return;
  own_widths_[column] = width;
  QSettings().setValue(width_key(column), width);
}

/// Words of the current row that their columns cut, whole under the table.
void FigureTable::show_detail() {
  const auto columns = static_cast<int>(wanted_widths_.size());
  QStringList lines;
  bool any_cut = false;
  const QModelIndex current = view_->selectionModel()->currentIndex();
  for (int i = 0; i < columns && i < model_->columnCount(); ++i) {
    const TableColumn& c = model_->table().columns[static_cast<std::size_t>(i)];
    if (c.kind || wanted_widths_[static_cast<std::size_t>(i)] <= view_->columnWidth(i) + 12) continue;
    any_cut = true;
    if (!current.isValid()) continue;
    const QString words = current.siblingAtColumn(i).data().toString();
    if (view_->fontMetrics().horizontalAdvance(words) + 12 > view_->columnWidth(i))
      lines << QStringLiteral("%1: %2").arg(QString::fromStdString(c.label), words);
  }
  // In a low window the rows have the room; their tooltips have the words whole.
  const bool shown = any_cut && model_->rowCount() > 0 && height() >= 11 * fontMetrics().lineSpacing();
  if (shown)
    detail_->setText(lines.isEmpty() ? current.isValid() ? QString() : tr("Choose a row to read its words whole.")
                                     : lines.join(QLatin1Char('\n')));
  // Room for two lines as long as something is cut, so that nothing moves with the choice.
  if (shown) detail_->setMinimumHeight(2 * detail_->fontMetrics().lineSpacing());
  detail_->setVisible(shown);
}

bool FigureTable::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize && watched == view_->viewport()) {
    spread_widths();
    show_detail();
  }
  return QWidget::eventFilter(watched, event);
}

void FigureTable::setFirstColumns(const std::vector<QString>& ids) { first_columns_ = ids; }

void FigureTable::setEmptyText(const QString& text) {
  empty_->setText(text);
  view_->setAccessibleDescription(text);
}

void FigureTable::show_empty() {
  const bool empty = model_->rowCount() == 0;
  view_->setVisible(!empty);
  empty_->setVisible(empty);
}

void FigureTable::setSelection(const std::vector<EntityRef>& selection) {
  if (view_->hasFocus()) return;
  const Table& t = model_->table();
  auto* proxy = static_cast<QSortFilterProxyModel*>(view_->model());
  std::set<Id> wanted;
  for (const auto& e : selection)
    if (e.table == t.entity_table) wanted.insert(e.id);
  QItemSelection rows;
  QModelIndex first;
  for (std::size_t i = 0; i < t.entities.size() && !wanted.empty(); ++i) {
    if (wanted.count(t.entities[i]) == 0) continue;
    const QModelIndex index = proxy->mapFromSource(model_->index(static_cast<int>(i), 0));
    if (!index.isValid()) continue;
    rows.select(index, index);
    if (!first.isValid()) first = index;
  }
  view_->selectionModel()->select(rows, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
  if (first.isValid()) view_->scrollTo(first);
}

QString FigureTable::asTabSeparated() const {
  const auto* proxy = view_->model();
  QStringList lines;
  QStringList header;
  for (int c = 0; c < proxy->columnCount(); ++c)
    header << proxy->headerData(c, Qt::Horizontal).toString().replace(QLatin1Char('\n'), QLatin1Char(' '));
  lines << header.join(QLatin1Char('\t'));
  std::set<int> chosen;
  for (const QModelIndex& i : view_->selectionModel()->selectedRows()) chosen.insert(i.row());
  for (int r = 0; r < proxy->rowCount(); ++r) {
    if (!chosen.empty() && chosen.count(r) == 0) continue;
    QStringList cells;
    for (int c = 0; c < proxy->columnCount(); ++c) cells << proxy->index(r, c).data().toString().remove(QChar(0x2009));
    lines << cells.join(QLatin1Char('\t'));
  }
  return lines.join(QLatin1Char('\n'));
}

std::string table_csv(const Table& table) {
  std::string out;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const auto& c = table.columns[i];
    if (i) out += ',';
    out += csv_cell(c.label + (c.kind && c.kind->base_symbol != "1" ? " [" + std::string(c.kind->base_symbol) + "]" : ""));
  }
  out += '\n';
  for (std::size_t r = 0; r < table.row_count(); ++r) {
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      const auto& c = table.columns[i];
      if (i) out += ',';
      if (!c.kind) out += r < c.words.size() ? csv_cell(c.words[r]) : std::string();
      else if (r < c.numbers.size()) out += table_number(c.numbers[r]);
    }
    out += '\n';
  }
  return out;
}

/// Painted list: one row a figure. A number stands whole; the name before it goes on in further lines.
class FigureList::Body final : public QWidget {
public:
  explicit Body(FigureList* list) : QWidget(list), list_(list) {
    setMouseTracking(true);
    setFocusPolicy(Qt::TabFocus);
  }
  SharedEvaluation evaluation;
  std::vector<QString> ids;
  int current = -1;

  QSize sizeHint() const override { return {300, tops_.back()}; }
  QSize minimumSizeHint() const override { return {200, tops_.back()}; }

  /// Places of everything for the present width and figures.
  void arrange() {
    rows_.clear();
    tops_.assign(1, 0);
    const QFontMetrics names(font()), values(value_font());
    const int room = std::max(1, width() - 2 * spacing_unit), gap = 2 * spacing_unit;
    for (const QString& id : ids) {
      const Figure* f = evaluation ? evaluation->figures.find(id.toStdString()) : nullptr;
      Row row;
      if (f) {
        row.value = screen_text(*f);
        if (f->completeness == Completeness::estimate && !nothing_known(*f)) row.value = QStringLiteral("\u2248 ") + row.value;
        const QString name = QString::fromStdString(f->label);
        const int beside = room - values.horizontalAdvance(row.value) - gap;
        // A value that leaves the name no room stands below it.
        row.below = beside < std::min(names.horizontalAdvance(name), names.averageCharWidth() * 12);
        row.name = wrapped_text(name, names, row.below ? room : beside, most_lines);
      }
      const int lines = std::max(1, static_cast<int>(row.name.size())) + (row.below ? 1 : 0);
      tops_.push_back(tops_.back() + lines * names.height() + 3 * spacing_unit);
      rows_.push_back(std::move(row));
    }
    if (minimumHeight() != tops_.back()) setMinimumHeight(tops_.back());
    updateGeometry();
    update();
  }
  [[nodiscard]] QRect row_rect(int i) const {
    const auto at = static_cast<std::size_t>(i);
    return {0, tops_[at], width(), tops_[at + 1] - tops_[at]};
  }
  [[nodiscard]] QString shown_name(int i) const { return rows_[static_cast<std::size_t>(i)].name.join(QLatin1Char(' ')); }
  [[nodiscard]] QString shown_value(int i) const { return rows_[static_cast<std::size_t>(i)].value; }

protected:
  void resizeEvent(QResizeEvent* e) override {
    QWidget::resizeEvent(e);
    if (e->size().width() != e->oldSize().width()) arrange();
  }
  void changeEvent(QEvent* e) override {
    if (e->type() == QEvent::FontChange) arrange();
    QWidget::changeEvent(e);
  }
  void paintEvent(QPaintEvent*) override {
    const Theme& t = theme();
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    const QFont bold = value_font();
    const QFontMetrics names(font());
    for (int i = 0; i < static_cast<int>(rows_.size()); ++i) {
      const auto at = static_cast<std::size_t>(i);
      const Figure* f = evaluation ? evaluation->figures.find(ids[at].toStdString()) : nullptr;
      const QRect row = row_rect(i);
      if (i == current) p.fillRect(row, t.field);
      if (!f) continue;
      const QRect inner = row.adjusted(spacing_unit, spacing_unit, -spacing_unit, -2 * spacing_unit);
      p.setFont(bold);
      p.setPen(f->status == Status::over_limit ? t.red : f->has_value() ? t.text : t.structure);
      p.drawText(inner, Qt::AlignRight | (rows_[at].below ? Qt::AlignBottom : Qt::AlignTop) | Qt::TextDontClip, rows_[at].value);
      p.setFont(font());
      p.setPen(t.secondary_text);
      int y = inner.top();
      for (const QString& line : rows_[at].name) {
        p.drawText(QRect(inner.left(), y, inner.width(), names.height()), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, line);
        y += names.height();
      }
      const Figure* limit = evaluation->figures.at(f->limit);
      if (limit && limit->has_value() && f->has_value() && f->limit_sense == LimitSense::at_most && limit->value > 0) {
        const QRectF bar(inner.left(), row.bottom() - 3, inner.width(), 2);
        p.fillRect(bar, t.border);
        p.fillRect(QRectF(bar.left(), bar.top(), bar.width() * std::clamp(f->value / limit->value, 0.0, 1.0), bar.height()),
                   f->status == Status::over_limit ? t.red : f->status == Status::near_limit ? t.amber : t.accent);
      } else {
        p.setPen(t.grid_major);
        p.drawLine(inner.left(), row.bottom(), inner.right(), row.bottom());
      }
    }
    if (hasFocus() && current >= 0 && current < static_cast<int>(rows_.size())) {
      p.setPen(t.accent);
      p.drawRect(row_rect(current).adjusted(0, 0, -1, -1));
    }
  }
  void mouseMoveEvent(QMouseEvent* e) override { set_current(row_at(static_cast<int>(e->position().y()))); }
  void leaveEvent(QEvent*) override {
    if (!hasFocus()) set_current(-1);
  }
  void mouseReleaseEvent(QMouseEvent* e) override {
    const int i = row_at(static_cast<int>(e->position().y()));
    if (i >= 0) Q_EMIT list_->figureActivated(ids[static_cast<std::size_t>(i)]);
  }
  void keyPressEvent(QKeyEvent* e) override {
    const int n = static_cast<int>(ids.size());
    if (e->key() == Qt::Key_Down && n > 0) set_current(std::min(current + 1, n - 1));
    else if (e->key() == Qt::Key_Up && n > 0) set_current(std::max(current - 1, 0));
    else if ((e->key() == Qt::Key_Return || e->key() == Qt::Key_Enter || e->key() == Qt::Key_Space) && current >= 0 && current < n)
      Q_EMIT list_->figureActivated(ids[static_cast<std::size_t>(current)]);
    else QWidget::keyPressEvent(e);
  }

private:
  struct Row {
    QString value;
    QStringList name; ///< its lines
    bool below = false; ///< the value stands in a line of its own
  };
  static constexpr int most_lines = 3;

  [[nodiscard]] QFont value_font() const {
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    return bold;
  }
  [[nodiscard]] int row_at(int y) const {
    for (int i = 0; i < static_cast<int>(rows_.size()); ++i)
      if (row_rect(i).contains(0, y)) return i;
    return -1;
  }
  void set_current(int i) {
    if (i >= static_cast<int>(ids.size())) i = -1;
    if (i == current) return;
    current = i;
    const Figure* f = i >= 0 && evaluation ? evaluation->figures.find(ids[static_cast<std::size_t>(i)].toStdString()) : nullptr;
    setToolTip(f ? figure_tooltip(*f) : QString());
    setCursor(f ? Qt::PointingHandCursor : Qt::ArrowCursor);
    update();
  }
  FigureList* list_;
  std::vector<Row> rows_;
  std::vector<int> tops_{0}; ///< of each row, and the end of the last one
};

FigureList::FigureList(QWidget* parent) : QWidget(parent) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  body_ = new Body(this);
  column->addWidget(body_);
  column->addStretch(1);
}

void FigureList::setFigures(const SharedEvaluation& evaluation, const std::vector<QString>& ids) {
  body_->evaluation = evaluation;
  std::vector<QString> present;
  for (const QString& id : ids)
    if (evaluation && evaluation->figures.find(id.toStdString())) present.push_back(id);
  body_->ids = present;
  QStringList words;
  for (const QString& id : present) {
    const Figure* f = evaluation->figures.find(id.toStdString());
    words << QString::fromStdString(f->label) + QStringLiteral(": ") + screen_text(*f);
  }
  body_->setAccessibleName(tr("Figures"));
  body_->setAccessibleDescription(words.join(QStringLiteral("; ")));
  body_->arrange();
}

QString FigureList::shownName(int index) const { return body_->shown_name(index); }
QString FigureList::shownValue(int index) const { return body_->shown_value(index); }
int FigureList::count() const { return static_cast<int>(body_->ids.size()); }

} // namespace hallwright
