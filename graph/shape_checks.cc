// The checks that shape functions share, and their messages.

#include "graph/shape_checks.h"

#include <optional>

#include <fmt/format.h>

#include "base/math.h"

namespace tilewise {

absl::Status CheckSizes(const Shape& shape, int64_t least) {
  if (shape.rank() > kMaxRank) {
    return InvalidInput(fmt::format("found rank {}, expected at most {}", shape.rank(), kMaxRank));
  }
  int64_t elements = 1;
  for (const Dim& dim : shape.dims) {
    if (dim.factor < least) {
      return InvalidInput(
          fmt::format("found size {} in {}, expected 1 or more", dim.factor, FormatShape(shape)));
    }
    const std::optional<int64_t> next = CheckedMul(elements, dim.factor);
    if (!next || *next > kMaxElements) {
      return InvalidInput(
          fmt::format("found {}, expected at most {} elements", FormatShape(shape), kMaxElements));
    }
    elements = *next;
  }
  return absl::OkStatus();
}

absl::Status CheckDims(const std::vector<int64_t>& dims, int64_t rank, const char* what) {
  std::vector<bool> seen(rank, false);
  for (const int64_t dim : dims) {
    if (dim < 0 || dim >= rank) {
      return InvalidInput(fmt::format("{} has dim {}, expected 0 to {}", what, dim, rank - 1));
    }
    if (seen[dim]) {
      return InvalidInput(fmt::format("{} has dim {} twice", what, dim));
    }
    seen[dim] = true;
  }
  return absl::OkStatus();
}

absl::Status CheckPerDim(const char* what, size_t found, int64_t rank) {
  if (static_cast<int64_t>(found) == rank) return absl::OkStatus();
  return InvalidInput(fmt::format("found {} {}, expected {}, one per dim", found, what, rank));
}

absl::Status WrongOperand(size_t operand, const Shape& found, const std::string& expected) {
  return InvalidInput(
      fmt::format("operand {} has {}, expected {}", operand, FormatShape(found), expected));
}

absl::Status CheckSame(Shapes operands, size_t operand, const Shape& expected) {
  if (*operands[operand] == expected) return absl::OkStatus();
  return WrongOperand(operand, *operands[operand], FormatShape(expected));
}

absl::Status CheckFloat(Shapes operands, size_t operand) {
  const DType dtype = operands[operand]->dtype;
  if (IsFloat(dtype) || IsComplex(dtype)) return absl::OkStatus();
  return WrongOperand(operand, *operands[operand], "a floating-point type");
}

absl::Status CheckReal(Shapes operands, size_t operand) {
  if (IsFloat(operands[operand]->dtype)) return absl::OkStatus();
  return WrongOperand(operand, *operands[operand], "a real floating-point type");
}

absl::Status CheckInteger(Shapes operands, size_t operand) {
  if (IsInteger(operands[operand]->dtype)) return absl::OkStatus();
  return WrongOperand(operand, *operands[operand], "an integer type");
}

absl::Status CheckReducer(Reducer reducer, Shapes operands, size_t operand) {
  const bool of_bits =
      reducer == Reducer::kAnd || reducer == Reducer::kOr || reducer == Reducer::kXor;
  const DType dtype = operands[operand]->dtype;
  if (!of_bits || dtype == DType::kPred || IsInteger(dtype)) {
    return absl::OkStatus();
  }
  return WrongOperand(operand, *operands[operand], "pred or an integer type");
}

absl::Status CheckOneDim(const std::vector<int64_t>& dims, const Shape& shape,
                         const char* purpose) {
  if (dims.size() != 1) {
    return InvalidInput(fmt::format("found {} dims to {}, expected one", dims.size(), purpose));
  }
  return CheckDims(dims, shape.rank(), "dims");
}

absl::Status CheckResultNumber(int64_t result, int64_t results) {
  if (result >= 0 && result < results) {
    return absl::OkStatus();
  }
  return InvalidInput(fmt::format("found result {}, expected 0 to {}", result, results - 1));
}

ShapeOr GivenShape(const Op& op, Shapes) { return op.shape; }

ShapeOr SameShape(const Op&, Shapes operands) {
  for (size_t i = 1; i < operands.size(); ++i) {
    TW_RETURN_IF_ERROR(CheckSame(operands, i, *operands[0]));
  }
  return *operands[0];
}

ShapeOr SameRealShape(const Op& op, Shapes operands) {
  TW_RETURN_IF_ERROR(CheckReal(operands, 0));
  return SameShape(op, operands);
}

ShapeOr FirstShape(const Op&, Shapes operands) { return *operands[0]; }

}  // namespace tilewise
