// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"

#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "output.h"
#include "project/durable_file.h"
#include "project_input.h"
#include "quantity/table_number.h"
#include "quantity/text.h"

namespace hallwright::cli {
namespace {

struct ReportArguments : ProjectArguments {
  std::string csv_folder;
};

std::string figures_csv(const Figures& figures) {
  std::string out = "id,label,value,unit,completeness,status,limit,limit value,formula,text,source,reason,inputs\n";
  for (const Figure* f : figures.all()) {
    const Figure* limit = figures.at(f->limit);
    std::string inputs;
    for (const FigureRef ref : f->inputs)
      if (const Figure* input = figures.at(ref)) inputs += (inputs.empty() ? "" : " ") + input->id;
    out += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{}\n", csv_words(f->id), csv_words(f->label), f->has_value() ? table_number(f->value) : "",
                       csv_words(unit_of(f->kind)), completeness_word(f->completeness), status_word(f->status), csv_words(limit ? limit->id : ""),
                       limit && limit->has_value() ? table_number(limit->value) : "", csv_words(f->formula), csv_words(f->formula_text),
                       csv_words(f->source), csv_words(f->reason), csv_words(inputs));
  }
  return out;
}

std::string findings_csv(const std::vector<Finding>& findings) {
  std::string out = "code,severity,message,where,undecided,waived,waiver reason\n";
  for (const Finding& f : findings)
    out += fmt::format("{},{},{},{},{},{},{}\n", csv_words(f.code), severity_word(f.severity), csv_words(f.message), csv_words(f.where),
                       f.undecided ? "yes" : "no", f.waived ? "yes" : "no", csv_words(f.waiver_reason));
  return out;
}

void write(const std::filesystem::path& file, const std::string& text) {
  if (auto written = replace_file(file, text); !written) throw Refusal(refused, fmt::format("{} is not written: {}", file.string(), written.error()));
}

void write_tables(const std::string& folder, const Evaluation& evaluation) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed || !std::filesystem::is_directory(folder))
    throw Refusal(refused, fmt::format("the folder {} cannot be made: {}", folder, failed ? failed.message() : "a file of this name is in the way"));
  const std::filesystem::path place(folder);
  write(place / "figures.csv", figures_csv(evaluation.figures));
  write(place / "findings.csv", findings_csv(evaluation.findings));
  for (const Table* t : evaluation.figures.tables()) write(place / (t->id + ".csv"), csv_of(*t));
}

} // namespace

void add_report_command(CLI::App& program, int& exit_code) {
  auto a = std::make_shared<ReportArguments>();
  CLI::App* command = program.add_subcommand("report", "All tables, figures and findings of a project as files");
  add_project_arguments(*command, *a);
  command->add_option("--csv-dir", a->csv_folder, "Folder for one CSV file a table, figures.csv and findings.csv; files of these names are replaced")
      ->type_name("DIR")
      ->required();
  command->footer("Numbers are in full precision in the base units that the headers name. A page as PDF: hallwright --report.\n"
                  "Example:\n"
                  "  hallwright-cli report hall.hall --csv-dir tables");
  command->callback([a, &exit_code] {
    const auto catalog = load_catalog(*a);
    write_tables(a->csv_folder, evaluate_timed(load_design(*a), catalog).evaluation);
    exit_code = fine;
  });
}

} // namespace hallwright::cli
