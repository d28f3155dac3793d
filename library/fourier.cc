// One dim at a time, as the last one, each part by itself.

#include "library/fourier.h"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/math.h"
#include "library/broadcast.h"

namespace tilewise {
namespace {

constexpr int64_t kPasses = 6;  // of f32 in the matrix unit: HIGHEST
constexpr int64_t kMostRadix = 128;
// One dense matmul takes the matrix unit, up to this length, no longer than two
// passes and their factors: (n / 128)^2 weight tiles for each row, against 2
// sqrt(n) rows of one tile.
constexpr int64_t kMostDense = 512;
constexpr int64_t kMostLength = int64_t{1} << 26;

// The largest divisor that leaves no smaller rest; 1 for a prime.
int64_t RadixOf(int64_t n) {
  int64_t best = 1;
  for (int64_t r = 2; r <= kMostRadix && r * r <= n; ++r) {
    if (n % r == 0) best = r;
  }
  return best;
}

class Transform {
 public:
  Transform(GraphBuilder& builder, bool inverse) : b_(builder), inverse_(inverse) {}

  // Transforms the last dim, of n elements, to the first `kept` results,
  // without the factor 1 / n of an inverse. `real`: only their real parts are
  // wanted.
  ComplexParts Along(ComplexParts x, int64_t n, int64_t kept, bool real) {
    const int64_t rank = b_.shape(x.real).rank();
    if (!b_.ok()) return {};
    if (n <= kMostDense) return Dense(x, rank - 1, n, kept, real);
    const int64_t radix = RadixOf(n);
    if (radix == 1) return AsConvolution(x, n, kept);
    const int64_t rest = n / radix;
    x = Each(x, [&](OpId part) { return Split(part, radix, rest); });
    x = Dense(x, rank - 1, radix, radix, false);  // [.., rest, radix]
    x = Multiplied(x, Tables("", rest, radix, n));
    x = Each(x, [&](OpId part) { return Swapped(part); });
    x = Along(x, rest, CeilDiv(kept, radix), real);
    return Each(x, [&](OpId part) { return Joined(Swapped(part), kept); });
  }

 private:
  template <typename Make>
  ComplexParts Each(ComplexParts x, const Make& make) {
    if (x.real != kNoOp) x.real = make(x.real);
    if (x.imaginary != kNoOp) x.imaginary = make(x.imaginary);
    return x;
  }

  // Cosine and sine of 2 pi row column / period. Names say which.
  ComplexParts Tables(std::string_view what, int64_t rows, int64_t columns, int64_t period) {
    const Shape shape = Shape::Of(dtype_, {rows, columns});
    const auto named = [&](std::string_view function) {
      const std::string name =
          fmt::format("{}{}_{}x{}_of_{}", what, function, rows, columns, period);
      const auto [at, is_new] = tables_.try_emplace(name, kNoOp);
      if (is_new) at->second = b_.Variable(shape, name, /*trainable=*/false);
      return at->second;
    };
    const OpId cosine = named("cos");
    return {cosine, named("sin")};
  }

  OpId Summed(OpId x, OpId y, bool minus) {
    if (x == kNoOp && y == kNoOp) return kNoOp;
    if (y == kNoOp) return x;
    if (x == kNoOp) return minus ? b_.Unary(OpKind::kNegate, y) : y;
    return b_.Binary(minus ? OpKind::kSubtract : OpKind::kAdd, x, y);
  }

  // Matmuls of x and (cosine - i sine), or (cosine + i sine) of an inverse.
  template <typename Product>
  ComplexParts Turned(ComplexParts x, ComplexParts table, bool real, const Product& product) {
    const auto times = [&](OpId part, OpId by) {
      return part == kNoOp ? kNoOp : product(part, by);
    };
    ComplexParts made;
    OpId straight = times(x.real, table.real);
    OpId crossed = times(x.imaginary, table.imaginary);
    made.real = Summed(straight, crossed, inverse_);
    if (real) return made;
    straight = times(x.imaginary, table.real);
    crossed = times(x.real, table.imaginary);
    made.imaginary = Summed(straight, crossed, !inverse_);
    return made;
  }

  // Sums over `dim`, with the results as the last dim.
  ComplexParts Dense(ComplexParts x, int64_t dim, int64_t n, int64_t kept, bool real) {
    dtype_ = b_.shape(x.real).dtype;
    if (b_.shape(x.real).rank() == dim + 1 && n == 1) return x;
    const auto product = [&](OpId part, OpId by) {
      DotDims dims;
      dims.lhs_contract = {dim};
      dims.rhs_contract = {0};
      return b_.Dot(part, by, std::move(dims), kPasses);
    };
    return Turned(x, Tables("", n, kept, n), real, product);
  }

  ComplexParts Multiplied(ComplexParts x, ComplexParts table) {
    return Turned(x, table, false, [&](OpId part, OpId by) {
      return b_.Binary(OpKind::kMultiply, part, b_.BroadcastTo(by, b_.shape(part).dims));
    });
  }

  OpId Split(OpId x, int64_t rows, int64_t columns) {
    std::vector<Dim> dims = b_.shape(x).dims;
    if (!b_.ok()) return kNoOp;
    dims.back() = {rows, false};
    dims.push_back({columns, false});
    return b_.Reshape(x, std::move(dims));
  }

  OpId Swapped(OpId x) {
    std::vector<int64_t> order(b_.shape(x).dims.size());
    std::iota(order.begin(), order.end(), 0);
    if (!b_.ok()) return kNoOp;
    std::swap(order[order.size() - 2], order.back());
    return b_.Transpose(x, std::move(order));
  }

  OpId Joined(OpId x, int64_t kept) {
    std::vector<Dim> dims = b_.shape(x).dims;
    if (!b_.ok()) return kNoOp;
    const int64_t columns = dims.back().factor;
    dims.pop_back();
    dims.back().factor *= columns;
    return Cut(b_.Reshape(x, dims), kept);
  }

  OpId Cut(OpId x, int64_t kept) {
    const int64_t last = b_.shape(x).rank() - 1;
    if (!b_.ok() || b_.shape(x).size(last) == kept) return x;
    return b_.SliceDim(x, last, 0, kept);
  }

  OpId FilledUp(OpId x, int64_t size) {
    std::vector<int64_t> none(b_.shape(x).dims.size(), 0), high = none;
    if (!b_.ok()) return kNoOp;
    high.back() = size - b_.shape(x).dims.back().factor;
    return b_.Pad(x, 0, none, std::move(high), none);
  }

  // Times a chirp, convolved with a chirp by way of a transform of a power of
  // two, times a chirp.
  ComplexParts AsConvolution(ComplexParts x, int64_t n, int64_t kept) {
    dtype_ = b_.shape(x.real).dtype;
    const auto size = static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(2 * n - 1)));
    const ComplexParts chirp = Tables("chirp_", 1, n, n);
    const ComplexParts spectrum = Tables("chirp_spectrum_", 1, size, n);
    const auto first = [&](OpId table) {
      return b_.Reshape(table, {{b_.shape(table).dims[1].factor, false}});
    };
    const ComplexParts by = Each(chirp, first);
    x = Multiplied(x, by);
    x = Each(x, [&](OpId part) { return FilledUp(part, size); });
    x = Transform(b_, false).Along(x, size, size, false);
    x = Multiplied(x, Each(spectrum, first));
    x = Transform(b_, true).Along(x, size, kept, false);
    return Multiplied(x, Each(by, [&](OpId table) { return Cut(table, kept); }));
  }

  GraphBuilder& b_;
  bool inverse_;
  DType dtype_ = DType::kF32;
  std::map<std::string, OpId> tables_;
};

// The half that the symmetry of a real signal's spectrum leaves out.
ComplexParts Completed(GraphBuilder& b, ComplexParts half, int64_t length) {
  const int64_t last = b.shape(half.real).rank() - 1;
  const int64_t missing = length - (length / 2 + 1);
  if (!b.ok() || missing < 1) return half;
  const auto mirrored = [&](OpId part) {
    return b.Reverse(b.SliceDim(part, last, 1, missing + 1), {last});
  };
  half.real = b.Concatenate({half.real, mirrored(half.real)}, last);
  if (half.imaginary == kNoOp) return half;
  const OpId other = b.Unary(OpKind::kNegate, mirrored(half.imaginary));
  half.imaginary = b.Concatenate({half.imaginary, other}, last);
  return half;
}

OpId Resized(GraphBuilder& b, OpId x, int64_t dim, int64_t size) {
  const Shape shape = b.shape(x);
  if (!b.ok() || x == kNoOp) return x;
  const int64_t found = shape.size(dim);
  if (found > size) return b.SliceDim(x, dim, 0, size);
  if (found == size) return x;
  std::vector<int64_t> none(shape.dims.size(), 0), high = none;
  high[dim] = size - found;
  return b.Pad(x, 0, none, std::move(high), none);
}

OpId DimsSwapped(GraphBuilder& b, OpId x, int64_t one, int64_t other) {
  if (!b.ok() || x == kNoOp || one == other) return x;
  std::vector<int64_t> order(b.shape(x).dims.size());
  std::iota(order.begin(), order.end(), 0);
  std::swap(order[one], order[other]);
  return b.Transpose(x, std::move(order));
}

}  // namespace

bool TakesFourier(const Shape& shape, std::span<const int64_t> lengths) {
  if (lengths.empty() || lengths.size() > shape.dims.size()) return false;
  const size_t first = shape.dims.size() - lengths.size();
  for (size_t i = 0; i < lengths.size(); ++i) {
    const Dim dim = shape.dims[first + i];
    if (dim.per_batch || dim.factor < 1) return false;
    if (lengths[i] < 1 || lengths[i] > kMostLength) return false;
  }
  return true;
}

ComplexParts FourierAlong(GraphBuilder& builder, ComplexParts x, FourierKind kind, int64_t dim,
                          int64_t length) {
  GraphBuilder& b = builder;
  const Shape shape = b.shape(x.real);
  if (!b.ok() || dim < 0 || dim >= shape.rank() || length < 1 || length > kMostLength ||
      shape.dims[dim].per_batch || !IsFloat(shape.dtype)) {
    b.Fail(fmt::format("found a transform of {} elements of dim {} of {}", length, dim,
                       FormatShape(shape)));
    return {};
  }
  const bool half_in = kind == FourierKind::kRealInverse;
  const bool half_out = kind == FourierKind::kRealForward;
  const bool inverse = kind == FourierKind::kInverse || half_in;
  const int64_t last = shape.rank() - 1;
  for (OpId* part : {&x.real, &x.imaginary}) {
    *part = Resized(b, *part, dim, half_in ? length / 2 + 1 : length);
    *part = DimsSwapped(b, *part, dim, last);
  }
  if (half_in) x = Completed(b, x, length);
  x = Transform(b, inverse).Along(x, length, half_out ? length / 2 + 1 : length, half_in);
  for (OpId* part : {&x.real, &x.imaginary}) {
    if (*part == kNoOp || !b.ok()) continue;
    if (inverse) {
      *part = WithScalar(b, OpKind::kMultiply, *part, 1 / static_cast<double>(length));
    }
    *part = DimsSwapped(b, *part, dim, last);
  }
  return x;
}

OpId Fourier(GraphBuilder& builder, OpId x, FourierKind kind, std::span<const int64_t> lengths) {
  GraphBuilder& b = builder;
  const Shape shape = b.shape(x);
  if (!b.ok() || !TakesFourier(shape, lengths)) {
    b.Fail(fmt::format("found a transform of {} dims of {}", lengths.size(), FormatShape(shape)));
    return kNoOp;
  }
  ComplexParts parts = {x, kNoOp};
  if (IsComplex(shape.dtype)) {
    parts.real = b.Unary(OpKind::kReal, x);
    parts.imaginary = b.Unary(OpKind::kImag, x);
  }
  const auto count = static_cast<int64_t>(lengths.size());
  const int64_t first = shape.rank() - count;
  // The real one is the last dim, first of a transform, last of an inverse.
  const bool to_real = kind == FourierKind::kRealInverse;
  for (int64_t i = 0; i < count; ++i) {
    const int64_t at = to_real ? i : count - 1 - i;
    const bool is_last = at == count - 1;
    FourierKind own = kind;
    if (!is_last && to_real) own = FourierKind::kInverse;
    if (!is_last && kind == FourierKind::kRealForward) {
      own = FourierKind::kForward;
    }
    parts = FourierAlong(b, parts, own, first + at, lengths[at]);
  }
  if (to_real || !b.ok()) return parts.real;
  if (parts.imaginary == kNoOp) parts.imaginary = FilledLike(b, parts.real, 0);
  return b.Binary(OpKind::kComplex, parts.real, parts.imaginary);
}

}  // namespace tilewise
