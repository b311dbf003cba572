// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "design/access.h"
#include "design/edits.h"

using namespace hallwright;

namespace {

struct Sample {
  Design design;
  Id hall, type, ups_a, rack_1, rack_2;
};
Sample sample() {
  Sample s;
  Design d;
  const auto add = [&](auto member, auto entity) {
    Made made = add_entity(d, member, entity);
    d = made.design;
    return made.entities.at(0).id;
  };
  s.hall = add(&Design::halls, Hall{.name = "Hall A", .outline = {{0, 0}, {20000, 0}, {20000, 10000}, {0, 10000}}});
  s.type = add(&Design::rack_types, RackType{.name = "DGX rack [4]"});
  s.ups_a = add(&Design::power_units, PowerUnit{.name = "Busway A"});
  s.rack_1 = add(&Design::racks, Rack{.name = "R01-01", .rack_type = s.type, .hall = s.hall});
  s.rack_2 = add(&Design::racks, Rack{.name = "R01-02", .rack_type = s.type, .hall = s.hall, .x = meters(0.6)});
  s.design = d;
  return s;
}

} // namespace

class TestDesignAccess : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void a_set_field_copies_only_its_table() {
    const Sample s = sample();
    const auto set = set_field(s.design, {"racks", s.rack_1}, "feed_a", FieldValue(s.ups_a));
    QVERIFY(set.has_value());
    QCOMPARE(find(*set->racks, s.rack_1)->feed_a, s.ups_a);
    QCOMPARE(find(*s.design.racks, s.rack_1)->feed_a, Id(0)); // the old design is untouched
    QVERIFY(set->racks != s.design.racks);
    QVERIFY(set->halls == s.design.halls && set->power_units == s.design.power_units && set->job == s.design.job);
    const auto job = set_field(s.design, {"job", 0}, "tensor_parallel", FieldValue(Id(4)));
    QVERIFY(job->job != s.design.job && job->racks == s.design.racks && job->site == s.design.site);
    QCOMPARE(job->job->tensor_parallel, Count(4));
  }

  void the_same_value_keeps_the_same_objects() {
    const Sample s = sample();
    for (const auto& [table, id] : {std::pair{"racks", s.rack_2}, std::pair{"halls", s.hall}, std::pair{"site", Id(0)}, std::pair{"job", Id(0)}}) {
      for (const FieldInfo& f : table_fields(table)) {
        const auto same = set_field(s.design, {table, id}, f.name, *get_field(s.design, {table, id}, f.name));
        QVERIFY2(same.has_value(), f.name.data());
        QVERIFY2(same->racks == s.design.racks && same->halls == s.design.halls && same->site == s.design.site && same->job == s.design.job, f.name.data());
      }
    }
    QVERIFY(set_field(s.design, {"racks", s.rack_1}, "feed_a", FieldValue{})->racks == s.design.racks); // not set is 0
  }

  void a_field_of_several_entities() {
    const Sample s = sample();
    const auto set = set_field_of_all(s.design, "racks", {s.rack_2, s.rack_1}, "loop", FieldValue(Id(0)));
    QVERIFY(set->racks == s.design.racks);
    const auto locked = set_field_of_all(s.design, "racks", {s.rack_2, s.rack_1}, "locked", FieldValue(true));
    QVERIFY((*locked->racks)[0].locked && (*locked->racks)[1].locked);
    QVERIFY(!set_field_of_all(s.design, "racks", {s.rack_1, 999}, "locked", FieldValue(true)).has_value());
    QCOMPARE(set_field_of_all(s.design, "job", {0}, "data_parallel", FieldValue(Id(16)))->job->data_parallel, Count(16));
  }

  void references_lead_to_something_of_the_right_table() {
    const Sample s = sample();
    const auto nothing = set_field(s.design, {"racks", s.rack_1}, "feed_a", FieldValue(Id(77)));
    QVERIFY(!nothing.has_value());
    QVERIFY2(nothing.error().find("A feed") != std::string::npos && nothing.error().find("77") != std::string::npos, nothing.error().c_str());
    QVERIFY(!set_field(s.design, {"racks", s.rack_1}, "feed_a", FieldValue(s.hall)).has_value()); // a hall is no power unit
    QVERIFY(set_field(s.design, {"racks", s.rack_1}, "feed_a", FieldValue(Id(0))).has_value());
  }

  void refusals_name_what_does_not_exist() {
    const Sample s = sample();
    const auto has = [](const std::string& text, const char* word) { return text.find(word) != std::string::npos; };
    QVERIFY(has(get_field(s.design, {"rakcs", 1}, "x").error(), "rakcs"));
    QVERIFY(has(get_field(s.design, {"racks", 99}, "x").error(), "racks 99"));
    QVERIFY(has(get_field(s.design, {"racks", s.rack_1}, "z").error(), "rotation")); // the fields that there are
    QVERIFY(has(get_field(s.design, {"racks", 0}, "x").error(), "table"));
    QVERIFY(!set_field(s.design, {"racks", s.rack_1}, "x", FieldValue(std::string("600"))).has_value()); // wrong type
  }

  void paths() {
    const Sample s = sample();
    const auto p = parse_path(s.design, "racks." + std::to_string(s.rack_2) + ".x");
    QVERIFY(p.has_value());
    QCOMPARE(p->entity, (EntityRef{"racks", s.rack_2}));
    QCOMPARE(p->field, std::string("x"));
    QCOMPARE(parse_path(s.design, "rack_types.[DGX rack [4]].width")->entity.id, s.type);
    QCOMPARE(parse_path(s.design, "site.utility_power")->entity.table, std::string("site"));
    for (const char* bad : {"", "racks", "racks.", "racks.12", "racks.x", "site", "site.", "site.12.x", "racks.[R01-09].x", "racks.[R01-01", "racks.-4.x", "nowhere.x", "site.nothing"})
      QVERIFY2(!parse_path(s.design, bad).has_value(), bad);
    const Design twice = set_field(s.design, {"racks", s.rack_2}, "name", FieldValue(std::string("R01-01"))).value();
    QVERIFY(!parse_path(twice, "racks.[R01-01].x").has_value()); // ambiguous
  }

  void set_by_path_reads_units_sums_and_names() {
    const Sample s = sample();
    QCOMPARE(*set_by_path(s.design, "site.utility_power", "2.5 MW")->site->utility_power, watts(2.5e6));
    QCOMPARE(*set_by_path(s.design, "site.utility_power", "+= 500 kW")->site->utility_power, watts(1.5e6)); // default 1 MW
    QCOMPARE(find(*set_by_path(s.design, "racks.[R01-02].x", "24 in")->racks, s.rack_2)->x, meters(0.6096));
    QCOMPARE(find(*set_by_path(s.design, "racks.[R01-02].x", "1200")->racks, s.rack_2)->x, meters(1.2)); // bare: millimetres
    QCOMPARE(find(*set_by_path(s.design, "racks.[R01-02].feed_b", "Busway A")->racks, s.rack_2)->feed_b, s.ups_a);
    QVERIFY(!set_by_path(s.design, "racks.[R01-02].feed_b", "Busway Q").has_value());
    QCOMPARE(set_by_path(s.design, "power_plant.ups_efficiency", "")->power_plant->ups_efficiency.has_value(), false);
  }

  void validate_finds_every_kind_of_damage() {
    const Sample s = sample();
    QVERIFY(validate(s.design).empty());
    const auto with_racks = [&](auto change) {
      Design d = s.design;
      std::vector<Rack> racks = *d.racks;
      change(racks);
      d.racks = share(racks);
      return validate(d);
    };
    QCOMPARE(with_racks([](auto& r) { r[0].feed_a = 500; }).size(), std::size_t(1));
    QCOMPARE(with_racks([&](auto& r) { r[0].rack_type = s.hall; }).size(), std::size_t(1)); // wrong table
    QCOMPARE(with_racks([](auto& r) { r[0].x = meters(20000); }).size(), std::size_t(1));
    QCOMPARE(with_racks([](auto& r) { std::swap(r[0], r[1]); }).size(), std::size_t(1));
    QCOMPARE(with_racks([](auto& r) { r[1].id = r[0].id; }).size(), std::size_t(1));
    QCOMPARE(with_racks([&](auto& r) { r[0].id = s.ups_a; }).size(), std::size_t(1)); // ids are unique over all tables
    QCOMPARE(with_racks([](auto& r) { r[1].id = 1000; }).size(), std::size_t(1)); // not below next_id
    QCOMPARE(with_racks([](auto& r) { r[0].x = meters(std::nan("")); }).size(), std::size_t(1));
  }

  void differences_are_by_id_and_field() {
    const Sample s = sample();
    QVERIFY(differences(s.design, s.design).empty());
    Design d = set_by_path(s.design, "racks.[R01-02].x", "1200 mm").value();
    d = set_by_path(d, "site.utility_power", "3 MW").value();
    d = remove(d, {{"racks", s.rack_1}}).value();
    const Made made = add_entity(d, &Design::notes, Note{.text = "here"});
    const auto found = differences(s.design, made.design);
    QCOMPARE(found.size(), std::size_t(4));
    QCOMPARE(found[0].field, std::string("utility_power"));
    QVERIFY(found[0].before == FieldValue(1e6) && found[0].after == FieldValue(3e6));
    QVERIFY(found[1].what == Difference::What::removed && found[1].name == "R01-01");
    QVERIFY(found[2].what == Difference::What::changed && found[2].name == "R01-02" && found[2].field == "x");
    QVERIFY(found[3].what == Difference::What::added && found[3].entity == made.entities[0]);
    const auto back = differences(made.design, s.design);
    QCOMPARE(back.size(), std::size_t(4));
    QVERIFY(back[1].what == Difference::What::added);
  }

  void scenarios_apply_their_changes_in_order() {
    Sample s = sample();
    Made made = add_entity(s.design, &Design::scenarios, Scenario{.name = "More power"});
    const Id scenario = made.entities[0].id;
    Design d = made.design;
    for (const auto& [path, value] : {std::pair{"site.utility_power", "2 MW"}, std::pair{"site.utility_power", "+= 1 MW"}, std::pair{"job.data_parallel", "64"}})
      d = add_entity(d, &Design::scenario_changes, ScenarioChange{.scenario = scenario, .path = path, .value = value}).design;
    const auto out = with_scenario(d, scenario);
    QVERIFY(out.has_value());
    QCOMPARE(*out->site->utility_power, watts(3e6)); // set to 2 MW, then 1 MW more
    QCOMPARE(out->job->data_parallel, Count(64));
    QVERIFY(out->racks == d.racks);
    QCOMPARE(*d.site->utility_power, watts(1e6));
    const Design bad = add_entity(d, &Design::scenario_changes, ScenarioChange{.scenario = scenario, .path = "racks.999.x", .value = "0 mm"}).design;
    const auto refused = with_scenario(bad, scenario);
    QVERIFY(!refused.has_value());
    QVERIFY2(refused.error().find("More power") != std::string::npos && refused.error().find("racks.999.x") != std::string::npos, refused.error().c_str());
    QVERIFY(!with_scenario(d, 12345).has_value());
  }

  void tables_and_names() {
    const Sample s = sample();
    QCOMPARE(table_of(s.design, s.ups_a), std::string("power_units"));
    QVERIFY(table_of(s.design, 999).empty());
    QCOMPARE(entity_name(s.design, {"racks", s.rack_1}), std::string("R01-01"));
    QCOMPARE(entity_name(s.design, {"racks", 999}), std::string("racks 999"));
    QCOMPARE(entity_ids(s.design, "racks"), (std::vector<Id>{s.rack_1, s.rack_2}));
    QVERIFY(table_fields("nothing").empty());
    QVERIFY(has_entity(s.design, {"site", 0}) && !has_entity(s.design, {"site", 1}) && !has_entity(s.design, {"racks", 0}));
  }
};

QTEST_APPLESS_MAIN(TestDesignAccess)
#include "test_design_access.moc"
