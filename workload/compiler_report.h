// What a compiler and the runtime said about the program besides the program
// itself: that memory ran out, that arrays were gathered whole to be divided
// anew, and how often one function was compiled.

#pragma once

#include <cstdint>
#include <optional>
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

// This says when memory ran out.
enum class MemoryStage : uint8_t {
  kCompile,   // the compiler had placed all buffers
  kEstimate,  // it gave up before that, on an estimate
  kLoad,      // a compiled program found no room next to the arrays that were there
  kAllocate,  // an array found none
};

// Sizes are as printed, so rounded to three or four digits; 0: not printed.
struct MemoryReport {
  MemoryStage stage = MemoryStage::kCompile;
  std::string space = "hbm";  // or "vmem", "smem"
  // kLoad, kAllocate: `used` is what was asked for.
  Bytes used, capacity, exceeded;
  std::optional<Bytes> free;  // kLoad, kAllocate: what was left
  Bytes free_in_one_piece;    // of it; 0: not said
  Bytes sparse_core;          // of `used`: what the SparseCore needs
  std::string kernel;         // that the memory was for: "%flash_attention.1"
  int64_t times = 1;          // equal reports, as of several cores
  Bytes reserved, program, arguments, output;
  bool says_arguments = false;              // also where they are 0 B
  Bytes temporaries;                        // HLO temp
  Bytes temporaries_unpadded;               // what they hold
  std::vector<ReportedAllocation> largest;  // as printed: by size
  Location location;
};

// An array that the partitioner gathered whole on every device, to divide it
// another way.
struct WholeReshard {
  std::string from, to;   // shardings, as printed
  std::string value;      // "%pad = f64[96]{0} pad(...)"; empty: not printed
  std::string operation;  // of the framework; may be empty
  Location source;        // the user's line, where the log has it
  Location location;      // in the log, of the first one
  int64_t times = 1;      // equal lines
};

// A function that was compiled more than once.
struct RecompiledFunction {
  std::string name;  // "jit_train_step"
  int64_t modules = 0;
  int64_t shapes = 0;  // different shapes of its parameters among them
  // How they differ: "parameter 3: f32[128,224,224,3], f32[64,224,224,3]".
  std::vector<std::string> differences;
  Location location;  // of the first module
  Seconds time;       // of all these compilations; 0: not said
};

}  // namespace tilewise
