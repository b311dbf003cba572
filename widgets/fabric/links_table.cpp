// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/fabric/links_table.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QMenu>
#include <QPointer>
#include <QPushButton>
#include <QShortcut>
#include <QTableView>
#include <QThreadPool>
#include <QTimer>
#include <QVBoxLayout>

#include "widgets/figure_text.h"
#include "widgets/theme.h"
#include "widgets/written_file.h"

namespace hallwright::wired {
namespace {

constexpr std::size_t most_chosen = 20'000; ///< more rows at once are shown as chosen and not told

QString state_words(const Picture& p, std::uint32_t link) {
  switch (p.outage_of_link(link)) {
  case Outage::stated:
    return LinksModel::tr("out of service");
  case Outage::lost:
    return LinksModel::tr("lost");
  default:
    return p.wiring->links[link].lit ? QString() : LinksModel::tr("not lit");
  }
}

QString metres(const std::vector<float>& list, std::uint32_t link) {
  if (link >= list.size() || !std::isfinite(list[link])) return {};
  return screen_number(static_cast<double>(list[link]), 'f', 1);
}

std::string csv_cell(const QString& text) {
  std::string t = text.toStdString();
  if (!t.empty() && std::string_view("=+-@").find(t.front()) != std::string_view::npos) t.insert(t.begin(), '\'');
  if (t.find_first_of(",\"\n\r") == std::string::npos) return t;
  std::string out = "\"";
  for (const char c : t) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

} // namespace

void LinksModel::setPicture(const std::shared_ptr<const Picture>& picture) {
  const bool same_shape = picture_ && picture && picture_->wiring == picture->wiring;
  if (same_shape) {
    picture_ = picture;
    if (sorted_ != number || !filter_.isEmpty()) {
      Q_EMIT layoutAboutToBeChanged();
      arrange();
      Q_EMIT layoutChanged();
    }
    if (!order_.empty()) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
    return;
  }
  beginResetModel();
  picture_ = picture;
  arrange();
  endResetModel();
}

void LinksModel::setFilter(const QString& text) {
  if (text.trimmed() == filter_) return;
  beginResetModel();
  filter_ = text.trimmed();
  arrange();
  endResetModel();
}

void LinksModel::sort(int column, Qt::SortOrder order) {
  Q_EMIT layoutAboutToBeChanged();
  sorted_ = column < 0 ? number : column;
  direction_ = order;
  arrange();
  Q_EMIT layoutChanged();
}

void LinksModel::arrange() {
  order_.clear();
  row_of_.clear();
  if (!picture_ || !picture_->shows()) return;
  const Picture& p = *picture_;
  const Wiring& w = *p.wiring;
  const std::size_t n = w.links.size();
  std::vector<bool> kept(n, true);
  for (QString term : filter_.split(QLatin1Char(','), Qt::SkipEmptyParts)) {
    term = term.trimmed();
    if (term.isEmpty()) continue;
    // What a term may mean is looked up once for devices, media and parts, not for each link.
    const auto holds = [&](const QString& text) { return text.contains(term, Qt::CaseInsensitive); };
    std::vector<bool> device(w.devices.size());
    for (std::uint32_t d = 0; d < w.devices.size(); ++d)
      device[d] = holds(QString::fromStdString(w.device_name(d))) || holds(place_words(p, d));
    std::array<bool, 5> kinds{};
    for (std::size_t k = 0; k < kinds.size(); ++k)
      kinds[k] = holds(link_class_name(static_cast<LinkClass>(k)));
    std::array<bool, 6> media{};
    for (std::size_t m = 0; m < media.size(); ++m)
      media[m] = holds(medium_name(static_cast<LinkMedium>(m)));
    std::vector<bool> cables;
    for (const QString& c : p.cables)
      cables.push_back(holds(c));
    const QStringList pair = term.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    const int wanted_rail =
        pair.size() == 2 && pair[0].compare(tr("rail"), Qt::CaseInsensitive) == 0 ? pair[1].toInt() : 0;
    const int wanted_plane =
        pair.size() == 2 && pair[0].compare(tr("plane"), Qt::CaseInsensitive) == 0 ? pair[1].toInt() : 0;
    for (std::uint32_t l = 0; l < n; ++l) {
      if (!kept[l]) continue;
      const WiredLink& link = w.links[l];
      bool hit = device[link.near] || device[link.far] || kinds[static_cast<std::size_t>(link.kind)];
      hit = hit || (l < p.medium.size() && media[std::min<std::size_t>(static_cast<std::size_t>(p.medium[l]), 5)]);
      hit = hit || (l < p.cable.size() && p.cable[l] < cables.size() && cables[p.cable[l]]);
      hit = hit || (wanted_rail > 0 && link.kind == LinkClass::node_leaf && link.rail + 1 == wanted_rail) ||
            (wanted_plane > 0 && link.plane + 1 == wanted_plane);
      if (!hit && (p.outage_of_link(l) != Outage::none || !link.lit)) hit = holds(state_words(p, l));
      kept[l] = hit;
    }
  }
  for (std::uint32_t l = 0; l < n; ++l)
    if (kept[l]) order_.push_back(l);
  if (sorted_ == number) {
    if (direction_ == Qt::DescendingOrder) std::reverse(order_.begin(), order_.end());
    return;
  }
  // One number a link; names of racks by their rank.
  std::map<Id, double> rank;
  if (sorted_ == from_place || sorted_ == to_place) {
    std::vector<std::pair<QString, Id>> names;
    for (const auto& [id, name] : p.rack_names)
      names.emplace_back(name, id);
    std::sort(names.begin(), names.end());
    for (std::size_t i = 0; i < names.size(); ++i)
      rank[names[i].second] = static_cast<double>(i + 1);
  }
  const auto place_key = [&](std::uint32_t d) {
    if (d >= p.places.size() || p.places[d].rack == 0) return 1e15;
    const auto at = rank.find(p.places[d].rack);
    return (at == rank.end() ? 0.0 : at->second) * 1000.0 + static_cast<double>(p.places[d].lowest_half_unit);
  };
  const auto number_of = [](const std::vector<float>& list, std::uint32_t l) {
    return l < list.size() && std::isfinite(list[l]) ? static_cast<double>(list[l]) : -1.0;
  };
  std::vector<double> key(n);
  for (std::uint32_t l = 0; l < n; ++l) {
    const WiredLink& link = w.links[l];
    double k = 0;
    switch (sorted_) {
    case from:
      k = link.near;
      break;
    case to:
      k = link.far;
      break;
    case from_port:
      k = link.near_port;
      break;
    case to_port:
      k = link.far_port;
      break;
    case from_place:
      k = place_key(link.near);
      break;
    case to_place:
      k = place_key(link.far);
      break;
    case kind:
      k = static_cast<double>(link.kind);
      break;
    case rail:
      k = link.kind == LinkClass::node_leaf ? link.rail : 1e9;
      break;
    case plane:
      k = link.plane;
      break;
    case routed:
      k = number_of(p.length_m, l);
      break;
    case ordered:
      k = number_of(p.ordered_m, l);
      break;
    case medium:
      k = l < p.medium.size() ? static_cast<double>(p.medium[l]) : -1;
      break;
    case cable:
      k = l < p.cable.size() ? p.cable[l] : -1;
      break;
    case load:
      k = number_of(p.load, l);
      break;
    case state:
      k = static_cast<double>(p.outage_of_link(l)) * 2 + (link.lit ? 0 : 1);
      break;
    default:
      k = l;
    }
    key[l] = k;
  }
  const bool down = direction_ == Qt::DescendingOrder;
  std::stable_sort(order_.begin(), order_.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return down ? key[a] > key[b] : key[a] < key[b]; });
}

int LinksModel::rowOf(std::uint32_t link) const {
  if (row_of_.empty() && picture_ && picture_->shows()) {
    row_of_.assign(picture_->wiring->links.size(), -1);
    for (std::size_t i = 0; i < order_.size(); ++i)
      row_of_[order_[i]] = static_cast<int>(i);
  }
  return link < row_of_.size() ? row_of_[link] : -1;
}

int LinksModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(order_.size());
}
int LinksModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : column_count; }

QString LinksModel::text(const Picture& p, std::uint32_t l, int column) {
  const Wiring& w = *p.wiring;
  const WiredLink& link = w.links[l];
  switch (column) {
  case number:
    return QString::number(l + 1);
  case from:
    return device_title(p, link.near);
  case from_port:
    return port_words(p, link.near, link.near_port);
  case from_place:
    return place_words(p, link.near);
  case to:
    return device_title(p, link.far);
  case to_port:
    return port_words(p, link.far, link.far_port);
  case to_place:
    return place_words(p, link.far);
  case kind:
    return link_class_name(link.kind);
  case rail:
    return link.kind == LinkClass::node_leaf && w.request.counts.rails ? QString::number(link.rail + 1) : QString();
  case plane:
    return QString::number(link.plane + 1);
  case routed:
    return (l < p.estimated.size() && p.estimated[l] ? QStringLiteral("\u2248 ") : QString()) + metres(p.length_m, l);
  case ordered:
    return metres(p.ordered_m, l);
  case medium:
    return l < p.medium.size() ? medium_name(p.medium[l]) : QString();
  case cable:
    return l < p.cable.size() && p.cable[l] < p.cables.size() ? p.cables[p.cable[l]] : QString();
  case load:
    return l < p.load.size() && std::isfinite(p.load[l])
               ? screen_number(static_cast<double>(p.load[l]) * 100, 'f', 1)
               : QString();
  case state:
    return state_words(p, l);
  default:
    return {};
  }
}

QVariant LinksModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const std::uint32_t l = link(index.row());
  if (role == Qt::DisplayRole) return text(*picture_, l, index.column());
  if (role == Qt::ToolTipRole) return link_words(*picture_, l);
  if (role == Qt::TextAlignmentRole) {
    static constexpr std::array numbers{routed, ordered, load};
    const bool right = std::find(numbers.begin(), numbers.end(), index.column()) != numbers.end();
    return QVariant((right ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
  }
  if (role == Qt::ForegroundRole && picture_->outage_of_link(l) != Outage::none)
    return picture_->outage_of_link(l) == Outage::stated ? theme().red : theme().amber;
  return {};
}

QVariant LinksModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  static const std::array<QString, column_count> names{tr("No."),    tr("From"),  tr("Port"),       tr("Rack, unit"),
                                                       tr("To"),     tr("Port"),  tr("Rack, unit"), tr("Class"),
                                                       tr("Rail"),   tr("Plane"), tr("Length, m"),  tr("Ordered, m"),
                                                       tr("Medium"), tr("Cable"), tr("Load, %"),    tr("State")};
  if (role == Qt::DisplayRole && section >= 0 && section < column_count)
    return names[static_cast<std::size_t>(section)];
  if (role == Qt::ToolTipRole && section == load)
    return tr("Time for the bytes of a step, against that of the worst link");
  if (role == Qt::ToolTipRole && section == routed)
    return tr("Along the drawn trays; \u2248 where no tray joins the two ends: then along the two sides of the hall");
  if (role == Qt::TextAlignmentRole) {
    static constexpr std::array numbers{routed, ordered, load};
    const bool right = std::find(numbers.begin(), numbers.end(), section) != numbers.end();
    return QVariant((right ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
  }
  return {};
}

QByteArray LinksModel::csv(const Picture& p, const std::vector<std::uint32_t>& links) {
  std::string out = "number,from,from_port,from_rack_unit,to,to_port,to_rack_unit,class,rail,plane,routed_m,ordered_m,"
                    "medium,cable,load_share,state\n";
  const auto plain = [](const std::vector<float>& list, std::uint32_t l, int digits) {
    return l < list.size() && std::isfinite(list[l])
               ? QString::number(static_cast<double>(list[l]), 'f', digits).toStdString()
               : std::string();
  };
  for (const std::uint32_t l : links) {
    for (int c = 0; c < column_count; ++c) {
      if (c > 0) out += ',';
      if (c == routed)
        out += plain(p.length_m, l, 3);
      else if (c == ordered)
        out += plain(p.ordered_m, l, 3);
      else if (c == load)
        out += plain(p.load, l, 6);
      else if (c == kind)
        out += link_class_word(p.wiring->links[l].kind);
      else
        out += csv_cell(text(p, l, c));
    }
    out += '\n';
  }
  return QByteArray::fromStdString(out);
}

// --- table -----------------------------------------------------------------------------------------------------------

LinksTable::LinksTable(QWidget* parent) : QWidget(parent) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(spacing_unit);
  auto* row = new QHBoxLayout;
  filter_ = new QLineEdit(this);
  filter_->setObjectName(QStringLiteral("links_filter"));
  filter_->setPlaceholderText(tr("Filter: leaf 3, R01-04, multimode, rail 2"));
  filter_->setToolTip(tr("Terms apart by commas; a row must hold all of them"));
  filter_->setAccessibleName(tr("Filter cables"));
  filter_->setClearButtonEnabled(true);
  filter_->setMaximumWidth(fontMetrics().averageCharWidth() * 60);
  counted_ = new QLabel(this);
  counted_->setObjectName(QStringLiteral("secondary"));
  auto* save = new QPushButton(tr("Export CSV\u2026"), this);
  save->setObjectName(QStringLiteral("links_csv"));
  row->addWidget(filter_, 1);
  row->addWidget(counted_);
  row->addStretch(1);
  row->addWidget(save);
  column->addLayout(row);
  model_ = new LinksModel(this);
  view_ = new QTableView(this);
  view_->setObjectName(QStringLiteral("links_view"));
  view_->setModel(model_);
  view_->setAccessibleName(tr("Cables"));
  view_->setShowGrid(false);
  view_->setWordWrap(false);
  view_->setAlternatingRowColors(true);
  view_->setSelectionBehavior(QAbstractItemView::SelectRows);
  view_->verticalHeader()->hide();
  view_->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  view_->verticalHeader()->setDefaultSectionSize(view_->fontMetrics().height() + 8);
  view_->horizontalHeader()->setHighlightSections(false);
  view_->horizontalHeader()->setStretchLastSection(false);
  view_->setSortingEnabled(true);
  view_->sortByColumn(LinksModel::number, Qt::AscendingOrder);
  const int letter = fontMetrics().averageCharWidth();
  static constexpr std::array<int, LinksModel::column_count> letters{9, 11, 7,  13, 11, 7,  13, 13,
                                                                     6, 7,  11, 12, 18, 28, 9,  12};
  for (int c = 0; c < LinksModel::column_count; ++c)
    view_->setColumnWidth(c, letters[static_cast<std::size_t>(c)] * letter + 12);
  view_->setContextMenuPolicy(Qt::CustomContextMenu);
  column->addWidget(view_, 1);
  auto* pause = new QTimer(this);
  pause->setSingleShot(true);
  pause->setInterval(120);
  connect(filter_, &QLineEdit::textChanged, pause, qOverload<>(&QTimer::start));
  connect(filter_, &QLineEdit::returnPressed, this, [this] {
    model_->setFilter(filter_->text());
    view_->setFocus();
  });
  connect(pause, &QTimer::timeout, this, [this] { model_->setFilter(filter_->text()); });
  connect(model_, &QAbstractItemModel::modelReset, this, &LinksTable::count);
  connect(save, &QPushButton::clicked, this, &LinksTable::exportCsv);
  connect(view_->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
    if (!selecting_) Q_EMIT linksSelected(chosen());
  });
  connect(view_, &QTableView::doubleClicked, this,
          [this](const QModelIndex& i) { Q_EMIT linkActivated(model_->link(i.row())); });
  const auto copy = [this] { QApplication::clipboard()->setText(asTabSeparated()); };
  auto* shortcut = new QShortcut(QKeySequence::Copy, view_, nullptr, nullptr, Qt::WidgetShortcut);
  connect(shortcut, &QShortcut::activated, this, copy);
  connect(view_, &QTableView::customContextMenuRequested, this, [this, copy](const QPoint& at) {
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setObjectName(QStringLiteral("links_menu"));
    std::vector<std::uint32_t> links = chosen();
    if (const QModelIndex under = view_->indexAt(at); links.empty() && under.isValid())
      links.push_back(model_->link(under.row()));
    auto* show = menu->addAction(icon(QStringLiteral("hall-plan")), tr("Show on plan"), this,
                                 [this, links] { Q_EMIT planRequested(links); });
    show->setObjectName(QStringLiteral("links_show_on_plan"));
    show->setEnabled(!links.empty());
    menu->addSeparator();
    menu->addAction(tr("Copy rows"), this, copy);
    menu->addAction(tr("Export CSV\u2026"), this, &LinksTable::exportCsv);
    menu->popup(view_->viewport()->mapToGlobal(at));
  });
  count();
}

std::vector<std::uint32_t> LinksTable::chosen() const {
  std::vector<std::uint32_t> links;
  for (const QItemSelectionRange& r : view_->selectionModel()->selection())
    for (int i = r.top(); i <= r.bottom() && links.size() < most_chosen; ++i)
      links.push_back(model_->link(i));
  std::sort(links.begin(), links.end());
  links.erase(std::unique(links.begin(), links.end()), links.end());
  return links;
}

void LinksTable::count() {
  const auto shown = static_cast<qlonglong>(model_->order().size());
  const auto& p = model_->picture();
  const auto all = static_cast<qlonglong>(p && p->shows() ? p->wiring->links.size() : 0);
  const QLocale here;
  counted_->setText(shown == all ? tr("%1 links").arg(here.toString(all))
                                 : tr("%1 of %2 links").arg(here.toString(shown), here.toString(all)));
}

void LinksTable::setPicture(const std::shared_ptr<const Picture>& picture) {
  selecting_ = true;
  model_->setPicture(picture);
  selecting_ = false;
  count();
}

void LinksTable::setSelectedLinks(const std::vector<std::uint32_t>& links) {
  selecting_ = true;
  QItemSelection rows;
  int first = -1;
  std::vector<int> at;
  for (const std::uint32_t l : links)
    if (const int row = model_->rowOf(l); row >= 0) at.push_back(row);
  std::sort(at.begin(), at.end());
  // Rows in a run are one range.
  for (std::size_t i = 0; i < at.size();) {
    std::size_t end = i + 1;
    while (end < at.size() && at[end] == at[end - 1] + 1)
      ++end;
    rows.select(model_->index(at[i], 0), model_->index(at[end - 1], LinksModel::column_count - 1));
    if (first < 0) first = at[i];
    i = end;
  }
  view_->selectionModel()->select(rows, QItemSelectionModel::ClearAndSelect);
  if (first >= 0 && !view_->hasFocus()) view_->scrollTo(model_->index(first, 0), QAbstractItemView::PositionAtCenter);
  selecting_ = false;
}

QString LinksTable::asTabSeparated() const {
  QStringList lines, header;
  for (int c = 0; c < LinksModel::column_count; ++c)
    header << model_->headerData(c, Qt::Horizontal, Qt::DisplayRole).toString();
  lines << header.join(QLatin1Char('\t'));
  std::vector<int> rows;
  for (const QItemSelectionRange& r : view_->selectionModel()->selection())
    for (int i = r.top(); i <= r.bottom(); ++i)
      rows.push_back(i);
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  for (const int r : rows) {
    QStringList cells;
    for (int c = 0; c < LinksModel::column_count; ++c)
      cells << LinksModel::text(*model_->picture(), model_->link(r), c);
    lines << cells.join(QLatin1Char('\t'));
  }
  return lines.join(QLatin1Char('\n'));
}

void LinksTable::exportCsv() {
  const auto picture = model_->picture();
  if (!picture || !picture->shows()) return;
  auto* dialog = new QFileDialog(this, tr("Export cables"), QStringLiteral("cables.csv"), tr("CSV (*.csv)"));
  dialog->setObjectName(QStringLiteral("links_csv_dialog"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->setDefaultSuffix(QStringLiteral("csv"));
  connect(dialog, &QFileDialog::fileSelected, this, [this, picture](const QString& file) {
    Q_EMIT told(tr("Writing %1\u2026").arg(file), false);
    QThreadPool::globalInstance()->start([file, picture, order = model_->order(), self = QPointer<LinksTable>(this)] {
      const QString problem = write_whole(file, LinksModel::csv(*picture, order));
      QMetaObject::invokeMethod(
          qApp,
          [self, file, problem] {
            if (self) Q_EMIT self->told(problem.isEmpty() ? tr("Written: %1").arg(file) : problem, !problem.isEmpty());
          },
          Qt::QueuedConnection);
    });
  });
  dialog->open();
}

} // namespace hallwright::wired
