// The simulator against tables of measurements: the user's, or those that come
// with the program.

#include "cli/validate/validate.h"

#include <algorithm>
#include <thread>

#include "accuracy/validate.h"
#include "cli/calibrate/table_file.h"
#include "cli/options/target_options.h"
#include "cli/output.h"
#include "cli/run.h"
#include "report/accuracy_report.h"

namespace tilewise {
namespace {

absl::StatusOr<std::vector<TableFile>> ReadTables(const std::vector<std::string>& paths) {
  std::vector<TableFile> tables;
  for (const std::string& path : paths) {
    TW_ASSIGN_OR_RETURN(TableFile table, ReadTableFile(path));
    tables.push_back(std::move(table));
  }
  if (!paths.empty()) return tables;
  for (const SetDefaults& set : PublishedSets()) {
    if (set.file.empty()) continue;
    // Their files stand beside them in a checkout.
    tables.push_back({set.file, "validation", std::string(PublishedText(set.file))});
  }
  return tables;
}

}  // namespace

void Add(Arguments& arguments, ValidateCommandOptions& options) {
  arguments.Words({.name = "FILE",
                   .help = "table of measurements (.csv); its columns tell its "
                           "kind. None: the tables that come with tilewise"},
                  options.tables);
  arguments.Text({.name = "--chip",
                  .help = "of rows that name none (default: what the kind of "
                          "table was published for)",
                  .group = kTargetGroup,
                  .type = "NAME"},
                 options.machine.chip);
  arguments.Number({.name = "--cores",
                    .help = "of rows that name none (default: the same)",
                    .group = kTargetGroup},
                   options.machine.cores, kMaxCores);
  arguments.Text({.name = "--host",
                  .help = "of rows that name none (default: the same)",
                  .group = kTargetGroup,
                  .type = "NAME"},
                 options.machine.host);
  Add(arguments, NamesOf(AccuracyFormats()), options.output);
  AddVerbose(arguments, options.output);
}

absl::StatusOr<int> RunValidate(const ValidateCommandOptions& options) {
  TW_ASSIGN_OR_RETURN(const std::vector<TableFile> tables, ReadTables(options.tables));
  ValidateOptions validate;
  validate.machine = options.machine;
  validate.threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  AccuracyReport report;
  report.version = TILEWISE_VERSION;
  for (const TableFile& table : tables) {
    TW_ASSIGN_OR_RETURN(SetAccuracy set,
                        Validate(table.name, table.text, validate, LoaderFrom(table.folder)));
    report.sets.push_back(std::move(set));
  }
  TW_RETURN_IF_ERROR(WriteAccuracy(report, options.output));
  return kExitClean;
}

}  // namespace tilewise
