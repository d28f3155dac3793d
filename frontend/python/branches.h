// The ways that an if or match statement may go.

#pragma once

#include <optional>

#include "frontend/python/value.h"

namespace tilewise::python {

struct Branch {
  Node condition;  // null: runs whenever those before it do not
  Node block;
  Value value;  // of the condition
};

// Whether a condition or case that is not known holds where a script trains:
// true for `training`, `mode == ModeKeys.TRAIN` and `case "train"`, false for
// `not is_training` and `split == "test"`; nothing for other conditions.
std::optional<bool> MeansTraining(Node condition);

}  // namespace tilewise::python
