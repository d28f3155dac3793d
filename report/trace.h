// The simulated step and the loop around it as a trace that Perfetto and
// chrome://tracing open.

#pragma once

#include <string>

#include "report/report.h"

namespace tilewise {

// Trace Event Format, JSON object form: one track per resource of the device
// (kernels, MXU, vector unit, HBM, interconnect), counters of HBM in use and of
// MXU use, and the host's loop of two executions. Times in microseconds. The
// kernels are those of the first step; all steps are alike. A unit's work for
// one kernel is drawn as one block from the kernel's start, although its
// windows take turns. `report.kernels` must be filled.
std::string RenderTrace(const Report& report);

}  // namespace tilewise
