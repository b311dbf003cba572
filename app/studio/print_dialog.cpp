// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/print_dialog.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QCryptographicHash>
#include <QDate>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QJsonDocument>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPainter>
#include <QPrintDialog>
#include <QPrinter>
#include <QPushButton>
#include <QScrollBar>
#include <QSettings>
#include <QSpinBox>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include "app/studio/dialog_room.h"
#include "app/studio/print_files.h"
#include "app/studio/scale_field.h"
#include "widgets/figure_text.h"
#include "widgets/flow_layout.h"
#include "widgets/plan/plan_preview.h"
#include "widgets/plan/plan_print.h"
#include "widgets/theme.h"

namespace hallwright {
namespace {

QString settings_key(const QString& project_file) {
  if (project_file.isEmpty()) return QStringLiteral("print/unsaved");
  const QByteArray name =
      QCryptographicHash::hash(QFileInfo(project_file).absoluteFilePath().toUtf8(), QCryptographicHash::Sha1)
          .toHex()
          .left(16);
  return QStringLiteral("print/") + QString::fromLatin1(name);
}

} // namespace

PlanPage PrintDialog::remembered(const QString& project_file, const PlanPage& otherwise) {
  const QByteArray text = QSettings().value(settings_key(project_file)).toByteArray();
  const QJsonDocument document = QJsonDocument::fromJson(text);
  return document.isObject() ? PlanPage::from_json(document.object()) : otherwise;
}

void PrintDialog::remember() const {
  QSettings().setValue(settings_key(job_.project_file), QJsonDocument(page_.json()).toJson(QJsonDocument::Compact));
}

PrintDialog::PrintDialog(PrintJob job, const PlanPage& first, QWidget* parent)
    : QDialog(parent), job_(std::move(job)), page_(first) {
  setObjectName(QStringLiteral("print_dialog"));
  setWindowTitle(tr("Print the plan"));
  pause_ = new QTimer(this);
  pause_->setSingleShot(true);
  pause_->setInterval(120);
  connect(pause_, &QTimer::timeout, this, &PrintDialog::refresh);
  build();
  show_page();
  refresh();
  const int unit = fontMetrics().averageCharWidth();
  resize(within_screen(*this, {unit * 165, fontMetrics().height() * 44}));
}

PrintDialog::~PrintDialog() = default;

void PrintDialog::build() {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(0);
  auto* left = new QWidget(this);
  auto* left_column = new QVBoxLayout(left);
  left_column->setContentsMargins(0, 0, 0, 3 * spacing_unit);
  const OptionColumn area = option_column(left);
  QVBoxLayout* column = area.column;
  QWidget* options = area.options;
  column->setContentsMargins(4 * spacing_unit, 3 * spacing_unit, 4 * spacing_unit, 2 * spacing_unit);
  column->setSpacing(spacing_unit);

  QFormLayout* form = nullptr;
  const auto section = [&](const QString& title) {
    auto* head = new QLabel(title, options);
    QFont bold = head->font();
    bold.setWeight(QFont::DemiBold);
    head->setFont(bold);
    if (form) column->addSpacing(2 * spacing_unit);
    column->addWidget(head);
    form = new QFormLayout;
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->setHorizontalSpacing(3 * spacing_unit);
    form->setVerticalSpacing(spacing_unit);
    column->addLayout(form);
  };
  const auto combo = [&](const char* name, const QString& label, QComboBox* made = nullptr) {
    auto* c = made ? made : new QComboBox(options);
    c->setObjectName(QLatin1String(name));
    c->setAccessibleName(label);
    c->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    c->setMinimumContentsLength(12);
    form->addRow(label, c);
    connect(c, &QComboBox::currentTextChanged, this, &PrintDialog::changed);
    return c;
  };
  const auto spin = [&](const char* name, const QString& label, int low, int high, const QString& suffix) {
    auto* s = new QSpinBox(options);
    s->setObjectName(QLatin1String(name));
    s->setAccessibleName(label);
    s->setRange(low, high);
    s->setSuffix(suffix);
    form->addRow(label, s);
    connect(s, &QSpinBox::valueChanged, this, &PrintDialog::changed);
    return s;
  };
  const auto check = [&](const char* name, const QString& label) {
    auto* b = new QCheckBox(label, options);
    b->setObjectName(QLatin1String(name));
    form->addRow(b);
    connect(b, &QCheckBox::toggled, this, &PrintDialog::changed);
    return b;
  };
  const auto line = [&](const char* name, const QString& label, const QString& otherwise) {
    auto* e = new QLineEdit(options);
    e->setObjectName(QLatin1String(name));
    e->setAccessibleName(label);
    e->setPlaceholderText(otherwise);
    e->setMaxLength(400);
    form->addRow(label, e);
    connect(e, &QLineEdit::textChanged, this, &PrintDialog::changed);
    return e;
  };

  section(tr("Paper"));
  paper_ = combo("print_paper", tr("Size"));
  for (const PaperFormat& f : paper_formats())
    paper_->addItem(tr("%1 (%2 × %3 mm)").arg(f.name, screen_number(f.width), screen_number(f.height)),
                    f.name);
  orientation_ = combo("print_orientation", tr("Orientation"));
  orientation_->addItems({tr("Landscape"), tr("Portrait")});
  margin_ = spin("print_margin", tr("Margins"), 0, 50, tr(" mm"));

  section(tr("Drawing"));
  scale_ = combo("print_scale", tr("Scale"), new ScaleField(options));
  scale_->addItem(tr("Fit on one sheet"));
  for (double d : standard_scales()) scale_->addItem(scale_words(d));
  scale_->setToolTip(tr("From 1:%1 to 1:%2. What does not fit goes on over several sheets.")
                         .arg(screen_number(least_denominator), screen_number(most_denominator)));
  hall_ = combo("print_hall", tr("Hall"));
  hall_->addItem(tr("All halls"), 0);
  for (const Hall& h : *job_.design.halls) hall_->addItem(QString::fromStdString(h.name), static_cast<qlonglong>(h.id));
  overlay_ = combo("print_overlay", tr("Colour"));
  overlay_->addItems(job_.overlay_names);
  auto* layer_head = new QLabel(tr("Layers"), options);
  layer_head->setObjectName(QStringLiteral("secondary"));
  form->addRow(layer_head);
  for (const auto& [layer, name] : job_.layer_names) layers_.emplace_back(layer, check("print_layer", name));
  underlays_ = check("print_underlays", tr("Underlays"));
  grid_ = check("print_grid", tr("Grid"));

  section(tr("On the sheet"));
  block_ = check("print_block", tr("Title block"));
  legend_ = check("print_legend", tr("Legend"));
  bar_ = check("print_bar", tr("Scale bar"));
  arrow_ = check("print_arrow", tr("North arrow"));
  north_ = spin("print_north", tr("North is at"), -180, 360, tr("°"));
  north_->setToolTip(tr("Degrees clockwise from the upper edge of the paper"));
  overlap_ = spin("print_overlap", tr("Sheets overlap"), 0, 50, tr(" mm"));
  index_ = check("print_index", tr("A first sheet shows all"));

  section(tr("Title block"));
  project_ = line("print_project", tr("Project"), QString::fromStdString(job_.design.project->name));
  title_ = line("print_title", tr("Drawing"), tr("Hall plan"));
  author_ = line("print_author", tr("Author"), QString::fromStdString(job_.design.project->author));
  date_ = line("print_date", tr("Date"), QDate::currentDate().toString(Qt::ISODate));
  revision_ = line("print_revision", tr("Revision"), QStringLiteral("\u2013"));

  section(tr("Files"));
  dpi_ = spin("print_dpi", tr("Dots of PNG"), 36, 1200, tr(" an inch"));
  dpi_->setValue(300);
  column->addStretch(1);
  left_column->addWidget(area.scroll, 1);

  auto* button_row = new QWidget(left);
  auto* buttons = new FlowLayout(button_row);
  buttons->setContentsMargins(4 * spacing_unit, 0, 4 * spacing_unit, 0);
  buttons->setSpacing(spacing_unit);
  const auto button = [&](const char* name, const QString& text, bool writes) {
    auto* b = new QPushButton(text, left);
    b->setObjectName(QLatin1String(name));
    b->setAutoDefault(false); // Enter in a field takes the field: it does not print
    buttons->addWidget(b);
    if (writes) writers_.push_back(b);
    return b;
  };
  auto* to_printer = button("print_print", tr("&Print…"), true);
  auto* pdf = button("print_pdf", tr("PDF…"), true);
  auto* svg = button("print_svg", tr("SVG…"), true);
  auto* png = button("print_png", tr("PNG…"), true);
  auto* close = button("print_close", tr("Close"), false);
  left_column->addWidget(button_row);
  // On a small screen the options keep what their words need and the buttons go on in a second line.
  const int least = options->minimumSizeHint().width() + area.scroll->verticalScrollBar()->sizeHint().width();
  left->setMinimumWidth(least);
  left->setMaximumWidth(std::max({fontMetrics().averageCharWidth() * 50, buttons->sizeHint().width(), least}));
  connect(to_printer, &QPushButton::clicked, this, &PrintDialog::print_on_paper);
  connect(pdf, &QPushButton::clicked, this, [this] { save_as(QStringLiteral("pdf"), tr("Plan as PDF")); });
  connect(svg, &QPushButton::clicked, this, [this] { save_as(QStringLiteral("svg"), tr("Plan as SVG")); });
  connect(png, &QPushButton::clicked, this, [this] { save_as(QStringLiteral("png"), tr("Plan as PNG")); });
  connect(close, &QPushButton::clicked, this, &QDialog::reject);
  row->addWidget(left, 2);

  auto* right = new QVBoxLayout;
  right->setContentsMargins(0, 0, 0, 0);
  right->setSpacing(0);
  preview_ = new PlanPreview(this);
  right->addWidget(preview_, 1);
  // What comes out has a line of its own: beside the tools it would be a column of words on a small screen.
  auto* about = new QHBoxLayout;
  about->setContentsMargins(4 * spacing_unit, 2 * spacing_unit, 4 * spacing_unit, 0);
  right->addLayout(about);
  auto* foot_row = new QWidget(this);
  auto* foot = new FlowLayout(foot_row);
  foot->setContentsMargins(3 * spacing_unit, spacing_unit, 3 * spacing_unit, spacing_unit);
  foot->setSpacing(spacing_unit);
  const auto together = [&](std::initializer_list<QWidget*> widgets) {
    auto* pack = new QWidget(foot_row);
    auto* line = new QHBoxLayout(pack);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(spacing_unit);
    for (QWidget* w : widgets) line->addWidget(w);
    foot->addWidget(pack);
  };
  const auto tool = [&](const char* name, const QString& text, const QString& tip, auto&& run) {
    auto* b = new QToolButton(this);
    b->setObjectName(QLatin1String(name));
    b->setText(text);
    b->setToolTip(tip);
    b->setAccessibleName(tip);
    b->setAutoRaise(true);
    connect(b, &QToolButton::clicked, this, run);
    return b;
  };
  previous_ = tool("print_previous", QStringLiteral("‹"), tr("Previous sheet (Page Up)"),
                   [this] { preview_->setSheet(preview_->sheet() - 1); });
  next_ = tool("print_next", QStringLiteral("›"), tr("Next sheet (Page Down)"),
               [this] { preview_->setSheet(preview_->sheet() + 1); });
  sheet_words_ = new QLabel(this);
  sheet_words_->setObjectName(QStringLiteral("print_sheet_words"));
  summary_ = new QLabel(this);
  summary_->setObjectName(QStringLiteral("print_summary"));
  summary_->setWordWrap(true);
  zoom_words_ = new QLabel(this);
  about->addWidget(summary_, 1);
  together({previous_, sheet_words_, next_});
  auto* between = new QWidget(foot_row);
  between->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  foot->addWidget(between);
  together({tool("print_zoom_out", QStringLiteral("−"), tr("Smaller (-)"),
                 [this] { preview_->setZoom(preview_->zoom() * 0.8); }),
            zoom_words_,
            tool("print_zoom_in", QStringLiteral("+"), tr("Larger (+)"),
                 [this] { preview_->setZoom(preview_->zoom() * 1.25); }),
            tool("print_whole", tr("Whole sheet"), tr("Whole sheet (0)"), [this] { preview_->setZoom(0); })});
  right->addWidget(foot_row);
  row->addLayout(right, 3);
  connect(preview_, &PlanPreview::sheetChanged, this, &PrintDialog::show_sheet);
  connect(preview_, &PlanPreview::zoomChanged, this,
          [this](double z) { zoom_words_->setText(screen_number(qRound(z * 100)) + QStringLiteral(" %")); });
}

void PrintDialog::show_page() {
  filling_ = true;
  paper_->setCurrentIndex(std::max(0, paper_->findData(page_.paper)));
  orientation_->setCurrentIndex(page_.landscape ? 0 : 1);
  margin_->setValue(qRound(page_.margin));
  if (page_.scale > 0)
    scale_->setEditText(scale_words(page_.scale));
  else
    scale_->setCurrentIndex(0);
  hall_->setCurrentIndex(std::max(0, hall_->findData(static_cast<qlonglong>(page_.hall))));
  overlay_->setCurrentIndex(std::clamp(static_cast<int>(page_.overlay), 0, std::max(0, overlay_->count() - 1)));
  for (const auto& [layer, box] : layers_) box->setChecked(!page_.hidden.count(layer));
  underlays_->setChecked(page_.underlays);
  underlays_->setVisible(!job_.design.underlays->empty());
  grid_->setChecked(page_.grid);
  block_->setChecked(page_.title_block);
  legend_->setChecked(page_.legend);
  bar_->setChecked(page_.scale_bar);
  arrow_->setChecked(page_.north_arrow);
  north_->setValue(qRound(page_.north));
  overlap_->setValue(qRound(page_.overlap));
  index_->setChecked(page_.index_sheet);
  project_->setText(page_.project);
  title_->setText(page_.title);
  author_->setText(page_.author);
  date_->setText(page_.date);
  revision_->setText(page_.revision);
  filling_ = false;
}

void PrintDialog::read_page() {
  page_.paper = paper_->currentData().toString();
  page_.landscape = orientation_->currentIndex() == 0;
  page_.margin = margin_->value();
  page_.hall = static_cast<Id>(hall_->currentData().toLongLong());
  page_.overlay = static_cast<Overlay>(std::max(0, overlay_->currentIndex()));
  page_.hidden.clear();
  for (const auto& [layer, box] : layers_)
    if (!box->isChecked()) page_.hidden.insert(layer);
  page_.underlays = underlays_->isChecked();
  page_.grid = grid_->isChecked();
  page_.title_block = block_->isChecked();
  page_.legend = legend_->isChecked();
  page_.scale_bar = bar_->isChecked();
  page_.north_arrow = arrow_->isChecked();
  page_.north = north_->value();
  page_.overlap = overlap_->value();
  page_.index_sheet = index_->isChecked();
  page_.project = project_->text().trimmed();
  page_.title = title_->text().trimmed();
  page_.author = author_->text().trimmed();
  page_.date = date_->text().trimmed();
  page_.revision = revision_->text().trimmed();
}

void PrintDialog::changed() {
  if (filling_) return;
  pause_->start();
}

void PrintDialog::refresh() {
  pause_->stop();
  read_page();
  QString problem;
  if (scale_->currentText() == scale_->itemText(0)) {
    page_.scale = 0;
  } else if (const auto d = read_scale(scale_->currentText())) {
    page_.scale = *d;
  } else {
    problem = tr("\"%1\" is not a scale from 1:%2 to 1:%3.")
                  .arg(scale_->currentText().trimmed(), screen_number(least_denominator),
                       screen_number(most_denominator));
  }
  arrow_->isChecked() ? north_->setEnabled(true) : north_->setEnabled(false);
  if (problem.isEmpty()) {
    print_ = std::make_shared<const PlanPrint>(page_, job_.design, job_.catalog, job_.evaluation);
    preview_->setPrint(print_);
    problem = print_->problem();
  }
  for (QPushButton* b : writers_) b->setEnabled(problem.isEmpty());
  QPalette colours = palette();
  if (!problem.isEmpty()) colours.setColor(QPalette::WindowText, theme().red);
  summary_->setPalette(colours);
  if (problem.isEmpty()) {
    const QString sheets =
        print_->sheets() == 1 ? tr("one sheet") : tr("%1 sheets").arg(screen_number(print_->sheets()));
    const QRectF content = print_->content();
    const auto metres = [](double mm) { return screen_number(mm / 1000, 'f', 1); };
    summary_->setText(
        tr("%1 · %2 · %3 × %4 m with letters")
            .arg(scale_words(print_->scale()), sheets, metres(content.width()), metres(content.height())));
  } else {
    summary_->setText(problem);
  }
  show_sheet();
  zoom_words_->setText(screen_number(qRound(preview_->zoom() * 100)) + QStringLiteral(" %"));
}

void PrintDialog::show_sheet() {
  const int sheets = print_ ? print_->sheets() : 1;
  sheet_words_->setText(print_ ? tr("Sheet %1").arg(print_->sheet_words(preview_->sheet())) : QString());
  previous_->setEnabled(preview_->sheet() > 0);
  next_->setEnabled(preview_->sheet() + 1 < sheets);
}

void PrintDialog::print_on_paper() {
  refresh();
  if (!print_ || !print_->problem().isEmpty()) return;
  remember();
  auto printer = std::make_shared<QPrinter>(QPrinter::HighResolution);
  printer->setDocName(windowTitle());
  if (const PaperFormat* f = paper_format(page_.paper)) printer->setPageSize(QPageSize(f->id));
  printer->setPageOrientation(page_.landscape ? QPageLayout::Landscape : QPageLayout::Portrait);
  printer->setFullPage(true);
  auto* dialog = new QPrintDialog(printer.get(), this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setOption(QAbstractPrintDialog::PrintPageRange);
  dialog->setMinMax(1, print_->sheets());
  const auto print = print_;
  connect(dialog, &QDialog::accepted, this, [this, printer, print] {
    printer->setFullPage(true);
    const bool range = printer->printRange() == QPrinter::PageRange && printer->fromPage() > 0;
    const int from = range ? printer->fromPage() - 1 : 0,
              to = range ? std::min(printer->toPage(), print->sheets()) : print->sheets();
    QPainter p;
    if (!p.begin(printer.get())) {
      Q_EMIT told(tr("The printer does not answer."), true);
      return;
    }
    for (int i = from; i < to; ++i) {
      if (i > from) printer->newPage();
      print->paint(p, i, printer->resolution() / 25.4);
    }
    p.end();
    Q_EMIT told(
        tr("Sent to %1").arg(printer->outputFileName().isEmpty() ? printer->printerName() : printer->outputFileName()),
        false);
  });
  dialog->open();
}

void PrintDialog::save_as(const QString& suffix, const QString& title) {
  refresh();
  if (!print_ || !print_->problem().isEmpty()) return;
  const QString name = QFileDialog::getSaveFileName(this, title, job_.stem + QStringLiteral("-plan.") + suffix,
                                                    QStringLiteral("%1 (*.%2)").arg(suffix.toUpper(), suffix));
  if (name.isEmpty()) return;
  remember();
  const QString file = QFileInfo(name).suffix().toLower() == suffix ? name : name + QLatin1Char('.') + suffix;
  QApplication::setOverrideCursor(Qt::WaitCursor);
  const QString problem = write_print(file, *print_, dpi_->value());
  QApplication::restoreOverrideCursor();
  QPalette colours = palette();
  if (!problem.isEmpty()) colours.setColor(QPalette::WindowText, theme().red);
  summary_->setPalette(colours);
  const QStringList names = suffix == QLatin1String("pdf") ? QStringList{file} : print_file_names(file, *print_);
  const QString sentence = !problem.isEmpty()  ? problem
                           : names.size() == 1 ? tr("Written: %1").arg(file)
                                               : tr("Written: %1 files, %2 to %3")
                                                     .arg(screen_number(names.size()), names.front(),
                                                          QFileInfo(names.back()).fileName());
  summary_->setText(sentence);
  Q_EMIT told(sentence, !problem.isEmpty());
}

void PrintDialog::keyPressEvent(QKeyEvent* event) {
  if (event->key() != Qt::Key_Return && event->key() != Qt::Key_Enter) {
    QDialog::keyPressEvent(event);
    return;
  }
  if (auto* button = qobject_cast<QPushButton*>(focusWidget())) {
    button->click();
    return;
  }
  refresh();
  if (scale_->hasFocus()) scale_->lineEdit()->selectAll();
}

void PrintDialog::done(int result) {
  read_page();
  remember();
  QDialog::done(result);
}

} // namespace hallwright
