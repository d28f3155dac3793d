// Convolutions in the layouts of the graph: activations [batch, spatial..,
// feature] or [batch, feature, spatial..], kernels [spatial.., in/groups, out].
//
// Gradients are told by their windows: that of an input dilates its operand by
// the forward stride and reads a reversed kernel; that of a kernel has the
// batch as its feature and a window as large as the outputs' gradient.

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "frontend/hlo/ops.h"
#include "frontend/hlo/products.h"
#include "frontend/hlo/shapes.h"

namespace tilewise::hlo {
namespace {

// Dims as [batch, spatial.., feature] or [batch, feature, spatial..].
std::vector<int64_t> ActivationOrder(int64_t batch, int64_t feature,
                                     const std::vector<int64_t>& spatial, bool channels_first) {
  std::vector<int64_t> order = {batch};
  if (channels_first) order.push_back(feature);
  order.insert(order.end(), spatial.begin(), spatial.end());
  if (!channels_first) order.push_back(feature);
  return order;
}

std::vector<int64_t> KernelOrder(const ConvDims& conv) {
  std::vector<int64_t> order = conv.kernel_spatial;
  order.push_back(conv.kernel_in);
  order.push_back(conv.kernel_out);
  return order;
}

bool IsPermutation(std::vector<int64_t> order, size_t rank) {
  std::sort(order.begin(), order.end());
  for (size_t i = 0; i < order.size(); ++i) {
    if (order[i] != static_cast<int64_t>(i)) return false;
  }
  return order.size() == rank;
}

// The bound keeps products of these with sizes from overflowing.
bool IsBounded(const HloWindowDim& w) {
  constexpr int64_t kMost = int64_t{1} << 17;
  for (const int64_t value : {w.size, w.stride, w.window_dilation, w.base_dilation}) {
    if (value < 1 || value > kMost) return false;
  }
  return std::abs(w.pad_low) <= kMost * kMost && std::abs(w.pad_high) <= kMost * kMost;
}

// Whether the dims that the instruction names are those of its shapes.
bool CheckDimNumbers(Translation& t, const Site& site) {
  GraphBuilder& e = t.emit();
  const ConvDims& conv = site.more().conv;
  const size_t rank = site.shape.dims.size();
  if (site.operand(0) != kNoOp && site.operand(1) != kNoOp && rank >= 2 &&
      site.more().window.size() == rank - 2 &&
      std::all_of(site.more().window.begin(), site.more().window.end(), IsBounded) &&
      e.shape(site.operand(0)).dims.size() == rank &&
      e.shape(site.operand(1)).dims.size() == rank &&
      IsPermutation(
          ActivationOrder(conv.input_batch, conv.input_feature, conv.input_spatial, false), rank) &&
      IsPermutation(KernelOrder(conv), rank) &&
      IsPermutation(
          ActivationOrder(conv.output_batch, conv.output_feature, conv.output_spatial, false),
          rank)) {
    return true;
  }
  e.Fail(
      fmt::format("found a window of {} dims and dimension numbers that do "
                  "not fit rank {}",
                  site.more().window.size(), rank));
  return false;
}

// The kernel without the reversal of all its spatial dims, if it has one, by
// instruction or window. Windows of one element are never reversed.
struct Kernel {
  OpId op = kNoOp;
  bool reversed = false;
};

Kernel UnreversedKernel(GraphBuilder& e, const Site& site) {
  const InstructionExtras& more = site.more();
  const OpId rhs = site.operand(1);
  const Op& producer = e.op(rhs);
  std::vector<bool> turned(more.window.size());
  const bool by_op = producer.kind == OpKind::kReverse;
  bool all = true;
  bool any = false;
  const std::vector<int64_t> dims = by_op ? producer.as<DimsAttrs>().dims : std::vector<int64_t>{};
  for (size_t i = 0; i < turned.size(); ++i) {
    const bool op_turns =
        std::find(dims.begin(), dims.end(), more.conv->kernel_spatial[i]) != dims.end();
    turned[i] = op_turns != more.window[i].reversal;
    if (more.window[i].size == 1) continue;
    all &= turned[i];
    any |= turned[i];
  }
  if (!any || !all) return {rhs, false};
  return {by_op ? producer.operands[0] : rhs, true};
}

// The kernel of the gradient of an input, out/groups inputs and groups * in
// outputs, as the forward kernel: [spatial.., in, groups * out].
OpId ForwardKernel(GraphBuilder& e, OpId kernel, const ConvDims& conv, int64_t groups) {
  std::vector<int64_t> order = conv.kernel_spatial;
  if (groups == 1) {
    order.push_back(conv.kernel_out);
    order.push_back(conv.kernel_in);
    return e.Transpose(kernel, std::move(order));
  }
  const OpId plain = e.Transpose(kernel, KernelOrder(conv));
  if (plain == kNoOp) return plain;
  const std::vector<Dim> dims = e.shape(plain).dims;
  const size_t rank = dims.size();
  const int64_t out = dims[rank - 2].factor;
  if (groups < 1 || dims[rank - 1].factor % groups != 0) return kNoOp;
  const int64_t in = dims[rank - 1].factor / groups;
  std::vector<Dim> split(dims.begin(), dims.end() - 2);
  std::vector<Dim> joined = split;
  joined.insert(joined.end(), {Dim{in, false}, Dim{groups * out, false}});
  if (in == 1 && out == 1) return e.Reshape(plain, std::move(joined));
  split.insert(split.end(), {Dim{out, false}, Dim{groups, false}, Dim{in, false}});
  order.clear();
  const auto first = static_cast<int64_t>(rank) - 2;
  for (int64_t i = 0; i < first; ++i) order.push_back(i);
  order.insert(order.end(), {first + 2, first + 1, first});
  return e.Reshape(e.Transpose(e.Reshape(plain, std::move(split)), order), std::move(joined));
}

// 1 for types that the matrix unit multiplies as they are.
int64_t Passes(const GraphBuilder& e, const Site& site) {
  const bool splits = e.shape(site.operand(0)).dtype == DType::kF32;
  return splits ? PrecisionPasses(site.more()) : 1;
}

// The forward padding after the data: as little as gives `positions`, none
// where the window leaves some of the data out.
int64_t PadHigh(int64_t size, int64_t positions, int64_t stride, int64_t extent, int64_t pad_low) {
  const int64_t least = (positions - 1) * stride + extent - size - pad_low;
  return least < 0 && -least < stride ? 0 : least;
}

// The gradient of an input; kNoOp when the instruction is none.
OpId InputGradient(GraphBuilder& e, const Site& site) {
  const OpId lhs = site.operand(0);
  const InstructionExtras& more = site.more();
  const ConvDims& conv = more.conv;
  const bool dilates = std::any_of(more.window.begin(), more.window.end(),
                                   [](const HloWindowDim& w) { return w.base_dilation > 1; });
  const bool strides = std::any_of(more.window.begin(), more.window.end(),
                                   [](const HloWindowDim& w) { return w.stride > 1; });
  const Kernel kernel = UnreversedKernel(e, site);
  const bool points = std::all_of(more.window.begin(), more.window.end(),
                                  [](const HloWindowDim& w) { return w.size == 1; });
  if (strides || more.batch_groups > 1) return kNoOp;
  if (!(kernel.reversed || (dilates && points))) return kNoOp;
  const bool first = conv.input_batch == 0 && conv.input_feature == 1 && conv.output_batch == 0 &&
                     conv.output_feature == 1;
  const std::vector<int64_t> out_order =
      ActivationOrder(conv.output_batch, conv.output_feature, conv.output_spatial, first);
  ConvAttrs attrs;
  attrs.channels_first = first;
  attrs.groups = more.feature_groups;
  attrs.precision_passes = Passes(e, site);
  const std::vector<Dim> out_dims = GraphDims(site.shape);
  for (size_t i = 0; i < more.window.size(); ++i) {
    const HloWindowDim& w = more.window[i];
    const Dim dx = out_dims[conv.output_spatial[i]];
    const Dim dy = e.shape(lhs).dims[conv.input_spatial[i]];
    if (dx.per_batch || dy.per_batch) return kNoOp;
    const int64_t extent = (w.size - 1) * w.window_dilation + 1;
    const int64_t low = extent - 1 - w.pad_low;
    attrs.window.push_back({w.size, w.base_dilation, low,
                            PadHigh(dx.factor, dy.factor, w.base_dilation, extent, low),
                            w.window_dilation});
  }
  OpId dy = e.Transpose(
      lhs, ActivationOrder(conv.input_batch, conv.input_feature, conv.input_spatial, first));
  OpId forward = ForwardKernel(e, kernel.op, conv, more.feature_groups);
  UniteTypes(e, dy, forward);
  if (dy == kNoOp || forward == kNoOp) return kNoOp;
  Shape dx(e.shape(dy).dtype, {});
  for (const int64_t dim : out_order) {
    dx.dims.push_back(out_dims[dim]);
  }
  dx.dims[0] = e.shape(dy).dims[0];
  const OpId made = e.Add(OpKind::kConvInputGrad, {dy, forward}, std::move(attrs), std::move(dx));
  return e.Transpose(made, InverseOf(out_order));
}

// Whether the window slides the gradient of the outputs over the inputs: the
// dims of both name the batch where a convolution has features, and the window
// is large.
bool IsKernelGradient(const Site& site) {
  const InstructionExtras& more = site.more();
  double taps = 1;
  double places = 1;
  for (size_t i = 0; i < more.window.size(); ++i) {
    const HloWindowDim& w = more.window[i];
    if (w.base_dilation != 1 || w.reversal) return false;
    taps *= static_cast<double>(w.size);
    places *= static_cast<double>(site.shape.dims[more.conv->output_spatial[i]]);
  }
  const bool swapped = more.conv->input_batch > more.conv->input_feature;
  return swapped && more.feature_groups <= 1 && !more.window.empty() &&
         (taps >= places || more.conv->kernel_in == 0);
}

// The gradient of a kernel; kNoOp when the instruction is none.
OpId KernelGradient(GraphBuilder& e, const Site& site) {
  const OpId lhs = site.operand(0);
  const OpId rhs = site.operand(1);
  const InstructionExtras& more = site.more();
  const ConvDims& conv = more.conv;
  if (!IsKernelGradient(site)) return kNoOp;
  const bool first = conv.input_feature == 0 && conv.input_batch == 1 && conv.kernel_in == 0 &&
                     conv.kernel_out == 1;
  ConvAttrs attrs;
  attrs.channels_first = first;
  attrs.groups = more.batch_groups;
  attrs.precision_passes = Passes(e, site);
  for (size_t i = 0; i < more.window.size(); ++i) {
    const HloWindowDim& w = more.window[i];
    const Dim x = e.shape(lhs).dims[conv.input_spatial[i]];
    const int64_t taps = site.shape.dims[conv.output_spatial[i]];
    if (x.per_batch || taps < 1) return kNoOp;
    const int64_t extent = (taps - 1) * w.stride + 1;
    attrs.window.push_back({taps, w.window_dilation, w.pad_low,
                            PadHigh(x.factor, w.size, w.window_dilation, extent, w.pad_low),
                            w.stride});
  }
  OpId x = e.Transpose(
      lhs, ActivationOrder(conv.input_feature, conv.input_batch, conv.input_spatial, first));
  OpId dy = e.Transpose(
      rhs, ActivationOrder(conv.kernel_in, conv.kernel_out, conv.kernel_spatial, first));
  UniteTypes(e, x, dy);
  if (x == kNoOp || dy == kNoOp) return kNoOp;
  std::vector<int64_t> out_order = conv.output_spatial;
  out_order.push_back(conv.output_batch);
  out_order.push_back(conv.output_feature);
  Shape kernel(e.shape(x).dtype, {});
  for (const int64_t dim : out_order) {
    kernel.dims.push_back({site.shape.dims[dim], false});
  }
  const OpId made = e.Add(OpKind::kConvKernelGrad, {x, dy}, std::move(attrs), std::move(kernel));
  return e.Transpose(made, InverseOf(out_order));
}

// Groups of the batch, each with output features of its own, as groups of
// features: [groups * n, .., f] -> [n, .., groups * f].
OpId BatchGroupsToFeatures(GraphBuilder& e, OpId x, int64_t groups) {
  if (x == kNoOp || groups <= 1) return x;
  std::vector<Dim> dims = e.shape(x).dims;
  const size_t rank = dims.size();
  if (dims[0].per_batch || dims[0].factor % groups != 0) {
    e.Fail(fmt::format("found {} groups of batch {}, expected a divisor", groups, dims[0].factor));
    return kNoOp;
  }
  dims[0].factor /= groups;
  std::vector<Dim> split = dims;
  split.insert(split.begin(), Dim{groups, false});
  std::vector<int64_t> order;
  for (size_t i = 1; i < rank; ++i) order.push_back(static_cast<int64_t>(i));
  order.push_back(0);
  order.push_back(static_cast<int64_t>(rank));
  dims[rank - 1].factor *= groups;
  return e.Reshape(e.Transpose(e.Reshape(x, std::move(split)), order), std::move(dims));
}

OpId Forward(GraphBuilder& e, const Site& site) {
  const OpId lhs = site.operand(0);
  const OpId rhs = site.operand(1);
  const InstructionExtras& more = site.more();
  const ConvDims& conv = more.conv;
  const bool first = more.batch_groups <= 1 && conv.input_batch == 0 && conv.input_feature == 1 &&
                     conv.output_batch == 0 && conv.output_feature == 1;
  ConvAttrs attrs;
  attrs.channels_first = first;
  attrs.groups = std::max(more.feature_groups, more.batch_groups);
  attrs.precision_passes = Passes(e, site);
  std::vector<int64_t> turned;
  for (size_t i = 0; i < more.window.size(); ++i) {
    const HloWindowDim& w = more.window[i];
    attrs.window.push_back(
        {w.size, w.stride, w.pad_low, w.pad_high, w.window_dilation, w.base_dilation});
    if (w.reversal) turned.push_back(conv.kernel_spatial[i]);
  }
  OpId x = e.Transpose(
      lhs, ActivationOrder(conv.input_batch, conv.input_feature, conv.input_spatial, first));
  x = BatchGroupsToFeatures(e, x, more.batch_groups);
  OpId kernel = turned.empty() ? rhs : e.Reverse(rhs, std::move(turned));
  kernel = e.Transpose(kernel, KernelOrder(conv));
  UniteTypes(e, x, kernel);
  const OpId made = e.Add(OpKind::kConvolution, {x, kernel}, std::move(attrs));
  return e.Transpose(made, InverseOf(ActivationOrder(conv.output_batch, conv.output_feature,
                                                     conv.output_spatial, first)));
}

}  // namespace

Value TranslateConvolution(Translation& t, const Site& site) {
  GraphBuilder& e = t.emit();
  if (!CheckDimNumbers(t, site)) return {};
  // What one of them could not express goes on to the next.
  OpId made = kNoOp;
  const auto attempt = [&](OpId result) {
    made = result;
    if (made == kNoOp && !e.ok()) (void)e.TakeStatus();
  };
  // What a compiler writes as a dot may look like a gradient.
  if (!t.compiled()) attempt(KernelGradient(e, site));
  if (made == kNoOp) attempt(ConvolutionAsDot(t, site));
  if (made == kNoOp && t.compiled()) attempt(KernelGradient(e, site));
  if (made == kNoOp) attempt(InputGradient(e, site));
  if (made == kNoOp) made = Forward(e, site);
  return e.Convert(made, site.shape.dtype);
}

}  // namespace tilewise::hlo
