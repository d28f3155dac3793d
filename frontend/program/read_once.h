// One reading of a program.

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "frontend/program/read_program.h"

namespace tilewise::program {

// What a program builds and, where that is no model, what else to try.
struct Reading {
  // How much was found: a model whose training a function was called for that nothing calls, with
  // arguments that are not known, is less than one that the program trains itself.
  enum class Found : uint8_t { kNothing, kSize, kGuessedGraph, kGraph };
  ReadResult result;
  Found found = Found::kNothing;
  // A module was half made when another needed a name of it: packages ran in another order than
  // the one that the program was written for.
  bool wrong_order = false;
  bool lacks_sizes = false;          // those of weights are not known
  bool failed = false;               // an error ended a part of it
  std::vector<std::string> example;  // arguments that a page beside it starts it with
  int64_t steps = 0;                 // of the program that ran
  // What placeholders were seen to be fed where the graph was made with other sizes; empty: no
  // graph is made otherwise for it.
  std::map<int64_t, std::vector<int64_t>> fed = {};
};

// Whether the program trains on a handful of items: they stand in for data that it is not given.
bool TrainsOnFew(const ReadResult& result);

absl::StatusOr<Reading> ReadOnce(const std::string& path, const std::vector<ProgramText>& texts,
                                 const ProgramOptions& options);

}  // namespace tilewise::program
