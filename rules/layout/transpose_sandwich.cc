// Flags two transposes that undo each other around ops that do not care.

#include <fmt/format.h>

#include "rules/rule.h"

namespace tilewise {
namespace {

constexpr RuleInfo kInfo = {
    .id = "LY003",
    .name = "transpose-sandwich",
    .severity = Severity::kWarning,
    .fix = Applicability::kShow,
    .summary = "a transpose is undone after elementwise ops or pooling",
    .doc = R"(
What: a transpose, then only elementwise ops or pooling, then the inverse
transpose; or two transposes in a row that compose to the identity.
Why: a transpose moves every byte through HBM and the cross-lane unit unless
the layout absorbs it. Elementwise ops give the same result in either order,
and pooling can take its window in the other order.
Remedy: drop both transposes, and give pooling the other data format.
Ignore: when the simulated cost is nothing: then the lowering already cancels
the pair or turns it into a change of layout.
Sources: Cloud TPU performance guide.)",
};

bool AreInverse(const std::vector<int64_t>& a, const std::vector<int64_t>& b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < b.size(); ++i) {
    const auto through = static_cast<size_t>(b[i]);
    if (through >= a.size() || a[through] != static_cast<int64_t>(i)) {
      return false;
    }
  }
  return true;
}

bool IsIndifferent(const Graph& graph, const Op& op) {
  if (op.kind == OpKind::kReduceWindow) return true;
  if (ClassOf(op.kind) != OpClass::kElementwise) return false;
  // Of several operands only one may vary: constants broadcast in any order.
  int varying = 0;
  for (const OpId operand : op.operands) {
    OpId source = operand;
    while (graph.op(source).kind == OpKind::kBroadcast) {
      source = graph.op(source).operands[0];
    }
    if (graph.op(source).shape.rank() > 0) ++varying;
  }
  return varying <= 1;
}

// The operand that carries the data of an indifferent op.
OpId DataOperand(const Graph& graph, const Op& op) {
  for (const OpId operand : op.operands) {
    if (graph.op(operand).kind != OpKind::kBroadcast &&
        graph.op(operand).shape.rank() > 0) {
      return operand;
    }
  }
  return kNoOp;
}

// The transpose that `last` undoes, through ops with no other user.
const Op* Opening(const Graph& graph, const Op& last, int& between) {
  OpId id = last.operands[0];
  for (between = 0; id != kNoOp; ++between) {
    if (graph.users(id).size() != 1) return nullptr;
    const Op& op = graph.op(id);
    if (op.kind == OpKind::kTranspose) {
      return AreInverse(op.attrs.dims, last.attrs.dims) ? &op : nullptr;
    }
    if (!IsIndifferent(graph, op)) return nullptr;
    id = DataOperand(graph, op);
  }
  return nullptr;
}

Bytes Traffic(const Facts& facts, OpId op) {
  Bytes total;
  for (const int32_t kernel : facts.model->KernelsOf(op)) {
    const Kernel& k = facts.model->program.kernels[static_cast<size_t>(kernel)];
    total += k.hbm_read + k.hbm_write;
  }
  return total;
}

void Check(const Facts& facts, Sink& sink) {
  if (facts.model == nullptr || facts.source == nullptr) return;
  for (const Op& last : facts.source->ops()) {
    if (last.kind != OpKind::kTranspose) continue;
    int between = 0;
    const Op* first = Opening(*facts.source, last, between);
    if (first == nullptr) continue;
    const Seconds time = facts.TimeOf(first->id) + facts.TimeOf(last.id);
    const Bytes bytes = Traffic(facts, first->id) + Traffic(facts, last.id);
    if (time.value <= 0 || !facts.WorthSaying(time, bytes)) continue;
    Diagnostic& found = sink.Report(
        first->location,
        fmt::format("{} transposes {} and {} transposes it back after {} ops "
                    "that do not depend on the order, expected no transpose",
                    first->name, FormatShape(first->shape), last.name,
                    between));
    found.cost.time_per_step = time;
    found.cost.share_of_step = time / facts.StepTime();
    found.cost.bytes = bytes;
    found.fix.text = fmt::format(
        "drop both transposes{}",
        between == 0 ? "" : " and run the ops between in the original order");
  }
}

}  // namespace

TW_RULE(LY003)

}  // namespace tilewise
