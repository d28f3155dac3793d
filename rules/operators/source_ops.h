// Ops of the model's file that the reader points out: what the graph has of
// them.

#pragma once

#include <string>
#include <vector>

#include "rules/rule.h"

namespace tilewise {

// Simulated device time per step of all that the op became; zero when that is
// nothing.
Seconds TimeOfSource(const Facts& facts, const SourceOp& op);

// Its last op of the graph, whose shape is that of its result; kNoOp when it
// became none.
OpId ResultOfSource(const Facts& facts, const SourceOp& op);

// "PyFunc (map/PyFunc)": kind and name.
std::string NameOfSource(const SourceOp& op);

// By op of Facts::source: whether it is computed from what the file's ops of
// this trait became.
std::vector<bool> ComputedFrom(const Facts& facts, OpTrait trait);

}  // namespace tilewise
