// Finds where the values of the model's ops are in the lowered step.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "session/facts.h"

namespace tilewise {

// Returns for each op of Facts::source the op of the lowered graph whose result
// stands for its result in the forward pass; kNoOp where nothing does, as fused
// away or folded. Facts::model and source must not be null.
std::vector<OpId> ForwardValues(const Facts& facts);

// A dim of a shape that its layout puts in the lanes or sublanes: what is
// padded. -1 where the shape has too few dims.
int64_t LaneDim(const Layout& layout);
int64_t SublaneDim(const Layout& layout);

// "f32[64,7,7,600]{3,0,2,1:T(8,128)}" of a lowered value.
std::string LaidOut(const Program& program, OpId value);
// Its padded bytes in HBM, and those of its elements alone.
Bytes StoredBytes(const Program& program, OpId value, const Chip& chip);

// How often the lowered step moves a value between HBM and the chip: once for
// each kernel that reads or writes it, iterations of its loop included.
int64_t MovesOf(const Program& program, OpId value);

// A dim of a weight that gives a dim of `value`, looking through converts and
// transposes; variable is kNoOp when something else gives it.
struct WeightDim {
  OpId variable = kNoOp;
  int64_t dim = 0;
};
WeightDim WeightDimOf(const Graph& graph, OpId value, int64_t dim);

// Whether what is computed from `op` leaves the model without a further dot or
// convolution: the model's last layers.
bool IsLastMatrixOp(const Graph& graph, OpId op);

}  // namespace tilewise
