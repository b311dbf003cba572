// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"

#include <algorithm>
#include <cstdio>
#include <memory>

#include <unistd.h>

#include <fmt/format.h>

#include "fabric/cable_exports.h"
#include "output.h"
#include "project/durable_file.h"
#include "project_input.h"

namespace hallwright::cli {
namespace {

struct CablingArguments : ProjectArguments {
  std::string file, format = "schedule", network, port_names = "numbers";
};

void write_cabling(const CablingArguments& a) {
  const auto format = cable_file_of(a.format);
  if (!format) throw Refusal(wrong_use, "--format " + format.error());
  const auto names = port_names_of(a.port_names);
  if (!names) throw Refusal(wrong_use, "--port-names " + names.error());
  if (*names != PortNames::numbers && *format != CableFile::netbox && *format != CableFile::ptm)
    throw Refusal(wrong_use, fmt::format("--port-names {} is for the formats netbox and ptm; {} has a fixed form",
                                         a.port_names, a.format));
  const auto catalog = load_catalog(a);
  const Design design = load_design(a);
  const Timed timed = evaluate_timed(design, catalog);
  const Evaluation& e = timed.evaluation;
  if (!a.network.empty()) {
    std::vector<std::string> all;
    for (const NetworkCabling& n : e.cabling->networks)
      all.push_back(n.name);
    if (!all.empty() && std::find(all.begin(), all.end(), a.network) == all.end())
      throw Refusal(wrong_use, fmt::format("--network {}: the project has no network of this name; {}", a.network,
                                           nearest_sentence(a.network, all)));
  }
  const auto book = cable_book(e.design, e.catalog, *e.cabling, a.network);
  if (!book) throw Refusal(refused, fmt::format("{}: {}", a.project, book.error()));
  for (const std::string& note : book->notes)
    std::fprintf(stderr, "%s\n", note.c_str());
  // A terminal is told how far it is; a file of messages is not.
  const bool told = ::isatty(STDERR_FILENO) != 0;
  int last = -1;
  const auto text = cable_file_text(*book, *format, *names, [&](double share) {
    const int percent = static_cast<int>(share * 100.0);
    if (told && percent / 5 != last / 5) std::fprintf(stderr, "\r%3d %%", percent);
    last = percent;
    return true;
  });
  if (told && last >= 0) std::fprintf(stderr, "\r     \r");
  if (!text) throw Refusal(refused, text.error());
  write_answer(a.file, *text, {a.project});
}

} // namespace

void add_cabling_command(CLI::App& program, int& exit_code) {
  auto a = std::make_shared<CablingArguments>();
  CLI::App* command = program.add_subcommand("cabling", "Every cable: both ends, lengths, parts, labels, as a file");
  add_project_arguments(*command, *a);
  command->add_option("--csv", a->file, "File to write, of any format; - writes to standard output")
      ->type_name("FILE")
      ->required();
  command->add_option("--format", a->format, "What to write (default: schedule)")
      ->type_name("schedule|netbox|topo|ptm|pull|ports|tests");
  command->add_option("--network", a->network, "One network alone, by its name (default: all)")->type_name("NAME");
  command
      ->add_option("--port-names", a->port_names,
                   "Ports of switches in netbox and ptm: 34, 17/2 or swp17s1 (default: numbers)")
      ->type_name("numbers|faceplate|swp");
  command->footer("schedule: a line a link end to end. netbox: bulk import of cables. topo: ibdm, for ibdiagnet -t. "
                  "ptm: topology.dot.\n"
                  "pull: bundles by rack pair under each tray. ports: every port by rack. tests: loss, budget and room "
                  "for measurements.\n"
                  "as-built reads schedule, netbox, topo and ptm back. Labels and port sheets as PDF: File, Export, "
                  "Cabling in the studio.\n"
                  "Examples:\n"
                  "  hallwright-cli cabling hall.hall --csv cables.csv\n"
                  "  hallwright-cli cabling hall.hall --csv planned.topo --format topo --network Compute");
  command->callback([a, &exit_code] {
    write_cabling(*a);
    exit_code = fine;
  });
}

} // namespace hallwright::cli
