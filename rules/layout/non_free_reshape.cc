// Flags reshapes that tear tiles apart, so that every byte moves.

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "advice/hoist_move.h"
#include "advice/saving.h"
#include "base/math.h"
#include "rules/layout/channels_first.h"
#include "rules/layout/move_cost.h"
#include "session/forward_values.h"
#include "session/rewrite_graph.h"
#include "sim/lowering/bitcast.h"

namespace tilewise::LY005 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "LY005",
    .name = "non-free-reshape",
    .set = RuleSet::kPreview,
    .fix = Applicability::kShow,
    .needs = {.model = true},
    .summary = "a reshape changes what is in a tile, so every byte moves",
    .no_saving = "other ops stand between it and what could take the shape",
    .doc = R"(
What: a reshape that the lowered step runs as a kernel of its own, for at least
1 % of the step.
Why: HBM holds tiles of 8 x 128 of the two minor dims. A reshape is free where
the minor dim stays as it is and whole tiles of the next one merge or split.
Where the minor dim itself is merged or split, most of all into one below 128,
rows are cut up, moved across lanes, and written out padded.
Remedy: keep the large aligned dim minor; fold the reshape into the einsum that
uses the tensor; send data flat and reshape it once on the device.
Ignore: the one reshape before a classifier, where it is cheap. Reshapes that
add or drop dims of size 1 are not reported, nor those that only stand where two
layouts meet: in one of the two, or in the order of the dims, they would move no
byte.
Numbers: simulated time and HBM bytes of the kernels that only move the tensor,
forward and backward. Where the reshape shares a kernel with other work, the
write of its result and one read of it. The saving is that of matmuls which
contract the dims as they are, or which make the tensor in its new shape, with
weights of as many dims, or of an input fed so.
Sources: Cloud TPU function notes (tf.reshape), flowpm#27, xprof einsum
pattern.)",
    .thresholds = {{"min-share", 0.01, "share of the step that the move takes"}},
};

// Dims of size 1 come or go, which no layout notices: what such a reshape costs
// is another order that its neighbours ask for.
bool OnlyUnitDims(const Shape& from, const Shape& to) {
  const auto others = [](const Shape& shape) {
    std::vector<int64_t> sizes = shape.sizes();
    std::erase(sizes, 1);
    return sizes;
  };
  return others(from) == others(to);
}

// Whether the reshape is free in the order of the dims, or one of the two sides
// has a layout in which it would be: then neighbours want another order, and
// the tiles are whole.
bool IsFreeInSomeLayout(const Facts& facts, OpId reshape) {
  const Program& program = facts.model->program;
  const Op& to = program.graph.op(reshape);
  const Op& from = program.graph.operand(to, 0);
  const auto order = [&program](OpId value) { return program.layouts[value].minor_to_major; };
  const Chip& chip = facts.target.chip;
  const Layout plain = DefaultLayout(from.shape, chip);
  const Layout wanted = DefaultLayout(to.shape, chip);
  return IsBitcast(to, from.shape, plain, wanted) ||
         ReshapedOrder(from.shape, order(from.id), to.shape, chip) ||
         ReshapedOrder(to.shape, order(to.id), from.shape, chip);
}

bool FeedsDot(const Graph& graph, const Op& reshape) {
  return std::ranges::any_of(graph.users(reshape.id),
                             [&](OpId user) { return graph.op(user).kind == OpKind::kDot; });
}

Change ChangeOf(const Graph& graph, const Moves& moves) {
  return ChangeOfAll(graph, moves.all, [&graph](const Op& reshape) {
    return FeedsDot(graph, reshape) ? ContractedApart(graph, reshape) : HoistedMove(reshape);
  });
}

std::string Advice(const Facts& facts, const Op& op, const Op& move) {
  const Chip& chip = facts.target.chip;
  const Layout& layout = facts.model->program.layouts[move.id];
  const int64_t minor = LaneDim(layout);
  if (FeedsDot(*facts.source, op)) {
    return "contract the dims as they are in one einsum instead of reshaping for the dot";
  }
  if (minor >= 0 && move.shape.size(minor) % chip.lanes != 0) {
    return fmt::format(
        "keep a dim that is a multiple of {} minor instead of the {} that it has now, or fold the "
        "reshape into the einsum that uses it",
        chip.lanes, FormatCount(move.shape.size(minor)));
  }
  return "keep the minor dim as it is and merge or split the other dims at whole tiles, or fold "
         "the reshape into the einsum that uses it";
}

void Report(const Facts& facts, const Moves& moves, Sink& sink) {
  const Op& op = *moves.op;
  Finding& found =
      sink.ReportDim(op.id, op.shape.rank() - 1,
                     "{} because its tiles hold other elements, expected one that moves no byte",
                     MoveText(facts, moves));
  found.cost = DeviceCost(facts, moves.cost.time, moves.cost.bytes);
  found.fix.text = Advice(facts, op, facts.model->program.graph.op(moves.cost.most_expensive));
  SetIfItSaves(facts, ChangeOf(*facts.source, moves), found);
}

void Check(const Facts& facts, Sink& sink) {
  // LY001 speaks of what images with channels first cost.
  const std::vector<bool> image = ChannelsFirstImages(*facts.source);
  const auto cost_of = [&](const Op& op) -> MoveCost {
    if (op.kind != OpKind::kReshape || image[op.operands[0]]) return {};
    if (OnlyUnitDims(facts.source->operand(op, 0).shape, op.shape)) return {};
    const MoveCost cost =
        MoveCostOf(facts, op.id, [](const Op& root) { return root.kind == OpKind::kReshape; });
    const bool is_move = cost.most_expensive != kNoOp;
    return is_move && !IsFreeInSomeLayout(facts, cost.most_expensive) ? cost : MoveCost{};
  };
  for (const Moves& moves : CostlyMoves(facts, sink.threshold("min-share"), cost_of)) {
    Report(facts, moves, sink);
  }
}

}  // namespace

TW_RULE(LY005)

}  // namespace tilewise::LY005
