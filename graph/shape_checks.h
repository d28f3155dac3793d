// The checks that shape functions share.

#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "graph/op_traits.h"

namespace tilewise {

// This is far above what frameworks have, and small enough for work that grows with the square of
// it.
inline constexpr int64_t kMaxRank = 64;

// Checks that all dims are `least` or more, with at most kMaxElements elements (of one example,
// when a dim is per batch).
absl::Status CheckSizes(const Shape& shape, int64_t least = 1);
// Each of `dims` names a dim below `rank`, none twice. `what` starts messages.
absl::Status CheckDims(const std::vector<int64_t>& dims, int64_t rank, const char* what);
// One of `what` per dim of `rank`.
absl::Status CheckPerDim(const char* what, size_t found, int64_t rank);
// "operand 1 has f32[N,10], expected f32[N,12]".
absl::Status WrongOperand(size_t operand, const Shape& found, const std::string& expected);
absl::Status CheckSame(Shapes operands, size_t operand, const Shape& expected);
absl::Status CheckFloat(Shapes operands, size_t operand);  // or complex
absl::Status CheckReal(Shapes operands, size_t operand);
absl::Status CheckInteger(Shapes operands, size_t operand);
// `dims` is one dim of `shape`; `purpose` as in "expected one dim to sort".
absl::Status CheckOneDim(const std::vector<int64_t>& dims, const Shape& shape, const char* purpose);
absl::Status CheckResultNumber(int64_t result, int64_t results);  // below them
// And, or, xor are of pred and integers.
absl::Status CheckReducer(Reducer reducer, Shapes operands, size_t operand);

inline bool IsInteger(DType dtype) {
  return !IsFloat(dtype) && !IsComplex(dtype) && dtype != DType::kPred;
}

// Shape functions that several kinds have: as given, and that of the operands,
// which are alike.
ShapeOr GivenShape(const Op& op, Shapes operands);
ShapeOr SameShape(const Op& op, Shapes operands);
ShapeOr SameRealShape(const Op& op, Shapes operands);
// That of the first operand, whatever the others are.
ShapeOr FirstShape(const Op& op, Shapes operands);

}  // namespace tilewise
