// Partitions steps for small meshes and compares what their cores compute
// together with what one core would.

#ifndef TILEWISE_TESTS_LOWERING_MESH_STEPS_H_
#define TILEWISE_TESTS_LOWERING_MESH_STEPS_H_

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/lowering/mesh_models.h"
#include "tests/lowering/step_graphs.h"
#include "tests/reference/mesh_evaluator.h"
#include "tests/reference/random_graph.h"

namespace tilewise {

using reference::MeshSizes;

inline constexpr int64_t kExamplesPerCore = 2;

inline Target TargetOf(const MeshSizes& mesh) {
  Target target;
  target.cores = mesh.cores();
  target.mesh = {.data = mesh.data,
                 .fsdp = mesh.fsdp,
                 .tensor = mesh.heads * mesh.tensor,
                 .expert = mesh.expert};
  return target;
}

inline absl::StatusOr<Graph> Simplified(const Graph& forward, int64_t batch, int64_t replicas,
                                        const TrainingSpec& spec, const Target& target,
                                        const LowerOptions& options, bool partitions) {
  const Graph bound = forward.Bind(batch);
  Program program;
  TW_ASSIGN_OR_RETURN(program.graph, ExpandTraining(bound, spec, replicas));
  const LoweringContext context{target, options, bound, forward};
  TW_RETURN_IF_ERROR(RunDecompose(program, context));
  TW_RETURN_IF_ERROR(RunSimplify(program, context));
  if (partitions) TW_RETURN_IF_ERROR(RunPartition(program, context));
  TW_RETURN_IF_ERROR(VerifyGraph(program.graph));
  return program.graph;
}

// The graph that each core runs.
inline Graph ExpectSameStep(const Graph& forward, const TrainingSpec& spec, const MeshSizes& mesh,
                            bool shard_update) {
  const Target target = TargetOf(mesh);
  SCOPED_TRACE(FormatMesh(target.mesh));
  LowerOptions options;
  options.shard_update = shard_update;
  const int64_t shards = mesh.shards();
  const auto whole =
      Simplified(forward, kExamplesPerCore * shards, 1, spec, target, options, false);
  const auto part = Simplified(forward, kExamplesPerCore, shards, spec, target, options, true);
  EXPECT_TRUE(whole.ok()) << whole.status();
  EXPECT_TRUE(part.ok()) << part.status();
  if (!whole.ok() || !part.ok()) return Graph();
  const reference::Tensors leaves = reference::RandomLeaves(*whole, 3);
  ExpectSameOutputs(reference::Evaluate(*whole, leaves),
                    reference::EvaluateOnMesh(*part, leaves, mesh));
  return *part;
}

inline Graph ExpectSameStep(const MeshModel& example, const MeshSizes& mesh,
                            bool shard_update = false) {
  const bool is_classifier = example.body.find("s32") != std::string::npos;
  TrainingSpec spec =
      SpecOf(is_classifier ? LossKind::kSoftmaxCrossEntropy : LossKind::kMeanSquaredError,
             example.optimizer);
  spec.from_logits = true;
  spec.sparse_labels = is_classifier;
  spec.learning_rate = 1;
  return ExpectSameStep(ParsedGraph(example.body), spec, mesh, shard_update);
}

}  // namespace tilewise

#endif  // TILEWISE_TESTS_LOWERING_MESH_STEPS_H_
