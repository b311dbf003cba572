// SPDX-License-Identifier: GPL-3.0-or-later
#include "power/power.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include <fmt/format.h>

#include "catalog/traced_part.h"
#include "cooling/climate_formulas.h"
#include "cooling/climate_plant.h"
#include "load/shares.h"
#include "power/chain.h"
#include "power/feed_graph.h"
#include "power/one_line_design.h"
#include "power/formulas.h"
#include "space/design_value.h"

namespace hallwright {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr PowerUnitKind levels[] = {PowerUnitKind::utility_feed, PowerUnitKind::transformer,  PowerUnitKind::generator,
                                    PowerUnitKind::ups,          PowerUnitKind::distribution, PowerUnitKind::busway};
/// Up to this many units each get figures of their own; above it only the worst of each level does.
constexpr std::size_t units_explained = 64;

std::string_view kind_word(PowerUnitKind kind) {
  return ChoiceWords<PowerUnitKind>::words[static_cast<std::size_t>(kind)];
}
/// The word in a label.
std::string kind_label(PowerUnitKind kind) {
  return kind == PowerUnitKind::ups ? std::string("UPS") : std::string(kind_word(kind));
}
/// "utility_feed": the word as part of a figure id.
std::string level_id(PowerUnitKind kind) {
  std::string word(kind_word(kind));
  std::replace(word.begin(), word.end(), ' ', '_');
  return word;
}

class PowerStage {
public:
  PowerStage(const PowerInputs& in, const LoadResult& load, const CoolingResult& cooling)
      : in_(in), load_(load), cooling_(cooling) {}

  PowerResult run() {
    chain();
    units();
    worst();
    one_line();
    out_.page = ledger_.finish_page();
    out_.tables = std::make_shared<const std::vector<Table>>(std::move(tables_));
    return std::move(out_);
  }

private:
  // --- the chain as a whole
  // -------------------------------------------------------------------------------------------

  /// Efficiency of a level: mean of its drawn units (own value or part), else the plant's, else the catalog's default.
  template <auto PlantMember>
  Traced<double> efficiency(PowerUnitKind kind, std::string_view id, const char* default_id) {
    auto fallback = [&] {
      return in_.plant.get()->*PlantMember ? design_value<PlantMember>(ledger_, "power_plant", *in_.plant)
                                           : assumption<double>(ledger_, *in_.catalog, default_id, kind::percent);
    };
    const std::string label =
        "Efficiency, " + (kind == PowerUnitKind::distribution ? std::string("distribution") : kind_label(kind));
    const std::string figure_id = "power.efficiency." + std::string(id);
    std::vector<Traced<double>> of_units;
    std::set<std::uint32_t> distinct;
    bool drawn_says = false;
    for (const PowerUnit& unit : *in_.units) {
      const bool level =
          unit.kind == kind || (kind == PowerUnitKind::distribution && unit.kind == PowerUnitKind::busway);
      if (!level) continue;
      const PowerPart* part = in_.catalog->find<PowerPart>(unit.part);
      Traced<double> value =
          unit.efficiency ? design_value<&PowerUnit::efficiency>(ledger_, "power_units", unit, unit.name)
          : part && part->efficiency_rated ? part_value<&PowerPart::efficiency_rated>(ledger_, *in_.catalog, *part)
                                           : fallback();
      drawn_says = drawn_says || unit.efficiency || (part && part->efficiency_rated);
      distinct.insert(value.figure.index);
      of_units.push_back(std::move(value));
    }
    if (!drawn_says) return ledger_.as<double>(figure_id, label, fallback(), &kind::percent);
    if (distinct.size() == 1)
      return ledger_.as<double>(figure_id, label + ", as drawn", of_units.front(), &kind::percent);
    const auto sum = ledger_.sum<double>(figure_id + ".sum", label + ", sum over units", of_units, kind::ratio);
    return ledger_.derive(figure_id, label + ", mean of the drawn units", mean_share, sum,
                          ledger_.counted(figure_id + ".units", label + ", units", static_cast<Count>(of_units.size()),
                                          "drawn units of this level"));
  }

  void chain() {
    it_ = load_.it;
    const auto distribution_efficiency = efficiency<&PowerPlant::distribution_efficiency>(
        PowerUnitKind::distribution, "distribution", "efficiency.distribution");
    const auto ups_efficiency = efficiency<&PowerPlant::ups_efficiency>(PowerUnitKind::ups, "ups", "efficiency.ups");
    const auto transformer_efficiency = efficiency<&PowerPlant::transformer_efficiency>(
        PowerUnitKind::transformer, "transformer", "efficiency.transformer");
    const auto other_share = design_value<&PowerPlant::other_facility_power_share>(ledger_, "power_plant", *in_.plant);
    utility_ = utility_power(ledger_, *in_.site);
    redundancy_ = design_value<&PowerPlant::redundancy>(ledger_, "power_plant", *in_.plant);

    // From the racks up: distribution, UPS with the pumps of the CDUs, transformer with the rest of the plant.
    distribution_in_ = ledger_.derive("power.distribution_input", "Power into distribution",
                                      growing(chain_input_power), it_, distribution_efficiency);
    ups_out_ = ledger_.sum<Power>("power.ups_output", "Power out of the UPS: IT, distribution loss, CDU pumps",
                                  {distribution_in_, cooling_.cdu_power});
    if (distribution_in_.completeness == Completeness::not_applicable) {
      nothing_to_feed();
      return;
    }
    const auto ups_in =
        ledger_.derive("power.ups_input", "Power into the UPS", growing(chain_input_power), ups_out_, ups_efficiency);
    const auto other = other_ =
        ledger_.derive("power.other", "Power of lighting, offices, controls", share_of_power, it_, other_share);
    transformer_out_ = ledger_.sum<Power>("power.transformer_output", "Power out of the transformers",
                                          {ups_in, cooling_.fan_power, cooling_.heat_rejection_power, other});
    out_.facility = ledger_.derive("power.facility", "Facility power", growing(chain_input_power), transformer_out_,
                                   transformer_efficiency);
    ledger_.limit(out_.facility, utility_, LimitSense::at_most);
    const auto distribution_loss = ledger_.derive("power.loss.distribution", "Loss in distribution",
                                                  growing(chain_loss), it_, distribution_efficiency);
    const auto ups_loss =
        ledger_.derive("power.loss.ups", "Loss in the UPS", growing(chain_loss), ups_out_, ups_efficiency);
    const auto transformer_loss_figure = ledger_.derive("power.loss.transformer", "Loss in transformers",
                                                        growing(chain_loss), transformer_out_, transformer_efficiency);
    out_.losses = ledger_.sum<Power>("power.losses", "Losses of the power chain",
                                     {distribution_loss, ups_loss, transformer_loss_figure});

    out_.power_usage_effectiveness =
        ledger_.derive("power.pue", "PUE at the design point", power_usage_effectiveness, out_.facility, it_);
    year(ups_in, other, transformer_efficiency);
    const auto assumed = design_value<&Goal::assumed_power_usage_effectiveness>(ledger_, "goal", *in_.goal);
    ledger_.limit(out_.power_usage_effectiveness, assumed, LimitSense::at_most, 1.0);
    out_.it_capacity =
        ledger_.derive("power.it_capacity", "IT power that the utility carries", it_power_capacity, utility_,
                       out_.power_usage_effectiveness.has_value() ? out_.power_usage_effectiveness : assumed);
    out_.it = ledger_.as<Power>("power.it", "IT load", it_);
    ledger_.limit(out_.it, out_.it_capacity, LimitSense::at_most);
    Formula headroom = headroom_share;
    headroom.result_kind = &kind::percent;
    out_.utility_headroom =
        ledger_.derive("power.utility_headroom", "Utility headroom", headroom, out_.facility, utility_);
    const auto needed = ledger_.derive("power.ups_needed", fmt::format("UPS rating needed, {}", redundancy_word()),
                                       rating_needed, ups_out_, redundancy_);
    if (in_.plant->redundancy == Redundancy::n_plus_1 && needed.has_value())
      ledger_.remark(needed, "N+1: one more module on top, by the size of the modules");

    levels_table_.id = "power.levels";
    levels_table_.title = "Power chain";
    levels_table_.columns.reserve(4);
    auto& level = levels_table_.add_words("level", "Level");
    auto& power = levels_table_.add_numbers("power", "Power", kind::power, "kW");
    auto& loss = levels_table_.add_numbers("loss", "Loss", kind::power, "kW");
    auto& efficiency_column = levels_table_.add_numbers("efficiency", "Efficiency", kind::percent);
    power.formula =
        "output of the level; cooling enters at the UPS (CDU pumps) and at the transformers (fans, heat rejection)";
    auto row = [&](const char* word, const Traced<Power>& p, const Traced<Power>* lost, const Traced<double>* share,
                   const char* figure) {
      level.words.emplace_back(word);
      power.numbers.push_back(p.has_value() ? in_watts(p.value) : nan);
      loss.numbers.push_back(lost && lost->has_value() ? in_watts(lost->value) : nan);
      efficiency_column.numbers.push_back(share && share->has_value() ? share->value : nan);
      levels_table_.row_figures.emplace_back(figure);
    };
    row("utility", out_.facility, nullptr, nullptr, "power.facility");
    row("transformer", transformer_out_, &transformer_loss_figure, &transformer_efficiency, "power.transformer_output");
    row("ups", ups_out_, &ups_loss, &ups_efficiency, "power.ups_output");
    row("distribution", it_, &distribution_loss, &distribution_efficiency, "power.it");
  }

  static constexpr std::array<std::pair<const char*, const char*>, 3> of_the_year{{{"power.facility_mean", "Facility power, mean of the typical year"},
                                                                                   {"power.annual_pue", "PUE of the typical year"},
                                                                                   {"power.facility_energy", "Energy of the facility in the typical year"}}};
  void no_year(Completeness completeness, const std::string& why) {
    out_.mean_facility = ledger_.absent<Power>(of_the_year[0].first, of_the_year[0].second, completeness, why);
    out_.annual_power_usage_effectiveness = ledger_.absent<double>(of_the_year[1].first, of_the_year[1].second, completeness, why);
    out_.facility_energy = ledger_.absent<Energy>(of_the_year[2].first, of_the_year[2].second, completeness, why);
  }
  /// The chain over the typical year: the same load throughout, heat rejection by the outdoor air.
  void year(const Traced<Power>& ups_in, const Traced<Power>& other, const Traced<double>& transformer_efficiency) {
    const Traced<Power>& rejection = cooling_.year.mean_rejection;
    if (!rejection.has_value()) {
      no_year(rejection.completeness, rejection.reason ? *rejection.reason : "the year of heat rejection is not known");
      return;
    }
    const auto output = ledger_.sum<Power>("power.transformer_output_mean", "Power out of the transformers, mean of the typical year",
                                           {ups_in, cooling_.fan_power, rejection, other});
    out_.mean_facility = ledger_.derive(of_the_year[0].first, of_the_year[0].second, growing(chain_input_power), output, transformer_efficiency);
    out_.annual_power_usage_effectiveness =
        ledger_.derive(of_the_year[1].first, of_the_year[1].second, power_usage_effectiveness, out_.mean_facility, it_);
    const YearStudy& study = *cooling_.year.study;
    out_.facility_energy = ledger_.derive(of_the_year[2].first, of_the_year[2].second, energy_of_mean_power, out_.mean_facility,
                                          ledger_.measured<Time>("power.year_hours", "Hours of the typical year", hours(study.totals.hours),
                                                                 "hours of the climate, cooling.climate_hours"));

    // PUE over the outdoor air: the chain is straight in the power of heat rejection.
    if (!out_.mean_facility.has_value() || !it_.has_value() || in_watts(it_.value) <= 0.0 || !transformer_efficiency.has_value()) return;
    Table t;
    t.id = "power.year";
    t.title = "PUE over the outdoor air";
    t.columns.reserve(4);
    auto& dry = t.add_numbers("dry_bulb", "Dry bulb", kind::temperature, "degC");
    auto& time = t.add_numbers("hours", "Hours", kind::time, "h");
    auto& power = t.add_numbers("facility_power", "Facility", kind::power, "kW");
    auto& pue = t.add_numbers("pue", "PUE", kind::ratio);
    const double mean = in_watts(out_.mean_facility.value);
    for (const YearState& s : study.states) {
      const double facility = mean + (s.rejection_w - study.totals.mean_rejection_w) / transformer_efficiency.value;
      dry.numbers.push_back(s.dry_c + 273.15);
      time.numbers.push_back(s.hours * 3600.0);
      power.numbers.push_back(facility);
      pue.numbers.push_back(facility / in_watts(it_.value));
    }
    tables_.push_back(std::move(t));
  }

  /// The drawn one-line: losses at the load that each unit carries, and every single failure.
  void one_line() {
    if (in_.units->empty() || !it_.has_value() || in_watts(it_.value) <= 0 || load_.class_of_rack.size() != in_.racks->size()) return;
    std::vector<double> rack_watts(in_.racks->size());
    std::map<Id, Count> gpus_of_type;
    for (const RackType& t : *in_.rack_types) gpus_of_type[t.id] = gpus_of_rack_type(t, *in_.rack_items, *in_.catalog);
    std::vector<Count> rack_gpus(in_.racks->size());
    for (std::size_t i = 0; i < in_.racks->size(); ++i) {
      rack_watts[i] = in_watts(load_.rack_classes[load_.class_of_rack[i]].power.value_or(Power{}));
      const auto found = gpus_of_type.find((*in_.racks)[i].rack_type);
      rack_gpus[i] = found == gpus_of_type.end() ? 0 : found->second;
    }
    const auto watts_of = [](const Traced<Power>& p) { return in_watts(p.value_or(Power{})); };
    OneLineSource source{.units = *in_.units, .racks = *in_.racks, .plant = *in_.plant, .catalog = *in_.catalog, .rack_watts = rack_watts, .rack_gpus = rack_gpus};
    source.cdu_watts = watts_of(cooling_.cdu_power);
    source.fan_watts = watts_of(cooling_.fan_power);
    source.heat_rejection_watts = watts_of(cooling_.heat_rejection_power);
    source.other_watts = watts_of(other_);
    source.cooling_units = in_.cooling_units.get();
    out_.one_line = std::make_shared<const OneLineStudy>(one_line_of(source, *in_.rack_types));
    std::vector<ModelInput> inputs{model_input("it_power", it_), model_input("redundancy", redundancy_)};
    for (const auto& [name, p] : {std::pair("cdu_power", &cooling_.cdu_power), std::pair("fan_power", &cooling_.fan_power),
                                  std::pair("heat_rejection_power", &cooling_.heat_rejection_power), std::pair<const char*, const Traced<Power>*>("other_power", &other_)})
      if (p->completeness != Completeness::not_applicable) inputs.push_back(model_input(name, *p));
    out_.drawn = one_line_figures(ledger_, *out_.one_line, inputs);
    tables_.push_back(one_line_flow_table(*out_.one_line));
    tables_.push_back(contingency_table(*out_.one_line));
    tables_.push_back(worst_loads_table(*out_.one_line));
  }

  void nothing_to_feed() {
    // Without an IT load, or with an efficiency that nothing can be divided by.
    const std::string why =
        distribution_in_.reason ? *distribution_in_.reason : std::string("there is no IT load");
    auto power_of = [&](const char* id, const char* label) {
      return ledger_.absent<Power>(id, label, Completeness::not_applicable, why);
    };
    out_.facility = power_of("power.facility", "Facility power");
    out_.losses = power_of("power.losses", "Losses of the power chain");
    out_.it = power_of("power.it", "IT load");
    out_.power_usage_effectiveness =
        ledger_.absent<double>("power.pue", "PUE at the design point", Completeness::not_applicable, why);
    out_.utility_headroom = ledger_.absent<double>("power.utility_headroom", "Utility headroom",
                                                   Completeness::not_applicable, why, &kind::percent);
    no_year(Completeness::not_applicable, why);
    power_of("power.ups_needed", "UPS rating needed");
    out_.it_capacity =
        ledger_.derive("power.it_capacity", "IT power that the utility carries, at the assumed PUE", it_power_capacity,
                       utility_, design_value<&Goal::assumed_power_usage_effectiveness>(ledger_, "goal", *in_.goal));
    levels_table_.id = "power.levels";
    levels_table_.title = "Power chain";
  }
  [[nodiscard]] std::string_view redundancy_word() const {
    return ChoiceWords<Redundancy>::words[static_cast<std::size_t>(in_.plant->redundancy)];
  }

  // --- units
  // ----------------------------------------------------------------------------------------------------------

  [[nodiscard]] bool incomplete(std::uint32_t rack_class) const {
    const Traced<Power>& power = load_.rack_classes[rack_class].power;
    return !power.has_value() || power.completeness == Completeness::lower_bound;
  }

  /// Power at this level for each watt of IT beneath it: losses below and the plant that is fed there.
  const Traced<double>& per_it_watt(PowerUnitKind kind) {
    auto [it, fresh] = per_it_watt_.try_emplace(kind);
    if (!fresh) return it->second;
    const Traced<Power>* level = nullptr;
    switch (kind) {
    case PowerUnitKind::utility_feed:
      level = &out_.facility;
      break;
    case PowerUnitKind::transformer:
    case PowerUnitKind::generator:
      level = &transformer_out_;
      break;
    case PowerUnitKind::switchgear:
      level = &transformer_out_;
      break;
    case PowerUnitKind::ups:
      level = &ups_out_;
      break;
    case PowerUnitKind::static_switch:
    case PowerUnitKind::rectifier:
    case PowerUnitKind::distribution:
    case PowerUnitKind::busway:
      level = &distribution_in_;
      break;
    }
    return it->second = ledger_.derive("power.level." + level_id(kind) + ".per_it_watt",
                                       "Power at the " + kind_label(kind) + " per watt of IT",
                                       power_per_it_watt, *level, it_);
  }

  Traced<Power> rating_figure(const PowerUnit& unit, const std::string& stem) {
    const PowerPart* part = in_.catalog->find<PowerPart>(unit.part);
    const std::string id = stem + "rating", label = unit.name + ": rating";
    switch (unit_rating(*in_.catalog, unit, power_factor_).source) {
    case RatingSource::unit:
      return design_value<&PowerUnit::rating>(ledger_, "power_units", unit, unit.name);
    case RatingSource::unit_apparent:
      return ledger_.derive(id, label, real_rating,
                            design_value<&PowerUnit::rating_apparent>(ledger_, "power_units", unit, unit.name), power_factor());
    case RatingSource::part:
      return part_value<&PowerPart::rating>(ledger_, *in_.catalog, *part);
    case RatingSource::part_apparent:
      return ledger_.derive(id, label, real_rating,
                            part_value<&PowerPart::rating_apparent>(ledger_, *in_.catalog, *part), power_factor());
    case RatingSource::part_current:
      return ledger_.derive(id, label, three_phase_rating,
                            part_value<&PowerPart::rating_current>(ledger_, *in_.catalog, *part),
                            part_value<&PowerPart::voltage>(ledger_, *in_.catalog, *part), power_factor());
    case RatingSource::none:
      break;
    }
    return ledger_.absent<Power>(id, label, Completeness::unknown,
                                 "the rating of " + unit.name + " is not known: neither the unit nor its part says");
  }
  Traced<double> power_factor() { return assumption<double>(ledger_, *in_.catalog, "power.power_factor"); }

  struct UnitFigures {
    Traced<Power> normal, worst, usable;
    Traced<double> headroom;
  };
  /// Load of a unit, normal and with the worst unit out, down to racks, rack power and losses.
  UnitFigures explain(const FeedGraph& graph, std::size_t index, const UnitCarries& carries) {
    const PowerUnit& unit = (*in_.units)[index];
    const std::string stem = fmt::format("power.unit.{}.", unit.id);
    UnitFigures out;
    auto load = [&](const std::string& state, const std::string& label, Id failed) {
      std::vector<Traced<Power>> parts;
      const std::string with = failed == 0 ? std::string() : " with " + unit_name(failed) + " out";
      for (const auto& [rack_class, racks] : graph.racks_carried(index, failed)) {
        const RackClassLoad& c = load_.rack_classes[rack_class];
        const auto count = ledger_.measured<double>(
            fmt::format("{}{}.{}.racks", stem, state, c.key),
            fmt::format("Racks {} on {}{}, by their share", c.name, unit.name, with), racks,
            "racks wired to the unit or below it; a rack on two live feeds counts half");
        parts.push_back(ledger_.derive(fmt::format("{}{}.{}", stem, state, c.key),
                                       fmt::format("Load of {}{} by racks {}", unit.name, with, c.name),
                                       racks_on_unit, count, c.power, per_it_watt(unit.kind)));
      }
      return ledger_.sum<Power>(stem + state, label, parts);
    };
    out.normal = load("load", unit.name + ": load", 0);
    if (in_.plant->redundancy == Redundancy::n || carries.worst_out == 0) {
      out.worst = ledger_.as<Power>(stem + "load_worst", unit.name + ": load, all in service", out.normal);
    } else {
      out.worst = load("load_worst", fmt::format("{}: load with {} out", unit.name, unit_name(carries.worst_out)),
                       carries.worst_out);
    }
    const auto rating = rating_figure(unit, stem);
    const bool continuous = unit.kind == PowerUnitKind::distribution || unit.kind == PowerUnitKind::busway;
    out.usable =
        unit.continuous_load_factor
            ? ledger_.derive(stem + "continuous_rating", unit.name + ": continuous rating", continuous_rating, rating,
                             design_value<&PowerUnit::continuous_load_factor>(ledger_, "power_units", unit, unit.name))
        : continuous
            ? ledger_.derive(stem + "continuous_rating", unit.name + ": continuous rating", continuous_rating, rating,
                             design_value<&PowerPlant::continuous_load_factor>(ledger_, "power_plant", *in_.plant))
            : rating;
    if (const double derating = conductor_derating(unit); derating < 1.0) {
      constexpr ModelNote note{"share of the rating in warm air x share beside other loaded circuits",
                               "NEC 310.14(B) with insulation for 90 degC; IEC 60364-5-52 table B.52.17"};
      std::vector<ModelInput> why{
          model_input("grouped_circuits", design_value<&PowerUnit::grouped_circuits>(ledger_, "power_units", unit, unit.name))};
      if (unit.ambient)
        why.push_back(model_input("ambient", design_value<&PowerUnit::ambient>(ledger_, "power_units", unit, unit.name)));
      out.usable = ledger_.derive(
          stem + "derated_rating", unit.name + ": rating of its conductors as they lie", continuous_rating, out.usable,
          ledger_.modelled<double>(stem + "derating", unit.name + ": derating", note, why, derating, kind::percent));
    }
    ledger_.limit(out.normal, out.usable, LimitSense::at_most);
    ledger_.limit(out.worst, out.usable, LimitSense::at_most);
    Formula headroom = headroom_share;
    headroom.result_kind = &kind::percent;
    out.headroom = ledger_.derive(stem + "headroom", unit.name + ": headroom" + state_words(carries), headroom,
                                  out.worst, out.usable);
    return out;
  }
  [[nodiscard]] std::string state_words(const UnitCarries& carries) const {
    return in_.plant->redundancy == Redundancy::n || carries.worst_out == 0
               ? std::string()
               : " with " + unit_name(carries.worst_out) + " out";
  }
  [[nodiscard]] std::string unit_name(Id id) const {
    const PowerUnit* unit = find(*in_.units, id);
    return unit ? (unit->name.empty() ? fmt::format("unit {}", id) : unit->name) : std::string();
  }

  void units() {
    const auto& table = *in_.units;
    const Assumption* factor = in_.catalog->find<Assumption>("power.power_factor");
    power_factor_ = factor && factor->value ? *factor->value : nan;
    if (table.empty() || !it_.figure.valid() || it_.completeness == Completeness::not_applicable) {
      empty_units_table();
      tables_.push_back(std::move(levels_table_));
      return;
    }
    std::vector<double> ratings;
    for (const PowerUnit& unit : table)
      ratings.push_back(unit_rating(*in_.catalog, unit, power_factor_).watts);
    const FeedGraph graph(
        table, *in_.racks, in_.plant->redundancy,
        [&](const PowerUnit& unit) { return ratings[static_cast<std::size_t>(&unit - table.data())]; },
        load_.class_of_rack);
    const auto carries = graph.loads([&](std::uint32_t rack_class) {
      return in_watts(load_.rack_classes[rack_class].power.value_or(Power{}));
    });

    // Loads in watts at each unit's own level; racks of unknown power make them lower bounds.
    std::vector<bool> at_least(table.size(), false);
    for (const FeedPair& p : graph.pairs()) {
      if (!incomplete(p.rack_class)) continue;
      for (const Id feed : {p.feed_a, p.feed_b})
        for (const std::size_t unit : graph.chain(feed))
          at_least[unit] = true;
    }
    std::map<PowerUnitKind, std::size_t> worst_of_level;
    std::vector<double> headrooms(table.size(), nan);
    for (std::size_t i = 0; i < table.size(); ++i) {
      const double factor_here =
          carries[i].normal > 0 || carries[i].worst > 0 ? per_it_watt(table[i].kind).value_or(nan) : 1.0;
      PowerUnitLoad load{table[i].id, carries[i].normal * factor_here, carries[i].worst * factor_here, ratings[i]};
      if (in_.plant->redundancy == Redundancy::n) load.failover_w = std::max(load.failover_w, load.normal_w);
      out_.units.push_back(load);
      const double usable = ratings[i] * usable_share_of(table[i], in_.plant->continuous_load_factor);
      const double counted = in_.plant->redundancy == Redundancy::n ? load.normal_w : load.failover_w;
      if (usable > 0) headrooms[i] = 1.0 - counted / usable;
      if (carries[i].normal <= 0 && carries[i].worst <= 0 && !at_least[i]) continue;
      auto [it, fresh] = worst_of_level.try_emplace(table[i].kind, i);
      // A unit whose rating is known tells more than one without.
      if (!fresh &&
          (headrooms[i] < headrooms[it->second] || (std::isnan(headrooms[it->second]) && !std::isnan(headrooms[i]))))
        it->second = i;
    }
    std::map<std::size_t, UnitFigures> explained;
    for (std::size_t i = 0; i < table.size(); ++i) {
      const auto worst = worst_of_level.find(table[i].kind);
      if (table.size() <= units_explained || (worst != worst_of_level.end() && worst->second == i))
        explained.emplace(i, explain(graph, i, carries[i]));
    }
    for (const PowerUnitKind kind : levels) {
      const auto worst = worst_of_level.find(kind);
      if (worst == worst_of_level.end()) continue;
      const auto& figures = explained.at(worst->second);
      const std::string stem = "power.level." + level_id(kind) + ".";
      const std::string name = unit_name(table[worst->second].id) + state_words(carries[worst->second]);
      const auto load = ledger_.as<Power>(stem + "load_worst",
                                          fmt::format("Worst {}: load of {}", kind_label(kind), name), figures.worst);
      ledger_.limit(load, figures.usable, LimitSense::at_most);
      const auto headroom =
          ledger_.as<double>(stem + "headroom", fmt::format("Worst {}: headroom of {}", kind_label(kind), name),
                             figures.headroom, &kind::percent);
      if (headroom.has_value() && (!worst_headroom_ || headroom.value < worst_headroom_->value)) {
        worst_headroom_ = headroom;
        out_.worst_unit = table[worst->second].id;
        worst_words_ = name;
      }
    }
    units_table(graph, carries, headrooms, at_least, explained);
    tables_.push_back(std::move(levels_table_));
    feeds(graph);
  }

  /// Load of drawn racks that no unit carries.
  void feeds(const FeedGraph& graph) {
    // Racks without feeds are one pair of each class.
    std::vector<Traced<Power>> unfed;
    for (const FeedPair& p : graph.pairs()) {
      if (p.feed_a || p.feed_b) continue;
      const RackClassLoad& c = load_.rack_classes[p.rack_class];
      const auto racks = ledger_.measured<double>(fmt::format("power.unfed.{}.racks", c.key),
                                                  fmt::format("Racks {} without a feed", c.name),
                                                  static_cast<double>(p.racks),
                                                  "racks whose A and B feed name no drawn unit");
      const auto one =
          ledger_.constant<double>("power.one", "At the rack itself", 1.0, "no loss between the rack and itself");
      unfed.push_back(ledger_.derive(fmt::format("power.unfed.{}", c.key),
                                     fmt::format("Load without a feed, racks {}", c.name), racks_on_unit, racks,
                                     c.power, one));
    }
    if (!unfed.empty()) ledger_.sum<Power>("power.unfed", "Load of racks without a feed", unfed);
  }

  Table& start_units_table() {
    tables_.emplace_back();
    Table& t = tables_.back();
    t.id = "power.units";
    t.title = "Power units";
    t.entity_table = "power_units";
    t.columns.reserve(10);
    t.add_words("unit", "Unit");
    t.add_words("kind", "Kind");
    t.add_words("feed", "Feed");
    t.add_numbers("rating", "Rating", kind::power, "kW");
    t.add_numbers("usable", "Usable rating", kind::power, "kW").formula =
        "rating, times the continuous load factor for distribution and busways";
    t.add_numbers("load", "Load", kind::power, "kW").formula =
        "racks beneath it, split evenly over live feeds, with losses and plant fed at its level";
    t.add_numbers("load_worst", "Load, worst unit out", kind::power, "kW");
    t.add_numbers("headroom", "Headroom", kind::percent).formula = "1 - load with the worst unit out / usable rating";
    t.add_words("worst_out", "With out");
    t.add_words("data", "Data");
    return t;
  }
  void empty_units_table() {
    Table& t = start_units_table();
    for (const PowerUnit& unit : *in_.units) {
      const double rating = unit_rating(*in_.catalog, unit, power_factor_).watts;
      out_.units.push_back({unit.id, 0.0, 0.0, rating});
      t.columns[0].words.push_back(unit.name);
      t.columns[1].words.emplace_back(kind_word(unit.kind));
      t.columns[2].words.emplace_back(ChoiceWords<Feed>::words[static_cast<std::size_t>(unit.feed)]);
      t.columns[3].numbers.push_back(rating);
      t.columns[4].numbers.push_back(rating * usable_share_of(unit, in_.plant->continuous_load_factor));
      t.columns[5].numbers.push_back(nan);
      t.columns[6].numbers.push_back(nan);
      t.columns[7].numbers.push_back(nan);
      t.columns[8].words.emplace_back();
      t.columns[9].words.emplace_back("no load");
      t.entities.push_back(unit.id);
      t.row_figures.emplace_back();
    }
  }
  void units_table(const FeedGraph&, const std::vector<UnitCarries>& carries, const std::vector<double>& headrooms,
                   const std::vector<bool>& at_least, const std::map<std::size_t, UnitFigures>& explained) {
    Table& t = start_units_table();
    for (std::size_t i = 0; i < out_.units.size(); ++i) {
      const PowerUnit& unit = (*in_.units)[i];
      const PowerUnitLoad& load = out_.units[i];
      t.columns[0].words.push_back(unit.name);
      t.columns[1].words.emplace_back(kind_word(unit.kind));
      t.columns[2].words.emplace_back(ChoiceWords<Feed>::words[static_cast<std::size_t>(unit.feed)]);
      t.columns[3].numbers.push_back(load.rating_w);
      t.columns[4].numbers.push_back(load.rating_w * usable_share_of(unit, in_.plant->continuous_load_factor));
      t.columns[5].numbers.push_back(load.normal_w);
      t.columns[6].numbers.push_back(load.failover_w);
      t.columns[7].numbers.push_back(headrooms[i]);
      t.columns[8].words.push_back(unit_name(carries[i].worst_out));
      t.columns[9].words.emplace_back(at_least[i]                 ? "at least"
                                      : std::isnan(load.rating_w) ? "rating unknown"
                                                                  : "complete");
      t.entities.push_back(unit.id);
      t.row_figures.push_back(explained.count(i) ? fmt::format("power.unit.{}.load_worst", unit.id) : std::string());
    }
  }

  // --- the smallest headroom
  // ------------------------------------------------------------------------------------------

  void worst() {
    smallest();
    if (out_.worst_headroom.has_value())
      ledger_.limit(out_.worst_headroom,
                    ledger_.constant<double>("power.headroom_least", "No unit above its rating", 0.0,
                                             "a load above a rating is refused, whatever the margin", &kind::percent),
                    LimitSense::at_least);
  }

  void smallest() {
    const Traced<double>& utility = out_.utility_headroom;
    if (!utility.has_value() && !worst_headroom_) {
      out_.worst_headroom =
          ledger_.as<double>("power.headroom_worst", "Power headroom, worst", utility, &kind::percent);
      return;
    }
    if (worst_headroom_ && (!utility.has_value() || worst_headroom_->value <= utility.value)) {
      out_.worst_headroom = ledger_.as<double>("power.headroom_worst", "Power headroom, worst: " + worst_words_,
                                               *worst_headroom_, &kind::percent);
      ledger_.remark(out_.worst_headroom, worst_words_);
    } else {
      out_.worst_headroom =
          ledger_.as<double>("power.headroom_worst", "Power headroom, worst: the utility", utility, &kind::percent);
      out_.worst_unit = 0;
      ledger_.remark(out_.worst_headroom, in_.units->empty() ? "the utility; no power unit is drawn" : "the utility");
    }
  }

  const PowerInputs& in_;
  const LoadResult& load_;
  const CoolingResult& cooling_;
  Ledger ledger_{Page::power};
  PowerResult out_;
  std::vector<Table> tables_;
  Table levels_table_;
  Traced<Power> it_, utility_, distribution_in_, ups_out_, transformer_out_;
  Traced<Power> other_;
  Traced<Count> redundancy_;
  std::map<PowerUnitKind, Traced<double>> per_it_watt_;
  std::optional<Traced<double>> worst_headroom_;
  std::string worst_words_;
  double power_factor_ = nan;
};

} // namespace

PowerResult power(const PowerInputs& inputs, const LoadResult& load, const CoolingResult& cooling) {
  return PowerStage(inputs, load, cooling).run();
}

} // namespace hallwright
