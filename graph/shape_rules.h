// The shape rule of each op kind, and the checks that they share. Only
// shape_inference calls the rules; the operand count is right by then.

#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/status.h"
#include "graph/op.h"

namespace tilewise {

// Far above what frameworks have, and small enough for work that grows with
// the square of it.
inline constexpr int64_t kMaxRank = 64;

using Shapes = std::span<const Shape* const>;
using ShapeOr = absl::StatusOr<Shape>;
using ShapeRule = ShapeOr (*)(const Op& op, Shapes operands);

// All dims positive, at most kMaxElements elements (of one example, when a dim
// is per batch).
absl::Status CheckSizes(const Shape& shape);
// Each of `dims` names a dim below `rank`, none twice. `what` starts messages.
absl::Status CheckDims(const std::vector<int64_t>& dims, int64_t rank,
                       const char* what);
// "operand 1 has f32[N,10], expected f32[N,12]".
absl::Status WrongOperand(size_t operand, const Shape& found,
                          const std::string& expected);
absl::Status CheckSame(Shapes operands, size_t operand, const Shape& expected);
absl::Status CheckFloat(Shapes operands, size_t operand);  // or complex
absl::Status CheckReal(Shapes operands, size_t operand);
absl::Status CheckInteger(Shapes operands, size_t operand);
// And, or, xor are of pred and integers.
absl::Status CheckReducer(Reducer reducer, Shapes operands, size_t operand);

inline bool IsInteger(DType dtype) {
  return !IsFloat(dtype) && !IsComplex(dtype) && dtype != DType::kPred;
}

// Elementwise and leaves.
ShapeOr GivenShape(const Op& op, Shapes operands);
ShapeOr VariableShape(const Op& op, Shapes operands);
ShapeOr GivenFloatShape(const Op& op, Shapes operands);
ShapeOr IotaShape(const Op& op, Shapes operands);
ShapeOr SameShape(const Op& op, Shapes operands);
ShapeOr SameFloatShape(const Op& op, Shapes operands);
ShapeOr GivenBitsShape(const Op& op, Shapes operands);
ShapeOr SameRealShape(const Op& op, Shapes operands);
ShapeOr SameBitsShape(const Op& op, Shapes operands);
ShapeOr SameIntegerShape(const Op& op, Shapes operands);
ShapeOr MagnitudeShape(const Op& op, Shapes operands);
ShapeOr PartShape(const Op& op, Shapes operands);
ShapeOr ComplexShape(const Op& op, Shapes operands);
ShapeOr IsFiniteShape(const Op& op, Shapes operands);
ShapeOr ConvertShape(const Op& op, Shapes operands);
ShapeOr CompareShape(const Op& op, Shapes operands);
ShapeOr SelectShape(const Op& op, Shapes operands);

// Data movement and reduction.
ShapeOr BroadcastShape(const Op& op, Shapes operands);
ShapeOr ReshapeShape(const Op& op, Shapes operands);
ShapeOr BitcastConvertShape(const Op& op, Shapes operands);
ShapeOr TransposeShape(const Op& op, Shapes operands);
ShapeOr ReverseShape(const Op& op, Shapes operands);
ShapeOr SliceShape(const Op& op, Shapes operands);
ShapeOr PadShape(const Op& op, Shapes operands);
ShapeOr ConcatenateShape(const Op& op, Shapes operands);
ShapeOr ReduceShape(const Op& op, Shapes operands);
ShapeOr ArgReduceShape(const Op& op, Shapes operands);
ShapeOr CumulativeShape(const Op& op, Shapes operands);
ShapeOr DynamicSliceShape(const Op& op, Shapes operands);
ShapeOr DynamicUpdateSliceShape(const Op& op, Shapes operands);
ShapeOr BarrierShape(const Op& op, Shapes operands);
ShapeOr SortShape(const Op& op, Shapes operands);
ShapeOr TopKShape(const Op& op, Shapes operands);

// Attention.
ShapeOr AttentionShape(const Op& op, Shapes operands);
ShapeOr FlashAttentionShape(const Op& op, Shapes operands);
ShapeOr FlashAttentionGradShape(const Op& op, Shapes operands);

// Collectives.
ShapeOr AllReduceShape(const Op& op, Shapes operands);
ShapeOr AllGatherShape(const Op& op, Shapes operands);
ShapeOr ReduceScatterShape(const Op& op, Shapes operands);
ShapeOr AllToAllShape(const Op& op, Shapes operands);
ShapeOr CollectivePermuteShape(const Op& op, Shapes operands);

// Windows and convolutions.
ShapeOr ReduceWindowShape(const Op& op, Shapes operands);
ShapeOr SelectAndScatterShape(const Op& op, Shapes operands);
ShapeOr ConvolutionShape(const Op& op, Shapes operands);
ShapeOr ConvInputGradShape(const Op& op, Shapes operands);
ShapeOr ConvKernelGradShape(const Op& op, Shapes operands);

// The rest.
ShapeOr DotShape(const Op& op, Shapes operands);
ShapeOr GatherShape(const Op& op, Shapes operands);
ShapeOr ScatterAddShape(const Op& op, Shapes operands);
ShapeOr GatherSlicesShape(const Op& op, Shapes operands);
ShapeOr ScatterSlicesShape(const Op& op, Shapes operands);
ShapeOr RngCategoricalShape(const Op& op, Shapes operands);
ShapeOr RecurrentShape(const Op& op, Shapes operands);
ShapeOr RecurrentGradShape(const Op& op, Shapes operands);
ShapeOr SoftmaxShape(const Op& op, Shapes operands);
ShapeOr CrossEntropyShape(const Op& op, Shapes operands);
ShapeOr BatchNormTrainingShape(const Op& op, Shapes operands);
ShapeOr BatchNormShape(const Op& op, Shapes operands);
ShapeOr LayerNormShape(const Op& op, Shapes operands);

}  // namespace tilewise
