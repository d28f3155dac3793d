// Dots, by their dims, the precision asked for and the type of the result.

#include <algorithm>

#include "frontend/hlo/ops.h"
#include "frontend/hlo/products.h"
#include "frontend/hlo/shapes.h"
#include "library/broadcast.h"
#include "workload/blocks.h"

namespace tilewise::hlo {
namespace {

bool EndsWith(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

}  // namespace

int64_t PrecisionPasses(const InstructionExtras& more) {
  const std::string_view algorithm = more.algorithm;
  if (Contains(algorithm, "_x3")) return 3;
  if (Contains(algorithm, "_x6") || Contains(algorithm, "_x9")) return 6;
  if (Contains(algorithm, "f32_f32_f32")) return 6;
  if (Contains(algorithm, "tf32")) return 3;
  if (!algorithm.empty() && !EndsWith(algorithm, "unset")) return 1;
  switch (more.precision) {
    case InstructionExtras::Precision::kHigh:
      return 3;
    case InstructionExtras::Precision::kHighest:
      return 6;
    case InstructionExtras::Precision::kDefault:
      break;
  }
  return 1;
}

void UniteTypes(GraphBuilder& e, OpId& lhs, OpId& rhs) {
  if (lhs == kNoOp || rhs == kNoOp) return;
  const DType dtype = CommonType(e.shape(lhs).dtype, e.shape(rhs).dtype);
  lhs = e.Convert(lhs, dtype);
  rhs = e.Convert(rhs, dtype);
}

OpId EmitDot(GraphBuilder& e, OpId lhs, OpId rhs, DotDims dims, DType result,
             int64_t precision_passes) {
  UniteTypes(e, lhs, rhs);
  if (lhs == kNoOp || rhs == kNoOp) return e.Add(OpKind::kDot, {lhs, rhs});
  const DType dtype = e.shape(lhs).dtype;
  DotAttrs attrs{std::move(dims), dtype == DType::kF32 ? precision_passes : 1};
  attrs.wide = !IsComplex(dtype) && dtype != DType::kPred && BitWidth(dtype) < 32 &&
               BitWidth(result) > BitWidth(dtype);
  const OpId made = e.Add(OpKind::kDot, {lhs, rhs}, std::move(attrs));
  return e.Convert(made, result);
}

Value TranslateDot(Translation& t, const Site& site) {
  return EmitDot(t.emit(), site.operand(0), site.operand(1), site.instruction.dot, site.shape.dtype,
                 PrecisionPasses(site.more()));
}

// Rows of the lhs in groups, each times the matrix of its group in the rhs: the
// work of one plain dot of all rows when the rows are ragged; the groups are a
// dim of the result when the sums are.
Value TranslateRaggedDot(Translation& t, const Site& site) {
  GraphBuilder& e = t.emit();
  OpId rhs = site.operand(1);
  const OpId lhs = site.operand(0);
  DotDims dims = site.instruction.dot;
  if (lhs == kNoOp || rhs == kNoOp) return e.Add(OpKind::kDot, {lhs, rhs});
  if (e.shape(rhs).rank() == 0) {
    e.Fail("found a scalar, expected a matrix for each group");
    return {};
  }
  const int64_t contracted = static_cast<int64_t>(dims.rhs_contract.size());
  const int64_t free_rank = e.shape(lhs).rank() + e.shape(rhs).rank() - 2 * contracted -
                            static_cast<int64_t>(dims.rhs_batch.size());
  const bool has_group = free_rank == static_cast<int64_t>(site.shape.dims.size()) + 1;
  if (!has_group) {
    e.Fail("found ragged sums or batches, expected ragged rows");
    return {};
  }
  // One group's matrix stands for all of them.
  int64_t group = 0;
  const auto is_used = [&](int64_t dim) {
    return std::find(dims.rhs_contract.begin(), dims.rhs_contract.end(), dim) !=
               dims.rhs_contract.end() ||
           std::find(dims.rhs_batch.begin(), dims.rhs_batch.end(), dim) != dims.rhs_batch.end();
  };
  while (group + 1 < e.shape(rhs).rank() && is_used(group)) ++group;
  rhs = e.SliceDim(rhs, group, 0, 1);
  if (rhs == kNoOp) return {};
  std::vector<Dim> rest = e.shape(rhs).dims;
  rest.erase(rest.begin() + group);
  rhs = e.Reshape(rhs, std::move(rest));
  for (std::vector<int64_t>* side : {&dims.rhs_contract, &dims.rhs_batch}) {
    for (int64_t& dim : *side) dim -= dim > group ? 1 : 0;
  }
  return EmitDot(e, lhs, rhs, std::move(dims), site.shape.dtype, PrecisionPasses(site.more()));
}

// Operands of eight bits or less with a scale for each block of them. The
// scales cost little compared with the matmul and are left out of it.
Value TranslateScaledDot(Translation& t, const Site& site) { return TranslateDot(t, site); }

}  // namespace tilewise::hlo
