// Bounds on what the process may use, for runs on files that strangers send.

#pragma once

#include <cstdint>

namespace tilewise {

struct ProcessLimits {
  int64_t seconds = 0;    // on the wall clock; 0: no limit
  int64_t mebibytes = 0;  // of memory; 0: no limit
};

// Ends the process, once it uses more from here on, with one line on standard error and exit code
// 2.
void LimitProcess(const ProcessLimits& limits);

}  // namespace tilewise
