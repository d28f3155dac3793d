// Flags parallel stages that keep an order which a shuffle destroys anyway.

#include <algorithm>

#include <fmt/format.h>

#include "edit/setting.h"
#include "rules/input/feed.h"

namespace tilewise::IP018 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "IP018",
    .name = "needless-order",
    .severity = Severity::kInfo,
    .set = RuleSet::kPreview,
    .fix = Applicability::kUnsafe,
    .summary = "a parallel stage keeps an order that is shuffled away",
    .doc = R"(
What: a parallel interleave without deterministic=False, or a parallel map with
deterministic=True, in a training pipeline that shuffles without a seed.
Why: a deterministic stage hands out elements in the order they came in, so one
slow file or item holds up all that are done. Nobody sees that order behind a
shuffle.
Remedy: deterministic=False for that stage, or for the whole pipeline through
tf.data.Options. The order of examples then changes from run to run.
Ignore: runs that have to be reproducible. The rule is silent when a seed is
set, for a shuffle or the program, or the options ask for determinism.
Numbers: of readers of a bucket, which wait for whole blocks, the simulated loop
with and without; how uneven other elements are is not in the files.
Sources: tf.data performance guide, grappler make_sloppy.)",
};

// A seed for the whole program, or operations that have to be deterministic.
bool ProgramIsSeeded(const Facts& facts) {
  return std::ranges::any_of(facts.workload.facts.calls, [](const SourceCall& call) {
    return call.name == "tensorflow.random.set_seed" || call.name == "tensorflow.set_random_seed" ||
           call.name == "tensorflow.random.set_random_seed" ||
           call.name.ends_with("utils.set_random_seed") ||
           call.name.ends_with("enable_op_determinism");
  });
}

bool IsShuffled(const Pipeline& pipeline) {
  bool shuffled = false;
  for (const Stage& stage : pipeline.stages) {
    if (stage.kind != StageKind::kShuffle) continue;
    if (stage.seeded) return false;
    shuffled = true;
  }
  return shuffled;
}

bool KeepsOrder(const Stage& stage) {
  const bool parallel = stage.parallel_calls.present() && !stage.parallel_calls.is(1);
  if (!parallel) return false;
  if (stage.kind == StageKind::kInterleave) {
    return stage.deterministic.value_or(true);
  }
  return stage.kind == StageKind::kMap && stage.deterministic.value_or(false);
}

void Check(const Facts& facts, Sink& sink) {
  if (ProgramIsSeeded(facts)) return;
  for (const Pipeline* pipeline : FeedPipelines(facts)) {
    if (pipeline->reproducible || pipeline->order_is_off()) continue;
    if (!IsShuffled(*pipeline)) continue;
    for (const Stage& stage : pipeline->stages) {
      if (!KeepsOrder(stage)) continue;
      Finding& found =
          sink.Report(stage.location,
                      "{} keeps the order of its elements although the pipeline shuffles, expected "
                      "deterministic=False: one slow {} holds up the rest",
                      NameOfStage(stage), stage.kind == StageKind::kMap ? "item" : "file");
      if (stage.kind == StageKind::kInterleave && facts.target.host.store.reads_ahead) {
        const auto at = static_cast<size_t>(&stage - pipeline->stages.data());
        AddLoopFix(facts, *pipeline,
                   EditingStage(*pipeline, at, [](Stage& edited) { edited.deterministic = false; }),
                   found);
      } else {
        found.cost.unknown = "how uneven the elements are is not in the files";
      }
      found.fix.text = fmt::format("pass deterministic=False to {}()", StageName(stage.kind));
      if (stage.legacy.empty()) {
        found.fix.edits = SetFlag(facts.workload, stage, "deterministic", false);
      }
    }
  }
}

}  // namespace

TW_RULE(IP018)

}  // namespace tilewise::IP018
