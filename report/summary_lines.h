// What a run found, in one line, by rule and by program; what the model would
// reach with the fixes.

#pragma once

#include <string>
#include <vector>

#include "report/report.h"
#include "report/text.h"

namespace tilewise {

// "2 errors, 3 warnings; 4 suppressed, 12 in the baseline, 1 fixed; 2 can be
// fixed by --fix, 3 more by --unsafe-fixes"; "no findings".
std::string CountsInWords(const Report& report);

// Whether what is said of the step is the mean of all steps of the run, not the
// device time of one.
bool AveragesSteps(const Outcome& outcome);

// One sentence for the safe fixes together and one for all of them, where there
// are such: "With the 2 safe fixes a step takes 9.10 ms instead of 12.3 ms
// (1.35x faster), the MXU does useful work 31 % of the device time instead of
// 22 % and HBM holds 4.10 GiB instead of 4.20 GiB at its peak."
std::vector<std::string> ReachableSentences(const Reachable& reachable);

// "9.10 ms, 1.35x faster" for a table; empty when nothing was applied.
std::string ReachedInWords(const Outcome& now, const Outcome& then, bool applied);

struct RuleCount {
  std::string rule;  // "IP002"
  std::string name;
  int64_t findings = 0;
  int64_t safe = 0;    // of them with edits that --fix makes
  int64_t unsafe = 0;  // the same with --unsafe-fixes
  // These sum the savings of single fixes: upper values, as savings overlap.
  // Where the report says what fixes together reach, they sum those fixes
  // alone.
  Seconds time_per_step;
  Bytes hbm;
};

// Returns the counts by size, largest first; then by id.
std::vector<RuleCount> CountByRule(const Report& report);

Table StatisticsTable(const std::vector<RuleCount>& counts);

// The programs of a run that have something to show: findings or a simulated
// step; all of them with `all`.
Table ProgramTable(const std::vector<ProgramSummary>& programs, bool all);

}  // namespace tilewise
