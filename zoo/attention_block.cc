// Attention on heads that stand behind the position, as projections leave them.

#include "zoo/attention_block.h"

#include <cmath>

namespace tilewise {
namespace {

// The reference form with dropout between softmax and second product.
OpId AttendWithDropout(Net& net, OpId q, OpId k, OpId v, double rate) {
  GraphBuilder& b = net.builder;
  const double size = static_cast<double>(net.last_dim(q));
  const OpId scores =
      b.Dot(net.Scale(q, 1 / std::sqrt(size)), k, {{0, 2}, {0, 2}, {3}, {3}});
  const OpId weights = b.Convert(b.Softmax(b.Convert(scores, DType::kF32), 3),
                                 net.compute_type());
  const OpId y =
      b.Dot(net.Dropout(weights, rate), v, {{0, 1}, {0, 2}, {3}, {1}});
  return b.Transpose(y, {0, 2, 1, 3});
}

}  // namespace

OpId Attend(Net& net, OpId q, OpId k, OpId v, const Attending& attending) {
  GraphBuilder& b = net.builder;
  const bool drops = net.training() && attending.dropout > 0;
  if (drops && !attending.flash && !attending.causal) {
    return AttendWithDropout(net, q, k, v, attending.dropout);
  }
  return b.Attention(q, k, v,
                     {.causal = attending.causal,
                      .flash = attending.flash,
                      .scale = {},
                      .precision_passes = 1,
                      .blocks = attending.blocks});
}

}  // namespace tilewise
