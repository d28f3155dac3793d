// Small reports made by hand, with every part filled.

#pragma once

#include "report/report.h"

namespace tilewise {

Report SampleReport();
Diagnostic SampleFinding();

// Of `lint`: an op of a graph with an unsafe fix, the finding of SampleFinding
// with a fingerprint, and an info in a notebook; one of each silenced kind.
Report LintSample();

}  // namespace tilewise
