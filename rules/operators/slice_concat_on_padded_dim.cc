// Flags slices, concatenations and pads that cut tiles in the middle.

#include <utility>
#include <vector>

#include <fmt/format.h>

#include "advice/hoist_move.h"
#include "advice/saving.h"
#include "rules/layout/move_cost.h"
#include "session/forward_values.h"
#include "session/rewrite_graph.h"

namespace tilewise::OP004 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "OP004",
    .name = "slice-concat-on-padded-dim",
    .fix = Applicability::kShow,
    .needs = {.model = true},
    .summary = "a slice, concatenation or pad cuts tiles in the middle",
    .no_saving = "other ops stand between it and what makes the tensor",
    .doc = R"(
What: a slice, split, concatenation or pad along the dim in the lanes or
sublanes, at an offset or of a size that is no multiple of the tile, as a kernel
of its own, for at least 1 % of the step; cuts of one shape in several layers
count together.
Why: the two minor dims lie in tiles of 8 x 128. Along other dims a part is an
address; at a multiple of the tile it is a run of whole tiles. In between every
row is rotated, masked and merged, in the forward pass and again in the gradient,
which is a pad for a slice and a slice for a concatenation.
Remedy: make the parts multiples of the tile; slice before the dim becomes the
minor one, or stack along another dim; apply the next layer to each part and add
the results instead of joining the parts; slice weights once instead of
activations in every step.
Ignore: sizes that the task fixes, and parts so small that no other order pays.
Numbers: simulated time of the kernels that only move these parts, forward and
backward, at the layouts that the lowering chose or the dump states. The saving
is that of the weights in parts: of the layers that read a concatenation, or that
make the tensor that is sliced.
Sources: Cloud TPU performance guide (avoid slicing the padded dim), function
notes.)",
    .thresholds = {{"min-share", 0.01, "share of the step that the move takes"}},
};

int64_t At(const std::vector<int64_t>& values, int64_t dim, int64_t otherwise) {
  const size_t i = dim;
  return i < values.size() ? values[i] : otherwise;
}

// Returns where along `dim` the op starts, ends or joins its parts off the
// tile: the first such offset or size, 0 where there is none.
int64_t OffTile(const Graph& graph, const Op& op, int64_t dim, int64_t tile) {
  const auto off = [tile](int64_t start) { return start % tile != 0; };
  switch (op.kind) {
    case OpKind::kSlice: {
      const int64_t size = op.shape.size(dim);
      if (size == graph.operand(op, 0).shape.size(dim)) return 0;
      const int64_t start = At(op.as<SliceAttrs>().starts, dim, 0);
      if (off(start)) return start;
      return off(size) ? size : 0;
    }
    case OpKind::kPad: {
      const int64_t low = At(op.as<PadAttrs>().low, dim, 0);
      const bool spread = At(op.as<PadAttrs>().interior, dim, 0) != 0;
      if (off(low) || spread) return spread ? 1 : low;
      return 0;
    }
    case OpKind::kConcatenate: {
      if (op.as<DimsAttrs>().dims[0] != dim) return 0;
      int64_t offset = 0;
      for (const OpId part : op.operands) {
        if (off(offset)) return offset;
        offset += graph.op(part).shape.size(dim);
      }
      return 0;
    }
    default:
      return 0;
  }
}

struct Cut {
  int64_t dim = -1;  // of the lowered op; -1: on the tiles
  int64_t start = 0;
  int64_t tile = 1;
  bool in_lanes = false;
};

Cut CutOf(const Program& program, const Op& op) {
  const Layout& layout = program.layouts[op.id];
  Cut cut;
  for (const bool lanes : {true, false}) {
    const int64_t dim = lanes ? LaneDim(layout) : SublaneDim(layout);
    const int64_t tile = lanes ? layout.tile_lanes : layout.tile_sublanes;
    if (dim < 0) continue;
    const int64_t start = OffTile(program.graph, op, dim, tile);
    if (start != 0) return {dim, start, tile, lanes};
  }
  return cut;
}

bool CutsOne(OpKind kind) {
  return kind == OpKind::kSlice || kind == OpKind::kPad || kind == OpKind::kConcatenate;
}

// The weights next to the move in parts, or the padding at the other end.
Change ChangeOf(const Graph& graph, const Moves& moves) {
  return ChangeOfAll(graph, moves.all, [&graph](const Op& op) -> Change {
    switch (op.kind) {
      case OpKind::kConcatenate:
        return AppliedToParts(graph, op);
      case OpKind::kSlice:
        return HoistedMove(op);
      default:
        return {};
    }
  });
}

std::string Advice(const Op& op, const Cut& cut) {
  if (op.kind == OpKind::kConcatenate) {
    return fmt::format(
        "join parts that are multiples of {} along that dim, join them along another dim, or apply "
        "the next layer to each part and add the results",
        cut.tile);
  }
  if (op.kind == OpKind::kPad) {
    return "pad behind the data instead of before it, or along a dim that is not minor, or once in "
           "the input pipeline";
  }
  return fmt::format(
      "cut at multiples of {} along that dim, slice while another dim is the minor one, or slice "
      "the weights that make the tensor instead",
      cut.tile);
}

void Report(const Facts& facts, const Moves& moves, Sink& sink) {
  const Program& program = facts.model->program;
  const Op& op = *moves.op;
  const Op& move = program.graph.op(moves.cost.most_expensive);
  const Cut cut = CutOf(program, move);
  Finding& found = sink.ReportDim(
      op.id, move.kind == op.kind ? cut.dim : -1,
      "{} cuts dim {} of {} at {}, in the middle of a tile of {} {}{} and takes {} a step "
      "(simulated on {}), expected multiples of {}",
      OpName(op.kind), cut.dim, LaidOut(program, move.id), FormatCount(cut.start), cut.tile,
      cut.in_lanes ? "lanes" : "sublanes", moves.count == 1 ? "," : OthersText(moves),
      FormatSeconds(moves.cost.time), facts.target.chip.name, cut.tile);
  found.cost = DeviceCost(facts, moves.cost.time, moves.cost.bytes);
  found.fix.text = Advice(op, cut);
  SetIfItSaves(facts, ChangeOf(*facts.source, moves), found);
}

void Check(const Facts& facts, Sink& sink) {
  const auto cuts_tiles = [&](const Op& root) {
    return CutsOne(root.kind) && CutOf(facts.model->program, root).dim >= 0;
  };
  const auto cost_of = [&](const Op& op) {
    return CutsOne(op.kind) ? MoveCostOf(facts, op.id, cuts_tiles) : MoveCost{};
  };
  for (const Moves& moves : CostlyMoves(facts, sink.threshold("min-share"), cost_of)) {
    Report(facts, moves, sink);
  }
}

}  // namespace

TW_RULE(OP004)

}  // namespace tilewise::OP004
