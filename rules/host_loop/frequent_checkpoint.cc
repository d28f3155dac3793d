// Flags checkpoints that interrupt training every few seconds.

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "rules/host_loop/state_bytes.h"
#include "rules/rule.h"
#include "workload/blocks.h"

namespace tilewise::HL012 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "HL012",
    .name = "frequent-checkpoint",
    .severity = Severity::kWarning,
    .set = RuleSet::kDefault,
    .fix = Applicability::kShow,
    .needs = {.model = true, .training = true, .script = true},
    .summary = "checkpoints interrupt the training every few seconds",
    .no_saving = "what writing takes depends on the bucket and the machine",
    .doc = R"(
What: a checkpoint after so few steps that, at the simulated time of a step, less
than max-seconds of training lie between two: save_checkpoints_steps or _secs of
an estimator, a ModelCheckpoint of Keras, a save in a loop over epochs.
Why: unless it is saved asynchronously, the device stands still while weights and
optimizer state are fetched and written; where a pod makes an epoch in seconds,
that is a large part of the run, and a loop of steps ends there as well.
Remedy: save every so many epochs or minutes; save asynchronously (orbax's
AsyncCheckpointer); keep the number of steps between two a multiple of the steps
per execution.
Ignore: short runs whose every epoch has to be kept. A slice of one host is left out
(min-hosts): most programs on one are short.
Numbers: steps between two checkpoints times the simulated step; bytes are those
of the weights and of the optimizer's state. What a pause takes is not simulated.
Sources: stanford-futuredata/dawn-bench-entries#18.)",
    .thresholds = {{"max-seconds", 60, "seconds between two checkpoints from which it is said"},
                   {"min-hosts", 2, "hosts that wait for a checkpoint from which it is said"}},
};

// How much training lies between two checkpoints.
struct Interval {
  std::string text;  // "every 156 steps"
  Seconds time;
};

std::optional<Interval> OfSteps(const Facts& facts, int64_t steps) {
  if (steps <= 0) return std::nullopt;
  return Interval{steps == 1 ? "every step" : fmt::format("every {} steps", FormatCount(steps)),
                  facts.loop->step * static_cast<double>(steps)};
}

std::optional<Interval> OfEpoch(const Facts& facts) {
  if (facts.loop->epoch <= Seconds{}) return std::nullopt;
  return Interval{fmt::format("every epoch of {} steps", FormatCount(facts.loop->steps_per_epoch)),
                  facts.loop->epoch};
}

std::optional<int64_t> NumberOf(const SourceCall& call, std::string_view keyword) {
  const SourceArgument* given = ArgumentOf(call.arguments, keyword);
  if (given == nullptr || given->sizes.size() != 1) return std::nullopt;
  return given->sizes[0];
}

// The steps of a loop that an argument names as well: iterations_per_loop=N.
bool NamesStepsPerLoop(const Facts& facts, const SourceCall& call, std::string_view keyword) {
  const SourceArgument* given = ArgumentOf(call.arguments, keyword);
  if (given == nullptr || given->text.empty()) return false;
  return std::ranges::any_of(facts.workload.facts.calls, [&](const SourceCall& other) {
    const SourceArgument* loop = ArgumentOf(other.arguments, "iterations_per_loop");
    return loop != nullptr && loop->text == given->text;
  });
}

std::optional<Interval> OfEstimator(const Facts& facts, const SourceCall& call) {
  if (LastName(call.name) != "RunConfig") return std::nullopt;
  constexpr std::string_view kSteps = "save_checkpoints_steps";
  if (const auto steps = NumberOf(call, kSteps)) return OfSteps(facts, *steps);
  if (const auto seconds = NumberOf(call, "save_checkpoints_secs")) {
    return Interval{fmt::format("every {} s", *seconds), Seconds{static_cast<double>(*seconds)}};
  }
  const Count& per_loop = facts.workload.host_loop.steps_per_execution;
  if (!NamesStepsPerLoop(facts, call, kSteps) || per_loop.kind != Count::Kind::kValue) {
    return std::nullopt;
  }
  return OfSteps(facts, per_loop.value);
}

std::optional<Interval> OfCallback(const Facts& facts, const SourceCall& call) {
  const std::string_view name = LastName(call.name);
  if (name != "ModelCheckpoint" && name != "BackupAndRestore") return std::nullopt;
  if (const auto steps = NumberOf(call, "save_freq")) return OfSteps(facts, *steps);
  return OfEpoch(facts);
}

bool SavesInLoop(const SourceCall& call) {
  constexpr std::string_view kSaves[] = {"torch.save", "torch_xla.core.xla_model.save"};
  constexpr std::string_view kMethods[] = {"save_weights", "save_checkpoint",
                                           "save_checkpoint_multiprocess"};
  return IsOneOf(call.name, kSaves) || IsOneOf(LastName(call.name), kMethods);
}

// Returns the interval of a call in each round of a loop whose rounds are
// epochs: a loop that has another loop or fit() in it.
std::optional<Interval> OfLoop(const Facts& facts, const SourceCall& call) {
  if (!SavesInLoop(call)) return std::nullopt;
  const SourceFacts& source = facts.workload.facts;
  const int32_t loop = LoopAround(source, call.context);
  if (loop < 0 || !RunsEachTime(source, call.context, loop)) return std::nullopt;
  const bool has_inner = std::ranges::any_of(source.contexts, [&](const SourceContext& context) {
    return context.kind == ContextKind::kFor && context.parent == loop;
  });
  const bool fits = std::ranges::any_of(source.calls, [&](const SourceCall& other) {
    return other.context == loop && LastName(other.name) == "fit";
  });
  if (!has_inner && !fits) return std::nullopt;
  return OfEpoch(facts);
}

void Report(const Facts& facts, const SourceCall& call, const Interval& interval, Sink& sink) {
  Finding& found = sink.Report(
      call.location,
      "a checkpoint is saved {}, which are {} of training (simulated on {}, {} host): each time "
      "the training waits until {} of weights and optimizer state per core are fetched and handed "
      "over; expected {} or more between two",
      interval.text, FormatSeconds(interval.time), facts.target.chip.name, facts.target.host.name,
      FormatBytes(StateBytes(facts)), FormatSeconds(Seconds{sink.threshold("max-seconds")}));
  found.cost.unknown = "how long the bucket and the machine take to write is not in the files";
  found.fix.text =
      "save every so many epochs or minutes, or asynchronously (orbax AsyncCheckpointer), and "
      "measure a run without intermediate checkpoints beside it";
}

void Check(const Facts& facts, Sink& sink) {
  if (facts.loop == nullptr || facts.loop->step <= Seconds{}) return;
  if (static_cast<double>(facts.target.hosts()) < sink.threshold("min-hosts")) return;
  const Seconds most{sink.threshold("max-seconds")};
  for (const SourceCall& call : facts.workload.facts.calls) {
    std::optional<Interval> interval = OfEstimator(facts, call);
    if (!interval) interval = OfCallback(facts, call);
    if (!interval) interval = OfLoop(facts, call);
    if (interval && interval->time < most) Report(facts, call, *interval, sink);
  }
}

}  // namespace

TW_RULE(HL012)

}  // namespace tilewise::HL012
