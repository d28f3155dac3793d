// Loss functions as ops, computed in f32 whatever the model computes in.

#include "graph/loss.h"

#include <utility>

namespace tilewise {
namespace {

// A result and what it was computed from.
struct Head {
  OpId result = kNoOp;
  OpId logits = kNoOp;    // before the last activation
  bool softmax = false;   // over the last dim
  bool logistic = false;  // of each element
};

Head FindHead(const GraphBuilder& b, OpId result) {
  OpId last = result;
  while (b.op(last).kind == OpKind::kConvert) last = b.op(last).operands[0];
  const Op& op = b.op(last);
  Head head = {result, result};
  head.softmax = op.kind == OpKind::kSoftmax && op.as<DimsAttrs>().dims[0] == op.shape.rank() - 1;
  head.logistic = op.kind == OpKind::kLogistic;
  if (head.softmax || head.logistic) head.logits = op.operands[0];
  return head;
}

// The last activation tells the loss where compile() says nothing.
LossKind ChooseLoss(const GraphBuilder& b, const Head& head, const TrainingSpec& spec) {
  const Shape& shape = b.shape(head.result);
  LossKind kind = spec.loss;
  if (!spec.loss_known && !head.softmax) {
    if (head.logistic) {
      kind = LossKind::kBinaryCrossEntropy;
    } else if (shape.rank() > 0 && shape.dims.back().factor == 1) {
      kind = LossKind::kMeanSquaredError;
    }
  }
  if (kind == LossKind::kSoftmaxCrossEntropy && shape.rank() < 2) {
    return LossKind::kMeanSquaredError;
  }
  return kind;
}

// Divided by `parts`.
OpId MeanOfAll(GraphBuilder& b, OpId x, double parts) {
  std::vector<int64_t> dims;
  double count = parts;
  for (int64_t dim = 0; dim < b.shape(x).rank(); ++dim) {
    dims.push_back(dim);
    count *= static_cast<double>(b.shape(x).size(dim));
  }
  const OpId sum = b.Reduce(Reducer::kSum, x, std::move(dims));
  return b.BinaryScalar(OpKind::kMultiply, sum, 1 / count);
}

OpId CrossEntropy(GraphBuilder& b, OpId logits, bool sparse_labels, const LabelSource& source) {
  Shape labels = b.shape(logits);
  if (sparse_labels) {
    labels.dtype = DType::kS32;
    labels.dims.pop_back();
  }
  return b.SoftmaxCrossEntropy(logits, source(labels));
}

// max(x, 0) - x y + log(1 + exp(-|x|)), which cannot overflow.
OpId BinaryCrossEntropy(GraphBuilder& b, OpId x, const LabelSource& source) {
  const OpId labels = source(b.shape(x));
  const OpId positive = b.BinaryScalar(OpKind::kMaximum, x, 0);
  const OpId linear = b.Binary(OpKind::kSubtract, positive, b.Binary(OpKind::kMultiply, x, labels));
  const OpId decay = b.Unary(OpKind::kExp, b.Unary(OpKind::kNegate, b.Unary(OpKind::kAbs, x)));
  const OpId log = b.Unary(OpKind::kLog, b.BinaryScalar(OpKind::kAdd, decay, 1));
  return b.Binary(OpKind::kAdd, linear, log);
}

OpId SquaredError(GraphBuilder& b, OpId x, const LabelSource& source) {
  const OpId error = b.Binary(OpKind::kSubtract, x, source(b.shape(x)));
  return b.Binary(OpKind::kMultiply, error, error);
}

OpId LossOf(GraphBuilder& b, const Head& head, const TrainingSpec& spec,
            const LabelSource& source) {
  const OpId result = b.Convert(head.result, DType::kF32);
  const OpId logits = b.Convert(head.logits, DType::kF32);
  switch (ChooseLoss(b, head, spec)) {
    case LossKind::kSoftmaxCrossEntropy:
      return CrossEntropy(b, head.softmax ? logits : result, spec.sparse_labels, source);
    case LossKind::kBinaryCrossEntropy:
      return BinaryCrossEntropy(b, head.logistic ? logits : result, source);
    case LossKind::kMeanSquaredError:
      break;
  }
  return SquaredError(b, result, source);
}

}  // namespace

OpId AddLoss(GraphBuilder& builder, const Output& output, const TrainingSpec& spec,
             const LabelSource& labels, double parts) {
  if (!output.is_result()) return kNoOp;
  if (!IsFloat(builder.shape(output.value).dtype)) return kNoOp;
  const LabelSource source = labels ? labels : [&builder](const Shape& shape) {
    return builder.Parameter(shape, "labels");
  };
  builder.SetPhase(Phase::kLoss);
  builder.SetOrigin(builder.op(output.value).origin);
  builder.SetLocation(Location(builder.op(output.value).location));
  const Head head = FindHead(builder, output.value);
  return MeanOfAll(builder, LossOf(builder, head, spec, source), parts);
}

}  // namespace tilewise
