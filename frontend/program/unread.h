// What the notes of a reading say of parts that were not read.

#pragma once

#include <initializer_list>
#include <set>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "graph/graph.h"

namespace tilewise::program {

using Words = std::initializer_list<const char*>;

// The first note that has the first of the words; where none does, of the second, and so on.
// Null: none has any.
const Diagnostic* Telling(const std::vector<Diagnostic>& notes, Words words);

// The most telling reason why the program at `path` gave no model; `absent`: packages that it
// imports and that are not here.
std::string WhyUnread(const std::vector<Diagnostic>& notes, const std::string& path,
                      const std::set<std::string>& absent);

// Why the model has less than the program; empty: no note says so.
std::string LowerBound(const std::vector<Diagnostic>& notes, const std::string& path);

// The loss of a step that is not known, beside one that is; empty: there is none.
std::string UnknownLoss(const std::vector<Diagnostic>& notes, const std::string& path);

bool HasWeights(const Graph& graph);

// Why the figures of a step are a lower bound, of a program of which statements were left out,
// where no data go into it; "": there are some, or none were left out.
std::string Unfed(const std::vector<Diagnostic>& notes, const Graph& graph);

}  // namespace tilewise::program
