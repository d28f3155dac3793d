// Shares are of the step on the wall clock where a loop was simulated: what the
// device hides behind its input saves nothing yet.

#include "advice/worth_saying.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "advice/kind_of_program.h"
#include "advice/one_batch.h"
#include "advice/out_of_place.h"
#include "session/compile_time.h"
#include "session/session.h"
#include "workload/cpp_path.h"

namespace tilewise {
namespace {

// Parts of the step that a fix has to save. An edit that changes no result costs its author
// nothing.
constexpr double kLeastSafe = 0.005;
constexpr double kLeast = 0.02;
constexpr double kLeastOtherNumbers = 0.05;  // for a model that computes other numbers
// The least part of the step that counts as a cost where no saving is known.
constexpr double kLeastCost = 0.05;
// The input is so many times faster than the step that the number says more than words, and from
// here on as little as one.
constexpr double kMuchFaster = 2;
constexpr double kFarFaster = 100;
constexpr std::string_view kBehindInput = "hidden behind the input";
// It is a saving of the step once the input has its fixes, for what saves nothing before.
constexpr double kLeastOnceFed = 0.2;
// Paid once, by the middle of its range, where each step saves nothing to speak of.
constexpr Seconds kLeastOnce = {1.0};
// A number of ops, to see how wide the range of their compilation is: all have the same.
constexpr int64_t kOpsOfRange = 1'000;
// Paid once, and changed by hand: the layers of a model put into a loop.
constexpr Seconds kLeastByHand = {30.0};
// The part of the input's cost from which another finding says why.
constexpr double kExplains = 0.5;
// The part of another saving from which two count as alike.
constexpr double kAlike = 0.9;

double LeastShare(const Finding& finding) {
  if (finding.fix.changes_numerics) return kLeastOtherNumbers;
  return finding.fix.applicability == Applicability::kSafe ? kLeastSafe : kLeast;
}

// Whether its fix makes a layer narrower: what that saves is that the model is a smaller one.
bool NarrowsLayers(const Facts& facts, const Finding& finding) {
  return facts.source != nullptr &&
         std::ranges::any_of(finding.change.widths, [&](const NewWidth& width) {
           return width.size < facts.source->op(width.op).shape.dims[width.dim].factor;
         });
}

// That the step waits for its input or its transfer is said where no other
// finding says why, or asks for the same prefetch or the same parallel calls.
bool IsExplained(const Finding& finding, const std::vector<Finding>& findings) {
  const bool waits = finding.rule == "IP022" || finding.rule == "IP024";
  if (!waits || !finding.cost.time_per_step) return false;
  return std::ranges::any_of(findings, [&](const Finding& other) {
    if (other.rule == finding.rule || !other.rule.starts_with("IP")) return false;
    const bool schedules = other.rule == "IP001" || other.rule == "IP003";
    const bool alike =
        schedules && SavedBy(finding) > Seconds{} && SavedBy(other) >= SavedBy(finding) * kAlike;
    return alike || SavedBy(other) >= *finding.cost.time_per_step * kExplains;
  });
}

bool SavesEnough(const Finding& finding, const Saving& saving) {
  return saving.share_of_step >= LeastShare(finding);
}

// Whether what takes at least so long once is long by the middle of its range.
bool IsLongOnce(Seconds least) {
  const CompileTime of_ops = CompileTimeOf(kOpsOfRange);
  return least * std::sqrt(of_ops.most / of_ops.least) >= kLeastOnce;
}

// Whether the finding is about an op or a value that costs next to nothing, and only a larger batch
// would save anything, as it does whatever the op is: another rule says that of the step.
bool BorrowsFromBatch(const Finding& finding) {
  const bool of_padding = finding.rule == "AL001" || finding.rule == "AL005";
  return of_padding && WantsBatch(finding) && finding.cost.share_of_step.value_or(1) < kLeast;
}

// Why what its fix saves is too little, in two or three words.
std::string WhyLittleSaved(const Facts& facts, const Finding& finding, const Saving& saving) {
  if (saving.share_of_step >= kLeastNamed) {
    return std::string(kSavesLittle);
  }
  if (facts.loop == nullptr) return std::string(kSavesNothing);
  if (finding.rule.starts_with("IP")) return WhatHidesInput(facts);
  const LoopTimeline& loop = *facts.loop;
  if (loop.exposed_host < loop.step * kLeastCost) return std::string(kSavesNothing);
  const bool feeds = std::max(loop.input, loop.transfer) > loop.device_step;
  return feeds ? std::string(kBehindInput) : "hidden behind the host";
}

// Why it is not worth a change of the program here, in a few words; nothing: it is worth one.
// Empty: nobody would miss it.
std::optional<std::string> WhyNotWorth(const Facts& facts, const Finding& finding) {
  if (StopsTheRun(finding) || finding.measured) return std::nullopt;
  // What only the first epoch waits for: later ones come from the cache.
  const bool of_input = finding.rule.starts_with("IP");
  const std::optional<Seconds>& once = finding.cost.once_per_run;
  if (once && of_input && *once < kLeastOnce) return "only the first epoch waits";
  if (once && !of_input) {
    const double share =
        finding.saving ? finding.saving->share_of_step : finding.cost.share_of_step.value_or(0);
    const bool by_hand =
        finding.fix.edits.empty() && finding.fix.applicability != Applicability::kUnsafe;
    const bool is_long = IsLongOnce(*once) || share >= kLeastSafe;
    if (is_long && !(by_hand && *once < kLeastByHand)) return std::nullopt;
    return std::string(kPaidOnce);
  }
  const Saving* const saving = finding.saving ? &*finding.saving : nullptr;
  // What helps learning is said unless the step pays for it.
  if (finding.of_learning) {
    if (saving == nullptr || saving->share_of_step > -kLeast) return std::nullopt;
    return "";
  }
  if (NarrowsLayers(facts, finding)) return std::string(kOtherModel);
  if (BorrowsFromBatch(finding)) return "only a larger batch saves it";
  if (saving != nullptr && SavesEnough(finding, *saving)) return std::nullopt;
  if (finding.saving_once_fed) {
    const bool later = finding.severity != Severity::kInfo &&
                       finding.saving_once_fed->share_of_step >= kLeastOnceFed &&
                       SavesEnough(finding, *finding.saving_once_fed);
    if (later) return std::nullopt;
    return std::string(kBehindInput);
  }
  // What C++ says without a model has no step to be measured by: it is shown as information.
  if (facts.model == nullptr && IsCppPath(finding.location.file)) return std::nullopt;
  const std::optional<Seconds>& cost = finding.cost.time_per_step;
  if (saving != nullptr) return WhyLittleSaved(facts, finding, *saving);
  Seconds wall = facts.StepTime();
  if (facts.loop != nullptr) wall = std::max(wall, facts.loop->step);
  // What the host does between two steps has no share where its rule knows no step: it counts
  // beside the device's, as it does once the input keeps up.
  const bool shared = finding.cost.share_of_step.has_value();
  const double least = shared ? kLeastCost : kLeastSafe;
  const bool little = cost && *cost < (shared ? wall : facts.StepTime()) * least;
  if (little) return std::string(kLittleOfStep);
  if (finding.severity != Severity::kInfo) return std::nullopt;
  if (!facts.training || TrainsNothing(facts.workload)) return "";
  if (facts.model == nullptr && cost) return "how long the step is is not known";
  if (!cost) return finding.cost.known() ? "" : "no time of it is known";
  return std::string(kOtherModel);
}

// Whether it is a part of the device's step that nobody would look for.
bool IsNothing(const Facts& facts, const Finding& finding) {
  const std::optional<Seconds>& cost = finding.cost.time_per_step;
  return cost && *cost > Seconds{} && !finding.cost.of_wall_step &&
         *cost < facts.StepTime() * kLeastNamed;
}

// Names a finding beside the others, those that a summary stands for one by one.
void NameBeside(const Finding& finding, const std::string& why, std::vector<TooSmall>& small) {
  for (const Diagnostic& one : finding.folded) small.push_back({one, why});
  if (finding.folded.empty()) small.push_back({finding, why});
}

}  // namespace

Seconds SavedBy(const Finding& finding) {
  return finding.saving ? finding.saving->time_per_step : Seconds{};
}

std::string WhatHidesInput(const Facts& facts) {
  if (facts.loop == nullptr) return "hidden behind the step";
  const LoopTimeline& loop = *facts.loop;
  if (loop.transfer > loop.device_step) return "hidden behind the transfer to the device";
  if (loop.input <= Seconds{} || loop.input * kMuchFaster > loop.step) {
    return "hidden behind the step";
  }
  const double times = loop.step / loop.input;
  if (times > kFarFaster) return "the input is over 100x faster than the step";
  return fmt::format("the input is {:.0f}x faster than the step", times);
}

bool StopsTheRun(const Diagnostic& finding) {
  return finding.severity == Severity::kError && !finding.cost.time_per_step &&
         finding.cost.unknown.empty();
}

std::vector<TooSmall> LeaveOutSmall(const Facts& facts,
                                    const std::function<bool(const Finding&)>& asked,
                                    std::vector<Finding>& findings,
                                    const std::vector<Finding>& seen) {
  std::vector<Finding> kept;
  std::vector<TooSmall> small;
  for (const Finding& finding : findings) {
    if (asked(finding)) {
      kept.push_back(finding);
      continue;
    }
    if (IsOutOfPlace(facts, finding) || IsExplained(finding, findings)) continue;
    const std::optional<std::string> why =
        WaitsForTpu(facts, finding) ? std::string(kOnTpusAlone) : WhyNotWorth(facts, finding);
    if (!why) {
      kept.push_back(finding);
    } else if (!why->empty() && !IsNothing(facts, finding)) {
      NameBeside(finding, *why, small);
    }
  }
  for (const Finding& finding : seen) {
    if (!IsOutOfPlace(facts, finding)) NameBeside(finding, finding.too_small, small);
  }
  const bool unshared = NeedsStrategy(facts);
  for (Finding& finding : kept) {
    if (unshared && WantsBatch(finding)) {
      finding.fix.text +=
          "; the program names no TPUStrategy, without which one core trains and takes the whole "
          "batch";
    }
    if (!finding.saving_once_fed) continue;
    finding.fix.text += fmt::format("; once the input keeps up this saves {} a step ({})",
                                    FormatSeconds(finding.saving_once_fed->time_per_step),
                                    FormatPercent(finding.saving_once_fed->share_of_step));
  }
  findings = std::move(kept);
  return small;
}

}  // namespace tilewise
