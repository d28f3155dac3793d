// A chip's constants fitted to the user's measurements: what changed, by how
// much the errors fell, and the file that makes it stick.

#include "accuracy/calibrate.h"

#include <algorithm>
#include <thread>

#include <fmt/format.h>

#include "accuracy/predict.h"
#include "cli/calibrate/table_file.h"
#include "cli/command.h"
#include "cli/options/arguments.h"
#include "cli/options/model_options.h"
#include "cli/options/output_options.h"
#include "cli/output.h"

namespace tilewise {
namespace {

struct CalibrateCommandOptions {
  std::vector<std::string> tables;
  std::vector<std::string> where;  // conditions on the rows to fit
  std::string only;                // first letters of constants to fit
  NamedMachine machine;            // its chip is the one that is fitted
  OutputOptions output;            // its path is for the chip
};

void AddRows(Arguments& arguments, CalibrateCommandOptions& options) {
  Arguments group = arguments.InGroup(kTargetGroup);
  group.Words({.name = "--measurements",
               .help = "table of measurements (.csv) as 'validate' reads "
                       "it; several are fitted together",
               .type = "FILE",
               .required = true},
              options.tables);
  group.Words({.name = "--where",
               .help = "fit the rows that meet this, and show how well the "
                       "others are predicted; several: all of them",
               .type = "COLUMN<=VALUE"},
              options.where);
  group.Text({.name = "--only",
              .help = "fit just the constants whose names start so, or with one of several: a,b",
              .type = "NAME"},
             options.only);
}

ListingCell Percent(const std::optional<double>& share) {
  return share ? ListingCell::Share(*share) : ListingCell("");
}

ListingCell Rounded(double value) { return {fmt::format("{:.4g}", value), value}; }

// What the rows determine; only for a constant that was fitted.
ListingCell Interval(const CalibratedConstant& constant) {
  if (constant.outcome != FitOutcome::kFitted) return "";
  return {fmt::format("{:.3g} to {:.3g}", constant.low, constant.high),
          ListingCell::Range{constant.low, constant.high}};
}

ListingRow ErrorRow(const std::string& name, const ErrorSummary& errors) {
  return {.cells = {name, ListingCell::Count(errors.n), Percent(errors.mape),
                    Percent(errors.median_ape), Percent(errors.bias)}};
}

ListingSection Errors(const Calibration& found) {
  ListingSection section{.title = "errors", .columns = {"rows", "n", "MAPE", "median", "bias"}};
  section.rows.push_back(ErrorRow("fitted, before", found.fitted_before));
  section.rows.push_back(ErrorRow("fitted, after", found.fitted_after));
  if (found.held_out_before && found.held_out_after) {
    section.rows.push_back(ErrorRow("others, before", *found.held_out_before));
    section.rows.push_back(ErrorRow("others, after", *found.held_out_after));
  }
  return section;
}

std::string OutcomeText(FitOutcome outcome) {
  switch (outcome) {
    case FitOutcome::kFitted:
      return "fitted";
    case FitOutcome::kSearched:
      return "searched for: it decides between windows";
    case FitOutcome::kAtLimit:
      return "at the limit of its range: the model lacks something else";
    case FitOutcome::kNoEffect:
      return "kept: no row depends on it";
    case FitOutcome::kNoGain:
      return "kept: the rows fit nearly as well with it as it is";
    case FitOutcome::kUncertain:
      break;
  }
  return "kept: the rows do not determine it";
}

ListingSection Constants(const Calibration& found) {
  ListingSection section{
      .title = "constants",
      .columns = {"constant", "before", "was", "after", "95 % interval", "outcome"}};
  for (const CalibratedConstant& constant : found.constants) {
    section.rows.push_back(
        {.cells = {constant.before.field, Rounded(constant.before.value), constant.before.kind,
                   Rounded(constant.after), Interval(constant), OutcomeText(constant.outcome)}});
  }
  return section;
}

ListingSection Rows(const Calibration& found) {
  return {.title = "rows",
          .columns = {"in the tables", "of other chips", "not compared", "compared", "fitted"},
          .rows = {{.cells = {ListingCell::Count(found.rows), ListingCell::Count(found.other_chips),
                              ListingCell::Count(found.not_compared),
                              ListingCell::Count(found.compared()),
                              ListingCell::Count(found.fitted_rows)}}}};
}

absl::Status CheckOutput(const std::string& path) {
  if (path.empty() || path.ends_with(".txtpb")) return absl::OkStatus();
  return InvalidInput(
      fmt::format("--output: found '{}', expected a name that ends in .txtpb, as --chip takes it",
                  path.substr(0, 200)));
}

void Add(Arguments& arguments, CalibrateCommandOptions& options) {
  Arguments group = arguments.InGroup(kTargetGroup);
  AddRows(arguments, options);
  group.Text({.name = "--chip",
              .help = "whose constants are fitted: a name ('tilewise list chips') or "
                      "a .txtpb file; rows of other chips are left out",
              .type = "NAME",
              .required = true},
             options.machine.chip);
  group.Number({.name = "--cores",
                .help = "of rows that name none (default: what the kind of "
                        "table was published for)"},
               options.machine.cores, kMaxCores);
  group.Text(
      {.name = "--host", .help = "of rows that name none (default: the chip's)", .type = "NAME"},
      options.machine.host);
  Add(arguments, NamesOf(FormatsOf<Listing>()), options.output,
      "write the chip with the fitted constants to this file (.txtpb), which "
      "--chip takes everywhere");
}

absl::StatusOr<int> RunCalibrate(const CalibrateCommandOptions& options) {
  TW_RETURN_IF_ERROR(CheckOutput(options.output.path));
  std::vector<MeasuredTable> tables;
  for (const std::string& path : options.tables) {
    TW_ASSIGN_OR_RETURN(MeasuredTable table, ReadTable(path));
    tables.push_back(std::move(table));
  }
  CalibrateOptions calibrate;
  calibrate.machine = options.machine;
  for (const std::string& text : options.where) {
    TW_ASSIGN_OR_RETURN(RowCondition condition, ParseRowCondition(text));
    calibrate.where.push_back(std::move(condition));
  }
  calibrate.only = options.only;
  calibrate.threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  TW_ASSIGN_OR_RETURN(const Calibration found, Calibrate(tables, calibrate));
  if (!options.output.path.empty()) {
    TW_RETURN_IF_ERROR(WriteOutput(found.overlay, options.output.path));
  }
  OutputOptions report = options.output;
  report.path.clear();  // the overlay's
  TW_RETURN_IF_ERROR(Render("calibrate", {Rows(found), Errors(found), Constants(found)}, report));
  return kExitClean;
}

}  // namespace

TW_RUNS_COMMAND(Calibrate, RunCalibrate)

}  // namespace tilewise
