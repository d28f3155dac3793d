// What the parameters of zoo:decoder say of its layers.

#pragma once

#include <cstdint>
#include <span>

#include "base/status.h"
#include "graph/op.h"
#include "zoo/spec.h"
#include "zoo/transformer_block.h"
#include "zoo/zoo.h"

namespace tilewise {

std::span<const ZooParameter> DecoderParameters();

// Sizes that all layers share, without the values of the graph that they share
// (rotary tables, the cache). Errors name the parameter that does not fit the
// others.
absl::StatusOr<Transformer> DecoderShape(const ZooSpec& spec);

// Layer `i` of the network, counted from 0.
Transformer DecoderLayer(const ZooSpec& spec, Transformer shape, int64_t i);

// The iteration of a loop that layer `i` is, or is a part of where layers of
// several kinds take turns.
EnclosingLoop DecoderIteration(const ZooSpec& spec, int64_t i);

}  // namespace tilewise
