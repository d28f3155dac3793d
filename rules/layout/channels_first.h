// Which values of a graph are images of convolutions and pooling.

#pragma once

#include <vector>

#include "graph/graph.h"

namespace tilewise {

// By op: what convolutions and pooling with channels first read and write, and
// what elementwise ops, pads, slices and concatenations make of it.
std::vector<bool> ChannelsFirstImages(const Graph& graph);
// The same of all convolutions and pooling, whatever their order.
std::vector<bool> ConvolutionImages(const Graph& graph);

}  // namespace tilewise
