// Modules as lines of text that have all that a reader fills, apart from the
// printer that is tested with them.

#pragma once

#include <string>

#include "frontend/hlo/module.h"

namespace tilewise::hlo {

// Without lines of the file and without the texts of shardings.
std::string Describe(const Module& module);

}  // namespace tilewise::hlo
