// Arithmetic on known tensors. With b the batch (at least 1, else unknown),
// p x b + q x b, n x p x b and comparisons that hold for every b have a result;
// p x b + n has none.

#include <algorithm>
#include <cmath>
#include <utility>

#include "library/known_index.h"
#include "library/known_value.h"

namespace tilewise {
namespace {

using MaybeNumber = std::optional<KnownNumber>;

bool IsInteger(DType dtype) { return !IsFloat(dtype) && !IsComplex(dtype); }

KnownNumber Truth(bool value) { return {value ? 1.0 : 0.0, false}; }

bool IsComparison(KnownBinaryOp op) { return op >= KnownBinaryOp::kEqual; }

// Compares two numbers that both do, or both do not, depend on the batch.
bool Compared(KnownBinaryOp op, double x, double y) {
  switch (op) {
    case KnownBinaryOp::kEqual:
      return x == y;
    case KnownBinaryOp::kNotEqual:
      return x != y;
    case KnownBinaryOp::kLess:
      return x < y;
    case KnownBinaryOp::kLessEqual:
      return x <= y;
    case KnownBinaryOp::kGreater:
      return x > y;
    default:
      return x >= y;
  }
}

double FloorModulo(double x, double y) { return x - std::floor(x / y) * y; }

MaybeNumber Divided(double x, double y, bool integers) {
  if (integers && y == 0) return std::nullopt;
  return KnownNumber{integers ? std::trunc(x / y) : x / y, false};
}

MaybeNumber Logical(KnownBinaryOp op, double x, double y, DType dtype) {
  if (dtype == DType::kPred) {
    const bool a = x != 0;
    const bool b = y != 0;
    if (op == KnownBinaryOp::kAnd) return Truth(a && b);
    if (op == KnownBinaryOp::kOr) return Truth(a || b);
    return Truth(a != b);
  }
  constexpr double kExact = 9007199254740992.0;  // 2^53
  if (!IsInteger(dtype) || std::abs(x) > kExact || std::abs(y) > kExact) {
    return std::nullopt;
  }
  const auto a = static_cast<int64_t>(x);
  const auto b = static_cast<int64_t>(y);
  const int64_t bits = op == KnownBinaryOp::kAnd ? a & b : op == KnownBinaryOp::kOr ? a | b : a ^ b;
  return KnownNumber{static_cast<double>(bits), false};
}

MaybeNumber OfConstants(KnownBinaryOp op, double x, double y, DType dtype) {
  const bool integers = IsInteger(dtype);
  switch (op) {
    case KnownBinaryOp::kAdd:
      return KnownNumber{x + y, false};
    case KnownBinaryOp::kSubtract:
      return KnownNumber{x - y, false};
    case KnownBinaryOp::kMultiply:
      return KnownNumber{x * y, false};
    case KnownBinaryOp::kDivide:
      return Divided(x, y, integers);
    case KnownBinaryOp::kFloorDivide:
      if (y == 0) return std::nullopt;
      return KnownNumber{std::floor(x / y), false};
    case KnownBinaryOp::kModulo:
      if (y == 0) return std::nullopt;
      return KnownNumber{FloorModulo(x, y), false};
    case KnownBinaryOp::kRemainder:
      if (y == 0) return std::nullopt;
      return KnownNumber{std::fmod(x, y), false};
    case KnownBinaryOp::kPower:
      return KnownNumber{std::pow(x, y), false};
    case KnownBinaryOp::kMaximum:
      return KnownNumber{std::max(x, y), false};
    case KnownBinaryOp::kMinimum:
      return KnownNumber{std::min(x, y), false};
    case KnownBinaryOp::kAnd:
    case KnownBinaryOp::kOr:
    case KnownBinaryOp::kXor:
      return Logical(op, x, y, dtype);
    default:
      return Truth(Compared(op, x, y));
  }
}

// x b op y b.
MaybeNumber OfBatches(KnownBinaryOp op, double x, double y, DType dtype) {
  switch (op) {
    case KnownBinaryOp::kAdd:
      return KnownNumber{x + y, x + y != 0};
    case KnownBinaryOp::kSubtract:
      return KnownNumber{x - y, x - y != 0};
    case KnownBinaryOp::kDivide:
    case KnownBinaryOp::kFloorDivide:
    case KnownBinaryOp::kModulo:
    case KnownBinaryOp::kRemainder: {
      MaybeNumber result = OfConstants(op, x, y, dtype);
      const bool scales = op == KnownBinaryOp::kModulo || op == KnownBinaryOp::kRemainder;
      if (result && scales) result->per_batch = result->value != 0;
      return result;
    }
    case KnownBinaryOp::kMaximum:
      return KnownNumber{std::max(x, y), true};
    case KnownBinaryOp::kMinimum:
      return KnownNumber{std::min(x, y), true};
    default:
      if (IsComparison(op)) return Truth(Compared(op, x, y));
      return std::nullopt;
  }
}

// Whether x b and n are in one order for every b, or for large ones: -1 for
// less, 1 for greater, 0 for neither.
int OrderOf(double x, double n, BatchSize batch) {
  if (batch == BatchSize::kLarge) return x > 0 ? 1 : -1;
  if (x > 0 && x > n) return 1;
  if (x < 0 && x < n) return -1;
  return 0;
}

// The same comparison with its sides exchanged.
KnownBinaryOp Mirrored(KnownBinaryOp op) {
  switch (op) {
    case KnownBinaryOp::kLess:
      return KnownBinaryOp::kGreater;
    case KnownBinaryOp::kLessEqual:
      return KnownBinaryOp::kGreaterEqual;
    case KnownBinaryOp::kGreater:
      return KnownBinaryOp::kLess;
    case KnownBinaryOp::kGreaterEqual:
      return KnownBinaryOp::kLessEqual;
    default:
      return op;
  }
}

// x b op n.
MaybeNumber OfBatchAndConstant(KnownBinaryOp op, double x, double n, DType dtype, BatchSize batch) {
  const int order = OrderOf(x, n, batch);
  if (IsComparison(op)) {
    // x b >= x for every b.
    const bool from_equal = order == 0 && x == n && x > 0;
    if (from_equal && op == KnownBinaryOp::kGreaterEqual) return Truth(true);
    if (from_equal && op == KnownBinaryOp::kLess) return Truth(false);
    if (order == 0) return std::nullopt;
    return Truth(Compared(op, order, 0));
  }
  switch (op) {
    case KnownBinaryOp::kAdd:
    case KnownBinaryOp::kSubtract:
      if (n != 0) return std::nullopt;
      return KnownNumber{x, true};
    case KnownBinaryOp::kMultiply:
      return KnownNumber{x * n, x * n != 0};
    case KnownBinaryOp::kDivide:
    case KnownBinaryOp::kFloorDivide:
      if (n == 0) return std::nullopt;
      if (std::fmod(x, n) != 0 && (IsInteger(dtype) || op == KnownBinaryOp::kFloorDivide)) {
        return std::nullopt;
      }
      return KnownNumber{x / n, true};
    case KnownBinaryOp::kModulo:
    case KnownBinaryOp::kRemainder:
      if (n == 0 || std::fmod(x, n) != 0) return std::nullopt;
      return KnownNumber{0, false};
    case KnownBinaryOp::kMaximum:
    case KnownBinaryOp::kMinimum:
      // One of the two for every b; x b >= n holds from x == n > 0 on.
      if (order == 0 && !(x == n && x > 0)) return std::nullopt;
      if ((order >= 0) == (op == KnownBinaryOp::kMaximum)) {
        return KnownNumber{x, true};
      }
      return KnownNumber{n, false};
    default:
      return std::nullopt;
  }
}

MaybeNumber Combined(KnownBinaryOp op, KnownNumber x, KnownNumber y, DType dtype,
                     BatchSize batch = BatchSize::kAny) {
  if (!x.per_batch && !y.per_batch) {
    return OfConstants(op, x.value, y.value, dtype);
  }
  if (x.per_batch && y.per_batch) return OfBatches(op, x.value, y.value, dtype);
  if (x.per_batch) {
    return OfBatchAndConstant(op, x.value, y.value, dtype, batch);
  }
  const bool symmetric = op == KnownBinaryOp::kAdd || op == KnownBinaryOp::kMultiply ||
                         op == KnownBinaryOp::kMaximum || op == KnownBinaryOp::kMinimum;
  if (symmetric || IsComparison(op)) {
    return OfBatchAndConstant(Mirrored(op), y.value, x.value, dtype, batch);
  }
  if (op == KnownBinaryOp::kSubtract && x.value == 0) {
    return KnownNumber{-y.value, true};
  }
  return std::nullopt;
}

MaybeNumber OfOne(KnownUnaryOp op, KnownNumber x, DType dtype) {
  const double v = x.value;
  switch (op) {
    case KnownUnaryOp::kNegate:
      return KnownNumber{-v, x.per_batch};
    case KnownUnaryOp::kAbs:
      return KnownNumber{std::abs(v), x.per_batch};
    case KnownUnaryOp::kSign:
      return KnownNumber{static_cast<double>((v > 0) - (v < 0)), false};
    case KnownUnaryOp::kCeil:
    case KnownUnaryOp::kFloor:
    case KnownUnaryOp::kRound:
      if (x.per_batch) {
        if (std::floor(v) != v) return std::nullopt;
        return x;
      }
      if (op == KnownUnaryOp::kCeil) return KnownNumber{std::ceil(v), false};
      if (op == KnownUnaryOp::kFloor) return KnownNumber{std::floor(v), false};
      return KnownNumber{std::nearbyint(v), false};
    default:
      break;
  }
  if (x.per_batch) return std::nullopt;
  switch (op) {
    case KnownUnaryOp::kSqrt:
      return KnownNumber{std::sqrt(v), false};
    case KnownUnaryOp::kExp:
      return KnownNumber{std::exp(v), false};
    case KnownUnaryOp::kLog:
      return KnownNumber{std::log(v), false};
    case KnownUnaryOp::kReciprocal:
      return Divided(1, v, IsInteger(dtype));
    default:
      if (dtype == DType::kPred) return Truth(v == 0);
      return KnownNumber{-v - 1, false};
  }
}

// numpy's common dims; nullopt when there are none.
std::optional<std::vector<int64_t>> Common(const std::vector<int64_t>& x,
                                           const std::vector<int64_t>& y) {
  std::vector<int64_t> dims(std::max(x.size(), y.size()));
  for (size_t i = 0; i < dims.size(); ++i) {
    const int64_t a = i < x.size() ? x[x.size() - 1 - i] : 1;
    const int64_t b = i < y.size() ? y[y.size() - 1 - i] : 1;
    if (a != b && a != 1 && b != 1) return std::nullopt;
    dims[dims.size() - 1 - i] = a == 1 ? b : a;
  }
  return dims;
}

KnownBinaryOp JoinedBy(KnownReducer reducer) {
  switch (reducer) {
    case KnownReducer::kSum:
      return KnownBinaryOp::kAdd;
    case KnownReducer::kProduct:
      return KnownBinaryOp::kMultiply;
    case KnownReducer::kMax:
      return KnownBinaryOp::kMaximum;
    case KnownReducer::kMin:
      return KnownBinaryOp::kMinimum;
    case KnownReducer::kAnd:
      return KnownBinaryOp::kAnd;
    case KnownReducer::kOr:
      return KnownBinaryOp::kOr;
  }
  return KnownBinaryOp::kAdd;
}

// What a reduction of nothing gives; nullopt for the largest of nothing.
MaybeNumber NeutralOf(KnownReducer reducer) {
  switch (reducer) {
    case KnownReducer::kSum:
    case KnownReducer::kOr:
      return KnownNumber{0, false};
    case KnownReducer::kProduct:
    case KnownReducer::kAnd:
      return KnownNumber{1, false};
    default:
      return std::nullopt;
  }
}

}  // namespace

KnownBinaryOp KnownComparison(Comparison comparison) {
  switch (comparison) {
    case Comparison::kEq:
      return KnownBinaryOp::kEqual;
    case Comparison::kNe:
      return KnownBinaryOp::kNotEqual;
    case Comparison::kLt:
      return KnownBinaryOp::kLess;
    case Comparison::kLe:
      return KnownBinaryOp::kLessEqual;
    case Comparison::kGt:
      return KnownBinaryOp::kGreater;
    case Comparison::kGe:
      return KnownBinaryOp::kGreaterEqual;
  }
  return KnownBinaryOp::kEqual;
}

MaybeKnown KnownUnary(KnownUnaryOp op, const KnownValue& x) {
  KnownValue result = x;
  for (KnownNumber& element : result.elements) {
    const MaybeNumber number = OfOne(op, element, x.dtype);
    if (!number) return std::nullopt;
    element = *number;
  }
  return result;
}

MaybeKnown KnownBinary(KnownBinaryOp op, const KnownValue& x, const KnownValue& y,
                       BatchSize batch) {
  const auto dims = Common(x.dims, y.dims);
  if (!dims) return std::nullopt;
  const MaybeKnown left = KnownExpand(x, *dims);
  const MaybeKnown right = KnownExpand(y, *dims);
  if (!left || !right) return std::nullopt;
  KnownValue result = *left;
  for (size_t i = 0; i < result.elements.size(); ++i) {
    const MaybeNumber number = Combined(op, left->elements[i], right->elements[i], x.dtype, batch);
    if (!number) return std::nullopt;
    result.elements[i] = *number;
  }
  if (IsComparison(op)) result.dtype = DType::kPred;
  return result;
}

MaybeKnown KnownSelect(const KnownValue& pred, const KnownValue& x, const KnownValue& y) {
  auto dims = Common(x.dims, y.dims);
  if (dims) dims = Common(*dims, pred.dims);
  if (!dims) return std::nullopt;
  const MaybeKnown which = KnownExpand(pred, *dims);
  const MaybeKnown on_true = KnownExpand(x, *dims);
  const MaybeKnown on_false = KnownExpand(y, *dims);
  if (!which || !on_true || !on_false) return std::nullopt;
  KnownValue result = *on_true;
  for (size_t i = 0; i < result.elements.size(); ++i) {
    const KnownNumber& choice = which->elements[i];
    if (choice.value == 0) result.elements[i] = on_false->elements[i];
  }
  return result;
}

MaybeKnown KnownCast(const KnownValue& x, DType dtype) {
  KnownValue result = x;
  result.dtype = dtype;
  if (!IsInteger(dtype)) return result;
  for (KnownNumber& element : result.elements) {
    if (dtype == DType::kPred) {
      element = Truth(element.value != 0);
    } else if (!element.per_batch) {
      element.value = std::trunc(element.value);
    } else if (std::trunc(element.value) != element.value) {
      return std::nullopt;
    }
  }
  return result;
}

MaybeKnown KnownReduce(KnownReducer reducer, const KnownValue& x, std::vector<int64_t> dims,
                       bool keep_dims) {
  std::vector<bool> reduced(x.dims.size(), dims.empty());
  for (const int64_t dim : dims) {
    const std::optional<size_t> axis = KnownAxis(dim, x.rank());
    if (!axis) return std::nullopt;
    reduced[*axis] = true;
  }
  KnownValue result{x.dtype, {}, {}};
  std::vector<int64_t> kept;
  for (size_t i = 0; i < x.dims.size(); ++i) {
    kept.push_back(reduced[i] ? 1 : x.dims[i]);
    if (!reduced[i] || keep_dims) result.dims.push_back(kept.back());
  }
  std::vector<int64_t> strides = RowMajorStrides(kept);
  for (size_t i = 0; i < strides.size(); ++i) {
    if (reduced[i]) strides[i] = 0;
  }
  const std::optional<int64_t> count = KnownElements(kept);
  if (!count) return std::nullopt;
  std::vector<MaybeNumber> sums(*count);
  const std::vector<int64_t> places = Offsets(x.dims, strides);
  for (size_t i = 0; i < x.elements.size(); ++i) {
    MaybeNumber& sum = sums[places[i]];
    sum = sum ? Combined(JoinedBy(reducer), *sum, x.elements[i], x.dtype)
              : MaybeNumber(x.elements[i]);
    if (!sum) return std::nullopt;
  }
  result.elements.reserve(sums.size());
  for (const MaybeNumber& sum : sums) {
    const MaybeNumber element = sum ? sum : NeutralOf(reducer);
    if (!element) return std::nullopt;
    result.elements.push_back(*element);
  }
  return result;
}

}  // namespace tilewise
