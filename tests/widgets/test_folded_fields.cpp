// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractButton>
#include <QTest>
#include <QToolButton>

#include "design/edits.h"
#include "widgets/field_form.h"
#include "widgets/theme.h"

using namespace hallwright;

/// Fields under headings, and those of one kind only, under real presses.
class TestFoldedFields : public QObject {
  Q_OBJECT

  Design design_;
  Id ups_ = 0, transformer_ = 0;
  Shared<Catalog> catalog_ = share(Catalog{});

  static QWidget* field(FieldForm& form, const char* name) { return form.editor(QString::fromLatin1(name)); }
  static QToolButton* heading(FieldForm& form, const char* name) {
    return form.findChild<QToolButton*>(QStringLiteral("heading_") + QLatin1String(name));
  }
  void show(FieldForm& form, std::vector<Id> units) {
    std::vector<EntityRef> refs;
    for (const Id id : units) refs.push_back({"power_units", id});
    form.setDesign(design_, catalog_);
    form.setEntities(refs);
    form.resize(420, 900);
    form.show();
    QVERIFY(QTest::qWaitForWindowExposed(&form));
  }

private Q_SLOTS:
  void initTestCase() {
    apply_appearance(Appearance::light);
    const auto add = [&](PowerUnitKind kind, const char* name) {
      PowerUnit u;
      u.name = name;
      u.kind = kind;
      Made made = add_entity(design_, &Design::power_units, u);
      design_ = made.design;
      return made.entities.front().id;
    };
    ups_ = add(PowerUnitKind::ups, "UPS A");
    transformer_ = add(PowerUnitKind::transformer, "T1");
  }

  /// Folded at first; a press on the heading shows the fields, a second one hides them again.
  void a_heading_unfolds_and_folds() {
    FieldForm form;
    show(form, {transformer_});
    QVERIFY(field(form, "rating")->isVisible());
    QToolButton* losses = heading(form, "Losses");
    QVERIFY(losses && losses->isVisible() && !field(form, "no_load_loss")->isVisible());
    QTest::mouseClick(losses, Qt::LeftButton);
    QVERIFY(field(form, "no_load_loss")->isVisible() && field(form, "load_loss")->isVisible());
    losses->setFocus();
    QTest::keyClick(losses, Qt::Key_Space);
    QVERIFY(!field(form, "no_load_loss")->isVisible());
    form.reveal(QStringLiteral("load_loss"));
    QVERIFY(field(form, "load_loss")->isVisible());
  }

  /// A transformer has no battery and no curve of a UPS; a UPS has no no-load loss. Both at once show what either has.
  void fields_of_one_kind_stand_there_only() {
    FieldForm form;
    show(form, {transformer_});
    QTest::mouseClick(heading(form, "Losses"), Qt::LeftButton);
    QVERIFY(!heading(form, "Battery")->isVisible());
    QVERIFY(!field(form, "efficiency_at_half")->isVisible());
    show(form, {ups_});
    QVERIFY(heading(form, "Battery")->isVisible());
    QVERIFY(field(form, "efficiency_at_half")->isVisible() && !field(form, "no_load_loss")->isVisible());
    show(form, {ups_, transformer_});
    QVERIFY(field(form, "efficiency_at_half")->isVisible() && field(form, "no_load_loss")->isVisible());
  }

  /// What is set is never out of sight without a word: a value of another kind stays shown, and headings count.
  void what_is_set_is_told() {
    const auto set = set_field(design_, {"power_units", transformer_}, "battery_time", FieldValue(300.0));
    QVERIFY(set);
    FieldForm form;
    design_ = *set;
    show(form, {transformer_});
    QVERIFY(heading(form, "Battery")->isVisible());
    QVERIFY2(heading(form, "Battery")->text().contains(QLatin1Char('1')), qPrintable(heading(form, "Battery")->text()));
  }

  /// Every field is in the form, and those under one heading stand together.
  void nothing_is_missing() {
    FieldForm form;
    show(form, {ups_});
    for (const FieldInfo& f : table_fields("power_units")) QVERIFY2(field(form, std::string(f.name).c_str()), std::string(f.name).c_str());
    for (QToolButton* h : form.findChildren<QToolButton*>())
      if (h->objectName().startsWith(QStringLiteral("heading_")) && h->isVisible() && !h->isChecked())
        QTest::mouseClick(h, Qt::LeftButton);
    int last = -1;
    for (const char* name : {"voltage", "system", "short_circuit_power"}) {
      QWidget* w = field(form, name);
      if (!w->isVisible()) continue;
      const int y = w->mapTo(&form, QPoint()).y();
      QVERIFY(y > last);
      last = y;
    }
  }
};

QTEST_MAIN(TestFoldedFields)
#include "test_folded_fields.moc"
