// Loops of Python in the code of steps that call a module or a cell once for
// each step of a sequence: tracing writes every round out.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rules/host_loop/step_code.h"
#include "workload/source_facts.h"

namespace tilewise {

struct TimeLoop {
  int32_t loop = -1;               // context
  std::vector<std::string> calls;  // "self.cell", in order
  int64_t rounds = 0;              // 0: not known
  StepCodeKind kind = StepCodeKind::kNone;
};

// Outermost ones; not those of fewer than `least` rounds.
std::vector<TimeLoop> TimeLoops(const SourceFacts& facts, const StepCode& code, int64_t least);

}  // namespace tilewise
