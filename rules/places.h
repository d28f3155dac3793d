// Where findings about the whole program are put.

#pragma once

#include "rules/rule.h"

namespace tilewise {

// Where the batch size is written: the batch stage, fit(), compile(), else the
// model.
Location PlaceOfBatch(const Facts& facts);
// compile(), else the first matrix op, else the first op of the model.
Location PlaceOfModel(const Facts& facts);
// compile(), else fit(), else unknown.
Location PlaceOfLoop(const Facts& facts);

}  // namespace tilewise
