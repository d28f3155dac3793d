// Pools, and dims of other sizes.

#include "library/windows.h"

#include "frontend/onnx/ops/made.h"
#include "frontend/program/ops/made.h"
#include "frontend/program/ops/window.h"
#include "library/resize.h"

namespace tilewise::program {
namespace {

constexpr std::array<std::pair<std::string_view, Reducer>, 5> kWindowReducers = {{
    {"sum", Reducer::kSum},
    {"max", Reducer::kMax},
    {"min", Reducer::kMin},
    {"product", Reducer::kProduct},
    {"mean", Reducer::kSum},
}};

bool IsTrivial(const WindowDim& w) {
  return w.size == 1 && w.stride == 1 && w.pad_low == 0 && w.pad_high == 0 && w.base_dilation == 1;
}

// Operand 0 as [batch, spatial.., feature], and its window. One that is given
// for all dims says by what it leaves alone which these are; an array without
// such dims gets some.
struct Pooled {
  OpId x = kNoOp;
  bool channels_first = false;
  std::vector<WindowDim> window;
  std::vector<WindowDim> added;  // not empty: a batch and a feature were added
};

Pooled PooledOf(OpCall& call) {
  GraphBuilder& b = call.builder();
  Pooled pooled;
  pooled.x = call.Input(0);
  if (!call.ok()) return pooled;
  pooled.channels_first = call.Bool("channels_first", false);
  const Shape shape = b.shape(pooled.x);
  const auto given = static_cast<int64_t>(call.Ints("window").size());
  if (given != shape.rank()) {
    pooled.window =
        WindowDimsOf(call, call.Ints("window"), SpatialSizes(b, pooled.x, pooled.channels_first));
    return pooled;
  }
  std::vector<WindowDim> all = WindowDimsOf(call, call.Ints("window"), shape.sizes());
  if (!call.ok()) return pooled;
  if (given >= 3 && IsTrivial(all.front()) && (IsTrivial(all.back()) || IsTrivial(all[1]))) {
    pooled.channels_first = !IsTrivial(all.back());
    all.erase(all.begin() + (pooled.channels_first ? 1 : given - 1));
    all.erase(all.begin());
    pooled.window = std::move(all);
    return pooled;
  }
  std::vector<Dim> dims = shape.dims;
  dims.insert(dims.begin(), Dim{});
  dims.emplace_back();
  pooled.x = b.Reshape(pooled.x, std::move(dims));
  pooled.channels_first = false;
  pooled.window = pooled.added = std::move(all);
  return pooled;
}

void SetPooled(OpCall& call, const Pooled& pooled, OpId y) {
  GraphBuilder& b = call.builder();
  if (!pooled.added.empty() && call.ok()) {
    std::vector<Dim> dims = b.shape(y).dims;
    dims.erase(dims.begin());
    dims.pop_back();
    y = b.Reshape(y, std::move(dims));
  }
  call.Set(0, y);
}

OpId Averaged(OpCall& call, const Pooled& pooled) {
  return AveragePool(call.builder(), pooled.x, pooled.window, pooled.channels_first,
                     call.Bool("count_padding", false));
}

void ReduceWindowCall(OpCall& call) {
  const Reducer* kind = OfKind(call, kWindowReducers, "max");
  const Pooled pooled = PooledOf(call);
  if (!call.ok()) return;
  const bool mean = call.Text("kind", "") == "mean";
  SetPooled(
      call, pooled,
      mean ? Averaged(call, pooled)
           : call.builder().ReduceWindow(*kind, pooled.x, pooled.window, pooled.channels_first));
}

// Where the maxima of the windows of operand 0 are, operand 1 is added: the gradient of max
// pooling.
void SelectAndScatterCall(OpCall& call) {
  const Pooled pooled = PooledOf(call);
  OpId dy = call.Input(1);
  if (!call.ok()) return;
  GraphBuilder& b = call.builder();
  if (!pooled.added.empty()) {
    std::vector<Dim> dims = b.shape(dy).dims;
    dims.insert(dims.begin(), Dim{});
    dims.emplace_back();
    dy = b.Reshape(dy, std::move(dims));
  }
  SetPooled(call, pooled,
            b.Add(OpKind::kSelectAndScatter, {pooled.x, b.Convert(dy, b.shape(pooled.x).dtype)},
                  PoolAttrs{{pooled.window, pooled.channels_first}, Reducer::kMax}));
}

void AveragePoolCall(OpCall& call) {
  const Pooled pooled = PooledOf(call);
  if (call.ok()) SetPooled(call, pooled, Averaged(call, pooled));
}

constexpr std::array<std::pair<std::string_view, ResizeMode>, 9> kModes = {{
    {"nearest", ResizeMode::kNearest},
    {"nearest-exact", ResizeMode::kNearest},
    {"linear", ResizeMode::kLinear},
    {"bilinear", ResizeMode::kLinear},
    {"trilinear", ResizeMode::kLinear},
    {"area", ResizeMode::kLinear},
    {"cubic", ResizeMode::kCubic},
    {"bicubic", ResizeMode::kCubic},
    {"lanczos3", ResizeMode::kCubic},
}};

void ResizeCall(OpCall& call) {
  const std::string_view mode = call.Text("mode", "nearest");
  const ResizeMode* found = FindNamed(kModes, mode);
  if (found == nullptr) return call.Fail(fmt::format("found mode '{}'", mode));
  const Shape from = call.ShapeOf(0);
  const std::vector<int64_t> given = DimList(call, "dims", from.rank());
  const std::vector<int64_t> wanted = ListOf(call, "sizes").value_or(std::vector<int64_t>());
  if (!call.ok()) return;
  if (given.size() != wanted.size()) {
    return call.Fail(fmt::format("found {} sizes of {} dims", wanted.size(), given.size()));
  }
  std::vector<int64_t> dims, sizes;
  for (size_t i = 0; i < given.size(); ++i) {
    if (from.dims[given[i]].factor == wanted[i]) continue;
    dims.push_back(given[i]);
    sizes.push_back(wanted[i]);
  }
  if (dims.empty()) return call.Forward(0, 0);
  call.Set(0, ResizeDims(call.builder(), call.Input(0), dims, sizes, *found));
}

constexpr OpEntry kWindowOps[] = {
    {"reduce_window", ReduceWindowCall},
    {"select_and_scatter", SelectAndScatterCall},
    {"avg_pool", AveragePoolCall},
    {"resize", ResizeCall},
};

}  // namespace

std::vector<WindowDim> WindowDimsOf(OpCall& call, const std::vector<int64_t>& sizes,
                                    const std::vector<int64_t>& spatial) {
  if (sizes.size() != spatial.size()) {
    call.Fail(fmt::format("found a window of {} dims over {}", sizes.size(), spatial.size()));
    return {};
  }
  const auto rank = static_cast<int64_t>(sizes.size());
  const std::vector<int64_t> strides = PerDim(call, "strides", rank, 1);
  const std::vector<int64_t> low = PerDim(call, "low", rank, 0);
  const std::vector<int64_t> high = PerDim(call, "high", rank, 0);
  const std::vector<int64_t> base = PerDim(call, "lhs_dilation", rank, 1);
  const bool named = call.Find("dilation") != nullptr;
  const std::vector<int64_t> dilation = PerDim(call, named ? "dilation" : "rhs_dilation", rank, 1);
  for (const auto* list : {&sizes, &spatial, &strides, &low, &high, &base, &dilation}) {
    if (!onnx::InWindowRange(call, *list)) return {};
  }
  const std::string_view padding = call.Text("padding", "");
  std::vector<WindowDim> window;
  for (size_t i = 0; i < sizes.size(); ++i) {
    WindowDim dim{sizes[i], strides[i], low[i], high[i], dilation[i], base[i]};
    if (dim.size < 1 || dim.stride < 1 || dim.dilation < 1 || dim.base_dilation < 1) {
      call.Fail(fmt::format("found window {}, stride {}, dilation {}", dim.size, dim.stride,
                            dim.dilation));
      return {};
    }
    const bool same = padding == "SAME" || padding == "SAME_LOWER";
    if (same) PadSame(dim, (spatial[i] - 1) * dim.base_dilation + 1, padding == "SAME_LOWER");
    window.push_back(dim);
  }
  return window;
}

std::span<const OpEntry> WindowOps() { return kWindowOps; }

}  // namespace tilewise::program
