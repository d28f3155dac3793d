// Windows of convolutions and pools as TensorFlow's attributes describe them:
// strides, dilations, padding and data_format, with one number for each dim of
// the operand.

#pragma once

#include <vector>

#include "frontend/tensorflow/ops/op_context.h"

namespace tilewise::tf {

struct Windows {
  std::vector<WindowDim> dims;  // spatial, in order
  bool channels_first = false;
};

// Whether data_format puts the features before space. Errors: a format other
// than N..C and NC..
absl::StatusOr<bool> ChannelsFirst(const OpContext& ctx);
// The dim of `x` that data_format makes that of the features.
absl::StatusOr<int64_t> FeatureDim(const OpContext& ctx, const Shape& x);

// The spatial numbers of `numbers`, one per dim of a tensor of `rank`; 1 each
// when there are none. Errors: batch or features other than 1.
absl::StatusOr<std::vector<int64_t>> SpatialNumbers(const std::vector<int64_t>& numbers,
                                                    int64_t rank, bool channels_first);

// Makes the windows of `sizes` of an operand `x`; `strides` and `dilations` are
// as SpatialNumbers gives them. Takes SAME, VALID and EXPLICIT padding.
absl::StatusOr<Windows> MakeWindows(const OpContext& ctx, const Shape& x,
                                    const std::vector<int64_t>& sizes,
                                    const std::vector<int64_t>& strides,
                                    const std::vector<int64_t>& dilations);

// The same with strides and dilations from the node's attributes.
absl::StatusOr<Windows> ConvolutionWindows(const OpContext& ctx, const Shape& x,
                                           const std::vector<int64_t>& sizes);

}  // namespace tilewise::tf
