// The loss of a training step, from the model's results and its labels.

#pragma once

#include <functional>
#include <vector>

#include "graph/graph_builder.h"
#include "graph/training.h"

namespace tilewise {

// Adds to `builder`, which holds the forward graph, one loss per result and
// their sum: an f32 scalar, the mean over the examples of the batch. Labels
// become parameters "labels", "labels_1"... A softmax or logistic at the end of
// the model is passed over, so that the loss starts from logits; results that
// end otherwise count as logits. Results that are not floating-point numbers
// take no part. Fails in the builder when no result does.
// `labels` gives the labels of a shape; when empty they are made as said.
using LabelSource = std::function<OpId(const Shape& shape)>;
OpId AddLoss(GraphBuilder& builder, const std::vector<Output>& outputs,
             const TrainingSpec& spec, const LabelSource& labels = {});

}  // namespace tilewise
