// Small tensors whose elements are known while a file is read: what shape
// arithmetic works on (Shape -> Gather -> Concat -> Reshape). An element is a
// number, or a number times the batch, which is at least 1. Every operation
// answers nullopt when the result is not such a tensor: batch + 1, more than
// kMaxKnownElements elements, operands that do not fit. Tensors may be empty
// here (the shape of a scalar), other than in a graph.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "graph/graph_builder.h"
#include "graph/shape.h"

namespace tilewise {

inline constexpr int64_t kMaxKnownElements = 4096;

// `value`, or `value` x batch. Integers beyond 2^53 are rounded, which keeps
// "to the end" limits (2^63 - 1) what they are.
struct KnownNumber {
  double value = 0;
  bool per_batch = false;
  bool operator==(const KnownNumber&) const = default;
};

struct KnownValue {
  DType dtype = DType::kS64;
  std::vector<int64_t> dims;          // 0 or more each; scalar: none
  std::vector<KnownNumber> elements;  // row-major, as many as dims say

  int64_t rank() const { return static_cast<int64_t>(dims.size()); }
  int64_t size() const { return static_cast<int64_t>(elements.size()); }
  bool operator==(const KnownValue&) const = default;
};
using MaybeKnown = std::optional<KnownValue>;

// --- Made from, and read as, something else.

KnownValue KnownScalar(double value, DType dtype = DType::kS64);
KnownValue KnownVector(std::span<const int64_t> values, DType dtype = DType::kS64);
MaybeKnown KnownFill(KnownNumber value, const std::vector<int64_t>& dims, DType dtype);
// The shape-of and size-of operations.
KnownValue KnownDims(const Shape& shape, DType dtype = DType::kS64);
MaybeKnown KnownSize(const Shape& shape, DType dtype = DType::kS64);
// start, start + step ... before limit; scalars of one type. A step that would
// never arrive gives an empty tensor.
MaybeKnown KnownRange(const KnownValue& start, const KnownValue& limit, const KnownValue& step);

// Returns all elements, flattened, when none depends on the batch. Fractions
// are cut off, numbers beyond int64_t become its ends.
std::optional<std::vector<int64_t>> KnownIntegers(const KnownValue& x);
// The only element.
std::optional<int64_t> KnownInteger(const KnownValue& x);
std::optional<double> KnownReal(const KnownValue& x);
// Returns all elements as sizes; nullopt when one is negative or a fraction.
std::optional<std::vector<Dim>> KnownAsDims(const KnownValue& x);
// The tensor in a graph: a constant, a count along one dim, or, when it is
// neither, a variable that is not trained (the numbers do not matter to costs).
// kNoOp and a failure of the builder when it is empty.
OpId Materialize(GraphBuilder& builder, const KnownValue& x);

// --- Element by element.

enum class KnownUnaryOp : uint8_t {
  kNegate,
  kAbs,
  kSign,
  kCeil,
  kFloor,
  kRound,  // halves to even
  kSqrt,
  kExp,
  kLog,
  kReciprocal,
  kNot,
};
enum class KnownBinaryOp : uint8_t {
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,       // integers: towards zero
  kFloorDivide,  // towards minus infinity
  kModulo,       // has the sign of the divisor
  kRemainder,    // has the sign of the dividend
  kPower,
  kMaximum,
  kMinimum,
  kAnd,
  kOr,
  kXor,
  kEqual,
  kNotEqual,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
};

KnownBinaryOp KnownComparison(Comparison comparison);

MaybeKnown KnownUnary(KnownUnaryOp op, const KnownValue& x);
// How a multiple of the batch compares with a number: as it does for every
// batch, which may be neither less nor more; or as it does for large ones.
enum class BatchSize : uint8_t { kAny, kLarge };
// Dims are broadcast as numpy does. The result has the type of x; comparisons
// give kPred.
MaybeKnown KnownBinary(KnownBinaryOp op, const KnownValue& x, const KnownValue& y,
                       BatchSize batch = BatchSize::kAny);
// pred ? x : y, broadcast.
MaybeKnown KnownSelect(const KnownValue& pred, const KnownValue& x, const KnownValue& y);
// Casts to an integer type, where fractions are cut off, or to kPred, where 0
// is false.
MaybeKnown KnownCast(const KnownValue& x, DType dtype);

enum class KnownReducer : uint8_t { kSum, kProduct, kMax, kMin, kAnd, kOr };
// Dims may be negative; none given: all. Kept dims have size 1.
MaybeKnown KnownReduce(KnownReducer reducer, const KnownValue& x, std::vector<int64_t> dims,
                       bool keep_dims);

// --- Elements in another order. Dims ("axis") may be negative.

// Python's x[start:limit:stride] along one dim: negative indices count from the
// end, indices beyond an end are clamped, a stride may be negative but not 0.
MaybeKnown KnownSlice(const KnownValue& x, int64_t dim, int64_t start, int64_t limit,
                      int64_t stride);
// Slices at `indices` along `axis`; negative indices count from the end.
MaybeKnown KnownGather(const KnownValue& x, const KnownValue& indices, int64_t axis);
MaybeKnown KnownConcat(std::span<const KnownValue> xs, int64_t axis);
// One dim may be -1: what is left.
MaybeKnown KnownReshape(const KnownValue& x, std::vector<int64_t> dims);
// Dims of the result that are new and of size 1.
MaybeKnown KnownUnsqueeze(const KnownValue& x, std::vector<int64_t> dims);
MaybeKnown KnownTranspose(const KnownValue& x, const std::vector<int64_t>& permutation);
// numpy's broadcast_to.
MaybeKnown KnownExpand(const KnownValue& x, const std::vector<int64_t>& dims);
MaybeKnown KnownTile(const KnownValue& x, const std::vector<int64_t>& repeats);

}  // namespace tilewise
