// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include <QComboBox>
#include <QLineEdit>
#include <QSettings>
#include <QTableView>
#include <QHeaderView>
#include <QLabel>
#include <QTest>

#include "design/edits.h"
#include "quantity/table_number.h"
#include "widgets/field_form.h"
#include "widgets/figure_table.h"
#include "widgets/inherited_values.h"
#include "widgets/quantity_edit.h"
#include "widgets/theme.h"

using namespace hallwright;

/// What holds where nothing is set; tables that keep their widths and cut nothing without a word.
class TestInheritedValues : public QObject {
  Q_OBJECT

  Shared<Catalog> catalog_;
  Design design_;
  Id ups_ = 0, busway_ = 0, transformer_ = 0, loop_ = 0;

  static QString words(FieldForm& form, const char* field) {
    auto* edit = form.findChild<QLineEdit*>(QStringLiteral("field_") + QLatin1String(field));
    return edit && edit->text().isEmpty() ? edit->placeholderText() : QStringLiteral("?");
  }
  /// Whole, however narrow the editor is.
  static QString told(FieldForm& form, const char* field) {
    auto* edit = form.findChild<QLineEdit*>(QStringLiteral("field_") + QLatin1String(field));
    return edit && edit->text().isEmpty() ? edit->toolTip() : QStringLiteral("?");
  }
  void show(FieldForm& form, const std::vector<EntityRef>& what) {
    form.resize(900, 1600);
    form.setDesign(design_, catalog_);
    form.setEntities(what);
    form.show();
    QVERIFY(QTest::qWaitForWindowExposed(&form));
  }

private Q_SLOTS:
  void initTestCase() {
    QCoreApplication::setOrganizationName(QStringLiteral("hallwright-test"));
    apply_appearance(Appearance::light);
    auto catalog = read_catalog_file(HALLWRIGHT_CATALOG_FILE);
    QVERIFY(catalog.has_value());
    catalog_ = share(*std::move(catalog));
    Hall hall;
    hall.name = "Hall";
    hall.outline = {{0, 0}, {20000, 0}, {20000, 10000}, {0, 10000}};
    design_ = add_entity(design_, &Design::halls, hall).design;
    const auto unit = [&](const char* name, PowerUnitKind kind, Id upstream) {
      PowerUnit u;
      u.name = name, u.kind = kind, u.hall = design_.halls->front().id, u.upstream = upstream;
      const Made made = add_entity(design_, &Design::power_units, u);
      design_ = made.design;
      return made.entities.front().id;
    };
    transformer_ = unit("Transformer A", PowerUnitKind::transformer, 0);
    ups_ = unit("UPS A", PowerUnitKind::ups, transformer_);
    busway_ = unit("Busway A", PowerUnitKind::busway, ups_);
    design_ = *set_field(design_, {"power_units", ups_}, "part", FieldValue(std::string("abb-megaflex-1000")));
    design_ = *set_field(design_, {"power_units", transformer_}, "voltage", FieldValue(415.0));
    CoolantLoop l;
    l.name = "Loop 1";
    const Made made = add_entity(design_, &Design::loops, l);
    design_ = made.design;
    loop_ = made.entities.front().id;
  }

  /// ABB's data sheet, as catalogs/power_equipment.csv has it: 1000 kW, 97.4 %, 3300 x 1000 mm.
  void a_part_says_what_is_not_set() {
    FieldForm form;
    show(form, {{"power_units", ups_}});
    const std::string unset = words(form, "rating").toStdString();
    QVERIFY2(unset.find("kW, from the part") != std::string::npos, unset.c_str());
    QVERIFY2(unset.rfind("1", 0) == 0, unset.c_str());
    const auto number = [&](const char* field) {
      const auto v = inherited_value(design_, *catalog_, nullptr, {"power_units", ups_}, field);
      return v && std::holds_alternative<double>(v->value) ? std::get<double>(v->value) : std::nan("");
    };
    QCOMPARE(number("rating"), 1e6);
    QVERIFY(std::abs(number("efficiency") - 0.974) < 1e-12);
    QCOMPARE(number("width"), 3.3);
    QCOMPARE(number("depth"), 1.0);
    QCOMPARE(number("voltage"), 415.0); // of the transformer that feeds it
    QVERIFY2(told(form, "voltage").contains(QStringLiteral("Transformer A")), qPrintable(told(form, "voltage")));
    // What is set says nothing else.
    design_ = *set_field(design_, {"power_units", ups_}, "rating", FieldValue(750e3));
    form.setDesign(design_, catalog_);
    auto* edit = form.findChild<QLineEdit*>(QStringLiteral("field_rating"));
    QVERIFY(edit->text().startsWith(QStringLiteral("750")));
    design_ = *set_field(design_, {"power_units", ups_}, "rating", FieldValue(std::monostate{}));
  }

  void the_plant_says_the_rest() {
    FieldForm form;
    show(form, {{"loops", loop_}});
    // A new design's cooling plant: 35 degC, 10 K.
    QVERIFY2(told(form, "supply_temperature").contains(QStringLiteral("35")) &&
                 told(form, "supply_temperature").contains(QStringLiteral("from the cooling plant")),
             qPrintable(told(form, "supply_temperature")));
    QVERIFY2(told(form, "rise").contains(QStringLiteral("10")), qPrintable(told(form, "rise")));
    auto* fluid = form.findChild<QComboBox*>(QStringLiteral("field_fluid_part"));
    QVERIFY(fluid);
    QVERIFY2(fluid->currentText().contains(QStringLiteral("from the cooling plant")), qPrintable(fluid->currentText()));
    const auto share = inherited_value(design_, *catalog_, nullptr, {"power_units", busway_}, "continuous_load_factor");
    QVERIFY(share && std::get<double>(share->value) == 0.8); // NEC 215.2: 80 %
    // catalogs/assumptions.csv: air at 24 degC; 4 % of the heat until a climate says more.
    const auto air = inherited_value(design_, *catalog_, nullptr, {"cooling_plant", 0}, "air_supply_temperature");
    QVERIFY(air && std::abs(std::get<double>(air->value) - 297.15) < 1e-9);
    const auto rejection = inherited_value(design_, *catalog_, nullptr, {"cooling_plant", 0}, "heat_rejection_power_share");
    QVERIFY(rejection && std::get<double>(rejection->value) == 0.04);
    // Of several that differ nothing is claimed.
    FieldForm both;
    show(both, {{"power_units", ups_}, {"power_units", busway_}});
    QCOMPARE(words(both, "rating"), QStringLiteral("not set"));
  }

  void no_amount_has_dust_of_another_unit() {
    // 4.5e-5 m is the double beside 0.045 mm.
    Pipe pipe;
    const Made made = add_entity(design_, &Design::pipes, pipe);
    FieldForm form;
    form.resize(900, 1600);
    form.setDesign(made.design, catalog_);
    form.setEntities({{"pipes", made.entities.front().id}});
    form.show();
    QVERIFY2(told(form, "roughness").contains(QLatin1Char(' ') + QLocale().toString(0.045) + QStringLiteral(" mm,")), qPrintable(told(form, "roughness")));
  }

  void a_narrow_editor_keeps_the_amount() {
    QuantityEdit edit;
    FieldInfo f;
    f.name = "rating", f.label = "Rating", f.type = FieldType::number, f.kind = &kind::power, f.unit = "kW", f.optional = true;
    f.maximum = 1e9;
    edit.setField(f);
    edit.setInherited(QStringLiteral("1000 kW, from the part that was chosen for it"), QStringLiteral("1000 kW"));
    edit.setValue(FieldValue{});
    edit.resize(900, 30);
    edit.show();
    QVERIFY(QTest::qWaitForWindowExposed(&edit));
    QVERIFY(edit.placeholderText().contains(QStringLiteral("from the part")));
    edit.resize(edit.fontMetrics().horizontalAdvance(QStringLiteral("1000 kW")) + 30, 30);
    QTRY_COMPARE(edit.placeholderText(), QStringLiteral("1000 kW"));
    QVERIFY(edit.toolTip().contains(QStringLiteral("from the part")));
  }

  void nothing_refers_to_itself() {
    const auto offered = [](FieldForm& form, const char* field) {
      auto* combo = form.findChild<QComboBox*>(QStringLiteral("field_") + QLatin1String(field));
      QStringList out;
      for (int i = 0; combo && i < combo->count(); ++i) out << combo->itemText(i);
      return out;
    };
    FieldForm form;
    show(form, {{"power_units", ups_}});
    for (const char* field : {"upstream", "second_source", "parallel_with"}) {
      QVERIFY2(!offered(form, field).contains(QStringLiteral("UPS A")), field);
      QVERIFY2(offered(form, field).contains(QStringLiteral("Transformer A")), field);
    }
    FieldForm several;
    show(several, {{"power_units", ups_}, {"power_units", busway_}});
    QVERIFY(!offered(several, "upstream").contains(QStringLiteral("Busway A")));
    FieldForm loop;
    show(loop, {{"loops", loop_}});
    QVERIFY(!offered(loop, "facility_loop").contains(QStringLiteral("Loop 1")));
  }

  void files_have_no_dust() {
    QCOMPARE(table_number(0.1 + 0.2), std::string("0.3"));
    QCOMPARE(table_number(1.1 * 3), std::string("3.3"));
    QCOMPARE(table_number(9007199254740991.0), std::string("9007199254740991"));
    QCOMPARE(table_number(15.6e12), std::string("15600000000000"));
    QCOMPARE(table_number(-2.5), std::string("-2.5"));
    QCOMPARE(table_number(0.0), std::string("0"));
    QCOMPARE(table_number(1.0 / 3), std::string("0.333333333333"));
    QCOMPARE(table_number(std::nan("")), std::string());
    QCOMPARE(table_number(HUGE_VAL), std::string());
    Table t;
    t.id = "t";
    t.add_numbers("power", "Power", kind::power, "kW").numbers = {0.1 + 0.2};
    QCOMPARE(table_csv(t), std::string("Power [W]\n0.3\n"));
  }

  void widths_are_kept_and_cut_words_stand_below() {
    QSettings().remove(QStringLiteral("table_widths"));
    Table t;
    t.id = "test.cases", t.title = "Cases";
    const std::string happens = "UPS A out: UPS B carries 812 kW of 1000 kW, Busway A, R01 and Busway A, R02 stay live, 16 racks "
                                "on one feed, and the generator has to start within 10 s";
    t.add_words("out", "Out").words = {"UPS A", "UPS B"};
    t.add_words("what", "What happens").words = {happens, "nothing"};
    QString first;
    {
      FigureTable table;
      table.resize(560, 300);
      table.setTable(&t);
      table.show();
      QVERIFY(QTest::qWaitForWindowExposed(&table));
      auto* detail = table.findChild<QLabel*>(QStringLiteral("table_detail"));
      QVERIFY(detail->isVisible());
      // By mouse: the row's words whole.
      QTest::mouseClick(table.view()->viewport(), Qt::LeftButton, {},
                        table.view()->visualRect(table.view()->model()->index(0, 0)).center());
      QVERIFY2(detail->text().contains(QString::fromStdString(happens)), qPrintable(detail->text()));
      QTest::mouseClick(table.view()->viewport(), Qt::LeftButton, {},
                        table.view()->visualRect(table.view()->model()->index(1, 0)).center());
      QVERIFY(!detail->text().contains(QStringLiteral("generator")));
      // Wide enough, nothing is cut, and the line goes.
      table.resize(table.contentWidth() + 60, 300);
      QTRY_VERIFY(!detail->isVisible());
      QVERIFY(table.view()->columnWidth(1) > 320);
      // Drawn by hand.
      QHeaderView* header = table.view()->horizontalHeader();
      const int edge = header->sectionViewportPosition(0) + header->sectionSize(0) - 1;
      QTest::mousePress(header->viewport(), Qt::LeftButton, {}, QPoint(edge, 8));
      QMouseEvent move(QEvent::MouseMove, QPointF(edge + 77, 8), header->viewport()->mapToGlobal(QPointF(edge + 77, 8)),
                       Qt::NoButton, Qt::LeftButton, {});
      QApplication::sendEvent(header->viewport(), &move);
      QTest::mouseRelease(header->viewport(), Qt::LeftButton, {}, QPoint(edge + 77, 8));
      first = QString::number(table.view()->columnWidth(0));
      // Other rows come: it stays.
      t.columns[0].words.push_back("UPS C"), t.columns[1].words.push_back("nothing");
      table.setTable(&t);
      QCOMPARE(QString::number(table.view()->columnWidth(0)), first);
    }
    FigureTable again;
    again.resize(560, 300);
    again.setTable(&t);
    again.show();
    QVERIFY(QTest::qWaitForWindowExposed(&again));
    QCOMPARE(QString::number(again.view()->columnWidth(0)), first);
    QSettings().remove(QStringLiteral("table_widths"));
  }
};

QTEST_MAIN(TestInheritedValues)
#include "test_inherited_values.moc"
