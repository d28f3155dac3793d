// Elementwise operations the way numpy and the frameworks mean them: operands
// of different ranks are aligned at their last dims, sizes of 1 are stretched,
// and types are brought together. Failures go to the builder.

#pragma once

#include <optional>
#include <span>
#include <vector>

#include "graph/graph_builder.h"

namespace tilewise {

// The dims that all of `shapes` stretch to; nullopt when there are none.
std::optional<std::vector<Dim>> CommonDims(std::span<const Shape> shapes);

// The wider of two types: floats before integers before kPred; of two 16-bit
// floats that differ, f32.
DType CommonType(DType x, DType y);

// `xs` stretched to their common dims, types as they are; kNoOp stays kNoOp.
std::vector<OpId> Stretched(GraphBuilder& builder, std::span<const OpId> xs);

// This takes any two-operand elementwise kind but compare. Shifts keep the type
// of x.
OpId BinaryOf(GraphBuilder& builder, OpKind kind, OpId x, OpId y);
OpId CompareOf(GraphBuilder& builder, Comparison comparison, OpId x, OpId y);
// A pred that is no kPred is compared with 0.
OpId SelectOf(GraphBuilder& builder, OpId pred, OpId x, OpId y);
// x itself when it is kPred, else x != 0.
OpId AsPred(GraphBuilder& builder, OpId x);

// `value` in the type and dims of x.
OpId FilledLike(GraphBuilder& builder, OpId x, double value);
// x op value, value op x.
OpId WithScalar(GraphBuilder& builder, OpKind kind, OpId x, double value);
OpId ScalarWith(GraphBuilder& builder, OpKind kind, double value, OpId x);
// x compared with `value`; kPred.
OpId CompareScalar(GraphBuilder& builder, Comparison comparison, OpId x, double value);
// min(max(x, low), high); an absent bound does not bind.
OpId Clamp(GraphBuilder& builder, OpId x, std::optional<double> low, std::optional<double> high);

// Vector `v` along dim `dim` of x, stretched to the dims and type of x.
OpId AlongDim(GraphBuilder& builder, OpId v, OpId x, int64_t dim);

// x's dim i becomes dim mapping[i] of the result, in any order: XLA's
// broadcast_in_dim. x itself where it has those dims.
OpId BroadcastInDim(GraphBuilder& builder, OpId x, std::vector<Dim> dims,
                    std::vector<int64_t> mapping);

// The number that every element is; nullopt when x is no constant, seen through
// moves and conversions.
std::optional<double> ConstantValue(const GraphBuilder& builder, OpId x);

// `dim` counted from the end when negative; fails unless in [0, rank).
int64_t DimOf(GraphBuilder& builder, int64_t dim, int64_t rank);
std::vector<int64_t> DimsOf(GraphBuilder& builder, const std::vector<int64_t>& dims, int64_t rank);

// x to dims with new ones of size 1 at `dims` of the result.
OpId Unsqueezed(GraphBuilder& builder, OpId x, std::vector<int64_t> dims);
// x without `dims`, which have size 1.
OpId Squeezed(GraphBuilder& builder, OpId x, std::vector<int64_t> dims);

}  // namespace tilewise
