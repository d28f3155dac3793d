// Flags transposes that no dot and no layout absorbs.

#include <utility>
#include <vector>

#include <fmt/format.h>

#include "advice/hoist_move.h"
#include "rules/layout/move_cost.h"
#include "session/forward_values.h"
#include "session/rewrite_graph.h"

namespace tilewise::LY004 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "LY004",
    .name = "non-free-transpose",
    .severity = Severity::kInfo,
    .set = RuleSet::kPreview,
    .fix = Applicability::kShow,
    .needs = {.model = true},
    .summary = "a transpose moves every byte of its operand through HBM",
    .no_saving = "neither neighbour can take the other order",
    .doc = R"(
What: a transpose that the lowered step runs as a kernel of its own, for at
least 1 % of the step; moves of one shape in several layers count together.
Why: a transpose is free where the dims only change their names: a dot takes its
operand in any order of dims, a convolution takes batch and feature either way
round, and a layout may differ from the order of the dims. Everywhere else each
byte is read, sent through the cross-lane unit and written back.
Remedy: name the dims where the tensor is used, in the einsum or the dot's
dimension numbers; or make the tensor in the order that it is used in.
Ignore: one transpose at the model's entry that makes all other layouts good.
Transposes that only move dims of size 1 are not reported: no layout notices.
Numbers: simulated time and HBM bytes of the kernels that only move the tensor,
forward and backward. Where the transpose shares a kernel with other work, the
write of its result and one read of it. The saving is that of the tensor made in
the order that is used: of an input fed so, or of a matmul whose operands are
swapped.
Sources: Cloud TPU function notes (tf.transpose), xprof layout findings.)",
    .thresholds = {{"min-share", 0.01, "share of the step that the move takes"}},
};

constexpr int kMaxSteps = 32;

bool AreInverse(const Op& a, const Op& b) {
  const std::vector<int64_t>& first = a.as<TransposeAttrs>().dims;
  const std::vector<int64_t>& second = b.as<TransposeAttrs>().dims;
  if (first.size() != second.size()) return false;
  for (size_t i = 0; i < second.size(); ++i) {
    if (first[second[i]] != static_cast<int64_t>(i)) {
      return false;
    }
  }
  return true;
}

bool KeepsPositions(OpKind kind) {
  return ClassOf(kind) == OpClass::kElementwise || kind == OpKind::kReduceWindow;
}

// Whether an inverse transpose follows through ops with one user: LY003 speaks.
bool IsUndone(const Graph& graph, const Op& transpose) {
  OpId at = transpose.id;
  for (int step = 0; step < kMaxSteps; ++step) {
    if (graph.users(at).size() != 1) return false;
    const Op& user = graph.op(graph.users(at)[0]);
    if (user.kind == OpKind::kTranspose) return AreInverse(transpose, user);
    if (!KeepsPositions(user.kind)) return false;
    at = user.id;
  }
  return false;
}

// The same, seen from the transpose that comes last.
bool Undoes(const Graph& graph, const Op& transpose) {
  OpId at = transpose.operands[0];
  for (int step = 0; step < kMaxSteps; ++step) {
    const Op& op = graph.op(at);
    if (op.kind == OpKind::kTranspose) return IsUndone(graph, op);
    if (!KeepsPositions(op.kind) || op.operands.empty()) return false;
    at = op.operands[0];
  }
  return false;
}

// The other dims keep their order: what it costs is a layout that its
// neighbours ask for.
bool MovesOnlyUnitDims(const Op& transpose) {
  int64_t last = -1;
  for (int64_t i = 0; i < transpose.shape.rank(); ++i) {
    if (transpose.shape.size(i) == 1) continue;
    const int64_t dim = transpose.as<TransposeAttrs>().dims[i];
    if (dim < last) return false;
    last = dim;
  }
  return true;
}

std::string Advice(const Graph& graph, const Op& transpose) {
  for (const OpId id : graph.users(transpose.id)) {
    const Op& user = graph.op(id);
    if (user.kind == OpKind::kDot) {
      return fmt::format(
          "drop it and name the dims in the einsum (the dot's dimension numbers) of {} instead",
          user.name);
    }
  }
  if (graph.operand(transpose, 0).kind == OpKind::kParameter) {
    return "feed the tensor in the order that the model uses it in: the host can transpose it, or "
           "the file can hold it so";
  }
  return "make the tensor in the order that it is used in, by the einsum (the dot's dimension "
         "numbers) that makes it or by those that use it";
}

void Check(const Facts& facts, Sink& sink) {
  const Graph& graph = *facts.source;
  const auto cost_of = [&](const Op& op) -> MoveCost {
    if (op.kind != OpKind::kTranspose || MovesOnlyUnitDims(op)) return {};
    if (IsUndone(graph, op) || Undoes(graph, op)) return {};
    return MoveCostOf(facts, op.id, [](const Op& root) { return root.kind == OpKind::kTranspose; });
  };
  for (const Moves& moves : CostlyMoves(facts, sink.threshold("min-share"), cost_of)) {
    Finding& found = sink.ReportOp(moves.op->id, "{}, expected one that a dot or a layout absorbs",
                                   MoveText(facts, moves));
    found.cost = DeviceCost(facts, moves.cost.time, moves.cost.bytes);
    found.fix.text = Advice(graph, *moves.op);
    found.change = ChangeOfAll(graph, moves.all, HoistedMove);
  }
}

}  // namespace

TW_RULE(LY004)

}  // namespace tilewise::LY004
