// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"

#include <filesystem>
#include <map>
#include <memory>
#include <span>

#include <fmt/format.h>

#include "as_built_project.h"
#include "fabric/as_built_rule.h"
#include "fabric/link_bisection.h"
#include "output.h"
#include "project/durable_file.h"

namespace hallwright::cli {
namespace {

struct AsBuiltArguments : CatalogArguments {
  std::vector<std::string> files;
  std::string format = "auto", plan, plan_format = "auto", network, counters, counter;
  bool json = false;
};

std::string text_of(const std::string& file) {
  auto text = read_whole_file(file);
  if (!text) throw Refusal(refused, fmt::format("{} cannot be read: {}", file, text.error()));
  return *std::move(text);
}

FoundLinks links_of(const std::vector<std::string>& files, const std::string& format) {
  const auto wanted = found_format_of(format);
  if (!wanted) throw Refusal(wrong_use, wanted.error());
  std::vector<std::string> texts;
  for (const std::string& f : files)
    texts.push_back(text_of(f));
  std::vector<FoundSource> sources;
  for (std::size_t i = 0; i < files.size(); ++i)
    sources.push_back({texts[i], files[i]});
  auto found = read_found_links(sources, *wanted);
  if (!found) throw Refusal(refused, found.error());
  return *std::move(found);
}

Json result_json(const AsBuiltResult& r) {
  Json findings = Json::array();
  for (const AsBuiltFinding& f : r.findings) {
    Json moves = Json::array();
    for (const PlugMove& m : f.moves)
      moves.push_back(Json{{"from", m.from}, {"to", m.to}, {"rack", m.rack}, {"u", m.unit_place}, {"label", m.label}});
    findings.push_back(Json{{"kind", as_built_word(f.kind)},
                            {"where", f.where},
                            {"far", f.far},
                            {"expected", f.expected},
                            {"found", f.found},
                            {"move", f.move},
                            {"estimate", f.estimate},
                            {"moves", moves},
                            {"lines", f.lines}});
  }
  return Json{{"links", r.links},     {"matched", r.matched},
              {"findings", findings}, {"rule", r.rule.empty() ? Json() : Json(r.rule)},
              {"planned", r.planned}, {"dark", r.dark},
              {"plug_moves", r.plug_moves},
              {"notes", r.notes}};
}

std::string result_text(const AsBuiltResult& r) {
  std::string out;
  if (!r.rule.empty()) out += fmt::format("rule      {}\n", r.rule);
  const std::string dark = r.dark > 0 ? fmt::format(" ({} of them may be dark)", r.dark) : std::string();
  if (r.planned == 0 && r.rule.empty())
    out += fmt::format("links     {} found, no plan to compare them with\n", r.links);
  else
    out += fmt::format("links     {} found, {} planned{}, {} as planned\n", r.links, r.planned, dark, r.matched);
  for (const std::string& n : r.notes)
    out += fmt::format("note      {}\n", n);
  std::map<AsBuiltKind, std::vector<std::vector<std::string>>> rows;
  for (const AsBuiltFinding& f : r.findings)
    rows[f.kind].push_back({f.where, f.far, f.move});
  for (const auto& [kind, list] : rows)
    out += fmt::format("\n{} ({})\n{}", as_built_word(kind), list.size(), aligned(list, "  "));
  if (r.plug_moves)
    out +=
        fmt::format("\nplugs to move: {}, the fewest that make what was found into what was planned\n", r.plug_moves);
  return out;
}

int run(const AsBuiltArguments& a) {
  if (!a.counters.empty()) {
    const auto counters = read_link_counters(text_of(a.counters), a.counters, a.counter);
    if (!counters) throw Refusal(refused, counters.error());
    const Bisection b = bisect(*counters);
    Json steps = Json::array();
    std::string text;
    bool odd = false;
    for (const BisectionStep& s : b.steps) {
      steps.push_back(Json{{"level", s.level},
                           {"groups", s.groups},
                           {"odd", s.odd},
                           {"odd_value", number(s.odd_value)},
                           {"usual", number(s.usual)},
                           {"stands_out", s.stands_out},
                           {"sentence", s.sentence}});
      text += s.sentence + "\n";
      odd |= s.stands_out;
    }
    if (a.json)
      print_json(Json{{"counter", counters->column}, {"steps", steps}, {"conclusion", b.conclusion}});
    else
      print(text + b.conclusion + "\n");
    return odd ? reported : fine;
  }
  std::vector<std::string> files = a.files;
  std::string project;
  if (!files.empty() && is_project(files.front())) {
    project = files.front();
    files.erase(files.begin());
  }
  if (!project.empty() && !a.plan.empty())
    throw Refusal(wrong_use, fmt::format("both {} and --plan {} are plans; give one", project, a.plan));
  if (files.empty()) throw Refusal(wrong_use, "no file of found links is given");
  const FoundLinks found = links_of(files, a.format);
  AsBuiltResult result;
  if (!project.empty()) {
    const NetworksPlan plan = project_plan(project, a.network, found, a);
    result = compare_as_built(plan.plan, plan.found);
    if (plan.left_out > 0)
      result.notes.push_back(fmt::format("{} links of other networks are left out", plan.left_out));
  } else if (!a.plan.empty())
    result = compare_as_built(planned_fabric(links_of({a.plan}, a.plan_format)), found);
  else
    result = compare_with_rule(found);
  result.notes.insert(result.notes.begin(), found.notes.begin(), found.notes.end());
  if (found.aggregation_links)
    result.notes.push_back(fmt::format("{} aggregation nodes inside switches are left out", found.aggregation_links));
  if (a.json)
    print_json(result_json(result));
  else
    print(result_text(result));
  const bool compared = result.planned > 0 || !result.rule.empty();
  return result.findings.empty() && compared ? fine : reported;
}

} // namespace

void add_as_built_command(CLI::App& program, int& exit_code) {
  auto a = std::make_shared<AsBuiltArguments>();
  CLI::App* command = program.add_subcommand("as-built", "What was plugged, against the plan or the rule behind it");
  command->add_option("FILES", a->files, "A project, if there is one, then files of found links");
  command->add_option("--format", a->format, "Format of the files (default: auto)")
      ->type_name("auto|ibnetdiscover|iblinkinfo|lldp-json|neighbours|ptm|topo|csv");
  command->add_option("--plan", a->plan, "A file as plan: .topo, topology.dot, a cable list, an earlier dump")
      ->type_name("FILE");
  command->add_option("--plan-format", a->plan_format, "Format of that (default: auto)")->type_name("FORMAT");
  command->add_option("--network", a->network, "Network of the project (default: all whose names are in the dump)")
      ->type_name("NAME");
  command->add_option("--counters", a->counters, "Counters by link or rail (CSV): names the odd one out in four steps")
      ->type_name("FILE");
  command->add_option("--counter", a->counter, "Column of numbers in that (default: value, else the last)")
      ->type_name("NAME");
  command->add_flag("--json", a->json, "Write JSON");
  add_catalog_arguments(*command, *a);
  command->footer("Reads ibnetdiscover (both forms), iblinkinfo (with and without -l), lldpd and EOS JSON, neighbour "
                  "tables of SONiC, EOS and\n"
                  "NX-OS, topology.dot of PTM, ibdm .topo, and cable lists (CSV). A neighbour table speaks for the "
                  "switch after which its\n"
                  "file is named. Ends with 1 when there are findings, or nothing to compare with.\n"
                  "Kinds of findings: missing, extra, crossed_in_bundle, exchanged_nodes, exchanged_rails, "
                  "exchanged_switches,\n"
                  "wrong_plane, degraded, unnamed, absent_switch; help page As-built tells what each means.\n"
                  "Examples:\n"
                  "  hallwright-cli as-built fabric.ibnetdiscover\n"
                  "  hallwright-cli as-built hall.hall fabric.ibnetdiscover --json\n"
                  "  hallwright-cli as-built --plan planned.topo leaf-01.json leaf-02.json\n"
                  "  hallwright-cli as-built --counters rates.csv");
  command->callback([a, &exit_code] { exit_code = run(*a); });
}

} // namespace hallwright::cli
