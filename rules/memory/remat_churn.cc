// Flags steps in which a visible share of the time goes into computing values
// again because they were not kept.

#include <algorithm>

#include <fmt/format.h>

#include "advice/locations.h"
#include "base/math.h"
#include "rules/rule.h"
#include "session/session.h"

namespace tilewise::ME004 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "ME004",
    .name = "remat-churn",
    .severity = Severity::kInfo,
    .set = RuleSet::kPreview,
    .needs = {.model = true},
    .summary = "the compiler computes values again so that the step fits",
    .no_saving = "at half the batch an example takes no less time",
    .doc = R"(
What: kernels that the compiler runs a second time (.remat) because their
results do not fit in HBM until they are needed, at least min-share of the step.
Why: the compiler picks what to compute again late, buffer by buffer, to get
under the limit; it repeats costly ops where cheap ones would do, and one choice
makes the next necessary. "Can't reduce memory use below" is the end of it.
Remedy: keep less: a smaller batch per core is often faster per example than a
larger one that is recomputed; or say which layers to recompute
(jax.checkpoint with a policy, tf.recompute_grad on blocks).
Ignore: recomputation that you asked for: only the compiler's own is counted.
Numbers: simulated time of these kernels.
Sources: tensor2tensor#1382, tensorflow/tpu#598.)",
    .thresholds = {{"min-share", 0.05, "share of the step that is computed again"}},
};

// Kernels that a dump names as run again, by op of the model.
bool IsRecomputed(const Facts& facts, const Kernel& kernel) {
  const std::vector<OpId>& again = facts.workload.module.recomputed;
  return kernel.rematerialized ||
         (facts.model->program.compiled && std::ranges::binary_search(again, kernel.origin));
}

struct Again {
  int64_t kernels = 0;
  Seconds time;
  OpId most_expensive = kNoOp;
  Seconds most;
};

Again CountAgain(const Facts& facts) {
  Again again;
  const std::vector<Kernel>& kernels = facts.model->program.kernels;
  for (size_t i = 0; i < kernels.size(); ++i) {
    if (!IsRecomputed(facts, kernels[i])) continue;
    const Seconds time = facts.model->spans[i].duration;
    ++again.kernels;
    again.time += time;
    if (kernels[i].origin == kNoOp || time <= again.most) continue;
    again.most_expensive = kernels[i].origin;
    again.most = time;
  }
  return again;
}

// A batch per core at which an example takes less time; 0: none was found.
int64_t FasterBatch(const Facts& facts) {
  if (facts.batch_assumed || facts.workload.graph->is_static()) return 0;
  const int64_t rows = facts.target.chip.sublanes;
  const int64_t half = RoundUp(facts.batch_per_core / 2, rows);
  if (half <= 0 || half >= facts.batch_per_core) return 0;
  const absl::StatusOr<StepTotals> smaller = facts.session.StepAt(half);
  if (!smaller.ok()) return 0;
  const auto of = [](Seconds step, int64_t batch) {
    return step.value / static_cast<double>(batch);
  };
  return of(smaller->timeline.step, half) < of(facts.StepTime(), facts.batch_per_core) ? half : 0;
}

void Check(const Facts& facts, Sink& sink) {
  const Again again = CountAgain(facts);
  const double share = again.time / facts.StepTime();
  if (again.kernels == 0 || share < sink.threshold("min-share")) return;
  const std::string most_expensive =
      again.most_expensive == kNoOp || again.most_expensive >= facts.source->size()
          ? ""
          : fmt::format(", the most expensive of {}", facts.source->op(again.most_expensive).name);
  Finding& found = sink.Report(LocationOfBatch(facts),
                               "{} kernels run again because their results do not fit{}: {} a "
                               "step, {} of it (simulated on {}), expected under {}",
                               FormatCount(again.kernels), most_expensive,
                               FormatSeconds(again.time), FormatPercent(share),
                               facts.target.chip.name, FormatPercent(sink.threshold("min-share")));
  found.cost = DeviceCost(facts, again.time);
  const int64_t batch = FasterBatch(facts);
  if (batch > 0) {
    found.change.batch_per_core = batch;
    found.fix.text = fmt::format(
        "use a batch of {} per core, at which an example takes less time; or say which layers to "
        "recompute",
        FormatCount(batch));
  } else {
    found.fix.text =
        "say which layers to recompute (jax.checkpoint with a policy, tf.recompute_grad on "
        "blocks), or shard the state that fills the HBM";
  }
}

}  // namespace

TW_RULE(ME004)

}  // namespace tilewise::ME004
