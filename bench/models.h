// A large model of plain layers, written out as Keras model JSON.

#pragma once

#include <string>

namespace tilewise {

// A chain of `blocks` 3x3 convolutions of 64 features with bias and ReLU on
// 32x32 images: seven forward ops a block.
std::string ConvChainJson(int blocks);

}  // namespace tilewise
