// Every call of a script by its full dotted name, from the text alone.

#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "frontend/python/syntax.h"
#include "workload/workload.h"

namespace tilewise::python {

// Functions by tree and node.
using FunctionSet = std::set<std::pair<const void*, const void*>>;

// Appends the calls of `tree` in the order they stand. `aliases` (local name ->
// full dotted name) is filled from its imports and assignments first, and kept
// for the next cells of a notebook. A method of anything else than a library
// name is listed as written ("model.fit"), of an expression as ".name".
void CollectCalls(const SyntaxTree& tree, const FunctionSet& dataset_functions,
                  std::map<std::string, std::string>& aliases,
                  std::vector<SourceCall>& calls);

}  // namespace tilewise::python
