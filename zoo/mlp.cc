// Fully connected networks as in ParaDnn (Wang, Wei, Brooks 2019): hidden
// layers of equal width with ReLU, softmax output, one-hot labels.

#include <fmt/format.h>

#include "zoo/models.h"
#include "zoo/net.h"

namespace tilewise {
namespace {

constexpr ZooParameter kMlpParameters[] = {
    {"layers", "4", "hidden layers", {}, 0, 1024},
    {"nodes", "4096", "units of each hidden layer"},
    {"input", "2000", "features of the input"},
    {"output", "1000", "classes"},
    {"activation", "relu", "of the hidden layers", "relu|tanh|sigmoid|linear"},
    {"dtype", "f32", "type of activations and products", "f32|bf16|f16|s8"},
    kWeightType,
};

OpId Apply(Net& net, std::string_view activation, OpId x) {
  if (activation == "tanh") return net.builder.Unary(OpKind::kTanh, x);
  if (activation == "sigmoid") return net.builder.Unary(OpKind::kLogistic, x);
  return activation == "relu" ? net.Relu(x) : x;
}

absl::StatusOr<Graph> BuildMlp(const ZooSpec& spec) {
  Net net(spec);
  OpId x = net.Input("x", {spec.Integer("input")});
  for (int64_t i = 0; i < spec.Integer("layers"); ++i) {
    net.Layer(fmt::format("dense_{}", i));
    x = Apply(net, spec.Word("activation"), net.Dense(x, spec.Integer("nodes"), true));
  }
  net.Layer("out");
  x = net.Dense(x, spec.Integer("output"), true);
  if (!IsFloat(net.compute_type())) x = net.builder.Convert(x, DType::kF32);
  return net.Finish({net.builder.Softmax(x, 1)});
}

}  // namespace

ZooModel MlpModel() {
  return {.name = "mlp",
          .summary = "fully connected network",
          .parameters = kMlpParameters,
          .build = BuildMlp,
          .sparse_labels = false};
}

}  // namespace tilewise
