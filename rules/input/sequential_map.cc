// Flags map stages that run on one core.

#include <fmt/format.h>

#include "advice/pipeline_change.h"
#include "edit/python.h"
#include "rules/cpp/api_calls.h"
#include "rules/host_loop/step_loops.h"
#include "rules/input/feed.h"
#include "rules/input/map_work.h"
#include "rules/input/torch_loaders.h"
#include "workload/blocks.h"

namespace tilewise::IP003 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "IP003",
    .name = "sequential-map",
    .fix = Applicability::kSafe,
    .needs = {.or_cpp = true},
    .summary = "map runs without num_parallel_calls",
    .doc = R"(
What: .map() without num_parallel_calls; a DataLoader of PyTorch that feeds
training without num_workers.
Why: a sequential map uses one host core for all items, or batches when it comes
after batch. The default rewrite map_parallelization makes plain maps parallel at run time, but
not when rewrites are turned off or when the function is stateful or random.
A DataLoader without workers makes each batch in the process that starts the
steps, while the device waits.
Remedy: num_parallel_calls=tf.data.AUTOTUNE; num_workers=4 or more, with
persistent_workers=True.
Ignore: functions of a few operations, or that only pick and name parts, and maps
before a cache, which run in the first epoch alone (all info); a function that
only sets shapes is passed over.
Safety: unsafe when the function is random or stateful: results may come in
another order.
Sources: tf.data performance guide, grappler tf.data meta optimizer.)",
};

// Later epochs do not run it.
bool IsCachedAfter(const Pipeline& pipeline, size_t index) {
  return FirstOf(pipeline, {StageKind::kCache}, index).has_value();
}

bool OrderMatters(const MapFunction& function) { return function.random || function.stateful; }

// The rewrite cannot act: options turn it off, or the release has none.
bool NoRewrite(const Pipeline& pipeline) {
  return pipeline.rewrites_disabled ||
         !ActsByDefault(pipeline, "map_parallelization").value_or(true);
}

std::string RewriteNote(const Pipeline& pipeline, const Stage& stage) {
  if (NoRewrite(pipeline)) {
    return "; no default rewrite does it for this pipeline";
  }
  if (OrderMatters(stage.function)) {
    return "; the default rewrite leaves random and stateful functions sequential";
  }
  if (IsMadeParallel(pipeline, stage)) {
    return "; this release makes it parallel by itself, written out it does not depend on that";
  }
  return "; the default rewrite may do it at run time, written out it is sure";
}

void Report(const Facts& facts, const Pipeline& pipeline, size_t index, Sink& sink) {
  const Stage& stage = pipeline.stages[index];
  const MapFunction& function = stage.function;
  Finding& found =
      sink.Report(stage.location, "map({}) runs one {} at a time, expected num_parallel_calls{}",
                  function.name.empty() ? "lambda" : function.name,
                  TakesBatches(pipeline, index) ? "batch" : "item", RewriteNote(pipeline, stage));
  const bool done = IsMadeParallel(pipeline, stage);
  if (done || DoesLittle(function) || IsCachedAfter(pipeline, index))
    found.severity = Severity::kInfo;
  if (OrderMatters(function)) {
    found.fix.applicability = Applicability::kUnsafe;
  }
  AddLoopFix(facts, pipeline, RunningInParallel(pipeline, index), found);
  const std::string tune = AutotuneIn(facts.workload, stage.location.file);
  const std::string argument =
      fmt::format("num_parallel_calls={}", tune.empty() ? "tf.data.AUTOTUNE" : tune);
  found.fix.text = fmt::format("pass {} to map()", argument);
  if (stage.arguments.begin < stage.arguments.end && !tune.empty()) {
    found.fix.edits = AppendArgument(facts.workload, stage.arguments, argument);
  }
}

// A data set that is in memory as tensors costs no time to read.
bool IsInMemory(const SourceFacts& source, const SourceCall& loader) {
  const std::string& text = loader.arguments[0].text;
  if (Contains(text, "TensorDataset")) return true;
  // LibTorch's MNIST reads its files whole.
  for (const SourceAssignment& made : source.assignments) {
    const bool in_memory =
        Contains(made.text, "TensorDataset") || Contains(made.text, "datasets::MNIST");
    if (in_memory && HaveCommon(made.targets, loader.arguments[0].names)) return true;
  }
  return std::ranges::any_of(source.calls, [&](const SourceCall& call) {
    return LastName(call.name) == "TensorDataset" && IsOneOf(text, call.results);
  });
}

// Whether a data set of the program opens or decodes a file for each item, or prepares a text: work
// that one process does not hide behind steps.
bool MakesItemsOfFiles(const SourceFacts& source) {
  constexpr std::string_view kWork =
      "imread|read_image|open|imdecode|decode_image|decode_jpeg|read_file|encode_plus|dcmread|"
      "default_loader|pil_loader|loader";
  return std::ranges::any_of(source.calls, [&](const SourceCall& call) {
    return call.function == "__getitem__" && IsOneOfWords(LastName(call.name), kWork);
  });
}

void CheckLoaders(const Facts& facts, Sink& sink) {
  const SourceFacts& source = facts.workload.facts;
  for (const SourceCall* loader : TrainingLoaders(facts)) {
    const SourceArgument* workers = ArgumentOf(*loader, 5, "num_workers");
    const bool none = workers == nullptr || workers->text == "0" ||
                      (workers->sizes.size() == 1 && workers->sizes[0] == 0);
    if (!none) continue;
    if (IsInMemory(source, *loader)) continue;
    Finding& found = sink.Report(
        loader->location,
        "{} has no workers, so that each batch is read and made in the process that starts the "
        "steps, one after the other; expected {}",
        NameOfLoader(*loader), IsCpp(facts.workload) ? "workers" : "num_workers");
    if (!IsTorchXla(source) && !MakesItemsOfFiles(source)) found.severity = Severity::kInfo;
    found.cost.unknown = "how long the data set takes to make an item is not in the files";
    found.fix.applicability = Applicability::kShow;
    if (IsCpp(facts.workload)) {
      found.fix.text = "set workers(4) or more in DataLoaderOptions";
      continue;
    }
    found.fix.text =
        "pass num_workers=4 or more (a TPU VM has about 24 vCPUs per chip) and "
        "persistent_workers=True";
  }
}

void Check(const Facts& facts, Sink& sink) {
  CheckLoaders(facts, sink);
  for (const Pipeline* pipeline : FeedPipelines(facts)) {
    for (size_t i = 0; i < pipeline->stages.size(); ++i) {
      const Stage& stage = pipeline->stages[i];
      if (stage.kind != StageKind::kMap || OnlySetsShapes(stage.function)) continue;
      if (!stage.parallel_calls.present()) Report(facts, *pipeline, i, sink);
    }
  }
}

}  // namespace

TW_RULE(IP003)

}  // namespace tilewise::IP003
