// Flags stages that call into Python for every element.

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "rules/input/feed.h"

namespace tilewise::IP014 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "IP014",
    .name = "python-callback",
    .summary = "a generator or py_function runs Python for every element",
    .doc = R"(
What: Dataset.from_generator, or a map whose function calls py_function or
numpy_function.
Why: Python runs one such call at a time under its lock, whatever
num_parallel_calls says, and copies every array on the way. It competes with the
loop that feeds the TPU for the same lock, and profilers see none of it.
Remedy: TensorFlow operations; or write the items to TFRecords once; or tf.data
service, which spreads the Python over other machines.
Numbers: the simulated loop with the Python calls taken out.
Ignore: generators of file names, other scalars and a few numbers; then the rule
is silent. So it is of data that are neither batched nor trained on, which a
program writes.
Sources: tf.data API, xprof, DeepPerf study.)",
};

// Names, ids and other scalars: what follows does the work.
bool YieldsScalars(const Stage& stage) {
  return stage.element && !stage.element->empty() &&
         std::ranges::all_of(*stage.element,
                             [](const Leaf& leaf) { return leaf.known_rank && leaf.dims.empty(); });
}

// A few numbers cost Python little.
bool YieldsFewBytes(const Stage& stage) {
  constexpr int64_t kFew = 1024;
  if (!stage.element) return false;
  int64_t bytes = 0;
  for (const Leaf& leaf : *stage.element) {
    const std::optional<int64_t> size = leaf.bytes();
    if (!size) return false;
    bytes += *size;
  }
  return bytes < kFew;
}

void WithoutPython(Stage& stage) {
  if (stage.kind == StageKind::kFromGenerator) {
    stage.kind = StageKind::kFromTensorSlices;
  }
  MapFunction& function = stage.function;
  function.stateful = false;
  for (size_t i = function.calls.size(); i-- > 0;) {
    if (!IsPythonCall(function.calls[i])) continue;
    function.calls.erase(function.calls.begin() + i);
    if (i < function.elements_after.size()) {
      function.elements_after.erase(function.elements_after.begin() + i);
    }
  }
  if (!stage.parallel_calls.present() && stage.kind == StageKind::kMap) {
    stage.parallel_calls.kind = Count::Kind::kAutotune;
  }
}

void Report(const Facts& facts, const Pipeline& pipeline, size_t at, const std::string& message,
            Sink& sink) {
  Finding& found = sink.Report(pipeline.stages[at].location, message);
  AddLoopFix(facts, pipeline, EditingStage(pipeline, at, WithoutPython), found);
  // What the Python itself does is not simulated: no time that is saved says nothing.
  if (found.cost.time_per_step && *found.cost.time_per_step <= Seconds{}) {
    found.message = message;
    found.change = {};
    found.cost = {.unknown = "what the Python code does is not simulated"};
  }
  // Later epochs do not run what a cache stands behind.
  if (FirstOf(pipeline, {StageKind::kCache}, at)) found.severity = Severity::kInfo;
  found.fix.text =
      "replace the Python by TensorFlow operations, or write what it yields to TFRecords once";
}

void Check(const Facts& facts, Sink& sink) {
  for (const Pipeline* pipeline : FeedPipelines(facts)) {
    // What is neither trained on nor batched may be written.
    if (pipeline->role == PipelineRole::kUnknown && pipeline->batch() == nullptr) continue;
    for (size_t i = 0; i < pipeline->stages.size(); ++i) {
      const Stage& stage = pipeline->stages[i];
      const bool generator = stage.kind == StageKind::kFromGenerator ||
                             stage.inner_source == StageKind::kFromGenerator;
      if (generator && (YieldsScalars(stage) || YieldsFewBytes(stage))) continue;
      if (generator) {
        Report(facts, *pipeline, i,
               fmt::format(
                   "{} runs Python for every element, one at a time under its lock, expected a "
                   "source of TensorFlow's",
                   stage.kind == StageKind::kFromGenerator ? "from_generator" : NameOfStage(stage)),
               sink);
        continue;
      }
      const std::string call = PythonCall(stage.function);
      if (call.empty()) continue;
      Report(facts, *pipeline, i,
             fmt::format("{} calls Python through {}, one {} at a time under its lock{}, expected "
                         "TensorFlow operations",
                         NameOfStage(stage), call, TakesBatches(*pipeline, i) ? "batch" : "item",
                         stage.parallel_calls.present() ? " whatever num_parallel_calls says" : ""),
             sink);
    }
  }
}

}  // namespace

TW_RULE(IP014)

}  // namespace tilewise::IP014
