// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include <QWidget>

#include "app/studio/document.h"

class QComboBox;
class QLabel;
class QPushButton;
class QTableWidget;

namespace hallwright {

class FigureTiles;
namespace loops {
class YearChart;
}

/// Heat rejection over the typical year of the site: its hours by outdoor air and way of cooling, PUE over the outdoor air, the figures of the year,
/// and what the choice of the supply temperature costs. The climate is chosen here, or read from a weather file.
class CoolingYearPage : public QWidget {
  Q_OBJECT
public:
  explicit CoolingYearPage(Document& document, QWidget* parent = nullptr);
  /// Shows the document's newest evaluation.
  void refresh();
  /// Asks for a weather file and takes it.
  void importWeather();
  /// Takes a weather file, as one undoable step; what is wrong with it is told.
  void importWeather(const QString& path);
  [[nodiscard]] loops::YearChart* chart() const { return chart_; }
  [[nodiscard]] QTableWidget* supplies() const { return supplies_; }
  [[nodiscard]] FigureTiles* tiles() const { return tiles_; }
  [[nodiscard]] QString words() const;

Q_SIGNALS:
  void editRequested(const hallwright::Edit& edit);
  void figureActivated(const QString& figure);
  void told(const QString& sentence, bool problem);

private:
  void refuse_weather(const QString& why, const QStringList& lines);
  void fill_climates();
  void fill_tiles();
  void fill_chart();
  void fill_supplies();
  void use_supply();
  void update_use();

  Document& document_;
  QComboBox* climate_ = nullptr;
  QPushButton *import_ = nullptr, *drop_ = nullptr, *use_ = nullptr;
  QLabel* words_ = nullptr;
  FigureTiles* tiles_ = nullptr;
  loops::YearChart* chart_ = nullptr;
  QTableWidget* supplies_ = nullptr;
  QWidget* supplies_card_ = nullptr;
  std::vector<std::string> climates_;
  std::vector<double> supplies_c_;
};

} // namespace hallwright
