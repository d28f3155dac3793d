// Layers of a forward graph that are alike and follow each other.

#pragma once

#include <cstdint>
#include <vector>

#include "graph/graph.h"

namespace tilewise {

// Ops [begin + i * period, begin + (i + 1) * period) are layer i of `count`.
struct Repeat {
  OpId begin = 0;
  int32_t period = 0;
  int32_t count = 0;
  OpId end() const { return begin + period * count; }
  bool operator==(const Repeat&) const = default;
};

// Whether two ops are alike but for names, locations and the ids of operands.
// Streams of random numbers are names.
bool SameWork(const Op& a, const Op& b);

// Disjoint and ascending, each of `least_count` layers or more. Op j of a layer
// does the same work in all layers, and each of its operands is op k of the
// same layer, or of the layer before, or one value from before the first layer
// that all layers share. A layer begins where the names change most: at
// "layer2/norm" after "layer1/output/add".
std::vector<Repeat> FindRepeats(const Graph& graph, int32_t least_count);

}  // namespace tilewise
