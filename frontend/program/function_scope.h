// What is known of a function while its body is walked.

#pragma once

#include <memory>
#include <utility>

#include "frontend/program/given_functions.h"
#include "frontend/program/known_values.h"
#include "frontend/program/small_values.h"

namespace tilewise::program {

struct FunctionScope {
  explicit FunctionScope(SmallValues values) : small(std::move(values)) {}
  const py::Value* self = nullptr;              // of a method; null: of a function
  const py::Node* call = nullptr;               // that is read
  bool aside = false;                           // it works on few numbers
  bool ended = false;                           // by a statement that returns
  bool in_branch = false;                       // of a condition
  std::shared_ptr<const GivenFunctions> given;  // by the call of the function; null: nothing is
  SmallValues small;
  KnownValues known;
};

}  // namespace tilewise::program
