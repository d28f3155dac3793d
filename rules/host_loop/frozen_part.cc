// An op belongs to the frozen part if data of examples and weights reach it, and neither a weight
// that is trained nor anything that another step gives anew.

#include "rules/host_loop/frozen_part.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "pipeline/chain.h"
#include "rules/input/feed.h"
#include "workload/blocks.h"

namespace tilewise {
namespace {

// What reaches an op.
struct Reach {
  bool data = false;
  bool weights = false;
  bool anew = false;  // trained weights, random numbers, the rest of the batch
};

Reach OfItself(const Op& op) {
  switch (op.kind) {
    case OpKind::kParameter:
      return {.data = true};
    case OpKind::kVariable:
      return {.weights = true, .anew = op.as<VariableAttrs>().trainable};
    case OpKind::kBatchNormTraining:
      return {.anew = true};
    default:
      return {.anew = ClassOf(op.kind) == OpClass::kRandom};
  }
}

// The ops of the part that are no leaves.
std::vector<OpId> FrozenOps(const Graph& graph) {
  std::vector<Reach> reach;
  std::vector<OpId> frozen;
  for (const Op& op : graph.ops()) {
    Reach at = OfItself(op);
    for (const OpId operand : op.operands) {
      const Reach& from = reach[static_cast<size_t>(operand)];
      at = {at.data || from.data, at.weights || from.weights, at.anew || from.anew};
    }
    reach.push_back(at);
    if (at.data && at.weights && !at.anew) frozen.push_back(op.id);
  }
  return frozen;
}

// Whether an example comes in every epoch, and as it was in the one before. What Python makes of
// it is not known.
bool RepeatsExamples(const Facts& facts) {
  const Pipeline* pipeline = facts.workload.training_pipeline();
  if (pipeline == nullptr || !pipeline->loader.empty()) return false;
  return RunsManyEpochs(facts, *pipeline) &&
         std::ranges::none_of(pipeline->stages, [](const Stage& stage) {
           return stage.function.random ||
                  IsOneOf(stage.kind, {StageKind::kFromGenerator, StageKind::kUnknownSource});
         });
}

}  // namespace

void ReportFrozenPart(const Facts& facts, Sink& sink) {
  if (facts.source == nullptr || facts.model == nullptr || !facts.training) return;
  if (facts.source->trainable_parameters() == 0 || !RepeatsExamples(facts)) return;
  const std::vector<OpId> frozen = FrozenOps(*facts.source);
  Seconds time;
  for (const OpId op : frozen) time += facts.TimeOf(op);
  const double share = facts.StepTime() > Seconds{} ? time / facts.StepTime() : 0;
  if (share < sink.threshold("min-share")) return;
  const auto first = std::ranges::find_if(frozen, [&](OpId id) {
    const OpKind kind = facts.source->op(id).kind;
    return kind == OpKind::kConvolution || kind == OpKind::kDot;
  });
  if (first == frozen.end()) return;
  Finding& found = sink.ReportOp(
      *first,
      "{} ops from here on, with weights that are not trained, take {} of each step ({}) and give "
      "the same of an example in every epoch; expected them to run once for each example",
      FormatCount(static_cast<int64_t>(frozen.size())), FormatSeconds(time), FormatPercent(share));
  found.cost = DeviceCost(facts, time);
  found.fix.text =
      "run the frozen part over the data once, keep its features (in RAM, or in record files), and "
      "train the rest of the model on them";
}

}  // namespace tilewise
