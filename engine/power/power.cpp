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
#include "power/carried_load.h"
#include "power/chain.h"
#include "power/feed_graph.h"
#include "power/one_line_design.h"
#include "power/formulas.h"
#include "space/design_value.h"

namespace hallwright {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr PowerUnitKind levels[] = {PowerUnitKind::utility_feed, PowerUnitKind::transformer, PowerUnitKind::generator,
                                    PowerUnitKind::switchgear,   PowerUnitKind::ups,         PowerUnitKind::rectifier,
                                    PowerUnitKind::static_switch, PowerUnitKind::distribution, PowerUnitKind::busway};
/// Up to this many units each get figures of their own; above it only the worst of each level does.
constexpr std::size_t units_explained = 64;

constexpr ModelNote loss_note{
    "sum over the drawn units of what each loses at the load that it carries",
    "UPS by efficiency curve, transformers by P0 + Pk (S / Sn)^2 (IEC 60076-1), conductors by I^2 R, others by one "
    "efficiency"};
constexpr ModelNote flow_at_note{"power that runs through the drawn units, from the racks up, with the losses beneath",
                                 "power balance of the drawn one-line"};
constexpr ModelNote plant_note{"plant on the units beneath: cooling units on their feeds, the rest by the IT power",
                               "power balance of the drawn one-line"};

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
    prepare();
    draw();
    chain();
    units();
    worst();
    if (out_.one_line) one_line();
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
    const bool assumed = out_.basis == ChainBasis::assumed;
    const std::string figure_id = (assumed ? "power.efficiency." : "power.assumed.efficiency.") + std::string(id);
    if (!assumed) return ledger_.as<double>(figure_id, label + ", where nothing is drawn", fallback(), &kind::percent);
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

  void prepare() {
    it_ = load_.it;
    utility_ = utility_power(ledger_, *in_.site);
    redundancy_ = design_value<&PowerPlant::redundancy>(ledger_, "power_plant", *in_.plant);
    other_ = ledger_.derive(
        "power.other", "Power of lighting, offices, controls", share_of_power, it_,
        design_value<&PowerPlant::other_facility_power_share>(ledger_, "power_plant", *in_.plant));
    const Assumption* factor = in_.catalog->find<Assumption>("power.power_factor");
    power_factor_ = factor && factor->value ? *factor->value : nan;
  }

  // --- the drawn one-line
  // -------------------------------------------------------------------------------------------

  /// The drawn one-line with the loads of racks and plant, and what the headline rests on.
  void draw() {
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
    const OneLine& line = out_.one_line->line;
    normal_.emplace(line);
    totals_ = normal_->totals();
    base_inputs_ = {model_input("it_power", it_), model_input("redundancy", redundancy_)};
    for (const auto& [name, p] : {std::pair("cdu_power", &cooling_.cdu_power), std::pair("fan_power", &cooling_.fan_power),
                                  std::pair("heat_rejection_power", &cooling_.heat_rejection_power), std::pair<const char*, const Traced<Power>*>("other_power", &other_)})
      if (p->completeness != Completeness::not_applicable) base_inputs_.push_back(model_input(name, *p));

    // Racks by what draws the same, for each group of equal feeds.
    const auto& racks = *in_.racks;
    std::map<Id, std::uint32_t> class_of;
    const bool in_order = std::equal(racks.begin(), racks.end(), line.loads().begin(), line.loads().end(),
                                     [](const Rack& r, const OneLineLoad& l) { return r.id == l.id; });
    if (!in_order)
      for (std::size_t i = 0; i < racks.size(); ++i)
        class_of[racks[i].id] = load_.class_of_rack[i];
    classes_of_group_.resize(line.groups().size());
    for (std::size_t g = 0; g < line.groups().size(); ++g)
      for (const std::uint32_t m : line.groups()[g].members)
        ++classes_of_group_[g][in_order ? load_.class_of_rack[m] : class_of[line.loads()[m].id]];

    if (in_watts(totals_.it) > 0.0) find_basis();
  }

  /// What stands above the drawing and beside it.
  void find_basis() {
    const OneLine& line = out_.one_line->line;
    const auto& elements = line.elements();
    std::vector<char> transformer_above(elements.size(), 0), above_a_transformer(elements.size(), 0);
    for (std::size_t i = 0; i < elements.size(); ++i) {
      if (!(normal_->input_watts(i) > 0.0) || elements[i].kind != PowerUnitKind::transformer) continue;
      for (const std::size_t up : line.above(i))
        above_a_transformer[up] = 1;
    }
    for (std::size_t i = 0; i < elements.size(); ++i) {
      if (!normal_->live(i) || line.upstream(i) != OneLine::none || normal_->on_alternate(i)) continue;
      const double w = normal_->input_watts(i);
      if (!(w > 0.0)) continue;
      switch (elements[i].kind) {
      case PowerUnitKind::utility_feed:
      case PowerUnitKind::generator:
      case PowerUnitKind::transformer:
        break;
      case PowerUnitKind::switchgear:
      case PowerUnitKind::ups:
      case PowerUnitKind::rectifier:
      case PowerUnitKind::static_switch:
        if (!above_a_transformer[i]) without_transformer_w_ += w;
        break;
      case PowerUnitKind::distribution:
      case PowerUnitKind::busway:
        without_ups_w_ += w;
        break;
      }
    }
    for (const PlantLoad& p : line.plant())
      if (p.pumps) pumps_hung_w_ += in_watts(p.draw.real);
    const double it = in_watts(it_.value);
    undrawn_it_w_ = std::max(0.0, it - in_watts(totals_.it));
    if (undrawn_it_w_ <= 1e-9 * it) undrawn_it_w_ = 0.0;
    for (const Traced<Power>* p : std::initializer_list<const Traced<Power>*>{
             &cooling_.cdu_power, &cooling_.fan_power, &cooling_.heat_rejection_power, &other_})
      plant_w_ += in_watts(p->value_or(Power{}));
    const double pumps = in_watts(cooling_.cdu_power.value_or(Power{}));
    rest_pumps_w_ = pumps - pumps_hung_w_;
    rest_plant_w_ = plant_w_ - in_watts(totals_.plant) - std::max(0.0, rest_pumps_w_);
    for (double* w : {&rest_pumps_w_, &rest_plant_w_})
      if (*w <= 1e-9 * it) *w = 0.0;
    const bool whole = undrawn_it_w_ == 0.0 && without_ups_w_ == 0.0 && without_transformer_w_ == 0.0 &&
                       rest_pumps_w_ == 0.0 && rest_plant_w_ == 0.0;
    out_.basis = whole ? ChainBasis::drawn : ChainBasis::partly_drawn;
  }

  static bool in_level(PowerUnitKind kind, PowerUnitKind level) {
    return kind == level || (level == PowerUnitKind::distribution && kind == PowerUnitKind::busway);
  }
  /// Output and losses of the drawn units of a level in normal operation; of those that hang on another of it the output
  /// counts once.
  struct DrawnLevel {
    double output_w = 0.0, input_w = 0.0, loss_w = 0.0;
    bool any = false;
  };
  [[nodiscard]] DrawnLevel drawn_level(PowerUnitKind level) const {
    DrawnLevel out;
    if (out_.basis == ChainBasis::assumed) return out;
    const OneLine& line = out_.one_line->line;
    for (std::size_t i = 0; i < line.elements().size(); ++i) {
      if (!in_level(line.elements()[i].kind, level) || !(normal_->input_watts(i) > 0.0)) continue;
      out.any = true;
      out.loss_w += normal_->loss_watts(i);
      const std::int32_t up = normal_->on_alternate(i) ? line.alternate(i) : line.upstream(i);
      const bool below = up != OneLine::none && in_level(line.elements()[static_cast<std::size_t>(up)].kind, level);
      if (!below) {
        out.output_w += normal_->output_watts(i);
        out.input_w += normal_->input_watts(i);
      }
    }
    return out;
  }

  void add_input(std::vector<ModelInput>& inputs, std::string_view name, FigureRef figure, Completeness completeness,
                 const std::shared_ptr<const std::string>& reason) {
    for (const ModelInput& in : inputs)
      if (in.figure == figure) return;
    inputs.push_back({name, completeness, figure, reason});
  }
  template <class T>
  void add_input(std::vector<ModelInput>& inputs, std::string_view name, const Traced<T>& from) {
    add_input(inputs, name, from.figure, from.completeness, from.reason);
  }
  /// What decides the losses of the drawn units of a kind, down to fields and rows of the catalog.
  const std::vector<ModelInput>& law_inputs(PowerUnitKind kind) {
    const auto [at, fresh] = law_inputs_.try_emplace(kind);
    std::vector<ModelInput>& inputs = at->second;
    if (!fresh) return inputs;
    const OneLine& line = out_.one_line->line;
    std::set<std::string> parts_seen;
    for (const PowerUnit& unit : *in_.units) {
      if (unit.kind != kind) continue;
      const std::ptrdiff_t i = line.index(unit.id);
      if (i < 0) continue;
      const OneLineElement& e = line.elements()[static_cast<std::size_t>(i)];
      const bool rated = e.rating_w > 0.0 || e.rating_va > 0.0;
      const PowerPart* part = in_.catalog->find<PowerPart>(unit.part);
      const auto fields = [&]<auto... Members>() {
        const auto one = [&]<auto Member>() {
          if (unit.*Member)
            add_input(inputs, field_info<Member>().name, design_value<Member>(ledger_, "power_units", unit, unit.name));
        };
        (one.template operator()<Members>(), ...);
      };
      const auto with_rating = [&] {
        if (in_.units->size() <= units_explained)
          add_input(inputs, "rating", stated_rating(unit, fmt::format("power.unit.{}.", unit.id)));
      };
      const auto plain = [&](std::string_view name, const char* id) {
        add_input(inputs, name, assumption<double>(ledger_, *in_.catalog, id, kind::percent));
      };
      if (kind != PowerUnitKind::distribution && kind != PowerUnitKind::busway && unit.conductor_resistance && unit.length &&
          rated && drawn_voltage(*in_.units, *in_.catalog, unit)) {
        fields.template operator()<&PowerUnit::conductor_resistance, &PowerUnit::length>();
        with_rating();
      }
      if (rated && (unit.efficiency_at_quarter || unit.efficiency_at_half || unit.efficiency_at_three_quarters ||
                    unit.efficiency_at_full)) {
        fields.template operator()<&PowerUnit::efficiency_at_quarter, &PowerUnit::efficiency_at_half,
                                   &PowerUnit::efficiency_at_three_quarters, &PowerUnit::efficiency_at_full>();
        with_rating();
        continue;
      }
      if (kind == PowerUnitKind::transformer && rated && (unit.no_load_loss || unit.load_loss)) {
        fields.template operator()<&PowerUnit::no_load_loss, &PowerUnit::load_loss>();
        if (!unit.no_load_loss) plain("no_load_loss_fraction", "power.transformer_no_load_loss_fraction");
        if (!unit.load_loss) plain("load_loss_fraction", "power.transformer_load_loss_fraction");
        with_rating();
        continue;
      }
      if (unit.efficiency) {
        fields.template operator()<&PowerUnit::efficiency>();
        continue;
      }
      const bool conductors = unit.conductor_resistance && unit.length && rated &&
                              (kind == PowerUnitKind::distribution || kind == PowerUnitKind::busway) &&
                              drawn_voltage(*in_.units, *in_.catalog, unit);
      if (conductors) {
        fields.template operator()<&PowerUnit::conductor_resistance, &PowerUnit::length>();
        with_rating();
        continue;
      }
      const bool of_part = part && part->efficiency_rated;
      if (of_part && (kind == PowerUnitKind::ups || parts_seen.insert(part->id).second))
        add_input(inputs, "efficiency", part_value<&PowerPart::efficiency_rated>(ledger_, *in_.catalog, *part));
      if (of_part && kind != PowerUnitKind::ups) continue;
      const auto of_plant = [&]<auto Member>(const char* id) {
        if (in_.plant.get()->*Member)
          add_input(inputs, "efficiency", design_value<Member>(ledger_, "power_plant", *in_.plant));
        else if (id)
          plain("efficiency", id);
      };
      switch (kind) {
      case PowerUnitKind::ups:
        if (!of_part && in_.plant->ups_efficiency) {
          of_plant.template operator()<&PowerPlant::ups_efficiency>(nullptr);
        } else if (rated && in_.catalog->find<Assumption>("efficiency.ups_at_50_pct")) {
          for (const auto& [name, id] : {std::pair("efficiency_at_quarter", "efficiency.ups_at_25_pct"),
                                         {"efficiency_at_half", "efficiency.ups_at_50_pct"},
                                         {"efficiency_at_three_quarters", "efficiency.ups_at_75_pct"},
                                         {"efficiency_at_full", "efficiency.ups_at_100_pct"}})
            plain(name, id);
          with_rating();
        } else if (!of_part) {
          plain("efficiency", "efficiency.ups");
        }
        break;
      case PowerUnitKind::transformer:
        if (in_.plant->transformer_efficiency) {
          of_plant.template operator()<&PowerPlant::transformer_efficiency>(nullptr);
        } else if (rated && in_.catalog->find<Assumption>("power.transformer_no_load_loss_fraction")) {
          plain("no_load_loss_fraction", "power.transformer_no_load_loss_fraction");
          plain("load_loss_fraction", "power.transformer_load_loss_fraction");
          with_rating();
        } else {
          plain("efficiency", "efficiency.transformer");
        }
        break;
      case PowerUnitKind::distribution:
      case PowerUnitKind::busway: {
        const PowerUnit* up = find(*in_.units, unit.upstream);
        if (!up || !in_level(up->kind, PowerUnitKind::distribution))
          of_plant.template operator()<&PowerPlant::distribution_efficiency>("efficiency.distribution");
        break;
      }
      case PowerUnitKind::static_switch:
        plain("efficiency", "efficiency.static_switch");
        break;
      case PowerUnitKind::rectifier:
        plain("efficiency", "efficiency.rectifier");
        break;
      case PowerUnitKind::utility_feed:
      case PowerUnitKind::generator:
      case PowerUnitKind::switchgear:
        break; // lose nothing unless they say
      }
    }
    return inputs;
  }
  /// What the drawn flow rests on, with what decides the losses of these kinds.
  std::vector<ModelInput> flow_inputs(const std::vector<PowerUnitKind>& kinds) {
    std::vector<ModelInput> inputs = base_inputs_;
    for (const PowerUnitKind kind : kinds)
      for (const ModelInput& in : law_inputs(kind))
        add_input(inputs, in.name, in.figure, in.completeness, in.reason);
    return inputs;
  }
  static std::vector<PowerUnitKind> kinds_of_level(PowerUnitKind level) {
    return level == PowerUnitKind::distribution ? std::vector{PowerUnitKind::distribution, PowerUnitKind::busway}
                                                : std::vector{level};
  }
  /// Kinds of the drawn units that carry something, from the racks up as far as this one.
  [[nodiscard]] std::vector<PowerUnitKind> kinds_beneath(PowerUnitKind kind) const {
    std::vector<PowerUnitKind> out;
    const auto& elements = out_.one_line->line.elements();
    for (const PowerUnitKind other : levels)
      if (place_in_chain(other) >= place_in_chain(kind) &&
          std::any_of(elements.begin(), elements.end(), [&](const OneLineElement& e) { return e.kind == other; }))
        out.push_back(other);
    return out;
  }

  // --- the chain from the racks to the utility
  // ----------------------------------------------------------------------

  void chain() {
    if (it_.completeness == Completeness::not_applicable) {
      nothing_to_feed(it_.reason ? *it_.reason : std::string("there is no IT load"));
      return;
    }
    const bool assumed = out_.basis == ChainBasis::assumed, drawn = out_.basis == ChainBasis::drawn;
    const std::string stem = assumed ? "power." : "power.assumed.";
    const std::string as_assumed = assumed ? "" : ", assumed where nothing is drawn";

    // What is assumed: from the racks up distribution, UPS with the pumps of the CDUs, transformers with the rest of the
    // plant; where a part is drawn, for what hangs on nothing and above where the drawing ends.
    std::vector<Traced<Power>> distribution_in, ups_out, ups_in, transformer_out;
    std::map<PowerUnitKind, std::vector<Traced<Power>>> losses;
    std::map<PowerUnitKind, Traced<double>> assumed_efficiency;
    std::vector<Traced<Power>> above_drawing;
    if (!drawn) {
      assumed_efficiency[PowerUnitKind::distribution] = efficiency<&PowerPlant::distribution_efficiency>(
          PowerUnitKind::distribution, "distribution", "efficiency.distribution");
      assumed_efficiency[PowerUnitKind::ups] =
          efficiency<&PowerPlant::ups_efficiency>(PowerUnitKind::ups, "ups", "efficiency.ups");
      assumed_efficiency[PowerUnitKind::transformer] = efficiency<&PowerPlant::transformer_efficiency>(
          PowerUnitKind::transformer, "transformer", "efficiency.transformer");
      const auto of_drawing = [&](const char* id, const char* label, double w) {
        return ledger_.modelled<Power>(stem + id, label, flow_at_note, flow_inputs(kinds_beneath(PowerUnitKind::utility_feed)),
                                       watts(w));
      };
      std::vector<Traced<Power>> into_ups;
      if (assumed || undrawn_it_w_ > 0.0) {
        const auto it = assumed ? it_ : of_drawing("it", "IT load on no drawn unit", undrawn_it_w_);
        const auto in = ledger_.derive(stem + "distribution_input", "Power into distribution" + as_assumed,
                                       growing(chain_input_power), it, assumed_efficiency[PowerUnitKind::distribution]);
        if (in.completeness == Completeness::not_applicable) {
          nothing_to_feed(in.reason ? *in.reason : std::string("there is no IT load"));
          return;
        }
        distribution_in.push_back(in);
        into_ups.push_back(in);
        losses[PowerUnitKind::distribution].push_back(
            ledger_.derive(stem + "loss.distribution", "Loss in distribution" + as_assumed, growing(chain_loss), it,
                           assumed_efficiency[PowerUnitKind::distribution]));
      }
      if (without_ups_w_ > 0.0)
        into_ups.push_back(of_drawing("below_ups", "Power into drawn distribution that hangs on no drawn UPS", without_ups_w_));
      if (assumed || pumps_hung_w_ == 0.0)
        into_ups.push_back(cooling_.cdu_power);
      else if (rest_pumps_w_ > 0.0)
        into_ups.push_back(of_drawing("cdu_power", "CDU pumps on no drawn unit", rest_pumps_w_));
      std::vector<Traced<Power>> into_transformers;
      if (assumed || undrawn_it_w_ > 0.0 || without_ups_w_ > 0.0 || rest_pumps_w_ > 0.0) {
        const auto out = ledger_.sum<Power>(stem + "ups_output",
                                            "Power out of the UPS: IT, distribution loss, CDU pumps" + as_assumed, into_ups);
        const auto in = ledger_.derive(stem + "ups_input", "Power into the UPS" + as_assumed, growing(chain_input_power), out,
                                       assumed_efficiency[PowerUnitKind::ups]);
        ups_out.push_back(out);
        ups_in.push_back(in);
        into_transformers.push_back(in);
        losses[PowerUnitKind::ups].push_back(ledger_.derive(stem + "loss.ups", "Loss in the UPS" + as_assumed,
                                                            growing(chain_loss), out, assumed_efficiency[PowerUnitKind::ups]));
      }
      if (without_transformer_w_ > 0.0)
        into_transformers.push_back(
            of_drawing("below_transformers", "Power into drawn units that hang on no drawn transformer", without_transformer_w_));
      if (assumed) {
        for (const Traced<Power>* p : std::initializer_list<const Traced<Power>*>{
                 &cooling_.fan_power, &cooling_.heat_rejection_power, &other_})
          into_transformers.push_back(*p);
      } else if (rest_plant_w_ > 0.0) {
        into_transformers.push_back(of_drawing("plant", "Cooling and other plant on no drawn unit", rest_plant_w_));
      }
      const auto out =
          ledger_.sum<Power>(stem + "transformer_output", "Power out of the transformers" + as_assumed, into_transformers);
      transformer_out.push_back(out);
      losses[PowerUnitKind::transformer].push_back(
          ledger_.derive(stem + "loss.transformer", "Loss in transformers" + as_assumed, growing(chain_loss), out,
                         assumed_efficiency[PowerUnitKind::transformer]));
      if (assumed)
        out_.facility = ledger_.derive("power.facility", "Facility power", growing(chain_input_power), out,
                                       assumed_efficiency[PowerUnitKind::transformer]);
    }

    // What is drawn, level by level, and both together under the name of the level.
    levels_table_.id = "power.levels";
    levels_table_.title = "Power chain";
    levels_table_.columns.reserve(4);
    levels_table_.add_words("level", "Level");
    levels_table_.add_numbers("power", "Power", kind::power, "kW").formula =
        assumed ? "output of the level; cooling enters at the UPS (CDU pumps) and at the transformers (fans, heat rejection)"
                : "output of the level in normal operation, with the plant that hangs on it";
    levels_table_.add_numbers("loss", "Loss", kind::power, "kW");
    levels_table_.add_numbers("efficiency", "Efficiency", kind::percent);
    const auto row = [&](const std::string& word, const Traced<Power>& p, const Traced<Power>* lost,
                         const Traced<double>* share, const std::string& figure) {
      levels_table_.columns[0].words.push_back(word);
      levels_table_.columns[1].numbers.push_back(p.has_value() ? in_watts(p.value) : nan);
      levels_table_.columns[2].numbers.push_back(lost && lost->has_value() ? in_watts(lost->value) : nan);
      levels_table_.columns[3].numbers.push_back(share && share->has_value() ? share->value : nan);
      levels_table_.row_figures.push_back(figure);
    };
    std::vector<Traced<Power>> all_losses;
    struct Row {
      std::string word, figure;
      Traced<Power> output, loss;
      Traced<double> efficiency;
    };
    std::vector<Row> rows;
    for (const PowerUnitKind level : levels) {
      if (level == PowerUnitKind::busway) continue;
      const DrawnLevel d = drawn_level(level);
      const std::string id = level_id(level), label = level == PowerUnitKind::distribution ? "distribution" : kind_label(level);
      auto& lost = losses[level];
      const bool chain_level = level == PowerUnitKind::transformer || level == PowerUnitKind::ups || level == PowerUnitKind::distribution;
      if (!d.any && lost.empty()) {
        if (chain_level && level != PowerUnitKind::distribution) {
          const std::string why = "no " + label + " stands in the drawn chain";
          ledger_.absent<Power>("power." + id + "_output", "Power out of the " + label, Completeness::not_applicable, why);
          if (level == PowerUnitKind::ups) {
            ledger_.absent<Power>("power.ups_input", "Power into the UPS", Completeness::not_applicable, why);
            ledger_.absent<Power>("power.ups_needed", "UPS rating needed", Completeness::not_applicable, why);
          }
        }
        continue;
      }
      const bool source = level == PowerUnitKind::utility_feed || level == PowerUnitKind::generator;
      if (source && d.loss_w <= 0.0) continue; // they lose nothing unless they say so
      const auto inputs = d.any ? flow_inputs(kinds_beneath(level)) : std::vector<ModelInput>{};
      const auto whole = [&](const std::string& name, const std::string& words, double w, std::vector<Traced<Power>> others,
                             const ModelNote& note) {
        if (assumed) return others.front();
        if (!d.any) return ledger_.as<Power>("power." + name, words, others.front());
        if (others.empty())
          return ledger_.modelled<Power>("power." + name, words + ", as drawn", note, inputs, watts(w));
        others.push_back(ledger_.modelled<Power>("power.drawn." + name, words + ", as drawn", note, inputs, watts(w)));
        return ledger_.sum<Power>("power." + name, words, others);
      };
      const std::string of_kind = level == PowerUnitKind::ups ? "the UPS" : level == PowerUnitKind::distribution ? "distribution" : label + "s";
      Row r;
      r.word = id;
      std::replace(r.word.begin(), r.word.end(), '_', ' ');
      r.figure = level == PowerUnitKind::distribution ? "power.it" : "power." + id + "_output";
      r.loss = whole("loss." + id, level == PowerUnitKind::ups ? "Loss in the UPS" : "Loss in " + of_kind, d.loss_w, lost, loss_note);
      all_losses.push_back(r.loss);
      if (level == PowerUnitKind::distribution) {
        r.output = it_;
        distribution_in_ = whole("distribution_input", "Power into distribution", d.input_w, distribution_in, flow_at_note);
      } else {
        r.output = whole(id + "_output",
                         level == PowerUnitKind::ups ? "Power out of the UPS: IT, distribution loss, CDU pumps" : "Power out of the " + of_kind,
                         d.output_w, level == PowerUnitKind::ups ? ups_out : level == PowerUnitKind::transformer ? transformer_out : std::vector<Traced<Power>>{},
                         flow_at_note);
      }
      if (level == PowerUnitKind::ups) {
        whole("ups_input", "Power into the UPS", d.input_w, ups_in, flow_at_note);
        const auto needed = ledger_.derive("power.ups_needed", fmt::format("UPS rating needed, {}", redundancy_word()),
                                           rating_needed, r.output, redundancy_);
        if (in_.plant->redundancy == Redundancy::n_plus_1 && needed.has_value())
          ledger_.remark(needed, "N+1: one more module on top, by the size of the modules");
      }
      if (assumed)
        r.efficiency = assumed_efficiency[level];
      else
        r.efficiency = ledger_.derive("power.efficiency." + id,
                                      "Efficiency, " + label + (d.any && lost.empty() ? ", as drawn, at its load" : ""),
                                      chain_efficiency, r.output, r.loss);
      rows.push_back(std::move(r));
    }
    out_.losses = ledger_.sum<Power>("power.losses", "Losses of the power chain", all_losses);
    out_.plant = ledger_.sum<Power>("power.plant", "Power of cooling and everything else that is no IT",
                                    {cooling_.cdu_power, cooling_.fan_power, cooling_.heat_rejection_power, other_});
    if (!assumed)
      out_.facility = ledger_.sum<Power>("power.facility", drawn || nearly_drawn() ? "Facility power as drawn" : "Facility power, drawn in part",
                                         {it_, out_.plant, out_.losses});
    say_what_is_assumed();
    row("utility", out_.facility, nullptr, nullptr, "power.facility");
    for (const Row& r : rows)
      row(r.word, r.output, &r.loss, &r.efficiency, r.figure);

    ledger_.limit(out_.facility, utility_, LimitSense::at_most);
    out_.power_usage_effectiveness =
        ledger_.derive("power.pue", "PUE at the design point", power_usage_effectiveness, out_.facility, it_);
    year(assumed ? &ups_in.front() : nullptr, assumed ? assumed_efficiency[PowerUnitKind::transformer] : Traced<double>{});
    const auto assumed_ratio = design_value<&Goal::assumed_power_usage_effectiveness>(ledger_, "goal", *in_.goal);
    // The goal's assumption counts until racks are drawn.
    if (in_.racks->empty()) ledger_.limit(out_.power_usage_effectiveness, assumed_ratio, LimitSense::at_most, 1.0);
    out_.it_capacity =
        ledger_.derive("power.it_capacity", "IT power that the utility carries", it_power_capacity, utility_,
                       out_.power_usage_effectiveness.has_value() ? out_.power_usage_effectiveness : assumed_ratio);
    out_.it = ledger_.as<Power>("power.it", "IT load", it_);
    ledger_.limit(out_.it, out_.it_capacity, LimitSense::at_most);
    Formula headroom = headroom_share;
    headroom.result_kind = &kind::percent;
    out_.utility_headroom =
        ledger_.derive("power.utility_headroom", "Utility headroom", headroom, out_.facility, utility_);
  }

  static constexpr std::array<std::pair<const char*, const char*>, 3> of_the_year{{{"power.facility_mean", "Facility power, mean of the typical year"},
                                                                                   {"power.annual_pue", "PUE of the typical year"},
                                                                                   {"power.facility_energy", "Energy of the facility in the typical year"}}};
  void no_year(Completeness completeness, const std::string& why) {
    out_.mean_facility = ledger_.absent<Power>(of_the_year[0].first, of_the_year[0].second, completeness, why);
    out_.annual_power_usage_effectiveness = ledger_.absent<double>(of_the_year[1].first, of_the_year[1].second, completeness, why);
    out_.facility_energy = ledger_.absent<Energy>(of_the_year[2].first, of_the_year[2].second, completeness, why);
  }
  /// The chain over the typical year: the same load throughout, heat rejection by the outdoor air. Losses of what is
  /// drawn are those of the design point, when heat rejection draws most: slightly too much.
  /// @param into_transformers  of the assumed chain, beside the plant there; null: the chain is drawn
  void year(const Traced<Power>* into_transformers, const Traced<double>& transformer_efficiency) {
    const Traced<Power>& rejection = cooling_.year.mean_rejection;
    if (!rejection.has_value()) {
      no_year(rejection.completeness, rejection.reason ? *rejection.reason : "the year of heat rejection is not known");
      return;
    }
    if (into_transformers) {
      const auto output = ledger_.sum<Power>("power.transformer_output_mean", "Power out of the transformers, mean of the typical year",
                                             {*into_transformers, cooling_.fan_power, rejection, other_});
      out_.mean_facility = ledger_.derive(of_the_year[0].first, of_the_year[0].second, growing(chain_input_power), output, transformer_efficiency);
    } else {
      const auto plant = ledger_.sum<Power>("power.plant_mean", "Power of cooling and everything else that is no IT, mean of the typical year",
                                            {cooling_.cdu_power, cooling_.fan_power, rejection, other_});
      out_.mean_facility = ledger_.sum<Power>(of_the_year[0].first, of_the_year[0].second, {it_, plant, out_.losses});
    }
    out_.annual_power_usage_effectiveness =
        ledger_.derive(of_the_year[1].first, of_the_year[1].second, power_usage_effectiveness, out_.mean_facility, it_);
    const YearStudy& study = *cooling_.year.study;
    out_.facility_energy = ledger_.derive(of_the_year[2].first, of_the_year[2].second, energy_of_mean_power, out_.mean_facility,
                                          ledger_.measured<Time>("power.year_hours", "Hours of the typical year", hours(study.totals.hours),
                                                                 "hours of the climate, cooling.climate_hours"));

    // PUE over the outdoor air: the chain is straight in the power of heat rejection.
    if (!out_.mean_facility.has_value() || !it_.has_value() || in_watts(it_.value) <= 0.0) return;
    const double per_watt = into_transformers && transformer_efficiency.has_value() ? 1.0 / transformer_efficiency.value : 1.0;
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
      const double facility = mean + (s.rejection_w - study.totals.mean_rejection_w) * per_watt;
      dry.numbers.push_back(s.dry_c + 273.15);
      time.numbers.push_back(s.hours * 3600.0);
      power.numbers.push_back(facility);
      pue.numbers.push_back(facility / in_watts(it_.value));
    }
    tables_.push_back(std::move(t));
  }

  /// All but a thousandth of the IT load hangs on a whole chain: single devices that stand in no drawn rack.
  [[nodiscard]] bool nearly_drawn() const {
    return out_.basis != ChainBasis::assumed && undrawn_it_w_ < 1e-3 * in_watts(it_.value) && dark_racks() == 0 &&
           without_ups_w_ == 0.0 && without_transformer_w_ == 0.0;
  }
  /// Racks on drawn units of which none has power.
  [[nodiscard]] Count dark_racks() const { return out_.one_line ? out_.one_line->single.normal.racks_dark : 0; }
  [[nodiscard]] std::string dark_racks_words() const {
    const Count n = dark_racks();
    return fmt::format("{} {} on drawn units without power", n, n == 1 ? "rack hangs" : "racks hang");
  }
  /// What the headline rests on, where it is not the drawing alone.
  void say_what_is_assumed() {
    if (out_.basis == ChainBasis::drawn || !out_.facility.has_value()) return;
    std::string why;
    if (out_.basis == ChainBasis::assumed) {
      why = (dark_racks() > 0 ? dark_racks_words() : std::string("no drawn unit feeds a rack")) +
            ": a chain of transformers, UPS and distribution is assumed";
    } else {
      const auto add = [&](const std::string& words) { why += (why.empty() ? "assumed: " : "; ") + words; };
      const auto power_words = [](double w) { return format_quantity(w, kind::power).joined(); };
      if (undrawn_it_w_ > 0.0)
        add("distribution, UPS and transformers for " + power_words(undrawn_it_w_) + " of IT on no drawn unit" +
            (dark_racks() > 0 ? " with power (" + dark_racks_words() + ")" : std::string()));
      if (without_ups_w_ > 0.0) add("UPS and transformers above distribution that ends there");
      if (without_transformer_w_ > 0.0) add("transformers above units that end there");
      if (undrawn_it_w_ == 0.0 && without_ups_w_ == 0.0 && without_transformer_w_ == 0.0)
        add("transformers for " + power_words(rest_pumps_w_ + rest_plant_w_) + " of plant on no drawn unit");
    }
    if (out_.facility.completeness == Completeness::exact)
      out_.facility = ledger_.assumed(out_.facility, why);
    else if (out_.facility.completeness == Completeness::estimate)
      ledger_.remark(out_.facility, why);
  }

  /// Figures and tables of the drawn one-line.
  void one_line() {
    out_.drawn = one_line_figures(ledger_, *out_.one_line, flow_inputs(kinds_beneath(PowerUnitKind::utility_feed)));
    tables_.push_back(one_line_flow_table(*out_.one_line));
    tables_.push_back(contingency_table(*out_.one_line));
    tables_.push_back(worst_loads_table(*out_.one_line));
  }

  /// Without an IT load, or with an efficiency that nothing can be divided by.
  void nothing_to_feed(const std::string& why) {
    auto power_of = [&](const char* id, const char* label) {
      return ledger_.absent<Power>(id, label, Completeness::not_applicable, why);
    };
    out_.facility = power_of("power.facility", "Facility power");
    out_.losses = power_of("power.losses", "Losses of the power chain");
    out_.plant = power_of("power.plant", "Power of cooling and everything else that is no IT");
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

  /// What the unit or its part is rated for, as it is stated: power, or apparent power or current at the assumed power
  /// factor.
  Traced<Power> stated_rating(const PowerUnit& unit, const std::string& stem) {
    const auto [at, fresh] = stated_ratings_.try_emplace(unit.id);
    if (fresh) at->second = rating_figure(unit, stem + "rating", unit.name + ": rating", assumed_power_factor(), false);
    return at->second;
  }
  Traced<double> assumed_power_factor() { return assumption<double>(ledger_, *in_.catalog, "power.power_factor"); }
  /// @param apparent  the rating in volt-amperes or amperes is what binds
  Traced<Power> rating_figure(const PowerUnit& unit, const std::string& id, const std::string& label,
                              const Traced<double>& factor, bool apparent) {
    const PowerPart* part = in_.catalog->find<PowerPart>(unit.part);
    const DrawnVoltage voltage = drawn_voltage(*in_.units, *in_.catalog, unit);
    const auto volts_figure = [&] {
      return voltage.unit ? design_value<&PowerUnit::voltage>(ledger_, "power_units", *voltage.unit, voltage.unit->name)
                          : part_value<&PowerPart::voltage>(ledger_, *in_.catalog, *voltage.part);
    };
    const bool direct = system_of(unit) == ElectricalSystem::direct_current;
    const auto one = [&] { return ledger_.constant<double>("power.direct", "Power factor of direct current", 1.0, "no reactive power"); };
    RatingSource source = unit_rating(*in_.catalog, unit, power_factor_, voltage.volts).source;
    if (apparent && unit.rating_apparent) source = RatingSource::unit_apparent;
    switch (source) {
    case RatingSource::unit:
      return design_value<&PowerUnit::rating>(ledger_, "power_units", unit, unit.name);
    case RatingSource::unit_apparent:
      return ledger_.derive(id, label, real_rating,
                            design_value<&PowerUnit::rating_apparent>(ledger_, "power_units", unit, unit.name), direct ? one() : factor);
    case RatingSource::part:
      return part_value<&PowerPart::rating>(ledger_, *in_.catalog, *part);
    case RatingSource::part_apparent:
      return ledger_.derive(id, label, real_rating,
                            part_value<&PowerPart::rating_apparent>(ledger_, *in_.catalog, *part), direct ? one() : factor);
    case RatingSource::part_current:
      if (system_of(unit) == ElectricalSystem::three_phase)
        return ledger_.derive(id, label, three_phase_rating,
                              part_value<&PowerPart::rating_current>(ledger_, *in_.catalog, *part), volts_figure(), factor);
      return ledger_.derive(id, label, two_conductor_rating,
                            part_value<&PowerPart::rating_current>(ledger_, *in_.catalog, *part), volts_figure(), direct ? one() : factor);
    case RatingSource::none:
      break;
    }
    return ledger_.absent<Power>(id, label, Completeness::unknown,
                                 "the rating of " + unit.name + " is not known: neither the unit nor its part says");
  }

  /// What one unit can carry as power at the power factor of a load, and whether its volt-amperes bind.
  struct Rated {
    double watts = nan;
    bool apparent = false;
  };
  [[nodiscard]] Rated rated(std::size_t element, const ComplexPower& load) const {
    const OneLineElement& e = out_.one_line->line.elements()[element];
    Rated r;
    if (e.rating_w > 0.0) r.watts = e.rating_w;
    if (e.rating_va > 0.0) {
      const double factor = in_watts(load.real) > 0.0 ? load.factor().cosine : std::isfinite(power_factor_) ? power_factor_ : 1.0;
      if (!(e.rating_va * factor >= r.watts)) r = {e.rating_va * factor, true};
    }
    return r;
  }

  /// A state of the one-line: normal operation or one unit out, before anything trips because of it.
  const PowerFlow& state_with_out(Id out) {
    if (out == 0) return *normal_;
    const auto [at, fresh] = states_.try_emplace(out, *normal_);
    if (fresh) {
      const std::size_t failed[] = {static_cast<std::size_t>(out_.one_line->line.index(out))};
      at->second.solve(failed);
    }
    return at->second;
  }
  /// The unit that is out when this one carries most; 0: in normal operation.
  [[nodiscard]] Id worst_out(const ElementWorst& worst) const {
    return worst.worst_case < 0 ? Id{0} : out_.one_line->single.cases[static_cast<std::size_t>(worst.worst_case)].out.front();
  }

  struct UnitFigures {
    Traced<Power> normal, worst, usable;
    Traced<double> headroom;
  };
  /// Load of a unit, normal and with the worst unit out, down to racks, rack power, plant and losses.
  UnitFigures explain(std::size_t element, Id out_unit) {
    const OneLine& line = out_.one_line->line;
    const PowerUnit& unit = *find(*in_.units, line.elements()[element].id);
    const std::string stem = fmt::format("power.unit.{}.", unit.id);
    UnitFigures out;
    const auto load = [&](const std::string& state, const std::string& label, Id failed) {
      const PowerFlow& flow = state_with_out(failed);
      const CarriedLoad carried = carried_load(flow, element, classes_of_group_);
      std::vector<Traced<Power>> parts;
      const std::string with = failed == 0 ? std::string() : " with " + unit_name(failed) + " out";
      for (const auto& [rack_class, racks] : carried.racks) {
        const RackClassLoad& c = load_.rack_classes[rack_class];
        const auto count = ledger_.measured<double>(
            fmt::format("{}{}.{}.racks", stem, state, c.key),
            fmt::format("Racks {} on {}{}, by their share", c.name, unit.name, with), racks,
            "racks wired to the unit or below it; a rack on two live feeds counts half");
        parts.push_back(ledger_.derive(fmt::format("{}{}.{}", stem, state, c.key),
                                       fmt::format("Load of {}{} by racks {}", unit.name, with, c.name),
                                       racks_on_unit, count, c.power, at_the_rack()));
      }
      if (carried.plant_w > 0.0)
        parts.push_back(ledger_.modelled<Power>(fmt::format("{}{}.plant", stem, state),
                                                fmt::format("Plant on {}{} and beneath it", unit.name, with), plant_note,
                                                base_inputs_, watts(carried.plant_w)));
      if (carried.losses_w > 0.0)
        parts.push_back(ledger_.modelled<Power>(fmt::format("{}{}.losses", stem, state),
                                                fmt::format("Losses beneath {}{}", unit.name, with), loss_note,
                                                flow_inputs(kinds_beneath(unit.kind)), watts(carried.losses_w)));
      return ledger_.sum<Power>(stem + state, label, parts);
    };
    out.normal = load("load", unit.name + ": load", 0);
    if (in_.plant->redundancy == Redundancy::n || out_unit == 0)
      out.worst = ledger_.as<Power>(stem + "load_worst", unit.name + ": load, all in service", out.normal);
    else
      out.worst = load("load_worst", fmt::format("{}: load with {} out", unit.name, unit_name(out_unit)), out_unit);
    // Volt-amperes bind at the power factor of the load.
    const ComplexPower at_worst = state_with_out(in_.plant->redundancy == Redundancy::n ? 0 : out_unit).at(element).output;
    const bool apparent = rated(element, at_worst).apparent && in_watts(at_worst.real) > 0.0;
    const auto rating =
        apparent ? rating_figure(unit, stem + "rating_at_load", unit.name + ": rating at the power factor of its load",
                                 ledger_.modelled<double>(stem + "power_factor", unit.name + ": power factor of its load",
                                                          flow_at_note, flow_inputs(kinds_beneath(unit.kind)),
                                                          at_worst.factor().cosine),
                                 true)
                 : stated_rating(unit, stem);
    const bool continuous = continuous_share(unit.kind, 0.5) < 1.0;
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
    out.headroom = ledger_.derive(stem + "headroom", unit.name + ": headroom" + state_words(out_unit), headroom,
                                  out.worst, out.usable);
    return out;
  }
  [[nodiscard]] std::string state_words(Id out_unit) const {
    return in_.plant->redundancy == Redundancy::n || out_unit == 0 ? std::string() : " with " + unit_name(out_unit) + " out";
  }
  [[nodiscard]] std::string unit_name(Id id) const {
    const PowerUnit* unit = find(*in_.units, id);
    return unit ? (unit->name.empty() ? fmt::format("unit {}", id) : unit->name) : std::string();
  }
  Traced<double> at_the_rack() {
    return ledger_.constant<double>("power.one", "At the rack itself", 1.0, "no loss between the rack and itself");
  }

  /// One row of the table of units, in the order of the elements of the one-line.
  struct UnitRow {
    Id worst_out = 0;
    double usable = nan, headroom = nan;
    bool at_least = false; ///< racks of unknown power hang on it
  };
  void units() {
    if (!out_.one_line || it_.completeness == Completeness::not_applicable || !out_.facility.figure.valid()) {
      empty_units_table();
      tables_.push_back(std::move(levels_table_));
      return;
    }
    const OneLine& line = out_.one_line->line;
    const auto& elements = line.elements();
    const bool claimed = in_.plant->redundancy != Redundancy::n;
    std::vector<UnitRow> rows(elements.size());
    for (std::size_t g = 0; g < line.groups().size(); ++g) {
      if (std::none_of(classes_of_group_[g].begin(), classes_of_group_[g].end(), [&](const auto& c) { return incomplete(c.first); }))
        continue;
      for (const std::int32_t feed : {line.groups()[g].a, line.groups()[g].b}) {
        if (feed == OneLine::none) continue;
        const auto mark = [&](std::size_t element) {
          for (const std::uint32_t m : line.buses()[line.bus_of(element)].members)
            rows[m].at_least = true;
        };
        mark(static_cast<std::size_t>(feed));
        for (const std::size_t up : line.above(static_cast<std::size_t>(feed)))
          mark(up);
      }
    }
    std::map<PowerUnitKind, std::size_t> worst_of_level;
    for (std::size_t i = 0; i < elements.size(); ++i) {
      const ElementWorst& worst = out_.one_line->single.elements[i];
      UnitRow& r = rows[i];
      r.worst_out = worst_out(worst);
      const Rated rating = rated(i, state_with_out(claimed ? r.worst_out : 0).at(i).output);
      out_.units.push_back({elements[i].id, worst.normal_w, worst.worst_w, rating.watts});
      r.usable = rating.watts * elements[i].usable_share;
      if (r.usable > 0) r.headroom = 1.0 - (claimed ? worst.worst_w : worst.normal_w) / r.usable;
      if (worst.normal_w <= 0 && worst.worst_w <= 0 && !r.at_least) continue;
      const auto [it, fresh] = worst_of_level.try_emplace(elements[i].kind, i);
      // A unit whose rating is known tells more than one without.
      if (!fresh && (r.headroom < rows[it->second].headroom ||
                     (std::isnan(rows[it->second].headroom) && !std::isnan(r.headroom))))
        it->second = i;
    }
    std::map<std::size_t, UnitFigures> explained;
    for (std::size_t i = 0; i < elements.size(); ++i) {
      const auto worst = worst_of_level.find(elements[i].kind);
      if (elements.size() <= units_explained || (worst != worst_of_level.end() && worst->second == i))
        explained.emplace(i, explain(i, rows[i].worst_out));
    }
    for (const PowerUnitKind kind : levels) {
      const auto worst = worst_of_level.find(kind);
      if (worst == worst_of_level.end()) continue;
      const auto& figures = explained.at(worst->second);
      const std::string stem = "power.level." + level_id(kind) + ".";
      const std::string name = unit_name(elements[worst->second].id) + state_words(rows[worst->second].worst_out);
      const auto load = ledger_.as<Power>(stem + "load_worst",
                                          fmt::format("Worst {}: load of {}", kind_label(kind), name), figures.worst);
      ledger_.limit(load, figures.usable, LimitSense::at_most);
      const auto headroom =
          ledger_.as<double>(stem + "headroom", fmt::format("Worst {}: headroom of {}", kind_label(kind), name),
                             figures.headroom, &kind::percent);
      if (headroom.has_value() && (!worst_headroom_ || headroom.value < worst_headroom_->value)) {
        worst_headroom_ = headroom;
        out_.worst_unit = elements[worst->second].id;
        worst_words_ = name;
      }
    }
    units_table(rows, explained);
    tables_.push_back(std::move(levels_table_));
    unfed();
  }

  /// Load of drawn racks that no unit carries.
  void unfed() {
    const OneLine& line = out_.one_line->line;
    std::map<std::uint32_t, Count> racks_of_class;
    for (std::size_t g = 0; g < line.groups().size(); ++g)
      if (line.groups()[g].a == OneLine::none)
        for (const auto& [rack_class, racks] : classes_of_group_[g])
          racks_of_class[rack_class] += racks;
    std::vector<Traced<Power>> unfed;
    for (const auto& [rack_class, count] : racks_of_class) {
      const RackClassLoad& c = load_.rack_classes[rack_class];
      const auto racks = ledger_.measured<double>(fmt::format("power.unfed.{}.racks", c.key),
                                                  fmt::format("Racks {} without a feed", c.name),
                                                  static_cast<double>(count),
                                                  "racks whose A and B feed name no drawn unit");
      unfed.push_back(ledger_.derive(fmt::format("power.unfed.{}", c.key),
                                     fmt::format("Load without a feed, racks {}", c.name), racks_on_unit, racks,
                                     c.power, at_the_rack()));
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
        "rating at the power factor of the load, times the continuous load factor where it has one";
    t.add_numbers("load", "Load", kind::power, "kW").formula =
        "racks beneath it, split evenly over live feeds, with the plant and the losses beneath";
    t.add_numbers("load_worst", "Load, worst unit out", kind::power, "kW");
    t.add_numbers("headroom", "Headroom", kind::percent).formula = "1 - load with the worst unit out / usable rating";
    t.add_words("worst_out", "With out");
    t.add_words("data", "Data");
    return t;
  }
  void empty_units_table() {
    Table& t = start_units_table();
    for (const PowerUnit& unit : *in_.units) {
      const double rating =
          unit_rating(*in_.catalog, unit, power_factor_, drawn_voltage(*in_.units, *in_.catalog, unit).volts).watts;
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
  void units_table(const std::vector<UnitRow>& rows, const std::map<std::size_t, UnitFigures>& explained) {
    Table& t = start_units_table();
    for (std::size_t i = 0; i < out_.units.size(); ++i) {
      const PowerUnitLoad& load = out_.units[i];
      const PowerUnit& unit = *find(*in_.units, load.unit);
      t.columns[0].words.push_back(unit.name);
      t.columns[1].words.emplace_back(kind_word(unit.kind));
      t.columns[2].words.emplace_back(ChoiceWords<Feed>::words[static_cast<std::size_t>(unit.feed)]);
      t.columns[3].numbers.push_back(load.rating_w);
      t.columns[4].numbers.push_back(rows[i].usable);
      t.columns[5].numbers.push_back(load.normal_w);
      t.columns[6].numbers.push_back(load.failover_w);
      t.columns[7].numbers.push_back(rows[i].headroom);
      t.columns[8].words.push_back(unit_name(rows[i].worst_out));
      t.columns[9].words.emplace_back(rows[i].at_least            ? "at least"
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
  Traced<Power> it_, utility_, distribution_in_, other_;
  Traced<Count> redundancy_;
  std::optional<PowerFlow> normal_; ///< of the drawn one-line
  FlowTotals totals_;
  std::map<Id, PowerFlow> states_; ///< with one unit out
  std::vector<std::map<std::uint32_t, Count>> classes_of_group_;
  std::vector<ModelInput> base_inputs_;
  std::map<PowerUnitKind, std::vector<ModelInput>> law_inputs_;
  std::map<Id, Traced<Power>> stated_ratings_;
  double undrawn_it_w_ = 0.0;                               ///< of racks on no live drawn unit
  double without_ups_w_ = 0.0, without_transformer_w_ = 0.0; ///< inputs of drawn units above which the drawing ends
  double plant_w_ = 0.0, pumps_hung_w_ = 0.0, rest_pumps_w_ = 0.0, rest_plant_w_ = 0.0; ///< all of it; on nothing drawn
  std::optional<Traced<double>> worst_headroom_;
  std::string worst_words_;
  double power_factor_ = nan;
};

} // namespace

PowerResult power(const PowerInputs& inputs, const LoadResult& load, const CoolingResult& cooling) {
  return PowerStage(inputs, load, cooling).run();
}

} // namespace hallwright
