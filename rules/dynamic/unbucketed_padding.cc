// Flags batches that are padded to the longest of their own items.

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "rules/host_loop/data_code.h"
#include "rules/host_loop/step_loops.h"
#include "rules/rule.h"
#include "session/compile_time.h"
#include "workload/blocks.h"

namespace tilewise::DY005 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "DY005",
    .name = "unbucketed-padding",
    .fix = Applicability::kShow,
    .needs = {.training = true},
    .summary = "each batch is padded to its own longest item",
    .doc = R"(
What: padded_batch() without fixed shapes, or with None or -1 in them, in a
pipeline for training; a collator or collate function that pads to the longest
item of its batch: pad_sequence, a tokenizer with padding="longest", a length
that is the maximum over the batch; a function of that kind that a loop calls.
Why: shapes are compiled in. Each new length is a new program: as many
compilations as there are lengths.
Remedy: bucket_by_sequence_length with a few boundaries that are multiples of
128 and pad_to_bucket_boundary=True, or one fixed length; in collate functions
padding="max_length", pad_to_multiple_of=128, or F.pad up to one.
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
  const CompileTime each = CompileTimeOf(CompiledOps(facts.model->program.graph));
  found.cost.unknown = fmt::format("how many lengths there are; each takes {} to {} to compile",
                                   FormatSeconds(each.least), FormatSeconds(each.most));
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

// The padded batches are taken apart again, as to pack short items into long ones: the shapes that
// the device gets are made later.
bool IsTakenApart(const Pipeline& pipeline, const Stage& padded) {
  bool after = false;
  for (const Stage& stage : pipeline.stages) {
    if (after && stage.kind == StageKind::kUnbatch) return true;
    after = after || &stage == &padded;
  }
  return false;
}

void CheckPipeline(const Facts& facts, const Pipeline& pipeline, Sink& sink) {
  if (pipeline.role == PipelineRole::kEvaluation || pipeline.role == PipelineRole::kLook) return;
  for (const Stage& stage : pipeline.stages) {
    if (stage.kind != StageKind::kPaddedBatch || IsTakenApart(pipeline, stage)) continue;
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

bool IsLongest(const SourceArgument* padding, bool by_default) {
  if (padding == nullptr) return by_default;
  return padding->text == "True" || padding->string.value_or("") == "longest";
}

// Returns why the call pads to the longest of its batch; empty: it does not.
std::string PadsToLongest(const SourceCall& call, bool collates) {
  const std::string_view name = LastName(call.name);
  const SourceArgument* padding = ArgumentOf(call.arguments, "padding");
  const bool collator = name == "DataCollatorWithPadding" || name == "DataCollatorForSeq2Seq";
  const bool multiple = ArgumentOf(call.arguments, "pad_to_multiple_of") != nullptr;
  if (collator) {
    return IsLongest(padding, true) && !call.open && !multiple ? std::string(name) : "";
  }
  if (!collates) return "";
  if (call.name == "torch.nn.utils.rnn.pad_sequence") return "pad_sequence()";
  const bool tokenizes =
      Mentions(call.name, "tokenizer") || Mentions(call.name, "processor") || name == "pad";
  if (!tokenizes || call.open || multiple) return "";
  // The default of tokenizer.pad() is the longest.
  const bool pads =
      name == "pad" && (Mentions(call.receiver, "token") || Mentions(call.receiver, "process"));
  if (!IsLongest(padding, pads)) return "";
  return fmt::format("{}()", call.name.empty() ? std::string(name) : call.name);
}

// max(len(x) for x in batch), whose result some padding reads.
bool IsLongestOfBatch(const SourceCall& call) {
  if (call.name != "max" || call.arguments.size() != 1 || call.results.size() != 1) return false;
  const std::string& text = call.arguments[0].text;
  return Contains(text, " for ") &&
         (Contains(text, "len(") || Contains(text, ".shape[") || Contains(text, ".size("));
}

// `function` makes arrays as long as `length`, and loops call it by its name:
// it pads each batch for the step that follows.
bool PadsForStep(const SourceFacts& source, int32_t function, const std::string& length) {
  if (function < 0) return false;
  const std::string& name = source.contexts[function].name;
  constexpr std::string_view kMakers = "zeros|full|ones|empty|pad|new_zeros|new_full";
  const bool makes = std::ranges::any_of(source.calls, [&](const SourceCall& call) {
    if (!IsInside(source, call.context, function)) return false;
    return IsOneOfWords(LastName(call.name), kMakers) &&
           std::ranges::any_of(call.arguments, [&](const SourceArgument& argument) {
             return IsOneOf(length, argument.names);
           });
  });
  return makes && std::ranges::any_of(source.calls, [&](const SourceCall& call) {
           return LastName(call.name) == name && LoopAround(source, call.context) >= 0;
         });
}

// The function brings the padded batch to one of a few lengths.
bool RoundsUp(const SourceFacts& source, int32_t function) {
  constexpr std::string_view kWords[] = {"max_len",  "max_seq",     "maxlen",  "block_size",
                                         "multiple", "bucket",      "seq_len", "fixed",
                                         "context",  "total_length"};
  for (const SourceCall& call : source.calls) {
    if (!IsInside(source, call.context, function)) continue;
    const std::string_view name = LastName(call.name);
    if (name == "ceil" || Mentions(name, "bucket") || Mentions(name, "round_up")) return true;
    if (name != "pad" && name != "full" && name != "zeros" && name != "new_full") continue;
    for (const SourceArgument& argument : call.arguments) {
      if (std::ranges::any_of(kWords, [&](std::string_view word) {
            return Contains(argument.text, std::string("self.") + std::string(word)) ||
                   Contains(argument.text, std::string("args.") + std::string(word));
          })) {
        return true;
      }
    }
  }
  return std::ranges::any_of(source.assignments, [&](const SourceAssignment& assignment) {
    return IsInside(source, assignment.context, function) &&
           (Contains(assignment.text, "//") || Contains(assignment.text, "%"));
  });
}

void Report(const Facts& facts, const SourceCall& call, const std::string& what,
            std::string_view remedy, Sink& sink) {
  Finding& found = sink.Report(call.location,
                               "{} pads each batch to its longest item, and {}each new length is "
                               "compiled anew; expected a few fixed lengths",
                               what, IsTpuProgram(facts.workload.facts) ? "" : "on XLA ");
  AddCost(facts, found);
  found.fix.text = std::string(remedy);
}

void CheckCollators(const Facts& facts, Sink& sink) {
  const SourceFacts& source = facts.workload.facts;
  if (!IsWritten(source) || !MayRunOnXla(source)) return;
  const DataCode data(source);
  std::set<int32_t> padded;  // functions that pad several tensors of a batch
  for (const SourceCall& call : source.calls) {
    const int32_t function = FunctionAround(source, call.context);
    const bool collates = data.Collates(call.context);
    const bool longest = IsLongestOfBatch(call);
    const bool pads = collates || (longest && PadsForStep(source, function, call.results.front()));
    if (pads && RoundsUp(source, function)) continue;
    const std::string what = PadsToLongest(call, collates);
    if (what == "pad_sequence()") {
      if (!padded.insert(function).second) continue;
      Report(facts, call, what,
             "pad further to one length or a multiple of 128 (F.pad), or sort the items into a few "
             "lengths",
             sink);
    } else if (!what.empty()) {
      Report(facts, call, what,
             "pass padding=\"max_length\" with a max_length, or pad_to_multiple_of=128", sink);
    } else if (pads && longest) {
      Report(facts, call,
             fmt::format("{}() with {}", source.contexts[function].name, call.results.front()),
             "take one fixed length, or round it up to a multiple of 128", sink);
    }
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
