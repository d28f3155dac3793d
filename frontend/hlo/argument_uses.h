// What the uses of a module's parameters say of what they are, seen through
// moves, calls and fusions.

#pragma once

#include <map>
#include <optional>

#include "frontend/hlo/arguments.h"
#include "frontend/hlo/module.h"

namespace tilewise::hlo {

struct ArgumentUse {
  std::optional<ArgumentRole> role;  // what the first use that says so says
  // The left side of a matmul: data, where nothing else is known to be.
  bool is_left = false;
};

// Finds the uses of the parameters of the entry that are arrays.
std::map<const Instruction*, ArgumentUse> FindArgumentUses(const Module& module);

}  // namespace tilewise::hlo
