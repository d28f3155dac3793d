// The whole program: read, lower and simulate, lint, tune, report.

#include "cli/advise/advise.h"

#include <utility>

#include "cli/describe_run.h"
#include "cli/findings.h"
#include "cli/fixed_dim_words.h"
#include "cli/output.h"
#include "cli/tune_subject.h"

namespace tilewise {
namespace {

void AddFindings(ProgramFindings found, Report& report) {
  report.reachable = std::move(found.reachable);
  report.findings = std::move(found.left.findings);
  report.counts.suppressed = static_cast<int64_t>(found.left.suppressed.size());
}

}  // namespace

void Add(Arguments& arguments, AdviseOptions& options) {
  Add(arguments, options.model);
  Add(arguments, options.model.lowering);
  Add(arguments, options.search);
  Add(arguments, "error", options.rules);
  Add(arguments, ReportFormats(true), options.output);
  AddReports(arguments, options.output);
  AddVerbose(arguments, options.output);
}

absl::StatusOr<int> RunAdvise(const AdviseOptions& options) {
  const ModelOptions& model = options.model;
  const RuleOptions& flags = options.rules;
  const LintConfig& config = *model.config.found;
  const std::vector<std::string>& files = model.inputs.files;
  TW_ASSIGN_OR_RETURN(const RuleConfig rules, RulesFor(config, flags.overrides, files.front()));
  TW_ASSIGN_OR_RETURN(const auto subject,
                      LoadSubject(model, {.tries_batches = true, .fixed_dims = flags.fixed_dims}));
  Report report = DescribeRun("advise", *subject);
  AddFindings(FindingsOf(*subject, files, nullptr, config, rules, report.files), report);
  if (subject->facts().model != nullptr) {
    TW_ASSIGN_OR_RETURN(report.tuning, TuneSubject(options.search, *subject));
  }
  WarnOfUnmatchedDims(flags.fixed_dims, model.config.FromOf("fixed-dims"), *subject);
  TW_RETURN_IF_ERROR(WriteReport(report, options.output));
  return ExitCode(report.findings, flags);
}

}  // namespace tilewise
