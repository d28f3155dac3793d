// Convolutions of two and three dims, those of each feature apart, and their
// gradients, which are also transposed convolutions.

#include <fmt/format.h>

#include "frontend/tensorflow/ops/families.h"
#include "frontend/tensorflow/ops/fused_epilogue.h"
#include "frontend/tensorflow/ops/operands.h"
#include "frontend/tensorflow/ops/window_attributes.h"
#include "library/windows.h"

namespace tilewise::tf {
namespace {

constexpr int64_t kMostStride = 1 << 16;

bool IsDepthwise(const OpContext& ctx) {
  return ctx.op().find("Depthwise") != std::string_view::npos;
}

// A kernel in the graph's order [spatial.., in / groups, out]. TensorFlow's
// depthwise one is [height, width, features, multiplier].
Shape GraphKernel(const Shape& kernel, bool depthwise) {
  if (!depthwise || kernel.rank() != 4) return kernel;
  Shape grouped = kernel;
  grouped.dims[2] = {1, false};
  grouped.dims[3].factor *= kernel.dims[2].factor;
  return grouped;
}

absl::StatusOr<std::vector<int64_t>> KernelSizes(const Shape& kernel) {
  if (kernel.rank() < 3 || !kernel.is_static()) {
    return InvalidInput(fmt::format("found kernel {}, expected static sizes of rank 3 or more",
                                    FormatShape(kernel)));
  }
  std::vector<int64_t> sizes = kernel.sizes();
  sizes.resize(sizes.size() - 2);
  return sizes;
}

// Attributes of the convolution of `x` with `kernel`, in the graph's order.
absl::StatusOr<ConvAttrs> ReadConvolution(const OpContext& ctx, const Shape& x,
                                          const Shape& kernel) {
  TW_ASSIGN_OR_RETURN(const auto sizes, KernelSizes(kernel));
  TW_ASSIGN_OR_RETURN(const Windows windows, ConvolutionWindows(ctx, x, sizes));
  ConvAttrs attrs;
  attrs.window = windows.dims;
  attrs.channels_first = windows.channels_first;
  const Dim features = x.dims[FeatureDimOf(attrs.channels_first, x.rank())];
  const int64_t in = kernel.dims[kernel.dims.size() - 2].factor;
  if (in < 1 || features.per_batch || features.factor % in != 0) {
    return InvalidInput(fmt::format("found {} features of {}", in, FormatShape(x)));
  }
  attrs.groups = features.factor / in;
  return attrs;
}

absl::Status Convolution(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const OpId x, Tensor(ctx, 0));
  TW_ASSIGN_OR_RETURN(OpId kernel, Tensor(ctx, 1));
  GraphBuilder& b = ctx.builder();
  const Shape grouped = GraphKernel(b.shape(kernel), IsDepthwise(ctx));
  if (grouped != b.shape(kernel)) kernel = b.Reshape(kernel, grouped.dims);
  TW_ASSIGN_OR_RETURN(const ConvAttrs attrs, ReadConvolution(ctx, b.shape(x), grouped));
  const OpId y = b.Convolution(x, kernel, attrs.window, attrs.groups, attrs.channels_first);
  return SetWithEpilogue(ctx, y, 2, attrs.channels_first);
}

// Dims of the operand that a transposed convolution results in when the file
// gives none that are known: those without padding, or a multiple of the
// stride.
absl::StatusOr<std::vector<Dim>> TransposedDims(const OpContext& ctx, const Shape& kernel,
                                                const Shape& dy) {
  if (const auto recorded = ctx.RecordedShape(0, dy.dtype)) {
    return recorded->dims;
  }
  if (kernel.rank() != dy.rank()) {
    return InvalidInput(
        fmt::format("found kernel {} for {}", FormatShape(kernel), FormatShape(dy)));
  }
  TW_ASSIGN_OR_RETURN(const bool channels_first, ChannelsFirst(ctx));
  TW_ASSIGN_OR_RETURN(const auto strides,
                      SpatialNumbers(ctx.Ints("strides"), dy.rank(), channels_first));
  std::vector<Dim> dims = dy.dims;
  dims[FeatureDimOf(channels_first, dy.rank())] = kernel.dims[kernel.dims.size() - 2];
  const size_t first = FirstSpatialDim(channels_first);
  for (size_t i = 0; i < strides.size(); ++i) {
    Dim& dim = dims[first + i];
    if (strides[i] < 1 || strides[i] > kMostStride) {
      return InvalidInput(fmt::format("found stride {}", strides[i]));
    }
    dim.factor *= strides[i];
    if (ctx.Text("padding", "VALID") == "VALID") {
      dim.factor += std::max<int64_t>(kernel.dims[i].factor - strides[i], 0);
    }
  }
  return dims;
}

absl::StatusOr<std::vector<Dim>> InputDims(const OpContext& ctx, const Shape& kernel,
                                           const Shape& dy) {
  if (ctx.op() == "Conv3DBackpropInput") {  // the operand itself, not its sizes
    TW_ASSIGN_OR_RETURN(const Shape x, TensorShapeOf(ctx, 0));
    return x.dims;
  }
  auto given = KnownSizes(ctx, 0, "input_sizes");
  if (!given.ok()) return TransposedDims(ctx, kernel, dy);
  std::vector<Dim> dims = *std::move(given);
  if (dims.size() + 2 == dy.dims.size()) {  // spatial sizes only
    TW_ASSIGN_OR_RETURN(const bool channels_first, ChannelsFirst(ctx));
    const Dim features = kernel.dims[kernel.dims.size() - 2];
    dims.insert(channels_first ? dims.begin() : dims.end(), features);
    dims.insert(dims.begin(), dy.dims[0]);
  }
  if (dims.size() != dy.dims.size()) {
    return InvalidInput(fmt::format("found {} sizes for {}", dims.size(), FormatShape(dy)));
  }
  dims[0] = dy.dims[0];  // where the file has fixed the batch
  return dims;
}

// Operands: sizes of x, kernel, dy.
absl::Status InputGrad(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(OpId kernel, Tensor(ctx, 1));
  TW_ASSIGN_OR_RETURN(const OpId dy, Tensor(ctx, 2));
  GraphBuilder& b = ctx.builder();
  const Shape given = b.shape(kernel);
  TW_RETURN_IF_ERROR(KernelSizes(given).status());
  const Shape grouped = GraphKernel(given, IsDepthwise(ctx));
  if (grouped != given) kernel = b.Reshape(kernel, grouped.dims);
  TW_ASSIGN_OR_RETURN(const auto dims, InputDims(ctx, given, b.shape(dy)));
  const Shape x(b.shape(dy).dtype, dims);
  TW_ASSIGN_OR_RETURN(const ConvAttrs attrs, ReadConvolution(ctx, x, grouped));
  return ctx.Result(b.ConvInputGrad(dy, kernel, x, attrs));
}

absl::StatusOr<Shape> KernelShape(const OpContext& ctx, DType dtype) {
  if (ctx.op() == "Conv3DBackpropFilter") {  // the kernel itself
    return TensorShapeOf(ctx, 1);
  }
  const auto given = KnownSizes(ctx, 1, "filter_sizes");
  if (given.ok()) return Shape(dtype, *given);
  if (const auto recorded = ctx.RecordedShape(0, dtype)) return *recorded;
  return given.status();
}

// Operands: x, sizes of the kernel, dy.
absl::Status KernelGrad(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const OpId x, Tensor(ctx, 0));
  TW_ASSIGN_OR_RETURN(const OpId dy, Tensor(ctx, 2));
  GraphBuilder& b = ctx.builder();
  TW_ASSIGN_OR_RETURN(const Shape given, KernelShape(ctx, b.shape(x).dtype));
  TW_RETURN_IF_ERROR(KernelSizes(given).status());
  const Shape grouped = GraphKernel(given, IsDepthwise(ctx));
  TW_ASSIGN_OR_RETURN(const ConvAttrs attrs, ReadConvolution(ctx, b.shape(x), grouped));
  const OpId gradient = b.ConvKernelGrad(x, dy, grouped, attrs);
  return ctx.Result(grouped == given ? gradient : b.Reshape(gradient, given.dims));
}

constexpr OpEntry kConvolutionOps[] = {
    {"Conv2D", Convolution},
    {"Conv2DBackpropFilter", KernelGrad},
    {"Conv2DBackpropInput", InputGrad},
    {"Conv3D", Convolution},
    {"Conv3DBackpropFilter", KernelGrad},
    {"Conv3DBackpropFilterV2", KernelGrad},
    {"Conv3DBackpropInput", InputGrad},
    {"Conv3DBackpropInputV2", InputGrad},
    {"DepthwiseConv2dNative", Convolution},
    {"DepthwiseConv2dNativeBackpropFilter", KernelGrad},
    {"DepthwiseConv2dNativeBackpropInput", InputGrad},
    {"FusedDepthwiseConv2dNative", Convolution},
    {"_FusedConv2D", Convolution},
    {"_FusedConv3D", Convolution},
    {"_FusedDepthwiseConv2dNative", Convolution},
};

}  // namespace

std::span<const OpEntry> ConvolutionOps() { return kConvolutionOps; }

}  // namespace tilewise::tf
