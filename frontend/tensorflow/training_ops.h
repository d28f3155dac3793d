// Which nodes make a graph a training step.

#pragma once

#include <string_view>

#include "frontend/tensorflow/graph_def.h"
#include "workload/blocks.h"

namespace tilewise::tf {

// An update of an optimizer: ApplyAdam, ResourceApplyMomentum...
bool IsOptimizerUpdate(std::string_view op);
// That, or another change of a variable that is part of a training step, such
// as a moving average; not what gives variables their first values.
bool UpdatesVariable(const NodeDef& node);

}  // namespace tilewise::tf
