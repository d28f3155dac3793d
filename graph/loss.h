// The loss of a training step, from a result of the model and its labels.

#pragma once

#include <functional>

#include "graph/graph_builder.h"
#include "graph/training.h"

namespace tilewise {

// Gives the labels of a shape; when empty they become parameters "labels",
// "labels_1"...
using LabelSource = std::function<OpId(const Shape& shape)>;

// Adds to `builder` the loss of one result that it holds, divided by `parts`:
// an f32 scalar, the mean over the examples of the batch. A softmax or logistic
// at the end of the model is passed over, so that the loss starts from logits;
// results that end otherwise count as logits. kNoOp for an output that is no
// result or has no floating-point numbers.
OpId AddLoss(GraphBuilder& builder, const Output& output, const TrainingSpec& spec,
             const LabelSource& labels = {}, double parts = 1);

}  // namespace tilewise
