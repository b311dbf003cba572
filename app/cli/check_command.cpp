// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"

#include <algorithm>
#include <memory>

#include "finding_output.h"
#include "output.h"
#include "project_input.h"

namespace hallwright::cli {
namespace {

struct CheckArguments : ProjectArguments {
  std::string fail_on = "error";
  bool json = false;
};

} // namespace

void add_check_command(CLI::App& program, int& exit_code) {
  auto a = std::make_shared<CheckArguments>();
  CLI::App* command = program.add_subcommand("check", "Findings and waivers of a project");
  add_project_arguments(*command, *a);
  command->add_option("--fail-on", a->fail_on, "Lowest severity that ends with exit code 1 (default: error)")
      ->type_name("error|warning")
      ->check(CLI::IsMember({"error", "warning"}));
  command->add_flag("--json", a->json, "Write JSON: checks, problems");
  command->footer("A waived finding does not fail. A finding that cannot be decided, and an override of a part that does not apply,\n"
                  "count as warnings.\n"
                  "Examples:\n"
                  "  hallwright-cli check hall.hall\n"
                  "  hallwright-cli check hall.hall --fail-on warning && echo ready");
  command->callback([a, &exit_code] {
    const auto catalog = load_catalog(*a);
    const Evaluation e = evaluate_timed(load_design(*a), catalog).evaluation;
    if (a->json) print_json(Json{{"checks", findings_json(e.findings)}, {"problems", e.override_problems}});
    else print(findings_text(e.findings, {}));
    const bool warnings_fail = a->fail_on == "warning";
    const bool failing = std::any_of(e.findings.begin(), e.findings.end(), [&](const Finding& f) {
      if (f.waived || f.severity == Severity::note) return false;
      return warnings_fail || (f.severity == Severity::error && !f.undecided);
    });
    exit_code = failing ? reported : fine;
  });
}

} // namespace hallwright::cli
