// The positions of the queries are followed through the graph, which is made anew
// with a core's share of them, and gathered where attention reads keys.

#include "sim/lowering/partition/share_positions.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "graph/batch_marks.h"
#include "graph/graph_builder.h"
#include "sim/lowering/rewrite.h"

namespace tilewise {
namespace {

constexpr int64_t kPositionsDim = 1;
constexpr size_t kQueries = 0, kKeys = 1, kValues = 2, kMask = 3;

bool IsAttention(const Op& op) {
  return op.kind == OpKind::kAttention || op.kind == OpKind::kFlashAttention;
}

// Returns the length of the longest queries that attention has.
int64_t FindPositions(const Graph& forward) {
  int64_t positions = 0;
  for (const Op& op : forward.ops()) {
    if (!IsAttention(op)) continue;
    positions = std::max(positions, forward.operand(op, kQueries).shape.size(kPositionsDim));
  }
  return positions;
}

// What is a multiple of `parts` is shared evenly, whatever the order.
absl::Status MarkPositions(const Graph& forward, int64_t positions, int64_t parts,
                           BatchMarks& marks) {
  marks.Reset(parts, BatchMarks::Followed::kPositions);
  for (const Op& op : forward.ops()) {
    if (!IsAttention(op)) continue;
    for (const size_t i : {kQueries, kKeys}) {
      const OpId operand = op.operands[i];
      const bool follows = forward.op(operand).shape.size(kPositionsDim) == positions &&
                           !marks.holds(operand, kPositionsDim);
      if (follows) TW_RETURN_IF_ERROR(marks.Spread({operand, kPositionsDim}));
    }
  }
  return absl::OkStatus();
}

// The op on a core's share of what is marked; slices are of tiles that all cores
// have a part of.
Op LocalOp(const Op& op, const Graph& forward, const BatchMarks& marks, int64_t parts) {
  Op local = op;
  for (int64_t dim = 0; dim < op.shape.rank(); ++dim) {
    if (marks.holds(op.id, dim)) local.shape.dims[dim].factor /= parts;
  }
  const bool slices = op.kind == OpKind::kSlice;
  if (!slices && op.kind != OpKind::kGatherSlices) return local;
  const OpId whole = op.operands[0];
  for (int64_t dim = 0; dim < forward.op(whole).shape.rank(); ++dim) {
    if (!marks.holds(whole, dim)) continue;
    if (slices) {
      local.edit<SliceAttrs>().starts[dim] /= parts;
      local.edit<SliceAttrs>().limits[dim] /= parts;
    } else if (op.as<SlicesAttrs>().slice_sizes[dim] > 1) {
      local.edit<SlicesAttrs>().slice_sizes[dim] /= parts;
    }
  }
  return local;
}

// What goes through positions in their order has no part that a core could do
// alone.
bool NeedsTheirOrder(const Op& op, const BatchMarks& marks) {
  if (ClassOf(op.kind) == OpClass::kRecurrent) return marks.touches(op);
  if (op.kind != OpKind::kReverse) return false;
  const std::vector<int64_t>& dims = op.as<DimsAttrs>().dims;
  return std::any_of(dims.begin(), dims.end(),
                     [&](int64_t dim) { return marks.holds(op.id, dim); });
}

absl::StatusOr<Graph> LocalGraph(const Graph& forward, const BatchMarks& marks, int64_t parts) {
  GraphBuilder builder(forward.name());
  for (const Op& op : forward.ops()) {
    if (NeedsTheirOrder(op, marks)) {
      return marks.Stopped(op, "goes through the positions in their order");
    }
    const Op local = LocalOp(op, forward, marks, parts);
    const OpId made = builder.Clone(local, op.operands, marks.touches(op));
    if (builder.ok() && builder.shape(made).dims != local.shape.dims) {
      return marks.Stopped(op,
                           fmt::format("the positions are cut or moved: found {} on a core, "
                                       "expected {}",
                                       FormatShape(builder.shape(made)), FormatShape(local.shape)));
    }
  }
  for (const Output& output : forward.outputs()) {
    builder.AddOutput(output.value, output.role, output.variable);
  }
  return builder.Build();
}

class Gathering {
 public:
  // The marks are those of the whole graph, whose ids `local` has.
  Gathering(const Graph& local, const BatchMarks& marks, int64_t positions, int64_t parts,
            std::string_view axis)
      : local_(local),
        marks_(marks),
        share_(positions / parts),
        parts_(parts),
        axis_(axis),
        rewrite_(local) {}

  absl::StatusOr<Graph> Run() {
    for (const Op& op : local_.ops()) {
      if (IsAttention(op)) {
        Gather(op);
      } else if (SumsPositions(op)) {
        const OpId terms = rewrite_.builder().Clone(op, rewrite_.Operands(op));
        rewrite_.EnterContextOf(op);
        rewrite_.Replace(op, rewrite_.builder().AllReduce(terms, parts_, axis_));
      } else {
        rewrite_.Copy(op);
      }
    }
    return rewrite_.Finish();
  }

 private:
  bool IsShared(OpId value, int64_t dim) const {
    return marks_.holds(value, dim) && local_.op(value).shape.size(dim) == share_;
  }

  // Sums over the batch as well, and losses, are those of the core's examples.
  bool SumsPositions(const Op& op) const {
    if (op.shape.rank() == 0) return false;
    const std::vector<int64_t>* summed = nullptr;
    if (op.kind == OpKind::kReduce && op.as<ReduceAttrs>().reducer == Reducer::kSum) {
      summed = &op.as<ReduceAttrs>().dims;
    } else if (op.kind == OpKind::kDot) {
      summed = &op.as<DotAttrs>().lhs_contract;
    }
    return summed != nullptr && !summed->empty() &&
           std::all_of(summed->begin(), summed->end(),
                       [&](int64_t dim) { return IsShared(op.operands[0], dim); });
  }

  OpId Whole(const Op& op, size_t operand, int64_t dim) {
    const OpId old = op.operands[operand];
    const OpId own = rewrite_.at(old);
    return IsShared(old, dim) ? rewrite_.builder().AllGather(own, dim, parts_, axis_) : own;
  }

  void Gather(const Op& op) {
    rewrite_.EnterContextOf(op);
    std::vector<OpId> operands = rewrite_.Operands(op);
    operands[kKeys] = Whole(op, kKeys, kPositionsDim);
    operands[kValues] = Whole(op, kValues, kPositionsDim);
    if (operands.size() > kMask) operands[kMask] = Whole(op, kMask, 3);
    Op shared = op;
    if (IsShared(op.operands[kQueries], kPositionsDim)) {
      shared.edit<AttentionAttrs>().query_parts = parts_;
    }
    rewrite_.Replace(op, rewrite_.builder().Clone(std::move(shared), std::move(operands)));
  }

  const Graph& local_;
  const BatchMarks& marks_;
  const int64_t share_;
  const int64_t parts_;
  const std::string_view axis_;
  Rewrite rewrite_;
};

absl::StatusOr<Graph> Share(const Graph& forward, int64_t parts, std::string_view axis) {
  const int64_t positions = FindPositions(forward);
  if (positions == 0) {
    return InvalidInput("found no attention, expected one whose positions are shared out");
  }
  if (positions % parts != 0) {
    return InvalidInput(fmt::format("found {} positions, expected a multiple of {}",
                                    FormatCount(positions), FormatCount(parts)));
  }
  BatchMarks marks(forward);
  TW_RETURN_IF_ERROR(MarkPositions(forward, positions, parts, marks));
  TW_ASSIGN_OR_RETURN(const Graph local, LocalGraph(forward, marks, parts));
  return Gathering(local, marks, positions, parts, axis).Run();
}

}  // namespace

absl::StatusOr<Graph> SharePositions(const Graph& forward, int64_t parts, std::string_view axis) {
  absl::StatusOr<Graph> shared = Share(forward, parts, axis);
  if (!shared.ok()) return Annotate(shared.status(), fmt::format("mesh axis {}", axis));
  return shared;
}

}  // namespace tilewise
