// Training steps to compare: parsed, expanded, run through passes, evaluated.

#pragma once

#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "graph/text.h"
#include "graph/training.h"
#include "sim/lowering/passes.h"
#include "sim/lowering/verify.h"
#include "tests/reference/evaluator.h"

namespace tilewise {

inline Graph ParsedGraph(const std::string& body) {
  auto graph = ParseGraph("graph \"g\" {\n" + body + "\n}");
  EXPECT_TRUE(graph.ok()) << graph.status();
  return *std::move(graph);
}

inline TrainingSpec SpecOf(LossKind loss, OptimizerKind optimizer = OptimizerKind::kSgd) {
  TrainingSpec spec;
  spec.loss = loss;
  spec.loss_known = true;
  spec.optimizer = optimizer;
  return spec;
}

inline Graph Expanded(const Graph& forward, const TrainingSpec& spec) {
  auto step = ExpandTraining(forward, spec);
  EXPECT_TRUE(step.ok()) << step.status();
  EXPECT_TRUE(VerifyGraph(*step).ok()) << VerifyGraph(*step);
  return *std::move(step);
}

inline int64_t CountKind(const Graph& graph, OpKind kind) {
  int64_t count = 0;
  for (const Op& op : graph.ops()) count += op.kind == kind ? 1 : 0;
  return count;
}

// `graph` after one pass.
inline Graph After(absl::Status (*pass)(Program&, const LoweringContext&), const Graph& graph,
                   int64_t cores = 1) {
  Target target;
  target.cores = cores;
  const LowerOptions options;
  Program program;
  program.graph = graph;
  const absl::Status status = pass(program, {target, options, graph, graph});
  EXPECT_TRUE(status.ok()) << status;
  EXPECT_TRUE(VerifyGraph(program.graph).ok()) << VerifyGraph(program.graph);
  return program.graph;
}

// But for what is no number.
inline void ExpectSameOutputs(const std::vector<reference::Tensor>& wanted,
                              const std::vector<reference::Tensor>& found) {
  ASSERT_EQ(wanted.size(), found.size());
  for (size_t i = 0; i < wanted.size(); ++i) {
    ASSERT_EQ(wanted[i].sizes, found[i].sizes);
    for (size_t k = 0; k < wanted[i].data.size(); ++k) {
      const double w = wanted[i].data[k];
      if (!std::isfinite(w)) continue;
      ASSERT_NEAR(found[i].data[k], w, 1e-6 * (1 + std::abs(w)))
          << "output " << i << " element " << k;
    }
  }
}

// Both graphs give the same outputs for the same leaves.
inline void ExpectSameValues(const Graph& before, const Graph& after, uint32_t seed) {
  const reference::Tensors leaves = reference::RandomLeaves(before, seed);
  SCOPED_TRACE(seed);
  ExpectSameOutputs(reference::Evaluate(before, leaves), reference::Evaluate(after, leaves));
}

}  // namespace tilewise
