// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "output.h"
#include "project/project_file.h"
#include "project/underlay_names.h"
#include "project_input.h"
#include "quantity/text.h"
#include "study/layout_proposals.h"

namespace hallwright::cli {
namespace {

struct LayoutArguments : ProjectArguments {
  std::string rack_type, hall, zone, rectangle, cold_aisle, hot_aisle, cdu, out;
  Count count = 0, proposals = 3, choose = 1, longest_row = 20;
  bool replace = false, no_leafs = false, no_cdus = false, no_busways = false, json = false;
};

std::optional<Length> length_of(const std::string& text, const char* option) {
  if (text.empty()) return std::nullopt;
  const auto value = parse_quantity(text, kind::length);
  if (!value) throw Refusal(wrong_use, fmt::format("{}: {}", option, value.error()));
  return meters(*value);
}

/// "x0,y0,x1,y1" in millimetres of the hall.
std::optional<PlanBox> rectangle_of(const std::string& text) {
  if (text.empty()) return std::nullopt;
  double n[4] = {};
  const char *at = text.data(), *end = text.data() + text.size();
  for (int i = 0; i < 4; ++i) {
    const auto [next, failed] = std::from_chars(at, end, n[i]);
    if (failed != std::errc() || (i < 3 && (next == end || *next != ',')))
      throw Refusal(wrong_use,
                    fmt::format("--rectangle {} is not X0,Y0,X1,Y1 in millimetres; write 0,0,12000,8000", text));
    at = i < 3 ? next + 1 : next;
  }
  if (at != end)
    throw Refusal(wrong_use,
                  fmt::format("--rectangle {} is not X0,Y0,X1,Y1 in millimetres; write 0,0,12000,8000", text));
  constexpr double farthest = 1e7; // as far as things may stand
  for (const double side : n)
    if (!(std::abs(side) <= farthest))
      throw Refusal(wrong_use, fmt::format("--rectangle {}: {} is not taken; -10000000 to 10000000 mm is allowed", text,
                                           side));
  return PlanBox{std::min(n[0], n[2]), std::min(n[1], n[3]), std::max(n[0], n[2]), std::max(n[1], n[3])};
}

LayoutWish wish_of(const LayoutArguments& a, const Design& d, const Catalog& catalog) {
  LayoutWish w;
  w.rack_type = named(*d.rack_types, a.rack_type, "--rack-type").id;
  w.count = a.count;
  if (!a.zone.empty()) {
    const Zone& zone = named(*d.zones, a.zone, "--zone");
    w.zone = zone.id;
    w.hall = zone.hall;
  }
  if (!a.hall.empty()) w.hall = named(*d.halls, a.hall, "--hall").id;
  if (w.hall == 0) {
    if (d.halls->empty()) throw Refusal(refused, "the project has no hall; draw one first");
    if (d.halls->size() > 1) throw Refusal(wrong_use, "the project has several halls; name one with --hall");
    w.hall = d.halls->front().id;
  }
  w.rectangle = rectangle_of(a.rectangle);
  w.replace = a.replace;
  w.leafs = !a.no_leafs;
  w.cdus = !a.no_cdus;
  w.busways = !a.no_busways;
  w.longest_row = a.longest_row;
  w.cold_aisle = length_of(a.cold_aisle, "--cold-aisle");
  w.hot_aisle = length_of(a.hot_aisle, "--hot-aisle");
  if (!a.cdu.empty() && !catalog.find<CoolingPart>(a.cdu)) {
    std::vector<std::string> ids;
    for (const CoolingPart& part : catalog.of<CoolingPart>())
      ids.push_back(part.id);
    throw Refusal(wrong_use, fmt::format("--cdu {}: the catalog has no cooling part of this id; {}", a.cdu,
                                         nearest_sentence(a.cdu, ids)));
  }
  w.cdu_part = a.cdu;
  return w;
}

Json proposal_json(const LayoutProposal& p) {
  Json out{{"name", p.name},
           {"racks", p.outcome.racks},
           {"fabric_racks", p.outcome.fabric_racks},
           {"rows", p.outcome.rows},
           {"pods", p.outcome.pods},
           {"cdus", p.outcome.cdus},
           {"busways", p.outcome.busways},
           {"removed", p.outcome.removed},
           {"errors", p.findings.errors},
           {"warnings", p.findings.warnings},
           {"undecided", p.findings.undecided},
           {"notes", p.outcome.notes}};
  Json figures = Json::object();
  for (const LayoutHeadline& h : p.headlines)
    if (!h.figure.empty())
      figures[h.figure] = Json{{"value", number(h.number)}, {"unit", unit_of(h.kind)}, {"label", h.label}};
  out["figures"] = figures;
  return out;
}

std::string proposals_text(const LayoutProposals& all) {
  std::vector<std::vector<std::string>> rows;
  std::vector<std::string> head{""};
  for (std::size_t i = 0; i < all.proposals.size(); ++i)
    head.push_back(fmt::format("[{}]", i + 1));
  rows.push_back(head);
  for (std::size_t line = 0; line < all.proposals.front().headlines.size(); ++line) {
    std::vector<std::string> row{all.proposals.front().headlines[line].label};
    for (const LayoutProposal& p : all.proposals)
      row.push_back(p.headlines[line].value);
    rows.push_back(std::move(row));
  }
  std::string text;
  for (std::size_t i = 0; i < all.proposals.size(); ++i) {
    text += fmt::format("[{}] {}\n", i + 1, all.proposals[i].name);
    for (const std::string& note : all.proposals[i].outcome.notes)
      text += "    " + note + "\n";
  }
  text += "\n" + aligned(rows);
  for (const std::string& refused_one : all.refused)
    text += "not possible: " + refused_one + "\n";
  return text;
}

void lay_out(const LayoutArguments& a) {
  if (!a.out.empty() && !a.out.ends_with(".hall") && !a.out.ends_with(".json"))
    throw Refusal(wrong_use, fmt::format("{} names no form of a project; it must end in .hall or .hall.json", a.out));
  const auto catalog = load_catalog(a);
  const Design design = load_design(a);
  const auto all = layout_proposals(design, catalog, wish_of(a, design, *catalog), static_cast<std::size_t>(a.proposals));
  if (!all) throw Refusal(reported, all.error());
  if (static_cast<std::size_t>(a.choose) > all->proposals.size())
    throw Refusal(wrong_use, fmt::format("--choose {}: there {} only {} proposal{}", a.choose,
                                         all->proposals.size() == 1 ? "is" : "are", all->proposals.size(),
                                         all->proposals.size() == 1 ? "" : "s"));
  const LayoutProposal& chosen = all->proposals[static_cast<std::size_t>(a.choose - 1)];
  if (!a.out.empty()) {
    const auto made = chosen.edit.apply(design);
    if (!made) throw Refusal(refused, made.error());
    const Design written = with_underlays_named_from(*made, a.project, a.out);
    if (auto saved = save_project(written, a.out, {.stamp = time_stamp()}); !saved) throw Refusal(refused, saved.error());
  }
  if (a.json) {
    Json list = Json::array();
    for (const LayoutProposal& p : all->proposals)
      list.push_back(proposal_json(p));
    print_json(Json{{"proposals", list},
                    {"refused", all->refused},
                    {"written", a.out.empty() ? Json() : Json(a.out)},
                    {"chosen", a.choose}});
  } else {
    print(proposals_text(*all));
    if (!a.out.empty()) print(fmt::format("[{}] is written into {}\n", a.choose, a.out));
  }
}

} // namespace

void add_layout_command(CLI::App& program, int& exit_code) {
  auto a = std::make_shared<LayoutArguments>();
  CLI::App* command =
      program.add_subcommand("layout", "Racks laid out in a hall by rule: several proposals with their figures");
  add_project_arguments(*command, *a);
  command->add_option("--rack-type", a->rack_type, "Rack type of the project, by name")->type_name("NAME")->required();
  command->add_option("--count", a->count, "Racks of the type")
      ->type_name("N")
      ->required()
      ->check(CLI::Range(Count{1}, Count{20000}));
  command->add_option("--hall", a->hall, "Hall, by name (needed where there are several)")->type_name("NAME");
  command->add_option("--zone", a->zone, "Only inside this zone")->type_name("NAME");
  command->add_option("--rectangle", a->rectangle, "Only inside this rectangle of the hall, millimetres")
      ->type_name("X0,Y0,X1,Y1");
  command->add_flag("--replace", a->replace, "First take away unlocked racks, CDUs and busways there");
  command->add_option("--proposals", a->proposals, "Most proposals (default: 3)")
      ->type_name("K")
      ->check(CLI::Range(Count{1}, Count{12}));
  command->add_option("--choose", a->choose, "Proposal that --out writes (default: 1, the best)")
      ->type_name("K")
      ->check(CLI::Range(Count{1}, Count{12}));
  command->add_option("--longest-row", a->longest_row, "Racks side by side before a cross aisle (default: 20)")
      ->type_name("N")
      ->check(CLI::Range(Count{1}, Count{500}));
  command
      ->add_option("--cold-aisle", a->cold_aisle, "Cold aisle (default: the hall's minimum, and wider in one proposal)")
      ->type_name("LENGTH");
  command->add_option("--hot-aisle", a->hot_aisle, "Hot aisle, likewise")->type_name("LENGTH");
  command
      ->add_option("--cdu", a->cdu,
                   "CDU part (default: the cooling plant's, else the one of which the fewest are needed)")
      ->type_name("PART");
  command->add_flag("--no-leafs", a->no_leafs, "No fabric racks");
  command->add_flag("--no-cdus", a->no_cdus, "No CDUs");
  command->add_flag("--no-busways", a->no_busways, "No busways; racks take the feeds that are drawn");
  command->add_option("--out", a->out, "Write the chosen layout into this project (.hall or .hall.json)")
      ->type_name("FILE");
  command->add_flag("--json", a->json, "Write JSON: proposals, refused, chosen, written");
  command->footer("Best first: fewest errors, then fewest warnings, then the shortest mean way to the leafs, then the\n"
                  "fewest rows. Exit code 1 when the racks do not fit; the sentence says how many do.\n"
                  "Examples:\n"
                  "  hallwright-cli layout hall.hall --rack-type \"DGX H100 rack\" --count 32\n"
                  "  hallwright-cli layout hall.hall --rack-type NVL72 --count 8 --hall \"Hall A\" --proposals 1 --out "
                  "laid-out.hall");
  command->callback([a, &exit_code] {
    lay_out(*a);
    exit_code = fine;
  });
}

} // namespace hallwright::cli
