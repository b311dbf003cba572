// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <fstream>
#include <sstream>

#include <QTest>

#include <fmt/format.h>

#include "evaluation/evaluation.h"
#include "project/project_file.h"

/// projects/README.md tells how the samples compare with what is published: as the program finds it today.
using namespace hallwright;

class TestSampleComparisons : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void the_readme_tells_what_the_samples_come_to() {
    std::ifstream file(HALLWRIGHT_SOURCE_DIR "/projects/README.md");
    std::stringstream text;
    text << file.rdbuf();
    const std::string readme = text.str();
    auto catalog = read_catalog_file(HALLWRIGHT_CATALOG_FILE);
    QVERIFY2(catalog, catalog ? "" : catalog.error().c_str());
    const Shared<Catalog> parts = share(*std::move(catalog));
    std::size_t rows = 0;
    std::string missing;
    for (const char* sample : {"one-megawatt", "superpod-h100-4su", "llama3-405b-16k", "nvl72-16-racks", "deepseek-v3-2048-h800", "hundred-thousand"}) {
      auto opened = open_project(std::string(HALLWRIGHT_SOURCE_DIR "/projects/") + sample + ".hall.json");
      QVERIFY2(opened, opened ? "" : opened.error().c_str());
      const Evaluation e = *evaluate(opened->design, parts);
      for (const PublishedComparison& c : published_comparisons(e)) {
        QVERIFY2(c.ours, c.problem.c_str());
        if (!c.deviation || !c.published_value) continue;
        Figure published = *c.ours;
        published.value = *c.published_value;
        published.completeness = Completeness::exact;
        const double percent = std::round(*c.deviation * 1000.0) / 10.0;
        const std::string row = fmt::format("| {} | {} | {} | {} | {} |", sample, c.ours->label, figure_text(*c.ours), figure_text(published),
                                            percent == 0.0 ? std::string("0") : fmt::format("{:+.1f} %", percent));
        ++rows;
        if (readme.find(row) == std::string::npos) missing += row + "\n";
      }
    }
    QVERIFY(rows >= 20);
    QVERIFY2(missing.empty(), ("projects/README.md lacks these rows:\n" + missing).c_str());
  }
};

QTEST_APPLESS_MAIN(TestSampleComparisons)
#include "test_sample_comparisons.moc"
