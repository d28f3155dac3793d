// What each rule contributed to a run: how many findings, what they would save,
// how many a command can fix.

#pragma once

#include <string>
#include <vector>

#include "report/report.h"
#include "report/text.h"

namespace tilewise {

struct RuleCount {
  std::string rule;  // "IP002"
  std::string name;
  int64_t findings = 0;
  int64_t safe = 0;    // of them with edits that --fix makes
  int64_t unsafe = 0;  // the same with --unsafe-fixes
  // Sums of the savings of single fixes: upper values, as savings overlap.
  // Where the report says what fixes together reach, of those fixes alone.
  Seconds time_per_step;
  Bytes hbm;
};

// By count, largest first; then by id.
std::vector<RuleCount> CountByRule(const Report& report);

Table StatisticsTable(const std::vector<RuleCount>& counts);

// The programs of a run that have something to show: findings or a simulated
// step; all of them with `all`.
Table ProgramTable(const std::vector<ProgramSummary>& programs, bool all);

}  // namespace tilewise
