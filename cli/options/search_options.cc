// The search itself has no settings.

#include "cli/options/search_options.h"

#include "cli/options/training_options.h"

namespace tilewise {

void Add(Arguments& arguments, SearchOptions& options) {
  arguments.Number({.name = "--max-global-batch",
                    .help = "largest global batch that may be recommended",
                    .group = "Search limits"},
                   options.max_global_batch, kMaxBatch);
}

}  // namespace tilewise
