// One layer norm over the columns of a matrix, computed in f32.

#include "zoo/micro.h"
#include "zoo/models.h"
#include "zoo/net.h"

namespace tilewise {
namespace {

constexpr ZooParameter kLayernormParameters[] = {
    {"rows", "8192", "independent rows"},
    {"columns", "1024", "elements that are normalised together"},
    kOperandFloatType,
};

absl::StatusOr<Graph> BuildLayernorm(const ZooSpec& spec) {
  Net net(spec);
  net.Layer("layernorm");
  GraphBuilder& b = net.builder;
  const int64_t columns = spec.Integer("columns");
  const OpId x = net.Operand("x", {spec.Integer("rows"), columns});
  const Shape weights = Shape::Of(DType::kF32, {columns});
  const OpId scale = b.Parameter(weights, "gamma");
  const OpId offset = b.Parameter(weights, "beta");
  const OpId y = b.LayerNorm(b.Convert(x, DType::kF32), scale, offset, {1}, 1e-6);
  return net.Finish({b.Convert(y, net.compute_type())});
}

}  // namespace

ZooModel LayernormModel() {
  return {"layernorm", "one layer norm", kLayernormParameters, BuildLayernorm};
}

}  // namespace tilewise
