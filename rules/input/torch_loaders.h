// DataLoaders of PyTorch that feed training.

#pragma once

#include <vector>

#include "rules/rule.h"
#include "workload/source_facts.h"

namespace tilewise {

// Returns the calls of DataLoader in a program that trains with PyTorch: those
// that shuffle or sample or are named for training. Those of evaluation, and
// those whose arguments are not all written out, are left out.
std::vector<const SourceCall*> TrainingLoaders(const Facts& facts);

// "the DataLoader", or the variable it is bound to.
std::string NameOfLoader(const SourceCall& loader);

}  // namespace tilewise
