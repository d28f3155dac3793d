// Dense layers (matrix products on the last dim) and embeddings.

#include "frontend/keras/layers/families.h"

namespace tilewise {
namespace {

OpId BuildDense(LayerContext& ctx) {
  const int64_t rank = ctx.rank(ctx.input());
  if (rank < 2) {
    ctx.ExpectRank(ctx.input(), 2);
    return kNoOp;
  }
  const int64_t units = ctx.config.Positive("units");
  const int64_t features = ctx.shape(ctx.input()).dims.back().factor;
  const OpId kernel = ctx.Variable("kernel", {features, units});
  OpId y = ctx.builder.MatMul(ctx.input(), kernel);
  if (ctx.config.Flag("use_bias", true)) {
    y = ctx.AddBias(y, ctx.Variable("bias", {units}), rank - 1);
  }
  return ctx.Activate(y);
}

OpId BuildEmbedding(LayerContext& ctx) {
  const int64_t rows = ctx.config.Positive("input_dim");
  const int64_t width = ctx.config.Positive("output_dim");
  const OpId ids = ctx.builder.Convert(ctx.input(), DType::kS32);
  const OpId table = ctx.RawVariable("embeddings", {rows, width});
  return ctx.builder.Convert(ctx.builder.Gather(table, ids), ctx.compute_type);
}

constexpr LayerEntry kDenseLayers[] = {
    {"Dense", BuildDense},
    {"Embedding", BuildEmbedding, true},
};

}  // namespace

std::span<const LayerEntry> DenseLayers() { return kDenseLayers; }

}  // namespace tilewise
