// DataLoaders of PyTorch that feed training.

#pragma once

#include <vector>

#include "rules/rule.h"
#include "workload/source_facts.h"

namespace tilewise {

// Calls of DataLoader in a program that trains with PyTorch: those that shuffle
// or sample or are named for training. Not those of evaluation, nor those whose
// arguments are not all written out, but for `with_options`: **options are passed on then.
std::vector<const SourceCall*> TrainingLoaders(const Facts& facts, bool with_options = false);

// "the DataLoader", or the variable it is bound to.
std::string NameOfLoader(const SourceCall& loader);

}  // namespace tilewise
