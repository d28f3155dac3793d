// The new value of one variable as ops, for each optimizer.

#pragma once

#include "graph/graph_builder.h"
#include "graph/training.h"

namespace tilewise {

// Adds to `builder` the slot variables ("<variable>/momentum", f32 but for one
// of Adafactor's, not trainable), the update, and a state output for the
// variable and each slot. The update is computed in f32. The bias correction of
// Adam and its kin is a scalar factor of the learning rate and is not modelled:
// it costs nothing.
void AddOptimizerUpdate(GraphBuilder& builder, const TrainingSpec& spec, OpId variable,
                        OpId gradient);

}  // namespace tilewise
