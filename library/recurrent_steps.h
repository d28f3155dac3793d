// Recurrent layers written out as a loop over their steps: what kRecurrent,
// which is one kernel of a plain cell, has no room for.

#pragma once

#include "graph/graph_builder.h"

namespace tilewise {

struct RecurrentSteps {
  CellKind cell = CellKind::kLstm;
  // [time, batch, gates x units]: inputs times their weights, biases added.
  // Gates of an LSTM: input, output, forget, candidate; of a GRU: update,
  // reset, candidate.
  OpId gates = kNoOp;
  OpId hidden = kNoOp;       // [units, gates x units]
  OpId peepholes = kNoOp;    // LSTM: [3 x units] (input, output, forget), or none
  OpId h0 = kNoOp;           // [batch, units], or none: zeros
  OpId c0 = kNoOp;           // LSTM: the same
  OpId lengths = kNoOp;      // [batch] integers, or none: all steps
  bool backwards = false;    // from the last step (of each length) to the first
  bool reset_after = false;  // GRU: the reset gate acts on the product
};

struct RecurrentResults {
  OpId states = kNoOp;  // [time, batch, units], 0 past the end of a length
  OpId hidden = kNoOp;  // [batch, units] after the last step
  OpId cell = kNoOp;    // LSTM: the same
};

// The loop gets number `loop` and stands at `outer`. Fails when the number of
// steps depends on the batch.
RecurrentResults RecurrentLoop(GraphBuilder& builder, const RecurrentSteps& steps,
                               EnclosingLoop outer, int32_t loop);

}  // namespace tilewise
