// What a program gives to the loaders of its data, where the text does not tell: flags, fields of
// a configuration, classes of data sets in other modules.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/location.h"
#include "frontend/program/map_function.h"
#include "frontend/program/trace.h"
#include "workload/source_facts.h"

namespace tilewise::program {

struct LoaderArguments {
  Location location;  // of the call
  std::optional<int64_t> workers;
  std::optional<bool> drops_last;
  std::string name;  // of the call in full
  // What makes an item; nothing: the data set is not known.
  std::optional<MapFunction> items;
  bool works_ahead = false;  // a thread of its own takes what workers made
  bool trains = false;       // a step was trained on what it gave
};

// A call that runs with several values has none.
std::vector<LoaderArguments> LoadersOf(const std::vector<Record>& records, MapFunctions& functions);

// The loader that a call makes; null: it makes none that the program came to.
const LoaderArguments* LoaderAt(const std::vector<LoaderArguments>& loaders,
                                const Location& location);

// Sets the sizes of arguments that are written as something else than a number.
void FillLoaders(const std::vector<LoaderArguments>& loaders, std::vector<SourceCall>& calls);

// Examples in the data that a loader gives to the step; nothing: not known.
std::optional<int64_t> ExamplesOf(const std::vector<Record>& records);

}  // namespace tilewise::program
