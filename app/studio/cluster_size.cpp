// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/cluster_size.h"

#include <QCoreApplication>
#include <QStringList>

#include "widgets/figure_text.h"

namespace hallwright {

QString cluster_size(const Evaluation& evaluation) {
  const auto words = [](const char* text) { return QCoreApplication::translate("ClusterSize", text); };
  QStringList parts;
  const auto add = [&](const char* id, const QString& one, const QString& many) {
    const Figure* f = evaluation.figures.find(id);
    if (f && f->has_value() && f->value > 0) parts << (f->value == 1.0 ? one : many.arg(screen_text(*f, 12)));
  };
  add("population.gpus", words("1 GPU"), words("%1 GPUs"));
  add("population.nodes", words("1 node"), words("%1 nodes"));
  const auto racks = static_cast<qint64>(evaluation.design.racks->size());
  if (racks > 0) parts << counted(racks, words("1 rack drawn"), words("%1 racks drawn"));
  return parts.join(QStringLiteral(" \u00b7 "));
}

} // namespace hallwright
