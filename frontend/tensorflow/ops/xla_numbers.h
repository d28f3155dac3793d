// Attributes of XLA ops: dimension numbers, which TensorFlow keeps as encoded
// messages in strings, and functions of two numbers.

#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/status.h"
#include "frontend/tensorflow/ops/op_context.h"
#include "graph/op.h"

namespace tilewise::tf {

// The integers of a message by field number, packed or not.
inline constexpr size_t kMostFields = 16;
using DimensionNumbers = std::array<std::vector<int64_t>, kMostFields>;

// Reads the attribute dimension_numbers.
absl::StatusOr<DimensionNumbers> NumbersOf(const OpContext& ctx);

// Fields of DotDimensionNumbers.
namespace dot {
inline constexpr size_t kLhsContract = 1, kRhsContract = 2, kLhsBatch = 3, kRhsBatch = 4;
}
// Fields of GatherDimensionNumbers; those of ScatterDimensionNumbers have the
// same numbers.
namespace gather {
inline constexpr size_t kOffset = 1, kCollapsed = 2, kStart = 3, kIndexDim = 4, kOperandBatch = 5,
                        kIndicesBatch = 6;
}
// Fields of ConvolutionDimensionNumbers.
namespace convolution {
inline constexpr size_t kKernelIn = 3, kKernelOut = 4, kKernelSpatial = 6, kInputBatch = 7,
                        kInputFeature = 8, kOutputBatch = 9, kOutputFeature = 10,
                        kInputSpatial = 11, kOutputSpatial = 12;
}

// The number of a field that is no list; absent: 0.
int64_t Single(const DimensionNumbers& numbers, size_t field);

// Returns the reducer of the first op in the function that joins two numbers;
// kOther: none does.
Reducer ReducerOf(const OpContext& ctx);

}  // namespace tilewise::tf
