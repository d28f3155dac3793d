// What a dataset's calls tell beyond the stages: where arguments stand, which
// files are read, what an element is made of, which options are set.

#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "frontend/python/value.h"

namespace tilewise::python {

class Interpreter;
struct Call;

// The arguments of the call as written, by the names of its parameters.
std::vector<WrittenArgument> WrittenArguments(const Call& call,
                                              std::span<const std::string_view> parameters);

// The tensors of an element; nothing when a part of it is not known.
std::optional<std::vector<Leaf>> LeavesOf(const Value& element);

// Constant paths of a source's first argument, which stands at `at`, and how
// many files they are.
void ReadPaths(const Value* files, Node at, Stage& stage);

// The options object of with_options(): what it sets, and what follows.
void ApplyOptions(const Value* options, Pipeline& pipeline);

// Decoding and parsing, as far as the result's type and shape are known:
// tf.io.decode_jpeg, tf.io.parse_single_example with fixed features.
std::optional<Value> CallDecoding(Interpreter& in, const Call& call);

}  // namespace tilewise::python
