// Pass simplify: constant folding, common subexpressions, identities, movement
// of broadcasts, transposes and reshapes, dead ops. Sweeps until nothing
// changes.

#include <utility>

#include "sim/lowering/passes.h"
#include "sim/lowering/simplify/simplifier.h"

namespace tilewise {
namespace {

constexpr int kMaxSweeps = 8;  // real graphs settle in two to four

}  // namespace

absl::Status RunSimplify(Program& program, const LoweringContext&) {
  Simplifier simplifier(std::move(program.graph));
  for (int i = 0; i < kMaxSweeps && simplifier.Sweep(); ++i) {
  }
  TW_ASSIGN_OR_RETURN(program.graph, simplifier.Build());
  return absl::OkStatus();
}

}  // namespace tilewise
