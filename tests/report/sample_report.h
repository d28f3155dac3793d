// A small report made by hand, with every part filled.

#pragma once

#include "report/report.h"

namespace tilewise {

Report SampleReport();
Diagnostic SampleFinding();

}  // namespace tilewise
