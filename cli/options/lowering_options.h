// The passes between a model and its program.

#pragma once

#include <string>
#include <vector>

#include "cli/options/arguments.h"

namespace tilewise {

struct LoweringOptions {
  std::vector<std::string> disabled_passes;
  std::string dump_folder;  // for the program after every pass; empty: none
};

void Add(Arguments& arguments, LoweringOptions& options);

// --dump-lowering.
void AddDump(Arguments& arguments, LoweringOptions& options);

}  // namespace tilewise
