// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <QWidget>

#include "app/studio/document.h"

class QComboBox;
class QGridLayout;
class QLabel;
class QPushButton;
class QSlider;

namespace hallwright {

/// A field of the design that a slider may move.
struct WhatIfInput {
  std::string path;   ///< "job.tokens"
  QString name = {};  ///< empty: the field's label
  QString figure = {}; ///< its value stands in while the field is not set, such as a modelled one
  /// Values that the slider stops at, ascending; none: half to one and a half of today's value.
  std::function<std::vector<double>(const Document& document)> stops = {};
};

/// Sliders that show on every headline what another value of a few inputs would do. Nothing is kept until Apply or Keep.
class WhatIfPanel : public QWidget {
  Q_OBJECT
public:
  /// @param inputs   that each slider chooses from; sliders begin with the first ones that the design has set
  /// @param sliders  how many
  /// @param name     of the object: sliders are "<name>_0", "<name>_1" and so on
  WhatIfPanel(Document& document, std::vector<WhatIfInput> inputs, int sliders, const QString& name,
              QWidget* parent = nullptr);
  /// Puts the sliders back where the design stands (it was changed by something else).
  void reset();
  /// Whether a slider is away from where the design stands.
  [[nodiscard]] bool trying() const;
  /// The newest design; keeps what is being tried.
  void refresh();

Q_SIGNALS:
  void editRequested(const hallwright::Edit& edit);

private:
  struct Slider {
    QComboBox* input = nullptr;
    QSlider* slider = nullptr;
    QLabel *value = nullptr, *ends = nullptr;
    bool chosen = false;       ///< its input was chosen by hand
    int middle = 0;            ///< position of today's value
    double today = 0.0;
    bool figure_is_today = false; ///< its input may stand in for a field that is not set
    std::vector<double> stops; ///< empty: by shares of today's value
  };
  struct Change {
    std::string path, text;
  };
  struct PathValue;
  [[nodiscard]] const WhatIfInput& input_of(const Slider& slider) const;
  [[nodiscard]] std::optional<PathValue> value_of(const WhatIfInput& input) const;
  [[nodiscard]] static double slid(const PathValue& value, const Slider& slider, int position);
  [[nodiscard]] std::vector<Change> changes() const;
  [[nodiscard]] Edit edit() const;
  void slide();
  void choose_inputs();
  void show(Slider& slider, bool back);
  void keep();

  Document& document_;
  std::vector<WhatIfInput> inputs_;
  std::vector<Slider> sliders_;
  QPushButton *apply_ = nullptr, *keep_ = nullptr, *reset_ = nullptr;
  bool sliding_ = false;
};

} // namespace hallwright
