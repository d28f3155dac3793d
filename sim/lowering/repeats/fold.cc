// Ids of the whole and of the folded graph, each from the other.

#include "sim/lowering/repeats/fold.h"

#include <utility>

#include "graph/graph_builder.h"

namespace tilewise {
namespace {

// First op of the layers that are left out, and of the layer after them.
OpId GapBegin(const FoldedRepeat& repeat) {
  return repeat.whole.begin + (kTypicalLayer + 1) * repeat.whole.period;
}
OpId GapEnd(const FoldedRepeat& repeat) {
  return GapBegin(repeat) + repeat.left_out() * repeat.whole.period;
}

// Returns where op `id` of the whole graph is in the folded one; in a layer
// that is left out, it is in the typical one.
OpId FoldedId(const std::vector<FoldedRepeat>& repeats, OpId id) {
  OpId folded = id;
  for (const FoldedRepeat& repeat : repeats) {
    if (id < GapBegin(repeat)) break;
    const int32_t period = repeat.whole.period;
    if (id < GapEnd(repeat)) {
      return folded - ((id - GapBegin(repeat)) / period + 1) * period;
    }
    folded -= repeat.left_out() * period;
  }
  return folded;
}

std::vector<FoldedRepeat> Fold(const std::vector<Repeat>& found) {
  std::vector<FoldedRepeat> repeats;
  int32_t removed = 0;
  for (const Repeat& whole : found) {
    FoldedRepeat repeat;
    repeat.whole = whole;
    repeat.folded = {whole.begin - removed, whole.period, kKeptLayers};
    removed += repeat.left_out() * whole.period;
    repeats.push_back(repeat);
  }
  return repeats;
}

}  // namespace

OpId FoldedGraph::WholeId(OpId folded, int32_t copy) const {
  OpId whole = folded;
  for (const FoldedRepeat& repeat : repeats) {
    const int32_t period = repeat.folded.period;
    const OpId typical = repeat.folded.begin + kTypicalLayer * period;
    if (folded < typical) break;
    if (folded < typical + period) return whole + copy * period;
    whole += repeat.left_out() * period;
  }
  return whole;
}

FoldedGraph::Position FoldedGraph::PositionOf(OpId folded) const {
  for (size_t i = 0; i < repeats.size(); ++i) {
    const Repeat& repeat = repeats[i].folded;
    if (folded < repeat.begin) break;
    if (folded < repeat.end()) {
      return {static_cast<int32_t>(i), (folded - repeat.begin) / repeat.period};
    }
  }
  return {};
}

int32_t FoldedGraph::StandsFor(OpId folded) const {
  const Position position = PositionOf(folded);
  if (position.layer != kTypicalLayer) return 1;
  return 1 + repeats[position.repeat].left_out();
}

std::vector<double> OpCounts(const Graph& graph, const FoldedGraph* folded) {
  std::vector<double> counts(graph.ops().size(), 1);
  if (folded == nullptr) return counts;
  for (const Op& op : graph.ops()) {
    if (op.origin == kNoOp) continue;
    counts[op.id] = folded->StandsFor(op.origin);
  }
  return counts;
}

absl::StatusOr<FoldedGraph> FoldRepeats(const Graph& whole) {
  FoldedGraph result;
  result.repeats = Fold(FindRepeats(whole, kKeptLayers + 1));
  if (result.repeats.empty()) return result;
  GraphBuilder builder(whole.name());
  auto repeat = result.repeats.begin();
  for (OpId id = 0; id < whole.size(); ++id) {
    if (repeat != result.repeats.end() && id == GapBegin(*repeat)) {
      id = GapEnd(*repeat++);
    }
    const Op& op = whole.op(id);
    std::vector<OpId> operands;
    operands.reserve(op.operands.size());
    for (const OpId operand : op.operands) {
      operands.push_back(FoldedId(result.repeats, operand));
    }
    Op copy = op;
    copy.origin = OpId(builder.size());
    builder.Clone(copy, std::move(operands));
  }
  for (const Output& output : whole.outputs()) {
    builder.AddOutput(FoldedId(result.repeats, output.value), output.role,
                      output.variable == kNoOp ? kNoOp : FoldedId(result.repeats, output.variable));
  }
  TW_ASSIGN_OR_RETURN(result.graph, builder.Build());
  return result;
}

}  // namespace tilewise
