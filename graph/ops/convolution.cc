// Convolution and its gradients. The three ops y = conv(x, w),
// dx = input-grad(dy, w) and dw = kernel-grad(x, dy) are the partial
// derivatives of one trilinear form, so each one's gradients are the other two.

#include <fmt/format.h>

#include "graph/batch_links.h"
#include "graph/gradient.h"
#include "graph/ops/window.h"

namespace tilewise {
namespace {

absl::Status CheckKernel(const ConvAttrs& attrs, const Shape& kernel, size_t operand) {
  const size_t spatial = attrs.window.size();
  if (kernel.dims.size() != spatial + 2 || (attrs.groups != 1 && !kernel.is_static())) {
    return WrongOperand(operand, kernel, fmt::format("a static shape of rank {}", spatial + 2));
  }
  for (size_t i = 0; i < spatial; ++i) {
    if (kernel.dims[i] == Dim{attrs.window[i].size, false}) continue;
    return WrongOperand(
        operand, kernel,
        fmt::format("size {} in dim {}, that of the window", attrs.window[i].size, i));
  }
  return absl::OkStatus();
}

// The result of convolving `x` with `kernel`; `operand` is the kernel's number,
// for messages.
ShapeOr Convolved(const ConvAttrs& attrs, const Shape& x, const Shape& kernel, size_t operand) {
  TW_ASSIGN_OR_RETURN(Shape shape, WindowedShape(attrs, x));
  TW_RETURN_IF_ERROR(CheckKernel(attrs, kernel, operand));
  if (kernel.dtype != x.dtype) {
    return WrongOperand(operand, kernel, fmt::format("type {}", DTypeName(x.dtype)));
  }
  const int64_t groups = attrs.groups;
  const Dim in = kernel.dims[kernel.dims.size() - 2];
  const Dim out = kernel.dims.back();
  Dim& feature = shape.dims[WindowFeatureDim(attrs)];
  if (groups < 1 || out.factor % groups != 0) {
    return InvalidInput(fmt::format("found {} groups of {} output features, expected a divisor",
                                    groups, out.factor));
  }
  // Both features may be the batch, as in the gradient of a kernel.
  const bool same_kind = feature.per_batch == in.per_batch;
  if (!same_kind || feature.factor % groups != 0 || feature.factor / groups != in.factor) {
    return InvalidInput(fmt::format("kernel {} takes {} features in {} groups, found input {}",
                                    FormatShape(kernel), in.factor, groups, FormatShape(x)));
  }
  feature = out;
  return shape;
}

ShapeOr ConvolutionShape(const Op& op, Shapes operands) {
  return Convolved(op.as<ConvAttrs>(), *operands[0], *operands[1], 1);
}

ShapeOr ConvInputGradShape(const Op& op, Shapes operands) {
  TW_RETURN_IF_ERROR(CheckSizes(op.shape));
  const Shape x = op.shape.WithType(operands[1]->dtype);
  TW_ASSIGN_OR_RETURN(const Shape dy, Convolved(op.as<ConvAttrs>(), x, *operands[1], 1));
  TW_RETURN_IF_ERROR(CheckSame(operands, 0, dy));
  return x;
}

ShapeOr ConvKernelGradShape(const Op& op, Shapes operands) {
  TW_RETURN_IF_ERROR(CheckSizes(op.shape));
  const Shape kernel = op.shape.WithType(operands[0]->dtype);
  TW_ASSIGN_OR_RETURN(const Shape dy, Convolved(op.as<ConvAttrs>(), *operands[0], kernel, 2));
  TW_RETURN_IF_ERROR(CheckSame(operands, 1, dy));
  return kernel;
}

Gradients ConvolutionGradient(const GradientCall& call) {
  GraphBuilder& b = call.builder;
  const auto& attrs = call.op.as<ConvAttrs>();
  const OpId x = call.operand(0);
  const OpId kernel = call.operand(1);
  return {call.wants(0) ? b.ConvInputGrad(call.dy, kernel, call.shape(0), attrs) : kNoOp,
          call.wants(1) ? b.ConvKernelGrad(x, call.dy, call.shape(1), attrs) : kNoOp};
}

// op = input-grad(g, w): its own gradient `dy` has the shape of x.
Gradients ConvInputGradGradient(const GradientCall& call) {
  GraphBuilder& b = call.builder;
  const auto& attrs = call.op.as<ConvAttrs>();
  const OpId g = call.operand(0);
  const OpId kernel = call.operand(1);
  return {call.wants(0)
              ? b.Convolution(call.dy, kernel, attrs.window, attrs.groups, attrs.channels_first)
              : kNoOp,
          call.wants(1) ? b.ConvKernelGrad(call.dy, g, call.shape(1), attrs) : kNoOp};
}

// op = kernel-grad(x, g): its own gradient `dy` has the shape of the kernel.
Gradients ConvKernelGradGradient(const GradientCall& call) {
  GraphBuilder& b = call.builder;
  const auto& attrs = call.op.as<ConvAttrs>();
  const OpId x = call.operand(0);
  const OpId g = call.operand(1);
  return {call.wants(0) ? b.ConvInputGrad(g, call.dy, call.shape(0), attrs) : kNoOp,
          call.wants(1)
              ? b.Convolution(x, call.dy, attrs.window, attrs.groups, attrs.channels_first)
              : kNoOp};
}

// These say which of x, kernel and y are the operands, and which the result.
constexpr size_t kIsResult = 2;
struct TrilinearForm {
  size_t x = 0;
  size_t kernel = 1;
  size_t y = kIsResult;
};

void LinkForm(const LinkCall& call, TrilinearForm form) {
  const auto pair = [&](size_t a, int64_t a_dim, size_t b, int64_t b_dim) {
    a == kIsResult ? call.links.AddResult(a_dim) : call.links.Add(a, a_dim);
    b == kIsResult ? call.links.AddResult(b_dim) : call.links.Add(b, b_dim);
    call.links.Close();
  };
  const auto& attrs = call.op.as<ConvAttrs>();
  pair(form.x, 0, form.y, 0);
  if (attrs.groups != 1) return;
  const auto spatial = static_cast<int64_t>(attrs.window.size());
  pair(form.x, WindowFeatureDim(attrs), form.kernel, spatial);
  pair(form.y, WindowFeatureDim(attrs), form.kernel, spatial + 1);
}

void LinkConvolution(const LinkCall& call) { LinkForm(call, {}); }

void LinkInputGrad(const LinkCall& call) { LinkForm(call, {.x = kIsResult, .kernel = 1, .y = 0}); }

void LinkKernelGrad(const LinkCall& call) { LinkForm(call, {.x = 0, .kernel = kIsResult, .y = 1}); }

constexpr auto kConvFields = FieldsOf<ConvAttrs, &ConvAttrs::window, &ConvAttrs::channels_first,
                                      &ConvAttrs::groups, &ConvAttrs::precision_passes>(
    "window", "channels_first", "groups", "precision_passes");

}  // namespace

constexpr OpTraits op_traits::kConvolution = {.operands = 2,
                                              .attributes = kConvFields,
                                              .shape = ConvolutionShape,
                                              .gradient = ConvolutionGradient,
                                              .links = LinkConvolution};
constexpr OpTraits op_traits::kConvInputGrad = {.operands = 2,
                                                .attributes = kConvFields,
                                                .shape = ConvInputGradShape,
                                                .gradient = ConvInputGradGradient,
                                                .links = LinkInputGrad};
constexpr OpTraits op_traits::kConvKernelGrad = {.operands = 2,
                                                 .attributes = kConvFields,
                                                 .shape = ConvKernelGradShape,
                                                 .gradient = ConvKernelGradGradient,
                                                 .links = LinkKernelGrad};

}  // namespace tilewise
