// Known tensors: made from shapes and numbers, read as sizes, put in a graph.

#include "library/known_value.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "library/known_index.h"

namespace tilewise {
namespace {

int64_t Saturated(double value) {
  constexpr double kEnd = 9223372036854775808.0;  // 2^63
  if (std::isnan(value)) return 0;
  if (value >= kEnd) return std::numeric_limits<int64_t>::max();
  if (value < -kEnd) return std::numeric_limits<int64_t>::min();
  return static_cast<int64_t>(value);
}

// Elements that count up or down along one dim: each is first + step * its place there.
struct Count {
  int64_t dim;
  double first, step;
};
std::optional<Count> CountOf(const KnownValue& x) {
  if (x.dtype == DType::kPred) return std::nullopt;
  int64_t inner = 1;
  for (int64_t dim = x.rank() - 1; dim >= 0; --dim) {
    const int64_t size = x.dims[dim];
    const double first = x.elements[0].value;
    const double step = size > 1 ? x.elements[inner].value - first : 0;
    // Any two numbers are such a count.
    bool counts = size > 2 || (size == 2 && first == 0 && step == 1);
    for (int64_t i = 0; i < x.size() && counts; ++i) {
      const KnownNumber& element = x.elements[i];
      const auto place = static_cast<double>((i / inner) % size);
      counts = !element.per_batch && element.value == first + step * place;
    }
    if (counts) return Count{dim, first, step};
    inner *= size;
  }
  return std::nullopt;
}

}  // namespace

std::optional<int64_t> KnownElements(const std::vector<int64_t>& dims) {
  int64_t count = 1;
  for (const int64_t dim : dims) {
    if (dim < 0 || dim > kMaxKnownElements) return std::nullopt;
    count *= dim;
    if (count > kMaxKnownElements) return std::nullopt;
  }
  return count;
}

std::optional<size_t> KnownAxis(int64_t axis, int64_t rank) {
  if (axis < 0) axis += rank;
  if (axis < 0 || axis >= rank) return std::nullopt;
  return static_cast<size_t>(axis);
}

KnownValue KnownScalar(double value, DType dtype) { return {dtype, {}, {{value, false}}}; }

KnownValue KnownVector(std::span<const int64_t> values, DType dtype) {
  KnownValue x{dtype, {static_cast<int64_t>(values.size())}, {}};
  x.elements.reserve(values.size());
  for (const int64_t value : values) {
    x.elements.push_back({static_cast<double>(value), false});
  }
  return x;
}

MaybeKnown KnownFill(KnownNumber value, const std::vector<int64_t>& dims, DType dtype) {
  const std::optional<int64_t> count = KnownElements(dims);
  if (!count) return std::nullopt;
  return KnownValue{dtype, dims, std::vector<KnownNumber>(*count, value)};
}

KnownValue KnownDims(const Shape& shape, DType dtype) {
  KnownValue x{dtype, {shape.rank()}, {}};
  x.elements.reserve(shape.dims.size());
  for (const Dim& dim : shape.dims) {
    x.elements.push_back({static_cast<double>(dim.factor), dim.per_batch});
  }
  return x;
}

MaybeKnown KnownSize(const Shape& shape, DType dtype) {
  return KnownReduce(KnownReducer::kProduct, KnownDims(shape, dtype), {}, false);
}

MaybeKnown KnownRange(const KnownValue& start, const KnownValue& limit, const KnownValue& step) {
  const std::optional<double> from = KnownReal(start);
  const std::optional<double> to = KnownReal(limit);
  const std::optional<double> by = KnownReal(step);
  if (!from || !to || !by || *by == 0) return std::nullopt;
  const double count = std::max(0.0, std::ceil((*to - *from) / *by));
  if (!(count <= kMaxKnownElements)) return std::nullopt;
  KnownValue x{start.dtype, {static_cast<int64_t>(count)}, {}};
  x.elements.reserve(count);
  for (int64_t i = 0; i < x.dims[0]; ++i) {
    x.elements.push_back({*from + static_cast<double>(i) * *by, false});
  }
  return x;
}

std::optional<std::vector<int64_t>> KnownIntegers(const KnownValue& x) {
  std::vector<int64_t> values;
  values.reserve(x.elements.size());
  for (const KnownNumber& element : x.elements) {
    if (element.per_batch) return std::nullopt;
    values.push_back(Saturated(element.value));
  }
  return values;
}

std::optional<double> KnownReal(const KnownValue& x) {
  if (x.size() != 1 || x.elements[0].per_batch) return std::nullopt;
  return x.elements[0].value;
}

std::optional<int64_t> KnownInteger(const KnownValue& x) {
  const std::optional<double> value = KnownReal(x);
  if (!value) return std::nullopt;
  return Saturated(*value);
}

std::optional<std::vector<Dim>> KnownAsDims(const KnownValue& x) {
  std::vector<Dim> dims;
  dims.reserve(x.elements.size());
  for (const KnownNumber& element : x.elements) {
    const int64_t factor = Saturated(element.value);
    if (factor < 0 || static_cast<double>(factor) != element.value) {
      return std::nullopt;
    }
    dims.push_back({factor, element.per_batch});
  }
  return dims;
}

namespace {

// Whether all slices of one row along a dim are alike.
bool RepeatsAlong(const KnownValue& x, int64_t dim) {
  int64_t below = 1;  // elements of one step along the dim
  for (int64_t d = dim + 1; d < x.rank(); ++d) below *= x.dims[d];
  const int64_t length = x.dims[dim];
  for (int64_t i = 0; i < x.size(); ++i) {
    const int64_t along = i / below % length;
    if (along > 0 && x.elements[i] != x.elements[i - below * along]) return false;
  }
  return true;
}

// The value with one row of those dims along which all are alike.
KnownValue WithoutRepeats(const KnownValue& x) {
  KnownValue once = x;
  for (int64_t dim = 0; dim < x.rank(); ++dim) {
    if (once.dims[dim] < 2 || !RepeatsAlong(once, dim)) continue;
    if (MaybeKnown row = KnownSlice(once, dim, 0, 1, 1)) once = *std::move(row);
  }
  return once;
}

}  // namespace

OpId Materialize(GraphBuilder& builder, const KnownValue& x) {
  if (x.elements.empty()) {
    builder.Fail("found an empty tensor as an operand, expected elements");
    return kNoOp;
  }
  const Shape shape = Shape::Of(x.dtype, x.dims);
  const KnownNumber first = x.elements[0];
  const bool alike = std::all_of(x.elements.begin(), x.elements.end(),
                                 [&](const KnownNumber& element) { return element == first; });
  if (alike && !first.per_batch) return builder.Constant(first.value, shape);
  if (const std::optional<Count> count = CountOf(x)) {
    OpId made = builder.Iota(shape, count->dim);
    if (count->step != 1) made = builder.BinaryScalar(OpKind::kMultiply, made, count->step);
    if (count->first != 0) made = builder.BinaryScalar(OpKind::kAdd, made, count->first);
    return made;
  }
  // Rows that are alike are one that is repeated, so that a batch of them can be another.
  const KnownValue once = WithoutRepeats(x);
  if (once.size() < x.size()) {
    return builder.BroadcastTo(Materialize(builder, once),
                               std::vector<Dim>(shape.dims.begin(), shape.dims.end()));
  }
  return builder.Variable(shape, "constant", /*trainable=*/false);
}

}  // namespace tilewise
