// Which values of a graph are images of convolutions and pooling.

#pragma once

#include <vector>

#include "graph/graph.h"

namespace tilewise {

// Returns for each op whether convolutions and pooling with channels first read
// or write it, or elementwise ops, pads, slices and concatenations make it of
// that.
std::vector<bool> ChannelsFirstImages(const Graph& graph);
// The same of all convolutions and pooling, whatever their order.
std::vector<bool> ConvolutionImages(const Graph& graph);

}  // namespace tilewise
