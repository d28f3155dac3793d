// XLA's own convolutions and windows inside of TensorFlow graphs.

#include <algorithm>

#include "frontend/tensorflow/ops/families.h"
#include "frontend/tensorflow/ops/operands.h"
#include "frontend/tensorflow/ops/xla_numbers.h"

namespace tilewise::tf {
namespace {

// Returns where each of `order` is: the permutation back.
std::vector<int64_t> Inverse(const std::vector<int64_t>& order) {
  std::vector<int64_t> inverse(order.size(), 0);
  for (size_t i = 0; i < order.size(); ++i) {
    const size_t to = order[i];
    if (to < inverse.size()) inverse[to] = static_cast<int64_t>(i);
  }
  return inverse;
}

bool IsPermutation(std::vector<int64_t> order, int64_t rank) {
  std::sort(order.begin(), order.end());
  return order == AllDims(rank);
}

OpId Permuted(GraphBuilder& b, OpId x, const std::vector<int64_t>& order) {
  return order == AllDims(b.shape(x).rank()) ? x : b.Transpose(x, order);
}

// A batch or feature dim, the spatial ones, and the other of the two.
std::vector<int64_t> Order(const DimensionNumbers& n, size_t first, size_t spatial, size_t last) {
  std::vector<int64_t> order = n[spatial];
  order.insert(order.begin(), Single(n, first));
  order.push_back(Single(n, last));
  return order;
}

// Operands: x, kernel, strides, [dims, 2] padding, dilations of both, groups.
absl::StatusOr<std::vector<WindowDim>> XlaWindow(const OpContext& ctx, size_t spatial) {
  TW_ASSIGN_OR_RETURN(const auto strides, KnownList(ctx, 2, "strides"));
  TW_ASSIGN_OR_RETURN(const auto padding, KnownList(ctx, 3, "padding"));
  TW_ASSIGN_OR_RETURN(const auto base, KnownList(ctx, 4, "lhs_dilation"));
  TW_ASSIGN_OR_RETURN(const auto dilations, KnownList(ctx, 5, "rhs_dilation"));
  if (strides.size() != spatial || padding.size() != 2 * spatial || base.size() != spatial ||
      dilations.size() != spatial) {
    return InvalidInput("the windows differ in their number of dims");
  }
  std::vector<WindowDim> window(spatial);
  for (size_t i = 0; i < spatial; ++i) {
    WindowDim& dim = window[i];
    dim.stride = strides[i];
    dim.pad_low = padding[2 * i];
    dim.pad_high = padding[2 * i + 1];
    dim.base_dilation = base[i];
    dim.dilation = dilations[i];
  }
  return window;
}

absl::Status XlaConv(OpContext& ctx) {
  namespace field = convolution;
  TW_ASSIGN_OR_RETURN(OpId x, Tensor(ctx, 0));
  TW_ASSIGN_OR_RETURN(OpId kernel, Tensor(ctx, 1));
  TW_ASSIGN_OR_RETURN(const DimensionNumbers n, NumbersOf(ctx));
  const size_t spatial = n[field::kInputSpatial].size();
  TW_ASSIGN_OR_RETURN(auto window, XlaWindow(ctx, spatial));
  TW_ASSIGN_OR_RETURN(const int64_t groups, KnownSingle(ctx, 6, "feature_group_count"));
  if (ctx.Int("batch_group_count", 1) != 1) {
    return InvalidInput("a convolution in groups of the batch");
  }
  GraphBuilder& b = ctx.builder();
  const auto in = Order(n, field::kInputBatch, field::kInputSpatial, field::kInputFeature);
  const auto out = Order(n, field::kOutputBatch, field::kOutputSpatial, field::kOutputFeature);
  std::vector<int64_t> weights = n[field::kKernelSpatial];
  weights.push_back(Single(n, field::kKernelIn));
  weights.push_back(Single(n, field::kKernelOut));
  const auto rank = static_cast<int64_t>(spatial) + 2;
  if (b.shape(x).rank() != rank || b.shape(kernel).rank() != rank || !IsPermutation(in, rank) ||
      !IsPermutation(out, rank) || !IsPermutation(weights, rank) || !b.shape(kernel).is_static()) {
    return InvalidInput("the dimension numbers do not fit the operands");
  }
  x = Permuted(b, x, in);
  kernel = Permuted(b, kernel, weights);
  for (size_t i = 0; i < spatial; ++i) {
    window[i].size = b.shape(kernel).size(static_cast<int64_t>(i));
  }
  const OpId y = b.Convolution(x, kernel, window, groups, false);
  return ctx.Result(Permuted(b, y, Inverse(out)));
}

// Windows over all dims; the graph's are over those between the first and the
// last, so that a dim of size 1 is put on either side.
struct AllWindows {
  std::vector<WindowDim> dims;
  std::vector<Dim> wide;
};

absl::StatusOr<AllWindows> ReadWindows(const OpContext& ctx, const Shape& x, int64_t first,
                                       bool dilates) {
  const int64_t padding_at = first + (dilates ? 4 : 2);
  TW_ASSIGN_OR_RETURN(const auto sizes, KnownList(ctx, first, "sizes"));
  TW_ASSIGN_OR_RETURN(const auto strides, KnownList(ctx, first + 1, "strides"));
  TW_ASSIGN_OR_RETURN(const auto padding, KnownList(ctx, padding_at, "padding"));
  std::vector<int64_t> base(sizes.size(), 1), dilations = base;
  if (dilates) {
    TW_ASSIGN_OR_RETURN(base, KnownList(ctx, first + 2, "base_dilations"));
    TW_ASSIGN_OR_RETURN(dilations, KnownList(ctx, first + 3, "window_dilations"));
  }
  const auto rank = x.dims.size();
  if (sizes.size() != rank || strides.size() != rank || base.size() != rank ||
      dilations.size() != rank || padding.size() != 2 * rank || rank == 0) {
    return InvalidInput("the windows have not one number for each dim");
  }
  AllWindows windows;
  for (size_t i = 0; i < rank; ++i) {
    windows.dims.push_back(
        {sizes[i], strides[i], padding[2 * i], padding[2 * i + 1], dilations[i], base[i]});
  }
  windows.wide = x.dims;
  windows.wide.insert(windows.wide.begin(), Dim{1, false});
  windows.wide.push_back({1, false});
  return windows;
}

OpId WithoutSides(GraphBuilder& b, OpId x) {
  const Shape from = b.shape(x);
  return b.Reshape(x, {from.dims.begin() + 1, from.dims.end() - 1});
}

absl::Status XlaReduceWindow(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const OpId x, Tensor(ctx, 0));
  GraphBuilder& b = ctx.builder();
  TW_ASSIGN_OR_RETURN(const AllWindows windows, ReadWindows(ctx, b.shape(x), 2, true));
  const OpId y = b.ReduceWindow(ReducerOf(ctx), b.Reshape(x, windows.wide), windows.dims, false);
  if (!b.ok()) return b.TakeStatus();
  return ctx.Result(WithoutSides(b, y));
}

// Operand, sizes, strides, padding, source, start.
absl::Status XlaSelectAndScatter(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const OpId x, Tensor(ctx, 0));
  TW_ASSIGN_OR_RETURN(const OpId dy, Tensor(ctx, 4));
  GraphBuilder& b = ctx.builder();
  TW_ASSIGN_OR_RETURN(const AllWindows windows, ReadWindows(ctx, b.shape(x), 1, false));
  std::vector<Dim> wide = b.shape(dy).dims;
  wide.insert(wide.begin(), Dim{1, false});
  wide.push_back({1, false});
  const OpId dx =
      b.SelectAndScatter(b.Reshape(x, windows.wide), b.Reshape(dy, wide), windows.dims, false);
  if (!b.ok()) return b.TakeStatus();
  return ctx.Result(WithoutSides(b, dx));
}

constexpr OpEntry kXlaWindowOps[] = {
    {"XlaConv", XlaConv},
    {"XlaConvV2", XlaConv},
    {"XlaReduceWindow", XlaReduceWindow},
    {"XlaSelectAndScatter", XlaSelectAndScatter},
};

}  // namespace

std::span<const OpEntry> XlaWindowOps() { return kXlaWindowOps; }

}  // namespace tilewise::tf
