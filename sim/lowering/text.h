// A program as text, one op, kernel or buffer a line, and back, at any point of
// the lowering path. Printing and parsing round-trip, and what is read back
// takes the same simulated time.
//
//   program, after=schedule, chip=v3, cores=8, data=8, batch_per_core=32
//   graph "mlp" {            // the forward graph, bound; see graph/text.h
//   ...
//   }
//   graph "mlp" {            // the graph after the pass
//   ...
//   }
//   layout x, order={1,0}, tile={8,128}
//   kernel fusion.1, kind=matrix, root=d, ops={d,r}, inputs={x,w}, ...
//   buffer x, use=input, padded=4096, unpadded=3136, last=12
//   memory, available=16106127360, peak=8192, largest={0}
//
// Keys are the names of the fields; those that have their default are left out.
// Bytes and counts are whole numbers; the keys of Kernel::windows start with
// "window_". Not written: what the passes took.

#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "sim/lowering/program.h"

namespace tilewise {

// This says where a program comes from: its pass, target and forward graph.
struct ProgramContext {
  std::string pass;  // the last that ran
  std::string chip;  // name of Chip
  std::string host;
  int64_t cores = 1;
  Mesh mesh;
  Graph source;  // forward, bound
};
ProgramContext ContextOf(std::string_view pass, const Target& target, Graph source);

struct ProgramText {
  ProgramContext context;
  Program program;
};

std::string PrintProgram(const Program& program, const ProgramContext& context);

// Whether the text starts as PrintProgram's does.
bool IsProgramText(std::string_view text);
// Errors: invalid argument, "line L: ..." with what was expected.
absl::StatusOr<ProgramText> ParseProgram(std::string_view text);

}  // namespace tilewise
