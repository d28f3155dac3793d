// Batch normalisation in one instruction, written out as XLA expands it.

#include "frontend/hlo/ops.h"
#include "frontend/hlo/shapes.h"

namespace tilewise::hlo {
namespace {

struct Norm {
  Emitter& e;
  OpId x;
  int64_t feature;
  double epsilon;

  std::vector<int64_t> OtherDims() const {
    std::vector<int64_t> dims;
    for (int64_t i = 0; i < e.shape(x).rank(); ++i) {
      if (i != feature) dims.push_back(i);
    }
    return dims;
  }
  // Elements of one feature; 0 when they depend on the batch.
  double Count() const {
    double count = 1;
    for (const int64_t dim : OtherDims()) {
      const Dim& d = e.shape(x).dims[static_cast<size_t>(dim)];
      count *= d.per_batch ? 0 : static_cast<double>(d.factor);
    }
    return count;
  }
  OpId Spread(OpId per_feature) const {
    return e.Broadcast(per_feature, e.shape(x).dims, {feature});
  }
  OpId Sum(OpId y) const { return e.Reduce(Reducer::kSum, y, OtherDims()); }
  OpId Mean(OpId y) const {
    return e.BinaryScalar(OpKind::kMultiply, Sum(y), 1 / Count());
  }
  // 1 / sqrt(variance + epsilon), a value for each feature.
  OpId Deviation(OpId variance) const {
    return e.Unary(OpKind::kRsqrt,
                   e.BinaryScalar(OpKind::kAdd, variance, epsilon));
  }
};

std::optional<Norm> Read(Translation& t, const Site& site, size_t operands) {
  Emitter& e = t.emit();
  const InstructionExtras& more = site.more();
  Norm norm = {e, site.operand(0), more.feature_index, more.epsilon};
  bool all = site.operands.size() == operands;
  for (size_t i = 0; i < operands; ++i) all &= site.operand(i) != kNoOp;
  if (!all || norm.feature < 0 || norm.feature >= e.shape(norm.x).rank() ||
      norm.Count() == 0) {
    e.Fail("found operands or a feature dim that a batch norm does not have");
    return std::nullopt;
  }
  return norm;
}

}  // namespace

Value TranslateBatchNormTraining(Translation& t, const Site& site) {
  const std::optional<Norm> norm = Read(t, site, 3);
  if (!norm) return {};
  Emitter& e = t.emit();
  const OpId mean = norm->Mean(norm->x);
  const OpId square = e.Binary(OpKind::kMultiply, norm->x, norm->x);
  const OpId variance = e.Binary(OpKind::kSubtract, norm->Mean(square),
                                 e.Binary(OpKind::kMultiply, mean, mean));
  Attributes attrs;
  attrs.dims = {norm->feature};
  attrs.epsilon = norm->epsilon;
  const OpId y =
      e.Add(OpKind::kBatchNormTraining,
            {norm->x, site.operand(1), site.operand(2)}, std::move(attrs));
  return Value::Tuple({y, mean, variance});
}

Value TranslateBatchNormInference(Translation& t, const Site& site) {
  const std::optional<Norm> norm = Read(t, site, 5);
  if (!norm) return {};
  Attributes attrs;
  attrs.dims = {norm->feature};
  attrs.epsilon = norm->epsilon;
  return t.emit().Add(OpKind::kBatchNormInference,
                      {norm->x, site.operand(1), site.operand(2),
                       site.operand(3), site.operand(4)},
                      std::move(attrs));
}

// Operands: x, scale, mean, variance, dy. Results: dx, dscale, doffset.
Value TranslateBatchNormGrad(Translation& t, const Site& site) {
  const std::optional<Norm> norm = Read(t, site, 5);
  if (!norm) return {};
  Emitter& e = t.emit();
  const OpId dy = site.operand(4);
  const OpId deviation = norm->Deviation(site.operand(3));
  const OpId centered =
      e.Binary(OpKind::kSubtract, norm->x, norm->Spread(site.operand(2)));
  const OpId doffset = norm->Sum(dy);
  const OpId product = norm->Sum(e.Binary(OpKind::kMultiply, dy, centered));
  const OpId dscale = e.Binary(OpKind::kMultiply, product, deviation);
  // dx = scale * deviation * (dy - mean(dy) - centered * deviation^2 *
  // mean(dy * centered)).
  const double share = 1 / norm->Count();
  const OpId slope = e.BinaryScalar(
      OpKind::kMultiply, e.Binary(OpKind::kMultiply, dscale, deviation), share);
  const OpId level = e.BinaryScalar(OpKind::kMultiply, doffset, share);
  const OpId inner = e.Binary(
      OpKind::kSubtract, e.Binary(OpKind::kSubtract, dy, norm->Spread(level)),
      e.Binary(OpKind::kMultiply, centered, norm->Spread(slope)));
  const OpId factor = e.Binary(OpKind::kMultiply, site.operand(1), deviation);
  const OpId dx = e.Binary(OpKind::kMultiply, norm->Spread(factor), inner);
  return Value::Tuple({dx, dscale, doffset});
}

}  // namespace tilewise::hlo
