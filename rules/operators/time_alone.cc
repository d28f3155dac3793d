// Builds, lowers and simulates a small graph of its own.

#include "rules/operators/time_alone.h"

#include <utility>

#include "sim/lowering/lower.h"

namespace tilewise {

std::optional<Seconds> TimeAlone(
    const Facts& facts, const std::function<OpId(GraphBuilder&)>& build) {
  GraphBuilder builder("alone");
  builder.AddOutput(build(builder), Output::Role::kResult);
  const absl::StatusOr<Graph> graph = builder.Build();
  if (!graph.ok() || !CheckBindable(*graph, 1).ok()) return std::nullopt;
  Target one_core = facts.target;
  one_core.cores = 1;
  LowerOptions options;
  options.training = false;
  absl::StatusOr<Program> program = Lower(*graph, 1, one_core, options);
  if (!program.ok()) return std::nullopt;
  return Simulate(std::move(program).value(), one_core, graph->size())
      .timeline.step;
}

}  // namespace tilewise
