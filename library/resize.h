// Resampling of dims to other sizes.

#pragma once

#include <span>

#include "graph/graph_builder.h"

namespace tilewise {

enum class ResizeMode : uint8_t { kNearest, kLinear, kCubic };

// Dim `dims[i]` of x gets size `sizes[i]`. Whole factors of nearest are
// broadcasts and strided slices, others a gather of known indices; linear and
// cubic are one matmul per dim with a matrix of weights, as XLA's frameworks
// write them. Where the samples lie within an element (half pixels, corners) is
// in the numbers of the weights, not in what is computed.
OpId ResizeDims(GraphBuilder& builder, OpId x, std::span<const int64_t> dims,
                std::span<const int64_t> sizes, ResizeMode mode);

// Takes linear samples of images [n, c, h, w] at `places` [n, rows, columns,
// 2], which are data: four gathers and their weighted sum. Nearest takes one
// gather.
OpId SampleAt(GraphBuilder& builder, OpId x, OpId places, ResizeMode mode);

}  // namespace tilewise
