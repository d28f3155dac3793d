// Runs the passes from assign_layouts on over a graph given as text.

#pragma once

#include <string_view>

#include <gtest/gtest.h>

#include "graph/text.h"
#include "sim/lowering/passes.h"

namespace tilewise {

// A chip with the numbers that layouts and kernels look at.
inline Chip BackendChip(int64_t generation = 3) {
  Chip chip;
  chip.generation = generation;
  chip.clock_hz = 1e9;
  chip.mxus = 2;
  chip.mxu_side = 128;
  chip.latch_cycles = 64;
  chip.bf16_vector_alu = generation >= 6;
  chip.hbm = {int64_t{16} << 30};
  chip.hbm_bandwidth = {500e9};
  chip.vmem = {int64_t{16} << 20};
  chip.vmem_window_budget = {int64_t{12} << 20};
  return chip;
}

inline Target BackendTarget(int64_t generation = 3) {
  Target target;
  target.chip = BackendChip(generation);
  return target;
}

inline Graph GraphOf(std::string_view text) {
  absl::StatusOr<Graph> graph = ParseGraph(text);
  EXPECT_TRUE(graph.ok()) << graph.status();
  return graph.ok() ? *std::move(graph) : Graph();
}

using PassFunction = absl::Status (*)(Program&, const LoweringContext&);

inline Program RunPasses(Graph graph, const Target& target,
                         std::initializer_list<PassFunction> passes) {
  const LowerOptions options;
  const Graph source = graph;
  Program program;
  program.graph = std::move(graph);
  const LoweringContext context{target, options, source, source};
  for (const PassFunction pass : passes) {
    const absl::Status status = pass(program, context);
    EXPECT_TRUE(status.ok()) << status;
  }
  return program;
}

inline Program Backend(std::string_view text, const Target& target = BackendTarget()) {
  return RunPasses(
      GraphOf(text), target,
      {RunAssignLayouts, RunFuse, RunLowerOps, RunChooseTiles, RunPlaceBuffers, RunSchedule});
}

inline Program BackendWithoutFusion(std::string_view text, const Target& target = BackendTarget()) {
  return RunPasses(GraphOf(text), target,
                   {RunAssignLayouts, RunLowerOps, RunChooseTiles, RunPlaceBuffers, RunSchedule});
}

// The op called `name`; a test failure when there is none.
inline const Op& OpNamed(const Program& program, std::string_view name) {
  for (const Op& op : program.graph.ops()) {
    if (op.name == name) return op;
  }
  ADD_FAILURE() << "no op " << name;
  return program.graph.op(0);
}

inline std::string LayoutOf(const Program& program, std::string_view name) {
  const Op& op = OpNamed(program, name);
  return FormatLayout(program.layouts[op.id]);
}

// The kernel that writes the value called `name`, or null.
inline const Kernel* WriterOf(const Program& program, std::string_view name) {
  const OpId id = OpNamed(program, name).id;
  for (const Kernel& kernel : program.kernels) {
    for (const OpId output : kernel.outputs) {
      if (output == id) return &kernel;
    }
  }
  return nullptr;
}

}  // namespace tilewise
