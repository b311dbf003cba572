// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/cabling_dialog.h"

#include <array>
#include <optional>

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>
#include <QtConcurrent>

#include "app/studio/label_sheets.h"
#include "project/durable_file.h"
#include "widgets/figure_text.h"

namespace hallwright {
namespace {

struct Output {
  const char *title, *about, *suffix;
  std::optional<CableFile> file; ///< not set: paper
};
const std::array<Output, 9> outputs{{
    {QT_TRANSLATE_NOOP("CablingDialog", "Cable schedule, CSV"),
     QT_TRANSLATE_NOOP("CablingDialog", "A line a link end to end: places, devices, ports, modules, lengths, labels. "
                                        "Splitters have a line for each leg."),
     "-cables.csv", CableFile::schedule},
    {QT_TRANSLATE_NOOP("CablingDialog", "Label sheets, PDF"),
     QT_TRANSLATE_NOOP("CablingDialog",
                       "Two labels a link, each with both ends, on A4 sheets of 65 (38.1 \u00d7 21.2 mm)."),
     "-labels.pdf", std::nullopt},
    {QT_TRANSLATE_NOOP("CablingDialog", "Port sheets by rack, PDF"),
     QT_TRANSLATE_NOOP("CablingDialog", "A sheet for each rack: its ports from the top down, and where each leads."),
     "-ports.pdf", std::nullopt},
    {QT_TRANSLATE_NOOP("CablingDialog", "Port lists by rack, CSV"),
     QT_TRANSLATE_NOOP("CablingDialog", "The port sheets as one table."), "-ports.csv", CableFile::ports},
    {QT_TRANSLATE_NOOP("CablingDialog", "Pull list by tray, CSV"),
     QT_TRANSLATE_NOOP("CablingDialog", "Under each tray the bundles that lie on it, by pair of racks, with lengths to "
                                        "order. Step 1 of a bundle is where it begins."),
     "-pull.csv", CableFile::pull},
    {QT_TRANSLATE_NOOP("CablingDialog", "Test sheet, CSV"),
     QT_TRANSLATE_NOOP("CablingDialog", "Expected loss and budget of each link, and empty cells for what is measured."),
     "-tests.csv", CableFile::tests},
    {QT_TRANSLATE_NOOP("CablingDialog", "NetBox cables, CSV"),
     QT_TRANSLATE_NOOP(
         "CablingDialog",
         "For NetBox's bulk import of cables. Devices and interfaces of these names must be there before."),
     "-netbox-cables.csv", CableFile::netbox},
    {QT_TRANSLATE_NOOP("CablingDialog", "ibdm topology, .topo"),
     QT_TRANSLATE_NOOP("CablingDialog", "The planned side of ibdiagnet -t. System types are names of parts."), ".topo",
     CableFile::topo},
    {QT_TRANSLATE_NOOP("CablingDialog", "PTM topology, .dot"),
     QT_TRANSLATE_NOOP("CablingDialog",
                       "For the Prescriptive Topology Manager of Ethernet switches, which compares it with LLDP."),
     ".dot", CableFile::ptm},
}};

} // namespace

CablingDialog::CablingDialog(SharedEvaluation evaluation, QString stem, QWidget* parent)
    : QDialog(parent), evaluation_(std::move(evaluation)), stem_(std::move(stem)) {
  setObjectName(QStringLiteral("cabling_dialog"));
  setWindowTitle(tr("Export cabling"));
  auto* form = new QFormLayout;
  what_ = new QComboBox(this);
  what_->setObjectName(QStringLiteral("cabling_what"));
  for (const Output& o : outputs)
    what_->addItem(tr(o.title));
  form->addRow(tr("&What"), what_);
  about_ = new QLabel(this);
  about_->setWordWrap(true);
  about_->setMinimumWidth(fontMetrics().averageCharWidth() * 62);
  about_->setMinimumHeight(fontMetrics().lineSpacing() * 3);
  about_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  form->addRow(QString(), about_);
  network_ = new QComboBox(this);
  network_->setObjectName(QStringLiteral("cabling_network"));
  network_->addItem(tr("All networks"), QString());
  for (const NetworkCabling& n : evaluation_->cabling->networks)
    if (n.wiring && n.plan)
      network_->addItem(
          tr("%1, %2 links")
              .arg(to_qstring(n.name), screen_number(static_cast<qlonglong>(n.wiring->links.size()))),
          to_qstring(n.name));
  form->addRow(tr("&Network"), network_);
  ports_ = new QComboBox(this);
  ports_->setObjectName(QStringLiteral("cabling_port_names"));
  ports_->addItem(tr("Numbers: 34"));
  ports_->addItem(tr("Faceplate: 17/2"));
  ports_->addItem(tr("Cumulus: swp17s1"));
  form->addRow(tr("&Ports of switches"), ports_);
  code_ = new QCheckBox(tr("&Bar code of the cable's id (Code 128)"), this);
  code_->setObjectName(QStringLiteral("cabling_code"));
  code_->setChecked(true);
  form->addRow(QString(), code_);
  auto* line = new QHBoxLayout;
  file_ = new QLineEdit(this);
  file_->setObjectName(QStringLiteral("cabling_file"));
  browse_ = new QPushButton(tr("B&rowse\u2026"), this);
  line->addWidget(file_, 1);
  line->addWidget(browse_);
  auto* label = new QLabel(tr("&File"), this);
  label->setBuddy(file_);
  form->addRow(label, line);
  bar_ = new QProgressBar(this);
  bar_->setObjectName(QStringLiteral("cabling_bar"));
  bar_->setRange(0, 1000);
  bar_->setTextVisible(false);
  QSizePolicy keep = bar_->sizePolicy();
  keep.setRetainSizeWhenHidden(true);
  bar_->setSizePolicy(keep);
  bar_->hide();
  sentence_ = new QLabel(this);
  sentence_->setObjectName(QStringLiteral("cabling_sentence"));
  sentence_->setWordWrap(true);
  auto* buttons = new QDialogButtonBox(this);
  write_ = buttons->addButton(tr("&Write"), QDialogButtonBox::ActionRole);
  write_->setObjectName(QStringLiteral("cabling_write"));
  write_->setDefault(true);
  close_ = buttons->addButton(QDialogButtonBox::Close);
  close_->setObjectName(QStringLiteral("cabling_close"));
  auto* all = new QVBoxLayout(this);
  all->addLayout(form);
  all->addWidget(sentence_);
  all->addWidget(bar_);
  all->addWidget(buttons);
  connect(what_, &QComboBox::currentIndexChanged, this, [this] { choose(); });
  connect(network_, &QComboBox::currentIndexChanged, this, [this] { sentence_->clear(); });
  connect(browse_, &QPushButton::clicked, this, [this] { browse(); });
  connect(write_, &QPushButton::clicked, this, [this] { start(); });
  connect(close_, &QPushButton::clicked, this, [this] { reject(); });
  connect(&watcher_, &QFutureWatcher<QString>::finished, this, [this] { finish(); });
  timer_.setInterval(50);
  connect(&timer_, &QTimer::timeout, this, [this] { bar_->setValue(static_cast<int>(work_->share * 1000.0)); });
  if (network_->count() == 1) {
    network_->setEnabled(false);
    write_->setEnabled(false);
    const auto& networks = evaluation_->cabling->networks;
    sentence_->setText(networks.empty()
                           ? tr("The design has no networks yet: the Outline adds one.")
                           : tr("No network is wired. %1: %2")
                                 .arg(to_qstring(networks.front().name), to_qstring(networks.front().problem)));
  }
  choose();
}

CablingDialog::~CablingDialog() {
  work_->stop = true;
  watcher_.waitForFinished();
}

void CablingDialog::choose() {
  const Output& o = outputs[static_cast<std::size_t>(what_->currentIndex())];
  QString about = tr(o.about);
  if (what_->currentIndex() == 1) {
    qulonglong labels = 0;
    const std::string chosen = network_->currentData().toString().toStdString();
    for (const NetworkCabling& n : evaluation_->cabling->networks)
      if (n.wiring && (chosen.empty() || n.name == chosen)) labels += 2 * n.wiring->links.size();
    constexpr qulonglong on_a_sheet = 65;
    about += QLatin1Char(' ') + tr("%1 labels, %2 sheets.")
                                    .arg(screen_number(labels),
                                         screen_number((labels + on_a_sheet - 1) / on_a_sheet));
  }
  about_->setText(about);
  ports_->setEnabled(o.file == CableFile::netbox || o.file == CableFile::ptm);
  code_->setEnabled(what_->currentIndex() == 1);
  if (write_->isEnabled()) sentence_->clear();
  offer_name();
}

/// A name that was typed stays; one that was offered follows the choice.
void CablingDialog::offer_name() {
  if (!file_->text().isEmpty() && file_->text() != offered_) return;
  offered_ = stem_ + QLatin1String(outputs[static_cast<std::size_t>(what_->currentIndex())].suffix);
  file_->setText(offered_);
}

void CablingDialog::browse() {
  const QString name = QFileDialog::getSaveFileName(this, windowTitle(), file_->text());
  if (name.isEmpty()) return;
  file_->setText(name);
  may_replace_ = name; // the file dialog has asked
}

void CablingDialog::start() {
  const QString file = file_->text().trimmed();
  if (file.isEmpty()) {
    sentence_->setText(tr("Name a file."));
    file_->setFocus();
    return;
  }
  if (QFileInfo(file).isDir()) {
    sentence_->setText(tr("%1 is a folder; name a file in it.").arg(file));
    return;
  }
  const QString whole = QFileInfo(file).absoluteFilePath();
  if (whole != file) file_->setText(whole);
  if (QFileInfo::exists(whole) && may_replace_ != whole) {
    may_replace_ = whole;
    sentence_->setText(tr("%1 is there already. Write once more to replace it.").arg(QFileInfo(whole).fileName()));
    return;
  }
  may_replace_.clear();
  work_->share = 0.0;
  work_->stop = false;
  sentence_->clear();
  for (QWidget* w : std::initializer_list<QWidget*>{what_, network_, ports_, code_, file_, browse_, write_})
    w->setEnabled(false);
  close_->setText(tr("&Stop"));
  bar_->setValue(0);
  bar_->show();
  timer_.start();
  const int what = what_->currentIndex();
  watcher_.setFuture(QtConcurrent::run(
      [e = evaluation_, work = work_, file = whole, what, network = network_->currentData().toString().toStdString(),
       names = static_cast<PortNames>(ports_->currentIndex()), code = code_->isChecked()] {
        const ExportProgress progress = [&](double share) {
          work->share = share;
          return !work->stop;
        };
        const auto book = cable_book(e->design, e->catalog, *e->cabling, network);
        if (!book) return to_qstring(book.error());
        if (what == 1) return write_label_sheets(file, *book, code, progress);
        if (what == 2) return write_port_sheets(file, *book, progress);
        const auto text = cable_file_text(*book, *outputs[static_cast<std::size_t>(what)].file, names, progress);
        if (!text) return to_qstring(text.error());
        const auto written = replace_file(file.toStdString(), *text);
        return written ? QString() : tr("%1 cannot be written: %2").arg(file, to_qstring(written.error()));
      }));
}

void CablingDialog::finish() {
  timer_.stop();
  bar_->hide();
  for (QWidget* w : std::initializer_list<QWidget*>{what_, network_, file_, browse_, write_})
    w->setEnabled(true);
  close_->setText(tr("&Close"));
  choose();
  const QString problem = watcher_.result();
  if (problem == to_qstring(export_stopped)) {
    sentence_->setText(tr("Stopped; nothing was written."));
    return;
  }
  sentence_->setText(problem.isEmpty() ? tr("Written: %1").arg(file_->text().trimmed()) : problem);
  Q_EMIT told(sentence_->text(), !problem.isEmpty());
}

void CablingDialog::reject() {
  if (watcher_.isRunning()) {
    work_->stop = true;
    return;
  }
  QDialog::reject();
}

} // namespace hallwright
