// What the parameters of a module are: data of a batch, weights, or state that
// the program updates.
//
// A parameter that an output is written over is state. Integers, scalars and
// dims without a bound are data. What a convolution or dot uses as its right
// side and what rows are taken from are weights; what a convolution reads is
// data. Where the uses say nothing, names do ("params", "inputs"). Where no
// data is found so, what a matmul reads as its left side is. Of the rest,
// arrays of floats are weights unless they have several dims and the first is
// the batch: that of the data found so far, else of a result that is no state.
// Where that leaves no data at all, the array of the most dims is.

#pragma once

#include <string>
#include <vector>

#include "frontend/hlo/module.h"

namespace tilewise::hlo {

enum class ArgumentRole : uint8_t { kInput, kWeight, kState };

// One array among the entry's parameters, tuples taken apart.
struct Argument {
  const Instruction* parameter = nullptr;
  std::vector<int64_t> index;  // in the parameter's tuple
  const HloShape* shape = nullptr;
  ArgumentRole role = ArgumentRole::kInput;
  std::vector<int64_t> output;  // kState: that is written over it
  std::string name;             // the parameter's and the index
};

// Returns the arguments in the order of their numbers.
std::vector<Argument> FindArguments(const Module& module);

}  // namespace tilewise::hlo
