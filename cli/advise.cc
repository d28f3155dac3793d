// The whole program: read, lower and simulate, lint, tune, report.

#include <utility>

#include "cli/commands.h"
#include "cli/commented_files.h"
#include "cli/describe_run.h"
#include "cli/output.h"
#include "cli/settings.h"
#include "cli/tune_subject.h"
#include "cli/unmatched_settings.h"
#include "lint/suppression.h"
#include "rules/run_accepting.h"

namespace tilewise {

absl::StatusOr<int> RunAdvise(const Options& options) {
  const std::string file = options.files.empty() ? "" : options.files.front();
  TW_ASSIGN_OR_RETURN(const RuleConfig rules, RulesOf(options, file));
  TW_ASSIGN_OR_RETURN(const auto subject, LoadAndAnalyze(options));
  Report report = DescribeRun("advise", *subject);
  AddCommentedTexts(options.files, nullptr, report.files);
  Suppressor suppressor(report.files, *options.config, rules);
  RuleRun run = RunRules(
      subject->facts(), rules.selection, {.settings = rules.settings},
      [&](const Diagnostic& finding) { return suppressor.Accepts(finding); });
  report.reachable = std::move(run.reachable);
  Suppressed left =
      suppressor.Finish(std::move(run), subject->facts().model != nullptr);
  report.findings = std::move(left.findings);
  report.counts.suppressed = static_cast<int64_t>(left.suppressed.size());
  if (subject->facts().model != nullptr) {
    TW_ASSIGN_OR_RETURN(report.tuning, TuneSubject(options, *subject));
  }
  WarnOfUnmatched(options, *subject);
  TW_RETURN_IF_ERROR(WriteReport(report, options));
  return ExitCode(report, options);
}

}  // namespace tilewise
