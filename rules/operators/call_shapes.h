// Shapes of the tensors that a call in the source works on.

#pragma once

#include <string>
#include <vector>

#include "rules/rule.h"

namespace tilewise {

// Shapes of the call's first operand at the batch of the facts, one for each
// time the model runs it: from the op that the model has at the call's place,
// or, when the operand is the input of the layer class around the call, from
// that layer's places in the model. Empty when neither is there, or when the
// operand is itself something whose shape was only assumed.
std::vector<Shape> OperandShapes(const Facts& facts, const SourceCall& call);
// Shapes of the result of a call that is told its shape, first or as `shape`: a
// literal, or that of the operand as above.
std::vector<Shape> AskedShapes(const Facts& facts, const SourceCall& call);

// The integer literals of the argument at `position` or of that name; empty
// when there is no such argument or it is something else.
std::vector<int64_t> LiteralArgument(const SourceCall& call, size_t position,
                                     std::string_view keyword);

// Why the shapes are not known, for Cost::unknown. `what` is "the tensor it
// normalises".
std::string WhyNoShape(const Facts& facts, std::string_view what);

// The part of a finding that comes from times simulated by themselves.
void SetDeviceCost(const Facts& facts, Seconds time, Cost& cost);

}  // namespace tilewise
