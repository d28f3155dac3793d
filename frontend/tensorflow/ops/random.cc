// Random numbers. Seeds and generator states are left out: the generator of the
// device keeps its own.

#include <fmt/format.h>

#include "frontend/tensorflow/ops/families.h"
#include "frontend/tensorflow/ops/operands.h"
#include "library/broadcast.h"
#include "library/term.h"

namespace tilewise::tf {
namespace {

// Sizes of the numbers wanted: operand `i`.
absl::StatusOr<Shape> WantedShape(const OpContext& ctx, int64_t i, DType otherwise) {
  TW_ASSIGN_OR_RETURN(const auto dims, KnownSizes(ctx, i, "shape"));
  return Shape(TypeOr(ctx, "dtype", otherwise), dims);
}

// The generators work on f32 (or f64); 16-bit numbers are rounded from them.
OpId Draw(GraphBuilder& b, OpKind kind, const Shape& shape) {
  const bool wide = shape.dtype == DType::kF64 || shape.dtype == DType::kF32;
  const Shape drawn = wide ? shape : shape.WithType(DType::kF32);
  return b.Convert(b.Rng(kind, drawn), shape.dtype);
}

template <OpKind kKind, int kShape>
absl::Status Random(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const Shape shape, WantedShape(ctx, kShape, DType::kF32));
  if (IsEmpty(shape.dims)) return absl::OkStatus();
  return ctx.Result(Draw(ctx.builder(), kKind, shape));
}

// What lies beyond two deviations is drawn again: XLA maps uniform numbers by
// the inverse error function instead.
template <int kShape>
absl::Status TruncatedNormal(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const Shape shape, WantedShape(ctx, kShape, DType::kF32));
  if (IsEmpty(shape.dims)) return absl::OkStatus();
  const OpId normal = Draw(ctx.builder(), OpKind::kRngNormal, shape);
  return ctx.Result(Clamp(ctx.builder(), normal, -2, 2));
}

// Integers in [low, high): bits modulo the range.
template <int kShape, int kLow, int kHigh>
absl::Status RandomInteger(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const Shape wanted, WantedShape(ctx, kShape, DType::kS32));
  TW_ASSIGN_OR_RETURN(const OpId low, Tensor(ctx, kLow));
  TW_ASSIGN_OR_RETURN(const OpId high, Tensor(ctx, kHigh));
  if (IsEmpty(wanted.dims)) return absl::OkStatus();
  GraphBuilder& b = ctx.builder();
  const Shape shape = wanted.WithType(b.shape(low).dtype);
  const bool is_wide = BitWidth(shape.dtype) == 64;
  const OpId bits = b.Rng(OpKind::kRngBits, shape.WithType(is_wide ? DType::kU64 : DType::kU32));
  const Term from(b, low), to(b, high);
  const Term place =
      Binary(OpKind::kRemainder, Abs(Term(b, b.Convert(bits, shape.dtype))), to - from);
  return ctx.Result((from + place).id);
}

template <int kShape>
absl::Status RandomBits(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const Shape shape, WantedShape(ctx, kShape, DType::kS32));
  if (IsEmpty(shape.dims)) return absl::OkStatus();
  const bool is_wide = BitWidth(shape.dtype) == 64;
  const OpId bits =
      ctx.builder().Rng(OpKind::kRngBits, shape.WithType(is_wide ? DType::kU64 : DType::kU32));
  return ctx.Result(ctx.builder().Convert(bits, shape.dtype));
}

// Logits [batch, classes] -> num_samples ids for each example.
absl::Status Multinomial(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const OpId logits, Tensor(ctx, 0));
  TW_ASSIGN_OR_RETURN(const int64_t samples, KnownSingle(ctx, 1, "num_samples"));
  GraphBuilder& b = ctx.builder();
  const Shape from = b.shape(logits);
  if (from.rank() != 2 || samples < 1) {
    return InvalidInput(fmt::format("found {} samples of {}", samples, FormatShape(from)));
  }
  const OpId wide = b.Broadcast(logits, {from.dims[0], {samples, false}, from.dims[1]}, {0, 2});
  return ctx.Result(b.Convert(b.RngCategorical(wide), TypeOr(ctx, "output_dtype", DType::kS64)));
}

// Rows sorted by a random key, as XLA shuffles.
absl::Status RandomShuffle(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const OpId x, Tensor(ctx, 0));
  GraphBuilder& b = ctx.builder();
  const Shape from = b.shape(x);
  if (from.rank() < 1) {
    return ctx.Result(x);
  }
  const Shape keys(DType::kU32, {from.dims[0]});
  const OpId key = b.Rng(OpKind::kRngBits, keys);
  if (from.rank() == 1) {
    return ctx.Result(b.Sort({key, x}, 0, false, 1));
  }
  const OpId places = b.Iota(keys.WithType(DType::kS32), 0);
  return ctx.Result(b.Gather(x, b.Sort({key, places}, 0, false, 1)));
}

// 1 with a probability, else 0: shape, ..., probabilities at the end.
template <int kShape, int kProbability>
absl::Status Bernoulli(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const auto dims, KnownSizes(ctx, kShape, "shape"));
  TW_ASSIGN_OR_RETURN(const OpId probability, Tensor(ctx, kProbability));
  if (IsEmpty(dims)) return absl::OkStatus();
  GraphBuilder& b = ctx.builder();
  const OpId uniform = b.Rng(OpKind::kRngUniform, {DType::kF32, dims});
  const Term hit =
      Compared(Comparison::kLt, Term(b, uniform), Cast(Term(b, probability), DType::kF32));
  return ctx.Result(b.Convert(hit.id, TypeOr(ctx, "dtype", DType::kS64)));
}

// Gamma and Poisson numbers are drawn by loops that reject: opaque, of the
// shape asked for with that of the parameter behind it.
template <int kParameter>
absl::Status Rejecting(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(Shape shape, WantedShape(ctx, 0, DType::kF32));
  TW_ASSIGN_OR_RETURN(const Shape parameter, TensorShapeOf(ctx, kParameter));
  if (!ctx.op().starts_with("Stateless")) {
    shape.dims.insert(shape.dims.end(), parameter.dims.begin(), parameter.dims.end());
  }
  if (!ctx.Type("dtype")) shape.dtype = parameter.dtype;
  return OpaqueResult(ctx, 0, shape);
}

// True classes [batch, num_true] -> classes drawn, and how often each of both
// is expected.
absl::Status CandidateSampler(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const Shape classes, TensorShapeOf(ctx, 0));
  const int64_t drawn = ctx.Int("num_sampled", 0);
  if (drawn < 1) return InvalidInput("found no number of classes to draw");
  TW_RETURN_IF_ERROR(OpaqueResult(ctx, 0, Shape::Of(DType::kS64, {drawn})));
  TW_RETURN_IF_ERROR(OpaqueResult(ctx, 1, classes.WithType(DType::kF32)));
  return OpaqueResult(ctx, 2, Shape::Of(DType::kF32, {drawn}));
}

// States of generators: the counter before the numbers were taken.
absl::Status ReadAndSkip(OpContext& ctx) {
  const OpId state = ctx.ReadVariable(0);
  if (state == kNoOp) return ctx.builder().TakeStatus();
  return ctx.Result(ctx.builder().Convert(state, DType::kS64));
}

// Keys and counters made of a seed: no numbers of the model depend on them.
absl::Status KeyCounter(OpContext& ctx) {
  ctx.SetKnown(0, KnownVector(std::vector<int64_t>{0}, DType::kU64));
  ctx.SetKnown(1, KnownVector(std::vector<int64_t>{0, 0}, DType::kU64));
  ctx.SetKnown(2, KnownScalar(1, DType::kS32));
  return absl::OkStatus();
}

absl::Status Algorithm(OpContext& ctx) { return ctx.Result(KnownScalar(1, DType::kS32)); }

constexpr OpKind kUniform = OpKind::kRngUniform;
constexpr OpKind kNormal = OpKind::kRngNormal;

constexpr OpEntry kRandomOps[] = {
    {"AllCandidateSampler", CandidateSampler},
    {"FixedUnigramCandidateSampler", CandidateSampler},
    {"LearnedUnigramCandidateSampler", CandidateSampler},
    {"LogUniformCandidateSampler", CandidateSampler},
    {"UniformCandidateSampler", CandidateSampler},
    {"ParameterizedTruncatedNormal", TruncatedNormal<0>},
    {"RandomGamma", Rejecting<1>},
    {"RandomPoisson", Rejecting<1>},
    {"RandomPoissonV2", Rejecting<1>},
    {"StatelessRandomGammaV2", Rejecting<2>},
    {"StatelessRandomPoisson", Rejecting<2>},
    {"Multinomial", Multinomial},
    {"RandomShuffle", RandomShuffle},
    {"RandomStandardNormal", Random<kNormal, 0>},
    {"RandomUniform", Random<kUniform, 0>},
    {"RandomUniformInt", RandomInteger<0, 1, 2>},
    {"RngReadAndSkip", ReadAndSkip},
    {"StatefulRandomBinomial", Bernoulli<2, 4>},
    {"StatefulStandardNormalV2", Random<kNormal, 2>},
    {"StatefulTruncatedNormal", TruncatedNormal<2>},
    {"StatefulUniform", Random<kUniform, 2>},
    {"StatefulUniformFullInt", RandomBits<2>},
    {"StatefulUniformInt", RandomInteger<2, 3, 4>},
    {"StatelessMultinomial", Multinomial},
    {"StatelessRandomBinomial", Bernoulli<0, 3>},
    {"StatelessRandomGetAlg", Algorithm},
    {"StatelessRandomGetKeyCounter", KeyCounter},
    {"StatelessRandomGetKeyCounterAlg", KeyCounter},
    {"StatelessRandomNormal", Random<kNormal, 0>},
    {"StatelessRandomNormalV2", Random<kNormal, 0>},
    {"StatelessRandomUniform", Random<kUniform, 0>},
    {"StatelessRandomUniformFullInt", RandomBits<0>},
    {"StatelessRandomUniformFullIntV2", RandomBits<0>},
    {"StatelessRandomUniformInt", RandomInteger<0, 2, 3>},
    {"StatelessRandomUniformIntV2", RandomInteger<0, 4, 5>},
    {"StatelessRandomUniformV2", Random<kUniform, 0>},
    {"StatelessShuffle", RandomShuffle},
    {"StatelessTruncatedNormal", TruncatedNormal<0>},
    {"StatelessTruncatedNormalV2", TruncatedNormal<0>},
    {"TruncatedNormal", TruncatedNormal<0>},
};

}  // namespace

std::span<const OpEntry> RandomOps() { return kRandomOps; }

}  // namespace tilewise::tf
