// Flags ops whose result is as large as the values say: a compiled program has
// no such shapes.

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>
#include <vector>

#include "rules/dynamic/masked_index.h"
#include "rules/host_loop/step_code.h"
#include "rules/operators/source.h"
#include "workload/blocks.h"
#include "workload/cpp_path.h"

namespace tilewise::DY003 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "DY003",
    .name = "data-dependent-shape",
    .severity = Severity::kError,
    .fix = Applicability::kShow,
    .summary = "the size of a result depends on values",
    .doc = R"(
What: tf.where with a condition alone, unique, boolean_mask, dynamic_partition,
nonzero, non-max suppression without a fixed number of boxes, sizes that the
program itself computes: in a graph, or as a call in code that runs in every
step. In code of PyTorch and JAX that runs in every step also x[mask] and
x[mask] = y, where the function shows that mask is one of true and false, and
packed sequences. In C++ also xla::SetDimensionSize() with a size that is computed.
Why: XLA lays out and schedules for sizes that are known when it compiles. An
op whose result grows with its values is refused, or runs at its largest size
with a mask, or on the host; frameworks that trace compile again for every size
that comes. torch_xla reads the mask back in the middle of the step; jitted JAX
raises NonConcreteBooleanIndexError or ConcretizationTypeError.
Remedy: where with a mask of fixed shape (masked_fill), ignore_index of a loss,
top_k of a fixed k, size= or max_output_size with padding; recurrent layers on
the padded batch, with their outputs masked.
Ignore: results that are only summed up to a scalar: they are not reported.
Numbers: none: how large the result is depends on the data.
Sources: tensorflow#122057, the troubleshooting guide of PyTorch/XLA.)",
};

struct SizedByData {
  std::string_view name;
  size_t most_arguments;  // with more it is another function; 0: any number
};
constexpr std::array kCalls = {
    SizedByData{"boolean_mask", 0},
    SizedByData{"where", 1},
    SizedByData{"unique", 0},
    SizedByData{"nonzero", 0},
    SizedByData{"argwhere", 0},
    SizedByData{"flatnonzero", 0},
    SizedByData{"masked_select", 0},
    SizedByData{"dynamic_partition", 0},
    SizedByData{"unique_with_counts", 0},
};

std::string_view Advice() {
  return "use a mask of fixed shape (where with both branches), top_k of a fixed k, or a padded "
         "result of fixed size";
}

bool IsScalarReduce(const Op& op) { return op.kind == OpKind::kReduce && op.shape.rank() == 0; }

// Whether all that is made of the op ends in sums of one number.
bool OnlyCounted(const Facts& facts, const SourceOp& source) {
  const Graph& graph = *facts.source;
  std::vector<bool> from(graph.size(), false);
  bool any = false;
  for (OpId id = source.first; id < std::min(source.end, OpId(graph.size())); ++id) {
    from[id] = true;
    any = true;
  }
  if (!any) return false;
  for (const Output& output : graph.outputs()) {
    if (from[output.value]) return false;
  }
  bool counted = false;
  for (OpId id = source.end; id < graph.size(); ++id) {
    const Op& op = graph.op(id);
    const bool reached =
        std::ranges::any_of(op.operands, [&from](OpId operand) { return from[operand]; });
    if (!reached) continue;
    if (IsScalarReduce(op)) {
      counted = true;
      continue;
    }
    const bool passes_on = ClassOf(op.kind) == OpClass::kElementwise || op.kind == OpKind::kReshape;
    if (!passes_on) return false;
    from[id] = true;
  }
  return counted;
}

void Report(const Facts& facts, const SourceOp& op, Sink& sink) {
  if (facts.source != nullptr && OnlyCounted(facts, op)) return;
  Finding& found = sink.Report(op.location,
                               "how large the result of {} is depends on values, expected a shape "
                               "that is known before the program runs",
                               NameOfSource(op));
  found.cost.unknown = "how large it gets depends on the data";
  found.fix.text = Advice();
}

// A size that the program of XLA computes; one that is a constant there bounds what is known.
bool IsSizedInXla(const SourceCall& call) {
  if (!IsOneOfWords(call.name, "xla.SetDimensionSize|xla.SetDimensionSizeWithRebound"))
    return false;
  const size_t size = call.name == "xla.SetDimensionSize" ? 1 : 2;
  return call.arguments.size() > size && !Contains(call.arguments[size].text, "ConstantR0");
}

bool IsSizedByData(const SourceCall& call) {
  if (IsSizedInXla(call)) return true;
  const auto* const row = std::ranges::find_if(
      kCalls, [&call](const SizedByData& candidate) { return IsCallOf(call, candidate.name); });
  if (row == kCalls.end()) return false;
  const bool fixed = std::ranges::any_of(call.arguments, [](const SourceArgument& argument) {
    return argument.keyword == "size" || argument.keyword == "max_output_size";
  });
  if (fixed || call.open) return false;
  if (IsCppPath(call.location.file)) return true;  // ops::Where() has one form, behind its scope
  return row->most_arguments == 0 || call.arguments.size() <= row->most_arguments;
}

// Whether a branch around the call is taken for something else than training, by its condition:
// `if self.for_tflite`.
bool IsForOtherUse(const SourceFacts& source, const SourceCall& call) {
  constexpr std::string_view kUses[] = {"tflite", "export", "serving", "onnx", "debug"};
  for (int32_t at = call.context; at >= 0; at = source.contexts[at].parent) {
    const SourceContext& around = source.contexts[at];
    if (around.kind != ContextKind::kIf) continue;
    if (std::ranges::any_of(kUses,
                            [&](std::string_view use) { return Mentions(around.text, use); }))
      return true;
  }
  return false;
}

// Whether a function or class around the call evaluates, predicts or prepares texts, by its name or
// by that of what it derives from.
bool IsOfEvaluation(const SourceFacts& source, const SourceCall& call) {
  constexpr std::string_view kWords[] = {"eval",  "test",      "valid", "predict",
                                         "infer", "tokenizer", "metric"};
  for (int32_t at = call.context; at >= 0; at = source.contexts[at].parent) {
    const SourceContext& around = source.contexts[at];
    if (around.kind != ContextKind::kFunction && around.kind != ContextKind::kClass) continue;
    std::vector<std::string> names = around.bases;
    names.push_back(around.name);
    const auto speaks = [&](const std::string& name) {
      return std::ranges::any_of(kWords,
                                 [&](std::string_view word) { return Mentions(name, word); });
    };
    if (std::ranges::any_of(names, speaks)) return true;
  }
  return false;
}

// Calls of one function are one finding: the mask of one is mostly that of the others.
void CheckCalls(const Facts& facts, Sink& sink) {
  const SourceFacts& source = facts.workload.facts;
  std::vector<std::pair<int32_t, std::vector<const SourceCall*>>> functions;
  for (const SourceCall& call : source.calls) {
    if (!IsSizedByData(call) || !RunsInStep(facts, call)) continue;
    const bool aside = IsForOtherUse(source, call) || IsOfEvaluation(source, call);
    if (!IsFollowed(facts, call) && aside) continue;
    const int32_t function = FunctionAround(source, call.context);
    if (functions.empty() || functions.back().first != function || function < 0)
      functions.push_back({function, {}});
    functions.back().second.push_back(&call);
  }
  for (const auto& [function, calls] : functions) {
    const SourceCall& first = *calls.front();
    Finding& found = sink.Report(first.location,
                                 "how large the result of {} in {} is depends on values, expected "
                                 "a shape that is known before the program runs",
                                 first.name, CallerOf(first));
    std::vector<Location> places;
    places.reserve(calls.size());
    for (const SourceCall* call : calls) places.push_back(call->location);
    found.message += OtherLines(places);
    // XLA pads such a dimension to its bound where it knows one.
    if (IsSizedInXla(first)) found.severity = Severity::kWarning;
    found.cost.unknown = "how large it gets depends on the data";
    found.fix.text = Advice();
  }
}

constexpr std::string_view kTorchCalls =
    "torch.nonzero|torch.argwhere|torch.unique|torch.unique_consecutive|torch.masked_select";
constexpr std::string_view kTorchMethods =
    "nonzero|argwhere|unique|unique_consecutive|masked_select";
constexpr std::string_view kJaxCalls =
    "nonzero|flatnonzero|argwhere|unique|unique_values|unique_counts|unique_inverse|unique_all|"
    "union1d|setdiff1d|intersect1d|extract|compress";
constexpr std::string_view kPacks =
    "torch.nn.utils.rnn.pack_padded_sequence|torch.nn.utils.rnn.pack_sequence";

// A tensor that the call makes of numbers, and nobody puts on a device.
bool IsOfHost(const SourceCall& call) {
  if (call.arguments.empty()) return false;
  const std::string& text = call.arguments.front().text;
  const bool made = text.starts_with("torch.tensor(") || text.starts_with("torch.as_tensor(");
  return made && !Contains(text, "dev");
}

bool IsSizedInTorch(const SourceCall& call) {
  if (IsOfHost(call)) return false;
  if (call.name == "torch.where") return call.arguments.size() == 1 && !call.open;
  if (IsOneOfWords(call.name, kTorchCalls)) return true;
  const bool method = !call.receiver.empty() && !call.name.starts_with("torch.") &&
                      !call.name.starts_with("numpy.");
  return method && IsOneOfWords(LastName(call.name), kTorchMethods);
}

bool IsSizedInJax(const SourceCall& call) {
  if (ArgumentOf(call.arguments, "size") != nullptr || call.open) return false;
  if (call.name == "jax.numpy.where") return call.arguments.size() == 1;
  const bool library = call.name.starts_with("jax.numpy.");
  return library && IsOneOfWords(LastName(call.name), kJaxCalls);
}

// A program of PyTorch that is not on XLA yet runs as it is.
void SayWhereItRuns(const SourceFacts& source, Finding& found) {
  if (IsTorch(source) && !IsTorchXla(source)) found.severity = Severity::kWarning;
}

Finding& ReportCall(const StepCode& code, const SourceCall& call, bool traced, Sink& sink) {
  const std::string where = code.PlaceOf(call.context, call.location);
  const std::string_view last = LastName(call.name);
  Finding& found = sink.Report(
      call.location, "how large the result of {}() in {} is depends on values{}", last, where,
      traced ? ", which raises ConcretizationTypeError where it is jitted; expected a shape that "
               "is known before the program runs"
             : ": on XLA it is read back in the middle of the step, and each size is compiled "
               "anew; expected a shape that is known before");
  found.cost.unknown = "how large it gets depends on the data";
  const bool has_size = traced && last != "extract" && last != "compress";
  found.fix.text =
      has_size
          ? fmt::format("pass size= with a fill_value to {}(), or use a mask of fixed shape", last)
          : Advice();
  return found;
}

void ReportPacked(const StepCode& code, const SourceCall& call, Sink& sink) {
  Finding& found = sink.Report(
      call.location,
      "{}() in {} needs the lengths on the host and makes a tensor as long as their sum, so on "
      "XLA each batch has a shape of its own to compile; expected the padded batch",
      LastName(call.name), code.PlaceOf(call.context, call.location));
  found.cost.unknown = "how many sums of lengths there are depends on the data";
  found.fix.text =
      "run the recurrent layer on batches padded to a few fixed lengths, and mask its outputs";
}

// A cell that is jitted with it raises as soon as it runs: who wrote the notebook has seen that.
bool IsSeenToFail(const Location& location) { return location.cell > 0; }

// PyTorch and JAX.
void CheckStepCode(const Facts& facts, Sink& sink) {
  const SourceFacts& source = facts.workload.facts;
  if (!IsWritten(source) || (!IsTorch(source) && !Imports(source, "jax"))) return;
  const StepCode code(source);
  for (const SourceCall& call : source.calls) {
    if (call.in_dataset_function) continue;
    const bool packs = IsOneOfWords(call.name, kPacks);
    const bool in_torch = IsSizedInTorch(call);
    const bool in_jax = IsSizedInJax(call);
    if (!packs && !in_torch && !in_jax) continue;
    const StepCodeKind kind = code.At(call.context);
    if (packs && kind == StepCodeKind::kTorch) ReportPacked(code, call, sink);
    if (in_torch && kind == StepCodeKind::kTorch &&
        !IsOfNumpy(source, call.receiver_names, call.context)) {
      SayWhereItRuns(source, ReportCall(code, call, false, sink));
    }
    if (in_jax && kind == StepCodeKind::kTraced && !IsSeenToFail(call.location))
      ReportCall(code, call, true, sink);
  }
  // Those of one function and kind are one finding.
  std::vector<std::tuple<int32_t, bool, std::vector<MaskedIndex>>> functions;
  for (const MaskedIndex& index : MaskedIndices(source, code)) {
    if (index.kind == StepCodeKind::kTraced && IsSeenToFail(index.subscript->location)) continue;
    const int32_t function = FunctionAround(source, index.subscript->context);
    const bool assigned = index.subscript->assigned;
    const auto same = std::ranges::find_if(functions, [&](const auto& group) {
      return std::get<0>(group) == function && std::get<1>(group) == assigned;
    });
    if (same != functions.end()) {
      std::get<2>(*same).push_back(index);
    } else {
      functions.emplace_back(function, assigned, std::vector{index});
    }
  }
  for (const auto& [function, assigned, indices] : functions) {
    const MaskedIndex& index = indices.front();
    std::vector<Location> places;
    places.reserve(indices.size());
    for (const MaskedIndex& other : indices) places.push_back(other.subscript->location);
    Finding& found = sink.Report(index.subscript->location, "{}{}", InWords(source, code, index),
                                 OtherLines(places));
    found.cost.unknown = "how many items the mask has depends on the data";
    found.fix.text = RemedyOf(index);
    if (index.kind == StepCodeKind::kTorch) SayWhereItRuns(source, found);
  }
}

// Whether the op belongs to the part of the graph that prepares strings and tables: all of that
// runs on the host, and the device takes its results.
bool PreparesInputs(const std::vector<SourceOp>& ops, const SourceOp& op) {
  return !op.reads_device && std::ranges::any_of(ops, [](const SourceOp& other) {
    return other.trait == OpTrait::kHost && !other.reads_device;
  });
}

void Check(const Facts& facts, Sink& sink) {
  const std::vector<SourceOp>& ops = facts.workload.module.ops;
  for (const SourceOp& op : ops) {
    if (op.trait != OpTrait::kDataDependentShape || PreparesInputs(ops, op)) continue;
    Report(facts, op, sink);
  }
  CheckCalls(facts, sink);
  CheckStepCode(facts, sink);
}

}  // namespace

TW_RULE(DY003)

}  // namespace tilewise::DY003
