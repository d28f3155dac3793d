// Flags elementwise ops that run at full size on operands that are small, and
// could run before these are broadcast.

#include <algorithm>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "base/math.h"
#include "rules/cpp/written_layers.h"
#include "rules/rule.h"
#include "workload/blocks.h"

namespace tilewise::OP006 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "OP006",
    .name = "late-broadcast",
    .severity = Severity::kInfo,
    .set = RuleSet::kPreview,
    .fix = Applicability::kUnsafe,
    .changes_numerics = true,
    .needs = {.model = true, .or_cpp = true},
    .summary = "a small operation runs after its operands were broadcast",
    .doc = R"(
What: an elementwise op on two broadcasts of smaller tensors, or a second
broadcast operand in a chain of additions or multiplications: (M + v) + w, where
M is large and v and w are small. The vector work of the full-size op is at
least min-share of the step. In C++ of which no model was read: an elementwise
function of XLA on two calls of its broadcasts (information).
Why: the vector unit performs the op once per element of the large shape
instead of once per element of the small one. The compiler moves a broadcast
behind an op only where one operand is not a scalar, and never reorders
floating-point sums.
Remedy: combine the small operands first: M + (v + w).
Ignore: sums in another order round differently. Where HBM and not the vector unit
bounds the fusion the op is hidden, and not reported.
Numbers: one vector instruction per register of the large shape, as far as nothing
hides it.
Sources: Cloud TPU performance guide (broadcasts).)",
    .thresholds = {{"min-share", 0.01, "share of the step that the full-size op has to take"},
                   {"min-growth", 8, "how many times larger the result has to be"}},
};

bool IsBinary(OpKind kind) {
  return kind == OpKind::kAdd || kind == OpKind::kSubtract || kind == OpKind::kMultiply ||
         kind == OpKind::kDivide || kind == OpKind::kMaximum || kind == OpKind::kMinimum;
}

// A broadcast of a tensor that is no scalar and much smaller.
bool IsLateOperand(const Graph& graph, const Op& op, double growth) {
  if (op.kind != OpKind::kBroadcast) return false;
  const Shape& small = graph.operand(op, 0).shape;
  return small.rank() > 0 && small.elements() > 1 &&
         static_cast<double>(op.shape.elements()) >= growth * static_cast<double>(small.elements());
}

// Dims of the result that any of the two operands has.
std::vector<int64_t> JointDims(const Op& a, const Op& b) {
  std::vector<int64_t> dims = a.as<BroadcastAttrs>().dims;
  dims.insert(dims.end(), b.as<BroadcastAttrs>().dims.begin(), b.as<BroadcastAttrs>().dims.end());
  std::ranges::sort(dims);
  dims.erase(std::unique(dims.begin(), dims.end()), dims.end());
  return dims;
}

int64_t SizeOf(const Shape& shape, const std::vector<int64_t>& dims) {
  int64_t size = 1;
  for (const int64_t dim : dims) size *= shape.size(dim);
  return size;
}

// `kind` of what `a` and `b`, two broadcasts to one shape, are made of, at the
// size of the dims that they have; then broadcast. kNoOp when they are none.
OpId OnSmall(GraphBuilder& builder, OpKind kind, OpId a, OpId b) {
  const Op& first = builder.op(a);
  const Op& second = builder.op(b);
  if (first.kind != OpKind::kBroadcast || second.kind != OpKind::kBroadcast) {
    return kNoOp;
  }
  const Shape result = first.shape;
  const std::vector<int64_t> dims = JointDims(first, second);
  std::vector<Dim> joint;
  joint.reserve(dims.size());
  for (const int64_t dim : dims) {
    joint.push_back(result.dims[dim]);
  }
  const auto small = [&](const Op& op) {
    if (op.as<BroadcastAttrs>().dims == dims) return op.operands[0];
    std::vector<int64_t> mapping;
    mapping.reserve(op.as<BroadcastAttrs>().dims.size());
    for (const int64_t dim : op.as<BroadcastAttrs>().dims) {
      mapping.push_back(std::ranges::find(dims, dim) - dims.begin());
    }
    return builder.Broadcast(op.operands[0], joint, mapping);
  };
  const OpId left = small(first);
  const OpId right = small(second);
  return builder.Broadcast(builder.Binary(kind, left, right), result.dims, dims);
}

struct Late {
  OpId other = kNoOp;  // the broadcast that `broadcast` can be joined with
  OpId broadcast = kNoOp;
  OpId inner = kNoOp;  // of a chain: the op that has `other`; else kNoOp
  OpId large = kNoOp;  // of a chain: the operand that is not small
};

bool MayReorder(OpKind kind) { return kind == OpKind::kAdd || kind == OpKind::kMultiply; }

std::optional<Late> FindLate(const Graph& graph, const Op& op, double growth) {
  if (!IsBinary(op.kind)) return std::nullopt;
  const Op& a = graph.operand(op, 0);
  const Op& b = graph.operand(op, 1);
  const bool late_a = IsLateOperand(graph, a, growth);
  const bool late_b = IsLateOperand(graph, b, growth);
  const auto fits = [&](const Op& x, const Op& y) {
    return static_cast<double>(op.shape.elements()) >=
           growth * static_cast<double>(SizeOf(op.shape, JointDims(x, y)));
  };
  if (late_a && late_b) {
    if (!fits(a, b)) return std::nullopt;
    return Late{a.id, b.id, kNoOp, kNoOp};
  }
  if (late_a == late_b || !MayReorder(op.kind)) return std::nullopt;
  const Op& broadcast = late_a ? a : b;
  const Op& inner = late_a ? b : a;
  if (inner.kind != op.kind || graph.users(inner.id).size() != 1) {
    return std::nullopt;
  }
  for (int i = 0; i < 2; ++i) {
    const Op& other = graph.operand(inner, i);
    if (!IsLateOperand(graph, other, growth) || !fits(other, broadcast)) {
      continue;
    }
    const OpId large = inner.operands[1 - i];
    return Late{other.id, broadcast.id, inner.id, large};
  }
  return std::nullopt;
}

// Returns, for each op of the model, the vector time of the kernel that runs
// it, as far as neither HBM nor the matrix unit hides it.
std::vector<Seconds> ExposedVectorTimes(const Facts& facts) {
  std::vector<Seconds> exposed(facts.source->size());
  const Program& program = facts.model->program;
  for (size_t i = 0; i < program.kernels.size(); ++i) {
    const KernelSpan& span = facts.model->spans[i];
    const Seconds most = span.vector_busy - std::max(span.dma_busy, span.mxu_busy);
    for (const OpId id : program.kernels[i].ops) {
      const OpId origin = program.graph.op(id).origin;
      if (origin < 0 || origin >= facts.source->size()) continue;
      Seconds& of_op = exposed[origin];
      of_op = std::max(of_op, most);
    }
  }
  return exposed;
}

// Returns the vector time of the op at full size.
Seconds VectorTime(const Facts& facts, const Op& op) {
  const Chip& chip = facts.target.chip;
  const double registers =
      static_cast<double>(op.shape.elements()) / static_cast<double>(chip.sublanes * chip.lanes);
  return {registers / (chip.vector_alu_slots * chip.clock_hz)};
}

Change ChangeOf(const Op& op, const Late& late) {
  Change change;
  change.replace[op.id] = [late](GraphBuilder& builder, const Op& at,
                                 std::span<const OpId> operands) {
    const OpId plain = kNoOp;
    if (late.inner == kNoOp) {
      const OpId made = OnSmall(builder, at.kind, operands[0], operands[1]);
      return made != plain ? made : builder.Binary(at.kind, operands[0], operands[1]);
    }
    // One operand became the inner op, whose own operands are at hand there.
    for (const size_t i : {0U, 1U}) {
      const Op& inner = builder.op(operands[i]);
      const OpId small = operands[1 - i];
      if (inner.kind != at.kind || inner.operands.size() != 2) continue;
      for (const size_t k : {0U, 1U}) {
        const OpId joined = OnSmall(builder, at.kind, inner.operands[k], small);
        if (joined == kNoOp) continue;
        return builder.Binary(at.kind, inner.operands[1 - k], joined);
      }
    }
    return builder.Binary(at.kind, operands[0], operands[1]);
  };
  return change;
}

// Whether the argument is a call of one of XLA's broadcasts of something that is no scalar.
bool IsBroadcastCall(const SourceFacts& source, const SourceArgument& argument) {
  if (argument.call < 0) return false;
  const SourceCall& call = source.calls[argument.call];
  if (!IsOneOfWords(call.name, "xla.Broadcast|xla.BroadcastInDim")) return false;
  return !call.arguments.empty() && !Contains(call.arguments[0].text, "ConstantR0") &&
         !Contains(call.arguments[0].text, "Zero(") && !Contains(call.arguments[0].text, "One(");
}

void CheckCalls(const Facts& facts, Sink& sink) {
  const SourceFacts& source = facts.workload.facts;
  for (const SourceCall& call : source.calls) {
    if (!IsOneOfWords(call.name, "xla.Add|xla.Sub|xla.Mul|xla.Div|xla.Max|xla.Min")) continue;
    if (call.arguments.size() < 2 || !IsBroadcastCall(source, call.arguments[0]) ||
        !IsBroadcastCall(source, call.arguments[1])) {
      continue;
    }
    Finding& found = sink.Report(call.location,
                                 "{}() of two broadcasts runs at their full size, expected it "
                                 "before they are broadcast",
                                 LastName(call.name));
    found.cost.unknown = kNoStepInCpp;
    found.no_change = kNoStepInCpp;
    found.fix.text = "combine the small operands first, and broadcast the result";
  }
}

void Check(const Facts& facts, Sink& sink) {
  if (facts.model == nullptr) return CheckCalls(facts, sink);
  if (facts.model->program.compiled) return;
  const Graph& graph = *facts.source;
  const std::vector<Seconds> exposed = ExposedVectorTimes(facts);
  for (const Op& op : graph.ops()) {
    const auto late = FindLate(graph, op, sink.threshold("min-growth"));
    if (!late) continue;
    const Seconds time = std::min(VectorTime(facts, op), exposed[op.id]);
    if (time < facts.StepTime() * sink.threshold("min-share")) continue;
    const auto small = [&](OpId broadcast) {
      return FormatShape(graph.operand(graph.op(broadcast), 0).shape);
    };
    Finding& found =
        sink.ReportOp(op.id,
                      "{} of {} and {} runs at {}, expected it before they are broadcast: up to {} "
                      "of vector work a step on {}",
                      OpName(op.kind), small(late->other), small(late->broadcast),
                      FormatShape(op.shape), FormatSeconds(time), facts.target.chip.name);
    found.cost = DeviceCost(facts, time);
    found.fix.text = fmt::format("{} the small tensors first, and broadcast the result",
                                 op.kind == OpKind::kAdd ? "add" : "combine");
    found.change = ChangeOf(op, *late);
  }
}

}  // namespace

TW_RULE(OP006)

}  // namespace tilewise::OP006
