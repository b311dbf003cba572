// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "engine/power/powered_hall.h"
#include "power/drawn_faults.h"
#include "power/growth_choices.h"
#include "power/one_line_design.h"
#include "power/one_line_edits.h"
#include "power/one_line_sheet.h"
#include "power/panel_schedule.h"
#include "power/phase_and_standby_rules.h"
#include "power/restoration_order.h"
#include "power/training_swing.h"

using namespace hallwright;
using namespace hallwright::test;

namespace {

bool near_to(double got, double wanted, double relative = 1e-9) {
  return std::abs(got - wanted) <= relative * std::max(1e-12, std::abs(wanted));
}

/// A hall whose nodes draw 10 kW each, one a rack.
class FieldHall : public PoweredHall {
public:
  FieldHall() {
    NodePart n = part<NodePart>("ten-kw");
    n.accelerators = 8;
    n.cooling = "air";
    n.power_maximum = kilowatts(10);
    keep(catalog.nodes, n);
    type = rack_type("Ten").id;
    item(type, RackItemKind::node, n.id, 1);
  }
  [[nodiscard]] std::vector<Finding> found(const std::string& code) const {
    return SmallHall::findings(code, phase_and_standby_rules());
  }
  [[nodiscard]] const OneLine& line() const { return supply.one_line->line; }
  [[nodiscard]] const OneLineElement& element(Id id) const {
    return line().elements()[static_cast<std::size_t>(line().index(id))];
  }
  Id type = 0;
};

} // namespace

class TestPowerFields : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void what_units_state_comes_first() {
    FieldHall h;
    h.power_plant.redundancy = Redundancy::n;
    const Id utility = h.power_unit("Utility", PowerUnitKind::utility_feed, kilowatts(1000));
    const Id generator = h.power_unit("Generator", PowerUnitKind::generator, kilowatts(1000));
    const Id transformer = h.power_unit("Transformer", PowerUnitKind::transformer, kilowatts(1000), utility);
    const Id ups = h.power_unit("UPS", PowerUnitKind::ups, kilowatts(500), transformer);
    const Id other = h.power_unit("UPS 2", PowerUnitKind::ups, kilowatts(500), transformer);
    const Id busway = h.power_unit("Busway", PowerUnitKind::busway, kilowatts(300), ups);
    const auto unit = [&](Id id) -> PowerUnit& {
      return *std::find_if(h.power_units.begin(), h.power_units.end(), [&](const PowerUnit& u) { return u.id == id; });
    };
    unit(transformer).second_source = generator;
    unit(transformer).rating_apparent = ApparentPower::from_volt_amperes(1e6);
    unit(transformer).rating.reset();
    unit(transformer).voltage = volts(400);
    unit(ups).parallel_with = other;
    unit(ups).trip_share = 1.05;
    unit(ups).efficiency_at_half = 0.9;
    unit(ups).efficiency_at_full = 0.8;
    unit(busway).continuous_load_factor = 1.0;
    h.add_racks(h.type, 20, busway); // 200 kW
    h.run();
    QVERIFY(h.supply.one_line);
    QCOMPARE(h.element(transformer).alternate, generator);
    QCOMPARE(h.element(transformer).rating_va, 1e6);
    QVERIFY(std::isnan(h.element(transformer).rating_w));
    QCOMPARE(h.element(ups).bus, h.element(other).bus);
    QVERIFY(h.element(ups).bus != 0);
    QCOMPARE(h.element(ups).trip_share, 1.05);
    QCOMPARE(h.element(busway).usable_share, 1.0);
    // 400 V at the transformer's output reaches the busway: 200 kW at a power factor of 1 is 288.7 A in each line.
    const PowerFlow flow(h.line());
    const auto i = static_cast<std::size_t>(h.line().index(busway));
    QVERIFY(flow.at(i).output_line_current.has_value());
    QVERIFY(near_to(in_amperes(*flow.at(i).output_line_current), 200000.0 / (std::sqrt(3.0) * 400.0), 1e-6));
    // Two UPS in parallel carry about 100 kW each, a fifth of the rating: the first point of the own curve holds below
    // it.
    const auto u = static_cast<std::size_t>(h.line().index(ups));
    QVERIFY(near_to(flow.loss_watts(u), flow.output_watts(u) * (1.0 / 0.9 - 1.0), 1e-6));
    // Without the utility the generator carries all.
    const ContingencyCase without = h.supply.one_line->contingencies.with_out({utility});
    QCOMPARE(without.racks_dark, Count{0});
    const PowerFlow then = h.supply.one_line->contingencies.flow(without);
    QVERIFY(then.on_alternate(static_cast<std::size_t>(h.line().index(transformer))));
    QVERIFY(then.output_watts(static_cast<std::size_t>(h.line().index(generator))) > 200000.0);
    // Without one of the parallel UPS the other bears it.
    QCOMPARE(h.supply.one_line->contingencies.with_out({ups}).racks_dark, Count{0});
    QVERIFY(h.found("PWR-024").empty());
    unit(transformer).second_source = 0;
    h.run();
    QCOMPARE(h.found("PWR-024").size(), std::size_t{1});
    QVERIFY(h.found("PWR-024").front().message.find("Generator takes over from no one") == 0);
  }

  void rack_types_state_power_factor_and_one_feed() {
    FieldHall h;
    h.power_plant.redundancy = Redundancy::two_n;
    const Id a = h.power_unit("Busway A", PowerUnitKind::busway, kilowatts(300), 0, Feed::a),
             b = h.power_unit("Busway B", PowerUnitKind::busway, kilowatts(300), 0, Feed::b);
    h.rack_types.front().power_factor = 0.8;
    h.rack_types.front().supply_capacity_one_feed = kilowatts(9);
    h.add_racks(h.type, 4, a, b);
    h.run();
    // 10 kW at 0.8 is 12.5 kVA; on one feed the supplies are 1 kW short.
    QVERIFY(near_to(h.line().loads().front().draw.apparent().volt_amperes(), 12500.0));
    QCOMPARE(h.supply.one_line->contingencies.with_out({a}).racks_short, Count{4});
    const Table loads = load_list(h.design, h.line());
    QCOMPARE(loads.row_count(), std::size_t{4});
    QCOMPARE(loads.column("apparent")->numbers.front(), 12500.0);
    QVERIFY(near_to(loads.column("inrush")->numbers.front(), 1.5 * 12500.0));
    QCOMPARE(loads.column("feed_b")->words.front(), std::string("Busway B"));
    const auto choices = rack_choices(h.design, h.loads, *h.shared_catalog);
    QCOMPARE(choices.size(), std::size_t{1});
    QVERIFY(near_to(in_watts(choices.front().rack.draw.real), 10000.0));
    QCOMPARE(choices.front().rack.one_feed_capacity_w, 9000.0);
  }

  void racks_on_single_phases() {
    FieldHall h;
    h.power_plant.redundancy = Redundancy::n;
    const Id bus = h.power_unit("Busway", PowerUnitKind::busway, {}, 0);
    h.power_units.front().rating_apparent = ApparentPower::from_volt_amperes(std::sqrt(3.0) * 400.0 * 100.0); // 100 A
    h.power_units.front().voltage = volts(400);
    h.power_units.front().continuous_load_factor = 1.0;
    h.add_racks(h.type, 3, bus);
    h.run();
    QVERIFY(h.found("PWR-026").empty() && h.found("PWR-027").empty()); // three-phase all
    for (Rack& r : h.racks)
      r.phases_a = TapPhases::l1_n;
    h.run();
    const auto busways = drawn_busways(h.design, h.line(), *h.shared_catalog);
    QCOMPARE(busways.size(), std::size_t{1});
    QCOMPARE(busways.front().missing, std::string());
    QVERIFY(near_to(in_amperes(*busways.front().run.rating), 100.0));
    // 10 kW between a line and neutral of 400/230 V is 43.3 A; three of them on one line 129.9 A, and as much in
    // neutral.
    const PhaseCurrents c = phase_currents(busways.front().run, busways.front().taps);
    QVERIFY(near_to(in_amperes(c.line[0]), 3.0 * 10000.0 / (400.0 / std::sqrt(3.0)), 1e-9));
    QVERIFY(near_to(in_amperes(c.neutral), in_amperes(c.line[0]), 1e-9));
    const Table panels = panel_schedule(busways, h.design);
    QCOMPARE(panels.row_count(), std::size_t{3});
    QVERIFY(near_to(panels.column("current_l1")->numbers[1], 10000.0 / (400.0 / std::sqrt(3.0)), 1e-9));
    QVERIFY(std::abs(panels.column("current_l2")->numbers[1]) < 1e-9);
    QCOMPARE(panels.column("phases")->words[0], std::string("L1-N"));
    QCOMPARE(panels.column("circuit")->numbers[2], 3.0);
    // The rule tells it with a way out, after which the lines are alike.
    const auto over = h.found("PWR-026");
    QCOMPARE(over.size(), std::size_t{2}); // line 1 and the neutral
    QCOMPARE(h.found("PWR-027").size(), std::size_t{1});
    QCOMPARE(over.front().remedies.size(), std::size_t{1});
    const auto mended = over.front().remedies.front().edit.apply(h.design);
    QVERIFY(mended.has_value());
    std::set<TapPhases> used;
    for (const Rack& r : *mended->racks)
      used.insert(r.phases_a);
    QCOMPARE(used.size(), std::size_t{3});
    h.racks = *mended->racks;
    h.run();
    QVERIFY(h.found("PWR-026").empty() && h.found("PWR-027").empty());
  }

  void voltage_drops_along_conductors() {
    FieldHall h;
    const Id bus = h.power_unit("Busway", PowerUnitKind::busway, kilowatts(100), 0);
    h.power_units.front().voltage = volts(400);
    h.add_racks(h.type, 1, bus);
    h.racks.front().tap_a = meters(50);
    h.racks.front().whip_a = meters(0);
    h.run();
    QVERIFY(h.found("PWR-028").empty());
    // 14.43 A over 50 m: 3 % of 400 V between lines is 12 V, or 0.48 Ohm in each line, 9.6 mOhm/m. Twice that is too
    // much.
    h.power_units.front().conductor_resistance = ResistancePerLength::from_value(0.0192);
    h.run();
    QCOMPARE(h.found("PWR-028").size(), std::size_t{1});
    h.power_units.front().conductor_resistance = ResistancePerLength::from_value(0.0048);
    h.run();
    QVERIFY(h.found("PWR-028").empty());
  }

  void batteries_bridge_until_generators_run() {
    FieldHall h;
    const Id utility = h.power_unit("Utility", PowerUnitKind::utility_feed, kilowatts(2000)),
             generator = h.power_unit("Generator", PowerUnitKind::generator, kilowatts(2000));
    const Id ups = h.power_unit("UPS", PowerUnitKind::ups, kilowatts(1000), utility);
    const Id bus = h.power_unit("Busway", PowerUnitKind::busway, kilowatts(1000), ups);
    h.power_units[2].second_source = generator;
    h.add_racks(h.type, 40, bus); // 400 kW
    h.run();
    QVERIFY(h.found("PWR-025").empty());        // nothing is stated
    h.power_units[2].battery_time = seconds(2); // 5 s at 400 of 1000 kW; generators start in 10 s
    h.run();
    const auto found = h.found("PWR-025");
    QCOMPARE(found.size(), std::size_t{1});
    QCOMPARE(found.front().entities.front().id, ups);
    h.power_units[2].battery_time = seconds(300);
    h.run();
    QVERIFY(h.found("PWR-025").empty());
  }

  /// A generator is compared with the UPS that it can feed, and with no others.
  void generators_carry_what_they_can_feed() {
    FieldHall h;
    const Id utility = h.power_unit("Utility", PowerUnitKind::utility_feed, kilowatts(2000)),
             generator = h.power_unit("Generator", PowerUnitKind::generator, kilowatts(300)),
             transformer = h.power_unit("Transformer", PowerUnitKind::transformer, kilowatts(1000), utility),
             ups = h.power_unit("UPS", PowerUnitKind::ups, kilowatts(1000), transformer),
             other = h.power_unit("UPS 2", PowerUnitKind::ups, kilowatts(1000), utility);
    h.power_units[2].second_source = generator; // the UPS hangs below
    h.power_units[3].battery_time = h.power_units[4].battery_time = seconds(300);
    h.add_racks(h.type, 20, h.power_unit("Busway", PowerUnitKind::busway, kilowatts(1000), ups));
    h.add_racks(h.type, 20, h.power_unit("Busway 2", PowerUnitKind::busway, kilowatts(1000), other));
    h.run();
    // 200 kW and losses on each: more than 300 kW together, but the second is not the generator's.
    QVERIFY(h.found("PWR-025").empty());
    h.power_units[1].rating = kilowatts(150);
    h.run();
    auto found = h.found("PWR-025");
    QCOMPARE(found.size(), std::size_t{1});
    QCOMPARE(found.front().entities, (std::vector<EntityRef>{{"power_units", ups}}));
    QVERIFY2(found.front().message.find("Generator, 150 kW, never carries it: it draws 2") != std::string::npos,
             found.front().message.c_str());
    // Both: then they are too much for it, and the sentence says what was added up.
    h.power_units[1].rating = kilowatts(300);
    h.power_units[4].second_source = generator;
    h.run();
    found = h.found("PWR-025");
    QCOMPARE(found.size(), std::size_t{1});
    QVERIFY2(found.front().message.find("never carries it: with 1 UPS that is fed before it, it draws 4") !=
                 std::string::npos,
             found.front().message.c_str());
  }

  /// 305 kW each, 1 % lost in the transformer: 30 racks of 10 kW are 303 kW at the feed. With 31 the transformer is
  /// over by 1.6 % and the feed, 313 kW, by 2.7 %: the feed says no.
  void growth_names_the_unit_over_by_most() {
    std::vector<OneLineElement> e(2);
    e[0].id = 1, e[0].name = "Utility", e[0].kind = PowerUnitKind::utility_feed, e[0].rating_w = 305e3;
    e[1].id = 2, e[1].name = "Transformer", e[1].kind = PowerUnitKind::transformer, e[1].rating_w = 305e3;
    e[1].upstream = 1;
    e[1].losses = LossLaw::constant(0.99).value();
    const auto growth = power_growth(OneLine(e, {}), {{kilowatts(10), {}}}, {{Id{2}, Id{0}}});
    QVERIFY(growth.has_value());
    QCOMPARE(growth->racks, Count{30});
    QCOMPARE(growth->binding, Id{1});
    QCOMPARE(*growth->first_no, PowerUnitKind::utility_feed);
    QCOMPARE(growth->sentence,
             std::string("30 more racks of 10.0 kW fit; then Utility says no (least room: utility feed)"));
  }

  void a_generator_is_drawn_for_a_unit() {
    FieldHall h;
    const Id utility = h.power_unit("Utility", PowerUnitKind::utility_feed, kilowatts(2000)),
             ups = h.power_unit("UPS A", PowerUnitKind::ups, kilowatts(700), utility, Feed::a),
             bus = h.power_unit("Busway", PowerUnitKind::busway, kilowatts(500), ups, Feed::a);
    h.run();
    const auto drawn = add_generator_for(h.design, ups).apply(h.design);
    QVERIFY(drawn.has_value());
    const PowerUnit made = drawn->power_units->back();
    QCOMPARE(made.kind, PowerUnitKind::generator);
    QCOMPARE(made.upstream, Id{0});
    QCOMPARE(made.feed, Feed::a);
    QCOMPARE(in_kilowatts(*made.rating), 700.0);
    QCOMPARE(find(*drawn->power_units, ups)->second_source, made.id);
    QVERIFY(!add_generator_for(*drawn, ups).apply(*drawn));
    QVERIFY(!add_generator_for(*drawn, utility).apply(*drawn));
    QVERIFY(feeds(h.design, utility, bus) && feeds(h.design, ups, ups) && !feeds(h.design, bus, ups));
    QVERIFY(!stand_by_for(h.design, ups, bus).apply(h.design));
  }

  void schedules_have_no_dust() {
    FieldHall h;
    const Id bus = h.power_unit("Busway", PowerUnitKind::busway, kilowatts(100), 0);
    h.add_racks(h.type, 1, bus);
    h.racks.front().tap_a = meters(0.1 + 0.2); // 0.30000000000000004
    h.run();
    const Table panels = panel_schedule(drawn_busways(h.design, h.line(), *h.shared_catalog), h.design);
    QCOMPARE(panels.column("position")->numbers.at(0), 0.3);
  }

  void short_circuits_of_a_design() {
    FieldHall h;
    const Id utility = h.power_unit("Utility", PowerUnitKind::utility_feed, megawatts(5)),
             transformer = h.power_unit("Transformer", PowerUnitKind::transformer, {}, utility);
    const Id bus = h.power_unit("Busway", PowerUnitKind::busway, kilowatts(400), transformer);
    h.power_units[1].rating_apparent = ApparentPower::from_volt_amperes(1e6);
    h.power_units[1].voltage = volts(400);
    h.add_racks(h.type, 2, bus);
    h.run();
    // 1 MVA at 6 % and 400 V behind an endless grid: 0.06 (400 V)^2 / 1 MVA is 9.6 mOhm; 1.05 * 400 V / (sqrt(3) * 9.6
    // mOhm) is 25.26 kA.
    Table t = fault_table(h.design, h.line());
    const auto row = [&](Id id) {
      return static_cast<std::size_t>(std::find(t.entities.begin(), t.entities.end(), id) - t.entities.begin());
    };
    QVERIFY(near_to(t.column("current")->numbers[row(transformer)], 1.05 * 400.0 / (std::sqrt(3.0) * 0.0096), 1e-9));
    QCOMPARE(t.column("bound")->words[row(bus)], std::string("at most"));
    QVERIFY(std::isnan(t.column("current")->numbers[row(utility)])); // its voltage is not known
    // A grid of 100 MVA is 1.6 mOhm at 400 V, at X/R of 10.
    h.power_units[0].short_circuit_power = ApparentPower::from_volt_amperes(100e6);
    h.run();
    t = fault_table(h.design, h.line());
    const double r = 0.0016 * std::cos(std::atan(10.0)), x = 0.0016 * std::sin(std::atan(10.0)) + 0.0096;
    QVERIFY(near_to(t.column("current")->numbers[row(transformer)], 1.05 * 400.0 / (std::sqrt(3.0) * std::hypot(r, x)),
                    1e-9));
    QCOMPARE(t.column("bound")->words[row(bus)], std::string());
    QVERIFY(!t.column("above")->words[row(bus)].empty());
  }

  void edits_connect_and_refuse() {
    FieldHall h;
    const Id utility = h.power_unit("Utility", PowerUnitKind::utility_feed, kilowatts(2000)),
             ups = h.power_unit("UPS A1", PowerUnitKind::ups, kilowatts(1000), utility, Feed::a);
    const Id bus = h.power_unit("Busway", PowerUnitKind::busway, kilowatts(400), ups, Feed::a),
             spare = h.power_unit("Busway B", PowerUnitKind::busway, kilowatts(400), 0, Feed::b);
    h.add_racks(h.type, 2, bus, spare);
    h.run();
    // A second UPS is as the first one; a busway below it has its side and its rating.
    auto more = add_unit_below(h.design, utility, PowerUnitKind::ups).apply(h.design);
    QVERIFY(more.has_value());
    const PowerUnit& made = more->power_units->back();
    QCOMPARE(in_watts(*made.rating), 1e6);
    QCOMPARE(made.upstream, utility);
    QCOMPARE(made.hall, Id{0});
    QVERIFY(made.name != "UPS A1" && made.name.find("UPS A") == 0);
    more = add_unit_below(*more, made.id, PowerUnitKind::busway).apply(*more);
    QVERIFY(more.has_value());
    QCOMPARE(more->power_units->back().feed, Feed::a);
    // In a circle it is refused, by name.
    const auto circle = feed_unit_from(h.design, utility, bus).apply(h.design);
    QVERIFY(!circle.has_value());
    QVERIFY(circle.error().find("in a circle") != std::string::npos &&
            circle.error().find("Busway") != std::string::npos);
    const auto fed = feed_unit_from(h.design, spare, ups).apply(h.design);
    QVERIFY(fed.has_value());
    QCOMPARE(find(*fed->power_units, spare)->upstream, ups);
    QCOMPARE(find(*fed->power_units, spare)->feed, Feed::a);
    QVERIFY(!stand_by_for(h.design, utility, bus).apply(h.design).has_value());
    QVERIFY(!stand_by_for(h.design, bus, ups).apply(h.design).has_value());
    QCOMPARE(find(*stand_by_for(h.design, bus, utility).apply(h.design)->power_units, bus)->second_source, utility);
    // Racks do not hang on one unit with both cords.
    const auto both = move_racks_to(h.design, {h.racks.front().id}, bus, spare).apply(h.design);
    QVERIFY(!both.has_value());
    QVERIFY(both.error().find("other cord") != std::string::npos);
    const auto moved = move_racks_to(*more, {h.racks.front().id}, bus, more->power_units->back().id).apply(*more);
    QVERIFY(moved.has_value());
    QCOMPARE(moved->racks->front().feed_a, more->power_units->back().id);
  }

  void the_sheet_has_every_symbol_and_wire() {
    FieldHall h;
    const Id utility = h.power_unit("Utility", PowerUnitKind::utility_feed, kilowatts(2000)),
             ups = h.power_unit("UPS", PowerUnitKind::ups, kilowatts(1000), utility);
    const Id bus = h.power_unit("Busway", PowerUnitKind::busway, kilowatts(400), ups);
    h.add_racks(h.type, 2, bus);
    h.run();
    const OneLineLayout layout = lay_out(h.line());
    const DxfSheet sheet = one_line_sheet(layout, h.line(), PowerFlow(h.line()), "Test");
    std::set<std::string> texts, layers;
    for (const DxfText& t : sheet.texts) {
      texts.insert(t.text);
      QVERIFY(t.at.x >= 0 && t.at.y >= 0 && t.at.x <= layout.width * 0.5 && t.at.y <= layout.height * 0.5);
    }
    for (const char* words : {"Utility", "UPS", "Busway", "2 racks", "20.0 kW", "1.00 MW"})
      QVERIFY2(texts.count(words) == 1, words);
    for (const DxfLayer& l : sheet.layers)
      layers.insert(l.name);
    for (const DxfPolyline& p : sheet.polylines)
      QVERIFY(layers.count(p.layer) == 1 && p.points.size() >= 2);
    QVERIFY(dxf_text(sheet).find("EOF") != std::string::npos);
  }

  void restoration_starts_with_what_serves_others() {
    FieldHall h;
    const Id generator = h.power_unit("Generator", PowerUnitKind::generator, kilowatts(400)),
             ups = h.power_unit("UPS", PowerUnitKind::ups, kilowatts(300), generator);
    const Id bus = h.power_unit("Busway", PowerUnitKind::busway, kilowatts(300), ups);
    h.add_racks(h.type, 10, bus);
    const Id fabric = h.rack_type("Fabric").id;
    h.rack_types.back().role = RackRole::fabric;
    h.add_racks(fabric, 1, bus);
    h.run();
    const RestorationPlan plan = restoration_plan(h.design, h.line());
    QVERIFY(near_to(in_watts(plan.largest_step), 100000.0)); // a quarter of 400 kW
    QCOMPARE(plan.first_racks, std::vector<Id>{h.racks.back().id});
    const auto back = restoration(h.line(), plan);
    QVERIFY(back.has_value());
    const Table t = restoration_table(*back);
    QCOMPARE(t.row_count(), back->steps.size());
    for (const double w : t.column("step")->numbers)
      QVERIFY(w <= 100000.0 * (1 + 1e-9));
  }

  void load_duration_of_a_trace() {
    // 100 kW for 6 s, 40 kW for 4 s of every 10 s.
    PowerTrace trace;
    trace.period = seconds(10);
    trace.points = {{seconds(0), kilowatts(100)},
                    {seconds(6), kilowatts(100)},
                    {seconds(6), kilowatts(40)},
                    {seconds(10), kilowatts(40)}};
    const auto curve = load_duration(trace, 61);
    QCOMPARE(curve.size(), std::size_t{61});
    QVERIFY(near_to(curve.front().share, 0.6) && near_to(in_watts(curve.front().power), 100000.0));
    QVERIFY(near_to(curve[30].share, 0.6));
    QVERIFY(near_to(curve.back().share, 1.0) && near_to(in_watts(curve.back().power), 40000.0));
    for (std::size_t i = 1; i < curve.size(); ++i)
      QVERIFY(curve[i].share >= curve[i - 1].share);
  }
};

QTEST_APPLESS_MAIN(TestPowerFields)
#include "test_power_fields.moc"
