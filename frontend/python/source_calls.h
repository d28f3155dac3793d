// What the text of a script says by itself: every call by its full dotted
// name, what stands around it and what it is bound to.

#pragma once

#include "frontend/python/source_walker.h"
#include "workload/source_facts.h"

namespace tilewise::python {

// Appends what `tree` says, calls in the order they stand. `aliases` (local
// name -> full dotted name) and `constants` are filled from its imports and
// assignments first, and kept for the next cells of a notebook. A method of anything else than a
// library name is listed as written ("model.fit"), of an expression as
// ".name".
void CollectFacts(const SyntaxTree& tree, const FunctionSet& dataset_functions, Aliases& aliases,
                  Constants& constants, SourceFacts& facts);

}  // namespace tilewise::python
