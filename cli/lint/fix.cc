// Fixes are found on several threads, in memory; files are written one program
// after the other, so that of two programs with one file the second notices.

#include <algorithm>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "base/read_file.h"
#include "cli/lint/run.h"
#include "frontend/files/cpp_files.h"
#include "lint/apply_fixes.h"
#include "lint/parallel.h"
#include "lint/unified_diff.h"
#include "workload/cpp_path.h"

namespace tilewise {
namespace {

struct ProgramFixes {
  FileTexts before;
  std::optional<FixResult> result;
};

bool HasFixes(const ProgramRun& run, bool unsafe) {
  return run.linted && std::ranges::any_of(run.linted->findings, [&](const Diagnostic& finding) {
           return CanBeFixed(finding, unsafe);
         });
}

// The program again, with these texts in the place of its files.
absl::StatusOr<LintedProgram> LintAgain(const LintRun& all, const ProgramRun& run,
                                        const FileTexts& texts) {
  TW_ASSIGN_OR_RETURN(LintedProgram program, LintProgram(run.options, *run.target, texts));
  std::set<std::string> used;
  if (all.baseline) FilterKnown(*all.baseline, used, program);
  return program;
}

void FormatCpp(LintedProgram& program) {
  for (Diagnostic& finding : program.findings) {
    if (finding.fix.edits.empty()) continue;
    const std::string path = finding.fix.edits.front().span.file;
    const auto file = std::ranges::find(program.files, path, &SourceFile::path);
    if (!IsCppPath(path) || file == program.files.end()) continue;
    FormatCppEdits(path, file->text, finding.fix.edits);
  }
}

ProgramFixes FixOne(const LintRun& all, ProgramRun& run, bool unsafe) {
  ProgramFixes fixes;
  if (!HasFixes(run, unsafe) || !PrepareFixes(all, run)) return fixes;
  const Relint relint = [&](const FileTexts& texts) -> absl::StatusOr<LintedProgram> {
    TW_ASSIGN_OR_RETURN(LintedProgram program, LintAgain(all, run, texts));
    FormatCpp(program);
    return program;
  };
  fixes.before = TextsOf(run, all.plan);
  fixes.result = FixProgram(*run.linted, fixes.before, unsafe, relint);
  return fixes;
}

std::string InWords(const RefusedFix& refused) {
  return fmt::format("{}: the fix of {} was taken back: {}",
                     FormatLocation(refused.finding.location), refused.finding.rule,
                     refused.reason);
}

bool HasRule(const std::vector<Diagnostic>& findings, const std::string& rule) {
  return std::ranges::find(findings, rule, &Diagnostic::rule) != findings.end();
}

std::string DiffOf(const FileTexts& before, const FileTexts& after) {
  std::string diff;
  for (const auto& [path, text] : after) {
    diff += UnifiedDiff(path, before.at(path), text);
  }
  return diff;
}

// The texts of standard input are handed back, those of files written.
absl::Status Write(const LintPlan& plan, FileTexts before, FileTexts after, FixSummary& summary) {
  for (const auto& [path, text] : plan.texts) {
    if (!after.contains(path)) continue;
    summary.standard_input = after.at(path);
    after.erase(path);
    before.erase(path);
  }
  return WriteFixedFiles(before, after);
}

}  // namespace

bool PrepareFixes(const LintRun& all, ProgramRun& run) {
  // Whoever sends a checkout may send a cache with it: what is written into files comes from the
  // files alone.
  if (run.from_cache) {
    absl::StatusOr<LintedProgram> anew = LintAgain(all, run, all.plan.texts);
    if (!anew.ok()) return false;
    run.linted = *std::move(anew);
    run.from_cache = false;
  }
  FormatCpp(*run.linted);
  return true;
}

FileTexts TextsOf(const ProgramRun& run, const LintPlan& plan) {
  FileTexts texts;
  for (const SourceFile& file : run.linted->files) {
    const std::vector<std::string>& files = run.options.files();
    if (std::ranges::find(files, file.path) == files.end()) continue;
    const auto given = plan.texts.find(file.path);
    if (given != plan.texts.end()) {
      texts[file.path] = given->second;
      continue;
    }
    if (file.text.empty() && file.cells.empty()) continue;
    absl::StatusOr<std::string> bytes = ReadRegularFile(file.path, kLargestFixedFile);
    if (bytes.ok()) texts[file.path] = *std::move(bytes);
  }
  return texts;
}

FixSummary FixPrograms(const LintOptions& options, LintRun& run) {
  FixSummary summary;
  for (const auto& [path, text] : run.plan.texts) {
    summary.standard_input = text;
  }
  std::vector<ProgramFixes> fixes(run.programs.size());
  ForEachInParallel(run.programs.size(), options.jobs, [&](size_t i) {
    fixes[i] = FixOne(run, run.programs[i], options.fixes.unsafe);
  });
  for (size_t i = 0; i < fixes.size(); ++i) {
    if (!fixes[i].result) continue;
    FixResult& result = *fixes[i].result;
    for (const RefusedFix& refused : result.refused) {
      // The fix of another finding may have been one of this too.
      if (!HasRule(result.program.findings, refused.finding.rule)) continue;
      summary.refused.push_back(InWords(refused));
    }
    if (result.stopped) {
      summary.refused.push_back(
          fmt::format("{}: fixes kept giving new ones; stopped after {} passes",
                      result.program.setting.workload, kMostFixPasses));
    }
    const int64_t fixed =
        CountFixed(run.programs[i].linted->findings, result.program.findings, options.fixes.unsafe);
    if (options.fixes.diff) {
      summary.diff += DiffOf(fixes[i].before, result.texts);
      summary.fixed += fixed;
      continue;
    }
    const absl::Status written = Write(run.plan, fixes[i].before, result.texts, summary);
    if (!written.ok()) {
      summary.failures.push_back(Message(written));
      continue;
    }
    summary.fixed += fixed;
    run.programs[i].linted = std::move(result.program);
  }
  return summary;
}

}  // namespace tilewise
