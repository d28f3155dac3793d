// One softmax over the columns of a matrix, computed in f32.

#include "zoo/micro.h"
#include "zoo/models.h"
#include "zoo/net.h"

namespace tilewise {
namespace {

constexpr ZooParameter kSoftmaxParameters[] = {
    {"rows", "8192", "independent rows"},
    {"columns", "1024", "elements that are normalised together"},
    kOperandFloatType,
};

absl::StatusOr<Graph> BuildSoftmax(const ZooSpec& spec) {
  Net net(spec);
  net.Layer("softmax");
  GraphBuilder& b = net.builder;
  const OpId x = net.Operand("x", {spec.Integer("rows"), spec.Integer("columns")});
  const OpId y = b.Softmax(b.Convert(x, DType::kF32), 1);
  return net.Finish({b.Convert(y, net.compute_type())});
}

}  // namespace

ZooModel SoftmaxModel() { return {"softmax", "one softmax", kSoftmaxParameters, BuildSoftmax}; }

}  // namespace tilewise
