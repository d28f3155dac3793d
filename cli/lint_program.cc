// The line of calls that makes a linted program of files.

#include "cli/lint_program.h"

#include "cli/commented_files.h"
#include "cli/describe_run.h"
#include "cli/settings.h"
#include "cli/subject.h"
#include "cli/unmatched_settings.h"
#include "lint/suppression.h"
#include "rules/run_accepting.h"

namespace tilewise {
namespace {

std::optional<StepFigures> FiguresOf(const Report& report) {
  if (!report.timeline) return std::nullopt;
  const Timeline& timeline = *report.timeline;
  StepFigures figures;
  figures.step = timeline.step;
  figures.mxu_busy = timeline.mxu_busy;
  figures.vector_busy = timeline.vector_busy;
  figures.dma_busy = timeline.dma_busy;
  figures.collective = timeline.collective;
  figures.useful_flops = timeline.useful_flops;
  figures.mxu_use = timeline.mxu_use;
  if (report.estimate) {
    figures.lower_bound = report.estimate->step;
    figures.hbm_traffic = report.estimate->hbm_traffic;
  }
  return figures;
}

LintedProgram Describe(Report report) {
  LintedProgram program;
  program.name = report.workload;
  program.target = report.target;
  program.cores = report.cores;
  program.batch_per_core = report.batch_per_core;
  program.global_batch = report.global_batch;
  program.steps_per_execution = report.steps_per_execution;
  program.training = report.training;
  program.batch_assumed = report.batch_assumed;
  program.layers = report.layers;
  program.costed_share = report.costed_share;
  program.figures = FiguresOf(report);
  program.notes = std::move(report.notes);
  program.files = std::move(report.files);
  return program;
}

}  // namespace

absl::StatusOr<Options> OptionsOf(const PlannedProgram& program,
                                  const Options& run) {
  TW_ASSIGN_OR_RETURN(Options options,
                      OptionsFor(run, program.config, program.workload));
  options.files = program.files;
  return options;
}

absl::StatusOr<LintedProgram> LintProgram(
    const Options& options, const Target& target,
    const std::map<std::string, std::string>& texts) {
  TW_ASSIGN_OR_RETURN(const RuleConfig rules,
                      RulesOf(options, options.files.front()));
  TW_ASSIGN_OR_RETURN(const auto subject,
                      LoadAndAnalyze(options, &texts, &target));
  LintedProgram program = Describe(DescribeRun("lint", *subject));
  AddCommentedTexts(options.files, &texts, program.files);
  Suppressor suppressor(program.files, *options.config, rules,
                        CommentStylesOf(program.files));
  RuleRun run = RunRules(
      subject->facts(), rules.selection, {.settings = rules.settings},
      [&](const Diagnostic& finding) { return suppressor.Accepts(finding); });
  program.reachable = std::move(run.reachable);
  Suppressed left =
      suppressor.Finish(std::move(run), program.figures.has_value());
  program.findings = std::move(left.findings);
  program.folded = std::move(left.folded);
  program.suppressed = std::move(left.suppressed);
  program.used_entries = std::move(left.used_entries);
  if (program.figures) {
    program.unmatched_fixed_dims = UnmatchedFixedDimsOf(options, *subject);
  }
  DropUnusedTexts(program);
  return program;
}

}  // namespace tilewise
