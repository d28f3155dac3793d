// Elements in another order, or more of them.

#include <numeric>

#include "base/math.h"
#include "frontend/program/ops/made.h"
#include "library/rearrange.h"

namespace tilewise::program {
namespace {

// Elements of a static shape; those of traces are.
int64_t ElementsOf(const Shape& shape) {
  int64_t count = 1;
  for (const Dim& dim : shape.dims) count *= dim.factor;
  return count;
}

// One size may be -1: what is left.
void ReshapeCall(OpCall& call) {
  std::vector<int64_t> sizes = ListOf(call, "shape").value_or(std::vector<int64_t>());
  const Shape from = call.ShapeOf(0);
  int64_t others = 1;
  int64_t* open = nullptr;
  for (int64_t& size : sizes) {
    if (size >= 0) {
      others = CheckedMul(others, size).value_or(0);
    } else if (size == -1 && open == nullptr) {
      open = &size;
    } else {
      return call.Fail(fmt::format("found size {} to reshape to", size));
    }
  }
  if (open != nullptr) {
    if (others == 0 || ElementsOf(from) % others != 0) {
      return call.Fail(
          fmt::format("found {}, whose elements are no multiple of {}", FormatShape(from), others));
    }
    *open = ElementsOf(from) / others;
  }
  if (call.IsTensor(0) && from.dims == DimsOfSizes(sizes)) return call.Forward(0, 0);
  call.Set(0, call.builder().Reshape(call.AnyInput(0), DimsOfSizes(sizes)));
}

void TransposeCall(OpCall& call) {
  std::vector<int64_t> order = call.Ints("permutation");
  const int64_t rank = call.ShapeOf(0).rank();
  if (call.Find("permutation") == nullptr) {
    for (int64_t dim = rank - 1; dim >= 0; --dim) order.push_back(dim);
  }
  order = OrderedDims(call, std::move(order), rank);
  if (!call.ok()) return;
  call.Set(0, call.builder().Transpose(call.AnyInput(0), std::move(order)));
}

void SqueezeCall(OpCall& call) {
  const OpId x = call.AnyInput(0);
  call.Set(0, Squeezed(call.builder(), x, ListOf(call, "dims").value_or(std::vector<int64_t>())));
}

void UnsqueezeCall(OpCall& call) {
  const OpId x = call.AnyInput(0);
  call.Set(0, Unsqueezed(call.builder(), x, ListOf(call, "dims").value_or(std::vector<int64_t>())));
}

// Dim i of the operand becomes dim dims[i]; none given: trailing dims are
// aligned, as numpy does.
void BroadcastCall(OpCall& call) {
  const Shape shape = ShapeAttr(call, call.ShapeOf(0).dtype);
  const OpId x = call.AnyInput(0);
  if (!call.ok()) return;
  GraphBuilder& b = call.builder();
  const auto dims = ListOf(call, "dims");
  if (!dims) return call.Set(0, b.BroadcastTo(x, shape.dims));
  // Dims of size 1 are stretched.
  std::vector<int64_t> stretched, kept;
  for (size_t i = 0; i < dims->size() && i < b.shape(x).dims.size(); ++i) {
    const int64_t to = (*dims)[i];
    const bool fits = to >= 0 && to < shape.rank();
    const bool stretches =
        fits && b.shape(x).dims[i] == Dim{1, false} && shape.dims[to] != Dim{1, false};
    if (stretches) {
      stretched.push_back(static_cast<int64_t>(i));
    } else {
      kept.push_back(to);
    }
  }
  const OpId squeezed = stretched.empty() ? x : Squeezed(b, x, stretched);
  call.Set(0, BroadcastInDim(b, squeezed, shape.dims, stretched.empty() ? *dims : kept));
}

// Python's rules: indices may count from the end, and are clamped.
// Rows `range` of `x` where they may be whole batches of several that were joined (two views of
// each image, real and made examples): each batch stays whole as a row of a dim of its own.
// Nothing: the rows are other ones.
std::optional<OpId> WholeBatches(GraphBuilder& b, OpId x, const DimRange& range) {
  constexpr int64_t kMostBatches = 16;
  const Shape from = b.shape(x);
  const int64_t rows = from.size(0);
  const int64_t each = std::gcd(std::gcd(range.start, range.count), rows);
  if (each < 2 || rows / each > kMostBatches || range.count == rows) return std::nullopt;
  std::vector<Dim> dims = from.dims;
  dims[0].factor = each;
  dims.insert(dims.begin(), Dim{rows / each, false});
  std::vector<int64_t> starts(dims.size(), 0), limits;
  for (const Dim& dim : dims) limits.push_back(dim.factor);
  starts[0] = range.start / each;
  limits[0] = (range.start + range.count) / each;
  const OpId part = b.Slice(b.Reshape(x, dims), std::move(starts), std::move(limits), {});
  dims = from.dims;
  dims[0].factor = range.count;
  return b.Reshape(part, std::move(dims));
}

void SliceCall(OpCall& call) {
  constexpr int64_t kEnd = int64_t{1} << 40;
  const Shape from = call.ShapeOf(0);
  const std::vector<int64_t> starts = PerDim(call, "starts", from.rank(), 0);
  const std::vector<int64_t> limits = PerDim(call, "limits", from.rank(), kEnd);
  const std::vector<int64_t> strides = PerDim(call, "strides", from.rank(), 1);
  if (!call.ok()) return;
  std::vector<SliceRange> ranges;
  Shape result = from;
  for (int64_t dim = 0; dim < from.rank(); ++dim) {
    if (strides[dim] == 0) return call.Fail("found a stride of 0");
    ranges.push_back({dim, starts[dim], limits[dim], strides[dim]});
    result.dims[dim].factor =
        ResolveRange(from.dims[dim].factor, starts[dim], limits[dim], strides[dim]).count;
  }
  if (HasNoElements(result)) return call.SetValue(0, Value::Empty(std::move(result)));
  if (call.IsTensor(0) && result == from && strides == std::vector<int64_t>(from.rank(), 1)) {
    return call.Forward(0, 0);
  }
  GraphBuilder& b = call.builder();
  OpId x = call.Input(0);
  if (!call.ok()) return;
  const OpKind kind = b.op(x).kind;
  const bool made = kind != OpKind::kVariable && kind != OpKind::kConstant;
  if (made && from.rank() > 0 && strides[0] == 1) {
    const DimRange rows = ResolveRange(from.size(0), starts[0], limits[0], 1);
    if (const std::optional<OpId> part = WholeBatches(b, x, rows)) {
      x = *part;
      ranges.erase(ranges.begin());
      if (b.shape(x) == result) return call.Set(0, x);
    }
  }
  call.Set(0, SliceRanges(b, x, ranges));
}

// Operands of a common type; those without elements are left out.
std::vector<OpId> Joined(OpCall& call) {
  std::vector<OpId> all;
  GraphBuilder& b = call.builder();
  for (int64_t i = 0; i < call.num_inputs() && call.ok(); ++i) {
    if (!call.input(i).is_empty()) all.push_back(call.Input(i));
  }
  if (all.empty() || !call.ok()) return all;
  DType type = b.shape(all[0]).dtype;
  for (const OpId x : all) type = CommonType(type, b.shape(x).dtype);
  for (OpId& x : all) x = b.Convert(x, type);
  return all;
}

void ConcatenateCall(OpCall& call) {
  const std::vector<OpId> all = Joined(call);
  if (!call.ok()) return;
  if (all.empty()) return call.Forward(0, 0);
  GraphBuilder& b = call.builder();
  const int64_t dim = DimOf(b, call.Int("dim", 0), b.shape(all[0]).rank());
  if (call.ok()) call.Set(0, b.Concatenate(all, dim));
}

void StackCall(OpCall& call) {
  const std::vector<OpId> all = Joined(call);
  if (!call.ok()) return;
  if (all.empty()) return call.Fail("found no elements to stack");
  call.Set(0, Stack(call.builder(), all, call.Int("dim", 0)));
}

void PadCall(OpCall& call) {
  const int64_t rank = call.ShapeOf(0).rank();
  std::vector<int64_t> low = PerDim(call, "low", rank, 0), high = PerDim(call, "high", rank, 0);
  std::vector<int64_t> interior = PerDim(call, "interior", rank, 0);
  const OpId x = call.AnyInput(0);
  if (!call.ok()) return;
  GraphBuilder& b = call.builder();
  const double value = call.Float("value", call.KnownNumber(1).value_or(0));
  const bool gaps = std::any_of(interior.begin(), interior.end(), [](int64_t n) { return n != 0; });
  call.Set(0, gaps ? b.Pad(x, value, std::move(low), std::move(high), std::move(interior))
                   : PadWith(b, x, PadMode::kConstant, value, low, high));
}

constexpr std::array<std::pair<std::string_view, PadMode>, 8> kPadModes = {{
    {"constant", PadMode::kConstant},
    {"reflect", PadMode::kReflect},
    {"symmetric", PadMode::kSymmetric},
    {"edge", PadMode::kEdge},
    {"replicate", PadMode::kEdge},
    {"wrap", PadMode::kWrap},
    {"circular", PadMode::kWrap},
    {"zeros", PadMode::kConstant},
}};

void PadModeCall(OpCall& call) {
  const std::string_view mode = call.Text("mode", "constant");
  const PadMode* found = FindNamed(kPadModes, mode);
  if (found == nullptr) return call.Fail(fmt::format("found mode '{}'", mode));
  const int64_t rank = call.ShapeOf(0).rank();
  const std::vector<int64_t> low = PerDim(call, "low", rank, 0);
  const std::vector<int64_t> high = PerDim(call, "high", rank, 0);
  const OpId x = call.Input(0);
  if (call.ok()) {
    call.Set(0, PadWith(call.builder(), x, *found, call.Float("value", 0), low, high));
  }
}

void ReverseCall(OpCall& call) {
  const OpId x = call.AnyInput(0);
  GraphBuilder& b = call.builder();
  const std::vector<int64_t> dims =
      DimsOf(b, ListOf(call, "dims").value_or(std::vector<int64_t>()), b.shape(x).rank());
  if (call.ok()) call.Set(0, b.Reverse(x, dims));
}

// A slice of `sizes` from starts that are operands `first` on, one per dim of
// operand 0 or all in one vector.
struct DynamicPart {
  std::vector<OpId> starts;
  std::vector<int64_t> dims, sizes;
  std::vector<int64_t> known;  // all starts, where they are known; clamped
};

DynamicPart PartOf(OpCall& call, int64_t first, const Shape& whole,
                   const std::vector<int64_t>& sizes) {
  DynamicPart part;
  GraphBuilder& b = call.builder();
  const int64_t rank = whole.rank();
  const bool vector = call.num_inputs() == first + 1 && call.ShapeOf(first).rank() == 1;
  const auto all = vector ? call.KnownInts(first) : std::nullopt;
  if (!vector && call.num_inputs() != first + rank) {
    call.Fail(fmt::format("found {} starts of a part of {}", call.num_inputs() - first,
                          FormatShape(whole)));
    return part;
  }
  bool is_known = true;
  for (int64_t dim = 0; dim < rank && call.ok(); ++dim) {
    const int64_t size = sizes[dim], last = whole.dims[dim].factor - size;
    if (size < 1 || last < 0) {
      call.Fail(fmt::format("found a part of size {} in {}", size, FormatShape(whole)));
      return part;
    }
    std::optional<int64_t> start = last == 0 ? std::optional<int64_t>(0) : std::nullopt;
    if (!start && all && static_cast<int64_t>(all->size()) > dim) start = (*all)[dim];
    if (!start && !vector) start = call.KnownInt(first + dim);
    is_known = is_known && start.has_value();
    part.known.push_back(std::clamp<int64_t>(start.value_or(0), 0, last));
  }
  if (is_known) return part;
  part.known.clear();
  for (int64_t dim = 0; dim < rank && call.ok(); ++dim) {
    if (sizes[dim] == whole.dims[dim].factor) continue;
    OpId start = call.Input(vector ? first : first + dim);
    if (vector) start = Squeezed(b, b.SliceDim(start, 0, dim, dim + 1), {0});
    part.starts.push_back(start);
    part.dims.push_back(dim);
    part.sizes.push_back(sizes[dim]);
  }
  return part;
}

void DynamicSliceCall(OpCall& call) {
  const Shape whole = call.ShapeOf(0);
  const std::vector<int64_t> sizes = PerDim(call, "sizes", whole.rank(), 1);
  const OpId x = call.Input(0);
  if (!call.ok()) return;
  const DynamicPart part = PartOf(call, 1, whole, sizes);
  if (!call.ok()) return;
  GraphBuilder& b = call.builder();
  if (part.known.empty() && whole.rank() > 0) {
    return call.Set(0, b.DynamicSlice(x, part.starts, part.dims, part.sizes));
  }
  std::vector<int64_t> limits = part.known;
  for (size_t i = 0; i < limits.size(); ++i) limits[i] += sizes[i];
  call.Set(0, b.Slice(x, part.known, std::move(limits), {}));
}

void DynamicUpdateSliceCall(OpCall& call) {
  const Shape whole = call.ShapeOf(0), update = call.ShapeOf(1);
  if (whole.rank() != update.rank()) {
    return call.Fail(
        fmt::format("found an update {} of {}", FormatShape(update), FormatShape(whole)));
  }
  GraphBuilder& b = call.builder();
  const OpId x = call.Input(0);
  const OpId part = b.Convert(call.Input(1), whole.dtype);
  if (!call.ok()) return;
  const DynamicPart place = PartOf(call, 2, whole, update.sizes());
  if (!call.ok()) return;
  if (whole.dims == update.dims) return call.Set(0, part);
  if (place.known.empty()) {
    return call.Set(0, b.DynamicUpdateSlice(x, part, place.starts, place.dims));
  }
  std::vector<OpId> starts;
  std::vector<int64_t> dims;
  for (int64_t dim = 0; dim < whole.rank(); ++dim) {
    if (update.dims[dim] == whole.dims[dim]) continue;
    starts.push_back(b.Scalar(static_cast<double>(place.known[dim]), DType::kS32));
    dims.push_back(dim);
  }
  call.Set(0, b.DynamicUpdateSlice(x, part, starts, dims));
}

void IotaCall(OpCall& call) {
  const Shape shape = ShapeAttr(call, TypeOf(call, DType::kS32));
  if (!call.ok()) return;
  if (HasNoElements(shape)) return call.SetValue(0, Value::Empty(shape));
  GraphBuilder& b = call.builder();
  const int64_t dim = DimOf(b, call.Int("dim", 0), shape.rank());
  if (call.ok()) call.Set(0, b.Iota(shape, dim));
}

void TileCall(OpCall& call) {
  const OpId x = call.AnyInput(0);
  const std::vector<int64_t> repeats = ListOf(call, "repeats").value_or(std::vector<int64_t>());
  GraphBuilder& b = call.builder();
  const auto more = static_cast<int64_t>(repeats.size()) - b.shape(x).rank();
  std::vector<int64_t> each = repeats;
  if (more < 0) each.insert(each.begin(), static_cast<size_t>(-more), 1);
  std::vector<Dim> dims = b.shape(x).dims;
  if (more > 0) dims.insert(dims.begin(), static_cast<size_t>(more), Dim{});
  if (call.ok()) call.Set(0, Tile(b, b.Reshape(x, std::move(dims)), each));
}

void TriangleCall(OpCall& call) {
  const OpId x = call.AnyInput(0);
  if (!call.ok() || call.builder().shape(x).rank() < 2) return call.Fail("found no matrix");
  call.Set(0, Triangle(call.builder(), x, call.Bool("lower", true), call.Int("k", 0)));
}

void EyeCall(OpCall& call) {
  const int64_t rows = call.Int("rows", 1);
  const int64_t columns = call.Int("columns", rows);
  if (rows < 1 || columns < 1) return call.Fail("found no elements");
  call.Set(0, Eye(call.builder(), rows, columns, call.Int("k", 0), TypeOf(call, DType::kF32)));
}

// What a rotation costs: each element is read and written once, whatever the distance. The batch is
// a dim that cannot be cut.
void RotateCall(OpCall& call) {
  const OpId x = call.AnyInput(0);
  if (call.ok()) call.Set(0, call.builder().Copy(x));
}

constexpr OpEntry kMoveOps[] = {
    {"reshape", ReshapeCall},
    {"transpose", TransposeCall},
    {"squeeze", SqueezeCall},
    {"unsqueeze", UnsqueezeCall},
    {"broadcast_in_dim", BroadcastCall},
    {"slice", SliceCall},
    {"concatenate", ConcatenateCall},
    {"stack", StackCall},
    {"pad", PadCall},
    {"pad_mode", PadModeCall},
    {"reverse", ReverseCall},
    {"rotate", RotateCall},
    {"dynamic_slice", DynamicSliceCall},
    {"dynamic_update_slice", DynamicUpdateSliceCall},
    {"iota", IotaCall},
    {"tile", TileCall},
    {"triangle", TriangleCall},
    {"eye", EyeCall},
};

}  // namespace

std::span<const OpEntry> MoveOps() { return kMoveOps; }

}  // namespace tilewise::program
