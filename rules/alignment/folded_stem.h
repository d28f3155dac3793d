// A first convolution on images whose pixels were folded into channels.

#pragma once

#include "rules/rule.h"

namespace tilewise {

// The host hands over 2 x 2 pixels as one with four times the channels, and
// `conv`, of an even stride, takes half the stride and about half the window.
// Empty when the convolution is not one that reads an input of the model in
// two spatial dims of even size and stride, elementwise ops between them aside.
Change FoldedStem(const Graph& graph, const Op& conv);

}  // namespace tilewise
