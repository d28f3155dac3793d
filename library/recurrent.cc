// Layers as kRecurrent.

#include "library/recurrent.h"

#include <fmt/format.h>

#include "library/broadcast.h"

namespace tilewise {
namespace {

// z with h0 * hidden added to the step that comes first.
OpId EnterState(GraphBuilder& builder, OpId z, const RecurrentInputs& inputs, bool backwards) {
  const Shape shape = builder.shape(z);
  if (!builder.ok() || shape.rank() != 3 || shape.dims[1].per_batch) return z;
  const OpId h0 = builder.Convert(inputs.h0, shape.dtype);
  const OpId gates = builder.Reshape(builder.MatMul(h0, inputs.hidden),
                                     {shape.dims[0], {1, false}, shape.dims[2]});
  const int64_t rest = shape.dims[1].factor - 1;
  const std::vector<int64_t> before = {0, backwards ? rest : 0, 0};
  const std::vector<int64_t> after = {0, backwards ? 0 : rest, 0};
  const OpId padded = rest == 0 ? gates : builder.Pad(gates, 0, before, after, {0, 0, 0});
  return builder.Binary(OpKind::kAdd, z, padded);
}

}  // namespace

OpId RecurrentLayer(GraphBuilder& builder, CellKind cell, const RecurrentInputs& inputs,
                    bool backwards) {
  OpId z = builder.MatMul(inputs.x, inputs.input);
  if (inputs.bias != kNoOp && builder.ok()) {
    z = builder.Binary(OpKind::kAdd, z, AlongDim(builder, inputs.bias, z, 2));
  }
  if (inputs.h0 != kNoOp) z = EnterState(builder, z, inputs, backwards);
  return builder.Recurrent(cell, z, inputs.hidden, backwards);
}

OpId FinalState(GraphBuilder& builder, OpId states, bool backwards) {
  const Shape shape = builder.shape(states);
  if (!builder.ok() || shape.rank() != 3 || shape.dims[1].per_batch) {
    builder.Fail(fmt::format("found {}, expected states of known time steps", FormatShape(shape)));
    return kNoOp;
  }
  const int64_t last = backwards ? 0 : shape.dims[1].factor - 1;
  return Squeezed(builder, builder.SliceDim(states, 1, last, last + 1), {1});
}

}  // namespace tilewise
