// Builds, lowers and simulates a small graph of its own.

#include "session/time_alone.h"

#include "sim/lowering/lower.h"
#include "sim/simulate.h"

namespace tilewise {

std::optional<Seconds> TimeAlone(const Target& target,
                                 const std::function<OpId(GraphBuilder&)>& build) {
  GraphBuilder builder("alone");
  builder.AddOutput(build(builder), Output::Role::kResult);
  const absl::StatusOr<Graph> graph = builder.Build();
  if (!graph.ok() || !CheckBindable(*graph, 1).ok()) return std::nullopt;
  Target one_core = target;
  one_core.cores = 1;
  LowerOptions options;
  options.training = false;
  const absl::StatusOr<Program> program = Lower(*graph, 1, one_core, options);
  if (!program.ok()) return std::nullopt;
  return SimulateStep(*program, one_core).step;
}

}  // namespace tilewise
