// Finds where findings about the whole program are put, and how a text names a location.

#pragma once

#include "session/facts.h"

namespace tilewise {

// Returns where the batch size is written: the batch stage, fit(), compile(), else the model.
Location LocationOfBatch(const Facts& facts);
// compile(), else the first matrix op, else the first op of the model.
Location LocationOfModel(const Facts& facts);
// compile(), else fit(), else unknown.
Location LocationOfLoop(const Facts& facts);

// "line 12", "line 1 of cell 3", for a text about a finding at `finding`; with
// "of other.py" where the location is in another file.
std::string LineText(const Location& location, const Location& finding);

}  // namespace tilewise
