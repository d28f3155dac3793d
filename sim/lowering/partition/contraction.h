// Matrix ops on the cores of one mesh axis.

#pragma once

#include <vector>

#include "sim/lowering/partition/split_values.h"

namespace tilewise {

// Makes a dot or convolution of the parts that its operands are already in: a
// split free dim stays split, parts of a contracted dim give terms of a sum. A
// weight whose form is still free is stored to suit: by its output features
// when the other operand is whole, by its input features when that one comes in
// parts of them. Where two splits do not go together, a gradient is made in the
// parts in which its weight is stored (`weights`, see FindWeightsOfGradients);
// else what is cheapest to move is moved. Does not split work whose operands
// are both whole already.
void PartitionContraction(SplitValues& values, const Op& op, const std::vector<OpId>& weights);

}  // namespace tilewise
