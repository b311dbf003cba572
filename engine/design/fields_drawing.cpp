// SPDX-License-Identifier: GPL-3.0-or-later
#include "design/design.h"
#include "design/field_options.h"

/// Fields of zones, containment, trays, pipes and of what only the drawing needs. Ranges are in base units (m, rad, kg, W).
namespace hallwright {
namespace {

constexpr FieldOptions path_of{.minimum = 2,
                               .help = "Points of the run's middle, x,y in millimetres, at least two.",
                               .unit = "mm"};
constexpr FieldOptions point_x{.minimum = -plan_limit, .maximum = plan_limit,
                               .help = "To the right: on the floor, or from the upper left corner of the thing's unrotated footprint.",
                               .unit = "mm"};
constexpr FieldOptions point_y{.minimum = -plan_limit, .maximum = plan_limit,
                               .help = "Downwards: on the floor, or from the upper left corner of the thing's unrotated footprint.",
                               .unit = "mm"};
constexpr FieldOptions size_of_side(std::string_view help) {
  return {.minimum = 0.001, .maximum = plan_limit, .help = help, .unit = "mm"};
}

} // namespace

template <>
std::span<const Field<Zone>> fields<Zone>() {
  static constexpr Field<Zone> list[] = {
      field<&Zone::name>("name", "Name", {.help = "Name of the zone, such as 'Heavy floor'."}),
      field<&Zone::hall>("hall", "Hall", hall_of),
      field<&Zone::outline>("outline", "Outline", {.help = "Corners, x,y in millimetres, at least three.", .unit = "mm"}),
      field<&Zone::floor_rating>("floor_rating", "Floor rating",
                                 {.minimum = 10.0, .maximum = 100000.0,
                                  .help = "Uniform load that the floor carries here, 10 to 100000 kg/m2. Not set: the hall's.",
                                  .unit = "kg/m2"}),
      field<&Zone::point_load_rating>("point_load_rating", "Point load rating",
                                      {.minimum = 1.0, .maximum = 100000.0,
                                       .help = "Load that one foot may put on the floor here, 1 kg to 100 t. Not set: the hall's tile, else the site's.",
                                       .unit = "kg"}),
      field<&Zone::ceiling_height>("ceiling_height", "Ceiling height",
                                   {.minimum = 1.0, .maximum = 50.0, .help = "Clear height above the floor here, 1 to 50 m. Not set: the hall's.", .unit = "m"}),
      field<&Zone::power_limit>("power_limit", "Power limit",
                                {.minimum = 1.0, .maximum = 100e9,
                                 .help = "Most that all racks of the zone may draw, 1 W to 100 GW. Not set: no limit of its own.",
                                 .unit = "kW"}),
      field<&Zone::locked>("locked", "Locked", lock),
  };
  return list;
}

template <>
std::span<const Field<Group>> fields<Group>() {
  static constexpr Field<Group> list[] = {
      field<&Group::name>("name", "Name", {.help = "Name of the group."}),
  };
  return list;
}

template <>
std::span<const Field<Containment>> fields<Containment>() {
  static constexpr Field<Containment> list[] = {
      field<&Containment::name>("name", "Name", {.help = "Name of the containment."}),
      field<&Containment::kind>("kind", "Kind", {.help = "Encloses a cold aisle, a hot aisle, or carries hot air up from a rack."}),
      field<&Containment::hall>("hall", "Hall", hall_of),
      field<&Containment::x>("x", "Position x", position_x),
      field<&Containment::y>("y", "Position y", position_y),
      field<&Containment::width>("width", "Width", size_of_side("Size along x before rotation, 1 mm to 10 km.")),
      field<&Containment::depth>("depth", "Depth", size_of_side("Size along y before rotation, 1 mm to 10 km.")),
      field<&Containment::rotation>("rotation", "Rotation", turn),
      field<&Containment::height>("height", "Height",
                                  {.minimum = 0.1, .maximum = 50.0, .help = "Upper edge above the floor, 100 mm to 50 m.", .unit = "mm"}),
      field<&Containment::group>("group", "Group", group_of),
      field<&Containment::locked>("locked", "Locked", lock),
  };
  return list;
}

template <>
std::span<const Field<Tray>> fields<Tray>() {
  static constexpr Field<Tray> list[] = {
      field<&Tray::name>("name", "Name", {.help = "Name of the run."}),
      field<&Tray::kind>("kind", "Kind", {.help = "What lies in it: fibre, copper network cables, or power cables."}),
      field<&Tray::hall>("hall", "Hall", hall_of),
      field<&Tray::path>("path", "Path", path_of),
      field<&Tray::elevation>("elevation", "Elevation", elevation_of),
      field<&Tray::width>("width", "Width", {.minimum = 0.01, .maximum = 5.0, .help = "Usable width, 10 mm to 5 m.", .unit = "mm"}),
      field<&Tray::height>("height", "Side height", {.minimum = 0.01, .maximum = 2.0, .help = "Usable height, 10 mm to 2 m.", .unit = "mm"}),
      field<&Tray::fill_limit>("fill_limit", "Fill limit",
                               {.minimum = 0.01, .maximum = 1.0,
                                .help = "Share of the cross section that cables may take, 1 to 100 %. Default 40 %, a customary planning limit.",
                                .unit = "%", .kind = &kind::percent}),
      field<&Tray::group>("group", "Group", group_of),
      field<&Tray::locked>("locked", "Locked", lock),
  };
  return list;
}

template <>
std::span<const Field<Pipe>> fields<Pipe>() {
  static constexpr Field<Pipe> list[] = {
      field<&Pipe::name>("name", "Name", {.help = "Name of the run."}),
      field<&Pipe::side>("side", "Side", {.help = "Supply or return of the loop, or a drain."}),
      field<&Pipe::hall>("hall", "Hall", hall_of),
      field<&Pipe::loop>("loop", "Coolant loop", {.help = "Loop that the pipe belongs to.", .reference = "loops"}),
      field<&Pipe::path>("path", "Path", path_of),
      field<&Pipe::elevation>("elevation", "Elevation", elevation_of),
      field<&Pipe::diameter>("diameter", "Inner diameter", {.minimum = 0.005, .maximum = 3.0, .help = "Inner diameter, 5 mm to 3 m.", .unit = "mm"}),
      field<&Pipe::roughness>("roughness", "Roughness",
                              {.minimum = 1e-7, .maximum = 0.01,
                               .help = "Height of the wall's roughness, 0.0001 to 10 mm: 0.0015 mm for plastic and drawn copper, 0.045 mm for "
                                       "commercial steel (Moody 1944). Not set: the catalog's assumption.",
                               .unit = "mm"}),
      field<&Pipe::valve_open>("valve_open", "Valve open",
                               {.minimum = 0.0, .maximum = 1.0,
                                .help = "Open share of the valve where the run begins, 0 to 100 %. 100 %: open, or none is there; 0: shut.",
                                .unit = "%", .kind = &kind::percent}),
      field<&Pipe::group>("group", "Group", group_of),
      field<&Pipe::locked>("locked", "Locked", lock),
  };
  return list;
}

template <>
std::span<const Field<Dimension>> fields<Dimension>() {
  static constexpr Field<Dimension> list[] = {
      field<&Dimension::hall>("hall", "Hall", hall_of),
      field<&Dimension::start>("start", "Start thing", {.help = "What the first point is fixed to; none for a point on the floor.", .reference = any_table}),
      field<&Dimension::start_x>("start_x", "Start x", point_x),
      field<&Dimension::start_y>("start_y", "Start y", point_y),
      field<&Dimension::end>("end", "End thing", {.help = "What the second point is fixed to; none for a point on the floor.", .reference = any_table}),
      field<&Dimension::end_x>("end_x", "End x", point_x),
      field<&Dimension::end_y>("end_y", "End y", point_y),
      field<&Dimension::direction>("direction", "Direction", {.help = "What is measured: the distance along x, along y, or straight from point to point."}),
      field<&Dimension::offset>("offset", "Offset",
                                {.minimum = -1000.0, .maximum = 1000.0,
                                 .help = "Distance of the dimension line from its first point, across the direction, -1 km to 1 km.",
                                 .unit = "mm"}),
      field<&Dimension::locked>("locked", "Locked", lock),
  };
  return list;
}

template <>
std::span<const Field<Guide>> fields<Guide>() {
  static constexpr Field<Guide> list[] = {
      field<&Guide::hall>("hall", "Hall", hall_of),
      field<&Guide::axis>("axis", "Axis", {.help = "x: an upright line at that x; y: a level line at that y."}),
      field<&Guide::position>("position", "Position",
                              {.minimum = -plan_limit, .maximum = plan_limit, .help = "Distance from the hall's origin, -10 km to 10 km.", .unit = "mm"}),
      field<&Guide::locked>("locked", "Locked", lock),
  };
  return list;
}

template <>
std::span<const Field<Underlay>> fields<Underlay>() {
  static constexpr Field<Underlay> list[] = {
      field<&Underlay::name>("name", "Name", {.help = "Name of the underlay."}),
      field<&Underlay::kind>("kind", "Kind", {.help = "A DXF drawing or a picture."}),
      field<&Underlay::file>("file", "File", {.help = "Path of the file, absolute or from the project's folder. The file is not copied into the project."}),
      field<&Underlay::hall>("hall", "Hall", hall_of),
      field<&Underlay::x>("x", "Position x", {.minimum = -plan_limit, .maximum = plan_limit, .help = "Where the drawing's origin, or the picture's upper left corner, lies.", .unit = "mm"}),
      field<&Underlay::y>("y", "Position y", {.minimum = -plan_limit, .maximum = plan_limit, .help = "Where the drawing's origin, or the picture's upper left corner, lies.", .unit = "mm"}),
      field<&Underlay::unit_length>("unit_length", "Length of a unit",
                                    {.minimum = 1e-6, .maximum = 10000.0,
                                     .help = "What one unit of the drawing, or one pixel of the picture, stands for, 1 um to 10 km.",
                                     .unit = "mm"}),
      field<&Underlay::rotation>("rotation", "Rotation",
                                 {.minimum = -full_turn, .maximum = full_turn, .help = "Clockwise turn about its position, -360 to 360 degrees.", .unit = "deg"}),
      field<&Underlay::opacity>("opacity", "Opacity",
                                {.minimum = 0.0, .maximum = 1.0, .help = "0 % is invisible, 100 % covers the canvas.", .unit = "%", .kind = &kind::percent}),
      field<&Underlay::hidden_layers>("hidden_layers", "Hidden layers", {.help = "Layers of the drawing that are not shown, one name a line."}),
      field<&Underlay::visible>("visible", "Visible", {.help = "Whether the underlay is drawn."}),
      field<&Underlay::locked>("locked", "Locked", lock),
  };
  return list;
}

} // namespace hallwright
