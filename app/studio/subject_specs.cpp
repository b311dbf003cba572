// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/subject_workspace.h"

#include <map>

#include <QCoreApplication>

namespace hallwright {
namespace {
QString tr(const char* text) { return QCoreApplication::translate("SubjectSpecs", text); }
std::vector<QString> ids(std::initializer_list<const char*> list) {
  std::vector<QString> out;
  for (const char* id : list) out.push_back(QLatin1String(id));
  return out;
}
} // namespace

const std::vector<SubjectSpec>& subject_specs() {
  static const std::vector<SubjectSpec> specs{
      {QStringLiteral("Power"),
       {{tr("Site"), QStringLiteral("site"), {}},
        {tr("Goal, until compute racks are drawn"), QStringLiteral("goal"), {}},
        {tr("Power chain"), QStringLiteral("power_plant"), {}},
        {tr("Basis of power"), QStringLiteral("project"), ids({"power_basis"})},
        {tr("Units of the one-line"), QStringLiteral("power_units"), {}, true}},
       ids({"power.it", "power.facility", "power.it_capacity", "power.losses", "power.pue", "power.annual_pue", "power.facility_energy", "power.utility_headroom", "power.headroom_worst", "power.contingency.racks_dark", "power.contingency.gpus_dark", "power.redundancy_proven",
            "power.flow.pue", "power.flow.losses", "power.flow.without_power",
            "load.nodes", "load.switches", "load.optics", "load.storage", "load.other", "load.it_per_gpu", "cooling.electrical_power"}),
       ids({"power.units", "power.levels", "power.contingencies", "power.flow", "power.elements_worst", "power.year", "load.by_kind", "load.racks"}),
       {{tr("Load on each unit"), tr("Unit"), tr("Power"), QStringLiteral("power.units"), QStringLiteral("unit"), ids({"load", "load_worst"}),
         ids({"load.nodes", "load.switches", "load.optics", "load.storage", "load.other", "power.losses", "cooling.electrical_power", "power.other"}), QStringLiteral("kW"), false, {},
         tr("Draw UPS and distribution units, or describe racks: their load appears here."), true,
         QStringLiteral("usable")},
        {tr("Where the power goes"), tr("Part of the load"), tr("Power"), {}, {}, {},
         ids({"load.nodes", "load.switches", "load.optics", "load.storage", "load.other", "power.losses", "cooling.electrical_power", "power.other"}), QStringLiteral("kW"), false, {},
         tr("Place racks or set a goal: the load appears here."), true}}},
      {QStringLiteral("Cooling"),
       {{tr("Cooling plant"), QStringLiteral("cooling_plant"), {}},
        {tr("Coolant loops"), QStringLiteral("loops"), {}, true},
        {tr("Cooling units"), QStringLiteral("cooling_units"), {}, true},
        {tr("Climate, hours of outdoor states"), QStringLiteral("climate_bins"), {}, true}},
       ids({"cooling.flow", "cooling.cdus_needed", "cooling.cdus_drawn", "cooling.cdus_by_duty", "cooling.cdus_by_flow", "cooling.cdu_headroom", "cooling.supply_temperature", "cooling.fill_volume",
            "load.heat_to_liquid", "load.heat_to_air", "cooling.airflow", "cooling.air_headroom", "cooling.electrical_power", "cooling.free_cooling_hours",
            "cooling.chiller_hours", "cooling.short_hours", "cooling.energy_per_year", "cooling.water_per_year", "cooling.water_usage_effectiveness",
            "cooling.reuse_temperature"}),
       ids({"cooling.loops", "cooling.units", "cooling.racks", "cooling.loop_racks", "cooling.loop_units", "cooling.loop_pipes", "cooling.loop_failures", "cooling.loop_seconds", "cooling.loop_notes", "cooling.volumes", "cooling.leak_zones", "cooling.water_hammer", "cooling.care", "cooling.air_inlets", "cooling.temperature_classes", "cooling.year_streams", "cooling.year"}),
       {{tr("Where the heat goes"), tr("Heat"), tr("Power"), {}, {}, {}, ids({"load.heat_to_liquid", "load.heat_to_air"}), QStringLiteral("kW"), false, {},
         tr("Place racks or set a goal: their heat appears here."), true},
        {tr("Coolant distribution units"), tr("Count"), tr("Units"), {}, {}, {}, ids({"cooling.cdus_by_duty", "cooling.cdus_by_flow", "cooling.cdus_needed", "cooling.cdus_drawn"}), {}, false, {},
         tr("No heat goes to liquid in this design."), true}}},
      {QStringLiteral("Fabric"),
       {{tr("Networks"), QStringLiteral("networks"), {}, true}, {tr("Rack content"), QStringLiteral("rack_items"), {}, true}},
       ids({"fabric.switches", "cabling.cables", "cabling.modules", "fabric.switch_power", "cabling.optics_power", "cabling.node_side_optics_power", "cabling.ordered_length",
            "cabling.longest_cable", "cabling.parts_cost", "fabric.injection_per_gpu", "population.nodes", "population.gpus", "space.mean_rack_distance", "space.longest_rack_distance"}),
       ids({"fabric.networks", "fabric.cables", "fabric.switches"}),
       {{tr("Cables by tier"), tr("Network and tier"), tr("Cables"), QStringLiteral("fabric.cables"), QStringLiteral("tier"), ids({"count"}),
         ids({"fabric.cables", "fabric.transceivers", "fabric.switches"}), {}, false, {}, tr("Add a network at the left: switches, cables and modules are counted here."), true, {}, false, {}, {}, QStringLiteral("network")}}},
      {QStringLiteral("Training"),
       {{tr("Job"), QStringLiteral("job"), {}}},
       ids({"training.step_time", "training.step_time_low", "training.step_time_high", "training.mfu", "training.mfu_attention", "training.hfu", "training.token_rate", "training.steps", "training.compute_time", "reliability.wall_time", "training.memory_per_gpu",
            "training.bubble", "training.gpus_used", "population.gpus", "training.parameters", "training.active_parameters", "training.kv_cache_per_token", "training.peak_per_gpu", "training.flops"}),
       ids({"training.step", "training.memory", "training.layout"}),
       {{tr("Memory per GPU by pipeline stage"), tr("Pipeline stage"), tr("Memory"), QStringLiteral("training.memory"), QStringLiteral("stage"),
         ids({"weights", "gradients", "optimizer", "activations", "logits", "buffers", "slack"}), {}, QStringLiteral("GiB"), true, QStringLiteral("training.memory_per_gpu"),
         tr("Choose a model and a layout that fit the cluster: memory by stage appears here.")}}},
      {QStringLiteral("Storage"),
       {{tr("Storage"), QStringLiteral("storage"), {}}},
       ids({"storage.checkpoint", "storage.write_time", "storage.stall", "storage.burst_needed", "storage.write_rate", "storage.read_rate", "storage.capacity",
            "storage.capacity_needed", "storage.dataset_read"}),
       ids({"storage.tiers"}),
       {{tr("Rates asked for and there"), tr("Rate"), tr("Data rate"), {}, {}, {}, ids({"storage.burst_needed", "storage.write_rate", "storage.read_rate", "storage.dataset_read"}),
         QStringLiteral("GB/s"), false, {}, tr("Choose a storage system at the left."), true}}},
      {QStringLiteral("Reliability"),
       {{tr("Operations"), QStringLiteral("operations"), {}}},
       ids({"reliability.goodput", "reliability.wall_time", "reliability.mtbf", "reliability.checkpoint_interval", "reliability.expected_failures", "reliability.spare_nodes",
            "reliability.repair_spares", "reliability.restart_spares", "reliability.domain_spares", "reliability.spare_gpus", "storage.stall"}),
       ids({"reliability.spares", "reliability.interval"}),
       {{tr("Goodput over the checkpoint interval"), tr("Checkpoint interval"), tr("Goodput"), QStringLiteral("reliability.interval"), QStringLiteral("interval"), ids({"goodput"}), {},
         QStringLiteral("%"), false, {}, tr("Needs a job on a cluster and a checkpoint time."), false, {}, true,
         QStringLiteral("reliability.checkpoint_interval"), tr("optimum")}}},
      {QStringLiteral("Budget"),
       {{tr("Budget"), QStringLiteral("budget"), {}}, {tr("Site"), QStringLiteral("site"), ids({"electricity_price"})}, {tr("Replaced catalog values"), QStringLiteral("part_overrides"), {}, true}},
       ids({"budget.total", "budget.capital", "budget.nodes", "budget.fabric", "budget.storage", "budget.facility", "budget.annual_operating", "budget.annual_energy",
            "budget.annual_energy_cost", "budget.cost_per_gpu_hour", "budget.run_cost", "budget.run_energy", "budget.hour_of_worst_failure", "budget.cost_per_million_tokens"}),
       ids({"budget.lines", "budget.years"}),
       {{tr("Capital by kind"), tr("Kind"), tr("Cost"), {}, {}, {}, ids({"budget.nodes", "budget.fabric", "budget.storage", "budget.facility"}), QStringLiteral("MUSD"), false, {},
         tr("Prices of parts make the capital; none is known yet."), true}}},
  };
  return specs;
}

QString table_title(const QString& table) {
  static const std::map<QString, QString> titles{
      {QStringLiteral("power.units"), tr("Power units")}, {QStringLiteral("power.levels"), tr("Power chain")},
      {QStringLiteral("power.contingencies"), tr("Every single failure")}, {QStringLiteral("power.flow"), tr("Power through each unit")},
      {QStringLiteral("power.elements_worst"), tr("Worst load of each unit")},
      {QStringLiteral("load.by_kind"), tr("IT load by kind")}, {QStringLiteral("load.racks"), tr("Load of racks")},
      {QStringLiteral("cooling.loops"), tr("Coolant loops")}, {QStringLiteral("cooling.units"), tr("Cooling units")},
      {QStringLiteral("cooling.racks"), tr("Coolant of racks")}, {QStringLiteral("cooling.loop_racks"), tr("Solved flow of racks")},
      {QStringLiteral("cooling.loop_units"), tr("Distribution units at their working point")}, {QStringLiteral("cooling.loop_pipes"), tr("Flow in pipes")},
      {QStringLiteral("cooling.loop_failures"), tr("Single failures of coolant loops")}, {QStringLiteral("cooling.loop_seconds"), tr("Seconds after a loss of cooling")},
      {QStringLiteral("cooling.volumes"), tr("Volumes of coolant loops")}, {QStringLiteral("cooling.leak_zones"), tr("Leak zones")},
      {QStringLiteral("cooling.water_hammer"), tr("Pressure of a valve that shuts")}, {QStringLiteral("cooling.care"), tr("Care of coolant")},
      {QStringLiteral("cooling.air_inlets"), tr("Air at the inlets of racks")}, {QStringLiteral("cooling.temperature_classes"), tr("ASHRAE temperature classes")},
      {QStringLiteral("cooling.year"), tr("Outdoor air over the year")}, {QStringLiteral("cooling.year_streams"), tr("Heat over the year")},
      {QStringLiteral("power.year"), tr("PUE over the outdoor air")},
      {QStringLiteral("cooling.loop_notes"), tr("What coolant loops rest on")}, {QStringLiteral("fabric.networks"), tr("Networks")},
      {QStringLiteral("fabric.cables"), tr("Cables")}, {QStringLiteral("fabric.switches"), tr("Switches")},
      {QStringLiteral("training.layout"), tr("Parallel layout")}, {QStringLiteral("training.step"), tr("From the dense peak to the step")}, {QStringLiteral("training.memory"), tr("Memory per GPU by pipeline stage")},
      {QStringLiteral("storage.tiers"), tr("Storage systems")}, {QStringLiteral("reliability.spares"), tr("Spares in three reserves")},
      {QStringLiteral("reliability.interval"), tr("Goodput against checkpoint interval")}, {QStringLiteral("budget.lines"), tr("Bill of materials")},
      {QStringLiteral("budget.years"), tr("Cost by year, not discounted")}};
  const auto it = titles.find(table);
  return it != titles.end() ? it->second : tr("Table");
}

std::vector<QString> first_columns(const QString& table) {
  if (table == QLatin1String("power.units")) return ids({"unit", "kind", "load", "load_worst", "usable", "headroom"});
  if (table == QLatin1String("power.contingencies")) return ids({"out", "racks_dark", "gpus_dark", "worst", "headroom", "what"});
  return {};
}

} // namespace hallwright
