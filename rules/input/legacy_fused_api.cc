// Flags transformations of earlier releases that the runtime now fuses itself.

#include <optional>
#include <set>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "rules/input/chain.h"
#include "rules/input/old_names.h"
#include "rules/input/plain_stages.h"
#include "workload/blocks.h"

namespace tilewise::IP005 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "IP005",
    .name = "legacy-fused-api",
    .severity = Severity::kInfo,
    .set = RuleSet::kPreview,
    .fix = Applicability::kSafe,
    .summary = "a deprecated form of tf.data stands for a plain one",
    .doc = R"(
What: map_and_batch, shuffle_and_repeat or parallel_interleave given to apply();
make_one_shot_iterator; tf.data.experimental.AUTOTUNE.
Why: they are deprecated. What they once saved, the default rewrites of the
runtime do to map().batch() and shuffle().repeat(); interleave() itself has
num_parallel_calls. The plain stages let AUTOTUNE choose the parallelism. A
dataset is iterated over as it is since TensorFlow 2, and AUTOTUNE left the
experimental module in 2.4.
Remedy: the plain stages, in the same order; iter(dataset); tf.data.AUTOTUNE. Do
not write the fused form for speed: advice to do so is out of date.
Ignore: programs that pin TensorFlow 1, or for AUTOTUNE a release before 2.4, or
that turn eager execution off; the rule is silent when it sees that.
Sources: tf.data API, grappler tf.data meta optimizer.)",
};

void ReportStage(const Facts& facts, const Pipeline& pipeline, const Stage& stage, Sink& sink) {
  const FusedStage* fused = FusedStageOf(stage);
  if (fused == nullptr) return;
  std::string_view why = "it opens files in parallel itself";
  if (fused->fused) {
    why = pipeline.rewrites_disabled ? "its default rewrite is turned off here, so turn that on as "
                                       "well"
                                     : "the runtime fuses them by itself";
  }
  Finding& found = sink.Report(stage.location, fmt::format("{} is deprecated, expected {}: {}",
                                                           fused->name, fused->plain, why));
  found.cost.unknown = "the plain stages run as fast; they can be tuned";
  found.fix.text = fmt::format("write {} instead", fused->plain);
  const WrittenArgument* apply = stage.Written("apply");
  const std::string text = PlainStages(facts, stage);
  if (apply != nullptr && !text.empty()) {
    found.fix.edits = {{.span = apply->value, .replacement = text}};
  }
}

void CheckStages(const Facts& facts, Sink& sink) {
  std::set<Location> seen;
  for (const Pipeline* pipeline : FeedPipelines(facts)) {
    const std::optional<RuntimeVersion> runtime = RuntimeOf(facts, *pipeline);
    if (runtime && runtime->major < 2) continue;
    for (const Stage& stage : pipeline->stages) {
      if (stage.legacy.empty() || !seen.insert(stage.location).second) continue;
      ReportStage(facts, *pipeline, stage, sink);
    }
  }
}

void CheckIterators(const Facts& facts, Sink& sink) {
  if (!MayRunOn(facts, {2, 0})) return;
  for (const SourceCall& call : facts.workload.facts.calls) {
    if (LastName(call.name) != "make_one_shot_iterator") continue;
    Finding& found =
        sink.Report(call.location,
                    "make_one_shot_iterator is of TensorFlow 1, expected iter(): a dataset "
                    "is iterated over as it is");
    found.cost.unknown = "both read the same elements";
    found.fix.text =
        "iterate over the dataset, or write iter(dataset); a function that "
        "feeds an Estimator returns the dataset itself";
    // iter() wants eager execution or a tf.function around it.
    found.fix.applicability = Applicability::kUnsafe;
    found.fix.edits = IterateOver(facts.workload, call);
  }
}

void CheckAutotune(const Facts& facts, Sink& sink) {
  if (!MayRunOn(facts, {2, 4})) return;
  for (const auto& [path, place] : OldAutotunes(facts.workload.facts)) {
    Finding& found =
        sink.Report(place,
                    "tf.data.experimental.AUTOTUNE is deprecated since TensorFlow 2.4, "
                    "expected tf.data.AUTOTUNE");
    found.cost.unknown = "both are the same number";
    found.fix.text = "write tf.data.AUTOTUNE";
    for (const SourceFile& file : facts.workload.files) {
      if (file.path == path) found.fix.edits = RenameAutotune(file);
    }
  }
}

void Check(const Facts& facts, Sink& sink) {
  CheckIterators(facts, sink);
  CheckAutotune(facts, sink);
  CheckStages(facts, sink);
}

}  // namespace

TW_RULE(IP005)

}  // namespace tilewise::IP005
