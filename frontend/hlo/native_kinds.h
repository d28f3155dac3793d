// Kinds of graph ops that are instructions of HLO, attributes and all, and the
// way back (print.h).

#pragma once

#include <optional>
#include <string_view>

#include "frontend/hlo/module.h"
#include "graph/op.h"

namespace tilewise::hlo {

// Returns the kind of the name that the graph text has for it.
std::optional<OpKind> KindNamed(std::string_view name);

// Sets opcode and attributes of `instruction` and takes out of `rest`, a copy
// of the op's attributes, those that it states. False when HLO has no such
// instruction, or not with these attributes; nothing is changed then.
// Reductions also need a computation and an initial value.
bool ToHlo(const Op& op, Instruction& instruction, Attributes& rest);

// Kind and attributes of an op that ToHlo made `instruction` of; false when it
// makes none such. Reducers are left to the caller.
bool FromHlo(const Instruction& instruction, Op& op);

// How XLA names what a reduction does to two elements.
Opcode OpcodeOf(Reducer reducer);  // kUnknown: it has no one operation
Reducer ReducerOf(Opcode opcode);  // kOther: none of the others

}  // namespace tilewise::hlo
