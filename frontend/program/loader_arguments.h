// What a program gives to the loaders of its data, where the text does not tell: flags, fields of
// a configuration.

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/location.h"
#include "frontend/program/trace.h"
#include "workload/source_facts.h"

namespace tilewise::program {

struct LoaderArguments {
  Location location;  // of the call
  std::optional<int64_t> workers;
  std::optional<bool> drops_last;
};

// A call that runs with several values has none.
std::vector<LoaderArguments> LoadersOf(const std::vector<Record>& records);

// Sets the sizes of arguments that are written as something else than a number.
void FillLoaders(const std::vector<LoaderArguments>& loaders, std::vector<SourceCall>& calls);

// Examples in the data that a loader gives to the step; nothing: not known.
std::optional<int64_t> ExamplesOf(const std::vector<Record>& records);

}  // namespace tilewise::program
