// The steps that random graphs are made of. Each appends a few ops that take
// `x` and returns the new value, or `x` itself when it does not apply.

#pragma once

#include <random>
#include <vector>

#include "graph/graph_builder.h"

namespace tilewise::reference {

// Draws that do not depend on the standard library's distributions, which
// differ between implementations.
class Dice {
 public:
  explicit Dice(uint32_t seed) : engine_(seed) {}
  // In [low, high].
  int64_t Roll(int64_t low, int64_t high) {
    const auto span = static_cast<uint32_t>(high - low + 1);
    return low + static_cast<int64_t>(engine_() % span);
  }
  bool Coin() { return Roll(0, 1) == 1; }

 private:
  std::mt19937 engine_;
};

using RandomStep = OpId (*)(GraphBuilder& b, Dice& dice, OpId x);

// [N,H,W,C] -> rank 4 or 2; [N,T,F] -> rank 3 or 2; [N,F] -> rank 2 or 3.
const std::vector<RandomStep>& ImageSteps();
const std::vector<RandomStep>& SequenceSteps();
const std::vector<RandomStep>& VectorSteps();
// Any rank; the shape is kept.
const std::vector<RandomStep>& ElementwiseSteps();

// The same with kinds that no framework's layers have.
const std::vector<RandomStep>& RareSequenceSteps();
const std::vector<RandomStep>& RareElementwiseSteps();

OpId Flattened(GraphBuilder& b, OpId x);  // [N,...] -> [N,F]
OpId DenseLayer(GraphBuilder& b, OpId x, int64_t units);

}  // namespace tilewise::reference
