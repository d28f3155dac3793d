// Conditions that cannot be told: what the names in them say of training, and
// whether what they lead to says something of data sets.

#pragma once

#include <optional>

#include "python/node.h"

namespace tilewise::program {

// Whether a condition or case that is not known holds where a program trains:
// true for `training`, `mode == ModeKeys.TRAIN` and `case "train"`, false for
// `not is_training` and `split == "test"`; nothing for other conditions.
std::optional<bool> MeansTraining(const py::Node* condition);

// `n` of `i % n == 0` and `not i % n`, also in the form that C++ programs have; null: another
// condition.
const py::Node* RoundsBetween(const py::Node* condition);

// Whether a block has a backward pass and an update of its own.
bool HasWholeStep(const py::Node* block);

// Whether a block calls methods that data sets have.
bool BuildsDatasets(const py::Node* block);

// Whether data sets have a method of that name that makes another.
bool IsDatasetMethod(std::string_view name);

}  // namespace tilewise::program
