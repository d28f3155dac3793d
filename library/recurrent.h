// Recurrent layers: one matmul of all time steps with the input weights, then
// the recurrence. The order of the gates does not change what is computed, so
// weights of any framework's order are taken as they are.

#pragma once

#include "graph/graph_builder.h"

namespace tilewise {

struct RecurrentInputs {
  OpId x = kNoOp;       // [batch, time, features]
  OpId input = kNoOp;   // [features, gates x units]
  OpId hidden = kNoOp;  // [units, gates x units]
  OpId bias = kNoOp;    // [gates x units], or none
  OpId h0 = kNoOp;      // [batch, units], or none
};

// Hidden states [batch, time, units], in the order of time also when the
// recurrence runs backwards. An initial state enters the gates of the step that
// comes first. Initial cell states and peepholes: recurrent_steps.h.
OpId RecurrentLayer(GraphBuilder& builder, CellKind cell, const RecurrentInputs& inputs,
                    bool backwards);
// [batch, units]: the state after the step that comes last.
OpId FinalState(GraphBuilder& builder, OpId states, bool backwards);

}  // namespace tilewise
