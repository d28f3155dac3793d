// Cycles of a bare systolic array, in closed form: one array, operands always
// there, nothing overlapped between folds. It is what SCALE-Sim counts, so that
// results can be compared with it; tilewise's own times come from SimulateStep,
// which overlaps the weight load of a tile with the rows of the one before.

#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/status.h"

namespace tilewise {

struct SystolicArray {
  int64_t rows = 128;
  int64_t columns = 128;
};

// This says which operand stays in the array while the others pass.
enum class Dataflow : uint8_t { kWeight, kOutput, kInput };
std::string_view DataflowName(Dataflow dataflow);  // "ws", "os", "is"
std::optional<Dataflow> ParseDataflow(std::string_view name);

// [m,k] x [k,n], all at least 1.
struct MatmulShape {
  int64_t m = 1, n = 1, k = 1;
};

struct SystolicTime {
  int64_t folds = 0;   // loads of the array
  int64_t cycles = 0;  // the formula's count
  // What the tool prints as total cycles: it counts from zero and reports the
  // last one (SCALE-Sim issue 125).
  int64_t tool_cycles() const { return cycles - 1; }
  double utilisation = 0;         // m n k / (cycles x rows x columns)
  double mapping_efficiency = 0;  // share of the array that a fold fills, mean
};

// With R rows and C columns of the array
//   weight stationary: ceil(k/R) ceil(n/C) (m + 2R + C - 2)
//   output stationary: ceil(m/R) ceil(n/C) (k + R + C - 2)
//   input stationary:  ceil(k/R) ceil(m/C) (n + 2R + C - 2)
// The first two were compared with what SCALE-Sim v2 and v3 print; the third
// with the lengths of v2's demand matrices for that dataflow, which its count
// of compute cycles is. It is the first with the operands swapped.
// Errors: sizes below 1; more cycles than fit 63 bits.
absl::StatusOr<SystolicTime> TimeOnArray(const MatmulShape& shape, const SystolicArray& array,
                                         Dataflow dataflow);

}  // namespace tilewise
