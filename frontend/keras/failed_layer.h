// What stands in a graph for a layer that cannot be built, so that one layer
// does not make a model unreadable.

#pragma once

#include <string>
#include <vector>

#include "frontend/keras/layer_context.h"

namespace tilewise {

// Opaque results, with a note that has the cause. Their shapes are those that
// the file states, else those that layers of this class give. Fails when
// neither says: cause, and what to do.
std::vector<OpId> StandInResults(LayerContext& ctx, const std::string& cause);

}  // namespace tilewise
