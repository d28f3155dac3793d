// Fetches by a function of the program that is given a value of the device:
// log(loss), where log() prints it.

#pragma once

#include <string>
#include <vector>

#include "rules/host_loop/compiled_functions.h"
#include "workload/source_facts.h"

namespace tilewise {

// The call in the function that `call` goes to, or in one that this calls, that
// brings one of `on_device`, which it is given, to the host whenever it runs; null: none
// is known. What `traced` covers runs on the device.
const SourceCall* FetchInCalled(const SourceFacts& facts, const TracedFunctions& traced,
                                const SourceCall& call, const std::vector<std::string>& on_device);

}  // namespace tilewise
