// Flags training batches whose last one may be smaller than the others.

#include <fmt/format.h>

#include "rules/edits.h"
#include "rules/input/chain.h"

namespace tilewise {
namespace {

constexpr RuleInfo kInfo = {
    .id = "DY002",
    .name = "partial-last-batch",
    .severity = Severity::kWarning,
    .fix = Applicability::kUnsafe,
    .summary = "the last batch of an epoch has another shape",
    .doc = R"(
What: batch() without drop_remainder=True in a pipeline for training.
Why: shapes are compiled in. The shorter last batch is a second program, with
its own compilation, or an unknown batch dim where the framework wants a known
one; and its step costs nearly as much as a full one.
Remedy: drop_remainder=True for training. Evaluation must keep all items: pad
the last batch and mask it.
Ignore: when the batch divides the data set, or repeat() comes before batch().
Sources: tensorflow#29825, docs#1699, tensorflow#45317.)",
};

constexpr StageKinds kChangesCount = {
    StageKind::kFilter,  StageKind::kFlatMap, StageKind::kInterleave,
    StageKind::kUnbatch, StageKind::kShard,   StageKind::kOther};

// Items that reach stage `end`; none when unknown.
std::optional<int64_t> ItemsAt(const Pipeline& pipeline, size_t end) {
  const auto changed = FirstOf(pipeline, kChangesCount);
  if (changed && *changed < end) return std::nullopt;
  return pipeline.source_items;
}

bool RepeatedBefore(const Pipeline& pipeline, size_t batch) {
  const auto repeat = FirstOf(pipeline, {StageKind::kRepeat});
  return repeat && *repeat < batch;
}

std::string Remainder(int64_t items, int64_t batch) {
  return fmt::format("; {} items leave a last batch of {}", FormatCount(items),
                     FormatCount(items % batch));
}

void CheckPipeline(const Facts& facts, const Pipeline& pipeline, Sink& sink) {
  const auto index =
      LastOf(pipeline, {StageKind::kBatch, StageKind::kPaddedBatch});
  if (!index || RepeatedBefore(pipeline, *index)) return;
  const Stage& stage = pipeline.stages[*index];
  if (stage.drop_remainder.value_or(false)) return;
  if (stage.amount.is(1)) return;
  const std::optional<int64_t> items = ItemsAt(pipeline, *index);
  const bool known =
      stage.amount.kind == Count::Kind::kValue && stage.amount.value > 0;
  if (items && known && *items % stage.amount.value == 0) return;
  Diagnostic& found = sink.Report(
      stage.location,
      fmt::format("{}({}) keeps a partial last batch, expected "
                  "drop_remainder=True for training{}: a second shape is a "
                  "second compilation",
                  StageName(stage.kind),
                  known ? FormatCount(stage.amount.value) : "",
                  items && known ? Remainder(*items, stage.amount.value) : ""));
  found.fix.text =
      fmt::format("pass drop_remainder=True to {}()", StageName(stage.kind));
  if (stage.arguments.begin < stage.arguments.end) {
    found.fix.edits =
        SetArgument(facts.workload, stage.arguments, "drop_remainder", "True");
  }
}

void Check(const Facts& facts, Sink& sink) {
  if (!facts.training) return;
  for (const Pipeline* pipeline : FeedPipelines(facts)) {
    CheckPipeline(facts, *pipeline, sink);
  }
}

}  // namespace

TW_RULE(DY002)

}  // namespace tilewise
