// Masks to cuts, cuts to slices. Follows the description of tf.strided_slice: bit i of a mask
// stands for entry i of begin, end and strides.

#include "frontend/tensorflow/ops/strided_slice.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "base/math.h"
#include "library/gather.h"

namespace tilewise::tf {
namespace {

struct Masks {
  int64_t begin = 0, end = 0, ellipsis = 0, new_axis = 0, shrink_axis = 0;
};

bool Bit(int64_t mask, size_t i) { return i < 63 && ((mask >> i) & 1) != 0; }

// What begin, end and strides say for one dim.
struct SliceEntry {
  std::optional<KnownNumber> begin, end;  // nullopt: masked
  std::optional<int64_t> dynamic;         // begin is data: its index
  int64_t stride = 1;
  bool is_index = false;
};

bool IsAll(const std::optional<KnownNumber>& end, const Dim& dim) {
  return !end || *end == KnownNumber{static_cast<double>(dim.factor), true};
}

// Indices beyond an end are clamped; negative ones count from the end.
int64_t Clamped(double place, int64_t size, int64_t low, int64_t high) {
  if (place < 0) place += static_cast<double>(size);
  if (std::isnan(place)) return low;
  return static_cast<int64_t>(
      std::clamp(place, static_cast<double>(low), static_cast<double>(high)));
}

// Cuts a dim that depends on the batch: it takes all of it, or a few elements from a known one on.
absl::StatusOr<Cut> BatchCut(const SliceEntry& entry, const Dim& dim) {
  if (entry.begin && entry.begin->per_batch) {
    return InvalidInput("a slice starts at a place that depends on the batch");
  }
  const double begin = entry.begin ? entry.begin->value : 0;
  const auto most = static_cast<double>(kMaxElements);
  if (!(std::abs(begin) < most) ||
      (entry.end && !(std::abs(entry.end->value) < most) && entry.stride != 1)) {
    return InvalidInput("a slice starts or ends beyond all sizes");
  }
  if (entry.is_index) {
    return Cut{false, std::max<int64_t>(0, static_cast<int64_t>(begin)), 1, 1};
  }
  if (entry.stride == 1 && begin == 0 && IsAll(entry.end, dim)) return Cut{};
  if (entry.stride == -1 && !entry.begin && !entry.end) {
    return Cut{true, 0, 1, -1};
  }
  if (entry.stride == 1 && begin >= 0 && entry.end && !entry.end->per_batch &&
      entry.end->value > begin && entry.end->value < most) {
    return Cut{false, static_cast<int64_t>(begin), static_cast<int64_t>(entry.end->value - begin),
               1};
  }
  return InvalidInput("the length of a slice depends on the batch");
}

// nullopt: no element.
absl::StatusOr<std::optional<Cut>> CutOf(const SliceEntry& entry, const Dim& dim) {
  if (dim.per_batch) {
    TW_ASSIGN_OR_RETURN(const Cut cut, BatchCut(entry, dim));
    return std::optional<Cut>(cut);
  }
  const int64_t size = dim.factor;
  if ((entry.begin && entry.begin->per_batch) || (entry.end && entry.end->per_batch)) {
    return InvalidInput("a slice depends on the batch");
  }
  const bool up = entry.stride > 0;
  const int64_t low = up ? 0 : -1, high = up ? size : size - 1;
  const int64_t first = up ? 0 : size - 1, past = up ? size : -1;
  const int64_t begin = entry.begin ? Clamped(entry.begin->value, size, low, high) : first;
  if (entry.is_index) {
    return std::optional<Cut>(Cut{false, std::clamp<int64_t>(begin, 0, size - 1), 1, 1});
  }
  const int64_t end = entry.end ? Clamped(entry.end->value, size, low, high) : past;
  const int64_t room = up ? end - begin : begin - end;
  const int64_t step = up ? entry.stride : -entry.stride;
  if (room <= 0) return std::optional<Cut>();
  const int64_t count = (room - 1) / step + 1;
  if (count == size && up) return std::optional<Cut>(Cut{});
  return std::optional<Cut>(Cut{false, begin, count, entry.stride});
}

struct Operands {
  const KnownValue* begin;
  const KnownValue* end;
  std::vector<int64_t> strides;
};

absl::StatusOr<SliceEntry> EntryAt(const Operands& operands, const Masks& masks, size_t i) {
  SliceEntry entry;
  entry.is_index = Bit(masks.shrink_axis, i);
  entry.stride = std::clamp(operands.strides[i], -kMaxElements, kMaxElements);
  if (entry.stride == 0) return InvalidInput("found stride 0");
  if (operands.begin == nullptr) {
    if (entry.is_index) {
      entry.dynamic = static_cast<int64_t>(i);
      entry.begin = KnownNumber{};
    } else if (!Bit(masks.begin, i)) {
      return InvalidInput("the start of a slice is not known without running the model");
    }
  } else if (!Bit(masks.begin, i) || entry.is_index) {
    entry.begin = operands.begin->elements[i];
  }
  if (entry.is_index || Bit(masks.end, i)) return entry;
  if (operands.end == nullptr) {
    return InvalidInput("the end of a slice is not known without running the model");
  }
  entry.end = operands.end->elements[i];
  return entry;
}

absl::StatusOr<Operands> ReadOperands(const OpContext& ctx, int64_t first) {
  Operands operands = {ctx.Folded(first), ctx.Folded(first + 1), {}};
  const auto strides = ctx.KnownInts(first + 2);
  if (!strides) return InvalidInput("the strides are not known");
  operands.strides = *strides;
  for (const KnownValue* known : {operands.begin, operands.end}) {
    if (known != nullptr && known->elements.size() != strides->size()) {
      return InvalidInput("begin, end and strides differ in length");
    }
  }
  return operands;
}

// How many dims of the operand the ellipsis, or the end, leaves whole.
absl::StatusOr<size_t> WholeDims(const Masks& masks, size_t entries, size_t rank) {
  size_t used = 0, ellipses = 0;
  for (size_t i = 0; i < entries; ++i) {
    if (Bit(masks.ellipsis, i)) {
      ++ellipses;
    } else if (!Bit(masks.new_axis, i)) {
      ++used;
    }
  }
  if (used <= rank && ellipses <= 1) return rank - used;
  return InvalidInput(
      fmt::format("found a slice of {} dims and {} ellipses of rank {}", used, ellipses, rank));
}

// The next dim of the operand.
void Keep(StridedSlice& slice, const Cut& cut, const SliceEntry& entry) {
  if (!entry.is_index) {
    slice.result.push_back(static_cast<int64_t>(slice.cuts.size()));
  }
  slice.cuts.push_back(cut);
  slice.removed.push_back(entry.is_index);
  slice.dynamic.push_back(entry.dynamic);
}

}  // namespace

std::vector<Dim> StridedSlice::ResultDims(const std::vector<Dim>& dims) const {
  std::vector<Dim> sizes;
  for (const int64_t from : result) {
    if (from < 0) {
      sizes.push_back({1, false});
      continue;
    }
    sizes.push_back(cuts[from].whole ? dims[from] : Dim{cuts[from].count, false});
  }
  return sizes;
}

absl::StatusOr<std::optional<StridedSlice>> ReadStridedSlice(const OpContext& ctx, int64_t first,
                                                             const std::vector<Dim>& dims) {
  const Masks masks = {ctx.Int("begin_mask", 0), ctx.Int("end_mask", 0),
                       ctx.Int("ellipsis_mask", 0), ctx.Int("new_axis_mask", 0),
                       ctx.Int("shrink_axis_mask", 0)};
  TW_ASSIGN_OR_RETURN(const Operands operands, ReadOperands(ctx, first));
  const size_t entries = operands.strides.size();
  TW_ASSIGN_OR_RETURN(const size_t whole, WholeDims(masks, entries, dims.size()));
  StridedSlice slice;
  bool is_empty = false;
  for (size_t i = 0; i < entries; ++i) {
    if (Bit(masks.ellipsis, i)) {
      for (size_t k = 0; k < whole; ++k) Keep(slice, {}, {});
    } else if (Bit(masks.new_axis, i)) {
      slice.result.push_back(-1);
    } else {
      TW_ASSIGN_OR_RETURN(const SliceEntry entry, EntryAt(operands, masks, i));
      TW_ASSIGN_OR_RETURN(const auto cut, CutOf(entry, dims[slice.cuts.size()]));
      is_empty = is_empty || !cut;
      Keep(slice, cut.value_or(Cut{}), entry);
    }
  }
  while (slice.cuts.size() < dims.size()) Keep(slice, {}, {});
  if (is_empty) return std::optional<StridedSlice>();
  return std::optional<StridedSlice>(std::move(slice));
}

namespace {

// The indices of a cut, upwards.
struct Span {
  int64_t start = 0;
  int64_t limit = 0;
  int64_t stride = 1;
};

Span SpanOf(const Cut& cut) {
  const int64_t last = cut.start + (cut.count - 1) * cut.stride;
  const int64_t low = std::min(cut.start, last);
  const int64_t high = std::max(cut.start, last);
  return {low, high + 1, std::abs(cut.stride)};
}

std::vector<int64_t> Backwards(const std::vector<Cut>& cuts) {
  std::vector<int64_t> dims;
  for (size_t i = 0; i < cuts.size(); ++i) {
    if (cuts[i].stride < 0 && (cuts[i].whole || cuts[i].count > 1)) {
      dims.push_back(static_cast<int64_t>(i));
    }
  }
  return dims;
}

bool Fits(const Cut& cut, const Dim& dim) {
  const Span span = SpanOf(cut);
  return cut.count >= 1 && span.start >= 0 && (dim.per_batch || span.limit <= dim.factor);
}

}  // namespace

absl::StatusOr<OpId> CutAll(GraphBuilder& b, OpId x, const std::vector<Cut>& cuts) {
  const Shape from = b.shape(x);
  std::vector<int64_t> starts(cuts.size(), 0), limits(cuts.size(), kWholeDim),
      strides(cuts.size(), 1);
  bool cuts_some = false;
  for (size_t i = 0; i < cuts.size(); ++i) {
    const Cut& cut = cuts[i];
    if (cut.whole) continue;
    if (!Fits(cut, from.dims[i])) {
      return InvalidInput(fmt::format("a slice of dim {} does not fit {}", i, FormatShape(from)));
    }
    const Span span = SpanOf(cut);
    if (from.dims[i].per_batch) {
      OpId places = b.Iota(Shape::Of(DType::kS32, {cut.count}), 0);
      if (span.stride > 1) {
        places = b.BinaryScalar(OpKind::kMultiply, places, static_cast<double>(span.stride));
      }
      places = b.BinaryScalar(OpKind::kAdd, places, static_cast<double>(span.start));
      x = TakeAlong(b, x, places, static_cast<int64_t>(i));
      continue;
    }
    if (span.start == 0 && span.limit == from.dims[i].factor && span.stride == 1) {
      continue;
    }
    cuts_some = true;
    starts[i] = span.start;
    limits[i] = span.limit;
    strides[i] = span.stride;
  }
  if (cuts_some) x = b.Slice(x, starts, limits, strides);
  const std::vector<int64_t> backwards = Backwards(cuts);
  return backwards.empty() ? x : b.Reverse(x, backwards);
}

absl::StatusOr<OpId> PutBack(GraphBuilder& b, OpId dy, const std::vector<Dim>& dims,
                             const std::vector<Cut>& cuts) {
  const std::vector<int64_t> backwards = Backwards(cuts);
  if (!backwards.empty()) dy = b.Reverse(dy, backwards);
  std::vector<int64_t> low(cuts.size(), 0), high = low, interior = low;
  bool pads = false;
  for (size_t i = 0; i < cuts.size(); ++i) {
    if (cuts[i].whole) continue;
    if (dims[i].per_batch || !Fits(cuts[i], dims[i])) {
      return InvalidInput("the gradient of a slice of the batch dim");
    }
    const Span span = SpanOf(cuts[i]);
    low[i] = span.start;
    high[i] = dims[i].factor - span.limit;
    interior[i] = cuts[i].count > 1 ? span.stride - 1 : 0;
    pads = pads || low[i] != 0 || high[i] != 0 || interior[i] != 0;
  }
  return pads ? b.Pad(dy, 0, low, high, interior) : dy;
}

OpId VectorElement(GraphBuilder& b, OpId vector, int64_t i) {
  return b.Reshape(b.SliceDim(vector, 0, i, i + 1), {});
}

}  // namespace tilewise::tf
