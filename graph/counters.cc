// From each reshape back through elementwise ops to iotas and scalars. Slices
// and broadcasts of a counter are counters.

#include "graph/counters.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "graph/graph_builder.h"

namespace tilewise {
namespace {

// How ops of a region are laid out anew.
struct Layout {
  std::vector<Dim> whole;  // what the reshape makes
  std::vector<Dim> part;   // of what is joined to that; or the same
  int64_t dim = 0;         // along which the parts are
};

class Region {
 public:
  // `budget`: ops that may still be looked at.
  Region(const Graph& graph, const Op& reshape, int64_t& budget)
      : graph_(graph), reshape_(reshape), budget_(budget) {}

  // Whether all that the reshape takes is counted, for it alone.
  bool Find() {
    std::vector<OpId> open = {reshape_.operands[0]};
    while (!open.empty()) {
      const OpId id = open.back();
      open.pop_back();
      if (!ops_.insert(id).second) continue;
      if (--budget_ < 0) return false;
      if (!Add(graph_.op(id), open)) return false;
    }
    return counts_ && IsPrivate();
  }

  std::optional<Layout> LaidOut() const {
    Layout layout = {reshape_.shape.dims, reshape_.shape.dims, 0};
    if (parts_ == 1) return layout;
    for (size_t i = layout.part.size(); i-- > 1;) {
      if (layout.part[i].factor % parts_ != 0) continue;
      layout.part[i].factor /= parts_;
      layout.dim = static_cast<int64_t>(i);
      return layout;
    }
    return std::nullopt;
  }

  const std::set<OpId>& ops() const { return ops_; }

 private:
  bool IsCounter(const Op& op) const {
    return op.kind == OpKind::kIota ||
           ((op.kind == OpKind::kSlice || op.kind == OpKind::kBroadcast) &&
            graph_.operand(op, 0).kind == OpKind::kIota);
  }

  bool Add(const Op& op, std::vector<OpId>& open) {
    if (IsCounter(op)) return counts_ = true;
    switch (op.kind) {
      case OpKind::kConstant:
        return true;
      case OpKind::kBroadcast:
        return graph_.operand(op, 0).shape.rank() == 0;
      case OpKind::kConcatenate:
        if (parts_ > 1 || !AreAlike(op)) return false;
        parts_ = static_cast<int64_t>(op.operands.size());
        break;
      default:
        if (ClassOf(op.kind) != OpClass::kElementwise) return false;
    }
    open.insert(open.end(), op.operands.begin(), op.operands.end());
    return true;
  }

  bool AreAlike(const Op& op) const {
    return std::all_of(op.operands.begin(), op.operands.end(), [&](OpId id) {
      return graph_.op(id).shape.dims == graph_.operand(op, 0).shape.dims;
    });
  }

  // Whether nothing else sees how it is laid out.
  bool IsPrivate() const {
    return std::all_of(ops_.begin(), ops_.end(),
                       [&](OpId id) {
                         const auto users = graph_.users(id);
                         return std::all_of(users.begin(), users.end(), [&](OpId user) {
                           return user == reshape_.id || ops_.contains(user);
                         });
                       }) &&
           std::none_of(graph_.outputs().begin(), graph_.outputs().end(),
                        [&](const Output& output) { return ops_.contains(output.value); });
  }

  const Graph& graph_;
  const Op& reshape_;
  int64_t& budget_;
  std::set<OpId> ops_;
  int64_t parts_ = 1;
  bool counts_ = false;
};

void LayOut(const Layout& layout, int64_t elements, Op& op) {
  const bool is_whole = op.shape.elements() == elements;
  op.shape.dims = is_whole ? layout.whole : layout.part;
  if (op.kind == OpKind::kConcatenate) op.edit<DimsAttrs>().dims = {layout.dim};
  const bool is_counter = op.kind == OpKind::kIota || op.kind == OpKind::kSlice ||
                          (op.kind == OpKind::kBroadcast && !op.as<BroadcastAttrs>().dims.empty());
  if (!is_counter) return;
  op.kind = OpKind::kIota;
  op.operands.clear();
  op.attrs = DimsAttrs{{op.shape.rank() - 1}};
}

}  // namespace

std::optional<Graph> WithCountersLaidOut(const Graph& static_graph) {
  OpList ops;
  int64_t budget = 8 * static_cast<int64_t>(static_graph.size()) + 4096;
  std::vector<bool> done(static_graph.size(), false);
  for (const Op& op : static_graph.ops()) {
    if (op.kind != OpKind::kReshape || op.shape.rank() == 0) continue;
    Region region(static_graph, op, budget);
    if (!region.Find()) continue;
    const std::optional<Layout> layout = region.LaidOut();
    if (!layout) continue;
    if (ops.empty()) ops.assign(static_graph.ops().begin(), static_graph.ops().end());
    for (const OpId id : region.ops()) {
      if (done[id]) continue;
      done[id] = true;
      LayOut(*layout, op.shape.elements(), ops[id]);
    }
  }
  if (ops.empty()) return std::nullopt;
  absl::StatusOr<Graph> graph =
      GraphBuilder::Assemble(static_graph.name(), std::move(ops),
                             {static_graph.outputs().begin(), static_graph.outputs().end()});
  if (!graph.ok()) return std::nullopt;
  return *std::move(graph);
}

}  // namespace tilewise
