// Numbers are drawn in f32 whatever the type of x, as the frameworks do.

#include "library/random.h"

#include "library/broadcast.h"

namespace tilewise {

OpId RandomLike(GraphBuilder& builder, OpKind kind, OpId x, const std::vector<int64_t>& shared) {
  Shape shape = builder.shape(x).WithType(DType::kF32);
  const std::vector<Dim> full = shape.dims;
  for (const int64_t d : shared) {
    shape.dims[d] = {1, false};
  }
  return builder.BroadcastTo(builder.Rng(kind, shape), full);
}

DroppedOut Dropout(GraphBuilder& builder, OpId x, double rate, const std::vector<int64_t>& shared) {
  const OpId numbers = RandomLike(builder, OpKind::kRngUniform, x, shared);
  const OpId kept = CompareScalar(builder, Comparison::kGe, numbers, rate);
  const OpId scaled = WithScalar(builder, OpKind::kMultiply, x, 1 / (1 - rate));
  return {builder.Select(kept, scaled, FilledLike(builder, x, 0)), kept};
}

}  // namespace tilewise
