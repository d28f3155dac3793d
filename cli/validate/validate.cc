// The simulator against tables of measurements: the user's, or those that come
// with the program.

#include "accuracy/validate.h"

#include <algorithm>
#include <fstream>
#include <thread>

#include <fmt/format.h>

#include "accuracy/predict.h"
#include "accuracy/ranges.h"
#include "cli/calibrate/table_file.h"
#include "cli/command.h"
#include "cli/options/arguments.h"
#include "cli/options/model_options.h"
#include "cli/options/output_options.h"
#include "cli/output.h"
#include "report/accuracy_report.h"

namespace tilewise {
namespace {

struct ValidateCommandOptions {
  std::vector<std::string> tables;  // none: those that come with tilewise
  NamedMachine machine;             // of rows that name none
  std::string ranges;               // file for RangesTable()
  OutputOptions output;
};

absl::StatusOr<std::vector<MeasuredTable>> ReadTables(const std::vector<std::string>& paths) {
  std::vector<MeasuredTable> tables;
  for (const std::string& path : paths) {
    TW_ASSIGN_OR_RETURN(MeasuredTable table, ReadTable(path));
    tables.push_back(std::move(table));
  }
  if (!paths.empty()) return tables;
  for (const SetDefaults& set : PublishedSets()) {
    if (set.file.empty()) continue;
    // Their files stand beside them in a checkout.
    tables.push_back({set.file, std::string(PublishedText(set.file)), LoaderFrom("validation")});
  }
  return tables;
}

void Add(Arguments& arguments, ValidateCommandOptions& options) {
  Arguments group = arguments.InGroup(kTargetGroup);
  arguments.Words({.name = "FILE",
                   .help = "table of measurements (.csv); its columns tell its "
                           "kind. None: the tables that come with tilewise"},
                  options.tables);
  group.Text({.name = "--chip",
              .help = "of rows that name none (default: what the kind of table was published for)",
              .type = "NAME"},
             options.machine.chip);
  group.Number({.name = "--cores", .help = "of rows that name none (default: the same)"},
               options.machine.cores, kMaxCores);
  group.Text(
      {.name = "--host", .help = "of rows that name none (default: the same)", .type = "NAME"},
      options.machine.host);
  arguments.Text({.name = "--write-ranges",
                  .help = "also write how far measured figures lie from simulated ones, by kind of "
                          "work and chip (validation/ranges.csv)",
                  .type = "FILE"},
                 options.ranges);
  Add(arguments, NamesOf(FormatsOf<AccuracyReport>()), options.output);
  AddVerbose(arguments, options.output);
}

absl::StatusOr<int> RunValidate(const ValidateCommandOptions& options) {
  TW_ASSIGN_OR_RETURN(const std::vector<MeasuredTable> tables, ReadTables(options.tables));
  ValidateOptions validate;
  validate.machine = options.machine;
  validate.threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  AccuracyReport report;
  report.version = TILEWISE_VERSION;
  for (const MeasuredTable& table : tables) {
    TW_ASSIGN_OR_RETURN(SetAccuracy set, Validate(table.path, table.text, validate, table.load));
    report.sets.push_back(std::move(set));
  }
  // A table of the user's own has no other sources beside it.
  if (options.tables.empty()) report.held = FiguresHeld(report.sets);
  if (!options.ranges.empty()) {
    std::ofstream file(options.ranges);
    file << RangesTable(report.sets);
    if (!file.flush()) return InvalidInput(fmt::format("{}: cannot be written", options.ranges));
  }
  TW_RETURN_IF_ERROR(Render(report, options.output));
  return kExitClean;
}

}  // namespace

TW_RUNS_COMMAND(Validate, RunValidate)

}  // namespace tilewise
