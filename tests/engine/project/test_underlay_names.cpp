// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "project/underlay_names.h"

using namespace hallwright;

class TestUnderlayNames : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void names_follow_the_project_to_another_folder() {
    Design d;
    std::vector<Underlay> all;
    for (const char* file : {"plan.dxf", "drawings/plan.dxf", "../plan.dxf", "/abs/plan.dxf", ""}) {
      Underlay u;
      u.id = static_cast<Id>(all.size() + 1);
      u.file = file;
      all.push_back(u);
    }
    d.underlays = share(all);
    const auto names = [&](const char* from, const char* to) {
      std::vector<std::string> out;
      const Design named = with_underlays_named_from(d, from, to);
      for (const Underlay& u : *named.underlays)
        out.push_back(u.file);
      return out;
    };
    using Names = std::vector<std::string>;
    // In one folder nothing changes, and the table stays shared.
    QVERIFY(with_underlays_named_from(d, "/a/b/one.hall", "/a/b/two.hall").underlays == d.underlays);
    QVERIFY(with_underlays_named_from(d, "/a/b/one.hall", "/a/b/../b/two.hall").underlays == d.underlays);
    // One folder up: all lie in or below it, "../plan.dxf" beside the new file.
    QCOMPARE(names("/a/b/one.hall", "/a/two.hall"),
             (Names{"b/plan.dxf", "b/drawings/plan.dxf", "plan.dxf", "/abs/plan.dxf", ""}));
    // Down: what does not lie below is named by its whole path.
    QCOMPARE(names("/a/b/one.hall", "/a/b/drawings/two.hall"),
             (Names{"/a/b/plan.dxf", "plan.dxf", "/a/plan.dxf", "/abs/plan.dxf", ""}));
    QCOMPARE(names("/a/b/one.hall", "/c/two.hall"),
             (Names{"/a/b/plan.dxf", "/a/b/drawings/plan.dxf", "/a/plan.dxf", "/abs/plan.dxf", ""}));
  }
};

QTEST_APPLESS_MAIN(TestUnderlayNames)
#include "test_underlay_names.moc"
