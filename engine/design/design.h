// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <memory>
#include <string_view>
#include <vector>

#include "design/entities.h"

namespace hallwright {

/// Held, never changed: designs share what an edit leaves alone.
template <class T>
using Shared = std::shared_ptr<const T>;

template <class T>
Shared<T> share(T value) {
  return std::make_shared<const T>(std::move(value));
}

/// The document: an immutable value. Copying it copies a few pointers. Equality of sections is by pointer first.
/// Tables are sorted by id; ids are unique within a design (over all tables) and never used again.
struct Design {
  Shared<Project> project = share(Project{});
  Shared<Site> site = share(Site{});
  Shared<Goal> goal = share(Goal{});
  Shared<PowerPlant> power_plant = share(PowerPlant{});
  Shared<CoolingPlant> cooling_plant = share(CoolingPlant{});
  Shared<Job> job = share(Job{});
  Shared<StoragePlan> storage = share(StoragePlan{});
  Shared<Operations> operations = share(Operations{});
  Shared<BudgetPlan> budget = share(BudgetPlan{});

  Shared<std::vector<Hall>> halls = share(std::vector<Hall>{});
  Shared<std::vector<Structure>> structures = share(std::vector<Structure>{});
  Shared<std::vector<RackType>> rack_types = share(std::vector<RackType>{});
  Shared<std::vector<RackItem>> rack_items = share(std::vector<RackItem>{});
  Shared<std::vector<Row>> rows = share(std::vector<Row>{});
  Shared<std::vector<Rack>> racks = share(std::vector<Rack>{});
  Shared<std::vector<PowerUnit>> power_units = share(std::vector<PowerUnit>{});
  Shared<std::vector<CoolantLoop>> loops = share(std::vector<CoolantLoop>{});
  Shared<std::vector<CoolingUnit>> cooling_units = share(std::vector<CoolingUnit>{});
  Shared<std::vector<ClimateBin>> climate_bins = share(std::vector<ClimateBin>{});
  Shared<std::vector<Network>> networks = share(std::vector<Network>{});
  Shared<std::vector<PartOverride>> part_overrides = share(std::vector<PartOverride>{});
  Shared<std::vector<Waiver>> waivers = share(std::vector<Waiver>{});
  Shared<std::vector<Scenario>> scenarios = share(std::vector<Scenario>{});
  Shared<std::vector<ScenarioChange>> scenario_changes = share(std::vector<ScenarioChange>{});
  Shared<std::vector<PublishedFigure>> published = share(std::vector<PublishedFigure>{});
  Shared<std::vector<Note>> notes = share(std::vector<Note>{});
  Shared<std::vector<Zone>> zones = share(std::vector<Zone>{});
  Shared<std::vector<Containment>> containments = share(std::vector<Containment>{});
  Shared<std::vector<Tray>> trays = share(std::vector<Tray>{});
  Shared<std::vector<Pipe>> pipes = share(std::vector<Pipe>{});
  Shared<std::vector<Dimension>> dimensions = share(std::vector<Dimension>{});
  Shared<std::vector<Guide>> guides = share(std::vector<Guide>{});
  Shared<std::vector<Underlay>> underlays = share(std::vector<Underlay>{});
  Shared<std::vector<Group>> groups = share(std::vector<Group>{});
  Shared<std::vector<Communicator>> communicators = share(std::vector<Communicator>{});
  Shared<std::vector<Failure>> failures = share(std::vector<Failure>{});

  Id next_id = 1; ///< the next fresh id; grows only
};

/// Calls `f(table_word, member_pointer)` for each section with one entity: ("site", &Design::site), ...
template <class F>
void for_each_section(F&& f) {
  f(std::string_view("project"), &Design::project);
  f(std::string_view("site"), &Design::site);
  f(std::string_view("goal"), &Design::goal);
  f(std::string_view("power_plant"), &Design::power_plant);
  f(std::string_view("cooling_plant"), &Design::cooling_plant);
  f(std::string_view("job"), &Design::job);
  f(std::string_view("storage"), &Design::storage);
  f(std::string_view("operations"), &Design::operations);
  f(std::string_view("budget"), &Design::budget);
}

/// Calls `f(table_word, member_pointer)` for each table, in file order.
template <class F>
void for_each_table(F&& f) {
  f(std::string_view("halls"), &Design::halls);
  f(std::string_view("structures"), &Design::structures);
  f(std::string_view("rack_types"), &Design::rack_types);
  f(std::string_view("rack_items"), &Design::rack_items);
  f(std::string_view("rows"), &Design::rows);
  f(std::string_view("racks"), &Design::racks);
  f(std::string_view("power_units"), &Design::power_units);
  f(std::string_view("loops"), &Design::loops);
  f(std::string_view("cooling_units"), &Design::cooling_units);
  f(std::string_view("climate_bins"), &Design::climate_bins);
  f(std::string_view("networks"), &Design::networks);
  f(std::string_view("part_overrides"), &Design::part_overrides);
  f(std::string_view("waivers"), &Design::waivers);
  f(std::string_view("scenarios"), &Design::scenarios);
  f(std::string_view("scenario_changes"), &Design::scenario_changes);
  f(std::string_view("published"), &Design::published);
  f(std::string_view("notes"), &Design::notes);
  f(std::string_view("zones"), &Design::zones);
  f(std::string_view("containments"), &Design::containments);
  f(std::string_view("trays"), &Design::trays);
  f(std::string_view("pipes"), &Design::pipes);
  f(std::string_view("dimensions"), &Design::dimensions);
  f(std::string_view("guides"), &Design::guides);
  f(std::string_view("underlays"), &Design::underlays);
  f(std::string_view("groups"), &Design::groups);
  f(std::string_view("communicators"), &Design::communicators);
  f(std::string_view("failures"), &Design::failures);
}

/// The one list of an entity's fields (without its id).
template <class E>
std::span<const Field<E>> fields();
#define HALLWRIGHT_ENTITY(E)                                                                                           \
  template <>                                                                                                          \
  std::span<const Field<E>> fields<E>();
HALLWRIGHT_ENTITY(Project)
HALLWRIGHT_ENTITY(Site)
HALLWRIGHT_ENTITY(Goal)
HALLWRIGHT_ENTITY(PowerPlant)
HALLWRIGHT_ENTITY(CoolingPlant)
HALLWRIGHT_ENTITY(Job)
HALLWRIGHT_ENTITY(StoragePlan)
HALLWRIGHT_ENTITY(Operations)
HALLWRIGHT_ENTITY(BudgetPlan)
HALLWRIGHT_ENTITY(Hall)
HALLWRIGHT_ENTITY(Structure)
HALLWRIGHT_ENTITY(RackType)
HALLWRIGHT_ENTITY(RackItem)
HALLWRIGHT_ENTITY(Row)
HALLWRIGHT_ENTITY(Rack)
HALLWRIGHT_ENTITY(PowerUnit)
HALLWRIGHT_ENTITY(CoolantLoop)
HALLWRIGHT_ENTITY(CoolingUnit)
HALLWRIGHT_ENTITY(ClimateBin)
HALLWRIGHT_ENTITY(Network)
HALLWRIGHT_ENTITY(PartOverride)
HALLWRIGHT_ENTITY(Waiver)
HALLWRIGHT_ENTITY(Scenario)
HALLWRIGHT_ENTITY(ScenarioChange)
HALLWRIGHT_ENTITY(PublishedFigure)
HALLWRIGHT_ENTITY(Note)
HALLWRIGHT_ENTITY(Zone)
HALLWRIGHT_ENTITY(Containment)
HALLWRIGHT_ENTITY(Tray)
HALLWRIGHT_ENTITY(Pipe)
HALLWRIGHT_ENTITY(Dimension)
HALLWRIGHT_ENTITY(Guide)
HALLWRIGHT_ENTITY(Underlay)
HALLWRIGHT_ENTITY(Group)
HALLWRIGHT_ENTITY(Communicator)
HALLWRIGHT_ENTITY(Failure)
#undef HALLWRIGHT_ENTITY

/// The entity of this id, or null. Tables are sorted by id.
template <class E>
const E* find(const std::vector<E>& table, Id id) {
  auto it = std::lower_bound(table.begin(), table.end(), id, [](const E& e, Id wanted) { return e.id < wanted; });
  return it != table.end() && it->id == id ? &*it : nullptr;
}

} // namespace hallwright
