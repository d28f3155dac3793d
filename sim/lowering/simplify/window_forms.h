// Forms of convolutions and pools that frameworks write around what they have: images of one
// spatial dim with a second one, as tf.nn.conv1d does, and images that are transposed to features
// second and back, as exporters to ONNX do.

#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "graph/ops/window.h"
#include "sim/lowering/simplify/simplifier.h"

namespace tilewise {

// An op without the spatial dims of size 1 that its window does not move along, where its first
// operand was reshaped anyway; one spatial dim stays. `kernel` is the operand that holds a kernel,
// behind the last one the result, -1 none.
template <typename Attrs>
OpId WithoutUnitWindows(Simplifier& s, const Op& op, int64_t kernel) {
  if (s.op(op.operands[0]).kind != OpKind::kReshape) return kNoOp;
  Attrs attrs = op.as<Attrs>();
  const auto first = static_cast<int64_t>(FirstSpatialDim(attrs));
  const std::vector<Dim> image = s.shape(op.operands[0]).dims;
  std::vector<int64_t> left_out;  // spatial dims
  for (size_t i = 0; i < attrs.window.size(); ++i) {
    const bool is_last = left_out.size() + 1 == attrs.window.size();
    if (!is_last && attrs.window[i] == WindowDim{} && image[first + i] == Dim{}) {
      left_out.push_back(static_cast<int64_t>(i));
    }
  }
  if (left_out.empty()) return kNoOp;
  const auto without = [&](Shape shape, bool is_kernel) {
    for (auto i = left_out.rbegin(); i != left_out.rend(); ++i) {
      shape.dims.erase(shape.dims.begin() + *i + (is_kernel ? 0 : first));
    }
    return shape;
  };
  std::vector<OpId> operands;
  for (const OpId id : op.operands) {
    const bool is_kernel = static_cast<int64_t>(operands.size()) == kernel;
    operands.push_back(s.Emit(op, OpKind::kReshape, {id}, without(s.shape(id), is_kernel)));
  }
  for (auto i = left_out.rbegin(); i != left_out.rend(); ++i) {
    attrs.window.erase(attrs.window.begin() + *i);
  }
  const bool makes_kernel = static_cast<int64_t>(op.operands.size()) == kernel;
  const OpId made =
      s.Emit(op, op.kind, std::move(operands), without(op.shape, makes_kernel), std::move(attrs));
  return s.Emit(op, OpKind::kReshape, {made}, op.shape);
}

// An op on images that were transposed to features second reads them as they were, as XLA folds
// transposes into convolutions. `kernel` as above.
template <typename Attrs>
OpId WithFeaturesLast(Simplifier& s, const Op& op, int64_t kernel) {
  Attrs attrs = op.as<Attrs>();
  const Op& x = s.op(op.operands[0]);
  if (!attrs.channels_first || x.kind != OpKind::kTranspose) return kNoOp;
  std::vector<int64_t> second(x.shape.rank());  // a transpose to features second
  std::iota(second.begin(), second.end(), 0);
  std::vector<int64_t> last = second;
  std::rotate(second.begin() + 1, second.end() - 1, second.end());
  std::rotate(last.begin() + 1, last.begin() + 2, last.end());
  if (x.as<TransposeAttrs>().dims != second) return kNoOp;
  attrs.channels_first = false;
  const auto moved = [&](const Shape& shape) {
    Shape result(shape.dtype, {});
    for (const int64_t dim : last) result.dims.push_back(shape.dims[dim]);
    return result;
  };
  std::vector<OpId> operands;
  for (const OpId id : op.operands) {
    const bool is_kernel = static_cast<int64_t>(operands.size()) == kernel;
    operands.push_back(
        is_kernel ? id
                  : s.Emit(op, OpKind::kTranspose, {id}, moved(s.shape(id)), TransposeAttrs{last}));
  }
  if (static_cast<int64_t>(op.operands.size()) == kernel) {
    return s.Emit(op, op.kind, std::move(operands), op.shape, std::move(attrs));
  }
  const OpId made = s.Emit(op, op.kind, std::move(operands), moved(op.shape), std::move(attrs));
  return s.Emit(op, OpKind::kTranspose, {made}, op.shape, TransposeAttrs{second});
}

template <typename Attrs>
OpId SimplifyWindowed(Simplifier& s, const Op& op, int64_t kernel) {
  const OpId last = WithFeaturesLast<Attrs>(s, op, kernel);
  return last != kNoOp ? last : WithoutUnitWindows<Attrs>(s, op, kernel);
}

}  // namespace tilewise
