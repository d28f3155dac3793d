// The models that the benchmarks run on, written out as Keras model JSON.

#pragma once

#include <string>

namespace tilewise {

// ResNet-50 v1 as Keras builds it: 224x224x3, 1,000 classes, 177 layers.
std::string ResNet50Json();

// A chain of `blocks` 3x3 convolutions of 64 features with bias and ReLU on
// 32x32 images: seven forward ops a block.
std::string ConvChainJson(int blocks);

}  // namespace tilewise
