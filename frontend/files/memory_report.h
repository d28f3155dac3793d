// XLA's report that the memory of a core ran out, line by line.

#pragma once

#include <string_view>
#include <vector>

#include "base/location.h"
#include "workload/compiler_report.h"

namespace tilewise {

// Takes the lines of a log in order; finds reports of all releases: with and
// without "Used X of Y", with sections for arguments, output and program, with
// and without shapes of allocations. Of equal reports (one for each core or
// try) the first is kept.
class MemoryReportParser {
 public:
  // `text` is without the logger's prefix; `place` is its line.
  void Take(std::string_view text, const Location& place);
  std::vector<MemoryReport> Finish();

 private:
  enum class Section { kNone, kTotal, kProgram };

  void Start(std::string_view text, const Location& place);
  void TakeTotals(std::string_view text);
  void TakeRow(std::string_view text);
  void TakeAllocation(std::string_view text, const Location& place);
  MemoryReport& report() { return reports_.back(); }

  std::vector<MemoryReport> reports_;
  Section section_ = Section::kNone;
  bool in_allocation_ = false;
  bool has_total_ = false;  // of the last report
};

}  // namespace tilewise
