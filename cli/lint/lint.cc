// Findings only: what to lint, lint it, fix it, report it.

#include <algorithm>
#include <cstdio>
#include <functional>

#include <fmt/format.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/lint/run.h"
#include "cli/output.h"
#include "lint/config_files.h"
#include "lint/watch.h"

namespace tilewise {
namespace {

// Each once, by name.
std::vector<std::string> Sorted(std::vector<std::string> files) {
  std::ranges::sort(files);
  files.erase(std::unique(files.begin(), files.end()), files.end());
  return files;
}

std::vector<std::string> FilesOf(const LintRun& run) {
  std::vector<std::string> files;
  for (const ProgramRun& program : run.programs) {
    files.insert(files.end(), program.options.files().begin(), program.options.files().end());
  }
  return Sorted(std::move(files));
}

std::string ListOf(const LintPlan& plan) {
  std::vector<std::string> files;
  for (const PlannedProgram& program : plan.programs) {
    files.insert(files.end(), program.files.begin(), program.files.end());
  }
  std::string text;
  for (const std::string& file : Sorted(std::move(files))) text += Printable(file) + "\n";
  return WithoutCommands(std::move(text));
}

absl::Status WriteBaseline(const LintRun& run, const LintOptions& options) {
  std::vector<BaselineEntry> entries;
  for (const ProgramRun& program : run.programs) {
    if (!program.linted) continue;
    for (const Diagnostic* finding : SingleFindings(*program.linted)) {
      entries.push_back(
          BaselineEntryOf(*finding, program.linted->files, program.options.config().root));
    }
  }
  const size_t count = entries.size();
  TW_RETURN_IF_ERROR(Baseline(std::move(entries)).Write(options.baseline.write, TILEWISE_VERSION));
  std::fprintf(stderr, "wrote %zu known finding%s to %s\n", count, count == 1 ? "" : "s",
               Printable(options.baseline.write).c_str());
  return absl::OkStatus();
}

// Entries that nothing was found for: taken out, or a failure.
absl::Status CheckStale(const LintRun& run, const LintOptions& options) {
  if (!run.baseline) return absl::OkStatus();
  std::set<std::string> used;
  for (const ProgramRun& program : run.programs) {
    used.insert(program.used_entries.begin(), program.used_entries.end());
  }
  TW_ASSIGN_OR_RETURN(const RuleConfig rules,
                      RulesFor(options.config(), options.rules.overrides, ""));
  const std::vector<BaselineEntry> stale = run.baseline->Stale(
      used, FilesOf(run), [&](std::string_view rule) { return Selects(rules.selection, rule); },
      options.config().root);
  if (stale.empty()) return absl::OkStatus();
  if (options.baseline.prune) {
    return run.baseline->Without(stale).Write(options.baseline.file, TILEWISE_VERSION);
  }
  if (options.baseline.pass_on_stale) {
    Say("warning", Message(StaleError(options.baseline.file, stale)));
    return absl::OkStatus();
  }
  return StaleError(options.baseline.file, stale);
}

// The code that the run ends with. Failures count more than findings.
int CodeOf(const Report& report, const LintOptions& options) {
  if (!report.failures.empty()) return kExitFailure;
  return ExitCode(report.findings, options.rules);
}

// "1 finding", "3 findings".
std::string CountWord(int64_t count, std::string_view word) {
  return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
}

// `output`: as that of `options`, but where the report goes.
absl::Status WriteFinished(Report report, const LintOptions& options, const OutputOptions& output) {
  const bool for_people = options.output.format == "text" || options.output.format == "concise";
  if (options.fixes.only && for_people) {
    return WriteOutput(fmt::format("Fixed {}.\n", CountWord(report.counts.fixed, "finding")),
                       output.path);
  }
  // Standard error has failures already; files shall have them too.
  if (for_people && options.output.path.empty() && options.output.reports.empty()) {
    report.failures.clear();
  }
  return Render(report, output);
}

absl::StatusOr<int> Finish(const LintRun& run, const FixSummary& fixes,
                           const LintOptions& options) {
  const bool none = std::ranges::none_of(
      run.programs, [](const ProgramRun& program) { return program.linted.has_value(); });
  if (none && !FailuresOf(run).empty()) return kExitFailure;
  if (none) {
    Say("warning", "found no TPU program in the folders");
    return kExitClean;
  }
  TW_ASSIGN_OR_RETURN(Report report, ReportOf(run, options));
  report.counts.fixed = fixes.fixed;
  report.failures.insert(report.failures.end(), fixes.failures.begin(), fixes.failures.end());
  const absl::Status stale = CheckStale(run, options);
  OutputOptions output = options.output;
  if (!stale.ok()) report.failures.push_back(Message(stale));
  if (options.fixes.only && stale.ok()) {
    report.findings.clear();
    report.reachable.reset();
    for (ProgramSummary& program : report.programs) {
      program.reachable.reset();
      program.findings = 0;
    }
  }
  // The text of standard input takes the place of the report.
  const bool fixed_input = !run.plan.texts.empty() && options.fixes.any();
  if (fixed_input) {
    TW_RETURN_IF_ERROR(WriteOutput(fixes.standard_input, ""));
    if (output.path.empty()) output.path = "/dev/stderr";
  }
  report.exit_code = CodeOf(report, options);
  const int code = *report.exit_code;
  TW_RETURN_IF_ERROR(WriteFinished(std::move(report), options, output));
  if (!stale.ok()) Say("error", Message(stale));
  return code;
}

absl::StatusOr<int> ShowDiff(const LintRun& run, const FixSummary& fixes,
                             const LintOptions& options) {
  // A file keeps each byte, for a program that patches; who reads it here is
  // shown nothing that moves the cursor.
  const std::string& path = options.output.path;
  TW_RETURN_IF_ERROR(
      WriteOutput(path.empty() ? WithoutCommands(PrintableLines(fixes.diff)) : fixes.diff, path));
  if (fixes.fixed > 0) {
    std::fprintf(stderr, "%s\n", (CountWord(fixes.fixed, "finding") + " would be fixed").c_str());
  }
  if (!FailuresOf(run).empty()) return kExitFailure;
  return fixes.diff.empty() || options.rules.exit_zero ? kExitClean : kExitFindings;
}

// Watches the files without what the run writes itself. The working directory has the configuration
// where nothing could be planned.
absl::Status Watch(std::vector<std::string> folders, const LintOptions& options, Watcher& watcher) {
  WatchedPaths paths = {.folders = std::move(folders),
                        .ignored = {options.output.path, options.baseline.write}};
  paths.folders.emplace_back(".");
  for (const std::string& report : options.output.reports) {
    paths.ignored.push_back(ReportTarget(report).second);
  }
  return watcher.Watch(paths);
}

// Told of folders before their files are read, so that no change between is
// missed; may be empty.
using WatchFolders = std::function<absl::Status(const std::vector<std::string>& folders)>;

absl::StatusOr<int> RunOnce(const LintOptions& options, const WatchFolders& watch) {
  ConfigFiles configs(options.model.config.choice);
  TW_ASSIGN_OR_RETURN(LintPlan plan, PlanLint(options, configs));
  if (watch) TW_RETURN_IF_ERROR(watch(plan.folders));
  for (const std::string& warning : plan.warnings) Say("warning", warning);
  if (options.walk.show_files) {
    TW_RETURN_IF_ERROR(WriteOutput(ListOf(plan), options.output.path));
    for (const std::string& failure : plan.failures) Say("error", failure);
    return plan.failures.empty() ? kExitClean : kExitFailure;
  }
  TW_ASSIGN_OR_RETURN(LintRun run, RunPlan(std::move(plan), options));
  for (const std::string& failure : FailuresOf(run)) Say("error", failure);
  TW_ASSIGN_OR_RETURN(const auto unmatched, UnmatchedSettings(run));
  for (const std::string& warning : unmatched) Say("warning", warning);
  if (!options.baseline.write.empty()) {
    TW_RETURN_IF_ERROR(WriteBaseline(run, options));
    return FailuresOf(run).empty() ? kExitClean : kExitFailure;
  }
  if (!options.fixes.export_file.empty()) TW_RETURN_IF_ERROR(ExportFixes(options, run));
  FixSummary fixes;
  if (options.fixes.any()) fixes = FixPrograms(options, run);
  for (const std::string& refused : fixes.refused) Say("warning", refused);
  for (const std::string& failure : fixes.failures) Say("error", failure);
  if (options.fixes.diff) return ShowDiff(run, fixes, options);
  return Finish(run, fixes, options);
}

void ClearTerminal() {
  if (isatty(STDOUT_FILENO) != 1) return;
  std::fputs("\x1b[2J\x1b[H", stdout);  // ECMA-48: erase all, cursor to 1,1
}

// Lints again until the user stops it with Ctrl-C. What a run fails with is printed, and the next
// change tries again. Errors: the system cannot watch.
absl::StatusOr<int> RunWatched(const LintOptions& options) {
  TW_ASSIGN_OR_RETURN(Watcher watcher, Watcher::Make());
  absl::Status watching = Watch({}, options, watcher);
  const auto watch = [&](const std::vector<std::string>& folders) {
    return watching = Watch(folders, options, watcher);
  };
  TW_RETURN_IF_ERROR(watching);
  do {
    ClearTerminal();
    const absl::StatusOr<int> code = RunOnce(options, watch);
    TW_RETURN_IF_ERROR(watching);
    if (!code.ok()) Say("error", Message(code.status()));
    std::fputs("watching for changes; Ctrl-C ends\n", stderr);
    std::fflush(stdout);
  } while (watcher.Wait());
  return kExitClean;
}

absl::StatusOr<int> RunLint(const LintOptions& options) {
  if (options.show_config) return ShowConfig(options);
  LimitProcess(options.limits);
  return options.watch ? RunWatched(options) : RunOnce(options, {});
}

}  // namespace

TW_RUNS_COMMAND(Lint, RunLint)

}  // namespace tilewise
