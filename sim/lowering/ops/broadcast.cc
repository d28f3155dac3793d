// Broadcast: made where it is used, but for large operands that some matmuls
// of a batch share.

#include <algorithm>

#include "sim/lowering/fusion/recompute.h"
#include "sim/lowering/lowering_traits.h"
#include "sim/lowering/ops/data_movement.h"
#include "sim/lowering/partition/split_dims.h"
#include "sim/lowering/simplify/simplifier.h"

namespace tilewise {
namespace {

std::optional<int64_t> BroadcastOperandDim(const Graph&, const Op& op, size_t, int64_t dim) {
  const std::vector<int64_t>& mapping = op.as<BroadcastAttrs>().dims;
  const auto at = std::find(mapping.begin(), mapping.end(), dim);
  return at == mapping.end() ? kWhole : at - mapping.begin();
}

OpId SimplifyBroadcast(Simplifier& s, const Op& op) {
  const Op& x = s.op(op.operands[0]);
  if (x.shape.dims == op.shape.dims) return x.id;
  if (x.kind != OpKind::kBroadcast) return kNoOp;
  return s.Emit(
      op, op.kind, {x.operands[0]}, op.shape,
      BroadcastAttrs{ComposedDims(op.as<BroadcastAttrs>().dims, x.as<BroadcastAttrs>().dims)});
}

// Returns whether some of a batch of matmuls share the value and some do not,
// as heads of queries share keys; a matrix that all of them share is none of
// these.
bool IsForSomeMatmuls(const Graph& graph, const Op& op, int64_t repeats) {
  const auto users = graph.users(op.id);
  return std::any_of(users.begin(), users.end(), [&](OpId id) {
    const Op& user = graph.op(id);
    switch (user.kind) {
      case OpKind::kReshape:
      case OpKind::kTranspose:
      case OpKind::kConvert:
        return IsForSomeMatmuls(graph, user, repeats);
      case OpKind::kDot: {
        int64_t matmuls = 1;
        for (size_t i = 0; i < user.as<DotAttrs>().lhs_batch.size(); ++i) {
          matmuls *= user.shape.size(static_cast<int64_t>(i));
        }
        return repeats < matmuls;
      }
      default:
        return false;
    }
  });
}

// Keys and values that are repeated for each of their queries before they are
// multiplied are written out: a published decoding (Llama-2-70B in int8 on 16
// chips of v5e) takes nine times their reads for each sequence more, one to
// read them, four to write a copy for each query and four to read those.
bool IsRepeatedOperand(const Program& program, const Op& op, const Chip& chip) {
  const size_t from = op.operands[0];
  const Shape& shape = program.graph.operand(op, 0).shape;
  return shape.rank() > 0 && PaddedBytes(shape, program.layouts[from], chip) > kSmallValue &&
         IsForSomeMatmuls(program.graph, op, op.shape.elements() / shape.elements());
}

bool IsMadeWhereUsed(const Program& program, const Op& op, const Chip& chip) {
  return !IsRepeatedOperand(program, op, chip);
}

}  // namespace

constexpr LoweringTraits lowering_traits::kBroadcast = {.simplify = SimplifyBroadcast,
                                                        .operand_dim = BroadcastOperandDim,
                                                        .is_made_where_used = true,
                                                        .kernel = KernelKind::kCopy,
                                                        .follows_partition = true,
                                                        .is_virtual = IsMadeWhereUsed};

}  // namespace tilewise
