// Flags batches that are padded to the longest of their own items.

#include <algorithm>

#include <fmt/format.h>

#include "rules/host_loop/step_loops.h"
#include "rules/rule.h"
#include "session/compile_time.h"
#include "workload/blocks.h"

namespace tilewise::DY005 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "DY005",
    .name = "unbucketed-padding",
    .set = RuleSet::kPreview,
    .fix = Applicability::kShow,
    .needs = {.training = true},
    .summary = "each batch is padded to its own longest item",
    .doc = R"(
What: padded_batch() without fixed shapes, or with None or -1 in them, in a
pipeline for training; a collator that pads to the longest item of its batch,
in a program for a TPU.
Why: shapes are compiled in. Each new length is a new program: as many
compilations as there are lengths.
Remedy: bucket_by_sequence_length with a few boundaries that are multiples of
128 and pad_to_bucket_boundary=True, or one fixed length.
Ignore: when all items are as long, because they were cut or padded before.
Numbers: the compilation of one more length, the lower of the published rates
per op.
Sources: PyTorch/XLA's guide to recompilation.)",
};

constexpr std::string_view kRemedy =
    "bucket by length with a few boundaries that are multiples of 128, or pad to one length";

void AddCost(const Facts& facts, Finding& found) {
  if (facts.model == nullptr) {
    found.cost.unknown = "no model was read, so there is no step to compile";
    return;
  }
  found.cost.once_per_run = CompileTimeOf(facts.model->program.graph.size()).least;
}

// What keeps the shapes of padded_batch from being known; empty: nothing.
std::string OpenShapes(const SourceCall& call) {
  const SourceArgument* shapes = ArgumentOf(call, 1, "padded_shapes");
  if (call.open) return "";
  if (shapes == nullptr || shapes->text == "None") {
    return "has no padded_shapes";
  }
  if (Contains(shapes->text, "None") || Contains(shapes->text, "-1")) {
    return fmt::format("has padded_shapes={}", shapes->text);
  }
  return "";
}

// Items get one length before: by a fixed set of shapes, or by batching them.
bool FixesLength(const Facts& facts, const Pipeline& pipeline, const Stage& padded) {
  for (const Stage& stage : pipeline.stages) {
    if (&stage == &padded) return false;
    for (const std::string& called : stage.function.calls) {
      const std::string_view name = LastName(called);
      if (name == "ensure_shape" || name == "set_shape" || name == "pad" || name == "resize" ||
          name == "resize_with_pad" || name == "random_crop" || name.starts_with("decode_raw")) {
        return true;
      }
    }
    if (Contains(stage.text, "bucket")) return true;
  }
  return !facts.training;
}

void CheckPipeline(const Facts& facts, const Pipeline& pipeline, Sink& sink) {
  if (pipeline.role == PipelineRole::kEvaluation) return;
  for (const Stage& stage : pipeline.stages) {
    if (stage.kind != StageKind::kPaddedBatch) continue;
    const SourceCall* call = CallAt(facts.workload.facts, stage.location);
    if (call == nullptr || FixesLength(facts, pipeline, stage)) continue;
    const std::string open = OpenShapes(*call);
    if (open.empty()) continue;
    Finding& found =
        sink.Report(stage.location,
                    "padded_batch() {}, so that each batch is as long as its longest item and each "
                    "new length is compiled anew; expected a few fixed lengths",
                    open);
    AddCost(facts, found);
    found.fix.text = std::string(kRemedy);
  }
}

void CheckCollators(const Facts& facts, Sink& sink) {
  const SourceFacts& source = facts.workload.facts;
  if (!IsWritten(source) || !IsTpuProgram(source)) return;
  for (const SourceCall& call : source.calls) {
    const std::string_view name = LastName(call.name);
    if (name != "DataCollatorWithPadding" && name != "DataCollatorForSeq2Seq") {
      continue;
    }
    const SourceArgument* padding = ArgumentOf(call.arguments, "padding");
    const bool longest =
        padding == nullptr || padding->text == "True" || padding->string.value_or("") == "longest";
    if (!longest || call.open || ArgumentOf(call.arguments, "pad_to_multiple_of") != nullptr) {
      continue;
    }
    Finding& found = sink.Report(call.location,
                                 "{} pads each batch to its longest item, and each new length is "
                                 "compiled anew; expected a few fixed lengths",
                                 name);
    AddCost(facts, found);
    found.fix.text = "pass padding=\"max_length\" with a max_length, or pad_to_multiple_of=128";
  }
}

void Check(const Facts& facts, Sink& sink) {
  for (const Pipeline& pipeline : facts.workload.pipelines) {
    CheckPipeline(facts, pipeline, sink);
  }
  CheckCollators(facts, sink);
}

}  // namespace

TW_RULE(DY005)

}  // namespace tilewise::DY005
