// Losses of rows of classes.

#pragma once

#include "graph/graph_builder.h"

namespace tilewise {

// Log probabilities [.., classes] and the class of each row [..]: what they
// pick, negated, [..].
OpId NegativeLogLikelihood(GraphBuilder& builder, OpId log_probabilities, OpId classes);

}  // namespace tilewise
