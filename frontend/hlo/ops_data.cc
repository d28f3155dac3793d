// Instructions that move elements: the same in the graph, but for padding that
// removes elements, per-batch dims, and bitcasts, which follow layouts.

#include <algorithm>

#include <fmt/format.h>

#include "base/math.h"
#include "frontend/hlo/library_calls.h"
#include "frontend/hlo/ops.h"
#include "frontend/hlo/shapes.h"
#include "library/broadcast.h"

namespace tilewise::hlo {
namespace {

// Makes dims of as many times the elements of `x` as there are in `dims`: dims
// that depend on the batch get what the other dims leave.
std::vector<Dim> SolveBatchDims(const Shape& x, const HloShape& wanted) {
  std::vector<Dim> dims = GraphDims(wanted);
  double left = 1;
  int64_t open = 0;
  for (const Dim& dim : x.dims) left *= static_cast<double>(dim.factor);
  for (const Dim& dim : dims) {
    if (dim.per_batch) {
      ++open;
    } else {
      left /= static_cast<double>(std::max<int64_t>(1, dim.factor));
    }
  }
  if (open != 1 || left < 1 || left > 1e15) return dims;
  for (Dim& dim : dims) {
    if (dim.per_batch) dim.factor = static_cast<int64_t>(left + 0.5);
  }
  // A dim without a bound need not be the batch.
  const bool from_batch =
      std::any_of(x.dims.begin(), x.dims.end(), [](const Dim& d) { return d.per_batch; });
  if (!from_batch) {
    for (Dim& dim : dims) dim.per_batch = false;
  }
  return dims;
}

// The dims of `shape` that `start` operands from `first` on move, and the
// scalars themselves. Old modules have all starts in one vector.
struct Starts {
  std::vector<int64_t> dims;
  std::vector<OpId> scalars;
};

Starts ReadStarts(Translation& t, const Site& site, size_t first, const Shape& whole,
                  const Shape& part) {
  GraphBuilder& e = t.emit();
  Starts starts;
  const size_t rank = whole.dims.size();
  const bool one_vector = site.operands.size() == first + 1 && site.operand(first) != kNoOp &&
                          e.shape(site.operand(first)).rank() == 1;
  for (size_t i = 0; i < rank && i < part.dims.size(); ++i) {
    if (whole.dims[i] == part.dims[i]) continue;
    OpId start = site.operand(one_vector ? first : first + i);
    if (one_vector) {
      const auto at = static_cast<int64_t>(i);
      start = e.Reshape(e.SliceDim(start, 0, at, at + 1), {});
    }
    starts.dims.push_back(static_cast<int64_t>(i));
    starts.scalars.push_back(start);
  }
  return starts;
}

// Returns whether amounts are within what sizes of arrays can be, either way.
bool AreSizes(const std::vector<int64_t>& amounts) {
  return std::all_of(amounts.begin(), amounts.end(), [](int64_t amount) {
    return amount >= -kMaxElements && amount <= kMaxElements;
  });
}

bool ChangesLayout(const Site& site) {
  const HloShape& from = site.producer(0).shape;
  return from.layout && site.shape.layout && from.layout != site.shape.layout;
}

// A producer of several results has the memory of its first.
bool IsOnHost(const HloShape& shape) {
  constexpr int64_t kHost = 5;
  if (shape.kind == HloShape::Kind::kTuple && !shape.elements.empty()) {
    return IsOnHost(shape.elements.front());
  }
  return shape.layout && shape.layout->memory_space == kHost;
}

}  // namespace

Value TranslateBroadcast(Translation& t, const Site& site) {
  const OpId x = site.operand(0);
  std::vector<Dim> dims = GraphDims(site.shape);
  const std::vector<int64_t>& mapping = site.instruction.dims;
  for (size_t i = 0; x != kNoOp && i < mapping.size(); ++i) {
    const size_t to = mapping[i];
    if (to >= dims.size() || i >= t.emit().shape(x).dims.size()) break;
    const Dim from = t.emit().shape(x).dims[i];
    // StableHLO stretches dims of size 1.
    if (from == Dim{} && dims[to] != Dim{}) {
      return TranslateDynamicBroadcast(t, site);
    }
    if (dims[to].per_batch || from.per_batch) dims[to] = from;
  }
  return BroadcastInDim(t.emit(), x, std::move(dims), mapping);
}

Value TranslateReshape(Translation& t, const Site& site) {
  const OpId x = site.operand(0);
  if (x == kNoOp) return t.emit().Unary(OpKind::kReshape, x);
  return t.emit().Reshape(x, SolveBatchDims(t.emit().shape(x), site.shape));
}

// The same bytes under other dims: read the operand in the order it has in
// memory, and write the result in the order that it has.
Value TranslateBitcast(Translation& t, const Site& site) {
  GraphBuilder& e = t.emit();
  OpId x = site.operand(0);
  if (x == kNoOp) return e.Unary(OpKind::kReshape, x);
  if (e.shape(x).dtype != site.shape.dtype) {
    if (BitWidth(e.shape(x).dtype) != BitWidth(site.shape.dtype)) {
      return TranslateBitcastConvert(t, site);
    }
    Shape retyped = e.shape(x).WithType(site.shape.dtype);
    x = e.Add(OpKind::kBitcastConvert, {x}, {}, std::move(retyped));
    if (x == kNoOp) return {};
  }
  const std::vector<int64_t> to = MajorToMinor(site.shape);
  const HloShape& from = site.producer(0).shape;
  if (from.dims.size() == e.shape(x).dims.size()) {
    x = e.Transpose(x, MajorToMinor(from));
  }
  const std::vector<Dim> wanted = SolveBatchDims(e.shape(x), site.shape);
  std::vector<Dim> dims;
  dims.reserve(to.size());
  for (const int64_t dim : to) dims.push_back(wanted[dim]);
  return e.Transpose(e.Reshape(x, std::move(dims)), InverseOf(to));
}

Value TranslateBitcastConvert(Translation& t, const Site& site) {
  return t.emit().Add(OpKind::kBitcastConvert, {site.operand(0)}, {}, GraphShape(site.shape));
}

Value TranslateTranspose(Translation& t, const Site& site) {
  return t.emit().Transpose(site.operand(0), site.instruction.dims);
}

Value TranslateReverse(Translation& t, const Site& site) {
  return t.emit().Reverse(site.operand(0), site.instruction.dims);
}

Value TranslateSlice(Translation& t, const Site& site) {
  const InstructionExtras& more = site.more();
  std::vector<int64_t> limits = more.slice->limits;
  const OpId x = site.operand(0);
  // What a compiler for TPUs left a sort is one.
  if (!t.compiled()) {
    const OpId first = FirstOfSort(t.emit(), x, more.slice);
    if (first != kNoOp) return first;
  }
  for (size_t i = 0; x != kNoOp && i < limits.size(); ++i) {
    if (i >= t.emit().shape(x).dims.size()) break;
    if (t.emit().shape(x).dims[i].per_batch) limits[i] = kWholeDim;
  }
  return t.emit().Slice(x, more.slice->starts, std::move(limits), more.slice->strides);
}

Value TranslatePad(Translation& t, const Site& site) {
  GraphBuilder& e = t.emit();
  const InstructionExtras& more = site.more();
  OpId x = site.operand(0);
  if (x == kNoOp) return e.BroadcastTo(site.operand(1), GraphDims(site.shape));
  const size_t rank = e.shape(x).dims.size();
  if (more.pad->low.size() != rank || more.pad->high.size() != rank ||
      site.shape.dims.size() != rank || !AreSizes(more.pad->low) || !AreSizes(more.pad->high)) {
    e.Fail(
        fmt::format("found padding of {} dims, expected sizes for {}", more.pad->low.size(), rank));
    return {};
  }
  PadAttrs attrs{more.pad->low, more.pad->high, more.pad->interior};
  attrs.interior.resize(rank, 0);
  std::vector<int64_t> starts(rank, 0);
  std::vector<int64_t> limits(rank, kWholeDim);
  bool pads = false;
  for (size_t i = 0; i < rank; ++i) {
    starts[i] = std::max<int64_t>(0, -attrs.low[i]);
    attrs.low[i] = std::max<int64_t>(0, attrs.low[i]);
    const int64_t cut = std::max<int64_t>(0, -attrs.high[i]);
    attrs.high[i] = std::max<int64_t>(0, attrs.high[i]);
    if (starts[i] + cut > 0) limits[i] = starts[i] + site.shape.dims[i];
    pads |= attrs.low[i] + attrs.high[i] + attrs.interior[i] > 0;
  }
  if (pads) x = e.Add(OpKind::kPad, {x, site.operand(1)}, std::move(attrs));
  return e.Slice(x, std::move(starts), std::move(limits), {});
}

Value TranslateConcatenate(Translation& t, const Site& site) {
  const std::vector<OpId> parts = site.arrays();
  if (parts.empty() || site.instruction.dims.size() != 1) {
    t.emit().Fail("found no operands or dim to concatenate");
    return {};
  }
  return t.emit().Concatenate(parts, site.instruction.dims[0]);
}

Value TranslateDynamicSlice(Translation& t, const Site& site) {
  GraphBuilder& e = t.emit();
  const OpId x = site.operand(0);
  if (x == kNoOp) return e.Unary(OpKind::kReshape, x);
  Shape part = GraphShape(site.shape);
  const Shape whole = e.shape(x);
  const Starts starts = ReadStarts(t, site, 1, whole, part);
  if (starts.dims.empty()) return x;
  std::vector<OpId> operands = {x};
  operands.insert(operands.end(), starts.scalars.begin(), starts.scalars.end());
  return e.Add(OpKind::kDynamicSlice, std::move(operands), DimsAttrs{starts.dims}, std::move(part));
}

Value TranslateDynamicUpdateSlice(Translation& t, const Site& site) {
  GraphBuilder& e = t.emit();
  const OpId x = site.operand(0);
  const OpId update = site.operand(1);
  if (x == kNoOp || update == kNoOp) return x;
  const Shape whole = e.shape(x);
  const Shape part = e.shape(update);
  const Starts starts = ReadStarts(t, site, 2, whole, part);
  const OpId alike = e.Convert(update, whole.dtype);
  if (starts.dims.empty()) return alike;
  std::vector<OpId> operands = {x, alike};
  operands.insert(operands.end(), starts.scalars.begin(), starts.scalars.end());
  return e.Add(OpKind::kDynamicUpdateSlice, std::move(operands), DimsAttrs{starts.dims});
}

// Copies are for the compiler to choose; those that a compiled module has are
// kept, as moves to another layout or memory.
Value TranslateCopy(Translation& t, const Site& site) {
  if (site.operands.empty()) return {};
  const bool moves = site.operands[0].is_op() && t.compiled() &&
                     (site.instruction.opcode == Opcode::kCopyStart || ChangesLayout(site));
  if (!moves) return site.operands[0];
  const bool from_host = IsOnHost(site.producer(0).shape);
  const bool to_host = IsOnHost(site.shape);
  if (to_host && !from_host) return t.emit().CopyToHost(site.operand(0));
  if (from_host && !to_host) return t.emit().CopyFromHost(site.operand(0), {});
  return t.emit().Barrier(site.operand(0), {});
}

Value TranslateFirstOperand(Translation&, const Site& site) {
  if (site.operands.empty()) return {};
  const std::vector<OpId> arrays = site.arrays();
  // An annotation may hold more than it returns.
  const bool takes_one =
      site.shape.kind == HloShape::Kind::kArray && site.operands[0].is_tuple() && !arrays.empty();
  return takes_one ? Value(arrays[0]) : site.operands[0];
}

Value TranslateDimensionSize(Translation& t, const Site& site) {
  const std::vector<int64_t>& dims = site.instruction.dims;
  if (site.operands.empty() || dims.size() != 1) {
    t.emit().Fail("found no dim to take the size of");
    return {};
  }
  const HloShape& shape = site.producer(0).shape;
  const size_t dim = dims[0];
  const int64_t size = dim < shape.dims.size() ? shape.dims[dim] : 1;
  return t.emit().Scalar(static_cast<double>(size), site.shape.dtype);
}

}  // namespace tilewise::hlo
