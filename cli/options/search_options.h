// Limits of the search for batch sizes.

#pragma once

#include <cstdint>

#include "cli/options/arguments.h"

namespace tilewise {

struct SearchOptions {
  int64_t max_global_batch = 0;  // 0: any
};

void Add(Arguments& arguments, SearchOptions& options);

}  // namespace tilewise
