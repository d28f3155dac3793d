// What XLA and the runtime report of memory that ran out, line by line, and what
// logs have around it: prefixes, sizes, quoted names.

#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "base/location.h"
#include "base/units.h"
#include "workload/compiler_report.h"

namespace tilewise {

// What tells that a line is about memory that ran out.
inline constexpr std::array<std::string_view, 8> kMemorySigns = {
    "Ran out of memory in memory space ",  // the compiler, with a list of buffers
    "Total hbm usage >= ",                 // where its first line is missing
    "Aborting compilation early",          // the compiler, on an estimate
    "Attempting to reserve ",              // the runtime: for a program
    "Attempting to allocate ",             // for an array
    "Failed to allocate request for ",     // the same, older
    "Out of memory while trying to allocate ",
    "Out of memory allocating ",
};

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
  // One line that is a report by itself; false for other lines.
  bool TakeOneLine(std::string_view text, const Location& place);
  void TakeScoped(std::string_view text);
  void TakeTotals(std::string_view text);
  void TakeRow(std::string_view text);
  void TakeAllocation(std::string_view text, const Location& place);
  MemoryReport& report() { return reports_.back(); }

  std::vector<MemoryReport> reports_;
  Section section_ = Section::kNone;
  bool in_allocation_ = false;
  bool has_total_ = false;  // of the last report
};

// Without the time, thread and source line that a logger puts first
// ("2020-05-04 09:05:40.719332: E 1578 xla_util.cc:76] "), and without blanks
// at both ends.
std::string_view LogText(std::string_view line);

// What stands after the first `key` in `line`; empty when it is not there.
std::string_view After(std::string_view line, std::string_view key);

// The size that `text` starts with, after blanks: "21.95G", "4.0K", "0B",
// "7.48GiB", "3.47E". Zero when there is none.
Bytes ParseLogSize(std::string_view text);

// What stands between the quotes after `key` ("op_name="), which no quote
// escaped by a backslash ends.
std::string QuotedAfter(std::string_view line, std::string_view key);

}  // namespace tilewise
