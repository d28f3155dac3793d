// Settings are made out once for each configuration; then every program is
// looked up in the cache or linted, and writes to its own slot.

#include "cli/lint/run.h"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <tuple>
#include <utility>

#include "cli/findings.h"
#include "cli/load.h"
#include "cli/output.h"
#include "frontend/files/cpp_files.h"
#include "lint/parallel.h"
#include "workload/cpp_path.h"

namespace tilewise {
namespace {

using SharedTarget = std::shared_ptr<const Target>;

// What would fail for every program alike is said once. The chips' data files
// are read here and not for every program.
absl::StatusOr<SharedTarget> CheckSettings(const LintOptions& options) {
  TW_RETURN_IF_ERROR(RulesFor(options.config(), options.rules.overrides, "").status());
  TW_ASSIGN_OR_RETURN(Target target, TargetOf(options.model.target, options.model.config.origins));
  return std::make_shared<const Target>(std::move(target));
}

absl::StatusOr<std::vector<ProgramRun>> Prepare(const LintPlan& plan, const LintOptions& options) {
  using Key = std::pair<const LintConfig*, const DeclaredWorkload*>;
  std::map<Key, std::pair<LintOptions, SharedTarget>> made;
  std::vector<ProgramRun> runs;
  runs.reserve(plan.programs.size());
  for (const PlannedProgram& program : plan.programs) {
    const Key key = {program.config.get(), program.workload};
    auto known = made.find(key);
    if (known == made.end()) {
      TW_ASSIGN_OR_RETURN(LintOptions own, OptionsFor(options, program.config, program.workload));
      TW_ASSIGN_OR_RETURN(SharedTarget target, CheckSettings(own));
      known = made.emplace(key, std::pair(std::move(own), target)).first;
    }
    ProgramRun run;
    std::tie(run.options, run.target) = known->second;
    run.options.model.inputs.files = program.files;
    runs.push_back(std::move(run));
  }
  return runs;
}

bool FromStandardInput(const LintPlan& plan, const LintOptions& options) {
  for (const std::string& file : options.files()) {
    if (plan.texts.contains(file)) return true;
  }
  return false;
}

std::string HashOrNone(const std::string& path, FileStates& files, int64_t now_ns) {
  return files.HashOf(path, now_ns).value_or("");
}

// Whether the files that were read with the program are what they were.
bool IsCurrent(const LintedProgram& program, FileStates& files, int64_t now_ns) {
  return std::ranges::all_of(program.consulted, [&](const auto& file) {
    return HashOrNone(file.first, files, now_ns) == file.second;
  });
}

void LintOne(const LintPlan& plan, bool walked, ResultCache* cache, int64_t now_ns,
             ProgramRun& run) {
  std::optional<std::string> key;
  if (cache != nullptr && !FromStandardInput(plan, run.options)) {
    key = CacheKeyOf(run.options, cache->files(), now_ns);
  }
  if (key) run.linted = cache->Find(*key);
  run.from_cache = run.linted && IsCurrent(*run.linted, cache->files(), now_ns);
  if (run.from_cache) return;
  run.linted.reset();
  absl::StatusOr<LintedProgram> program = LintProgram(run.options, *run.target, plan.texts);
  if (!program.ok()) {
    const std::string& file = run.options.files().front();
    const bool unread_cpp = !ReadsCpp() && IsCppPath(file);
    const bool passes = walked && (unread_cpp || MayBeNoProgram(file));
    (passes ? run.passed_over : run.failure) = Message(program.status());
    return;
  }
  run.linted = *std::move(program);
  if (!key) return;
  for (auto& [path, hash] : run.linted->consulted) {
    hash = HashOrNone(path, cache->files(), now_ns);
  }
  cache->Keep(*key, *run.linted);
}

void LintAll(const LintPlan& plan, const LintOptions& options, std::vector<ProgramRun>& runs) {
  const std::unique_ptr<ResultCache> cache = OpenCache(options);
  const int64_t now_ns = std::chrono::duration_cast<std::chrono::nanoseconds>(
                             std::chrono::system_clock::now().time_since_epoch())
                             .count();
  ProgressLine line("linting");
  const Progress progress = runs.size() > 1 ? line.callback() : Progress();
  std::mutex mutex;
  int64_t done = 0;
  ForEachInParallel(runs.size(), options.jobs, [&](size_t i) {
    LintOne(plan, plan.programs[i].walked, cache.get(), now_ns, runs[i]);
    if (!progress) return;
    const std::lock_guard lock(mutex);
    progress(++done, static_cast<int64_t>(runs.size()));
  });
  if (cache != nullptr) cache->Finish();
}

// Edits of files that were not given are not made: what they do is said by the fix's text.
void DropForeignEdits(const std::vector<std::string>& given, Diagnostic& finding) {
  const bool foreign = std::ranges::any_of(finding.fix.edits, [&](const TextEdit& edit) {
    return std::ranges::find(given, edit.span.file) == given.end();
  });
  if (foreign) finding.fix.edits.clear();
}

}  // namespace

absl::StatusOr<LintedProgram> LintProgram(const LintOptions& options, const Target& target,
                                          const FileTexts& texts) {
  const ModelOptions& model = options.model;
  const std::vector<std::string>& fixed_dims = options.rules.fixed_dims;
  TW_ASSIGN_OR_RETURN(const RuleConfig rules,
                      RulesFor(options.config(), options.rules.overrides, options.files().front()));
  TW_ASSIGN_OR_RETURN(const Loaded loaded,
                      Load(model, {.fixed_dims = fixed_dims, .texts = &texts, .target = &target}));
  TW_ASSIGN_OR_RETURN(const auto session, MakeSession(loaded));
  Findings found = RunRules(*session, model, rules, &texts);
  Report report = ReportOn("lint", *session);
  LintedProgram program;
  program.setting = report;
  program.notes = std::move(report.notes);
  program.files = std::move(found.files);
  for (const std::string& path : loaded.workload.consulted) program.consulted[path];
  if (auto note = NoteOnTooSmall(found.too_small, options.files().front())) {
    program.notes.push_back(*std::move(note));
  }
  program.too_small = std::move(found.too_small);
  program.reachable = std::move(found.reachable);
  program.findings = std::move(found.left.findings);
  program.folded = std::move(found.left.folded);
  for (Diagnostic& finding : program.findings) DropForeignEdits(options.files(), finding);
  for (auto& [summary, parts] : program.folded) {
    for (Diagnostic& finding : parts) DropForeignEdits(options.files(), finding);
  }
  program.suppressed = std::move(found.left.suppressed);
  program.used_entries = std::move(found.left.used_entries);
  if (const Simulated* step = session->Step()) {
    program.timeline = step->timeline;
    program.timeline->spans.clear();
    program.estimate = step->estimate;
    program.estimate->kernels.clear();
    program.unmatched_fixed_dims = UnmatchedDims(fixed_dims, *session);
  }
  DropUnusedTexts(program);
  return program;
}

absl::StatusOr<LintRun> RunPlan(LintPlan plan, const LintOptions& options) {
  LintRun run;
  TW_RETURN_IF_ERROR(CheckSettings(options).status());
  // A baseline that is being written need not be there yet.
  if (!options.baseline.file.empty() && options.baseline.write.empty()) {
    TW_ASSIGN_OR_RETURN(run.baseline, Baseline::Load(options.baseline.file));
  }
  TW_ASSIGN_OR_RETURN(run.programs, Prepare(plan, options));
  run.plan = std::move(plan);
  LintAll(run.plan, options, run.programs);
  for (ProgramRun& program : run.programs) {
    if (!run.baseline || !program.linted) continue;
    const size_t all = SingleFindings(*program.linted).size();
    FilterKnown(*run.baseline, program.used_entries, *program.linted);
    program.baselined = static_cast<int64_t>(all - SingleFindings(*program.linted).size());
  }
  return run;
}

std::vector<std::string> FailuresOf(const LintRun& run) {
  std::vector<std::string> failures = run.plan.failures;
  for (const ProgramRun& program : run.programs) {
    if (!program.failure.empty()) failures.push_back(program.failure);
  }
  return failures;
}

}  // namespace tilewise
