// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#ifdef HALLWRIGHT_BENCH_CANVAS
#include <QApplication>
#include <QImage>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QThread>

#include "widgets/fabric/fabric_view.h"
#include "widgets/plan/plan_view.h"
#endif

#include "../engine/evaluation/generated_hall.h"
#include "as_built_bench.h"
#include "coolant_loops_bench.h"
#include "hydraulics_bench.h"
#include "list_bench.h"
#include "power_bench.h"
#include "search_bench.h"
#include "evaluation/evaluation.h"
#include "fabric/wiring.h"
#include "project/project_file.h"

/// Measures what the program promises: time of one edit at three sizes, evaluation from nothing, opening and saving, and
/// memory. One line a measure, the target beside it. `hallwright_bench [WORDS]` runs only sections whose name holds one
/// of the words (1024, 16384, 100000, files, fabric, lists, as-built, hydraulics, loops, power, search, canvas).
namespace hallwright {
namespace {

using Clock = std::chrono::steady_clock;

double milliseconds_of(const std::function<void()>& work) {
  const auto start = Clock::now();
  work();
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// Peak memory of this process [MiB], or 0 where the system does not tell.
double peak_memory_mib() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    if (word != "VmHWM:") continue;
    double kib = 0;
    status >> kib;
    return kib / 1024.0;
  }
  return 0.0;
}

/// One line of the report; a missed target is marked and counted.
class Report {
public:
  void line(const std::string& what, double value, const char* unit, double target) {
    const bool missed = value > target;
    missed_ += missed ? 1 : 0;
    std::printf("%-62s %10.3f %-4s target %8g %-4s %s\n", what.c_str(), value, unit, target, unit, missed ? "MISSED" : "ok");
    std::fflush(stdout);
  }
  void remark(const std::string& text) { std::printf("%s\n", text.c_str()); }
  [[nodiscard]] int missed() const { return missed_; }

private:
  int missed_ = 0;
};

Shared<Catalog> catalog() {
  static const Shared<Catalog> read = [] {
    auto c = read_catalog_file(HALLWRIGHT_CATALOG_FILE);
    if (!c) throw std::runtime_error(c.error());
    return share(*std::move(c));
  }();
  return read;
}

/// An edit that is made again and again, each time with another value, so that no stage can rest on the last one.
struct EditCase {
  const char* name;
  std::function<Design(const Design&, int)> apply;
};

const std::vector<EditCase>& edit_cases() {
  static const std::vector<EditCase> cases = {
      {"move one rack",
       [](const Design& d, int turn) {
         const Rack& rack = (*d.racks)[d.racks->size() / 2];
         return test::must(move_by(d, {{"racks", rack.id}}, millimeters(turn % 2 ? 10 : -10), Length{}));
       }},
      {"override of the power of the node",
       [](const Design& d, int turn) {
         PartOverride o;
         o.part_kind = "node";
         o.part = "dgx-h100";
         o.field = "power_max_w";
         o.value = std::to_string(10000 + turn) + " W";
         o.reason = "measured";
         if (d.part_overrides->empty()) return add_entity(d, &Design::part_overrides, o).design;
         return test::must(set_by_path(d, "part_overrides." + std::to_string(d.part_overrides->front().id) + ".value", o.value));
       }},
      {"job.tokens", [](const Design& d, int turn) { return test::must(set_by_path(d, "job.tokens", std::to_string(15000 + turn) + "e9")); }},
      {"site.utility_power",
       [](const Design& d, int turn) { return test::must(set_by_path(d, "site.utility_power", std::to_string(300000 + turn) + " kW")); }},
      {"a field of a network",
       [](const Design& d, int turn) {
         const Id network = d.networks->front().id;
         return test::must(set_by_path(d, "networks." + std::to_string(network) + ".nodes_per_unit", turn % 2 ? "32" : "16"));
       }},
  };
  return cases;
}

void measure_edits(Report& report, Count gpus, double edit_target_ms, double scratch_target_ms) {
  const std::string size = std::to_string(gpus) + " GPUs: ";
  Design design;
  const double made = milliseconds_of([&] { design = test::generated_hall(gpus); });
  report.remark(size + std::to_string(design.racks->size()) + " racks, made in " + std::to_string(made) + " ms");
  const int turns = gpus > 50000 ? 21 : 51;

  std::vector<double> times;
  Evaluation base;
  for (int i = 0; i < std::max(5, turns / 4); ++i)
    times.push_back(milliseconds_of([&] { base = *evaluate(design, catalog()); }));
  report.line(size + "from nothing", median(times), "ms", scratch_target_ms);
  report.remark("  " + std::to_string(base.figures.all().size()) + " figures, " + std::to_string(base.figures.tables().size()) + " tables, " +
                std::to_string(base.findings.size()) + " findings");

  for (const EditCase& edit : edit_cases()) {
    Design current = design;
    Evaluation evaluation = base;
    std::vector<double> edit_times, engine_times;
    for (int turn = 0; turn < turns; ++turn) {
      edit_times.push_back(milliseconds_of([&] { current = edit.apply(current, turn); }));
      Evaluation next;
      engine_times.push_back(milliseconds_of([&] { next = *evaluate(current, catalog(), &evaluation); }));
      evaluation = std::move(next);
    }
    report.line(size + edit.name, median(engine_times), "ms", edit_target_ms);
    report.line(size + "  making the edit itself", median(edit_times), "ms", edit_target_ms);
  }
}

/// How long an evaluation goes on after it was told to stop, asked at points spread over the whole run.
void measure_stop(Report& report) {
  const Design design = test::generated_hall(100'000);
  const double whole = milliseconds_of([&] { static_cast<void>(evaluate(design, catalog())); });
  std::vector<double> waits;
  constexpr int points = 60;
  for (int i = 0; i < points; ++i) {
    std::stop_source source;
    Clock::time_point asked, returned;
    std::thread run([&] {
      static_cast<void>(evaluate(design, catalog(), nullptr, source.get_token()));
      returned = Clock::now();
    });
    std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(whole * i / points));
    asked = Clock::now();
    source.request_stop();
    run.join();
    waits.push_back(std::max(0.0, std::chrono::duration<double, std::milli>(returned - asked).count()));
  }
  report.line("100000 GPUs: from stop to return, median", median(waits), "ms", 10);
  report.line("100000 GPUs: from stop to return, worst", *std::max_element(waits.begin(), waits.end()), "ms", 10);
}

/// Every link of large networks with both ports, from nothing.
void measure_fabric(Report& report) {
  struct Case {
    const char* name;
    Count nodes, radix;
    BundleRule bundles;
    double target_ms;
  };
  for (const Case& c : {Case{"98304 GPUs", 12'288, 128, BundleRule::equal, 60},
                        Case{"98304 GPUs, uneven bundles", 12'288, 128, BundleRule::uneven, 60},
                        Case{"1000000 GPUs", 125'000, 256, BundleRule::equal, 1500}}) {
    WiringRequest request;
    request.counts.nodes = c.nodes;
    request.counts.radix = c.radix;
    request.counts.nodes_per_unit = c.radix / 2;
    request.counts.tiers = Tiers::three;
    request.counts.bundles = c.bundles;
    request.leaf_cages = request.spine_cages = request.core_cages = {c.radix / 2, 2};
    std::vector<double> times;
    std::size_t links = 0;
    for (int i = 0; i < 9; ++i)
      times.push_back(milliseconds_of([&] {
        const auto wired = wire(request);
        if (!wired) throw std::runtime_error(wired.error());
        links = wired->links.size();
      }));
    report.line("fabric, three tiers, " + std::to_string(links) + " links of " + c.name, median(times), "ms",
                c.target_ms);
  }
}

void measure_files(Report& report) {
  const Design design = test::generated_hall(100'000);
  const auto folder = std::filesystem::temp_directory_path() / ("hallwright-bench-" + std::to_string(Clock::now().time_since_epoch().count()));
  std::filesystem::create_directories(folder);
  for (const char* name : {"large.hall", "large.hall.json"}) {
    const auto file = folder / name;
    std::vector<double> saves, opens;
    for (int i = 0; i < 5; ++i) {
      saves.push_back(milliseconds_of([&] {
        if (auto saved = save_project(design, file); !saved) throw std::runtime_error(saved.error());
      }));
      opens.push_back(milliseconds_of([&] {
        if (auto opened = open_project(file); !opened) throw std::runtime_error(opened.error());
      }));
    }
    report.line(std::string("save 100000 GPUs, ") + name, median(saves) / 1000.0, "s", 1.0);
    report.line(std::string("open 100000 GPUs, ") + name, median(opens) / 1000.0, "s", 2.0);
  }
  std::filesystem::remove_all(folder);
}

#ifdef HALLWRIGHT_BENCH_CANVAS
/// Frames and gestures of the plan with 10,000 racks, without a screen. Each figure is a median.
class CanvasBench {
public:
  explicit CanvasBench(Report& report) : report_(report), design_(test::generated_hall(320'000)) { // 32 GPUs a rack
    auto evaluated = evaluate(design_, catalog());
    if (!evaluated) throw std::runtime_error("the evaluation was stopped");
    view_.resize(1920, 1080);
    view_.setDesign(design_, catalog());
    view_.setEvaluation(std::make_shared<const Evaluation>(*std::move(evaluated)));
    view_.setOverlay(Overlay::power);
    view_.show();
    image_ = QImage(view_.size(), QImage::Format_RGB32);
  }

  void pan() {
    for (const double zoom : {1.0, 1.5, 2.0, 3.0, 4.0, 8.0, 16.0}) {
      view_.zoomToFit();
      view_.zoomBy(zoom);
      std::vector<double> frames;
      for (int i = 0; i < 60; ++i) {
        view_.horizontalScrollBar()->setValue(view_.horizontalScrollBar()->value() + 7);
        frames.push_back(frame());
      }
      tell("a frame panning at " + number(zoom) + " x fit", frames);
    }
  }

  void zoom() {
    view_.zoomToFit();
    constexpr double step = 1.2; // one notch of the wheel
    double scale = 1;
    for (int notch = 0; notch < 18; ++notch) {
      // There and back several times: every frame is of a scale that the last one was not.
      std::vector<double> frames;
      for (int i = 0; i < 7; ++i) {
        view_.zoomBy(step);
        frames.push_back(frame());
        view_.zoomBy(1 / step);
        frame();
      }
      view_.zoomBy(step);
      scale *= step;
      tell("a frame zooming to " + number(scale) + " x fit", frames);
    }
  }

  void rubber_band() {
    view_.zoomToFit();
    const QSize size = view_.viewport()->size();
    const QPoint from(24, 24);
    std::vector<double> events, frames;
    send(QEvent::MouseButtonPress, from, Qt::LeftButton);
    for (int i = 1; i <= 60; ++i) {
      const QPoint at(from.x() + (size.width() - 30) * i / 60, from.y() + (size.height() - 30) * i / 60);
      events.push_back(milliseconds_of([&] { send(QEvent::MouseMove, at, Qt::LeftButton); }));
      frames.push_back(events.back() + frame());
    }
    send(QEvent::MouseButtonRelease, QPoint(size.width() - 6, size.height() - 6), Qt::LeftButton);
    if (view_.selection().size() < design_.racks->size()) throw std::runtime_error("the rubber band missed racks");
    tell("rubber band over all, an event", {events.end() - 20, events.end()});
    tell("rubber band over all, an event and its frame", {frames.end() - 20, frames.end()});
    std::vector<double> still;
    for (int i = 0; i < 10; ++i) still.push_back(frame());
    tell("a frame with all selected", still);
    view_.setSelection({});
  }

  /// The preview is applied and shown as the program does, without an evaluation.
  void drag() {
    std::vector<EntityRef> what;
    for (std::size_t i = 0; i < 2000; ++i) what.push_back({"racks", (*design_.racks)[i].id});
    view_.setSelection(what);
    double applying = 0;
    QObject::connect(&view_, &PlanView::previewRequested, [&](const Edit& edit) {
      Design moved = design_;
      applying = milliseconds_of([&] { moved = test::must(edit.apply(design_)); });
      view_.setDesign(moved, catalog());
    });
    for (const double zoom : {1.0, 4.0}) {
      view_.zoomToFit();
      view_.zoomTo({what.begin(), what.begin() + static_cast<std::ptrdiff_t>(zoom > 1 ? 200 : 2000)});
      const QPointF rack(1300, 2100); // in the first rack of the first row
      const QPoint from = view_.mapFromScene(rack);
      send(QEvent::MouseButtonPress, from, Qt::LeftButton);
      std::vector<double> events, frames, edits;
      for (int i = 1; i <= 40; ++i) {
        QThread::msleep(17); // previews are at most sixty a second
        applying = 0;
        const double event = milliseconds_of([&] { send(QEvent::MouseMove, from + QPoint(5 * i, 3 * i), Qt::LeftButton); });
        if (applying == 0) continue;
        edits.push_back(applying);
        events.push_back(event - applying);
        frames.push_back(event - applying + frame());
      }
      QKeyEvent escape(QEvent::KeyPress, Qt::Key_Escape, Qt::NoModifier);
      QApplication::sendEvent(&view_, &escape);
      view_.setDesign(design_, catalog());
      view_.setSelection(what);
      if (events.size() < 20) throw std::runtime_error("the drag made no previews");
      const std::string where = zoom > 1 ? " nearby" : " from afar";
      tell("move of 2000 racks" + where + ", an event in the view", events);
      tell("move of 2000 racks" + where + ", an event and its frame", frames);
      tell("move of 2000 racks" + where + ", the edit itself", edits);
    }
  }

private:
  double frame() {
    return milliseconds_of([&] { static_cast<QWidget&>(view_).render(&image_); });
  }
  void send(QEvent::Type type, const QPoint& at, Qt::MouseButton button) {
    QMouseEvent event(type, QPointF(at), view_.viewport()->mapToGlobal(QPointF(at)), type == QEvent::MouseMove ? Qt::NoButton : button,
                      type == QEvent::MouseButtonRelease ? Qt::NoButton : button, Qt::NoModifier);
    QApplication::sendEvent(view_.viewport(), &event);
  }
  static std::string number(double value) {
    char text[16];
    std::snprintf(text, sizeof text, "%.3g", value);
    return text;
  }
  void tell(const std::string& what, const std::vector<double>& times) {
    report_.line(std::to_string(design_.racks->size()) + " racks, " + what, median(times), "ms", 1000.0 / 60);
  }

  Report& report_;
  Design design_;
  PlanView view_;
  QImage image_;
};

/// The fabric of 98,304 GPUs while zooming in from the whole to one port.
void measure_fabric_frames(Report& report) {
  WiringRequest q;
  q.counts = {.nodes = 12288, .links_per_node = 8, .radix = 128, .tiers = Tiers::three, .nodes_per_unit = 64};
  q.leaf_cages = q.spine_cages = q.core_cages = {64, 2};
  auto picture = std::make_shared<wired::Picture>();
  picture->wiring = std::make_shared<const Wiring>(wire(q).value());
  std::shared_ptr<const wired::Scene> scene;
  const double made =
      milliseconds_of([&] { scene = std::make_shared<const wired::Scene>(wired::make_scene(picture->wiring)); });
  report.line("scene of 294,912 links", made, "ms", 200);
  wired::FabricView view;
  view.resize(1240, 640);
  view.setPicture(picture, scene);
  QPixmap target(view.size());
  view.render(&target);
  std::vector<double> frames;
  for (int i = 0; i < 70; ++i) {
    view.zoomBy(1.12);
    frames.push_back(milliseconds_of([&] { view.render(&target); }));
  }
  report.line("98,304 GPUs, a frame of the fabric zooming in", median(frames), "ms", 1000.0 / 60);
}

void measure_canvas(Report& report) {
  qputenv("QT_QPA_PLATFORM", "offscreen");
  int count = 1;
  char name[] = "hallwright_bench";
  char* arguments[] = {name, nullptr};
  QApplication application(count, arguments);
  CanvasBench bench(report);
  bench.pan();
  bench.zoom();
  bench.rubber_band();
  bench.drag();
  measure_fabric_frames(report);
}
#endif

/// Targets are those that tests held before they were measured here.
void measure_lists(Report& report) {
  report.line("a list of 10,000 racks read and applied", bench::rack_list_ms(), "ms", 2000);
  report.line("recovery file of 4,000 racks", bench::recovery_ms(), "ms", 100);
  const bench::RouteTimes routes = bench::route_times(catalog());
  report.line("ways of 10,000 racks", routes.stage_ms, "ms", 2000);
  report.line("lengths from 200 of them to all", routes.lengths_ms, "ms", 10'000);
  report.line("98,304 GPUs: every single failure", bench::failures_ms(), "ms", 2000);
  report.line("98,304 GPUs: schedule of every cable", bench::cable_schedule_ms(catalog()), "ms", 3000);
  report.line("step time of one split", bench::step_time_us(*catalog()), "us", 5);
}

void measure_as_built(Report& report) {
  const bench::AsBuiltTimes t = bench::as_built_times();
  report.remark("as-built: " + std::to_string(t.found) + " links, " + std::to_string(t.findings) + " findings");
  report.line("98,304 GPUs as built against the plan", t.compare_s, "s", 2.0);
  report.line("a megabyte of ibnetdiscover", 1e3 / t.read_mb_per_s, "ms", 10.0);
}

/// EPANET's median on the hall of 512 racks is 0.851 ms (tests/data/hydraulics/cases.csv, another machine).
void measure_hydraulics(Report& report) {
  const PipeNetwork hall = bench::network_of_file(HALLWRIGHT_SOURCE_DIR "/tests/data/hydraulics/S06.inp");
  const auto tell = [&](const std::string& what, const bench::HydraulicsTimes& t, double cold, double warm, double sweep) {
    report.line(what + ", from nothing, " + std::to_string(t.cold_steps) + " steps", t.cold_ms, "ms", cold);
    report.line(what + ", one valve changed, " + std::to_string(t.warm_steps) + " steps", t.warm_ms, "ms", warm);
    report.line(what + ", each of " + std::to_string(t.cases) + " units lost", t.sweep_ms, "ms", sweep);
    report.remark(what + ", prepared in " + std::to_string(t.prepare_ms) + " ms");
  };
  tell("512 racks", bench::hydraulics_times(hall, 101), 0.851, 1.0, 150.0);
  tell("2048 racks", bench::hydraulics_times(bench::joined_halls(hall, 4), 31), 10.0, 10.0, 600.0);
}

/// Halls as they are drawn: rows of racks between two mains, units beside the mains.
void measure_loops(Report& report) {
  const auto tell = [&](const std::string& what, const bench::LoopTimes& t, double first, double warm, double failures) {
    report.line(what + ", drawing to network", t.join_ms, "ms", first);
    report.line(what + ", from nothing with speed of pumps", t.first_ms, "ms", first * 2.0);
    report.line(what + ", one valve changed, " + std::to_string(t.warm_steps) + " steps", t.warm_ms, "ms", warm);
    report.line(what + ", each of " + std::to_string(t.cases) + " single failures", t.failures_ms, "ms", failures);
    report.line(what + ", facility water lost", t.transient_ms, "ms", 50.0);
    report.remark(what + ": flows alone " + std::to_string(t.flows_ms) + " ms; " + std::to_string(t.first_order) +
                  " of the failures to first order");
  };
  tell("512 racks drawn", bench::loop_times(16, 32, 28, 41), 10.0, 1.0, 150.0);
  tell("2000 racks drawn", bench::loop_times(40, 50, 112, 11), 50.0, 10.0, 6000.0);
}

/// GPT-3 175B on 4,096 GPUs, batch 1,536: every legal layout.
void measure_power(Report& report) {
  for (const auto& [name, base, sweep] : {std::tuple{"llama3-405b-16k", 2.0, 50.0}, {"hundred-thousand", 15.0, 500.0}}) {
    const auto opened = open_project(HALLWRIGHT_SOURCE_DIR "/projects/" + std::string(name) + ".hall.json");
    if (!opened) throw std::runtime_error(opened.error());
    const bench::PowerTimes t = bench::power_times(opened->design, *catalog());
    const std::string what = std::string(name) + ", " + std::to_string(t.units) + " units, " + std::to_string(t.racks) + " racks";
    report.line(what + ": one-line and base flow", t.base_ms, "ms", base);
    report.line(what + ": one rack changed", t.change_ms, "ms", 1.0);
    report.line(what + ": every single failure", t.single_ms, "ms", sweep);
    report.line(what + ": " + std::to_string(t.pairs) + " pairs in maintenance and failure", t.pairs_ms, "ms", sweep);
    report.line(what + ": room for more racks", t.growth_ms, "ms", 5 * sweep);
  }
}

void measure_search(Report& report) {
  for (const int threads : {1, 2}) {
    const bench::SearchTimes t = bench::search_times(*catalog(), threads);
    const std::string on = threads == 1 ? " on one core" : " on two cores";
    report.remark("4,096 GPUs" + on + ": " + std::to_string(t.enumerated) + " layouts enumerated, " +
                  std::to_string(t.legal) + " legal, " + std::to_string(t.fit) + " fit, best step " +
                  std::to_string(t.best_step_s) + " s");
    report.remark("4,096 GPUs" + on + ": " +
                  std::to_string(std::llround(static_cast<double>(t.legal) / t.whole_s)) +
                  " configurations a second of the processor; " + std::to_string(t.whole_clock_s) +
                  " s on the clock, stopped within " + std::to_string(t.stop_clock_ms) + " ms");
    report.line("4,096 GPUs: one layout of the search priced" + on, t.evaluation_us, "us", 5);
    report.line("4,096 GPUs: first good answer of the search" + on, t.first_ms, "ms", 1000.0 / 60);
    report.line("4,096 GPUs: step of the first answer over the best" + on, t.first_step_s / t.best_step_s, "", 1.5);
    report.line("4,096 GPUs: every layout searched" + on, t.whole_s, "s", threads == 1 ? 20 : 10);
  }
}

int run(const std::vector<std::string>& words) {
  Report report;
  const auto wanted = [&](const std::string& section) {
    return words.empty() || std::any_of(words.begin(), words.end(), [&](const std::string& w) { return section.find(w) != std::string::npos; });
  };
  if (wanted("1024")) measure_edits(report, 1'024, 2, 10);
  if (wanted("16384")) measure_edits(report, 16'384, 16, 50);
  if (wanted("100000")) measure_edits(report, 100'000, 100, 500);
  if (wanted("stop")) measure_stop(report);
  if (wanted("files")) measure_files(report);
  if (wanted("fabric")) measure_fabric(report);
  if (wanted("lists")) measure_lists(report);
  if (wanted("as-built")) measure_as_built(report);
  if (wanted("hydraulics")) measure_hydraulics(report);
  if (wanted("loops")) measure_loops(report);
  if (wanted("power")) measure_power(report);
  if (wanted("search")) measure_search(report);
#ifdef HALLWRIGHT_BENCH_CANVAS
  if (wanted("canvas")) measure_canvas(report);
#endif
  report.line("peak memory", peak_memory_mib(), "MiB", 1024);
  return report.missed() == 0 ? 0 : 1;
}

} // namespace
} // namespace hallwright

int main(int argc, char** argv) {
  try {
    return hallwright::run({argv + 1, argv + argc});
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "the measurement failed: %s\n", failure.what());
    return 2;
  }
}
