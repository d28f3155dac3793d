// Shape rules of windows: pooling, convolutions and their gradients.

#include <optional>

#include <fmt/format.h>

#include "base/math.h"
#include "graph/shape_rules.h"

namespace tilewise {
namespace {

// Keeps (size - 1) * dilation + 1 and the padded size within int64_t.
constexpr int64_t kMaxWindow = int64_t{1} << 31;

absl::Status CheckWindowDim(const WindowDim& dim) {
  for (const int64_t value :
       {dim.size, dim.stride, dim.dilation, dim.base_dilation}) {
    if (value < 1 || value > kMaxWindow) {
      return InvalidInput(fmt::format(
          "found window size {}, stride {}, dilation {}, base dilation {}, "
          "expected each 1 or more and below 2^31",
          dim.size, dim.stride, dim.dilation, dim.base_dilation));
    }
  }
  for (const int64_t value : {dim.pad_low, dim.pad_high}) {
    if (value < -kMaxWindow || value > kMaxWindow) {
      return InvalidInput(
          fmt::format("found padding {}, expected -2^31 to 2^31", value));
    }
  }
  return absl::OkStatus();
}

size_t FirstSpatialDim(const Attributes& attrs) {
  return attrs.channels_first ? 2 : 1;
}

size_t FeatureDim(const Attributes& attrs, const Shape& x) {
  return attrs.channels_first ? 1 : x.dims.size() - 1;
}

// The spatial sizes as "3x3", for messages.
std::string Spatial(const Attributes& attrs, const Shape& x, bool of_window) {
  std::vector<int64_t> sizes;
  for (size_t i = 0; i < attrs.window.size(); ++i) {
    sizes.push_back(
        of_window ? (attrs.window[i].size - 1) * attrs.window[i].dilation + 1
                  : x.dims[FirstSpatialDim(attrs) + i].factor);
  }
  return fmt::format("{}", fmt::join(sizes, "x"));
}

// `x` with its spatial dims replaced by the number of window positions.
ShapeOr Windowed(const Attributes& attrs, const Shape& x) {
  const size_t spatial = attrs.window.size();
  if (spatial == 0 || x.dims.size() != spatial + 2) {
    return WrongOperand(
        0, x,
        fmt::format("rank {} for a window of {} dims", spatial + 2, spatial));
  }
  Shape shape = x;
  for (size_t i = 0; i < spatial; ++i) {
    const WindowDim& window = attrs.window[i];
    TW_RETURN_IF_ERROR(CheckWindowDim(window));
    Dim& dim = shape.dims[FirstSpatialDim(attrs) + i];
    if (dim.per_batch) {
      return WrongOperand(0, x, "spatial dims that do not depend on the batch");
    }
    const std::optional<int64_t> apart =
        CheckedMul(dim.factor - 1, window.base_dilation);
    if (!apart || *apart > kMaxElements) {
      return InvalidInput(fmt::format(
          "found base dilation {} of size {}, expected at most {} elements",
          window.base_dilation, dim.factor, kMaxElements));
    }
    const int64_t room = *apart + 1 + window.pad_low + window.pad_high -
                         ((window.size - 1) * window.dilation + 1);
    if (room < 0) {
      return InvalidInput(fmt::format("window {} does not fit input {}",
                                      Spatial(attrs, x, true),
                                      Spatial(attrs, x, false)));
    }
    dim.factor = room / window.stride + 1;
  }
  return shape;
}

absl::Status CheckKernel(const Attributes& attrs, const Shape& kernel,
                         size_t operand) {
  const size_t spatial = attrs.window.size();
  if (kernel.dims.size() != spatial + 2 ||
      (attrs.groups != 1 && !kernel.is_static())) {
    return WrongOperand(operand, kernel,
                        fmt::format("a static shape of rank {}", spatial + 2));
  }
  for (size_t i = 0; i < spatial; ++i) {
    if (kernel.dims[i] == Dim{attrs.window[i].size, false}) continue;
    return WrongOperand(operand, kernel,
                        fmt::format("size {} in dim {}, that of the window",
                                    attrs.window[i].size, i));
  }
  return absl::OkStatus();
}

// The result of convolving `x` with `kernel`; `operand` is the kernel's place,
// for messages.
ShapeOr Convolved(const Attributes& attrs, const Shape& x, const Shape& kernel,
                  size_t operand) {
  TW_ASSIGN_OR_RETURN(Shape shape, Windowed(attrs, x));
  TW_RETURN_IF_ERROR(CheckKernel(attrs, kernel, operand));
  if (kernel.dtype != x.dtype) {
    return WrongOperand(operand, kernel,
                        fmt::format("type {}", DTypeName(x.dtype)));
  }
  const int64_t groups = attrs.groups;
  const Dim in = kernel.dims[kernel.dims.size() - 2];
  const Dim out = kernel.dims.back();
  Dim& feature = shape.dims[FeatureDim(attrs, x)];
  if (groups < 1 || out.factor % groups != 0) {
    return InvalidInput(
        fmt::format("found {} groups of {} output features, expected a divisor",
                    groups, out.factor));
  }
  // Both may be the batch, as in the gradient of a kernel.
  const bool same_kind = feature.per_batch == in.per_batch;
  if (!same_kind || feature.factor % groups != 0 ||
      feature.factor / groups != in.factor) {
    return InvalidInput(
        fmt::format("kernel {} takes {} features in {} groups, found input {}",
                    FormatShape(kernel), in.factor, groups, FormatShape(x)));
  }
  feature = out;
  return shape;
}

}  // namespace

ShapeOr ReduceWindowShape(const Op& op, Shapes operands) {
  TW_RETURN_IF_ERROR(CheckReducer(op.attrs->reducer, operands, 0));
  return Windowed(op.attrs, *operands[0]);
}

ShapeOr SelectAndScatterShape(const Op& op, Shapes operands) {
  for (const WindowDim& dim : op.attrs->window) {
    if (dim.base_dilation == 1) continue;
    return InvalidInput(fmt::format("found base dilation {}, expected none",
                                    dim.base_dilation));
  }
  TW_ASSIGN_OR_RETURN(const Shape windowed, Windowed(op.attrs, *operands[0]));
  TW_RETURN_IF_ERROR(CheckSame(operands, 1, windowed));
  return *operands[0];
}

ShapeOr ConvolutionShape(const Op& op, Shapes operands) {
  return Convolved(op.attrs, *operands[0], *operands[1], 1);
}

ShapeOr ConvInputGradShape(const Op& op, Shapes operands) {
  TW_RETURN_IF_ERROR(CheckSizes(op.shape));
  const Shape x = op.shape.WithType(operands[1]->dtype);
  TW_ASSIGN_OR_RETURN(const Shape dy, Convolved(op.attrs, x, *operands[1], 1));
  TW_RETURN_IF_ERROR(CheckSame(operands, 0, dy));
  return x;
}

ShapeOr ConvKernelGradShape(const Op& op, Shapes operands) {
  TW_RETURN_IF_ERROR(CheckSizes(op.shape));
  const Shape kernel = op.shape.WithType(operands[0]->dtype);
  TW_ASSIGN_OR_RETURN(const Shape dy,
                      Convolved(op.attrs, *operands[0], kernel, 2));
  TW_RETURN_IF_ERROR(CheckSame(operands, 1, dy));
  return kernel;
}

}  // namespace tilewise
