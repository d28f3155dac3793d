// Calls of XLA's and TensorFlow's C++ interfaces, whose methods have their class in their name:
// "xla.PjRtClient.Compile".

#pragma once

#include <cstdint>
#include <string_view>

#include "workload/source_facts.h"
#include "workload/workload.h"

namespace tilewise {

// Whether C++ sources were read.
bool IsCpp(const Workload& workload);

// A method of one of "xla.PjRtClient|xla.LocalClient"; where the class is not known, by its name
// alone, which must be one that nothing else has.
bool IsMethodOf(const SourceCall& call, std::string_view classes, std::string_view names);
// A function of PJRT's interface of C, which is called through its table:
// `api->PJRT_Event_Await()`.
bool IsOfC(const SourceCall& call, std::string_view functions);
// Whether the class of the receiver is not known, so that the name alone speaks.
bool IsByName(const SourceCall& call);
// "" or what to add to a message about such a call.
std::string_view ByNameText(const SourceCall& call);

// The loop that makes the call each time; -1: none.
int32_t LoopThatRuns(const SourceFacts& facts, const SourceCall& call);
// The same, by itself or through functions of the source, none of which keeps what it is given.
int32_t LoopThatReaches(const SourceFacts& facts, const SourceCall& call);
// Whether what the call makes is kept: in a map, in a list that grows.
bool IsKept(const SourceCall& call);
// Whether what stands in `context` may run more than once: a loop is around it, or around a call of
// the function that it stands in.
bool MayRepeat(const SourceFacts& facts, int32_t context);
// Whether the loop makes a call that runs a compiled program.
bool RunsPrograms(const SourceFacts& facts, int32_t loop);
bool RunsProgram(const SourceCall& call);

}  // namespace tilewise
