// Attention and its gradient, one head and query at a time.

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/check.h"
#include "tests/reference/kinds.h"

namespace tilewise::reference {
namespace {

constexpr double kUnseen = -1e30;

// Access to the operands of one attention.
struct Heads {
  const Op& op;
  const Tensor& q;
  const Tensor& k;
  const Tensor& v;
  const Tensor* mask = nullptr;
  bool mask_is_pred = false;

  int64_t keys() const { return k.sizes[1]; }
  // The head of k and v that a head of q uses.
  int64_t KeyHead(int64_t head) const { return head / (q.sizes[2] / k.sizes[2]); }
};

double Product(const Tensor& a, int64_t n, int64_t i, int64_t head_a, const Tensor& b, int64_t j,
               int64_t head_b) {
  double sum = 0;
  for (int64_t d = 0; d < a.sizes[3]; ++d) {
    sum += a[{n, i, head_a, d}] * b[{n, j, head_b, d}];
  }
  return sum;
}

double MaskAt(const Tensor& mask, const Index& score) {
  Index at = score;
  for (size_t dim = 0; dim < at.size(); ++dim) {
    if (mask.sizes[dim] == 1) at[dim] = 0;
  }
  return mask[at];
}

// Of query i of head h over all keys.
std::vector<double> Scores(const Heads& in, int64_t n, int64_t h, int64_t i) {
  std::vector<double> scores;
  for (int64_t j = 0; j < in.keys(); ++j) {
    double score =
        in.op.as<AttentionAttrs>().scale * Product(in.q, n, i, h, in.k, j, in.KeyHead(h));
    if (in.mask != nullptr) {
      const double mask = MaskAt(*in.mask, {n, h, i, j});
      if (!in.mask_is_pred) {
        score += mask;
      } else if (mask == 0) {
        score = kUnseen;
      }
    }
    const int64_t own = i + in.keys() - in.q.sizes[1];
    const int64_t window = in.op.as<AttentionAttrs>().sliding_window;
    const bool is_outside = j > own || (window > 0 && j <= own - window);
    if (in.op.as<AttentionAttrs>().causal && is_outside) score = kUnseen;
    scores.push_back(score);
  }
  return scores;
}

double LogSumExp(const std::vector<double>& x) {
  const double largest = *std::max_element(x.begin(), x.end());
  double sum = 0;
  for (const double value : x) sum += std::exp(value - largest);
  return largest + std::log(sum);
}

std::vector<double> Weights(const Heads& in, int64_t n, int64_t h, int64_t i) {
  const std::vector<double> scores = Scores(in, n, h, i);
  const double largest = *std::max_element(scores.begin(), scores.end());
  std::vector<double> weights;
  double sum = 0;
  for (const double score : scores) {
    weights.push_back(std::exp(score - largest));
    sum += weights.back();
  }
  for (double& weight : weights) weight /= sum;
  return weights;
}

template <typename Visit>
void ForEachQuery(const Heads& in, const Visit& visit) {
  ForEachIndex({in.q.sizes[0], in.q.sizes[2], in.q.sizes[1]},
               [&](const Index& at) { visit(at[0], at[1], at[2]); });
}

void Attend(const Heads& in, Tensor& out) {
  ForEachQuery(in, [&](int64_t n, int64_t h, int64_t i) {
    const std::vector<double> weights = Weights(in, n, h, i);
    for (int64_t j = 0; j < in.keys(); ++j) {
      for (int64_t d = 0; d < out.sizes[3]; ++d) {
        out[{n, i, h, d}] += weights[j] * in.v[{n, j, in.KeyHead(h), d}];
      }
    }
  });
}

// Adds one query's part of dq, dk or dv to `out`.
void AddGradient(const Heads& in, const Tensor& dy, int64_t n, int64_t h, int64_t i, Tensor& out) {
  const std::vector<double> weights = Weights(in, n, h, i);
  const std::vector<double> scores = Scores(in, n, h, i);
  std::vector<double> slopes;  // by the weights
  double mean = 0;
  for (int64_t j = 0; j < in.keys(); ++j) {
    slopes.push_back(Product(dy, n, i, h, in.v, j, in.KeyHead(h)));
    mean += weights[j] * slopes.back();
  }
  for (int64_t j = 0; j < in.keys(); ++j) {
    const bool is_seen = scores[j] > kUnseen;
    const double dscore =
        is_seen ? in.op.as<AttentionAttrs>().scale * weights[j] * (slopes[j] - mean) : 0;
    for (int64_t d = 0; d < out.sizes[3]; ++d) {
      if (in.op.as<AttentionAttrs>().result == 0) {
        out[{n, i, h, d}] += dscore * in.k[{n, j, in.KeyHead(h), d}];
      } else if (in.op.as<AttentionAttrs>().result == 1) {
        out[{n, j, in.KeyHead(h), d}] += dscore * in.q[{n, i, h, d}];
      } else {
        out[{n, j, in.KeyHead(h), d}] += weights[j] * dy[{n, i, h, d}];
      }
    }
  }
}

}  // namespace

void EvaluateAttention(const Graph& graph, const Op& op, Operands in, Tensor& out) {
  const bool is_gradient = op.kind == OpKind::kFlashAttentionGrad;
  const size_t mask = is_gradient ? 6 : 3;
  Heads heads = {op, *in[0], *in[1], *in[2]};
  if (in.size() > mask) {
    heads.mask = in[mask];
    heads.mask_is_pred = graph.operand(op, static_cast<int>(mask)).shape.dtype == DType::kPred;
  }
  if (is_gradient) {
    ForEachQuery(
        heads, [&](int64_t n, int64_t h, int64_t i) { AddGradient(heads, *in[5], n, h, i, out); });
  } else if (op.kind == OpKind::kFlashAttention && op.as<AttentionAttrs>().result == 1) {
    ForEachQuery(heads, [&](int64_t n, int64_t h, int64_t i) {
      out[{n, h, i}] = LogSumExp(Scores(heads, n, h, i));
    });
  } else if (op.kind == OpKind::kFlashAttention && op.as<AttentionAttrs>().result > 1) {
    ForEachQuery(heads, [&](int64_t n, int64_t h, int64_t i) {
      const std::vector<double> scores = Scores(heads, n, h, i);
      const double most = *std::max_element(scores.begin(), scores.end());
      const double sum = std::exp(LogSumExp(scores) - most);
      for (int64_t lane = 0; lane < out.sizes[3]; ++lane) {
        out[{n, i, h, lane}] = op.as<AttentionAttrs>().result == 2 ? sum : most;
      }
    });
  } else {
    Attend(heads, out);
  }
}

}  // namespace tilewise::reference
