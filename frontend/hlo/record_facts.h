// What instructions say besides what they compute: flags of indices, shardings,
// sizes that are data, constants, instructions that run once more.

#pragma once

#include "frontend/hlo/translation.h"
#include "workload/module_facts.h"

namespace tilewise::hlo {

// Records facts of the instruction whose ops are [first, size of the graph).
// `value` is what it became.
void RecordFacts(Translation& t, const Site& site, OpId first, const Value& value,
                 ModuleFacts& facts);

// Records facts of an argument of the entry and the op that it is.
void RecordArgument(const Instruction& parameter, const HloShape& shape, OpId op,
                    ModuleFacts& facts);

// What holds for the module as a whole. Shardings of a module that is
// partitioned already, whose sizes are those of one device, are dropped.
void CloseFacts(const Module& module, ModuleFacts& facts);

}  // namespace tilewise::hlo
