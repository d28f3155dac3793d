// One elementwise op or activation on a matrix, as vector kernels are measured.

#include "library/activations.h"
#include "library/term.h"
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

OpId Activated(Net& net, std::string_view word, OpId op) {
  GraphBuilder& b = net.builder;
  const Term x(b, op);
  if (word == "linear") return (x * 2 + 1).id;
  if (word == "relu") return Relu(b, op);
  if (word == "leaky") return LeakyRelu(b, op, 0.01);
  if (word == "parametric") {  // slopes along the last dim
    return Prelu(b, op, net.Operand("slope", {net.last_dim(op)}));
  }
  if (word == "elu") return Elu(b, op);
  if (word == "selu") return Selu(b, op);
  if (word == "gelu") return b.Gelu(op, true);
  if (word == "tanh") return Tanh(x).id;
  if (word == "sigmoid") return Sigmoid(x).id;
  return Where(Compared(Comparison::kGe, x, 0), x.Like(1), x.Like(0)).id;
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
  return {"elementwise", "one elementwise op or activation", kElementwiseParameters,
          BuildElementwise};
}

}  // namespace tilewise
