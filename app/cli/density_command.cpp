// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"

#include <memory>

#include <fmt/format.h>

#include "output.h"
#include "project_input.h"
#include "quantity/text.h"
#include "study/density_upgrade.h"

namespace hallwright::cli {
namespace {

struct DensityArguments : ProjectArguments {
  std::string row, power, rack_type, liquid_share;
  bool csv = false, json = false;
};

double density_quantity(const std::string& text, const Kind& kind, const char* option) {
  const auto value = parse_quantity(text, kind);
  if (!value) throw Refusal(wrong_use, fmt::format("{}: {}", option, value.error()));
  return *value;
}

int density(const DensityArguments& a) {
  const Design design = load_design(a);
  DensityWish wish;
  wish.row = named(*design.rows, a.row, "--row").id;
  if (!a.power.empty()) wish.power = watts(density_quantity(a.power, kind::power, "--power"));
  if (!a.rack_type.empty()) wish.rack_type = named(*design.rack_types, a.rack_type, "--rack-type").id;
  if (!a.liquid_share.empty()) wish.liquid_share = density_quantity(a.liquid_share, kind::percent, "--liquid-share");
  if (!wish.power && wish.rack_type == 0) throw Refusal(wrong_use, "--power or --rack-type is missing: say what the racks shall become");
  wish.farthest = !a.csv;
  const Timed timed = evaluate_timed(design, load_catalog(a));
  const auto answer = density_upgrade(timed.evaluation, wish);
  if (!answer) throw Refusal(refused, answer.error());
  const DensityUpgrade& u = *answer;
  const bool any = std::any_of(u.steps.begin(), u.steps.end(), [](const DensityStep& s) { return s.needed; });
  const int code = any ? reported : fine;
  if (a.csv) {
    print(csv_of(density_table(u)));
    return code;
  }
  if (a.json) {
    Json steps = Json::array();
    for (const DensityStep& s : u.steps) {
      Json step{{"limit", density_limit_words(s.limit)}, {"subject", s.subject}, {"decided", s.decided}, {"needed", s.needed},
                {"unit", unit_of(s.kind)}, {"now", number(s.now)}, {"wanted", number(s.wanted)}, {"allowed", number(s.allowed)},
                {"why", s.why}};
      if (s.needed) {
        step["count"] = s.count;
        step["parts"] = s.parts;
        step["cost_low"] = s.cost_low ? number(in_dollars(*s.cost_low)) : Json();
        step["cost_high"] = s.cost_high ? number(in_dollars(*s.cost_high)) : Json();
        step["weeks"] = s.weeks ? number(*s.weeks) : Json();
        step["live"] = s.live;
        step["live_how"] = s.live_words;
      }
      steps.push_back(std::move(step));
    }
    print_json(Json{{"row", u.row}, {"racks", u.racks}, {"now", number(in_watts(u.now))}, {"wanted", number(in_watts(u.wanted))},
                    {"steps", steps}, {"cost_low", number(in_dollars(u.cost_low))}, {"cost_high", number(in_dollars(u.cost_high))},
                    {"cost_at_least", u.cost_at_least}, {"weeks", u.weeks ? number(*u.weeks) : Json()},
                    {"weeks_at_least", u.weeks_at_least}, {"stops", u.stops}, {"undecided", u.undecided},
                    {"farthest", u.farthest ? number(in_watts(*u.farthest)) : Json()}, {"farthest_how", u.farthest_words},
                    {"what", u.sentence}, {"notes", u.notes}});
    return code;
  }
  std::string text = u.sentence + ".\n";
  if (!u.farthest_words.empty()) text += u.farthest_words + ".\n";
  text += "\n";
  const Table t = density_table(u);
  std::vector<std::vector<std::string>> rows{{"limit", "what", "now", "wanted", "allowed", "state", "when, why"}};
  for (std::size_t i = 0; i < t.row_count(); ++i)
    rows.push_back({t.column("limit")->words[i], t.column("subject")->words[i], t.column("now")->words[i],
                    t.column("wanted")->words[i], t.column("allowed")->words[i], t.column("state")->words[i],
                    t.column("why")->words[i]});
  text += aligned(rows);
  for (const DensityStep& s : u.steps) {
    if (!s.needed) continue;
    text += fmt::format("\n{}: {}", s.subject, s.parts.empty() ? "no part is known that helps" : s.parts);
    if (s.cost_low) {
      const double low = in_dollars(*s.cost_low), high = s.cost_high ? in_dollars(*s.cost_high) : low;
      text += "; " + format_quantity(low, kind::money, {.group = ""}).joined();
      if (high > low) text += " to " + format_quantity(high, kind::money, {.group = ""}).joined();
    } else {
      text += "; no price is known";
    }
    text += s.weeks ? fmt::format("; {:.3g} weeks", *s.weeks) : std::string("; no lead time is known");
    text += fmt::format("\n  {}: {}", s.live ? "live" : "with a stop", s.live_words);
  }
  text += "\n\n";
  for (const std::string& note : u.notes)
    text += "Note: " + note + ".\n";
  print(text);
  return code;
}

} // namespace

void add_density_command(CLI::App& program, int& exit_code) {
  auto a = std::make_shared<DensityArguments>();
  CLI::App* command = program.add_subcommand(
      "density", "What a row of racks needs to go to a wanted power: power, heat, floor, reach, cost, lead time, live or not");
  add_project_arguments(*command, *a);
  command->add_option("--row", a->row, "Name of the row")->required();
  command->add_option("--power", a->power, "Wanted power of each rack: 130kW");
  command->add_option("--rack-type", a->rack_type, "The racks become racks of this type of the design");
  command->add_option("--liquid-share", a->liquid_share, "Share of their heat that goes to liquid: 85%; as now where it is not said");
  auto* csv = command->add_flag("--csv", a->csv, "Write the table of limits as CSV");
  command->add_flag("--json", a->json, "Write JSON: base units")->excludes(csv);
  command->footer("Ends with 1 where a limit is exceeded, with 0 where none that is decided is.\n"
                  "Examples:\n"
                  "  hallwright-cli density hall.hall --row R01 --power 130kW\n"
                  "  hallwright-cli density hall.hall --row R01 --rack-type \"NVL72 rack\" --csv");
  command->callback([a, &exit_code] { exit_code = density(*a); });
}

} // namespace hallwright::cli
