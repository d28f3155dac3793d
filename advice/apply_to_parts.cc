// A matmul is a sum over a dim, so that the dim can be several, or the sum be
// taken of its parts one by one. The weights are kept as the matmul reads
// them.

#include <algorithm>
#include <utility>
#include <vector>

#include "advice/hoist_move.h"

namespace tilewise {
namespace {

// One dim of an operand that stands for `count` dims of another.
struct Merged {
  int64_t dim = -1;
  int64_t count = 1;
};

// The dim that a reshape makes of several neighbours, the others as they were.
Merged MergedDim(const Shape& from, const Shape& to) {
  Merged merged;
  merged.count = from.rank() - to.rank() + 1;
  if (merged.count < 2) return {};
  int64_t same = 0;
  while (same < to.rank() && from.size(same) == to.size(same)) ++same;
  if (same == to.rank()) return {};
  for (int64_t dim = same + 1; dim < to.rank(); ++dim) {
    if (from.size(dim + merged.count - 1) != to.size(dim)) return {};
  }
  merged.dim = same;
  return merged;
}

// Numbers of dims after `merged` is several again.
std::vector<int64_t> Apart(const std::vector<int64_t>& dims, const Merged& merged) {
  std::vector<int64_t> apart;
  for (const int64_t dim : dims) {
    if (dim != merged.dim) {
      apart.push_back(dim < merged.dim ? dim : dim + merged.count - 1);
      continue;
    }
    for (int64_t i = 0; i < merged.count; ++i) apart.push_back(dim + i);
  }
  return apart;
}

std::vector<int64_t>& ContractOf(DotDims& dims, size_t side) {
  return side == 0 ? dims.lhs_contract : dims.rhs_contract;
}

std::vector<int64_t>& BatchOf(DotDims& dims, size_t side) {
  return side == 0 ? dims.lhs_batch : dims.rhs_batch;
}

// What `dim` of operand `side` meets in the other; -1: it is not summed over.
int64_t Partner(const Op& dot, size_t side, int64_t dim) {
  const DotDims& dims = dot.as<DotAttrs>();
  const auto& mine = side == 0 ? dims.lhs_contract : dims.rhs_contract;
  const auto& other = side == 0 ? dims.rhs_contract : dims.lhs_contract;
  const auto at = std::ranges::find(mine, dim);
  return at == mine.end() ? -1 : other[at - mine.begin()];
}

// The dot on operand `side` before it was reshaped.
OpId DotApart(GraphBuilder& builder, const Op& dot, size_t side, std::span<const OpId> operands) {
  const Op& reshape = builder.op(operands[side]);
  if (reshape.kind != OpKind::kReshape) return kNoOp;
  const OpId tensor = reshape.operands[0];
  const Merged mine = MergedDim(builder.shape(tensor), reshape.shape);
  if (mine.dim < 0) return kNoOp;
  const Merged other = {Partner(dot, side, mine.dim), mine.count};
  if (other.dim < 0) return kNoOp;
  const OpId weights = operands[1 - side];
  std::vector<Dim> dims = builder.shape(weights).dims;
  const auto parts = builder.shape(tensor).dims.begin() + mine.dim;
  dims.erase(dims.begin() + other.dim);
  dims.insert(dims.begin() + other.dim, parts, parts + mine.count);
  const OpId apart = HoistMove(builder, ReshapeMove(std::move(dims)), weights);
  if (apart == kNoOp) return kNoOp;
  Op changed = dot;
  DotDims& contracted = changed.edit<DotAttrs>();
  for (const size_t s : {side, 1 - side}) {
    const Merged& merged = s == side ? mine : other;
    for (auto* list : {&ContractOf(contracted, s), &BatchOf(contracted, s)}) {
      *list = Apart(*list, merged);
    }
  }
  std::vector<OpId> both = {tensor, apart};
  if (side == 1) std::swap(both[0], both[1]);
  return builder.Clone(changed, std::move(both), true);
}

// The dim of the weights that is as long as dim `dim` of operand `side`, and is
// summed over with it; -1: none.
int64_t WeightDimOf(const Op& matmul, size_t side, int64_t dim, const Shape& weights) {
  if (matmul.kind == OpKind::kDot) return Partner(matmul, side, dim);
  if (matmul.kind != OpKind::kConvolution || side != 0) return -1;
  const int64_t feature = matmul.as<ConvAttrs>().channels_first ? 1 : matmul.shape.rank() - 1;
  return dim == feature && matmul.as<ConvAttrs>().groups == 1 ? weights.rank() - 2 : -1;
}

// The sum of the matmul on each part of operand `side`, a concatenation.
OpId SumOfParts(GraphBuilder& builder, const Op& matmul, size_t side,
                std::span<const OpId> operands) {
  const Op& joined = builder.op(operands[side]);
  if (joined.kind != OpKind::kConcatenate) return kNoOp;
  const int64_t dim = joined.as<DimsAttrs>().dims[0];
  const OpId weights = operands[1 - side];
  const Shape shape = builder.shape(weights);
  const int64_t cut = WeightDimOf(matmul, side, dim, shape);
  if (cut < 0) return kNoOp;
  OpId sum = kNoOp;
  int64_t start = 0;
  for (const OpId part : joined.operands) {
    const int64_t limit = start + builder.shape(part).size(dim);
    const OpId its = HoistMove(builder, SliceMove(shape, cut, start, limit), weights);
    if (its == kNoOp) return kNoOp;
    std::vector<OpId> both = {part, its};
    if (side == 1) std::swap(both[0], both[1]);
    const OpId made = builder.Clone(matmul, std::move(both), true);
    sum = sum == kNoOp ? made : builder.Binary(OpKind::kAdd, sum, made);
    start = limit;
  }
  return sum;
}

using OfMatmul = OpId (*)(GraphBuilder& builder, const Op& matmul, size_t side,
                          std::span<const OpId> operands);

// `replacement` in the place of all users of `op`, where it fits all of them.
Change InUsers(const Graph& graph, const Op& op, OfMatmul replacement) {
  Change change;
  for (const OpId id : graph.users(op.id)) {
    const Op& user = graph.op(id);
    const auto side =
        static_cast<size_t>(std::ranges::find(user.operands, op.id) - user.operands.begin());
    if (user.operands.size() != 2) return {};
    change.replace[id] = [replacement, side](GraphBuilder& builder, const Op& matmul,
                                             std::span<const OpId> operands) {
      return replacement(builder, matmul, side, operands);
    };
  }
  for (const Output& output : graph.outputs()) {
    if (output.value == op.id) return {};
  }
  return change;
}

}  // namespace

Change ContractedApart(const Graph& graph, const Op& reshape) {
  return InUsers(
      graph, reshape,
      [](GraphBuilder& builder, const Op& matmul, size_t side, std::span<const OpId> operands) {
        return matmul.kind == OpKind::kDot ? DotApart(builder, matmul, side, operands) : kNoOp;
      });
}

Change AppliedToParts(const Graph& graph, const Op& concatenation) {
  return InUsers(graph, concatenation, SumOfParts);
}

}  // namespace tilewise
