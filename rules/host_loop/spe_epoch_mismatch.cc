// Flags steps per execution and epochs that the data cannot fill.

#include <algorithm>

#include <fmt/format.h>

#include "advice/change_in_files.h"
#include "advice/locations.h"
#include "rules/host_loop/execution_ladder.h"
#include "rules/rule.h"

namespace tilewise::HL003 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "HL003",
    .name = "spe-epoch-mismatch",
    .fix = Applicability::kUnsafe,
    .needs = {.training = true},
    .summary = "an execution is longer than the epoch, or the data ends early",
    .doc = R"(
What: steps_per_execution above the steps of an epoch; a tf.function that takes
more steps than its data set without repeat() has batches; or steps_per_epoch times
epochs is more batches than a data set without repeat() has.
Why: an execution ends with the epoch, so a larger number does nothing but
hide what is really run. With steps_per_epoch the iterator goes on from epoch
to epoch: when it is empty, training stops with a warning that it ran out of
data, and a compiled loop of several steps may stop inside an execution.
Remedy: steps_per_execution of at most an epoch; repeat() before batch() where
steps_per_epoch is given.
Ignore: a number that does not divide the epoch is fine: the last execution is
shorter.
Numbers: examples and batch as the files state them.
Sources: Keras trainer; published measurements of steps_per_execution.)",
};

std::optional<int64_t> ValueOf(const Count& count) {
  if (count.kind != Count::Kind::kValue || count.value <= 0) {
    return std::nullopt;
  }
  return count.value;
}

bool ChangesNumber(const Stage& stage) {
  switch (stage.kind) {
    case StageKind::kRepeat:
    case StageKind::kFilter:
    case StageKind::kFlatMap:
    case StageKind::kInterleave:
    case StageKind::kUnbatch:
    case StageKind::kShard:
    case StageKind::kOther:
    case StageKind::kTake:
    case StageKind::kSkip:
      return true;
    default:
      return false;
  }
}

// Batches that the data set has before it ends; none when it does not end or
// its size is not known.
std::optional<int64_t> BatchesOf(const Pipeline& pipeline) {
  const std::optional<int64_t> batch = pipeline.batch_size();
  if (!batch || *batch <= 0 || !pipeline.source_items) return std::nullopt;
  if (std::ranges::any_of(pipeline.stages, ChangesNumber)) return std::nullopt;
  const Stage* stage = pipeline.batch();
  if (stage == nullptr) return std::nullopt;  // arrays
  const bool dropped = stage->drop_remainder.value_or(false);
  return (*pipeline.source_items + (dropped ? 0 : *batch - 1)) / *batch;
}

// The steps of an epoch, as written or as the data has them.
std::optional<int64_t> StepsOfEpoch(const Facts& facts) {
  if (const auto declared = ValueOf(facts.workload.host_loop.steps_per_epoch)) {
    return declared;
  }
  const Pipeline* pipeline = facts.workload.training_pipeline();
  return pipeline == nullptr ? std::nullopt : BatchesOf(*pipeline);
}

void CheckLength(const Facts& facts, Sink& sink) {
  const HostLoop& host = facts.workload.host_loop;
  const std::optional<int64_t> steps = ValueOf(host.steps_per_execution);
  const std::optional<int64_t> epoch = StepsOfEpoch(facts);
  if (!steps || !epoch || *steps <= *epoch) return;
  const Location& location = host.steps_per_execution_location;
  if (LoopsInFunction(facts)) {
    Finding& found = sink.Report(location,
                                 "one tf.function takes {} steps but the data set ends after {} "
                                 "batches, expected at most these or repeat()",
                                 *steps, *epoch);
    found.cost.unknown = "next() raises OutOfRangeError within the execution";
    found.fix.text = fmt::format(
        "lower the steps of one tf.function from {} to {}, or add .repeat() to the data set",
        *steps, *epoch);
    return;
  }
  Finding& found = sink.Report(location.known() ? location : LocationOfLoop(facts),
                               "steps_per_execution is {} but an epoch has {} steps, expected at "
                               "most an epoch; executions are cut to {}",
                               *steps, *epoch, *epoch);
  found.cost.unknown = "an execution that is cut takes as long as one of the epoch's length";
  found.change.steps_per_execution = *epoch;
  const std::string setting = SettingOfSteps(facts);
  found.fix.text = fmt::format("lower {} from {} to {}",
                               setting.empty() ? "steps_per_execution" : setting, *steps, *epoch);
  WriteChange(facts, found.change, found);
}

void CheckData(const Facts& facts, Sink& sink) {
  const HostLoop& host = facts.workload.host_loop;
  const auto per_epoch = ValueOf(host.steps_per_epoch);
  const Pipeline* pipeline = facts.workload.training_pipeline();
  if (!per_epoch || pipeline == nullptr || !host.fit.known()) return;
  const std::optional<int64_t> batches = BatchesOf(*pipeline);
  const int64_t epochs = ValueOf(host.epochs).value_or(1);
  if (!batches || *batches <= 0) return;
  // An epoch that is as long as the data begins it anew.
  if (*batches == *per_epoch || epochs <= *batches / *per_epoch) return;
  Finding& found = sink.Report(host.fit,
                               "fit() asks for {} steps an epoch and {} epochs, but the data set "
                               "ends after {} batches; expected repeat()",
                               *per_epoch, epochs, *batches);
  found.cost.unknown = "training stops when the data ends";
  found.fix.text =
      "add .repeat() to the training data set before batch(), or leave out steps_per_epoch";
}

void Check(const Facts& facts, Sink& sink) {
  CheckLength(facts, sink);
  CheckData(facts, sink);
}

}  // namespace

TW_RULE(HL003)

}  // namespace tilewise::HL003
