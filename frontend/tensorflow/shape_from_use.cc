// Follows an input through ops that keep its rank to one that tells: a matmul
// with weights, a convolution, a reshape to known sizes.

#include "frontend/tensorflow/shape_from_use.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "frontend/tensorflow/attr_value.h"
#include "frontend/tensorflow/training_ops.h"
#include "frontend/tensorflow/trip_count.h"

namespace tilewise::tf {
namespace {

constexpr int64_t kOpen = -1;
constexpr int64_t kImageSize = 224;  // as most image models are published
constexpr size_t kMaxUses = 200;

// What is known of a weight or constant before anything is evaluated.
std::optional<TensorShape> ShapeOf(const GraphIndex& index, Edge edge) {
  for (int i = 0; i < 8; ++i) {
    edge = ThroughIdentities(index, edge);
    if (edge.node < 0 || index.IsArgument(edge.node)) return std::nullopt;
    const NodeDef& node = index.node(edge.node);
    if (node.op == "Const") {
      const auto tensor = AttrTensor(node.attrs, "value");
      return tensor ? std::optional(tensor->shape) : std::nullopt;
    }
    if (node.op == "ReadVariableOp" && !index.inputs(edge.node).empty()) {
      edge = index.inputs(edge.node)[0];
      continue;
    }
    const auto handles = AttrShapes(node.attrs, "_handle_shapes");
    if (handles && !handles->empty()) return handles->front();
    return AttrShape(node.attrs, "shape");
  }
  return std::nullopt;
}

std::optional<std::vector<int64_t>> NumbersOf(const GraphIndex& index, Edge edge) {
  edge = ThroughIdentities(index, edge);
  if (edge.node < 0 || index.IsArgument(edge.node)) return std::nullopt;
  const NodeDef& node = index.node(edge.node);
  if (node.op != "Const") return std::nullopt;
  const auto tensor = AttrTensor(node.attrs, "value");
  return tensor && tensor->known ? KnownIntegers(*tensor->known) : std::nullopt;
}

// [batch, size of all others] of what is reshaped to [-1, ...].
std::optional<TensorShape> FromReshape(const std::vector<int64_t>& target) {
  if (target.empty() || target.front() != -1) return std::nullopt;
  int64_t size = 1;
  for (size_t k = 1; k < target.size(); ++k) {
    if (target[k] <= 0 || __builtin_mul_overflow(size, target[k], &size)) {
      return std::nullopt;
    }
  }
  return TensorShape{false, {kOpen, size}};
}

std::optional<TensorShape> FromConvolution(const NodeDef& node, const TensorShape& kernel) {
  if (kernel.dims.size() != 4) return std::nullopt;
  const bool channels_first = AttrString(node.attrs, "data_format").value_or("NHWC") == "NCHW";
  const int64_t features = kernel.dims[2];
  if (channels_first) {
    return TensorShape{false, {kOpen, features, kImageSize, kImageSize}};
  }
  return TensorShape{false, {kOpen, kImageSize, kImageSize, features}};
}

bool KeepsShape(std::string_view op) {
  return op == "Identity" || op == "Cast" || op == "Pad" || op == "PadV2" || op == "Relu" ||
         op == "Sub" || op == "Add" || op == "AddV2" || op == "Mul" || op == "RealDiv" ||
         op == "Div" || op == "BiasAdd" || op == "Quantize" || Contains(op, "FakeQuant");
}

// What a use of `edge` as operand `place` of `node` says.
std::optional<TensorShape> FromOne(const GraphIndex& index, int32_t node, size_t place,
                                   DataType type) {
  const NodeDef& def = index.node(node);
  const std::span<const Edge> inputs = index.inputs(node);
  if (inputs.size() < 2) return std::nullopt;
  const Edge other = inputs[place == 0 ? 1 : 0];
  if (def.op == "Reshape" && place == 0) {
    const auto target = NumbersOf(index, other);
    return target ? FromReshape(*target) : std::nullopt;
  }
  const std::optional<TensorShape> weights = ShapeOf(index, other);
  if (place == 0 && weights) {
    const std::vector<int64_t>& dims = weights->dims;
    if (def.op == "MatMul" && dims.size() == 2) {
      return TensorShape{false, {kOpen, dims[0]}};
    }
    if (def.op == "Conv2D" || def.op == "DepthwiseConv2dNative" || def.op == "_FusedConv2D") {
      return FromConvolution(def, *weights);
    }
    if (def.op == "BiasAdd" && dims.size() == 1) {
      return TensorShape{false, {kOpen, dims[0]}};
    }
  }
  // A rate or a probability, joined with what is computed.
  const bool joins = def.op == "Mul" || def.op == "RealDiv" || def.op == "Add" ||
                     def.op == "AddV2" || def.op == "Sub" || def.op == "Div";
  if (joins && !weights && place == 1) return TensorShape{false, {}};
  if (type == DataType::kInt32 && def.op.ends_with("While")) {
    return TensorShape{false, {}};
  }
  return std::nullopt;
}

// The shape before a transposition of one of `shape`.
std::optional<TensorShape> BeforeTranspose(const TensorShape& shape,
                                           const std::vector<int64_t>& permutation) {
  if (permutation.size() != shape.dims.size()) return std::nullopt;
  TensorShape before = shape;
  for (size_t i = 0; i < permutation.size(); ++i) {
    const size_t from = permutation[i];
    if (from >= before.dims.size()) return std::nullopt;
    before.dims[from] = shape.dims[i];
  }
  return before;
}

}  // namespace

std::optional<TensorShape> ShapeFromUse(const GraphIndex& index, int32_t input, DataType type) {
  // Nodes that carry the input, each with the transposition that it had.
  struct Carrier {
    Edge edge;
    std::vector<int64_t> permutation;
  };
  std::vector<Carrier> carriers = {{{input, 0}, {}}};
  // Users of all nodes at once: one walk, however long the chain is.
  absl::flat_hash_map<int32_t, std::vector<std::pair<int32_t, size_t>>> users;
  for (int32_t i = 0; i < index.size(); ++i) {
    const std::span<const Edge> inputs = index.inputs(i);
    for (size_t k = 0; k < inputs.size() && k < 2; ++k) {
      users[inputs[k].node].emplace_back(i, k);
    }
  }
  for (size_t c = 0; c < carriers.size() && c < kMaxUses; ++c) {
    const Carrier carrier = carriers[c];
    for (const auto& [node, place] : users[carrier.edge.node]) {
      std::optional<TensorShape> shape = FromOne(index, node, place, type);
      if (shape && !carrier.permutation.empty()) {
        shape = BeforeTranspose(*shape, carrier.permutation);
      }
      if (shape) return shape;
      const std::string_view op = index.node(node).op;
      if (place == 0 && KeepsShape(op)) {
        carriers.push_back({{node, 0}, carrier.permutation});
      } else if (place == 0 && op == "Transpose" && carrier.permutation.empty() &&
                 index.inputs(node).size() == 2) {
        const auto permutation = NumbersOf(index, index.inputs(node)[1]);
        if (permutation) carriers.push_back({{node, 0}, *permutation});
      }
    }
  }
  return std::nullopt;
}

}  // namespace tilewise::tf
