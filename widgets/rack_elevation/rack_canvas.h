// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractScrollArea>

#include "design/rack_edits.h"
#include "widgets/rack_elevation/rack_picture.h"

namespace hallwright::elevation {

/// The drawing of a rack type that is worked on: select, drag, drop, keys. Asks for edits, changes nothing itself.
///
/// A click selects a part with all of its count, a second click this one alone. Dragging keeps to whole units from
/// where the part stood; Alt goes by half units. Dragging to the other face or beside the rails changes the mounting.
class RackCanvas : public QAbstractScrollArea {
  Q_OBJECT
public:
  explicit RackCanvas(QWidget* parent = nullptr);
  void setDesign(const Design& design, const Shared<Catalog>& catalog);
  void setEvaluation(const SharedEvaluation& evaluation);
  void setRackType(Id type);
  [[nodiscard]] Id rackType() const { return type_; }
  void setNumbersFromTop(bool on);
  [[nodiscard]] bool numbersFromTop() const { return numbers_from_top_; }

  [[nodiscard]] Id selectedItem() const { return marks_.item; }
  [[nodiscard]] std::optional<Count> selectedOne() const { return marks_.nth; }
  void select(Id item, std::optional<Count> nth = {});
  [[nodiscard]] const Picture& picture() const { return picture_; }

  // What keys, menus and the palette do with the selected part.
  void nudge(Count half_units);
  void remove();
  void splitOff();
  void setMount(RackMount mount);
  void setCount(Count count);
  /// Puts a part ("node/dgx-h100") at the lowest free place.
  void place(const QString& part);

  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
  void editRequested(const hallwright::Edit& edit);
  void selectionChanged();
  /// What a gesture under way does, or empty; `refused`: why it cannot.
  void hintChanged(const QString& hint, bool refused);
  void menuRequested(const QPoint& global);

protected:
  bool event(QEvent* event) override;
  bool viewportEvent(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void hideEvent(QHideEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  void changeEvent(QEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dragMoveEvent(QDragMoveEvent* event) override;
  void dragLeaveEvent(QDragLeaveEvent* event) override;
  void dropEvent(QDropEvent* event) override;

private:
  struct Carried; ///< what is dragged
  void rebuild();
  void arrange();
  void land(const QPointF& at, bool halves);
  void end_drag();
  void select_neighbour(int step);
  void tell_selection();
  [[nodiscard]] QString told(const std::string& sentence) const;
  [[nodiscard]] const RackItem* selected() const;
  [[nodiscard]] QString part_name(const RackItem& item) const;
  void request_move(const RackItem& item, std::optional<Count> nth, const RackSpot& spot, const QString& label);

  Design design_;
  Shared<Catalog> catalog_;
  SharedEvaluation evaluation_;
  Id type_ = 0;
  Picture picture_;
  Marks marks_;
  bool numbers_from_top_ = false;
  double zoom_ = 0; ///< 0: as high as the view
  std::unique_ptr<Carried> carried_;
  QPointF pressed_at_;
  bool pressed_ = false, was_selected_ = false;

public:
  ~RackCanvas() override;
};

/// A part that goes into racks, from its mime text "node/<id>", "switch/<id>", "storage/<id>" or "other/<id>".
struct RackPartText {
  RackItemKind kind = RackItemKind::node;
  std::string part;
};
std::optional<RackPartText> read_rack_part(const QString& text);

} // namespace hallwright::elevation
