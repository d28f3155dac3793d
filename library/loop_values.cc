// Values enter a loop through a barrier, which keeps them apart from those
// outside.

#include "library/loop_values.h"

#include <algorithm>

#include "library/broadcast.h"

namespace tilewise {

OpId LoopCounter(GraphBuilder& builder, EnclosingLoop inside) {
  const EnclosingLoop outside = builder.loop();
  const OpId zero = builder.Scalar(0, DType::kS32);
  builder.SetLoop(inside);
  const OpId counter = builder.Barrier(zero, {});
  builder.SetLoop(outside);
  return counter;
}

OpId RowAt(GraphBuilder& builder, OpId whole, int64_t axis, OpId counter) {
  return Squeezed(builder, builder.DynamicSlice(whole, {counter}, {axis}, {1}), {axis});
}

OpId StackedRows(GraphBuilder& builder, OpId row, int64_t axis, int64_t trips, OpId counter,
                 EnclosingLoop inside) {
  const EnclosingLoop outside = builder.loop();
  const Shape part = builder.shape(row);
  if (axis < 0) axis += part.rank() + 1;
  axis = std::clamp<int64_t>(axis, 0, part.rank());
  std::vector<Dim> dims = part.dims;
  dims.insert(dims.begin() + axis, Dim{trips, false});
  const OpId buffer = builder.Broadcast(builder.Scalar(0, part.dtype), dims, {});
  builder.SetLoop(inside);
  const OpId carried = builder.Barrier(buffer, {});
  const OpId update = Unsqueezed(builder, row, {axis});
  const OpId written = builder.DynamicUpdateSlice(carried, update, {counter}, {axis});
  builder.SetLoop(outside);
  return written;
}

}  // namespace tilewise
