// SPDX-License-Identifier: GPL-3.0-or-later
#include "design/design.h"
#include "design/field_options.h"

/// Fields of what stands on the plan. Ranges are in base units (m, rad, kg, W).
namespace hallwright {
namespace {

constexpr double aisle_limit = 20.0;
constexpr FieldOptions phases_of{.help = "Conductors between which the rack's tap on this side stands: all three phases, one phase and "
                                         "neutral, or two phases."};
constexpr FieldOptions tap_of{.minimum = 0.0, .maximum = 1000.0,
                              .help = "Distance of the rack's tap from the end where the busway is fed, 0 to 1 km. Not set: from the rack's "
                                      "place on the plan.",
                              .unit = "m"};
constexpr FieldOptions whip_of{.minimum = 0.0, .maximum = 100.0,
                               .help = "Length of the cable from the tap to the rack, 0 to 100 m. Not set: 3 m, a project choice.",
                               .unit = "m"};

} // namespace

template <>
std::span<const Field<Hall>> fields<Hall>() {
  static constexpr Field<Hall> list[] = {
      field<&Hall::name>("name", "Name", {.help = "Name of the hall on plans, labels and reports."}),
      field<&Hall::outline>("outline", "Outline",
                            {.help = "Corners of the inner walls, x,y in millimetres, at least three. The area is used for floor loads "
                                     "and power density.",
                             .unit = "mm"}),
      field<&Hall::floor_rating>("floor_rating", "Floor rating",
                                 {.minimum = 10.0, .maximum = 100000.0,
                                  .help = "Uniform load that the floor carries, 10 to 100000 kg/m2. Not set: the site's.",
                                  .unit = "kg/m2"}),
      field<&Hall::ceiling_height>("ceiling_height", "Ceiling height",
                                   {.minimum = 2.0, .maximum = 30.0,
                                    .help = "Clear height above the floor, 2 to 30 m; trays and cable drops are planned below it.",
                                    .unit = "m"}),
      field<&Hall::cold_aisle_minimum>("cold_aisle_minimum", "Least cold aisle",
                                       {.minimum = 0.0, .maximum = aisle_limit,
                                        .help = "Narrowest cold aisle that passes the clearance check, 0 to 20 m. The default of 1200 mm is "
                                                "two floor tiles of 600 mm (project choice).",
                                        .unit = "mm"}),
      field<&Hall::hot_aisle_minimum>("hot_aisle_minimum", "Least hot aisle",
                                      {.minimum = 0.0, .maximum = aisle_limit,
                                       .help = "Narrowest hot aisle that passes the clearance check, 0 to 20 m. The default of 1000 mm is a "
                                               "project choice.",
                                       .unit = "mm"}),
      field<&Hall::kind>("kind", "Use", {.help = "What the room is for. Racks belong into data halls; electrical rooms need working space."}),
      field<&Hall::level>("level", "Level", {.minimum = -20, .maximum = 200, .help = "Storey, -20 to 200; 0 is the ground floor."}),
      field<&Hall::raised_floor_height>("raised_floor_height", "Raised floor",
                                        {.minimum = 0.05, .maximum = 5.0,
                                         .help = "Height of the raised floor above the slab, 50 mm to 5 m. Not set: racks stand on the slab.",
                                         .unit = "mm"}),
      field<&Hall::tile_width>("tile_width", "Floor tile",
                               {.minimum = 0.1, .maximum = 5.0,
                                .help = "Side of a floor tile and step of the plan's grid, 100 mm to 5 m; 600 mm, or 24 in.",
                                .unit = "mm"}),
      field<&Hall::tile_origin_x>("tile_origin_x", "Tile origin x",
                                  {.minimum = -plan_limit, .maximum = plan_limit, .help = "A corner of the tile grid, to the right.", .unit = "mm"}),
      field<&Hall::tile_origin_y>("tile_origin_y", "Tile origin y",
                                  {.minimum = -plan_limit, .maximum = plan_limit, .help = "A corner of the tile grid, downwards.", .unit = "mm"}),
      field<&Hall::tile_point_load>("tile_point_load", "Tile point load",
                                    {.minimum = 1.0, .maximum = 100000.0,
                                     .help = "Load that one foot may put on a tile, 1 kg to 100 t, from the tile's data sheet. Not set: the site's.",
                                     .unit = "kg"}),
      field<&Hall::tile_rolling_load>("tile_rolling_load", "Tile rolling load",
                                      {.minimum = 1.0, .maximum = 100000.0,
                                       .help = "Load that one moving caster may put on a tile, 1 kg to 100 t, from the tile's data sheet. Not "
                                               "set: the site's.",
                                       .unit = "kg"}),
  };
  return list;
}

template <>
std::span<const Field<Structure>> fields<Structure>() {
  static constexpr Field<Structure> list[] = {
      field<&Structure::name>("name", "Name", {.help = "Name of the structure on the plan, such as 'Column B4'."}),
      field<&Structure::kind>("kind", "Kind",
                              {.help = "Columns, walls and obstacles take floor; doors and docks are ways in; nothing may stand in a no-go area."}),
      field<&Structure::hall>("hall", "Hall", hall_of),
      field<&Structure::x>("x", "Position x", position_x),
      field<&Structure::y>("y", "Position y", position_y),
      field<&Structure::width>("width", "Width",
                               {.minimum = 0.001, .maximum = plan_limit, .help = "Size along x before rotation, 1 mm to 10 km.", .unit = "mm"}),
      field<&Structure::depth>("depth", "Depth",
                               {.minimum = 0.001, .maximum = plan_limit, .help = "Size along y before rotation, 1 mm to 10 km.", .unit = "mm"}),
      field<&Structure::rotation>("rotation", "Rotation", turn),
      field<&Structure::height>("height", "Height",
                                {.minimum = 0.01, .maximum = 50.0,
                                 .help = "Height of a wall or obstacle, clear height of a door or lift, 10 mm to 50 m. Not set: up to the ceiling.",
                                 .unit = "mm"}),
      field<&Structure::swing>("swing", "Door swing",
                               {.help = "How a door opens, seen from the side to which its front faces; sliding doors sweep no floor."}),
      field<&Structure::load_rating>("load_rating", "Load rating",
                                     {.minimum = 1.0, .maximum = 1000000.0,
                                      .help = "What a dock, ramp or lift carries, or the point load that a spreader plate passes on, 1 kg to "
                                              "1000 t. Not set: not known.",
                                      .unit = "kg"}),
      field<&Structure::rise>("rise", "Rise",
                              {.minimum = -20.0, .maximum = 20.0,
                               .help = "Height that a ramp gains from its rear to its front, -20 to 20 m. Not set: not known.",
                               .unit = "mm"}),
      field<&Structure::group>("group", "Group", group_of),
      field<&Structure::locked>("locked", "Locked", lock),
  };
  return list;
}

template <>
std::span<const Field<RackType>> fields<RackType>() {
  static constexpr Field<RackType> list[] = {
      field<&RackType::name>("name", "Name", {.help = "Name of the rack type; every rack of this type has the same content."}),
      field<&RackType::role>("role", "Role", {.help = "What racks of this type are for; compute racks hold the nodes of the job."}),
      field<&RackType::rack_part>("rack_part", "Cabinet",
                                  {.help = "Cabinet or integrated rack from the catalog; gives size, mass and height units.", .part = "rack"}),
      field<&RackType::width>("width", "Width",
                              {.minimum = 0.1, .maximum = 5.0, .help = "Outer width, 100 mm to 5 m. Not set: the cabinet's.", .unit = "mm"}),
      field<&RackType::depth>("depth", "Depth",
                              {.minimum = 0.1, .maximum = 5.0, .help = "Outer depth, 100 mm to 5 m. Not set: the cabinet's.", .unit = "mm"}),
      field<&RackType::height>("height", "Height",
                               {.minimum = 0.1, .maximum = 10.0, .help = "Outer height, 100 mm to 10 m. Not set: the cabinet's.", .unit = "mm"}),
      field<&RackType::power_limit>("power_limit", "Power limit",
                                    {.minimum = 1.0, .maximum = 10e6,
                                     .help = "What the feed of one rack can carry, 1 W to 10 MW; the rack's load is checked against it.",
                                     .unit = "kW"}),
      field<&RackType::mass>("mass", "Mass",
                             {.minimum = 1.0, .maximum = 20000.0,
                              .help = "Populated mass, 1 kg to 20 t. Not set: cabinet and content added up.",
                              .unit = "kg"}),
      field<&RackType::liquid_heat_share>("liquid_heat_share", "Heat to liquid",
                                          {.minimum = 0.0, .maximum = 1.0,
                                           .help = "Share of the rack's heat that coolant takes, 0 to 100 %. Not set: from its parts.",
                                           .unit = "%", .kind = &kind::percent}),
      field<&RackType::feet>("feet", "Feet", {.minimum = 1, .maximum = 64, .help = "Feet or casters that share the mass, 1 to 64. Not set: 4."}),
      folded(field<&RackType::supply_capacity_one_feed>("supply_capacity_one_feed", "Supplies on one feed",
                                                 {.minimum = 1.0, .maximum = 10e6,
                                                  .help = "What the supplies of one rack deliver with one of its feeds lost, 1 W to 10 MW: of power "
                                                          "shelves those on the other feed. Not set: not known, and not checked.",
                                                  .unit = "kW"}), "Supplies"),
      folded(field<&RackType::power_factor>("power_factor", "Power factor",
                                     {.minimum = 0.5, .maximum = 1.0,
                                      .help = "Real over apparent power of the rack's supplies at load, 0.5 to 1. Not set: the catalog's assumption."}), "Supplies"),
      folded(field<&RackType::inrush>("inrush", "Inrush",
                               {.minimum = 1.0, .maximum = 10.0,
                                .help = "Current when the rack is switched on over its running current, 1 to 10. The default of 1.5 is a project "
                                        "choice for supplies that limit their inrush."}), "Supplies"),
      folded(field<&RackType::demand_share>("demand_share", "Demand",
                               {.minimum = 0.05, .maximum = 1.0,
                                .help = "Share of their counted power that racks of this type draw at once, 5 to 100 %: the diversity of mixed loads. Racks "
                                        "that train in step draw all of it together.",
                                .unit = "%", .kind = &kind::percent}), "Supplies"),
      field<&RackType::front_service>("front_service", "Front service depth",
                                      {.minimum = 0.0, .maximum = 10.0,
                                       .help = "Free floor before the front that service needs, 0 to 10 m: a door's leaf or a tray pulled out. "
                                               "Not set: the catalog's default.",
                                       .unit = "mm"}),
      field<&RackType::rear_service>("rear_service", "Rear service depth",
                                     {.minimum = 0.0, .maximum = 10.0,
                                      .help = "Free floor behind the rear that service needs, 0 to 10 m; 1.2 m for a door heat exchanger to "
                                              "swing. Not set: the catalog's default.",
                                      .unit = "mm"}),
      field<&RackType::crate_width>("crate_width", "Crate width",
                                    {.minimum = 0.1, .maximum = 10.0,
                                     .help = "Width of the rack as delivered, 100 mm to 10 m. Not set: rack and packing of the catalog's default.",
                                     .unit = "mm"}),
      field<&RackType::crate_depth>("crate_depth", "Crate depth",
                                    {.minimum = 0.1, .maximum = 10.0, .help = "Depth of the rack as delivered, 100 mm to 10 m. Not set: as for the width.", .unit = "mm"}),
      field<&RackType::crate_height>("crate_height", "Crate height",
                                     {.minimum = 0.1, .maximum = 10.0, .help = "Height of the rack as delivered, 100 mm to 10 m. Not set: as for the width.", .unit = "mm"}),
  };
  return list;
}

template <>
std::span<const Field<RackItem>> fields<RackItem>() {
  static constexpr Field<RackItem> list[] = {
      field<&RackItem::rack_type>("rack_type", "Rack type", {.help = "Rack type that this is content of.", .reference = "rack_types"}),
      field<&RackItem::kind>("kind", "Kind", {.help = "Which list of the catalog the part comes from; 'other' only takes room."}),
      field<&RackItem::part>("part", "Part",
                             {.help = "Catalog part: a node, a switch or a storage system, as the kind says.", .part = "rack item"}),
      field<&RackItem::count>("count", "Count",
                              {.minimum = 1, .maximum = 1000, .help = "How many of the part stand one above the other in each rack, 1 to 1000."}),
      field<&RackItem::lowest_half_unit>("lowest_half_unit", "Lowest half unit",
                                         {.minimum = 1, .maximum = 400,
                                          .help = "Lowest half rack unit that the first one takes, counted from the floor: 1 is the lower "
                                                  "half of U1, 3 that of U2. 1 to 400."}),
      field<&RackItem::mount>("mount", "Mounting",
                              {.help = "Full depth takes both faces; front and rear take one; zero-U parts hang beside the rails and take no unit."}),
      field<&RackItem::network>("network", "Network", {.help = "Network that these switches are kept for; none: any network of this part.", .reference = "networks"}),
      field<&RackItem::tier>("tier", "Tier", {.help = "Tier that these switches are kept for: leaf, spine, core, or any."}),
  };
  return list;
}

template <>
std::span<const Field<Row>> fields<Row>() {
  static constexpr Field<Row> list[] = {
      field<&Row::name>("name", "Name", {.help = "Name of the row; racks of a row are usually called by it ('R01-03')."}),
      field<&Row::hall>("hall", "Hall", {.help = "Hall in which the row stands.", .reference = "halls"}),
      field<&Row::power_cap>("power_cap", "Power cap",
                             {.minimum = 1.0, .maximum = 1e9,
                              .help = "Power that the racks of this row are held to together, 1 W to 1 GW; each gets its share of it by what it asks. "
                                      "GPUs that are held run slower. Not set: none.",
                              .unit = "kW"}),
  };
  return list;
}

template <>
std::span<const Field<Rack>> fields<Rack>() {
  static constexpr Field<Rack> list[] = {
      field<&Rack::name>("name", "Name", {.help = "Name of the rack on the plan, on cable labels and in reports."}),
      field<&Rack::rack_type>("rack_type", "Rack type", {.help = "Gives size, content, power and heat of the rack.", .reference = "rack_types"}),
      field<&Rack::hall>("hall", "Hall", hall_of),
      field<&Rack::row>("row", "Row", {.help = "Row that the rack belongs to; none for a rack that stands alone.", .reference = "rows"}),
      field<&Rack::x>("x", "Position x", position_x),
      field<&Rack::y>("y", "Position y", position_y),
      field<&Rack::rotation>("rotation", "Rotation", turn),
      field<&Rack::feed_a>("feed_a", "A feed", {.help = "Distribution or busway of the A side that feeds the rack.", .reference = "power_units"}),
      field<&Rack::feed_b>("feed_b", "B feed", {.help = "Distribution or busway of the B side that feeds the rack.", .reference = "power_units"}),
      field<&Rack::loop>("loop", "Coolant loop", {.help = "Loop that takes the rack's liquid heat; none for an air-cooled rack.", .reference = "loops"}),
      folded(field<&Rack::phases_a>("phases_a", "A phases", phases_of), "Taps and phases"),
      folded(field<&Rack::phases_b>("phases_b", "B phases", phases_of), "Taps and phases"),
      folded(field<&Rack::phases_kept>("phases_kept", "Phases kept", {.help = "A proposal that spreads racks over the phases leaves this rack as it is."}), "Taps and phases"),
      folded(field<&Rack::tap_a>("tap_a", "A tap", tap_of), "Taps and phases"),
      folded(field<&Rack::tap_b>("tap_b", "B tap", tap_of), "Taps and phases"),
      folded(field<&Rack::whip_a>("whip_a", "A whip", whip_of), "Taps and phases"),
      folded(field<&Rack::whip_b>("whip_b", "B whip", whip_of), "Taps and phases"),
      folded(field<&Rack::coolant_valve>("coolant_valve", "Coolant valve",
                                  {.minimum = 0.0, .maximum = 1.0,
                                   .help = "Open share of the valve that balances and isolates the rack's coolant, 0 to 100 %. 0: shut.",
                                   .unit = "%", .kind = &kind::percent}), "Coolant"),
      folded(field<&Rack::hose_diameter>("hose_diameter", "Hose diameter",
                                  {.minimum = 0.003, .maximum = 0.3,
                                   .help = "Inner diameter of the rack's two coolant hoses, 3 to 300 mm. Not set: the smallest standard bore in which the "
                                           "needed flow keeps to the usual velocity.",
                                   .unit = "mm"}), "Coolant"),
      field<&Rack::power_cap>("power_cap", "Power cap",
                              {.minimum = 1.0, .maximum = 10e6,
                               .help = "Power that this rack is held to, 1 W to 10 MW; GPUs that are held run slower. Not set: none.",
                               .unit = "kW"}),
      field<&Rack::group>("group", "Group", group_of),
      field<&Rack::locked>("locked", "Locked", lock),
  };
  return list;
}

template <>
std::span<const Field<Note>> fields<Note>() {
  static constexpr Field<Note> list[] = {
      field<&Note::text>("text", "Text", {.help = "What the note says on the plan."}),
      field<&Note::kind>("kind", "Kind", {.help = "A note is a slip at its place; a label is written on the floor in its own size, such as a section's name."}),
      field<&Note::hall>("hall", "Hall", hall_of),
      field<&Note::x>("x", "Position x", position_x),
      field<&Note::y>("y", "Position y", position_y),
      field<&Note::text_height>("text_height", "Text height",
                                {.minimum = 0.01, .maximum = 20.0, .help = "Height of a label's letters on the floor, 10 mm to 20 m.", .unit = "mm"}),
      field<&Note::rotation>("rotation", "Rotation", turn),
      field<&Note::group>("group", "Group", group_of),
      field<&Note::locked>("locked", "Locked", lock),
  };
  return list;
}

} // namespace hallwright
