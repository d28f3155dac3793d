// Softmax and cross entropy. Their gradients are in closed form, which needs
// less than differentiating what they are made of.

#include <fmt/format.h>

#include "graph/batch_links.h"
#include "graph/gradient.h"
#include "graph/moments.h"
#include "graph/ops/dims.h"
#include "graph/shape_checks.h"

namespace tilewise {
namespace {

ShapeOr SoftmaxShape(const Op& op, Shapes operands) {
  TW_RETURN_IF_ERROR(CheckReal(operands, 0));
  TW_RETURN_IF_ERROR(CheckOneDim(op.as<DimsAttrs>().dims, *operands[0], "normalise over"));
  return *operands[0];
}

ShapeOr CrossEntropyShape(const Op&, Shapes operands) {
  TW_RETURN_IF_ERROR(CheckReal(operands, 0));
  const Shape& logits = *operands[0];
  const Shape& labels = *operands[1];
  if (logits.rank() < 1) return WrongOperand(0, logits, "rank 1 or more");
  Shape loss = logits;
  loss.dims.pop_back();
  const bool one_hot = labels == logits;
  const bool ids = IsInteger(labels.dtype) && labels.dims == loss.dims;
  if (one_hot || ids) return loss;
  return WrongOperand(
      1, labels,
      fmt::format("{} or {}", FormatShape(logits), FormatShape(loss.WithType(DType::kS32))));
}

OpId Product(GraphBuilder& b, OpId x, OpId y) { return b.Binary(OpKind::kMultiply, x, y); }

// 1 where the class index is the label, else 0.
OpId OneHot(GraphBuilder& b, OpId labels, const Shape& logits) {
  const DType ids = b.shape(labels).dtype;
  const int64_t classes_dim = logits.rank() - 1;
  const OpId iota = b.Iota(logits.WithType(ids), classes_dim);
  const OpId wanted = b.Broadcast(labels, logits.dims, OtherDims(logits.rank(), {classes_dim}));
  const OpId equal = b.Compare(Comparison::kEq, iota, wanted);
  return b.Convert(equal, logits.dtype);
}

// y (dy - sum(y dy)), summed in f32.
Gradients SoftmaxGradient(const GradientCall& call) {
  GraphBuilder& b = call.builder;
  const std::vector<int64_t>& dims = call.op.as<DimsAttrs>().dims;
  const OpId y = b.Convert(call.op.id, DType::kF32);
  const OpId dy = b.Convert(call.dy, DType::kF32);
  const OpId sum = b.Reduce(Reducer::kSum, Product(b, y, dy), dims);
  const OpId centered = b.Binary(OpKind::kSubtract, dy, SpreadOver(b, sum, y, dims));
  return {b.Convert(Product(b, y, centered), call.op.shape.dtype)};
}

// (softmax(logits) - labels) dy: each row of labels sums to 1, as is usual.
Gradients CrossEntropyGradient(const GradientCall& call) {
  GraphBuilder& b = call.builder;
  const Shape logits = call.shape(0);
  const int64_t classes_dim = logits.rank() - 1;
  const OpId labels = call.operand(1);
  const OpId probabilities = b.Softmax(call.operand(0), classes_dim);
  const OpId dy = SpreadOver(b, call.dy, call.operand(0), {classes_dim});
  Gradients result(2, kNoOp);
  if (call.wants(0)) {
    const bool ids = call.shape(1) != logits;
    const OpId rows = ids ? OneHot(b, labels, logits) : labels;
    result[0] = Product(b, b.Binary(OpKind::kSubtract, probabilities, rows), dy);
  }
  if (call.wants(1)) {
    const OpId log = b.Unary(OpKind::kLog, probabilities);
    result[1] = b.Unary(OpKind::kNegate, Product(b, log, dy));
  }
  return result;
}

// Class ids have no dim of classes.
void LinkLogitsAndLabels(const LinkCall& call) {
  const int64_t rank = call.rank();
  LinkLeading(call, {0, 1}, rank);
  if (call.shape(1).rank() == rank) return;
  call.links.Add(0, rank);
  call.links.Add(1, rank);
  call.links.Close();
}

}  // namespace

constexpr OpTraits op_traits::kSoftmax = {.operands = 1,
                                          .attributes = kDimsFields,
                                          .shape = SoftmaxShape,
                                          .gradient = SoftmaxGradient,
                                          .links = LinkFirst};
// logits, labels (one-hot rows or integer ids) -> loss of each example.
constexpr OpTraits op_traits::kSoftmaxCrossEntropy = {.operands = 2,
                                                      .shape = CrossEntropyShape,
                                                      .gradient = CrossEntropyGradient,
                                                      .links = LinkLogitsAndLabels};

}  // namespace tilewise
