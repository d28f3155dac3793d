// Calls of LibTorch whose arguments C++ gives in another form than Python does.

#pragma once

#include <string>

#include "frontend/cpp/expressions.h"
#include "workload/source_facts.h"

namespace tilewise::cpp {

// Names the arguments of torch::data::make_data_loader(), which has the name of Python's
// DataLoader: its sampler, which is a template argument or a value, and its options become that
// loader's keywords.
void NameLoaderArguments(const CallParts& parts, SourceCall& call);

// "tensorflow.io.RecordReader" of make_unique<RecordReader>(..) and of make_shared, which construct
// what they are given; empty for other callees.
std::string NameOfMade(const clang::Expr* callee);

}  // namespace tilewise::cpp
