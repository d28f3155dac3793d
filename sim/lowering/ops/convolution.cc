// Convolutions and their gradients on the matrix unit (tpu-lowering 5).
// //
// All three do the same multiply-adds: for each window tap, in features, out
// features and output positions. Either the weights are stationary and the
// positions stream, or the activations are and the weights of all taps stream
// past them; the kernel gradient contracts over the positions. When few input
// features would leave most of the array's depth empty, the taps of one kernel
// row are packed into it side by side (the compiler's input-feature-packed
// emitter, tpu-lowering 2.2): a 7x7 stem on 3 features takes 7 passes, not 49.
// The input gradient of a strided convolution, and one with a base dilation,
// are taken as decomposed into their phases, so that the zeros between elements
// cost nothing. Grouped convolutions run as the cheapest of groups one by one,
// a dense convolution with a zero-filled kernel, or multiply-adds on the vector
// unit.

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/math.h"
#include "sim/lowering/kernels/matmul.h"
#include "sim/lowering/lowering_traits.h"
#include "sim/lowering/ops/windowed.h"
#include "sim/lowering/simplify/window_forms.h"

namespace tilewise {
namespace {

struct ConvSizes {
  int64_t batch = 1;
  int64_t in_positions = 1;   // spatial, of x
  int64_t out_positions = 1;  // spatial, of y
  int64_t taps = 1;
  double inside_taps = 1;  // taps x out positions that are not in the padding
  int64_t in_features = 1;
  int64_t out_features = 1;
  int64_t groups = 1;
  bool base_dilated = false;
  int64_t result_positions = 0;  // of one that is base dilated: spatial, of y
  // These are of the minor spatial dim.
  int64_t row_taps = 1;
  int64_t in_columns = 1;
  int64_t out_columns = 1;
};

// x with a * x = 1 modulo m, for a and m without common divisor.
int64_t InverseModulo(int64_t a, int64_t m) {
  int64_t x = 0, next_x = 1, r = m, next_r = a % m;
  while (next_r != 0) {
    const int64_t quotient = r / next_r;
    x = std::exchange(next_x, x - quotient * next_x);
    r = std::exchange(next_r, r - quotient * next_r);
  }
  return (x % m + m) % m;
}

// Pairs of output position and tap of one dim that read inside the input, and
// not one of the zeros that base dilation puts between its elements.
double InsidePairs(const WindowDim& window, int64_t in, int64_t out) {
  const int64_t base = window.base_dilation;
  const int64_t apart = (in - 1) * base + 1;
  // Positions that meet an element come at this distance from each other.
  const int64_t common = std::gcd(base, window.stride);
  const int64_t period = base / common;
  const int64_t inverse = InverseModulo(window.stride / common, period);
  // Every nth of very many taps stands for the others; n meets all remainders of `common`.
  constexpr int64_t kMostTaps = int64_t{1} << 16;
  int64_t step = CeilDiv(window.size, kMostTaps);
  while (std::gcd(step, common) != 1) ++step;
  double pairs = 0;
  for (int64_t tap = 0; tap < window.size; tap += step) {
    // 0 <= position * stride + shift < apart
    const int64_t shift = tap * window.dilation - window.pad_low;
    if (shift % common != 0) continue;
    const int64_t first = shift >= 0 ? 0 : CeilDiv(-shift, window.stride);
    const int64_t end = shift >= apart ? 0 : std::min(out, CeilDiv(apart - shift, window.stride));
    // The first position that meets an element, modulo their distance.
    const int64_t phase = ((-shift / common) % period + period) % period * inverse % period;
    const int64_t start = first + (phase - first % period + period) % period;
    if (start < end) pairs += static_cast<double>(CeilDiv(end - start, period) * step);
  }
  return pairs;
}

bool IsDilated(const WindowDim& window) { return window.base_dilation > 1; }

ConvSizes SizesOf(const Shape& x, const Shape& y, const Shape& kernel, const ConvAttrs& attrs) {
  ConvSizes sizes;
  sizes.batch = x.size(0);
  sizes.groups = attrs.groups;
  const int64_t first_spatial = attrs.channels_first ? 2 : 1;
  for (size_t i = 0; i < attrs.window.size(); ++i) {
    const int64_t dim = first_spatial + static_cast<int64_t>(i);
    sizes.in_positions *= x.size(dim);
    sizes.out_positions *= y.size(dim);
    sizes.taps *= attrs.window[i].size;
    sizes.inside_taps *= InsidePairs(attrs.window[i], x.size(dim), y.size(dim));
    sizes.row_taps = attrs.window[i].size;
    sizes.in_columns = x.size(dim);
    sizes.out_columns = y.size(dim);
  }
  sizes.base_dilated = std::ranges::any_of(attrs.window, IsDilated);
  if (sizes.base_dilated) {
    // The zeros are left out: it is the input gradient of a strided one, whose result is x.
    const bool gradient = std::ranges::all_of(attrs.window, [](const WindowDim& window) {
      return window.stride == 1 && window.dilation == 1;
    });
    sizes.result_positions = sizes.out_positions;
    sizes.out_positions =
        gradient
            ? sizes.in_positions
            : std::max<int64_t>(
                  1, static_cast<int64_t>(sizes.inside_taps / static_cast<double>(sizes.taps)));
  }
  sizes.in_features = kernel.size(kernel.rank() - 2) * attrs.groups;
  sizes.out_features = kernel.size(kernel.rank() - 1);
  return sizes;
}

// `contract` and `free` features, of all groups; positions that hold the
// contracted value and those that hold the result.
std::vector<Stationary> ForwardChoices(const ConvSizes& sizes, int64_t groups, int64_t contract,
                                       int64_t free, int64_t positions, const Chip& chip) {
  const int64_t side = chip.mxu_side;
  const int64_t depth = groups * CeilDiv(contract / groups, side);
  const int64_t rows = RoundUp(sizes.batch, chip.sublanes) * sizes.out_positions;
  const int64_t streamed = CeilDiv((free / groups) * sizes.taps * sizes.out_positions, positions);
  return {{sizes.taps * depth * CeilDiv(free / groups, side), rows},
          {depth * CeilDiv(sizes.batch, side) * positions, streamed}};
}

bool RowFitsDepth(const ConvSizes& sizes, int64_t groups, const Chip& chip) {
  const int64_t depth = sizes.row_taps * RoundUp(sizes.in_features / groups, chip.sublanes);
  return !sizes.base_dilated && sizes.row_taps > 1 && depth <= chip.mxu_side;
}

// The same products with the taps of a row as features of each column.
std::vector<Stationary> PackedChoices(ConvSizes sizes, int64_t groups, const Chip& chip) {
  const int64_t positions = sizes.in_positions / sizes.in_columns * sizes.out_columns;
  sizes.taps /= sizes.row_taps;
  return ForwardChoices(sizes, groups, sizes.in_features * sizes.row_taps, sizes.out_features,
                        positions, chip);
}

std::vector<Stationary> KernelGradChoices(const ConvSizes& sizes, int64_t groups,
                                          const Chip& chip) {
  const int64_t side = chip.mxu_side;
  const int64_t depth = groups * CeilDiv(sizes.batch * sizes.out_positions, side);
  const int64_t in = sizes.in_features / groups;
  const int64_t out = sizes.out_features / groups;
  return {{depth * CeilDiv(out, side), sizes.taps * in},
          {depth * CeilDiv(in, side), sizes.taps * out}};
}

std::vector<Stationary> PlainChoices(const ConvSizes& sizes, int64_t groups, const Chip& chip) {
  if (RowFitsDepth(sizes, groups, chip)) return PackedChoices(sizes, groups, chip);
  return ForwardChoices(sizes, groups, sizes.in_features, sizes.out_features, sizes.in_positions,
                        chip);
}

// The input gradient of a base-dilated convolution: a plain one from y to x with strides.
ConvSizes Reversed(ConvSizes sizes) {
  std::swap(sizes.in_features, sizes.out_features);
  std::swap(sizes.in_columns, sizes.out_columns);
  sizes.out_positions = std::exchange(sizes.in_positions, sizes.result_positions);
  sizes.base_dilated = false;
  return sizes;
}

std::vector<Stationary> Choices(const Op& op, const ConvSizes& sizes, int64_t groups,
                                const Chip& chip) {
  switch (op.kind) {
    case OpKind::kConvolution:
      return PlainChoices(sizes, groups, chip);
    case OpKind::kConvInputGrad:
      if (sizes.base_dilated) return PlainChoices(Reversed(sizes), groups, chip);
      return ForwardChoices(sizes, groups, sizes.out_features, sizes.in_features,
                            sizes.out_positions, chip);
    default:
      return KernelGradChoices(sizes, groups, chip);
  }
}

double SlotCycles(const VectorWork& work, const Chip& chip) {
  return std::max(work.alu / chip.vector_alu_slots, work.loads / chip.vector_loads_per_cycle);
}

// A multiply and an add per tap and in feature of a group, on registers of the
// activation that has one element per multiply-add.
VectorWork OnVectorUnit(const OpContext& context, const Op& activation, const ConvSizes& sizes) {
  const int64_t repeats = sizes.taps * (sizes.in_features / sizes.groups);
  const double registers = context.registers(activation) * static_cast<double>(repeats);
  VectorWork work;
  work.alu = 2 * registers;
  work.loads = registers;
  return work;
}

OpWork ConvolutionWork(const OpContext& context, const Op& op) {
  const auto& attrs = op.as<ConvAttrs>();
  const Op& first = context.operand(op, 0);
  const Op& second = context.operand(op, 1);
  const bool is_input_grad = op.kind == OpKind::kConvInputGrad;
  const bool is_kernel_grad = op.kind == OpKind::kConvKernelGrad;
  const Op& x = is_input_grad ? op : first;
  const Op& y = is_input_grad ? first : is_kernel_grad ? second : op;
  const Op& kernel = is_kernel_grad ? op : second;
  const ConvSizes sizes = SizesOf(x.shape, y.shape, kernel.shape, attrs);
  OpWork work;
  if (y.shape.elements() == 0 || x.shape.elements() == 0) return work;
  const double useful = 2.0 * static_cast<double>(sizes.batch) * sizes.inside_taps *
                        static_cast<double>(sizes.in_features) / static_cast<double>(sizes.groups) *
                        static_cast<double>(sizes.out_features);
  std::vector<Stationary> choices = Choices(op, sizes, 1, context.chip);
  if (sizes.groups > 1) {
    for (const Stationary& choice : Choices(op, sizes, sizes.groups, context.chip)) {
      choices.push_back(choice);
    }
  }
  work.matrix = ChooseStationary(choices, useful, attrs.precision_passes, context.chip);
  work.matrix.rate = MatrixRate(first.shape.dtype, second.shape.dtype, context.chip);
  if (sizes.groups == 1) return work;
  const VectorWork vector = OnVectorUnit(context, y, sizes);
  if (SlotCycles(vector, context.chip) < MatrixCycles(work.matrix, context.chip)) {
    work = {.matrix = {}, .vector = vector};
  }
  return work;
}

bool TilesFeatures(const DimOrder& order) {
  const auto rank = static_cast<int64_t>(order.size());
  return TilesBoth(order, rank - 1, rank - 2);
}

bool AcceptsKernelSecond(const Op& op, size_t index, const DimOrder& order) {
  return index == 1 ? TilesFeatures(order) : TilesBatchAndFeature(op, order);
}

bool AcceptsNoKernel(const Op& op, size_t, const DimOrder& order) {
  return TilesBatchAndFeature(op, order);
}

bool AcceptsKernelResult(const Graph&, const Op&, const DimOrder& order) {
  return TilesFeatures(order);
}

OpId SimplifyConvolution(Simplifier& s, const Op& op) {
  return SimplifyWindowed<ConvAttrs>(s, op, op.kind == OpKind::kConvKernelGrad ? 2 : 1);
}

}  // namespace

constexpr LoweringTraits lowering_traits::kConvolution = {
    .simplify = SimplifyConvolution,
    .accepts_operand = AcceptsKernelSecond,
    .accepts_result = AcceptsWindowedResult,
    .conv_rule = LoweringTraits::ConvRule::kFollows,
    .work = ConvolutionWork};
constexpr LoweringTraits lowering_traits::kConvInputGrad = {
    .simplify = SimplifyConvolution,
    .accepts_operand = AcceptsKernelSecond,
    .accepts_result = AcceptsWindowedResult,
    .conv_rule = LoweringTraits::ConvRule::kFollows,
    .work = ConvolutionWork};
// It wants the reverse order, but its swap is free.
constexpr LoweringTraits lowering_traits::kConvKernelGrad = {
    .simplify = SimplifyConvolution,
    .accepts_operand = AcceptsNoKernel,
    .accepts_result = AcceptsKernelResult,
    .conv_rule = LoweringTraits::ConvRule::kCounts,
    .work = ConvolutionWork};

}  // namespace tilewise
