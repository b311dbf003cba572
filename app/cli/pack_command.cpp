// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"

#include <memory>
#include <optional>

#include <fmt/format.h>

#include "output.h"
#include "project_input.h"
#include "quantity/text.h"
#include "space/packing.h"

namespace hallwright::cli {
namespace {

struct PackArguments : ProjectArguments {
  std::string node, rack_type, hall, mount = "full-depth", feed, liquid, air;
  bool json = false;
};

std::optional<Power> power_of(const std::string& text, const char* option) {
  if (text.empty()) return std::nullopt;
  const auto value = parse_quantity(text, kind::power);
  if (!value) throw Refusal(wrong_use, fmt::format("{}: {}", option, value.error()));
  if (*value < 0) throw Refusal(wrong_use, fmt::format("{}: {} is below 0", option, text));
  return watts(*value);
}

void pack(const PackArguments& a) {
  const auto shipped = load_catalog(a);
  const Evaluation e = evaluate_timed(load_design(a), shipped).evaluation;
  PackingRequest q;
  q.node_part = a.node;
  q.rack_type = named(*e.design.rack_types, a.rack_type, "--rack-type").id;
  if (!a.hall.empty())
    q.hall = named(*e.design.halls, a.hall, "--hall").id;
  else if (e.design.halls->size() == 1)
    q.hall = e.design.halls->front().id;
  q.mount = a.mount == "front" ? RackMount::front : a.mount == "rear" ? RackMount::rear : RackMount::full_depth;
  q.feed_limit = power_of(a.feed, "--feed");
  q.liquid_limit = power_of(a.liquid, "--liquid");
  q.air_limit = power_of(a.air, "--air");
  if (!e.catalog->find<NodePart>(a.node)) {
    std::vector<std::string> names;
    for (const NodePart& n : e.catalog->nodes)
      names.push_back(n.id);
    if (names.empty()) throw Refusal(refused, "the catalog has no nodes");
    throw Refusal(wrong_use,
                  fmt::format("--node: the catalog has no node \"{}\"; {}", a.node, nearest_sentence(a.node, names)));
  }
  const auto packed = packing(e.design, *e.catalog, q);
  if (!packed) throw Refusal(wrong_use, packed.error());
  Figures figures;
  figures.add(*packed);
  if (a.json) {
    Json limits = Json::array();
    for (const PackingLimit& l : packed->limits) {
      const Figure* f = figures.find("packing." + l.id);
      Json line{{"id", l.id}, {"name", l.name}};
      line["nodes"] = l.nodes.has_value() ? Json(l.nodes.value) : Json();
      line["binding"] = l.id == packed->binding;
      if (f) line["figure"] = figure_json(figures, *f);
      limits.push_back(line);
    }
    print_json(Json{{"node", a.node},
                    {"rack_type", a.rack_type},
                    {"nodes", packed->nodes.has_value() ? Json(packed->nodes.value) : Json()},
                    {"binding", packed->binding},
                    {"limits", limits},
                    {"missing", packed->missing}});
    return;
  }
  std::vector<std::vector<std::string>> rows;
  for (const PackingLimit& l : packed->limits)
    rows.push_back({l.id == packed->binding ? "*" : " ", l.name,
                    l.nodes.has_value() ? std::to_string(l.nodes.value) : "-",
                    l.nodes.has_value() ? std::string()
                    : l.nodes.reason    ? *l.nodes.reason
                                        : std::string("not known")});
  std::string text =
      packed->nodes.has_value()
          ? fmt::format("{} {} of {} in a rack of type {}\n\n", packed->nodes.value,
                        packed->nodes.value == 1 ? "node" : "nodes", a.node, a.rack_type)
          : fmt::format("It is not known how many nodes of {} fit in a rack of type {}\n\n", a.node, a.rack_type);
  text += aligned(rows);
  for (const std::string& m : packed->missing)
    text += "not decided: " + m + "\n";
  print(text);
}

} // namespace

void add_pack_command(CLI::App& program, int& exit_code) {
  auto a = std::make_shared<PackArguments>();
  CLI::App* command = program.add_subcommand("pack", "How many nodes of a part fit in a rack, and which limit binds");
  add_project_arguments(*command, *a);
  command->add_option("--node", a->node, "Node part of the catalog")->type_name("PART")->required();
  command->add_option("--rack-type", a->rack_type, "Rack type of the project, by name; what else it holds stays in it")
      ->type_name("NAME")
      ->required();
  command->add_option("--hall", a->hall, "Hall whose floor counts, by name (default: the only one)")->type_name("NAME");
  command->add_option("--mount", a->mount, "Sides that a node takes (default: full-depth)")
      ->type_name("full-depth|front|rear")
      ->check(CLI::IsMember({"full-depth", "front", "rear"}));
  command->add_option("--feed", a->feed, "Power of one feed (default: the rack type's)")->type_name("POWER");
  command->add_option("--liquid", a->liquid, "Heat that the loop takes from one rack (default: no limit)")
      ->type_name("POWER");
  command
      ->add_option("--air", a->air,
                   "Heat that the room takes from one rack (default: catalog assumption air.rack_limit)")
      ->type_name("POWER");
  command->add_flag("--json", a->json, "Write JSON: nodes, binding, limits with their figures, missing");
  command->footer("The limit that binds is marked *.\n"
                  "Examples:\n"
                  "  hallwright-cli pack hall.hall --node dgx-h100 --rack-type \"DGX H100 rack\"\n"
                  "  hallwright-cli pack hall.hall --node dgx-b200 --rack-type \"New rack\" --feed 60kW --json");
  command->callback([a, &exit_code] {
    pack(*a);
    exit_code = fine;
  });
}

} // namespace hallwright::cli
