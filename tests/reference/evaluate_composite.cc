// Composite ops, straight from their definitions.

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "base/check.h"
#include "tests/reference/kinds.h"

namespace tilewise::reference {
namespace {

// Groups the elements of `x` that agree in all dims but `dims`, as offsets.
std::vector<std::vector<size_t>> Groups(const Tensor& x, const std::vector<int64_t>& dims) {
  std::map<Index, std::vector<size_t>> groups;
  ForEachIndex(x.sizes, [&](const Index& index) {
    Index key = index;
    for (const int64_t dim : dims) key[dim] = 0;
    groups[key].push_back(x.Offset(index));
  });
  std::vector<std::vector<size_t>> result;
  for (auto& [key, members] : groups) result.push_back(std::move(members));
  return result;
}

std::vector<int64_t> AllDimsBut(const Tensor& x, int64_t dim) {
  std::vector<int64_t> dims;
  for (int64_t d = 0; d < static_cast<int64_t>(x.sizes.size()); ++d) {
    if (d != dim) dims.push_back(d);
  }
  return dims;
}

struct Moments {
  double mean = 0;
  double variance = 0;  // biased: over the count
};

Moments MomentsOf(const Tensor& x, const std::vector<size_t>& members) {
  Moments moments;
  const auto count = static_cast<double>(members.size());
  for (const size_t i : members) moments.mean += x.data[i] / count;
  for (const size_t i : members) {
    const double off = x.data[i] - moments.mean;
    moments.variance += off * off / count;
  }
  return moments;
}

// log(sum(exp(x))) without overflow.
double LogSumExp(const Tensor& x, const std::vector<size_t>& members) {
  double largest = x.data[members[0]];
  for (const size_t i : members) largest = std::max(largest, x.data[i]);
  double sum = 0;
  for (const size_t i : members) sum += std::exp(x.data[i] - largest);
  return largest + std::log(sum);
}

void Softmax(const Op& op, const Tensor& x, Tensor& out) {
  for (const std::vector<size_t>& members : Groups(x, op.as<DimsAttrs>().dims)) {
    double largest = x.data[members[0]];
    for (const size_t i : members) largest = std::max(largest, x.data[i]);
    double sum = 0;
    for (const size_t i : members) sum += std::exp(x.data[i] - largest);
    for (const size_t i : members) {
      out.data[i] = std::exp(x.data[i] - largest) / sum;
    }
  }
}

// -sum(labels * log(softmax(logits))) of each row.
void CrossEntropy(const Tensor& logits, const Tensor& labels, Tensor& out) {
  const size_t classes = logits.sizes.back();
  const bool ids = labels.sizes.size() < logits.sizes.size();
  for (size_t row = 0; row < out.data.size(); ++row) {
    std::vector<size_t> members;
    for (size_t c = 0; c < classes; ++c) members.push_back(row * classes + c);
    const double log_sum = LogSumExp(logits, members);
    for (size_t c = 0; c < classes; ++c) {
      const double weight = ids ? static_cast<double>(static_cast<double>(c) == labels.data[row])
                                : labels.data[members[c]];
      out.data[row] -= weight * (logits.data[members[c]] - log_sum);
    }
  }
}

void BatchNorm(const Op& op, Operands in, Tensor& out) {
  const Tensor& x = *in[0];
  // Ordered by the feature: one group for each.
  const auto groups = Groups(x, AllDimsBut(x, op.as<BatchNormAttrs>().dims[0]));
  for (size_t feature = 0; feature < groups.size(); ++feature) {
    Moments moments;
    if (op.kind == OpKind::kBatchNormTraining) {
      moments = MomentsOf(x, groups[feature]);
    } else {
      moments = {in[3]->data[feature], in[4]->data[feature]};
    }
    const double scale =
        in[1]->data[feature] / std::sqrt(moments.variance + op.as<BatchNormAttrs>().epsilon);
    for (const size_t i : groups[feature]) {
      out.data[i] = (x.data[i] - moments.mean) * scale + in[2]->data[feature];
    }
  }
}

// Scale and offset run over the normalised dims, in the order of the members.
void LayerNorm(const Op& op, Operands in, Tensor& out) {
  const Tensor& x = *in[0];
  for (const std::vector<size_t>& members : Groups(x, op.as<LayerNormAttrs>().dims)) {
    const Moments moments = MomentsOf(x, members);
    const double deviation = std::sqrt(moments.variance + op.as<LayerNormAttrs>().epsilon);
    for (size_t i = 0; i < members.size(); ++i) {
      const double normal = (x.data[members[i]] - moments.mean) / deviation;
      out.data[members[i]] = normal * in[1]->data[i] + in[2]->data[i];
    }
  }
}

double Gelu(double x, bool approximate) {
  if (!approximate) return x / 2 * (1 + std::erf(x / std::numbers::sqrt2));
  const double inner = std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x);
  return x / 2 * (1 + std::tanh(inner));
}

}  // namespace

void EvaluateComposite(const Op& op, Operands in, Tensor& out) {
  switch (op.kind) {
    case OpKind::kSoftmax:
      return Softmax(op, *in[0], out);
    case OpKind::kSoftmaxCrossEntropy:
      return CrossEntropy(*in[0], *in[1], out);
    case OpKind::kBatchNormTraining:
    case OpKind::kBatchNormInference:
      return BatchNorm(op, in, out);
    case OpKind::kLayerNorm:
      return LayerNorm(op, in, out);
    case OpKind::kGelu:
      for (size_t i = 0; i < out.data.size(); ++i) {
        out.data[i] = Gelu(in[0]->data[i], op.as<GeluAttrs>().approximate);
      }
      return;
    default:
      TW_CHECK(false);
  }
}

}  // namespace tilewise::reference
