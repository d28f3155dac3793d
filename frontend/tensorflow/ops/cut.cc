// Slices with strides of either sign, and their gradients.

#include "frontend/tensorflow/ops/cut.h"

#include <algorithm>

#include <fmt/format.h>

#include "library/gather.h"

namespace tilewise::tf {
namespace {

// The places of a cut, upwards.
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
