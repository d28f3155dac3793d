// Random numbers that depend on nothing but names and indices, and the values
// of leaves made from them.

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include <fmt/format.h>

#include "base/check.h"
#include "tests/reference/evaluator.h"
#include "tests/reference/kinds.h"

namespace tilewise::reference {
namespace {

// Finaliser of splitmix64 (Steele, Lea, Flood: "Fast splittable pseudorandom
// number generators", 2014).
uint64_t Mixed(uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

// Box-Muller; the first number is kept away from zero.
double Normal(const std::string& name, uint64_t element) {
  const double u = 1 - HashUniform(name, element, 1);
  const double v = HashUniform(name, element, 2);
  return std::sqrt(-2 * std::log(u)) * std::cos(2 * std::numbers::pi * v);
}

// The largest of logit + Gumbel noise is distributed as softmax(logits).
double Category(const std::string& name, const Tensor& logits, size_t row) {
  const size_t classes = logits.sizes.back();
  size_t best = 0;
  double best_score = 0;
  for (size_t c = 0; c < classes; ++c) {
    const size_t at = row * classes + c;
    const double u = 1 - HashUniform(name, at, 3);
    const double score = logits.data[at] - std::log(1e-300 - std::log(u));
    if (c == 0 || score > best_score) {
      best = c;
      best_score = score;
    }
  }
  return static_cast<double>(best);
}

// How the elements of a leaf are used, found by following its users through
// ops that only move elements.
struct Use {
  std::optional<int64_t> index_limit;  // indices below this
  int64_t one_hot_classes = 0;
  bool positive = false;
};

bool KeepsValues(OpKind kind) {
  return ClassOf(kind) == OpClass::kData || kind == OpKind::kConvert;
}

void Limit(int64_t size, Use& use) {
  if (!use.index_limit || size < *use.index_limit) use.index_limit = size;
}

// Where every slice lies within the operand.
void LimitStarts(const Graph& graph, const Op& op, Use& use) {
  const GatherDims& gather = op.as<SlicesAttrs>();
  for (const int64_t dim : gather.start_dims) {
    const int64_t size = graph.operand(op, 0).shape.size(dim);
    const size_t i = dim;
    const int64_t slice = i < gather.slice_sizes.size() ? gather.slice_sizes[i] : 1;
    Limit(size - slice + 1, use);
  }
}

void FindUse(const Graph& graph, OpId id, Use& use) {
  const Op& op = graph.op(id);
  for (const OpId user_id : graph.users(id)) {
    const Op& user = graph.op(user_id);
    if (KeepsValues(user.kind)) FindUse(graph, user_id, use);
    if (user.kind == OpKind::kGather && user.operands[1] == id) {
      Limit(graph.operand(user, 0).shape.size(0), use);
    }
    if (user.kind == OpKind::kScatterAdd && user.operands[0] == id) {
      Limit(user.shape.size(0), use);
    }
    const bool moves_slices =
        user.kind == OpKind::kGatherSlices || user.kind == OpKind::kScatterSlices;
    if (moves_slices && user.operands[1] == id) {
      LimitStarts(graph, user, use);
    }
    if (user.kind == OpKind::kSoftmaxCrossEntropy && user.operands[1] == id) {
      const int64_t classes = graph.operand(user, 0).shape.sizes().back();
      IsFloat(op.shape.dtype) ? void(use.one_hot_classes = classes) : Limit(classes, use);
    }
    if (user.kind == OpKind::kBatchNormInference && user.operands[4] == id) {
      use.positive = true;
    }
  }
}

double LeafElement(const Op& leaf, const Use& use, const std::string& seeded, uint64_t i) {
  const double u = HashUniform(seeded, i, 0);
  if (leaf.shape.dtype == DType::kPred) return u < 0.5 ? 0 : 1;
  if (use.one_hot_classes > 0) {
    const auto classes = static_cast<uint64_t>(use.one_hot_classes);
    const double hot = HashUniform(seeded, i / classes, 4);
    const double label = std::floor(hot * static_cast<double>(classes));
    return static_cast<double>(i % classes) == label ? 1 : 0;
  }
  if (!IsFloat(leaf.shape.dtype)) {
    return std::floor(u * static_cast<double>(use.index_limit.value_or(4)));
  }
  const bool is_state = leaf.kind == OpKind::kVariable && !leaf.as<VariableAttrs>().trainable;
  if (use.positive || is_state) return 0.25 + u;
  return 2 * u - 1;
}

}  // namespace

double HashUniform(const std::string& name, uint64_t element, uint64_t salt) {
  uint64_t hash = Mixed(salt);
  for (const char c : name) hash = Mixed(hash ^ static_cast<unsigned char>(c));
  hash = Mixed(hash ^ Mixed(element));
  return static_cast<double>(hash >> 11) * 0x1p-53;
}

void EvaluateRandom(const Op& op, Operands in, Tensor& out) {
  const bool has_stream =
      ClassOf(op.kind) == OpClass::kRandom && !op.as<RandomAttrs>().label.empty();
  const std::string& stream = has_stream ? op.as<RandomAttrs>().label : op.name;
  for (size_t i = 0; i < out.data.size(); ++i) {
    if (op.kind == OpKind::kRngNormal) {
      out.data[i] = Normal(stream, i);
    } else if (op.kind == OpKind::kRngCategorical) {
      out.data[i] = Category(stream, *in[0], i);
    } else if (op.kind == OpKind::kRngBits) {
      const auto width = static_cast<int>(std::min<int64_t>(32, BitWidth(op.shape.dtype)));
      out.data[i] = std::floor(std::ldexp(HashUniform(stream, i, 0), width));
    } else {
      out.data[i] = HashUniform(stream, i, 0);
    }
  }
}

Tensors RandomLeaves(const Graph& graph, uint32_t seed) {
  Tensors leaves;
  for (const Op& op : graph.ops()) {
    if (op.kind != OpKind::kParameter && op.kind != OpKind::kVariable) continue;
    Use use;
    FindUse(graph, op.id, use);
    const std::string seeded = fmt::format("{}/{}", seed, op.name);
    Tensor value(op.shape.sizes());
    for (size_t i = 0; i < value.data.size(); ++i) {
      value.data[i] = LeafElement(op, use, seeded, i);
    }
    leaves.emplace(op.name, std::move(value));
  }
  return leaves;
}

}  // namespace tilewise::reference
