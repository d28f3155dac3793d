// Calls of LibTorch whose arguments C++ gives in another form than Python does.

#pragma once

#include "frontend/cpp/expressions.h"
#include "workload/source_facts.h"

namespace tilewise::cpp {

// Names the arguments of torch::data::make_data_loader(), which has the name of Python's
// DataLoader: its sampler, which is a template argument or a value, and its options become that
// loader's keywords.
void NameLoaderArguments(const CallParts& parts, SourceCall& call);

}  // namespace tilewise::cpp
