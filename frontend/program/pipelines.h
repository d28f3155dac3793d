// The input pipelines of a program, from the data sets that it made.

#pragma once

#include <string>
#include <vector>

#include "frontend/program/map_function.h"
#include "frontend/program/stages.h"
#include "frontend/program/trace.h"
#include "pipeline/pipeline.h"

namespace tilewise::program {

// The chains that nothing continues, and those that train, in the order in
// which they were made.
std::vector<Pipeline> PipelinesOf(const Trace& trace, SourceTexts& texts, MapFunctions& functions,
                                  const StageReader::NoteFunction& note);

}  // namespace tilewise::program
