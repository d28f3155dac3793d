// The report of a run before rules and tuning have their say.

#pragma once

#include <string_view>

#include "cli/subject.h"
#include "report/report.h"

namespace tilewise {

// What was read and simulated; parts that are not known stay empty.
Report DescribeRun(std::string_view command, const Subject& subject);

// What HBM holds at the peak and, if that is too much, what would make it fit.
void AddMemory(const Subject& subject, Report& report);

}  // namespace tilewise
