// Flags large values that the compiler computes while it compiles, as they
// depend on nothing that is passed in.

#include <algorithm>
#include <vector>

#include "rules/rule.h"

namespace tilewise::CO003 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "CO003",
    .name = "constant-folding-bomb",
    .set = RuleSet::kPreview,
    .fix = Applicability::kShow,
    .needs = {.graph = true},
    .summary = "the compiler has to compute a large constant",
    .no_saving = "compilation is paid once per run and is no part of a step",
    .doc = R"(
What: an op that depends on constants and counters alone and whose result has
min-elements or more: a mask of compared counters, a scatter into zeros, a table
of positions.
Why: the compiler evaluates such ops itself, one element at a time on the host,
which takes seconds to minutes per op ("constant folding took > 1s"), and the
result is stored in the program. Broadcasts and counters alone are left as they
are.
Remedy: compute it inside of the step from something that is passed in, or load
it as an argument.
Ignore: when the program is compiled once and kept.
Numbers: bytes of the value as the program stores it.
Sources: jax#14655, jax#10596, jax#12789, openxla/xla#1652.)",
    .thresholds = {{"min-elements", 16e6, "elements of a folded value that are too many"}},
};

// Kinds that are not evaluated: they only say where a constant goes.
bool IsLeftAlone(OpKind kind) {
  switch (kind) {
    case OpKind::kBroadcast:
    case OpKind::kReshape:
    case OpKind::kBitcastConvert:
    case OpKind::kBarrier:
    case OpKind::kPad:
    case OpKind::kCopyToHost:
    case OpKind::kCopyFromHost:
    case OpKind::kOpaque:
      return true;
    default:
      return ClassOf(kind) == OpClass::kRandom || ClassOf(kind) == OpClass::kCollective ||
             kind == OpKind::kPartitionId;
  }
}

// Returns for each op whether it depends on nothing but constants and counters.
std::vector<bool> ConstantOps(const Graph& graph) {
  std::vector<bool> constant(graph.size(), false);
  for (const Op& op : graph.ops()) {
    const bool leaf = op.kind == OpKind::kConstant || op.kind == OpKind::kIota;
    const bool operands =
        !op.operands.empty() &&
        std::ranges::all_of(op.operands, [&](OpId operand) { return constant[operand]; });
    const bool same_each_time = op.loop.id == 0;
    constant[op.id] =
        leaf || (operands && same_each_time &&
                 (ClassOf(op.kind) != OpClass::kRandom &&
                  ClassOf(op.kind) != OpClass::kCollective && op.kind != OpKind::kOpaque));
  }
  return constant;
}

// Whether the compiler computes something on the way to this value.
std::vector<bool> Evaluated(const Graph& graph, const std::vector<bool>& constant) {
  std::vector<bool> evaluated(constant.size(), false);
  for (const Op& op : graph.ops()) {
    if (!constant[op.id] || op.operands.empty()) continue;
    evaluated[op.id] = !IsLeftAlone(op.kind) || std::ranges::any_of(op.operands, [&](OpId operand) {
      return evaluated[operand];
    });
  }
  return evaluated;
}

// Returns for each op whether all its elements are alike: the simplifier sees
// through it before anything is evaluated.
std::vector<bool> AllAlike(const Graph& graph) {
  std::vector<bool> alike(graph.size(), false);
  for (const Op& op : graph.ops()) {
    const bool operands =
        !op.operands.empty() &&
        std::ranges::all_of(op.operands, [&](OpId operand) { return alike[operand]; });
    const bool keeps = ClassOf(op.kind) == OpClass::kElementwise || op.kind == OpKind::kBroadcast ||
                       op.kind == OpKind::kReshape || op.kind == OpKind::kTranspose ||
                       op.kind == OpKind::kSlice;
    alike[op.id] = op.kind == OpKind::kConstant || (operands && keeps);
  }
  return alike;
}

void Check(const Facts& facts, Sink& sink) {
  if (facts.workload.compilation) return;
  const Graph& graph = *facts.source;
  const std::vector<bool> constant = ConstantOps(graph);
  const std::vector<bool> evaluated = Evaluated(graph, constant);
  const std::vector<bool> alike = AllAlike(graph);
  for (const Op& op : graph.ops()) {
    if (!evaluated[op.id] || alike[op.id] || IsLeftAlone(op.kind)) continue;
    if (static_cast<double>(op.shape.elements()) < sink.threshold("min-elements")) {
      continue;
    }
    // The last op of a chain speaks.
    const bool goes_on = std::ranges::any_of(graph.users(op.id), [&](OpId user) {
      return constant[user] && graph.op(user).shape.elements() >= op.shape.elements();
    });
    if (goes_on) continue;
    const Bytes size = op.shape.unpadded_bytes();
    Finding& found =
        sink.ReportOp(op.id,
                      "{} {} depends on constants alone: the compiler evaluates {} elements on the "
                      "host and stores {}, expected a value computed from an argument",
                      OpName(op.kind), FormatShape(op.shape), FormatCount(op.shape.elements()),
                      FormatBytes(size));
    found.cost.bytes = size;
    found.fix.text =
        "compute it from something that is passed to the step, or pass it as an argument";
  }
}

}  // namespace

TW_RULE(CO003)

}  // namespace tilewise::CO003
