// What is written in every format: single ops and networks.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tests/formats/model.h"

namespace tilewise::formats {

struct Case {
  std::string name;
  std::string text;      // see model.h
  std::string zoo = "";  // the same in the zoo, where it has it
};

// Functions of elements, and the ops of `single_ops.cc`.
std::vector<Case> SingleOps();
std::vector<Case> Networks();

// A single op behind a dense layer, so that there is something to train. Empty
// where the input or the result is not one of floats.
std::string Trained(const Case& op);

}  // namespace tilewise::formats
