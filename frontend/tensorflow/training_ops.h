// Which nodes make a graph a training step.

#pragma once

#include <string_view>

#include "frontend/tensorflow/graph_def.h"

namespace tilewise::tf {

// An update of an optimizer: ApplyAdam, ResourceApplyMomentum...
bool IsOptimizerUpdate(std::string_view op);
// That, or another change of a variable that is part of a training step, such
// as a moving average; not what gives variables their first values.
bool UpdatesVariable(const NodeDef& node);

// Of names of ops and nodes.
inline bool Contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

}  // namespace tilewise::tf
