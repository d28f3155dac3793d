// What a compiler said about the program beside the program itself: its report
// of memory that ran out, and how often it compiled one function.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/location.h"
#include "base/units.h"

namespace tilewise {

// One of the largest allocations of an out-of-memory report.
struct ReportedAllocation {
  Bytes size;
  Bytes unpadded;         // the same as `size` where the report has none
  std::string shape;      // with its layout, as printed; may be empty
  std::string operation;  // of the framework: "model/loss/one_hot"; may be empty
  std::string label;      // of XLA: "%fusion.9 = ..."; may be empty
  std::string kind;       // "HLO temp", "scoped", "arguments"
  Location location;      // in the report
  Location source;        // the user's line, where the report has it
};

// Sizes are as printed, so rounded to three or four digits; 0: not printed.
struct MemoryReport {
  std::string space = "hbm";  // or "vmem"
  Bytes used, capacity, exceeded;
  Bytes reserved, program, arguments, output;
  Bytes temporaries;                        // HLO temp
  Bytes temporaries_unpadded;               // what they hold
  std::vector<ReportedAllocation> largest;  // as printed: by size
  Location location;
};

// A function that was compiled more than once.
struct RecompiledFunction {
  std::string name;  // "jit_train_step"
  int64_t modules = 0;
  int64_t shapes = 0;  // different shapes of its parameters among them
  // How they differ: "parameter 3: f32[128,224,224,3], f32[64,224,224,3]".
  std::vector<std::string> differences;
  Location location;  // of the first module
};

}  // namespace tilewise
