// Data sets that are chains of methods, as those of Grain and WebDataset: what the
// functions given to them call, and how many threads or processes run these.

#pragma once

#include <string>
#include <vector>

#include "pipeline/pipeline.h"
#include "workload/source_facts.h"

namespace tilewise::python {

// The calls of the chain that `source` begins, in order, through variables, too.
std::vector<const SourceCall*> StepsFrom(const SourceFacts& facts, const SourceCall& source);

// What the functions given to .map(f), .map_tuple(f, g) .. of a chain call; a function
// that is not of this file is a call itself.
std::vector<std::string> MappedCalls(const SourceFacts& facts,
                                     const std::vector<const SourceCall*>& steps);

// Workers of Grain: processes of mp_prefetch, else the threads that read.
struct GrainWorkers {
  Count count;
  bool processes = false;
};
GrainWorkers WorkersOfGrain(const SourceFacts& facts, const std::vector<const SourceCall*>& steps);

}  // namespace tilewise::python
