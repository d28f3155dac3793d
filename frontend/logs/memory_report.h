// What XLA and the runtime report of memory that ran out, line by line.

#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "base/location.h"
#include "base/units.h"
#include "workload/compiler_report.h"

namespace tilewise {

// What tells that a line is about memory that ran out: parts of a report with a
// list of buffers, then lines that are a report by themselves.
inline constexpr std::array<std::string_view, 6> kListSigns = {
    "Ran out of memory in ",
    " usage >= ",  // where the first line is missing
    "Program hbm requirement ",
    "Program vmem requirement ",
    "Largest program allocations in ",
    "HBM capacity ",
};
inline constexpr std::array<std::string_view, 10> kLineSigns = {
    "Aborting compilation early",       // the compiler, on an estimate
    "Attempting to reserve ",           // the runtime: for a program
    "Attempting to allocate ",          // for an array
    "Failed to allocate request for ",  // the same, older
    "Out of memory while trying to allocate ",
    "Out of memory allocating ",
    "Could not allocate ",          // the driver of Colab's nodes
    " would exceed memory (size=",  // one allocation in VMEM
    "SparseCore Hbm usage ",
    "OOM when allocating tensor with shape[",  // TensorFlow's allocators
};

// Takes the lines of a log in order; finds reports of all releases: with and
// without "Used X of Y", with sections for arguments, output and program, with
// and without shapes of allocations. Of equal reports (one for each core or
// try) the first is kept.
class MemoryReportParser {
 public:
  // `text` is without the logger's prefix; `place` is its line.
  // `joined`: the same with the lines that follow, of a sentence that goes on.
  // Whether the next lines can belong to the same report.
  bool Take(std::string_view text, std::string_view joined, const Location& place);
  std::vector<MemoryReport> Finish();

 private:
  enum class Section { kNone, kTotal, kProgram };

  void Start(std::string_view text, const Location& place);
  // One line that is a report by itself; false for other lines.
  bool TakeOneLine(std::string_view text, const Location& place);
  void TakeScoped(std::string_view text);
  bool TakeTotals(std::string_view text);
  bool TakeRow(std::string_view text);
  bool TakeAllocation(std::string_view text, const Location& place);
  MemoryReport& report() { return reports_.back(); }

  std::vector<MemoryReport> reports_;
  Section section_ = Section::kNone;
  bool in_allocation_ = false;
  bool has_total_ = false;  // of the last report
  int32_t last_part_ = 0;   // line of its last part that was known
};

}  // namespace tilewise
