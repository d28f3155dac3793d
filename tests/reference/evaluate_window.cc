// Pooling, dots, convolutions and their gradients, by their definitions.

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>

#include "base/check.h"
#include "tests/reference/kinds.h"

namespace tilewise::reference {
namespace {

size_t FirstSpatial(const WindowedAttrs& attrs) { return attrs.channels_first ? 2 : 1; }

size_t Feature(const WindowedAttrs& attrs) {
  return attrs.channels_first ? 1 : attrs.window.size() + 1;
}

Index WindowSizes(const WindowedAttrs& attrs) {
  Index sizes;
  for (const WindowDim& dim : attrs.window) sizes.push_back(dim.size);
  return sizes;
}

// The input index that tap `tap` of the window at output index `out` reads;
// nothing when it lies in the padding, or between elements. Batch and feature
// are those of `out`.
std::optional<Index> TapIndex(const WindowedAttrs& attrs, const Index& out, const Index& tap,
                              const Index& in_sizes) {
  Index in = out;
  for (size_t i = 0; i < attrs.window.size(); ++i) {
    const WindowDim& dim = attrs.window[i];
    const size_t d = FirstSpatial(attrs) + i;
    in[d] = out[d] * dim.stride + tap[i] * dim.dilation - dim.pad_low;
    if (in[d] % dim.base_dilation != 0) return std::nullopt;
    in[d] /= dim.base_dilation;
    if (in[d] < 0 || in[d] >= in_sizes[d]) return std::nullopt;
  }
  return in;
}

void ReduceWindow(const Op& op, const Tensor& x, Tensor& out) {
  ForEachIndex(out.sizes, [&](const Index& at) {
    double sum = ReducerStart(op.as<PoolAttrs>().reducer);
    ForEachIndex(WindowSizes(op.as<PoolAttrs>()), [&](const Index& tap) {
      const auto in = TapIndex(op.as<PoolAttrs>(), at, tap, x.sizes);
      if (in) sum = Reduced(op.as<PoolAttrs>().reducer, sum, x[*in]);
    });
    out[at] = sum;
  });
}

// dx: each dy goes to the first largest element of its window.
void SelectAndScatter(const Op& op, const Tensor& x, const Tensor& dy, Tensor& out) {
  ForEachIndex(dy.sizes, [&](const Index& at) {
    double best = -std::numeric_limits<double>::infinity();
    std::optional<Index> winner;
    ForEachIndex(WindowSizes(op.as<PoolAttrs>()), [&](const Index& tap) {
      const auto in = TapIndex(op.as<PoolAttrs>(), at, tap, x.sizes);
      if (!in || (winner && x[*in] <= best)) return;
      best = x[*in];
      winner = in;
    });
    if (winner) out[*winner] += dy[at];
  });
}

// Calls `visit(x index, kernel index, y index)` for every product that a
// convolution adds up.
void ForEachProduct(const ConvAttrs& attrs, const Index& x_sizes, const Index& kernel_sizes,
                    const Index& y_sizes,
                    const std::function<void(const Index&, const Index&, const Index&)>& visit) {
  const size_t feature = Feature(attrs);
  const int64_t in_per_group = kernel_sizes[kernel_sizes.size() - 2];
  const int64_t out_per_group = kernel_sizes.back() / attrs.groups;
  ForEachIndex(y_sizes, [&](const Index& y) {
    const int64_t group = y[feature] / out_per_group;
    ForEachIndex(WindowSizes(attrs), [&](const Index& tap) {
      std::optional<Index> x = TapIndex(attrs, y, tap, x_sizes);
      if (!x) return;
      Index kernel = tap;
      kernel.push_back(0);
      kernel.push_back(y[feature]);
      for (int64_t in = 0; in < in_per_group; ++in) {
        (*x)[feature] = group * in_per_group + in;
        kernel[tap.size()] = in;
        visit(*x, kernel, y);
      }
    });
  });
}

}  // namespace

void EvaluateWindow(const Op& op, Operands in, Tensor& out) {
  if (op.kind == OpKind::kReduceWindow) return ReduceWindow(op, *in[0], out);
  SelectAndScatter(op, *in[0], *in[1], out);
}

void EvaluateConvolution(const Op& op, Operands in, Tensor& out) {
  const Tensor& a = *in[0];
  const Tensor& b = *in[1];
  switch (op.kind) {
    case OpKind::kConvolution:  // x, kernel -> y
      return ForEachProduct(
          op.as<ConvAttrs>(), a.sizes, b.sizes, out.sizes,
          [&](const Index& x, const Index& kernel, const Index& y) { out[y] += a[x] * b[kernel]; });
    case OpKind::kConvInputGrad:  // dy, kernel -> dx
      return ForEachProduct(
          op.as<ConvAttrs>(), out.sizes, b.sizes, a.sizes,
          [&](const Index& x, const Index& kernel, const Index& y) { out[x] += a[y] * b[kernel]; });
    case OpKind::kConvKernelGrad:  // x, dy -> dkernel
      return ForEachProduct(
          op.as<ConvAttrs>(), a.sizes, out.sizes, b.sizes,
          [&](const Index& x, const Index& kernel, const Index& y) { out[kernel] += a[x] * b[y]; });
    default:
      TW_CHECK(false);
  }
}

void EvaluateDot(const Op& op, Operands in, Tensor& out) {
  const DotDims& dot = op.as<DotAttrs>();
  const auto free_dims = [](const Tensor& x, const std::vector<int64_t>& batch,
                            const std::vector<int64_t>& contract) {
    std::vector<int64_t> dims;
    for (int64_t d = 0; d < static_cast<int64_t>(x.sizes.size()); ++d) {
      if (std::find(batch.begin(), batch.end(), d) == batch.end() &&
          std::find(contract.begin(), contract.end(), d) == contract.end()) {
        dims.push_back(d);
      }
    }
    return dims;
  };
  const Tensor& lhs = *in[0];
  const Tensor& rhs = *in[1];
  const auto lhs_free = free_dims(lhs, dot.lhs_batch, dot.lhs_contract);
  const auto rhs_free = free_dims(rhs, dot.rhs_batch, dot.rhs_contract);
  ForEachIndex(out.sizes, [&](const Index& at) {
    Index left(lhs.sizes.size(), 0);
    Index right(rhs.sizes.size(), 0);
    size_t next = 0;
    for (size_t i = 0; i < dot.lhs_batch.size(); ++i, ++next) {
      left[dot.lhs_batch[i]] = at[next];
      right[dot.rhs_batch[i]] = at[next];
    }
    for (const int64_t d : lhs_free) left[d] = at[next++];
    for (const int64_t d : rhs_free) right[d] = at[next++];
    ForEachIndex(Picked(lhs.sizes, dot.lhs_contract), [&](const Index& k) {
      for (size_t i = 0; i < k.size(); ++i) {
        left[dot.lhs_contract[i]] = k[i];
        right[dot.rhs_contract[i]] = k[i];
      }
      out[at] += lhs[left] * rhs[right];
    });
  });
}

}  // namespace tilewise::reference
