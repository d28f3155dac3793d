// The zoo as rows of `list zoo`.

#pragma once

#include "report/listing.h"

namespace tilewise {

ListingSection ZooModelSection();
// One row per model and parameter, with the default and what it takes.
ListingSection ZooParameterSection();

}  // namespace tilewise
