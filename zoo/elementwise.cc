// One elementwise op or activation on a matrix, as vector kernels are measured.

#include "zoo/micro.h"
#include "zoo/models.h"
#include "zoo/net.h"

namespace tilewise {
namespace {

constexpr ZooParameter kElementwiseParameters[] = {
    {"op", "add",
     "two operands: add to div; activations of one: linear (a x + b) to "
     "binary_step; parametric has a slope per column",
     "add|sub|mul|div|linear|relu|leaky|parametric|elu|selu|gelu|tanh|sigmoid|"
     "binary_step"},
    {"dim0", "1024", "rows", {}, 1, int64_t{1} << 30},
    {"dim1", "1024", "columns; 1 for a vector", {}, 1, int64_t{1} << 30},
    {"vector", "0", "1: one dim of dim0 x dim1 elements", kFlagWords},
    kOperandFloatType,
};

struct BinaryName {
  std::string_view word;
  OpKind kind;
};
constexpr BinaryName kBinary[] = {
    {"add", OpKind::kAdd},
    {"sub", OpKind::kSubtract},
    {"mul", OpKind::kMultiply},
    {"div", OpKind::kDivide},
};

// x where it is positive, else `negative`.
OpId ByParts(Net& net, OpId x, OpId negative) {
  GraphBuilder& b = net.builder;
  const Shape shape = net.shape(x);
  const OpId zero = b.Broadcast(b.Scalar(0, shape.dtype), shape.dims, {});
  return b.Select(b.Compare(Comparison::kGt, x, zero), x, negative);
}

// alpha (exp(x) - 1) below zero.
OpId Exponential(Net& net, OpId x, double alpha) {
  GraphBuilder& b = net.builder;
  const OpId shifted =
      b.BinaryScalar(OpKind::kSubtract, b.Unary(OpKind::kExp, x), 1);
  return ByParts(net, x, alpha == 1 ? shifted : net.Scale(shifted, alpha));
}

OpId BinaryStep(Net& net, OpId x) {
  GraphBuilder& b = net.builder;
  const Shape shape = net.shape(x);
  const auto constant = [&](double value) {
    return b.Broadcast(b.Scalar(value, shape.dtype), shape.dims, {});
  };
  return b.Select(b.Compare(Comparison::kGe, x, constant(0)), constant(1),
                  constant(0));
}

// Slopes along the last dim.
OpId Parametric(Net& net, OpId x) {
  const Shape shape = net.shape(x);
  const OpId slope = net.Operand("slope", {shape.dims.back().factor});
  const OpId slopes =
      net.builder.Broadcast(slope, shape.dims, {shape.rank() - 1});
  return ByParts(net, x, net.builder.Binary(OpKind::kMultiply, x, slopes));
}

// Constants of SELU: Klambauer et al. 2017.
OpId Activated(Net& net, std::string_view word, OpId x) {
  GraphBuilder& b = net.builder;
  if (word == "linear") return b.BinaryScalar(OpKind::kAdd, net.Scale(x, 2), 1);
  if (word == "relu") return net.Relu(x);
  if (word == "leaky") return ByParts(net, x, net.Scale(x, 0.01));
  if (word == "parametric") return Parametric(net, x);
  if (word == "elu") return Exponential(net, x, 1);
  if (word == "selu") return net.Scale(Exponential(net, x, 1.67326), 1.0507);
  if (word == "gelu") return b.Gelu(x, true);
  if (word == "tanh") return b.Unary(OpKind::kTanh, x);
  if (word == "sigmoid") return b.Unary(OpKind::kLogistic, x);
  return BinaryStep(net, x);
}

absl::StatusOr<Graph> BuildElementwise(const ZooSpec& spec) {
  Net net(spec);
  const std::string_view word = spec.Word("op");
  net.Layer(word);
  std::vector<int64_t> sizes = {spec.Integer("dim0"), spec.Integer("dim1")};
  if (spec.Flag("vector")) sizes = {sizes[0] * sizes[1]};
  const OpId x = net.Operand("x", sizes);
  for (const BinaryName& binary : kBinary) {
    if (binary.word != word) continue;
    const OpId y = net.Operand("y", sizes);
    return net.Finish({net.builder.Binary(binary.kind, x, y)});
  }
  return net.Finish({Activated(net, word, x)});
}

}  // namespace

ZooModel ElementwiseModel() {
  return {"elementwise", "one elementwise op or activation",
          kElementwiseParameters, BuildElementwise};
}

}  // namespace tilewise
