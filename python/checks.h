// Checks of a program that end in a raise or in an exit.

#pragma once

#include "python/interpreter.h"

namespace tilewise::py {

// The raise or exit that a block consists of, after calls that print or log; null: it is another
// block.
const Node* CheckOf(const Node* block);
// Whether a handler of a try may take what a failed check raises.
bool TakesChecks(const Node* node);

}  // namespace tilewise::py
