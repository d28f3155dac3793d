// Flags decoding that is repeated every epoch although its result fits in RAM.

#include "advice/pipeline_change.h"
#include "edit/python.h"
#include "rules/input/feed.h"

namespace tilewise::IP007 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "IP007",
    .name = "missing-cache",
    .severity = Severity::kInfo,
    .set = RuleSet::kPreview,
    .fix = Applicability::kShow,
    .summary = "decoding is repeated every epoch and would fit in host RAM",
    .doc = R"(
What: records or images are decoded in every epoch, and the decoded data set
takes less than half of the host's RAM.
Why: cache() keeps the decoded items after the first epoch, so later epochs
read memory instead of decoding.
Remedy: .cache() after the last deterministic decode, before shuffle and before
random augmentation.
Ignore: one epoch; data whose decoded size is larger than estimated. The rule
is silent when the number of items or their size is not known.
Numbers: items of the source times bytes of an item after the decode, from its
dtype and shape, or from the model's inputs.
Sources: tf.data performance guide, Plumber.)",
};

bool RunsManyEpochs(const Facts& facts, const Pipeline& pipeline) {
  const Count& epochs = facts.workload.host_loop.epochs;
  if (epochs.kind == Count::Kind::kValue && epochs.value > 1) return true;
  const auto repeat = FirstOf(pipeline, {StageKind::kRepeat});
  return repeat && !pipeline.stages[*repeat].amount.is(1);
}

// The last decoding map before anything random, batched or repeated.
std::optional<size_t> CachePoint(const Pipeline& pipeline) {
  std::optional<size_t> point;
  for (size_t i = 0; i < pipeline.stages.size(); ++i) {
    const Stage& stage = pipeline.stages[i];
    if (IsOneOf(stage.kind, {StageKind::kShuffle, StageKind::kBatch, StageKind::kPaddedBatch,
                             StageKind::kRepeat}) ||
        stage.function.random) {
      break;
    }
    if (stage.kind == StageKind::kMap && stage.function.decodes) point = i;
  }
  return point;
}

void Check(const Facts& facts, Sink& sink) {
  const Bytes ram = facts.target.host.ram;
  for (const Pipeline* pipeline : FeedPipelines(facts)) {
    if (FirstOf(*pipeline, {StageKind::kCache})) continue;
    if (!RunsManyEpochs(facts, *pipeline)) continue;
    const auto point = CachePoint(*pipeline);
    const std::optional<Bytes> bytes =
        point ? BytesOfItemsAfter(facts, *pipeline, *point) : std::nullopt;
    if (!point || !bytes || 2 * *bytes >= ram) continue;
    const Stage& stage = pipeline->stages[*point];
    Finding& found = sink.Report(stage.location,
                                 "map({}) decodes every item again each epoch, expected a cache "
                                 "after it: {} decoded (estimate) fit in {} of host RAM ({})",
                                 stage.function.name.empty() ? "lambda" : stage.function.name,
                                 FormatBytes(*bytes), FormatBytes(ram), facts.target.host.name);
    AddLoopFix(facts, *pipeline, InsertingStage(*pipeline, *point + 1, StageKind::kCache), found);
    found.fix.text = "add .cache() after this map";
    found.fix.edits = AppendCall(facts.workload, stage.call, ".cache()");
  }
}

}  // namespace

TW_RULE(IP007)

}  // namespace tilewise::IP007
