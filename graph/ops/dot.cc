// Dot: a batched matmul that contracts dims of its operands.

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "graph/batch_links.h"
#include "graph/gradient.h"
#include "graph/ops/dims.h"
#include "graph/shape_checks.h"

namespace tilewise {
namespace {

// Each dim of `lhs` has the size of its partner in `rhs`.
absl::Status CheckPairs(Shapes operands, const std::vector<int64_t>& lhs,
                        const std::vector<int64_t>& rhs, const char* what) {
  if (lhs.size() != rhs.size()) {
    return InvalidInput(
        fmt::format("found {} and {} {} dims, expected as many", lhs.size(), rhs.size(), what));
  }
  for (size_t i = 0; i < lhs.size(); ++i) {
    const Dim& left = operands[0]->dims[lhs[i]];
    const Dim& right = operands[1]->dims[rhs[i]];
    if (left == right) continue;
    return InvalidInput(fmt::format("{} dim {} of {} and dim {} of {} differ", what, lhs[i],
                                    FormatShape(*operands[0]), rhs[i], FormatShape(*operands[1])));
  }
  return absl::OkStatus();
}

bool IsQuantizedType(DType dtype) {
  return dtype == DType::kF32 || dtype == DType::kS4 || dtype == DType::kS8 ||
         dtype == DType::kF8E4M3 || dtype == DType::kF8E5M2;
}

// Sizes of the blocks of a kernel for groups of rows, which are the only batch
// dim.
absl::Status CheckBlocks(const Op& op) {
  const auto& attrs = op.as<DotAttrs>();
  constexpr int64_t kMost = 1 << 20;
  const std::vector<int64_t>& sizes = attrs.blocks;
  if (sizes.empty()) return absl::OkStatus();
  const bool in_range = std::all_of(sizes.begin(), sizes.end(),
                                    [](int64_t size) { return size >= 1 && size <= kMost; });
  if (sizes.size() == 3 && in_range && attrs.lhs_batch.size() == 1) {
    return absl::OkStatus();
  }
  return InvalidInput(
      fmt::format("found {} sizes of blocks and {} batch dims, expected three "
                  "sizes of 1 to {} and one batch dim",
                  sizes.size(), attrs.lhs_batch.size(), kMost));
}

// The type in which the matrix unit accumulates matmuls of `dtype`.
DType WideType(DType dtype) {
  if (IsComplex(dtype)) return DType::kC64;
  return IsFloat(dtype) ? DType::kF32 : DType::kS32;
}

ShapeOr DotShape(const Op& op, Shapes operands) {
  const auto& attrs = op.as<DotAttrs>();
  const DotDims& dot = attrs;
  const Shape& lhs = *operands[0];
  const Shape& rhs = *operands[1];
  if (lhs.dtype != rhs.dtype) {
    return WrongOperand(1, rhs, fmt::format("type {}", DTypeName(lhs.dtype)));
  }
  TW_RETURN_IF_ERROR(CheckBlocks(op));
  if (!IsQuantizedType(attrs.quantized)) {
    return InvalidInput(
        fmt::format("found matmuls quantized to {}, expected s4, s8, f8e4m3, "
                    "f8e5m2, or f32 for none",
                    DTypeName(attrs.quantized)));
  }
  const auto lhs_used = JoinedDims(dot.lhs_batch, dot.lhs_contract);
  const auto rhs_used = JoinedDims(dot.rhs_batch, dot.rhs_contract);
  TW_RETURN_IF_ERROR(CheckDims(lhs_used, lhs.rank(), "operand 0"));
  TW_RETURN_IF_ERROR(CheckDims(rhs_used, rhs.rank(), "operand 1"));
  TW_RETURN_IF_ERROR(CheckPairs(operands, dot.lhs_batch, dot.rhs_batch, "batch"));
  TW_RETURN_IF_ERROR(CheckPairs(operands, dot.lhs_contract, dot.rhs_contract, "contracted"));
  Shape shape(attrs.wide ? WideType(lhs.dtype) : lhs.dtype, {});
  for (const int64_t dim : dot.lhs_batch) {
    shape.dims.push_back(lhs.dims[dim]);
  }
  for (int64_t dim = 0; dim < lhs.rank(); ++dim) {
    if (HasDim(lhs_used, dim)) continue;
    shape.dims.push_back(lhs.dims[dim]);
  }
  for (int64_t dim = 0; dim < rhs.rank(); ++dim) {
    if (HasDim(rhs_used, dim)) continue;
    shape.dims.push_back(rhs.dims[dim]);
  }
  return shape;
}

std::vector<int64_t> Range(int64_t begin, int64_t end) {
  std::vector<int64_t> values;
  for (int64_t i = begin; i < end; ++i) values.push_back(i);
  return values;
}

// The permutation that puts result dim i, which holds dim `held[i]` of an
// operand, in its place; the operand itself when all are.
OpId PutInPlace(GraphBuilder& b, OpId x, const std::vector<int64_t>& held) {
  if (std::is_sorted(held.begin(), held.end())) return x;
  std::vector<int64_t> permutation(held.size());
  for (size_t i = 0; i < held.size(); ++i) {
    permutation[held[i]] = static_cast<int64_t>(i);
  }
  return b.Transpose(x, std::move(permutation));
}

// Dims of `mine` that were contracted, in the ascending order of the dims of
// `other` they met.
std::vector<int64_t> InOrderOf(const std::vector<int64_t>& other,
                               const std::vector<int64_t>& mine) {
  std::vector<std::pair<int64_t, int64_t>> pairs;
  for (size_t i = 0; i < mine.size(); ++i) pairs.push_back({other[i], mine[i]});
  std::sort(pairs.begin(), pairs.end());
  std::vector<int64_t> ordered;
  ordered.reserve(pairs.size());
  for (const auto& [met, dim] : pairs) ordered.push_back(dim);
  return ordered;
}

// A wide result is of another type than the operands; its gradient is in memory
// in that type: f32 logits of a v6e program have one of f32 as well.
OpId InOperandType(const GradientCall& call) {
  if (!call.op.as<DotAttrs>().wide) return call.dy;
  const OpId whole = call.builder.Barrier(call.dy, {});
  return call.builder.Convert(whole, call.shape(0).dtype);
}

DotAttrs OfGradient(const GradientCall& call, DotDims dims) {
  const auto& forward = call.op.as<DotAttrs>();
  return {std::move(dims), forward.precision_passes, forward.quantized, false, forward.blocks};
}

// dy: batch, free of lhs, free of rhs. Contracting the free dims of rhs leaves
// batch, free of lhs, and those dims of rhs that lhs was contracted with.
OpId LhsGradient(const GradientCall& call) {
  const DotDims& dot = call.op.as<DotAttrs>();
  const auto batch = static_cast<int64_t>(dot.lhs_batch.size());
  const auto lhs_free = DimsInNeither(call.shape(0).rank(), dot.lhs_batch, dot.lhs_contract);
  const auto rhs_free = DimsInNeither(call.shape(1).rank(), dot.rhs_batch, dot.rhs_contract);
  const int64_t rank = call.op.shape.rank();
  DotDims dims;
  dims.lhs_batch = Range(0, batch);
  dims.rhs_batch = dot.rhs_batch;
  dims.lhs_contract = Range(rank - static_cast<int64_t>(rhs_free.size()), rank);
  dims.rhs_contract = rhs_free;
  DotAttrs attrs = OfGradient(call, std::move(dims));
  // Features of the result are summed now.
  if (!attrs.blocks.empty()) std::swap(attrs.blocks[1], attrs.blocks[2]);
  const OpId product = call.builder.DotAs(InOperandType(call), call.operand(1), std::move(attrs));
  return PutInPlace(call.builder, product,
                    JoinedDims(JoinedDims(dot.lhs_batch, lhs_free),
                               InOrderOf(dot.rhs_contract, dot.lhs_contract)));
}

OpId RhsGradient(const GradientCall& call) {
  const DotDims& dot = call.op.as<DotAttrs>();
  const auto batch = static_cast<int64_t>(dot.lhs_batch.size());
  const auto lhs_free = DimsInNeither(call.shape(0).rank(), dot.lhs_batch, dot.lhs_contract);
  const auto rhs_free = DimsInNeither(call.shape(1).rank(), dot.rhs_batch, dot.rhs_contract);
  DotDims dims;
  dims.lhs_batch = dot.lhs_batch;
  dims.rhs_batch = Range(0, batch);
  dims.lhs_contract = lhs_free;
  dims.rhs_contract = Range(batch, batch + static_cast<int64_t>(lhs_free.size()));
  const OpId product =
      call.builder.DotAs(call.operand(0), InOperandType(call), OfGradient(call, std::move(dims)));
  return PutInPlace(
      call.builder, product,
      JoinedDims(JoinedDims(dot.rhs_batch, InOrderOf(dot.lhs_contract, dot.rhs_contract)),
                 rhs_free));
}

Gradients DotGradient(const GradientCall& call) {
  return {call.wants(0) ? LhsGradient(call) : kNoOp, call.wants(1) ? RhsGradient(call) : kNoOp};
}

// Contracted dims meet, and the gradient of a kernel may contract the batch.
int64_t LinkFree(const LinkCall& call, size_t operand, const std::vector<int64_t>& batch,
                 const std::vector<int64_t>& contract, int64_t result) {
  const int64_t rank = call.shape(operand).rank();
  for (const int64_t dim : DimsInNeither(rank, batch, contract)) {
    call.links.Link(operand, dim, result++);
  }
  return result;
}

void LinkProduct(const LinkCall& call) {
  const DotDims& dot = call.op.as<DotAttrs>();
  DimLinks& links = call.links;
  int64_t result = 0;
  for (size_t i = 0; i < dot.lhs_batch.size(); ++i) {
    links.AddResult(result++);
    links.Add(0, dot.lhs_batch[i]);
    links.Add(1, dot.rhs_batch[i]);
    links.Close();
  }
  result = LinkFree(call, 0, dot.lhs_batch, dot.lhs_contract, result);
  LinkFree(call, 1, dot.rhs_batch, dot.rhs_contract, result);
  for (size_t i = 0; i < dot.lhs_contract.size(); ++i) {
    links.Add(0, dot.lhs_contract[i]);
    links.Add(1, dot.rhs_contract[i]);
    links.Close();
  }
}

constexpr auto kDotFields =
    FieldsOf<DotAttrs, &DotAttrs::lhs_batch, &DotAttrs::rhs_batch, &DotAttrs::lhs_contract,
             &DotAttrs::rhs_contract, &DotAttrs::blocks, &DotAttrs::wide,
             &DotAttrs::precision_passes, &DotAttrs::quantized>(
        "lhs_batch", "rhs_batch", "lhs_contract", "rhs_contract", "blocks", "wide",
        "precision_passes", "quantized");

}  // namespace

constexpr OpTraits op_traits::kDot = {.operands = 2,
                                      .attributes = kDotFields,
                                      .shape = DotShape,
                                      .gradient = DotGradient,
                                      .links = LinkProduct};

}  // namespace tilewise
