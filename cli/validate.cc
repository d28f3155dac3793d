// The simulator against tables of measurements: the user's, or those that come
// with the program.

#include "accuracy/validate.h"

#include <thread>

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/run.h"
#include "cli/table_file.h"
#include "report/accuracy_report.h"

namespace tilewise {
namespace {

absl::StatusOr<std::vector<TableFile>> ReadTables(const Options& options) {
  std::vector<TableFile> tables;
  for (const std::string& path : options.files) {
    TW_ASSIGN_OR_RETURN(TableFile table, ReadTableFile(path));
    tables.push_back(std::move(table));
  }
  if (!options.files.empty()) return tables;
  for (const SetDefaults& set : PublishedSets()) {
    if (set.file.empty()) continue;
    // Their files stand beside them in a checkout.
    tables.push_back(
        {set.file, "validation", std::string(PublishedText(set.file))});
  }
  return tables;
}

}  // namespace

absl::StatusOr<int> RunValidate(const Options& options) {
  TW_ASSIGN_OR_RETURN(const std::vector<TableFile> tables, ReadTables(options));
  ValidateOptions validate;
  validate.machine = {options.chip, options.host, options.cores};
  validate.threads =
      static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  AccuracyReport report;
  report.version = TILEWISE_VERSION;
  for (const TableFile& table : tables) {
    TW_ASSIGN_OR_RETURN(
        SetAccuracy set,
        Validate(table.name, table.text, validate, LoaderFrom(table.folder)));
    report.sets.push_back(std::move(set));
  }
  TW_RETURN_IF_ERROR(WriteAccuracy(report, options));
  return kExitClean;
}

}  // namespace tilewise
