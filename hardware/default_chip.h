// The chip that is taken when the user names none.

#pragma once

#include <string>

namespace tilewise {

// One of ChipNames(); hardware/data/catalog.txtpb says which.
std::string DefaultChipName();

}  // namespace tilewise
