// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include <QWidget>

#include "design/access.h"
#include "widgets/one_line/one_line_picture.h"

namespace hallwright {

/// The one-line diagram: loads, sides, what fails and what that does.
///
/// The wheel zooms at the cursor; drag on the ground, the middle button or space pans. A click selects; with Ctrl it
/// adds. A double click opens a fold, or fails a unit and restores it. Dragging one unit onto another asks to feed the
/// first from the second. Keys: arrows go along the wires (up to what feeds, down to what is fed, aside to the
/// neighbour), Return selects, F fails and restores what is selected (without a selection the unit under the keys), O
/// opens and folds, plus and minus zoom, Home fits, Escape selects nothing. Failing changes nothing in the design.
class OneLineView : public QWidget {
  Q_OBJECT
public:
  explicit OneLineView(QWidget* parent = nullptr);

  /// Elements that are out and no longer drawn are forgotten. @param study  null: nothing is drawn
  void setStudy(std::shared_ptr<const OneLineStudy> study);
  [[nodiscard]] const OneLinePicture& picture() const { return picture_; }
  void setEmptyText(const QString& text);
  /// Takes these out and no others.
  void setOut(std::vector<Id> out);
  [[nodiscard]] const std::vector<Id>& out() const { return out_; }
  void setSelection(const std::vector<EntityRef>& selection);
  [[nodiscard]] const std::set<std::size_t>& selectedSymbols() const { return selected_; }
  /// Power units that are selected, by id.
  [[nodiscard]] std::vector<Id> selectedUnits() const;
  /// Fails what is selected; where all of it is out, restores it. Of a fold the next one.
  void failSelected();
  void openFold(std::size_t symbol); ///< or closes it
  void foldAll();
  void openAll();
  [[nodiscard]] bool allOpen() const { return folding_.none; }

  void fit();
  void zoomBy(double factor);
  void zoomToSelection();
  /// Brings the symbol of an element into sight.
  void bringIntoSight(Id element);
  [[nodiscard]] double scale() const { return scale_; }

  // Where things are on the widget.
  [[nodiscard]] QRectF symbolRect(std::size_t symbol) const;
  [[nodiscard]] std::ptrdiff_t symbolOf(Id element) const;           ///< -1: it is not drawn
  [[nodiscard]] std::ptrdiff_t symbolAt(const QPointF& pixel) const; ///< -1: the ground
  [[nodiscard]] std::ptrdiff_t cursor() const { return cursor_; }
  /// The whole diagram as a picture on the ground of the present appearance.
  [[nodiscard]] QImage image(double scale = 2.0) const;

  [[nodiscard]] QSize sizeHint() const override { return {900, 460}; }
  [[nodiscard]] QSize minimumSizeHint() const override { return {260, 200}; }

Q_SIGNALS:
  void selectionRequested(const std::vector<hallwright::EntityRef>& selection);
  void outChanged();
  void connectRequested(hallwright::Id unit, hallwright::Id upstream);
  void menuRequested(const QPoint& global);
  void told(const QString& sentence, bool problem);

protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void keyReleaseEvent(QKeyEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void hideEvent(QHideEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

private:
  [[nodiscard]] double gutter() const;
  [[nodiscard]] double letter() const; ///< pixels of one unit at which letters are as large as elsewhere
  [[nodiscard]] double fit_scale() const;
  void clamp_camera();
  bool choose_gap();
  void zoom_at(const QPointF& pixel, double factor);
  void remake();
  void fit_again(const OneLine* earlier);
  void take_selection();
  void follow_selection();
  void choose(const std::set<std::size_t>& symbols);
  void step(int across, int down);
  void fail(const std::vector<std::size_t>& symbols);
  void tell_accessible();
  void end_gesture();

  std::shared_ptr<const OneLineStudy> study_;
  OneLineFolding folding_;
  OneLinePicture picture_;
  std::vector<Id> out_;
  std::vector<EntityRef> selection_;
  std::set<std::size_t> selected_, lit_;
  QString empty_;
  bool follow_ = false; ///< the symbol under the keys is yet to be one of the selection
  std::ptrdiff_t cursor_ = -1, pointed_ = -1;
  double scale_ = 1.0, gap_ = OneLineMeasures().gap;
  QPointF origin_;
  bool fitted_ = true;
  enum class Gesture { none, pressed, panning, connecting } gesture_ = Gesture::none;
  QPointF pressed_, last_;
  std::ptrdiff_t pressed_on_ = -1;
  bool space_ = false;
};

} // namespace hallwright
