// Random training and inference steps, lowered for a chip.

#pragma once

#include <string>

#include <gtest/gtest.h>

#include "hardware/target.h"
#include "sim/lowering/lower.h"
#include "tests/reference/random_graph.h"

namespace tilewise {

inline Target FoundTarget(const std::string& chip, int64_t cores = 0, const Mesh& mesh = {}) {
  const absl::StatusOr<Target> target = MakeTarget(chip, cores, "", mesh);
  EXPECT_TRUE(target.ok()) << target.status();
  return *target;
}

inline Program LoweredProgram(const Graph& graph, int64_t batch, const Target& target,
                              const LowerOptions& options) {
  absl::StatusOr<Program> program = Lower(graph, batch, target, options);
  EXPECT_TRUE(program.ok()) << program.status();
  return *std::move(program);
}

}  // namespace tilewise
