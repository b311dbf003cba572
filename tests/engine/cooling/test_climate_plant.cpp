// SPDX-License-Identifier: GPL-3.0-or-later
// Heat rejection over the year: outdoor states by hand, then figures and rules of the stage.
#include <QtTest>

#include <rapidcheck.h>

#include "cooling/climate_plant.h"
#include "engine/cooling/cooled_hall.h"

using namespace hallwright;
using namespace hallwright::test;

namespace {

bool near_to(double got, double wanted, double relative = 1e-6) {
  const bool near = std::abs(got - wanted) <= relative * std::abs(wanted);
  if (!near) qWarning("%.10g against %.10g", got, wanted);
  return near;
}

/// 1 MW into water of at most 31 degC that comes back at 41 degC.
HeatStream warm_water() {
  HeatStream s;
  s.name = "racks";
  s.heat_w = 1e6;
  s.supply_c = 31.0;
  s.return_c = 41.0;
  s.exchanger_k = 4.0;
  return s;
}
/// Air-cooled chillers of COP 3.3 with water of 7 degC at 35 degC outside: 2 K and 15 K at their refrigerant, so 5 degC and 50 degC, an ideal
/// 278.15 / 45 = 6.1811, and a share of 0.53389 of it.
RejectionPlant dry_plant() {
  RejectionPlant p;
  p.second_law_share = second_law_share(p, 3.3, 7.0, 35.0);
  return p;
}

/// Pumps of the water of 1 MW that warms by 10 K: 1e6 / (4.18e6 x 10) m3/s lifted by 200 kPa at 0.75 x 0.92, 6.9 kW.
static constexpr double pumps_w = 1e6 / 4.18e7 * 200e3 / (0.75 * 0.92);

} // namespace

class TestClimatePlant : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void chillers_by_lift() {
    const RejectionPlant p = dry_plant();
    QVERIFY(near_to(p.second_law_share, 0.533886, 1e-5));
    QVERIFY(near_to(chiller_performance(p, 7.0, 35.0), 3.3));
    // Water of 31 degC at 30 degC outside: 29 and 45 degC, 302.15 / 16 of an ideal chiller.
    QVERIFY(near_to(chiller_performance(p, 31.0, 30.0), 0.533886 * 302.15 / 16.0, 1e-5));
    // Colder air does not help below the least lift of 15 K.
    QCOMPARE(chiller_performance(p, 31.0, 20.0), chiller_performance(p, 31.0, 0.0));
    // Water-cooled, COP 5.5 with 7 degC and tower water of 30 degC: 5 and 37 degC, 278.15 / 32 = 8.6922.
    RejectionPlant tower;
    tower.condenser_k = 7.0;
    QVERIFY(near_to(second_law_share(tower, 5.5, 7.0, 30.0), 5.5 / 8.692188, 1e-5));
  }

  void a_dry_cooler_by_outdoor_air() {
    const RejectionPlant p = dry_plant();
    // 25 degC + 6 K is just the supply: full speed, 4 % of the heat.
    StreamState s = stream_state(p, warm_water(), 25.0, 15.0);
    QVERIFY(near_to(s.fan_speed, 1.0) && near_to(s.fan_w, 40e3) && s.chiller_w == 0.0 && s.mechanical_share == 0.0 && s.water_m3_s == 0.0);
    // 9 degC: (10 + 6) / (41 - 9) = half the air, an eighth of the power.
    s = stream_state(p, warm_water(), 9.0, 5.0);
    QVERIFY(near_to(s.fan_speed, 0.5) && near_to(s.fan_w, 5e3));
    QVERIFY(near_to(s.reached_c, 31.0));
    // -60 degC: the fans do not turn slower than a fifth.
    s = stream_state(p, warm_water(), -60.0, -60.0);
    QVERIFY(near_to(s.fan_speed, 0.2) && near_to(s.fan_w, 40e3 * 0.008));
    // 30 degC: coolers reach 36 degC of 31 to 41, chillers take the other half: 500 kW / 10.08.
    s = stream_state(p, warm_water(), 30.0, 20.0);
    QVERIFY(near_to(s.mechanical_share, 0.5) && near_to(s.fan_w, 20e3));
    QVERIFY(near_to(s.chiller_w, 500e3 / (0.533886 * 302.15 / 16.0), 1e-5));
    // 40 degC: warmer than the return, all by chillers, whose fans are in their performance.
    s = stream_state(p, warm_water(), 40.0, 22.0);
    QVERIFY(near_to(s.mechanical_share, 1.0) && s.fan_w == 0.0);
    QVERIFY(near_to(s.chiller_w, 1e6 / (0.533886 * 302.15 / 26.0), 1e-5));
    QCOMPARE(s.short_k, 0.0);
    RejectionPlant without = p;
    without.chillers = ChillerUse::none;
    s = stream_state(without, warm_water(), 30.0, 20.0);
    QVERIFY(near_to(s.short_k, 5.0) && near_to(s.reached_c, 36.0) && s.chiller_w == 0.0 && near_to(s.fan_w, 40e3));
  }

  /// 35 degC and a wet bulb of 20 degC: pads of 0.8 cool by 12 K at most; 10 K bring 25 degC, which is enough. The air takes 1 MW with 10 K, so 100 kW
  /// a kelvin: 1 MW of cooling by water, 1e6 / 2.43e9 m3/s, and a quarter more is drained at 5 cycles.
  void pads_wet_the_air_as_much_as_is_needed() {
    RejectionPlant p = dry_plant();
    p.kind = HeatRejection::adiabatic_cooler;
    StreamState s = stream_state(p, warm_water(), 35.0, 20.0);
    QVERIFY(s.mechanical_share == 0.0 && near_to(s.fan_speed, 1.0));
    QVERIFY(near_to(s.water_m3_s, 1e6 / 2.43e9 * 1.25, 1e-9));
    // Dry on cool hours.
    QCOMPARE(stream_state(p, warm_water(), 25.0, 15.0).water_m3_s, 0.0);
    // 40 degC, 30 degC wet: 8 K of pads leave 38 degC of water: 70 % by chillers.
    s = stream_state(p, warm_water(), 40.0, 30.0);
    QVERIFY(near_to(s.mechanical_share, 0.7));
    // Saturated air is not cooled by water; where that leaves nothing to coolers, pads stay dry.
    s = stream_state(p, warm_water(), 40.0, 39.5);
    QVERIFY(near_to(s.mechanical_share, 1.0));
    QCOMPARE(s.water_m3_s, 0.0);
  }

  /// Per kWh of heat 1.24 L evaporate and a quarter of that is drained at 5 cycles: 1.55 L, of which 0.0069 L drift off.
  void a_tower_by_wet_bulb() {
    RejectionPlant p = dry_plant();
    p.kind = HeatRejection::cooling_tower;
    p.approach_k = 4.0;
    p.fan_share = 0.0105;
    StreamState s = stream_state(p, warm_water(), 35.0, 20.0);
    QVERIFY(near_to(s.fan_speed, 14.0 / 21.0) && near_to(s.fan_w, 10.5e3 * std::pow(14.0 / 21.0, 3)));
    QVERIFY(near_to(s.water_m3_s * 3600.0 * 1000.0, 1550.0, 1e-9));
    // At 200 cycles nearly nothing is drained by will: what drifts off, 8e-5 of 1e6 / (4.18e6 x 10) m3/s, takes the salt along.
    p.cycles = 200.0;
    s = stream_state(p, warm_water(), 35.0, 20.0);
    QVERIFY(near_to(s.water_m3_s, 1.24e-3 / 3.6 + 8e-5 * 1e6 / 4.18e7, 1e-9));
    // Chillers: 29 degC of wet bulb reach 33 of 31 to 41; the tower takes the heat of the chillers, too.
    p.cycles = 5.0;
    p.condenser_k = 7.0;
    p.second_law_share = second_law_share(p, 5.5, 7.0, 30.0);
    s = stream_state(p, warm_water(), 36.0, 29.0);
    QVERIFY(near_to(s.mechanical_share, 0.2));
    const double chiller_w = 200e3 / (p.second_law_share * 302.15 / 15.0); // 33 + 7 - 29 K are less than the least lift
    QVERIFY(near_to(s.chiller_w, chiller_w));
    QVERIFY(near_to(s.water_m3_s, 1.55e-3 / 3.6e6 * (1e6 + chiller_w)));
  }

  /// Warmer air never asks for less chilling; more heat never for less power; nothing is negative or no number.
  void states_are_sound() {
    QVERIFY(rc::check([] {
      RejectionPlant p = dry_plant();
      p.kind = *rc::gen::element(HeatRejection::dry_cooler, HeatRejection::adiabatic_cooler, HeatRejection::cooling_tower);
      p.chillers = *rc::gen::element(ChillerUse::where_needed, ChillerUse::none);
      HeatStream h = warm_water();
      h.supply_c = *rc::gen::inRange(5, 46);
      h.return_c = h.supply_c + *rc::gen::inRange(1, 21);
      const double wet = *rc::gen::inRange(-30, 36), dry = wet + *rc::gen::inRange(0, 21);
      const StreamState a = stream_state(p, h, dry, wet), b = stream_state(p, h, dry + 1.0, wet + 1.0);
      for (const StreamState& s : {a, b}) {
        for (const double v : {s.mechanical_share, s.short_k, s.fan_w, s.chiller_w, s.water_m3_s}) RC_ASSERT(std::isfinite(v) && v >= 0.0);
        RC_ASSERT(s.mechanical_share <= 1.0 && s.fan_speed <= 1.0);
        RC_ASSERT(s.short_k == 0.0 || s.mechanical_share == 0.0);
      }
      RC_ASSERT(b.mechanical_share >= a.mechanical_share - 1e-12 && b.short_k >= a.short_k - 1e-12);
      HeatStream twice = h;
      twice.heat_w *= 2.0;
      const StreamState c = stream_state(p, twice, dry, wet);
      RC_ASSERT(std::abs(c.fan_w + c.chiller_w - 2.0 * (a.fan_w + a.chiller_w)) < 1e-6 * (1.0 + c.fan_w + c.chiller_w));
    }));
  }

  void a_warmer_supply_saves_chillers() {
    auto climate = std::make_shared<ClimateYear>();
    climate->states = {{5.0, 3.0, 4000.0}, {20.0, 15.0, 4000.0}, {35.0, 22.0, 760.0}};
    climate->hours = 8760.0;
    HeatStream air;
    air.air = true;
    air.heat_w = 1e5;
    air.supply_c = 18.0;
    air.return_c = 28.0;
    const YearStudy study = year_study(dry_plant(), {warm_water(), air}, climate);
    QCOMPARE(study.totals.hours, 8760.0);
    // Air handlers: 26 degC of 18 to 28 at 20 degC outside.
    QVERIFY(near_to(study.totals.free_h, 4000.0) && near_to(study.totals.partial_h, 4000.0) && near_to(study.totals.chiller_h, 760.0));
    QVERIFY(near_to(study.of_streams[0].free_h, 8000.0));
    QVERIFY(near_to(study.totals.mean_rejection_w, study.of_streams[0].mean_rejection_w + study.of_streams[1].mean_rejection_w));
    double last = 1e12;
    for (const double supply : {25.0, 30.0, 35.0, 40.0, 45.0}) {
      const YearStudy at = with_coolant_supply(study, supply);
      QVERIFY(near_to(at.streams[0].supply_c, supply - 4.0) && near_to(at.streams[0].return_c, supply + 6.0));
      QCOMPARE(at.streams[1].supply_c, 18.0);
      QVERIFY(at.totals.mean_rejection_w < last);
      last = at.totals.mean_rejection_w;
    }
    QVERIFY(near_to(with_coolant_supply(study, 35.0).totals.mean_rejection_w, study.totals.mean_rejection_w));
  }

  // --- the stage

  /// 10 racks of 100 kW, 90 kW of each to liquid, on one loop at 35 degC.
  static CooledHall hall_of_racks() {
    CooledHall hall;
    const Id type = hall.rack_type("Liquid rack").id;
    hall.item(type, RackItemKind::node, "liquid-node", 10);
    const Id loop = hall.loop("TCS 1");
    hall.add_racks(type, 10, 0, 0, loop);
    for (const auto& [id, value, unit] : std::initializer_list<std::tuple<const char*, double, const char*>>{
             {"cooling.cdu_approach", 4, "K"},
             {"cooling.dry_cooler_approach", 6, "K"},
             {"cooling.tower_approach", 4, "K"},
             {"cooling.dry_cooler_fan_fraction", 0.04, "1"},
             {"cooling.tower_fan_fraction", 0.0105, "1"},
             {"cooling.fan_least_speed", 0.2, "1"},
             {"cooling.tower_cycles", 5, "1"},
             {"cooling.tower_drift", 0.00008, "1"},
             {"cooling.tower_evaporation", 1.24, "L/kWh"},
             {"cooling.adiabatic_effectiveness", 0.8, "1"},
             {"cooling.chiller_evaporator_difference", 2, "K"},
             {"cooling.chiller_condenser_difference_air", 15, "K"},
             {"cooling.chiller_condenser_difference_water", 7, "K"},
             {"cooling.chiller_least_lift", 15, "K"},
             {"cooling.chiller_cop_air_cooled", 3.3, "1"},
             {"cooling.chiller_cop_water_cooled", 5.5, "1"},
             {"cooling.chiller_rating_water", 7, "C"},
             {"cooling.chiller_rating_air", 35, "C"},
             {"cooling.chiller_rating_tower_water", 30, "C"},
             {"cooling.facility_pump_head", 200, "kPa"},
             {"cooling.pump_efficiency", 0.75, "1"},
             {"cooling.pump_motor_efficiency", 0.92, "1"},
             {"air.supply_temperature", 24, "C"},
             {"air.coil_approach", 6, "K"},
             {"air.coil_water_rise", 10, "K"}})
      if (!hall.catalog.find<Assumption>(id)) keep(hall.catalog.assumptions, default_value(id, value, unit));
    return hall;
  }
  static void one_state(CooledHall& hall, double dry, double wet, double hours_of_it) {
    ClimateBin row;
    row.id = 900;
    row.dry_bulb = Temperature::from_celsius(dry);
    row.wet_bulb = Temperature::from_celsius(wet);
    row.duration = hours(hours_of_it);
    hall.climate_bins = {row};
  }

  void without_a_climate_it_is_said_what_to_set() {
    CooledHall hall = hall_of_racks();
    hall.run();
    const Figure& energy = hall.figure("cooling.energy_per_year");
    QCOMPARE(energy.completeness, Completeness::not_applicable);
    QVERIFY(energy.reason.find("choose a typical year of the site") != std::string::npos);
    QVERIFY(!hall.cool.year.study);
    for (const char* code : {"CLG-040", "CLG-041", "CLG-042"}) QVERIFY(hall.findings(code).empty());
  }

  /// The whole year at 9 degC: liquid (31 to 41 degC) at half speed, 0.5 % of 900 kW; air handlers (18 to 28 degC): (10 + 6) / (28 - 9) of the air.
  void one_outdoor_state_is_the_year() {
    CooledHall hall = hall_of_racks();
    one_state(hall, 9.0, 5.0, 8760.0);
    hall.run();
    const double air = 100e3 * 0.04 * std::pow(16.0 / 19.0, 3);
    QVERIFY(near_to(hall.figure("cooling.heat_rejection_mean_power").value, 900e3 * 0.005 + air + pumps_w));
    QVERIFY(near_to(hall.figure("cooling.heat_rejection_most_power").value, 900e3 * 0.005 + air + pumps_w));
    QVERIFY(near_to(hall.figure("cooling.free_cooling_hours").value, 8760.0 * 3600.0));
    QCOMPARE(hall.figure("cooling.chiller_hours").value, 0.0);
    QCOMPARE(hall.figure("cooling.water_per_year").value, 0.0);
    QVERIFY(near_to(hall.figure("cooling.energy_per_year").value,
                    (hall.figure("cooling.cdu_power").value + hall.figure("cooling.fan_power").value + 900e3 * 0.005 + air + pumps_w) * 8760.0 * 3600.0));
    // The coolant comes back at 45 degC, the facility water 4 K below.
    QVERIFY(near_to(hall.figure("cooling.reuse_temperature").value, 273.15 + 41.0));
    // It opens down to the rows.
    const Figure& share = hall.figure("cooling.loop." + std::to_string(hall.loops.front().id) + ".rejection_share");
    QVERIFY(std::any_of(share.inputs.begin(), share.inputs.end(), [&](FigureRef r) { return hall.figures.at(r)->id == "cooling.climate_hours"; }));
  }

  /// A tower: 1.55 L/kWh of 1 MW of heat are the WUE where the IT load is 1 MW.
  void water_of_a_tower_over_the_energy_of_the_racks() {
    CooledHall hall = hall_of_racks();
    hall.cooling_plant.heat_rejection = HeatRejection::cooling_tower;
    one_state(hall, 9.0, 5.0, 8760.0);
    hall.run();
    QVERIFY(near_to(hall.figure("cooling.water_usage_effectiveness").value, 1.55e-3 / 3.6e6));
    QVERIFY(near_to(hall.figure("cooling.water_per_year").value, 1.55 * 8760.0));
  }

  void hours_and_wet_bulbs_that_are_no_year_are_found() {
    CooledHall hall = hall_of_racks();
    one_state(hall, 9.0, 5.0, 8000.0);
    hall.run();
    QCOMPARE(hall.figure("cooling.energy_per_year").completeness, Completeness::unknown);
    auto found = hall.findings("CLG-040");
    QCOMPARE(found.size(), std::size_t{1});
    QVERIFY2(found.front().message.find("8000 hours; a year has 8760, a leap year 8784") != std::string::npos, found.front().message.c_str());
    one_state(hall, 9.0, 9.5, 8760.0);
    hall.run();
    found = hall.findings("CLG-040");
    QCOMPARE(found.size(), std::size_t{1});
    QVERIFY2(found.front().message.find("9.5 degC over 9 degC") != std::string::npos, found.front().message.c_str());
  }

  /// The design day and the year speak of the same chillers.
  void chillers_of_the_year_are_named_on_the_design_day() {
    CooledHall hall = hall_of_racks();
    hall.run();
    const auto said = [&] {
      const auto found = hall.findings("CLG-008");
      return found.empty() ? std::string() : found.front().message;
    };
    QVERIFY2(said().ends_with(", and no chiller is drawn"), said().c_str());
    one_state(hall, 9.0, 5.0, 8760.0);
    hall.run();
    QVERIFY2(said().ends_with("; chillers where needed are counted, none is drawn"), said().c_str());
    hall.cooling_plant.chillers = ChillerUse::none;
    hall.run();
    QVERIFY2(said().ends_with(", and no chiller is drawn"), said().c_str());
  }

  /// A loop that is named as facility water and has nothing on it solves nothing, and judges nothing either.
  void facility_water_that_is_only_named_hides_no_warm_day() {
    CooledHall hall = hall_of_racks();
    hall.run();
    const auto said = [&] {
      const auto found = hall.findings("CLG-008");
      return found.empty() ? std::string() : found.front().message;
    };
    QVERIFY(!said().empty());
    CoolantLoop water;
    water.id = 7001;
    water.name = "Facility water";
    hall.loops.push_back(water);
    for (CoolantLoop& l : hall.loops)
      if (l.id != water.id) l.facility_loop = water.id;
    QVERIFY(hall.loops.size() > 1);
    hall.run();
    QVERIFY2(said().ends_with("and no chiller is drawn; loop 'Facility water', its facility water, has no dry cooler, chiller or tower and no "
                              "pipes, so that it is not solved"),
             said().c_str());
    CoolingUnit cooler;
    cooler.id = 7002;
    cooler.name = "DC 1";
    cooler.kind = CoolingUnitKind::dry_cooler;
    cooler.loop = water.id;
    cooler.capacity = kilowatts(1);
    hall.cooling_units.push_back(cooler);
    hall.run();
    QVERIFY2(said().ends_with("its facility water, has no pipes, so that it is not solved"), said().c_str());
  }

  /// Each sentence counts what it names: two rows are two.
  void rows_of_impossible_air_are_counted() {
    CooledHall hall = hall_of_racks();
    const auto rows = [&](double dry, double wet) {
      one_state(hall, dry, wet, 4380.0);
      hall.climate_bins.push_back(hall.climate_bins.front());
      hall.climate_bins.back().id = 901;
    };
    rows(20.0, 25.0);
    hall.run();
    auto found = hall.findings("CLG-040");
    QCOMPARE(found.size(), std::size_t{1});
    QVERIFY2(found.front().message.starts_with("2 rows of the climate have a wet bulb over the dry bulb, first 25 degC over 20 degC"), found.front().message.c_str());
    QCOMPARE(found.front().entities.size(), std::size_t{2});
    rows(60.0, -80.0);
    hall.run();
    found = hall.findings("CLG-040");
    QCOMPARE(found.size(), std::size_t{1});
    QVERIFY2(found.front().message.starts_with("2 rows of the climate have a wet bulb lower than that of air without any vapour, first -80 degC at 60 degC dry; at least "),
             found.front().message.c_str());
    QCOMPARE(found.front().entities.size(), std::size_t{2});
    QCOMPARE(hall.figure("cooling.energy_per_year").completeness, Completeness::unknown);
  }

  /// 35 degC outside, no chillers: racks want 31 degC and get 41, air handlers want 18.
  void water_that_stays_too_warm_is_found_and_remedied() {
    CooledHall hall = hall_of_racks();
    hall.cooling_plant.chillers = ChillerUse::none;
    one_state(hall, 35.0, 20.0, 8760.0);
    hall.run();
    QVERIFY(near_to(hall.figure("cooling.short_by").value, 23.0));
    QVERIFY(near_to(hall.figure("cooling.short_hours").value, 8760.0 * 3600.0));
    const auto found = hall.findings("CLG-041");
    QCOMPARE(found.size(), std::size_t{1});
    QVERIFY2(found.front().message.find("air handlers") != std::string::npos && found.front().message.find("TCS 1") != std::string::npos, found.front().message.c_str());
    QVERIFY(found.front().remedies.size() >= 3);
    const auto cured = found.front().remedies.front().edit.apply(hall.design);
    QVERIFY(cured);
    QCOMPARE(cured->cooling_plant->chillers, ChillerUse::where_needed);
    for (const Remedy& r : found.front().remedies) QVERIFY(r.edit.apply(hall.design));
  }

  /// Hotter than the design day of 35 degC: chillers lift further, 26 K where they lifted 21 for racks. Each remedy ends it.
  void more_than_the_design_point_is_found() {
    CooledHall hall = hall_of_racks();
    one_state(hall, 40.0, 22.0, 8760.0);
    hall.run();
    auto found = hall.findings("CLG-042");
    QCOMPARE(found.size(), std::size_t{1});
    QCOMPARE(found.front().remedies.size(), std::size_t{2});
    const auto hotter = found.front().remedies[0].edit.apply(hall.design), raised = found.front().remedies[1].edit.apply(hall.design);
    QVERIFY(hotter && raised && raised->cooling_plant->heat_rejection_power_share);
    QVERIFY(near_to(hotter->site->outdoor_design_temperature.celsius(), 40.0));
    hall.site.outdoor_design_temperature = hotter->site->outdoor_design_temperature;
    hall.run();
    QVERIFY(hall.findings("CLG-042").empty());
    hall.site.outdoor_design_temperature = Temperature::from_celsius(35);
    hall.cooling_plant.heat_rejection_power_share = raised->cooling_plant->heat_rejection_power_share;
    hall.run();
    QVERIFY(hall.findings("CLG-042").empty());
    // A share that was stated too small can be taken back.
    hall.cooling_plant.heat_rejection_power_share = 0.04;
    hall.run();
    found = hall.findings("CLG-042");
    QCOMPARE(found.size(), std::size_t{1});
    const auto cleared = found.front().remedies.front().edit.apply(hall.design);
    QVERIFY(cleared && !cleared->cooling_plant->heat_rejection_power_share);
  }

  /// 35 degC: coolers reach 41 degC, so chillers take all. Racks: 29 and 50 degC at the refrigerant, 302.15 / 21; air handlers: 16 and 50 degC, 289.15 / 34.
  void the_design_point_is_the_plant_on_the_design_day() {
    CooledHall hall = hall_of_racks();
    one_state(hall, 9.0, 5.0, 8760.0);
    hall.run();
    const double share = 3.3 / (278.15 / 45.0);
    const double chillers = 900e3 / (share * 302.15 / 21.0) + 100e3 / (share * 289.15 / 34.0);
    QVERIFY(near_to(hall.figure("cooling.heat_rejection_power").value, chillers + pumps_w));
    QCOMPARE(hall.figure("cooling.heat_rejection_power").completeness, Completeness::estimate);
    QVERIFY(near_to(hall.figure("cooling.electrical_power").value, hall.figure("cooling.cdu_power").value + hall.figure("cooling.fan_power").value + chillers + pumps_w));
    // A cooler design day: 25 degC is free for racks at full speed; air handlers ask for 18 of 28 degC and get 31.
    hall.site.outdoor_design_temperature = Temperature::from_celsius(25);
    hall.run();
    QVERIFY(near_to(hall.figure("cooling.heat_rejection_power").value, 900e3 * 0.04 + 100e3 / (share * 289.15 / 24.0) + pumps_w));
    // What the design states stands.
    hall.cooling_plant.heat_rejection_power_share = 0.07;
    hall.run();
    QVERIFY(near_to(hall.figure("cooling.heat_rejection_power").value, 70e3));
    // Without a climate it is the share of dry coolers' fans, and that is said.
    hall.cooling_plant.heat_rejection_power_share.reset();
    hall.climate_bins.clear();
    hall.run();
    QVERIFY(near_to(hall.figure("cooling.heat_rejection_power").value, 40e3));
    QVERIFY(hall.figure("cooling.heat_rejection_power").reason.find("no year of the plant is known") != std::string::npos);
  }

  /// The wettest state that is not hotter than the design day, or what is published; never above its dry bulb, nor below that of air without vapour:
  /// at 60 degC and 31 kPa some 7.3 degC, as CLG-040 has it.
  void towers_are_sized_by_the_wettest_air_of_the_design_day() {
    ClimateYear year;
    year.states = {{10.0, 8.0, 8000.0}, {30.0, 25.0, 700.0}, {40.0, 20.0, 60.0}};
    QCOMPARE(design_wet_bulb(year, 45.0), 25.0); // a hotter, drier state does not make towers smaller
    QCOMPARE(design_wet_bulb(year, 20.0), 8.0);
    year.wet_bulb_0_4_c = 26.5; // as published
    QCOMPARE(design_wet_bulb(year, 45.0), 26.5);
    QCOMPARE(design_wet_bulb(year, 20.0), 20.0);
    ClimateYear cold;
    cold.states = {{-20.0, -21.0, 8760.0}};
    QVERIFY(std::abs(design_wet_bulb(cold, 60.0) - 7.26) < 0.2);
    double last = -100.0;
    for (double dry = -20.0; dry <= 60.0; dry += 1.0) {
      QVERIFY(design_wet_bulb(year, dry) >= std::min(last, dry) && design_wet_bulb(year, dry) <= dry);
      last = design_wet_bulb(year, dry);
    }
    // 25 + 4 degC are free for racks: (10 + 4) / (41 - 25) of the air. Air handlers: 29 of 18 to 28 degC, all by chillers between 16 and 29 + 7 degC.
    CooledHall hall = hall_of_racks();
    hall.cooling_plant.heat_rejection = HeatRejection::cooling_tower;
    one_state(hall, 30.0, 25.0, 8760.0);
    hall.run();
    const double chiller = 100e3 / (5.5 / (278.15 / 32.0) * 289.15 / 20.0);
    QVERIFY(near_to(hall.figure("cooling.heat_rejection_power").value,
                    0.0105 * (900e3 * std::pow(14.0 / 16.0, 3) + 100e3 + chiller) + chiller + pumps_w));
  }

  /// Coolers as drawn: 2 x 30 kW of fans for 2 x 1 MW at 8 K, in place of 4 % and 6 K. One that does not say leaves the assumptions.
  void drawn_coolers_stand_for_the_assumed_ones() {
    CooledHall hall = hall_of_racks();
    one_state(hall, 9.0, 5.0, 8760.0);
    CoolingPart cooler = part<CoolingPart>("cooler-1000");
    cooler.kind = "dry cooler";
    cooler.capacity = kilowatts(1000);
    cooler.power_draw = kilowatts(30);
    cooler.approach = kelvins_rise(8);
    keep(hall.catalog.cooling, cooler);
    for (int i = 0; i < 2; ++i) {
      CoolingUnit unit;
      unit.id = 950 + i;
      unit.name = "DC " + std::to_string(i + 1);
      unit.kind = CoolingUnitKind::dry_cooler;
      unit.part = "cooler-1000";
      hall.cooling_units.push_back(unit);
    }
    hall.site.outdoor_design_temperature = Temperature::from_celsius(23); // racks: just free at 23 + 8
    hall.cooling_plant.chillers = ChillerUse::none;
    hall.run();
    QVERIFY(near_to(hall.figure("cooling.heat_rejection_power").value, 1e6 * 0.03 + pumps_w));
    // (10 + 8) / (41 - 9) and (10 + 8) / (28 - 9) of the air.
    QVERIFY(near_to(hall.figure("cooling.heat_rejection_mean_power").value, 900e3 * 0.03 * std::pow(18.0 / 32.0, 3) + 100e3 * 0.03 * std::pow(18.0 / 19.0, 3) + pumps_w));
    // Half of the size takes half of the fans: the share stays. A stated approach stands.
    hall.cooling_units.back().capacity = kilowatts(500);
    hall.cooling_plant.heat_rejection_approach = kelvins_rise(6);
    hall.run();
    QVERIFY(near_to(hall.figure("cooling.heat_rejection_mean_power").value, 900e3 * 0.03 * 0.125 + 100e3 * 0.03 * std::pow(16.0 / 19.0, 3) + pumps_w));
    hall.cooling_units.back().part.clear();
    hall.run();
    QVERIFY(near_to(hall.figure("cooling.heat_rejection_mean_power").value, 900e3 * 0.04 * 0.125 + 100e3 * 0.04 * std::pow(16.0 / 19.0, 3) + pumps_w));
  }

  /// Coolers that are drawn and a plant that counts others: said, and one edit away. Chillers that nobody drew, too.
  void heat_rejection_drawn_otherwise_than_counted_is_found() {
    CooledHall hall = hall_of_racks();
    one_state(hall, 9.0, 5.0, 8760.0);
    CoolingUnit tower;
    tower.id = 950;
    tower.name = "CT 1";
    tower.kind = CoolingUnitKind::cooling_tower;
    hall.cooling_units.push_back(tower);
    hall.run();
    auto found = hall.findings("CLG-048");
    QCOMPARE(found.size(), std::size_t{1}); // at 9 degC no chiller runs
    const auto counted = found.front().remedies.front().edit.apply(hall.design);
    QVERIFY(counted && counted->cooling_plant->heat_rejection == HeatRejection::cooling_tower);
    hall.cooling_plant.heat_rejection = HeatRejection::cooling_tower;
    hall.run();
    QVERIFY(hall.findings("CLG-048").empty());
    one_state(hall, 40.0, 30.0, 8760.0);
    hall.run();
    found = hall.findings("CLG-048");
    QCOMPARE(found.size(), std::size_t{1});
    QVERIFY2(found.front().message.find("8760 hours") != std::string::npos, found.front().message.c_str());
    const auto without = found.front().remedies.front().edit.apply(hall.design);
    QVERIFY(without && without->cooling_plant->chillers == ChillerUse::none);
  }

  /// A loop that names facility water has that loop's water, whatever it stated before.
  void water_of_a_named_loop_stands_before_a_stated_one() {
    CooledHall hall = hall_of_racks();
    one_state(hall, 9.0, 5.0, 8760.0);
    const Id water = hall.loop("FWS");
    for (CoolantLoop& l : hall.loops) {
      if (l.id == water) l.supply_temperature = Temperature::from_celsius(30);
      if (l.name == "TCS 1") l.facility_loop = water, l.facility_supply = Temperature::from_celsius(10);
    }
    hall.run();
    QVERIFY(near_to(hall.figure("cooling.loop." + std::to_string(hall.loops.front().id) + ".needed_water").value, 273.15 + 30.0));
  }

  /// The design point of a plant that cannot be computed rests on a share: that is a finding, not a low number.
  void a_plant_that_is_not_computed_is_found() {
    CooledHall hall = hall_of_racks();
    hall.cooling_plant.chiller_performance = 15.0;
    one_state(hall, 9.0, 5.0, 8760.0);
    hall.run();
    const auto found = hall.findings("CLG-048");
    QCOMPARE(found.size(), std::size_t{1});
    QVERIFY2(found.front().message.find("more than an ideal chiller has") != std::string::npos, found.front().message.c_str());
  }

  void unknown_pumps_of_facility_water_are_said() {
    CooledHall hall = hall_of_racks();
    one_state(hall, 9.0, 5.0, 8760.0);
    PartList<Assumption> others;
    for (const Assumption& a : hall.catalog.assumptions)
      if (a.id != "cooling.facility_pump_head") others.push_back(a);
    hall.catalog.assumptions = others;
    hall.run();
    QCOMPARE(hall.figure("cooling.energy_per_year").completeness, Completeness::unknown);
    QVERIFY(hall.figure("cooling.energy_per_year").reason.find("pumps of facility water") != std::string::npos);
  }

  void an_impossible_plant_is_said_and_not_computed() {
    CooledHall hall = hall_of_racks();
    hall.cooling_plant.chiller_performance = 15.0; // more than ideal between 5 and 50 degC
    one_state(hall, 9.0, 5.0, 8760.0);
    hall.run();
    const Figure& energy = hall.figure("cooling.energy_per_year");
    QCOMPARE(energy.completeness, Completeness::unknown);
    QVERIFY2(energy.reason.find("more than an ideal chiller has") != std::string::npos, energy.reason.c_str());
    // Water of 7 degC at 35 degC outside: evaporating at 5, condensing at 50 degC, 278.15 K / 45 K = 6.18.
    const auto found = hall.findings("CLG-047");
    QCOMPARE(found.size(), std::size_t{1});
    QVERIFY2(found.front().message.find("chiller_performance) is 15; an ideal chiller has 6.181 with water of 7 degC at 35 degC outside, so 1 to 6.18 is allowed") != std::string::npos,
             found.front().message.c_str());
    const auto cured = found.front().remedies.front().edit.apply(hall.design);
    QVERIFY(cured && !cured->cooling_plant->chiller_performance);
    hall.cooling_plant.chiller_performance = 6.18;
    hall.run();
    QVERIFY(hall.findings("CLG-047").empty());
    QCOMPARE(hall.figure("cooling.energy_per_year").completeness == Completeness::unknown, false);
    hall.cooling_plant.chiller_performance = 15.0;
    hall.cooling_plant.chillers = ChillerUse::none; // not used
    hall.run();
    QVERIFY(hall.findings("CLG-047").empty());
  }
};

QTEST_APPLESS_MAIN(TestClimatePlant)
#include "test_climate_plant.moc"
