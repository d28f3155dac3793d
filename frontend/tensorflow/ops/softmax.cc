// Softmax, its logarithm, and the losses made of them, which have their
// gradient as a second result.

#include "frontend/tensorflow/ops/families.h"
#include "frontend/tensorflow/ops/operands.h"
#include "library/broadcast.h"
#include "library/gather.h"
#include "library/normalizations.h"
#include "library/op_functions.h"

namespace tilewise::tf {
namespace {

// Labels may broadcast to the logits.
absl::Status CrossEntropy(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const OpId logits, Tensor(ctx, 0));
  TW_ASSIGN_OR_RETURN(const OpId given, Tensor(ctx, 1));
  GraphBuilder& b = ctx.builder();
  const OpId labels = b.BroadcastTo(given, b.shape(logits).dims);
  ctx.Set(0, b.SoftmaxCrossEntropy(logits, labels));
  ctx.Set(1, b.Binary(OpKind::kSubtract, SoftmaxOf(b, logits, -1), labels));
  return absl::OkStatus();
}

// Labels are ids.
absl::Status SparseCrossEntropy(OpContext& ctx) {
  TW_ASSIGN_OR_RETURN(const OpId logits, Tensor(ctx, 0));
  TW_ASSIGN_OR_RETURN(const OpId labels, Tensor(ctx, 1));
  GraphBuilder& b = ctx.builder();
  const Shape shape = b.shape(logits);
  if (shape.rank() < 1 || shape.dims.back().per_batch) {
    return InvalidInput("the number of classes depends on the batch");
  }
  ctx.Set(0, b.SoftmaxCrossEntropy(logits, labels));
  const OpId hot = OneHot(b, labels, shape.dims.back().factor, -1, b.Scalar(1, shape.dtype),
                          b.Scalar(0, shape.dtype));
  ctx.Set(1, b.Binary(OpKind::kSubtract, SoftmaxOf(b, logits, -1), hot));
  return absl::OkStatus();
}

constexpr OpEntry kSoftmaxOps[] = {
    {"LogSoftmax", Row<LogSoftmaxOf, Operand<0>, Always<-1>>},
    {"Softmax", Row<SoftmaxOf, Operand<0>, Always<-1>>},
    {"SoftmaxCrossEntropyWithLogits", CrossEntropy},
    {"SparseSoftmaxCrossEntropyWithLogits", SparseCrossEntropy},
};

}  // namespace

std::span<const OpEntry> SoftmaxOps() { return kSoftmaxOps; }

}  // namespace tilewise::tf
