// Compares two simulated loops that differ in their pipelines. The mean over
// all epochs of fit() is what the author pays; without a number of epochs the
// steady state counts alone.

#include "rules/input/feed.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "edit/python.h"
#include "session/session.h"
#include "sim/feeding_hosts.h"
#include "sim/item_flow.h"
#include "workload/blocks.h"

namespace tilewise {
namespace {

constexpr double kVisible = 0.005;  // of a step
constexpr double kNothing = 0.001;  // of a step or an epoch
// A part of the loop that is named among those the device waits for.
constexpr double kNamed = 0.02;

std::optional<int64_t> Epochs(const Facts& facts) {
  const Count& epochs = facts.workload.host_loop.epochs;
  if (epochs.kind != Count::Kind::kValue || epochs.value < 1) {
    return std::nullopt;
  }
  return epochs.value;
}

// Wall time per step, the first epoch in its proportion.
Seconds MeanStep(const LoopTimeline& loop, std::optional<int64_t> epochs) {
  if (!epochs) return loop.step;
  const auto n = static_cast<double>(*epochs);
  return (loop.first_step + loop.step * (n - 1)) / n;
}

// What the device waits for, when it is not what the finding speaks of.
std::string PaceOf(const LoopTimeline& loop) {
  if (loop.exposed_host < loop.step * kNamed) return "the device hides it";
  const Seconds on_host = loop.dispatch + loop.transfer;
  if (loop.step > loop.device_step + on_host) {
    return "another stage of the input sets the pace";
  }
  std::vector<std::string> parts;
  if (loop.transfer >= loop.device_step) {
    parts.push_back(fmt::format("transfer ({})", FormatSeconds(loop.transfer)));
  }
  if (loop.dispatch >= loop.step * kNamed) {
    parts.push_back(fmt::format("dispatch ({})", FormatSeconds(loop.dispatch)));
  }
  if (parts.empty()) return "the device hides it";
  return fmt::format("the device waits for {} instead", fmt::join(parts, " and "));
}

std::string FirstEpochNote(const LoopTimeline& now, const LoopTimeline& fixed) {
  const Seconds saved = now.first_epoch - fixed.first_epoch;
  if (saved < now.first_epoch * kNothing || saved <= Seconds{}) return "";
  return fmt::format("; the first epoch waits {} for it, later epochs come from the cache",
                     FormatSeconds(saved));
}

}  // namespace

std::vector<const Pipeline*> FeedPipelines(const Facts& facts) {
  std::vector<const Pipeline*> result;
  for (const Pipeline& pipeline : facts.workload.pipelines) {
    const bool other =
        pipeline.role == PipelineRole::kEvaluation || pipeline.role == PipelineRole::kLook;
    if (other || pipeline.stages.empty() || !pipeline.loader.empty()) continue;
    result.push_back(&pipeline);
  }
  return result;
}

std::string WhyNoLoop(const Facts& facts, const Pipeline& pipeline) {
  if (facts.loop == nullptr || facts.model == nullptr) {
    return "no model was read, so there is no step that waits for the input";
  }
  if (&pipeline != facts.workload.training_pipeline()) {
    return "this pipeline is not the one that feeds the simulated step";
  }
  return "";
}

namespace {

// Adds what AddLoopFix() does of the cost alone.
void AddLoopCost(const Facts& facts, const Pipeline& pipeline, const PipelineChange& change,
                 Finding& found) {
  found.cost.unknown = WhyNoLoop(facts, pipeline);
  if (!found.cost.unknown.empty()) return;
  const LoopTimeline& now = *facts.loop;
  const LoopTimeline then = facts.session.LoopFedBy(With(pipeline, change));
  const bool steady = now.step - then.step >= now.step * kNothing;
  const std::string first = steady ? "" : FirstEpochNote(now, then);
  if (!steady && first.empty()) {
    found.message +=
        fmt::format("; at batch {} {} (simulated on {}, {} host)", FormatCount(facts.global_batch),
                    PaceOf(now), facts.target.chip.name, facts.target.host.name);
    found.cost.time_per_step = Seconds{};
    return;
  }
  if (!steady) {
    found.message += fmt::format("{} (simulated on {}, {} host)", first, facts.target.chip.name,
                                 facts.target.host.name);
  }
  const std::optional<int64_t> epochs = Epochs(facts);
  const Seconds mean = MeanStep(now, epochs);
  const Seconds saved = mean - MeanStep(then, epochs);
  found.cost = WallCost(std::max(Seconds{}, saved), mean);
  if (!steady) found.cost.once_per_run = now.first_epoch - then.first_epoch;
}

}  // namespace

void AddLoopFix(const Facts& facts, const Pipeline& pipeline, const PipelineChange& change,
                Finding& found) {
  AddLoopCost(facts, pipeline, change, found);
  ChangePipeline(facts, pipeline, change, found);
}

void MoveStageBefore(const Facts& facts, const Pipeline& pipeline, size_t from, size_t to,
                     Finding& found) {
  const PipelineChange change = MovingStage(pipeline, from, to);
  ChangePipeline(facts, pipeline, change, found);
  const bool splits =
      std::ranges::any_of(pipeline.stages.begin() + static_cast<std::ptrdiff_t>(std::min(from, to)),
                          pipeline.stages.begin() + static_cast<std::ptrdiff_t>(std::max(from, to)),
                          [](const Stage& stage) {
                            return stage.kind == StageKind::kTake || stage.kind == StageKind::kSkip;
                          });
  if (!splits && InOneBlock(facts, pipeline.stages[from], pipeline.stages[to])) {
    found.fix.edits =
        MoveCallBefore(facts.workload, pipeline.stages[from].call, pipeline.stages[to].call);
  }
  found.cost.unknown = WhyNoLoop(facts, pipeline);
  if (!found.cost.unknown.empty()) return;
  const Seconds step = facts.loop->step;
  const Seconds saved = step - facts.session.LoopFedBy(With(pipeline, change)).step;
  found.cost = WallCost(saved < step * kNothing ? Seconds{} : saved, step);
}

bool InOneBlock(const Facts& facts, const Stage& a, const Stage& b) {
  const SourceFacts& source = facts.workload.facts;
  const SourceCall* const one = CallAt(source, a.location);
  const SourceCall* const other = CallAt(source, b.location);
  return one == nullptr || other == nullptr || one->context == other->context;
}

std::string PriceOfRerunning(const Facts& facts, const Pipeline& pipeline, size_t from, size_t to) {
  if (!WhyNoLoop(facts, pipeline).empty()) return "";
  const Pipeline moved = With(pipeline, MovingStage(pipeline, from, to));
  const Seconds visible = facts.loop->step * kVisible;
  const Seconds added = facts.session.LoopFedBy(moved).step - facts.loop->step;
  if (added < visible) return "";
  const Seconds left =
      facts.session.LoopFedBy(With(moved, EndingInPrefetch(moved))).step - facts.loop->step;
  return fmt::format(
      "; the move by itself adds {} a step, as what follows it runs in every epoch: {} "
      "(simulated on "
      "{}, {} host)",
      FormatSeconds(added),
      left < visible ? "with a prefetch as the last stage it adds nothing"
                     : "give the maps num_parallel_calls and end in prefetch",
      facts.target.chip.name, facts.target.host.name);
}

Seconds StepWithoutInput(const Facts& facts, const Pipeline& pipeline) {
  const Pipeline cached =
      With(pipeline, InsertingStage(pipeline, pipeline.stages.size(), StageKind::kCache));
  return facts.session.LoopFedBy(With(cached, EndingInPrefetch(cached))).step;
}

Seconds MeanStepFedBy(const Facts& facts, const Pipeline& pipeline) {
  return MeanStep(facts.session.LoopFedBy(pipeline), Epochs(facts));
}

bool RunsManyEpochs(const Facts& facts, const Pipeline& pipeline) {
  const Count& epochs = facts.workload.host_loop.epochs;
  if (epochs.kind == Count::Kind::kValue && epochs.value > 1) return true;
  const auto repeat = FirstOf(pipeline, {StageKind::kRepeat});
  return repeat && !pipeline.stages[*repeat].amount.is(1);
}

Bytes BytesOfItem(const Facts& facts, const Pipeline& pipeline) {
  const bool feeds = &pipeline == facts.workload.training_pipeline();
  return pipeline.item_bytes.value_or(feeds ? facts.session.ExampleBytes() : Bytes{});
}

int64_t FeedingHosts(const Facts& facts) {
  const Framework framework = facts.workload.host_loop.framework;
  // Which machines run a loop that was not read is not known; each host is one of them.
  if (framework == Framework::kUnknown) return facts.target.hosts();
  return FeedingHosts(facts.target.host.runtime(FrameworkName(framework)), facts.target);
}

namespace {

// One item of the end, and what it was before, behind stage `after`.
ItemFlow FlowAfter(const Pipeline& pipeline, size_t after, Bytes at_device) {
  ItemFlow flow(pipeline, 1, at_device);
  for (size_t i = 0; i <= after; ++i) flow.Pass(pipeline.stages[i]);
  return flow;
}

}  // namespace

std::optional<double> ItemsOfHostAfter(const Facts& facts, const Pipeline& pipeline, size_t after) {
  const std::optional<int64_t> items = pipeline.items_of_host(FeedingHosts(facts));
  if (!items) return std::nullopt;
  return FlowAfter(pipeline, after, {}).examples() * static_cast<double>(*items);
}

std::optional<Bytes> BytesOfItemsAfter(const Facts& facts, const Pipeline& pipeline, size_t after) {
  const std::optional<int64_t> items = pipeline.items_of_host(FeedingHosts(facts));
  const Bytes at_device = BytesOfItem(facts, pipeline);
  if (!items || at_device <= Bytes{}) return std::nullopt;
  const double bytes =
      FlowAfter(pipeline, after, at_device).total_bytes() * static_cast<double>(*items);
  if (!(bytes < 9e18)) return std::nullopt;
  return Bytes{static_cast<int64_t>(bytes)};
}

}  // namespace tilewise
