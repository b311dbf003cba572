// SPDX-License-Identifier: GPL-3.0-or-later
// The step of a job on the network that was drawn: oversubscription, order of axes and failures enter it.
#include <QtTest>

#include <cmath>

#include "design/edits.h"
#include "engine/evaluation/generated_hall.h"
#include "evaluation/evaluation.h"
#include "project/project_file.h"

using namespace hallwright;
using test::must;

namespace {

const Shared<Catalog>& catalog() {
  static const Shared<Catalog> read = [] {
    auto c = read_catalog_file(HALLWRIGHT_CATALOG_FILE);
    if (!c) qFatal("%s", c.error().c_str());
    return share(*std::move(c));
  }();
  return read;
}
Design sample(const std::string& name) {
  auto opened = open_project(HALLWRIGHT_SOURCE_DIR "/projects/" + name + ".hall.json");
  if (!opened) qFatal("%s", opened.error().c_str());
  return opened->design;
}
Evaluation evaluated(const Design& d, const Evaluation* before = nullptr) { return *evaluate(d, catalog(), before); }

Id compute_network(const Design& d) {
  for (const Network& n : *d.networks)
    if (n.kind == NetworkKind::compute) return n.id;
  qFatal("no compute network");
}
Design oversubscribed(const Design& d, double ratio) {
  return must(set_field(d, {"networks", compute_network(d)}, "oversubscription", ratio));
}
Design failing(const Design& d, const std::string& element) {
  return must(with_table(d, &Design::failures, [&](std::vector<Failure>& table, Id& next) {
    table.push_back({.id = next++, .network = compute_network(d), .element = element});
  }));
}
double value(const Evaluation& e, const char* id) {
  const Figure* f = e.figures.find(id);
  if (!f) qFatal("no figure %s", id);
  return f->value;
}
bool has(const Evaluation& e, const char* id) {
  const Figure* f = e.figures.find(id);
  return f && f->completeness != Completeness::not_applicable && f->completeness != Completeness::unknown;
}
/// Whether one reaches `what` from the figure `id` through inputs.
bool rests_on(const Evaluation& e, const Figure& f, std::string_view what, int depth = 8) {
  if (f.id == what) return true;
  if (depth == 0) return false;
  for (const FigureRef ref : f.inputs)
    if (const Figure* in = e.figures.at(ref); in && rests_on(e, *in, what, depth - 1)) return true;
  return false;
}

} // namespace

class TestJobNetwork : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void an_oversubscribed_leaf_slows_what_leaves_it() {
    const Design d = sample("llama3-405b-16k");
    const Evaluation even = evaluated(d), four = evaluated(oversubscribed(d, 4));
    QVERIFY2(has(four, "training.step_time"), "the network of the sample takes 4 to 1");
    QVERIFY(four.traffic->network->reach.leaf_oversubscription > even.traffic->network->reach.leaf_oversubscription * 2);
    QVERIFY(four.training->parts.total() > even.training->parts.total());
    // Stages lie 1,024 GPUs apart, further than a unit is wide: what they send is slowed by the whole ratio (latency aside).
    const double ratio = four.traffic->network->reach.leaf_oversubscription;
    QVERIFY2(four.training->parts.pipeline > even.training->parts.pipeline * (1 + 0.6 * (ratio - 1)) &&
                 four.training->parts.pipeline < even.training->parts.pipeline * ratio * 1.0001,
             qPrintable(QStringLiteral("%1 s, %2 s").arg(even.training->parts.pipeline).arg(four.training->parts.pipeline)));
    // What stays on NVLink does not change.
    QCOMPARE(four.training->parts.tensor, even.training->parts.tensor);
    const Figure* pipeline = four.figures.find("training.step.pipeline");
    QVERIFY(pipeline && rests_on(four, *pipeline, "traffic.leaf_oversubscription"));
  }

  void stages_beside_each_other_need_less_of_it() {
    const Design d = oversubscribed(sample("llama3-405b-16k"), 4);
    const Evaluation apart = evaluated(d), beside = evaluated(must(set_field(d, {"job", 0}, "axis_order", std::string("pipeline before data"))));
    QVERIFY(beside.training->parts.pipeline < apart.training->parts.pipeline);
    QVERIFY(beside.traffic->placement->axis_order == AxisOrder::pipeline_before_data);
  }

  void a_job_with_a_gpu_cut_off_does_not_run() {
    const Design d = sample("superpod-h100-4su");
    const Evaluation whole = evaluated(d), lost = evaluated(failing(d, "leaf 1"), &whole);
    QVERIFY(has(whole, "training.step_time"));
    QVERIFY(!has(lost, "training.modelled_step_time"));
    const Figure* f = lost.figures.find("training.modelled_step_time");
    QVERIFY2(f && f->reason.find("leaf 1 out of service") != std::string::npos, f ? f->reason.c_str() : "none");
    // Mended: as before.
    QCOMPARE(value(evaluated(d, &lost), "training.step_time"), value(whole, "training.step_time"));
  }

  void a_lost_spine_narrows_the_leafs() {
    const Design d = sample("superpod-h100-4su");
    const Evaluation whole = evaluated(d), lost = evaluated(failing(d, "spine 1"), &whole), anew = evaluated(failing(d, "spine 1"));
    QVERIFY(has(lost, "training.step_time"));
    QVERIFY(lost.traffic->network->reach.leaf_oversubscription > whole.traffic->network->reach.leaf_oversubscription);
    QVERIFY(value(lost, "training.step_time") >= value(whole, "training.step_time"));
    QCOMPARE(value(lost, "training.step_time"), value(anew, "training.step_time"));
  }
};

QTEST_APPLESS_MAIN(TestJobNetwork)
#include "test_job_network.moc"
