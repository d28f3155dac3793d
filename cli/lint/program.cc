// The line of calls that makes a linted program of files.

#include "cli/lint/program.h"

#include <utility>

#include "cli/describe_run.h"
#include "cli/findings.h"
#include "cli/fixed_dim_words.h"
#include "cli/subject.h"

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

absl::StatusOr<LintOptions> OptionsOf(const PlannedProgram& program, const LintOptions& run) {
  TW_ASSIGN_OR_RETURN(LintOptions options, OptionsFor(run, program.config, program.workload));
  options.model.inputs.files = program.files;
  return options;
}

absl::StatusOr<LintedProgram> LintProgram(const LintOptions& options, const Target& target,
                                          const std::map<std::string, std::string>& texts) {
  const std::vector<std::string>& files = options.files();
  const RuleOptions& flags = options.rules;
  TW_ASSIGN_OR_RETURN(const RuleConfig rules,
                      RulesFor(options.config(), flags.overrides, files.front()));
  TW_ASSIGN_OR_RETURN(
      const auto subject,
      LoadSubject(options.model,
                  {.fixed_dims = flags.fixed_dims, .texts = &texts, .target = &target}));
  LintedProgram program = Describe(DescribeRun("lint", *subject));
  ProgramFindings found =
      FindingsOf(*subject, files, &texts, options.config(), rules, program.files);
  program.reachable = std::move(found.reachable);
  program.findings = std::move(found.left.findings);
  program.folded = std::move(found.left.folded);
  program.suppressed = std::move(found.left.suppressed);
  program.used_entries = std::move(found.left.used_entries);
  if (program.figures) {
    program.unmatched_fixed_dims = UnmatchedFixedDimsOf(flags.fixed_dims, *subject);
  }
  DropUnusedTexts(program);
  return program;
}

}  // namespace tilewise
