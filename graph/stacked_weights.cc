// From each variable along its users to slices of one row each: when there is nothing else on the
// way but casts and transposes, every row becomes a variable.

#include "graph/stacked_weights.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "graph/graph_builder.h"

namespace tilewise {
namespace {

// The row that a slice takes of `dim`, of which it takes one, and all of the other dims.
std::optional<int64_t> RowOf(const Shape& whole, const SliceAttrs& slice, int64_t dim) {
  for (int64_t i = 0; i < whole.rank(); ++i) {
    const bool is_all = slice.starts[i] == 0 && slice.limits[i] == whole.dims[i].factor;
    if (i == dim ? slice.limits[i] - slice.starts[i] != 1 : !is_all) return std::nullopt;
  }
  return slice.starts[dim];
}

class Splitter {
 public:
  explicit Splitter(const Graph& graph)
      : graph_(graph),
        out_(graph.name()),
        stack_of_(graph.size(), kNoOp),
        dim_(graph.size(), -1),
        is_wanted_(graph.size(), false),
        map_(graph.size(), kNoOp) {
    for (const Output& output : graph.outputs()) {
      is_wanted_[output.value] = true;
      if (output.variable != kNoOp) is_wanted_[output.variable] = true;
    }
  }

  bool Find() {
    bool found = false;
    for (const Op& op : graph_.ops()) {
      if (op.kind != OpKind::kVariable || op.loop.id != 0) continue;
      for (int64_t dim = 0; dim < op.shape.rank(); ++dim) {
        std::vector<std::pair<OpId, int64_t>> path;
        std::map<int64_t, EnclosingLoop> loops;
        if (!Follow(op.id, dim, path, loops) || loops.size() < 2) continue;
        for (const auto& [id, at] : path) {
          stack_of_[id] = op.id;
          dim_[id] = at;
        }
        loops_[op.id] = std::move(loops);
        found = true;
        break;
      }
    }
    return found;
  }

  absl::StatusOr<Graph> Run() {
    for (const Op& op : graph_.ops()) {
      if (loops_.contains(op.id)) {
        MakeRows(op);
      } else if (stack_of_[op.id] == kNoOp) {
        Copy(op);
      } else if (op.kind == OpKind::kSlice) {
        map_[op.id] = Row(op);
      }
    }
    for (const Output& output : graph_.outputs()) {
      out_.AddOutput(map_[output.value], output.role,
                     output.variable == kNoOp ? kNoOp : map_[output.variable]);
    }
    return out_.Build();
  }

 private:
  // Whether all that reads `id` comes to rows of its `dim`, each in one iteration of a loop. The
  // ops on the way go into `path`, the iterations into `loops`, by row.
  bool Follow(OpId id, int64_t dim, std::vector<std::pair<OpId, int64_t>>& path,
              std::map<int64_t, EnclosingLoop>& loops) const {
    if (is_wanted_[id] || graph_.users(id).empty()) return false;
    path.emplace_back(id, dim);
    for (const OpId user : graph_.users(id)) {
      const Op& op = graph_.op(user);
      if (op.kind == OpKind::kSlice) {
        const std::optional<int64_t> row = RowOf(graph_.op(id).shape, op.as<SliceAttrs>(), dim);
        if (!row || !op.loop.is_one_trip() || op.loop.first == 0) return false;
        const auto [at, is_new] = loops.try_emplace(*row, op.loop);
        if (!is_new && !(at->second == op.loop)) return false;
        path.emplace_back(user, dim);
        continue;
      }
      if (!IsRelabeling(op.kind)) return false;
      int64_t moved = dim;
      if (op.kind == OpKind::kTranspose) {
        const std::vector<int64_t>& order = op.as<TransposeAttrs>().dims;
        moved = std::find(order.begin(), order.end(), dim) - order.begin();
      }
      if (!Follow(user, moved, path, loops)) return false;
    }
    return true;
  }

  void Copy(const Op& op) {
    Op copy = op;
    std::vector<OpId> operands;
    operands.reserve(op.operands.size());
    for (const OpId operand : op.operands) operands.push_back(map_[operand]);
    copy.origin = OpId(out_.size());
    map_[op.id] = out_.Clone(copy, std::move(operands));
  }

  void MakeRows(const Op& op) {
    const std::map<int64_t, EnclosingLoop>& loops = loops_.at(op.id);
    for (int64_t i = 0; i < op.shape.dims[dim_[op.id]].factor; ++i) {
      Op row = op;
      row.shape.dims.erase(row.shape.dims.begin() + dim_[op.id]);
      row.name = fmt::format("{}.{}", op.name, i);
      const auto loop = loops.find(i);
      if (loop != loops.end()) row.loop = loop->second;
      row.origin = OpId(out_.size());
      rows_[{op.id, i}] = out_.Clone(row, {});
    }
  }

  // What a slice takes, of the row's own variable: cast and turned as the stack is.
  OpId Row(const Op& slice) {
    std::vector<OpId> way;
    for (OpId id = slice.operands[0]; id != stack_of_[slice.id]; id = graph_.op(id).operands[0]) {
      way.push_back(id);
    }
    const int64_t number = slice.as<SliceAttrs>().starts[dim_[slice.id]];
    OpId value = rows_.at({stack_of_[slice.id], number});
    for (auto id = way.rbegin(); id != way.rend(); ++id) {
      const auto [at, is_new] = relabeled_.try_emplace({*id, number}, kNoOp);
      if (is_new) at->second = Relabeled(graph_.op(*id), value, slice.loop);
      value = at->second;
    }
    out_.SetLocation(slice.location);
    out_.SetPhase(slice.phase);
    out_.SetLoop(slice.loop);
    out_.SetScope("");
    return out_.Reshape(value, slice.shape.dims);
  }

  OpId Relabeled(const Op& op, OpId value, EnclosingLoop loop) {
    Op copy = op;
    copy.loop = loop;
    copy.shape.dims.erase(copy.shape.dims.begin() + dim_[op.id]);
    if (op.kind == OpKind::kTranspose) {
      std::vector<int64_t>& order = copy.edit<TransposeAttrs>().dims;
      const int64_t gone = order[dim_[op.id]];
      order.erase(order.begin() + dim_[op.id]);
      for (int64_t& dim : order) dim -= dim > gone ? 1 : 0;
    }
    copy.origin = OpId(out_.size());
    return out_.Clone(copy, {value});
  }

  const Graph& graph_;
  GraphBuilder out_;
  std::vector<OpId> stack_of_;  // by op: the variable whose rows it is on the way to
  std::vector<int64_t> dim_;    // by op: where the rows are in it
  std::vector<bool> is_wanted_;
  std::vector<OpId> map_;
  std::map<OpId, std::map<int64_t, EnclosingLoop>> loops_;  // by stack and row
  std::map<std::pair<OpId, int64_t>, OpId> rows_, relabeled_;
};

}  // namespace

bool IsRelabeling(OpKind kind) { return kind == OpKind::kConvert || kind == OpKind::kTranspose; }

absl::StatusOr<Graph> SplitStacks(Graph graph) {
  Splitter splitter(graph);
  if (!splitter.Find()) return graph;
  return splitter.Run();
}

}  // namespace tilewise
