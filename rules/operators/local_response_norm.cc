// Flags local response normalisation, which later networks do without.

#include <algorithm>
#include <optional>

#include "rules/host_loop/step_code.h"
#include "rules/operators/source.h"
#include "session/rewrite_graph.h"

namespace tilewise::OP010 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "OP010",
    .name = "local-response-norm",
    .severity = Severity::kInfo,
    .set = RuleSet::kPreview,
    .fix = Applicability::kUnsafe,
    .changes_numerics = true,
    .summary = "local response normalisation takes a visible share of the step",
    .doc = R"(
What: local response normalisation (LRN) and its gradient where the simulated
kernels take at least 1 % of the step; or a call of it in code that runs in
every step, in PyTorch also as a layer.
Why: each element is divided by a power of a sum over its neighbours along the
features: a window along the lanes, a logarithm and an exponential per element,
all on the vector unit, and the same again for the gradient. Measured elsewhere,
LRN and its gradient were the most expensive ops of an AlexNet step.
Remedy: drop it, or use batch normalisation, which fuses with the convolution
around it. Later networks found no gain in accuracy from LRN.
Ignore: when the weights were trained with it.
Sources: the Timeline article that the catalogue names S4.)",
};

constexpr std::string_view kCalls[] = {"nn.local_response_normalization", "nn.lrn"};

std::string_view Advice() {
  return "drop local response normalisation, or use batch normalisation";
}

// What goes in: the value from outside of the op's own part of the graph that
// has the shape of its result.
OpId InputOf(const Graph& graph, const SourceOp& op) {
  const Shape& result = graph.op(op.end - 1).shape;
  for (OpId id = op.first; id < op.end; ++id) {
    for (const OpId operand : graph.op(id).operands) {
      if (operand < op.first && graph.op(operand).shape == result) {
        return operand;
      }
    }
  }
  return kNoOp;
}

void Report(const Facts& facts, const SourceOp& op, Sink& sink) {
  const Seconds time = TimeOfSource(facts, op);
  const OpId result = ResultOfSource(facts, op);
  if (result == kNoOp || !facts.WorthSaying(time, Bytes{})) return;
  const Graph& graph = *facts.source;
  Finding& found = sink.ReportOp(result,
                                 "local response normalisation of {} takes {} a step (simulated on "
                                 "{}), expected none or batch normalisation",
                                 FormatShape(graph.op(result).shape), FormatSeconds(time),
                                 facts.target.chip.name);
  found.cost = DeviceCost(facts, time);
  found.fix.text = Advice();
  const OpId input = InputOf(graph, op);
  if (input == kNoOp) return;
  found.change.replace[result] = [input](GraphBuilder& builder, const Op& at,
                                         std::span<const OpId> operands) {
    const OpId stands = StandsFor(builder, input);
    return stands == kNoOp ? builder.Clone(at, {operands.begin(), operands.end()}) : stands;
  };
}

constexpr std::string_view kTorchLayer = "torch.nn.LocalResponseNorm";

// In code of PyTorch that runs in every step: the function, or a layer that a module makes.
bool IsOfTorch(const SourceFacts& source, const SourceCall& call, std::optional<StepCode>& code) {
  const bool layer = call.name == kTorchLayer && !call.arguments.empty();
  if (!layer && call.name != "torch.nn.functional.local_response_norm") return false;
  if (layer) return true;
  if (!code) code.emplace(source);
  return code->At(call.context) == StepCodeKind::kTorch;
}

// What the model spends on the ops that the call became; nothing where it became none.
std::optional<Seconds> TimeOfOps(const Facts& facts, const SourceCall& call) {
  if (facts.model == nullptr) return std::nullopt;
  std::optional<Seconds> total;
  for (const Op& op : facts.source->ops()) {
    if (!IsOpOf(op, call)) continue;
    total = total.value_or(Seconds{}) + facts.TimeOf(op.id);
  }
  return total;
}

void CheckCalls(const Facts& facts, Sink& sink) {
  const SourceFacts& source = facts.workload.facts;
  std::optional<StepCode> code;
  for (const SourceCall& call : source.calls) {
    const bool in_step = IsCallOfOne(call, kCalls) && RunsInStep(facts, call);
    if (!in_step && !IsOfTorch(source, call, code)) continue;
    const std::optional<Seconds> time = TimeOfOps(facts, call);
    if (time && !facts.WorthSaying(*time, Bytes{})) continue;
    Finding& found = sink.Report(
        call.location,
        "{} normalises over neighbouring features in {}, expected none or batch normalisation",
        call.name, CallerOf(call));
    found.cost = CostOfCall(facts, time, "what it normalises");
    found.fix.text = Advice();
  }
}

void Check(const Facts& facts, Sink& sink) {
  if (facts.model != nullptr) {
    for (const SourceOp& op : facts.workload.module.ops) {
      if (op.trait == OpTrait::kLocalResponseNorm) Report(facts, op, sink);
    }
  }
  CheckCalls(facts, sink);
}

}  // namespace

TW_RULE(OP010)

}  // namespace tilewise::OP010
