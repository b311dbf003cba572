// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"

#include <cstdio>
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "output.h"
#include "project/durable_file.h"
#include "project/netbox_csv.h"
#include "project_input.h"
#include "quantity/text.h"
#include "space/plan_export.h"

namespace hallwright::cli {
namespace {

struct ExportArguments : ProjectArguments {
  std::string hall, dxf, netbox_racks, netbox_devices, rack_list;
};

/// The hall of this name or id; 0 for no name.
Id wanted_hall(const Design& design, const std::string& name) {
  if (name.empty()) return 0;
  std::vector<std::string> names;
  for (const Hall& h : *design.halls) {
    if (h.name == name || std::to_string(h.id) == name) return h.id;
    names.push_back(h.name);
  }
  throw Refusal(wrong_use, fmt::format("the project has no hall \"{}\"; {}", name,
                                       names.empty() ? "it has none" : nearest_sentence(name, names)));
}

/// The design with the racks of one hall only (0: all).
Design of_hall(const Design& design, Id hall) {
  if (hall == 0) return design;
  Design out = design;
  std::vector<Rack> racks = *design.racks;
  std::erase_if(racks, [&](const Rack& r) { return r.hall != hall; });
  out.racks = share(std::move(racks));
  return out;
}

void export_files(const ExportArguments& a) {
  if (a.dxf.empty() && a.netbox_racks.empty() && a.netbox_devices.empty() && a.rack_list.empty())
    throw Refusal(wrong_use,
                  "nothing to export is named; --dxf, --netbox-racks, --netbox-devices or --rack-list says what");
  int to_output = 0;
  for (const std::string* file : {&a.dxf, &a.netbox_racks, &a.netbox_devices, &a.rack_list})
    to_output += *file == "-" ? 1 : 0;
  if (to_output > 1)
    throw Refusal(wrong_use, fmt::format("{} exports are to go to standard output (-); one is allowed", to_output));
  const std::vector<std::pair<const char*, const std::string*>> files{
      {"--dxf", &a.dxf}, {"--netbox-racks", &a.netbox_racks}, {"--netbox-devices", &a.netbox_devices}, {"--rack-list", &a.rack_list}};
  for (std::size_t i = 0; i < files.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (!files[i].second->empty() && std::filesystem::path(*files[i].second).lexically_normal() == std::filesystem::path(*files[j].second).lexically_normal())
        throw Refusal(wrong_use, fmt::format("{} and {} name the same file {}", files[j].first, files[i].first, *files[i].second));
  const auto write = [&](const std::string& file, const std::string& text) { write_answer(file, text, {a.project}); };
  const auto catalog = load_catalog(a);
  const Design design = load_design(a);
  const Id hall = wanted_hall(design, a.hall);
  if (!a.dxf.empty()) {
    if (hall == 0)
      for (const auto& [id, place] : hall_places(design))
        if (place.x_mm != 0.0)
          std::fprintf(stderr,
                       "hall %s lies over another one and is drawn %s mm to the right of its place; --hall exports it "
                       "alone, in its place\n",
                       find(*design.halls, id)->name.c_str(), exact_number(place.x_mm).c_str());
    write(a.dxf, dxf_text(plan_sheet(design, *catalog, hall)));
  }
  const Design part = of_hall(design, hall);
  if (!a.netbox_racks.empty()) write(a.netbox_racks, netbox_racks_csv(part, *catalog));
  if (!a.netbox_devices.empty()) write(a.netbox_devices, netbox_devices_csv(design, *catalog, hall));
  if (!a.rack_list.empty()) write(a.rack_list, racks_as_list(part));
}

} // namespace

void add_export_command(CLI::App& program, int& exit_code) {
  auto a = std::make_shared<ExportArguments>();
  CLI::App* command =
      program.add_subcommand("export", "The plan as DXF; racks and devices for NetBox and spreadsheets");
  add_project_arguments(*command, *a);
  command
      ->add_option("--dxf", a->dxf,
                   "Plan as DXF (release 2000), millimetres, a layer each for racks, power, cooling and so on")
      ->type_name("FILE");
  command->add_option("--netbox-racks", a->netbox_racks, "Racks as CSV for NetBox's bulk import")->type_name("FILE");
  command->add_option("--netbox-devices", a->netbox_devices, "Devices in the racks as CSV for NetBox's bulk import")
      ->type_name("FILE");
  command->add_option("--rack-list", a->rack_list, "Racks as lines apart by tabs, for a spreadsheet")
      ->type_name("FILE");
  command->add_option("--hall", a->hall, "One hall alone, by its name")->type_name("NAME");
  command->footer(
      "The name - writes to standard output.\n"
      "NetBox finds sites, locations, roles, rack types, makers and device types by name: they must be there before.\n"
      "Examples:\n"
      "  hallwright-cli export hall.hall --dxf plan.dxf --hall \"Hall A\"\n"
      "  hallwright-cli export hall.hall --netbox-racks racks.csv --netbox-devices devices.csv");
  command->callback([a, &exit_code] {
    export_files(*a);
    exit_code = fine;
  });
}

} // namespace hallwright::cli
