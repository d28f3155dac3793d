// A program is lowered and simulated; logs and profiles give what they say.

#include "cli/diff/side.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "cli/findings.h"
#include "cli/load.h"
#include "cli/profile/run_files.h"
#include "lint/fingerprint.h"
#include "profile/analysis/analysis.h"
#include "profile/read_profile.h"
#include "session/compile_time.h"

namespace tilewise {
namespace {

// The reason why a program was read without its model.
std::string WhyNoModel(const Session& session) {
  const absl::Status model = RequireModel(session);
  if (model.ok()) return "";
  for (const Diagnostic& note : session.workload().notes) {
    if (note.rule == "RD005") return note.message;
  }
  return Message(model);
}

// Returns the text without the folder that a revision was written to.
std::string Shown(std::string text, const std::string& root) {
  if (root.empty()) return text;
  const std::string prefix = root + "/";
  for (size_t at = text.find(prefix); at != std::string::npos; at = text.find(prefix, at)) {
    text.erase(at, prefix.size());
  }
  return text;
}

void ShowPlace(Location& location, const std::string& root) {
  location.file = Shown(std::move(location.file), root);
}

// What the figures of a log or a profile vary by themselves.
std::optional<ErrorRange> Spread(Seconds least, Seconds middle, Seconds most, int64_t count) {
  if (count < 2 || middle <= Seconds{}) return std::nullopt;
  ErrorRange range;
  range.low = least / middle;
  range.high = most / middle;
  range.rows = count;
  return range;
}

void AddLog(const Workload& workload, DiffSide& side) {
  side.kind = SideKind::kLog;
  const RunLog& log = workload.run_log;
  if (const LoggedSteps* steps = log.best_steps()) {
    side.step = steps->steady;
    side.time_range = Spread(steps->least, steps->steady, steps->most, steps->settled);
    side.global_batch = steps->batch;
    if (steps->settled == 0) {
      side.step.reset();
      side.notes.push_back(
          fmt::format("{}: the log ends before steps are alike: no step time", side.name));
    }
    if (steps->compilation > Seconds{}) side.compile = steps->compilation;
  }
  const Seconds compile = log.compile_time();
  if (compile > Seconds{}) side.compile = compile;
  if (const StatedMemory* need = log.largest_need()) side.hbm = need->total;
  for (const MemoryReport& report : workload.memory_reports) {
    if (report.space != "hbm" || report.stage == MemoryStage::kAllocate) continue;
    side.hbm = std::max(side.hbm.value_or(Bytes{}), report.used);
    if (report.capacity.value > 0) side.available = report.capacity;
  }
}

// "train.py:31" as a location.
Location PlaceOf(std::string_view source) {
  Location place;
  const size_t colon = source.rfind(':');
  if (colon == std::string_view::npos) return place;
  place.file = source.substr(0, colon);
  std::from_chars(source.data() + colon + 1, source.data() + source.size(), place.line);
  return place;
}

// A file, or a folder, with the profile of a run.
absl::StatusOr<DiffSide> ReadProfileSide(const SideInput& input, const RunFiles& run) {
  TW_ASSIGN_OR_RETURN(Profile profile, ReadRun(run.files));
  profile.notes.insert(profile.notes.begin(), run.notes.begin(), run.notes.end());
  const ProfileAnalysis analysis = Analyse(profile);
  DiffSide side;
  side.name = input.name;
  side.kind = profile.simulated ? SideKind::kPrediction : SideKind::kProfile;
  side.target = analysis.device_type;
  const bool walls = analysis.steps.wall.mean > Seconds{};
  const StepTimes& times = walls ? analysis.steps.wall : analysis.steps.device;
  if (times.mean > Seconds{}) {
    side.step = times.mean;
    side.time_range = Spread(times.least, times.mean, times.most, times.count);
  }
  if (analysis.steps.device.mean > Seconds{}) side.device = analysis.steps.device.mean;
  for (const ProfileMemory& memory : profile.memory) {
    if (!side.hbm || memory.peak > *side.hbm) side.hbm = memory.peak;
  }
  if (side.hbm == Bytes{}) side.hbm.reset();
  // The time is that of one device, as a prediction is.
  const auto steps = static_cast<double>(std::max<int64_t>(times.count, 1) *
                                         std::max<int64_t>(analysis.devices, 1));
  for (const ProfileOpRow& row : analysis.ops) {
    SideGroup group;
    group.name = row.name;
    group.kind = row.kind;
    group.location = PlaceOf(row.source);
    group.time = row.self / steps;
    side.groups.push_back(std::move(group));
  }
  // What the device waits for is no op, and often all that changed.
  for (const StepPartTime& part : analysis.parts) {
    const bool waits = part.kind == StepPartKind::kInput || part.kind == StepPartKind::kNetwork ||
                       part.kind == StepPartKind::kCompile || part.kind == StepPartKind::kHost;
    if (!waits) continue;
    SideGroup group;
    group.name = StepPartName(part.kind);
    group.kind = "waiting";
    group.time = part.time;
    side.groups.push_back(std::move(group));
  }
  for (const Diagnostic& finding : analysis.advice) {
    side.findings.push_back({.key = finding.rule, .finding = finding});
  }
  side.notes = analysis.notes;
  return side;
}

void AddPrediction(const Session& session, DiffSide& side) {
  Report report = ReportOn("diff", session);
  AddStep(session.Step(), report);
  AddLoop(session.Loop(), report);
  AddTables(session.facts(), report);
  side.target = report.chip;
  side.global_batch = report.global_batch;
  side.batch_assumed = report.batch_assumed;
  if (!report.program) return;
  side.device = report.timeline->step;
  side.step = report.loop ? report.loop->step : report.timeline->step;
  side.time_range = report.time_range;
  side.hbm = report.program->memory.peak;
  side.available = report.program->memory.available;
  side.memory_range = report.memory_range;
  const CompileTime compile = CompileTimeOf(CompiledOps(report.program->graph));
  side.compile = compile.least;
  ErrorRange range;
  range.high = compile.most / compile.least;
  side.compile_range = range;
  for (const OpRow& row : report.ops) {
    side.groups.push_back({row.name, row.kind, row.location, row.total()});
  }
}

// The same message of two runs has other numbers.
std::string WithoutNumbers(std::string text) {
  std::erase_if(text, [](char c) { return (c >= '0' && c <= '9') || c == '.' || c == ','; });
  return text;
}

absl::Status AddFindings(const Session& session, const ModelOptions& model, DiffSide& side,
                         const std::string& root) {
  TW_ASSIGN_OR_RETURN(const RuleConfig rules,
                      RulesFor(*model.config.found, {}, model.inputs.files.front()));
  Findings found = RunRules(session, model, rules, nullptr, /*savings=*/false);
  for (Diagnostic& finding : found.left.findings) {
    // The figures of a run are compared as such.
    if (finding.rule == "HL014") continue;
    SideFinding kept;
    kept.key = side.kind == SideKind::kLog
                   ? fmt::format("{}|{}", finding.rule, WithoutNumbers(finding.message))
                   : fmt::format("{}|{}|{}", finding.rule, Shown(finding.location.file, root),
                                 SubjectOf(finding, found.files));
    ShowPlace(finding.location, root);
    finding.message = Shown(std::move(finding.message), root);
    kept.finding = std::move(finding);
    side.findings.push_back(std::move(kept));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<DiffSide> ReadSide(const SideInput& input, const ModelOptions& options) {
  if (input.files.size() == 1) {
    const RunFiles run = FilesOfRun(input.files);
    if (LooksLikeProfile(run.files.front())) return ReadProfileSide(input, run);
  }
  DiffSide side;
  side.name = input.name;
  ModelOptions model = options;
  model.inputs.files = input.files;
  TW_ASSIGN_OR_RETURN(const Loaded loaded, Load(model));
  TW_ASSIGN_OR_RETURN(const auto session, MakeSession(loaded));
  const bool is_log = loaded.workload.format == "log" && !loaded.workload.graph;
  if (is_log) {
    AddLog(loaded.workload, side);
  } else {
    AddPrediction(*session, side);
    const std::string missing = WhyNoModel(*session);
    if (!missing.empty()) side.notes.push_back(Shown(missing, input.root));
  }
  TW_RETURN_IF_ERROR(AddFindings(*session, model, side, input.root));
  for (SideGroup& group : side.groups) ShowPlace(group.location, input.root);
  return side;
}

}  // namespace tilewise
