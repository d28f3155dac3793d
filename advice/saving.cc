// Simulates every change by itself, in parallel: the step that it lowers, and
// the loop around it.

#include "advice/saving.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include "advice/fold_findings.h"
#include "advice/pipeline_change.h"
#include "session/session.h"

namespace tilewise {
namespace {

// Less than this of a step is rounding.
constexpr double kNothing = 1e-9;
constexpr double kVisible = 0.005;        // of a step
constexpr double kMoreOnceFed = 1.05;     // times what it saves alone
constexpr int32_t kOpsLowered = 200'000;  // of forward graphs
constexpr int32_t kFewest = 4;
constexpr int32_t kMost = 64;

Seconds TimeOf(const Finding& finding) { return finding.cost.time_per_step.value_or(Seconds{}); }

bool Lowers(const Change& change) { return change.edits_graph() || change.batch_per_core; }

// Whether the files tell how the step is fed and called: else its time on the device is all that is
// known.
bool IsFed(const Facts& facts) {
  const Workload& workload = facts.workload;
  return workload.training_pipeline() != nullptr || workload.host_loop.fit.known() ||
         workload.host_loop.framework != Framework::kUnknown;
}

// Time per step of the present batch, on the wall clock or on the device.
Saving Difference(const Outcome& now, const Outcome& then, bool on_the_wall) {
  Saving saving;
  Seconds before = now.step;
  Seconds after = then.step;
  if (on_the_wall) {
    saving.of_wall_step = true;
    const auto examples = static_cast<double>(now.global_batch);
    before = now.per_example * examples;
    after = then.per_example * examples;
  }
  saving.time_per_step = before - after;
  if (before > Seconds{}) {
    saving.share_of_step = saving.time_per_step / before;
    if (std::abs(saving.share_of_step) < kNothing) {
      saving.time_per_step = {};
      saving.share_of_step = 0;
    }
  }
  saving.hbm = now.peak - then.peak;
  return saving;
}

// Indices of the findings to simulate, and how many were left out.
struct Chosen {
  std::vector<size_t> findings;
  int32_t left_out = 0;
};

Chosen Choose(std::span<const Finding> findings, int32_t most) {
  Chosen chosen;
  std::vector<size_t> lowered;
  for (size_t i = 0; i < findings.size(); ++i) {
    const Change& change = findings[i].change;
    if (change.empty() || findings[i].saving) continue;
    (Lowers(change) ? lowered : chosen.findings).push_back(i);
  }
  std::ranges::stable_sort(
      lowered, [&](size_t a, size_t b) { return TimeOf(findings[a]) > TimeOf(findings[b]); });
  const auto count = static_cast<int32_t>(lowered.size());
  if (count > most) {
    chosen.left_out = count - most;
    lowered.resize(most);
  }
  chosen.findings.insert(chosen.findings.end(), lowered.begin(), lowered.end());
  return chosen;
}

// The steps that changes lower, by the index of the finding.
using LoweredSteps = std::vector<absl::StatusOr<StepTotals>>;

// What is simulated: the choice is made here, so that results do not depend on
// the order in which threads come to it.
LoweredSteps SimulateAll(const Facts& facts, const Outcome& now, const Chosen& chosen,
                         std::span<Finding> findings, int threads) {
  LoweredSteps steps(findings.size(), InvalidInput("not simulated"));
  tbb::task_arena arena(threads > 0 ? threads : tbb::task_arena::automatic);
  arena.execute([&] {
    tbb::parallel_for(size_t{0}, chosen.findings.size(), [&](size_t i) {
      const size_t index = chosen.findings[i];
      Finding& finding = findings[index];
      const Change* const change = &finding.change;
      absl::StatusOr<StepTotals>& step = steps[index];
      step = facts.session.StepWith({&change, 1});
      if (!step.ok()) {
        finding.no_saving = Message(step.status());
        return;
      }
      const absl::StatusOr<Outcome> then = facts.session.OutcomeAround(*step, {&change, 1});
      if (then.ok()) {
        finding.saving = SavingOf(facts, now, *then, *change);
      } else {
        finding.no_saving = Message(then.status());
      }
    });
  });
  return steps;
}

// Whether it changes the pipeline or the loop alone, and that saves time as things are.
bool SavesInLoop(const Finding& finding) {
  return finding.change.edits_loop() && !Lowers(finding.change) && finding.saving &&
         finding.saving->share_of_step >= kVisible;
}

// Combines all changes of the pipeline and the loop alone that save time.
absl::StatusOr<Change> LoopFixes(std::span<const Finding> findings) {
  std::vector<const Change*> changes;
  for (const Finding& finding : findings) {
    if (SavesInLoop(finding)) changes.push_back(&finding.change);
  }
  if (changes.empty()) return InvalidInput("nothing of the loop is changed");
  return CombineChanges(changes);
}

// Data that is there at once: cached whole, with the next batch made ahead.
Change WithDataThere(const Pipeline& pipeline) {
  const PipelineChange caching =
      InsertingStage(pipeline, pipeline.stages.size(), StageKind::kCache);
  const PipelineChange ahead = EndingInPrefetch(With(pipeline, caching));
  Change change;
  change.pipeline = [caching, ahead](Pipeline& changed) {
    caching(changed);
    ahead(changed);
  };
  return change;
}

// Whether the input is so close behind the step that it hides most of what a faster step saves.
bool IsPacedByInput(const Facts& facts) {
  constexpr double kClose = 0.8;  // of the step
  return facts.loop != nullptr && facts.loop->input >= facts.loop->step * kClose;
}

// What feeds the step: the findings on the loop, or, where one only says that the step waits for
// its input, or nearly does, data that is there.
absl::StatusOr<Change> Feeding(const Facts& facts, std::span<const Finding> findings) {
  absl::StatusOr<Change> fixes = LoopFixes(findings);
  const Pipeline* const pipeline = facts.workload.training_pipeline();
  const bool waits = IsPacedByInput(facts) ||
                     std::ranges::find(findings, "IP022", &Finding::rule) != findings.end();
  if (fixes.ok() || !waits || pipeline == nullptr) return fixes;
  return WithDataThere(*pipeline);
}

// A change of the step may save nothing because the device waits for its input. Where findings say
// so, it is credited with what it saves once the input keeps up.
void SimulateOnceFed(const Facts& facts, const LoweredSteps& steps, std::span<Finding> findings) {
  const absl::StatusOr<Change> fed = Feeding(facts, findings);
  if (!fed.ok()) return;
  const Change* const loop = &*fed;
  const absl::StatusOr<Outcome> now = facts.session.OutcomeOf({&loop, 1});
  if (!now.ok()) return;
  for (size_t i = 0; i < findings.size(); ++i) {
    Finding& finding = findings[i];
    if (!finding.saving || !steps[i].ok() || SavesInLoop(finding)) continue;
    const Change* const both[] = {loop, &finding.change};
    const absl::StatusOr<Outcome> then = facts.session.OutcomeAround(*steps[i], both);
    if (!then.ok()) continue;
    const Saving saving = SavingOf(facts, *now, *then, finding.change);
    if (saving.time_per_step > finding.saving->time_per_step * kMoreOnceFed) {
      finding.saving_once_fed = saving;
    }
  }
}

// A fix that changes numbers or order is not written where it slows the step down or makes it too
// large for the HBM.
void RefuseHarmful(const Facts& facts, std::span<Finding> findings) {
  const Memory& memory = facts.model->program.memory;
  for (Finding& finding : findings) {
    Fix& fix = finding.fix;
    if (!finding.saving || fix.edits.empty() || fix.applicability == Applicability::kSafe) continue;
    const Saving& saving = finding.saving_once_fed ? *finding.saving_once_fed : *finding.saving;
    const Bytes peak = memory.peak - saving.hbm;
    const bool slower = saving.share_of_step < -kVisible;
    const bool too_large =
        memory.available > Bytes{} && saving.hbm < Bytes{} && peak > memory.available;
    if (!slower && !too_large) continue;
    fix.edits.clear();
    fix.applicability = Applicability::kShow;
    fix.text += slower ? fmt::format("; not applied by --fix: the step takes {} longer with it",
                                     FormatSeconds(Seconds{} - saving.time_per_step))
                       : fmt::format(
                             "; not applied by --fix: the step needs {} with it and {} are "
                             "there",
                             FormatBytes(peak), FormatBytes(memory.available));
  }
}

// Returns why there is no saving. The text is empty where there is one, where the cost is not known
// for the same reason, and for fixes that were left out.
std::string WhyNone(const Facts& facts, const Finding& finding) {
  if (finding.saving) return "";
  if (!finding.no_saving.empty()) return finding.no_saving;
  if (!finding.cost.known()) return "";
  if (facts.model == nullptr) return "no model was read";
  return finding.change.empty() ? std::string(finding.no_change) : "";
}

// A reason that several findings of a rule share is said at the most expensive.
void SayWhyNone(const Facts& facts, std::span<Finding> findings) {
  std::vector<Finding*> ordered;
  ordered.reserve(findings.size());
  for (Finding& finding : findings) ordered.push_back(&finding);
  std::ranges::stable_sort(ordered,
                           [](const Finding* a, const Finding* b) { return CostsMore(*a, *b); });
  std::set<std::pair<std::string, std::string>> said;
  for (Finding* const finding : ordered) {
    const std::string why = WhyNone(facts, *finding);
    if (why.empty() || !said.emplace(finding->rule, why).second) continue;
    std::string& text = finding->fix.text;
    text += fmt::format("{}no saving simulated: {}", text.empty() ? "" : "; ", why);
  }
}

}  // namespace

int32_t MostLowered(int32_t ops) {
  return std::clamp(kOpsLowered / std::max(1, ops), kFewest, kMost);
}

Saving SavingOf(const Facts& facts, const Outcome& now, const Outcome& then, const Change& change) {
  return Difference(now, then, IsFed(facts) || change.edits_loop() || change.batch_per_core);
}

std::optional<Saving> SavingAlone(const Facts& facts, const Change& change) {
  const Change* const one = &change;
  const absl::StatusOr<Outcome> now = facts.session.OutcomeOf({});
  const absl::StatusOr<Outcome> then = facts.session.OutcomeOf({&one, 1});
  if (!now.ok() || !then.ok()) return std::nullopt;
  return Difference(*now, *then, change.edits_loop() || change.batch_per_core);
}

std::optional<Saving> SavingOfAllCores(const Facts& facts) {
  Target all = facts.target;
  if (facts.model == nullptr || all.cores != 1 || all.idle_cores == 0) return std::nullopt;
  all.cores = all.slice_cores();
  all.idle_cores = 0;
  all.mesh = {.data = all.cores};
  if (facts.global_batch % all.cores != 0) return std::nullopt;
  SessionOptions options = facts.session.options();
  options.global_batch = facts.global_batch;
  const auto session = MakeSession(facts.workload, all, options);
  if (!session.ok() || HoldsWholeBatch((*session)->facts())) return std::nullopt;
  const absl::StatusOr<Outcome> now = facts.session.OutcomeOf({});
  const absl::StatusOr<Outcome> then = (*session)->OutcomeOf({});
  if (!now.ok() || !then.ok()) return std::nullopt;
  return Difference(*now, *then, IsFed(facts));
}

void SetIfItSaves(const Facts& facts, Change change, Finding& found) {
  if (change.empty()) return;
  const std::optional<Saving> saving = SavingAlone(facts, change);
  if (saving && saving->time_per_step <= Seconds{}) {
    found.no_saving = "the step gains nothing from it";
    return;
  }
  found.change = std::move(change);
  found.saving = saving;
}

int32_t AddSavings(const Facts& facts, std::span<Finding> findings, int threads) {
  int32_t left_out = 0;
  // What rules asked for is of the device.
  for (Finding& finding : findings) {
    const bool hidden = finding.saving && !finding.saving->of_wall_step && IsFed(facts);
    if (hidden && !finding.change.empty()) finding.saving.reset();
  }
  if (facts.model != nullptr && facts.source != nullptr) {
    const absl::StatusOr<Outcome> now = facts.session.OutcomeOf({});
    const Chosen chosen = Choose(findings, MostLowered(facts.source->size()));
    if (now.ok()) {
      SimulateOnceFed(facts, SimulateAll(facts, *now, chosen, findings, threads), findings);
      RefuseHarmful(facts, findings);
    }
    left_out = now.ok() ? chosen.left_out : 0;
  }
  SayWhyNone(facts, findings);
  return left_out;
}

}  // namespace tilewise
