// Flags training batches whose last one may be smaller than the others.

#include <algorithm>

#include <fmt/format.h>

#include "advice/pipeline_change.h"
#include "base/math.h"
#include "edit/cpp.h"
#include "edit/python.h"
#include "edit/setting.h"
#include "pipeline/chain.h"
#include "rules/cpp/api_calls.h"
#include "rules/host_loop/step_loops.h"
#include "rules/input/feed.h"
#include "rules/input/torch_loaders.h"
#include "session/compile_time.h"
#include "session/session.h"
#include "workload/blocks.h"

namespace tilewise::DY002 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "DY002",
    .name = "partial-last-batch",
    .fix = Applicability::kUnsafe,
    .needs = {.training = true, .or_cpp = true},
    .summary = "the last batch of an epoch has another shape",
    .doc = R"(
What: batch() without drop_remainder=True in a pipeline for training; a
DataLoader of PyTorch that feeds training without drop_last=True; arrays that
fit() cuts into batches, where the batch does not divide them.
Why: shapes are compiled in. The shorter last batch is a second program, with
its own compilation, or an unknown batch dim where the framework wants a known
one; and its step costs nearly as much as a full one.
Remedy: drop_remainder=True (drop_last=True) for training. Evaluation must keep all items: pad
the last batch and mask it.
Ignore: when the batch divides the data set, or repeat() comes before batch().
Numbers: the second compilation once per run, the lower of the published rates
per op; the last batch's step less its share of a full one, spread over the
steps of an epoch.
Sources: tensorflow#29825, docs#1699, tensorflow#45317.)",
};

std::string Remainder(int64_t items, int64_t batch) {
  return fmt::format("; {} items leave a last batch of {}", FormatCount(items),
                     FormatCount(items % batch));
}

// Arrays are cut where they are made, which less is not worth: seconds of a run, or
// that share of its steps.
constexpr Seconds kWorthCutting = {1};
constexpr double kWorthShare = 0.01;

// The step of the partial batch next to full ones.
struct PartialStep {
  CompileTime compile;
  Seconds step;   // on the wall clock
  Seconds full;   // that of a full batch
  Seconds waste;  // more than its share of a full step, per step of the epoch
  double share;   // waste of a mean step
};

// The last of the batches that `items` make; none when there is no such rest or
// it cannot be lowered.
std::optional<PartialStep> SimulatePartial(const Facts& facts, int64_t items) {
  const int64_t batch = facts.global_batch;
  const int64_t rest = items % batch;
  const Simulated* partial =
      rest == 0 ? nullptr : facts.session.AtBatch(CeilDiv(rest, facts.target.batch_shards()));
  if (partial == nullptr) return std::nullopt;
  const int64_t executions = facts.workload.host_loop.steps_per_execution_or_default();
  const LoopTimeline loop = facts.session.Loop(partial->timeline, rest, executions);
  PartialStep result;
  result.compile = CompileTimeOf(CompiledOps(partial->program.graph));
  result.step = loop.step;
  result.full = facts.session.Loop(facts.model->timeline, batch, executions).step;
  const auto steps = static_cast<double>(CeilDiv(items, batch));
  result.waste = WasteOfPartialStep(loop.step, result.full, items, batch);
  result.share = result.waste * steps / (result.full * (steps - 1) + loop.step);
  return result;
}

void AddPartialStep(const Facts& facts, const PartialStep& partial, Diagnostic& found) {
  found.message += fmt::format(
      " of about {}, and its step takes {} beside {} of a full one (simulated on {}, {} host)",
      FormatCompileTime(partial.compile), FormatSeconds(partial.step), FormatSeconds(partial.full),
      facts.target.chip.name, facts.target.host.name);
  found.cost.once_per_run = partial.compile.least;
  found.cost.time_per_step = partial.waste;
  found.cost.share_of_step = partial.share;
  found.cost.of_wall_step = true;
}

// `items`: of an epoch, when they are known and batched as simulated. Without
// them the size of the last batch is not known, only that it is compiled.
void AddCost(const Facts& facts, const Pipeline& pipeline, std::optional<int64_t> items,
             Diagnostic& found) {
  if (facts.model == nullptr || facts.loop == nullptr) {
    found.cost.unknown = "no model was read, so there is no step to compile or simulate";
    return;
  }
  if (&pipeline == facts.workload.training_pipeline() && items) {
    if (const auto partial = SimulatePartial(facts, *items)) {
      AddPartialStep(facts, *partial, found);
      return;
    }
  }
  const CompileTime compile = CompileTimeOf(CompiledOps(facts.model->program.graph));
  found.message += fmt::format(" of about {}", FormatCompileTime(compile));
  found.cost.once_per_run = compile.least;
}

// Whether a function that makes data for training batches those of evaluation, too.
bool AlsoEvaluates(const Facts& facts, const Stage& batch) {
  return std::ranges::any_of(facts.workload.pipelines, [&](const Pipeline& other) {
    return other.role == PipelineRole::kEvaluation &&
           std::ranges::any_of(other.stages, [&](const Stage& stage) {
             return stage.kind == batch.kind && stage.location == batch.location;
           });
  });
}

// Whether the run takes its last batch before the partial one: with steps_per_epoch the iterator
// goes on from epoch to epoch.
bool EndsBefore(const HostLoop& host, int64_t full_batches) {
  const auto of_count = [](const Count& count, int64_t absent) {
    if (!count.present()) return absent;
    return count.kind == Count::Kind::kValue ? count.value : int64_t{0};
  };
  const int64_t steps = of_count(host.steps_per_epoch, 0);
  const int64_t epochs = of_count(host.epochs, 1);
  if (steps < 1 || epochs < 1) return false;
  return static_cast<double>(steps) * static_cast<double>(epochs) <=
         static_cast<double>(full_batches);
}

// Whether a loop leaves out what it is given in another size: `if len(x) != size: continue`.
bool SkipsRest(const SourceFacts& source) {
  return std::ranges::any_of(source.contexts, [&](const SourceContext& context) {
    const std::string& text = context.text;
    const bool of_size = Contains(text, ".shape[0]") || Contains(text, "len(");
    const bool compares = Contains(text, "%") || Contains(text, "!=") || Contains(text, "<");
    const int32_t loop = LoopAround(source, context.parent);
    return context.kind == ContextKind::kElse && of_size && compares && loop >= 0 &&
           HaveCommon(context.names, source.contexts[loop].targets);
  });
}

void CheckPipeline(const Facts& facts, const Pipeline& pipeline, Sink& sink) {
  const auto index = PartialBatchStage(pipeline);
  if (!index || SkipsRest(facts.workload.facts)) return;
  const Stage& stage = pipeline.stages[*index];
  const std::optional<int64_t> items = ItemsAt(pipeline, *index);
  const bool known = stage.amount.kind == Count::Kind::kValue && stage.amount.value > 0;
  if (items && known && *items % stage.amount.value == 0) return;
  const bool feeds = &pipeline == facts.workload.training_pipeline();
  if (items && known) {
    const int64_t full = *items / stage.amount.value;
    if (full == 0) return;  // nothing would be left
    if (feeds && EndsBefore(facts.workload.host_loop, full)) return;
    if (pipeline.batches_taken && *pipeline.batches_taken <= full) return;
  }
  Finding& found = sink.Report(stage.location,
                               "{}({}) keeps a partial last batch, expected drop_remainder=True "
                               "for training{}: a second shape is a second compilation",
                               StageName(stage.kind), known ? FormatCount(stage.amount.value) : "",
                               items && known ? Remainder(*items, stage.amount.value) : "");
  const bool as_simulated = stage.amount.is(facts.global_batch);
  AddCost(facts, pipeline, as_simulated ? items : std::nullopt, found);
  ChangePipeline(facts, pipeline,
                 EditingStage(pipeline, *index, [](Stage& batch) { batch.drop_remainder = true; }),
                 found);
  const std::string& source = pipeline.stages.front().text;
  if (IsOfSource(pipeline, *index) && source.ends_with("to_tf_dataset")) {
    found.fix.text = fmt::format("pass drop_remainder=True to {}()", source);
    return;
  }
  if (IsOfSource(pipeline, *index)) {
    found.fix.text = fmt::format(
        "pass batch_size=None, and batch with drop_remainder=True: {} has no such argument",
        source);
    return;
  }
  if (AlsoEvaluates(facts, stage)) {
    found.fix.text = fmt::format(
        "pass drop_remainder=True to {}() where it trains; data of evaluation is batched here as "
        "well, and must keep all items",
        StageName(stage.kind));
    return;
  }
  found.fix.text = stage.arguments.begin < stage.arguments.end
                       ? fmt::format("pass drop_remainder=True to {}()", StageName(stage.kind))
                       : "set drop_remainder to true";
  found.fix.edits = SetFlag(facts.workload, stage, "drop_remainder", true);
}

// Arrays that fit() cuts into batches by itself.
void CheckArrays(const Facts& facts, Sink& sink) {
  const Pipeline* pipeline = facts.workload.training_pipeline();
  if (pipeline == nullptr || facts.model == nullptr || facts.loop == nullptr) return;
  if (!pipeline->loader.empty() || pipeline->stages.size() != 1 || !pipeline->source_items) return;
  if (pipeline->stages.front().kind != StageKind::kFromTensorSlices) return;
  const int64_t items = *pipeline->source_items;
  const int64_t rest = items % facts.global_batch;
  if (facts.workload.host_loop.steps_per_epoch.present() || rest == 0) return;
  if (items < facts.global_batch) return;
  const auto partial = SimulatePartial(facts, items);
  Finding& found =
      sink.Report(pipeline->stages.front().location,
                  "fit() on arrays keeps a partial last batch, expected a number of "
                  "items that the batch of {} divides{}: a second shape is a second "
                  "compilation",
                  FormatCount(facts.global_batch), Remainder(items, facts.global_batch));
  AddCost(facts, *pipeline, items, found);
  if (partial && partial->compile.least < kWorthCutting && partial->share < kWorthShare) {
    found.too_small = kPaidOnce;
  }
  found.fix.text = fmt::format(
      "cut the arrays to {} items, or give fit() a data set that is batched with "
      "drop_remainder=True",
      FormatCount(items - rest));
  found.no_change = "the arrays are cut where they are made";
}

// Whether anything that is passed on as **options may hold `drop_last`.
bool MayDropLast(const SourceFacts& source) {
  const auto of_call = [](const SourceCall& call) {
    return std::ranges::any_of(call.arguments, [](const SourceArgument& argument) {
      return argument.keyword == "drop_last";
    });
  };
  const auto of_assignment = [](const SourceAssignment& made) {
    return Contains(made.text, "drop_last");
  };
  return std::ranges::any_of(source.calls, of_call) ||
         std::ranges::any_of(source.assignments, of_assignment);
}

// Without a batch, or with one of a single item, there is no rest.
bool KeepsRest(const SourceFacts& source, const SourceCall& loader) {
  if (loader.open && MayDropLast(source)) return false;
  const SourceArgument* batch = ArgumentOf(loader, 1, "batch_size");
  if (batch == nullptr || batch->text == "None" || batch->text == "1") return false;
  if (ArgumentOf(loader, 4, "batch_sampler") != nullptr) return false;
  const SourceArgument* drop = ArgumentOf(loader, 8, "drop_last");
  // A flag whose default is False has the size 0.
  return drop == nullptr || IsFalse(*drop) || drop->sizes == std::vector<int64_t>{0};
}

// Whether the step leaves batches of another size out: `if (batch.size() < n) continue;`.
bool LeavesRestOut(const SourceFacts& source, const SourceCall& loader) {
  const auto compares_size = [](const SourceContext& condition) {
    const std::string_view text = condition.text;
    const bool is_size = Contains(text, "size(") || Contains(text, "len(") ||
                         Contains(text, "shape[0]") || Contains(text, "sizes()[0]");
    return is_size && text.find_first_of("<>=") != std::string_view::npos;
  };
  return std::ranges::any_of(source.calls, [&](const SourceCall& call) {
    if (LastName(call.name) != "backward") return false;
    bool compared = false;
    for (int32_t at = call.context; at >= 0; at = source.contexts[at].parent) {
      const SourceContext& around = source.contexts[at];
      const bool decides = around.kind == ContextKind::kIf || around.kind == ContextKind::kElse;
      if (decides && compares_size(around)) compared = true;
      if (around.kind != ContextKind::kFor) continue;
      if (HaveCommon(around.names, loader.results)) return compared;
    }
    return false;
  });
}

// LibTorch's MNIST, the one data set that it brings, in batches that divide it.
bool DividesDataSet(const SourceFacts& source, const SourceCall& loader) {
  constexpr int64_t kDigits = 60'000;
  const SourceArgument* batch = ArgumentOf(loader, 1, "batch_size");
  if (batch == nullptr || batch->sizes.size() != 1 || batch->sizes[0] < 1) return false;
  return kDigits % batch->sizes[0] == 0 &&
         std::ranges::any_of(source.assignments, [&](const SourceAssignment& made) {
           return Contains(made.text, "datasets::MNIST") && !Contains(made.text, "kTest") &&
                  HaveCommon(made.targets, loader.arguments[0].names);
         });
}

// `.drop_last(true)` of the options, which are the last argument; a batch size alone becomes
// options first.
std::vector<TextEdit> DropLastInCpp(const Workload& workload, const SourceCall& loader) {
  const std::string_view arguments = CppTextOf(workload, loader.arguments_span);
  if (Contains(arguments, "drop_last")) return {};
  if (Contains(arguments, "DataLoaderOptions") && arguments.ends_with(')')) {
    return AppendCpp(workload, loader.arguments_span, ".drop_last(true)");
  }
  const SourceArgument* batch = ArgumentOf(loader, 1, "batch_size");
  if (batch == nullptr || !batch->keyword.empty() || batch->sizes.empty()) return {};
  return ReplaceCpp(workload, batch->span,
                    fmt::format("torch::data::DataLoaderOptions({}).drop_last(true)", batch->text));
}

// Whether the call makes loaders of evaluation, too: its shuffling is a parameter, or it stands in
// a comprehension that names such data.
bool LoadsForEvaluation(const Workload& workload, const SourceCall& loader) {
  const SourceArgument* shuffle = ArgumentOf(loader, 2, "shuffle");
  if (shuffle != nullptr && shuffle->text != "True" && !IsFalse(*shuffle)) return true;
  std::string_view text;
  for (const int64_t near : {120, 60, 30}) {  // as far as the file goes on
    Span behind = loader.arguments_span;
    behind.begin = behind.end;
    behind.end += near;
    if (text.empty()) text = TextOf(workload, behind);
  }
  const size_t loop = text.find(" for ");
  if (loop == std::string_view::npos || text.find('=') < loop) return false;
  const std::string_view named = text.substr(loop, text.find(']', loop) - loop);
  return Contains(named, "val") || Contains(named, "test");
}

// The items of a loader's last batch, where no sampler divides them; 0: it is as large as the
// others.
std::optional<int64_t> ItemsOfLastBatch(const Pipeline* pipeline, const SourceCall& loader) {
  const SourceArgument* batch = ArgumentOf(loader, 1, "batch_size");
  const bool known = pipeline != nullptr && pipeline->location == loader.location &&
                     pipeline->source_items.has_value() && batch != nullptr &&
                     batch->sizes.size() == 1 && batch->sizes[0] > 0 &&
                     ArgumentOf(loader, 3, "sampler") == nullptr;
  if (!known) return std::nullopt;
  return *pipeline->source_items % batch->sizes[0];
}

void CheckLoaders(const Facts& facts, Sink& sink) {
  const SourceFacts& source = facts.workload.facts;
  const bool cpp = IsCpp(facts.workload);
  // The pipeline tells more where the data sets of C++ were followed.
  const Pipeline* pipeline = facts.workload.training_pipeline();
  if (cpp && pipeline != nullptr && pipeline->loader.empty()) return;
  for (const SourceCall* loader : TrainingLoaders(facts, /*with_options=*/true)) {
    if (!KeepsRest(source, *loader) || DividesDataSet(source, *loader) ||
        LeavesRestOut(source, *loader)) {
      continue;
    }
    const std::optional<int64_t> rest = ItemsOfLastBatch(pipeline, *loader);
    if (rest == 0) continue;
    Finding& found = sink.Report(
        loader->location,
        "{} keeps a last batch of another size, expected {} for training: {}a second shape is a "
        "second compilation",
        NameOfLoader(*loader), cpp ? "drop_last(true)" : "drop_last=True",
        IsTorchXla(source) ? "" : "on XLA ");
    if (facts.model != nullptr) {
      const CompileTime compile = CompileTimeOf(CompiledOps(facts.model->program.graph));
      found.message += fmt::format(" of about {}", FormatCompileTime(compile));
      found.cost.once_per_run = compile.least;
    } else {
      found.cost.unknown = "no model was read, so there is no step to compile";
    }
    found.no_change = rest ? "one step an epoch alone is smaller"
                           : "how many items the data set has is not in the files";
    if (cpp) {
      found.fix.text = "set drop_last(true) in DataLoaderOptions";
      found.fix.edits = DropLastInCpp(facts.workload, *loader);
      continue;
    }
    if (LoadsForEvaluation(facts.workload, *loader)) {
      found.fix.text =
          "pass drop_last=True to DataLoader() where it trains; data of evaluation must keep all "
          "items";
      continue;
    }
    found.fix.text = "pass drop_last=True to DataLoader()";
    found.fix.edits = SetArgumentAt(facts.workload, loader->arguments_span, 8, "drop_last", "True");
  }
}

void Check(const Facts& facts, Sink& sink) {
  CheckLoaders(facts, sink);
  CheckArrays(facts, sink);
  for (const Pipeline* pipeline : FeedPipelines(facts)) {
    CheckPipeline(facts, *pipeline, sink);
  }
}

}  // namespace

TW_RULE(DY002)

}  // namespace tilewise::DY002
