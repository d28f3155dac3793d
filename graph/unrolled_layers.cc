// The ops of a loop are copied for each iteration: its counter is a number then, rows that it
// takes are slices, and rows that it writes are joined.

#include "graph/unrolled_layers.h"

#include <algorithm>
#include <map>
#include <optional>

#include "graph/graph_builder.h"
#include "graph/stacked_weights.h"

namespace tilewise {
namespace {

// Networks of 126 layers come to some 8,000 ops. A loop that would come to more of either stays
// one, as gradients and updates are some times as many ops.
constexpr int64_t kMostLayers = 1'000;
constexpr int64_t kMostOps = 30'000;

class Unroller {
 public:
  Unroller(const Graph& graph, const std::vector<LayerLoop>& loops)
      : graph_(graph), out_(graph.name()), map_(graph.size(), kNoOp) {
    for (const LayerLoop& loop : loops) {
      if (ReadsLayers(loop)) by_begin_[loop.begin] = &loop;
    }
    for (const Op& op : graph.ops()) newest_ = std::max(newest_, std::abs(op.loop.id));
  }

  bool HasLayers() const { return !by_begin_.empty(); }

  absl::StatusOr<UnrolledLayers> Run() {
    for (OpId id = 0; id < graph_.size(); ++id) {
      const auto loop = by_begin_.find(id);
      if (loop == by_begin_.end()) {
        Copy(id, graph_.op(id).loop);
        continue;
      }
      Unroll(*loop->second);
      id = loop->second->last;
    }
    for (const Output& output : graph_.outputs()) {
      out_.AddOutput(map_[output.value], output.role,
                     output.variable == kNoOp ? kNoOp : map_[output.variable]);
    }
    TW_ASSIGN_OR_RETURN(Graph graph, out_.Build());
    return UnrolledLayers{std::move(graph), std::move(map_)};
  }

 private:
  // Whether an iteration takes its row of a variable, and all that it carries is known.
  bool ReadsLayers(const LayerLoop& loop) const {
    const int64_t ops = loop.trips * (loop.last - loop.begin + 1);
    if (loop.trips > kMostLayers || ops > kMostOps) return false;
    for (const auto& [barrier, next] : loop.carried) {
      if (barrier != kNoOp && next == kNoOp) return false;
    }
    bool reads = false;
    for (OpId id = loop.begin; id <= loop.last; ++id) {
      const Op& op = graph_.op(id);
      if (op.kind != OpKind::kDynamicSlice || op.loop.id != loop.id) continue;
      OpId source = op.operands[0];
      while (IsRelabeling(graph_.op(source).kind)) source = graph_.op(source).operands[0];
      reads = reads || graph_.op(source).kind == OpKind::kVariable;
    }
    return reads;
  }

  bool IsOf(const LayerLoop& loop, const Op& op) const {
    return op.loop.id >= loop.id && !IsArgument(op);
  }

  void Unroll(const LayerLoop& loop) {
    const int32_t first = newest_ + 1;
    newest_ += static_cast<int32_t>(loop.trips);
    std::map<OpId, OpId> before;  // what the iteration before left, by barrier
    std::map<OpId, std::vector<OpId>> rows;
    for (int64_t k = 0; k < loop.trips; ++k) {
      EnclosingLoop place;
      place.id = first + static_cast<int32_t>(k);
      place.first = first;
      numbers_.clear();
      numbers_[loop.begin] = k;
      inner_.clear();
      for (OpId id = loop.begin; id <= loop.last; ++id) {
        const Op& op = graph_.op(id);
        if (!IsOf(loop, op)) {
          if (k == 0) Copy(id, op.loop);
        } else {
          CopyOf(loop, op, place, before, rows);
        }
      }
      for (const auto& [barrier, next] : loop.carried) {
        if (barrier != kNoOp) before[barrier] = map_[next];
      }
    }
    for (const auto& [id, parts] : rows) {
      Enter(graph_.op(id), {});
      map_[id] = out_.Concatenate(parts, DimOfRows(graph_.op(id)));
    }
  }

  void CopyOf(const LayerLoop& loop, const Op& op, const EnclosingLoop& place,
              const std::map<OpId, OpId>& before, std::map<OpId, std::vector<OpId>>& rows) {
    const auto left = before.find(op.id);
    const bool is_carried =
        std::ranges::any_of(loop.carried, [&](const auto& pair) { return pair.first == op.id; });
    if (is_carried) {
      map_[op.id] = left == before.end() ? map_[op.operands[0]] : left->second;
      return;
    }
    if (const std::optional<int64_t> number = NumberOf(op)) {
      Enter(op, place);
      numbers_[op.id] = *number;
      map_[op.id] = out_.Constant(static_cast<double>(*number), op.shape);
      return;
    }
    const std::optional<int64_t> row = op.loop.id == loop.id ? RowOf(op) : std::nullopt;
    if (row && op.kind == OpKind::kDynamicSlice) {
      Enter(op, place);
      map_[op.id] = out_.SliceDim(map_[op.operands[0]], DimOfRows(op), *row, *row + 1);
      return;
    }
    if (row && op.kind == OpKind::kDynamicUpdateSlice && IsBuffer(op)) {
      rows[op.id].push_back(map_[op.operands[1]]);
      return;
    }
    EnclosingLoop inner = place;
    if (op.loop.id != loop.id) {
      const auto [at, is_new] = inner_.try_emplace(op.loop.id, 0);
      if (is_new) at->second = ++newest_;
      inner = {at->second, op.loop.trip_count / loop.trips, 0, 0};
    }
    Copy(op.id, inner);
  }

  // A scalar that follows from the number of the iteration.
  std::optional<int64_t> NumberOf(const Op& op) const {
    const auto own = numbers_.find(op.id);
    if (own != numbers_.end()) return own->second;
    if (op.kind != OpKind::kSubtract || op.shape.rank() != 0 || IsFloat(op.shape.dtype)) {
      return std::nullopt;
    }
    const Op& whole = graph_.operand(op, 0);
    const auto part = numbers_.find(op.operands[1]);
    if (whole.kind != OpKind::kConstant || part == numbers_.end()) return std::nullopt;
    return static_cast<int64_t>(whole.as<ConstantAttrs>().value) - part->second;
  }

  // The one dim that a dynamic slice or update cuts, whose start follows the counter.
  static int64_t DimOfRows(const Op& op) {
    const std::vector<int64_t>& dims = op.as<DimsAttrs>().dims;
    return dims.size() == 1 ? dims[0] : -1;
  }
  std::optional<int64_t> RowOf(const Op& op) const {
    const bool is_slice = op.kind == OpKind::kDynamicSlice;
    if (!is_slice && op.kind != OpKind::kDynamicUpdateSlice) return std::nullopt;
    const int64_t dim = DimOfRows(op);
    if (dim < 0) return std::nullopt;
    const Shape& part = is_slice ? op.shape : graph_.operand(op, 1).shape;
    const auto number = numbers_.find(op.operands.back());
    if (part.dims[dim].factor != 1 || number == numbers_.end()) return std::nullopt;
    return number->second;
  }
  // Whether an update writes into an array that nothing else was written to.
  bool IsBuffer(const Op& update) const {
    const Op& buffer = graph_.operand(update, 0);
    return buffer.kind == OpKind::kBarrier &&
           graph_.operand(buffer, 0).kind == OpKind::kBroadcast &&
           std::ranges::none_of(graph_.users(update.id),
                                [&](OpId user) { return graph_.op(user).loop == update.loop; });
  }

  void Enter(const Op& op, const EnclosingLoop& loop) {
    out_.SetLocation(op.location);
    out_.SetPhase(op.phase);
    out_.SetScope("");
    out_.SetLoop(loop);
  }

  void Copy(OpId id, const EnclosingLoop& loop) {
    Op copy = graph_.op(id);
    copy.loop = loop;
    std::vector<OpId> operands;
    operands.reserve(copy.operands.size());
    for (const OpId operand : copy.operands) operands.push_back(map_[operand]);
    copy.origin = OpId(out_.size());
    map_[id] = out_.Clone(copy, std::move(operands));
  }

  const Graph& graph_;
  GraphBuilder out_;
  std::map<OpId, const LayerLoop*> by_begin_;
  std::vector<OpId> map_;
  std::map<OpId, int64_t> numbers_;   // scalars of this iteration
  std::map<int32_t, int32_t> inner_;  // loops within it
  int32_t newest_ = 0;                // number of a loop
};

}  // namespace

absl::StatusOr<UnrolledLayers> UnrollLayers(const Graph& graph,
                                            const std::vector<LayerLoop>& loops) {
  Unroller unroller(graph, loops);
  if (!unroller.HasLayers()) return UnrolledLayers{graph, {}};
  return unroller.Run();
}

}  // namespace tilewise
