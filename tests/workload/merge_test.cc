// What several files say, put together.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graph/graph_builder.h"
#include "workload/workload.h"

namespace tilewise {
namespace {

Workload Compiled(const std::string& file, OptimizerKind optimizer) {
  Workload w;
  w.name = file;
  w.training = TrainingSpec{};
  w.training->optimizer = optimizer;
  w.training->location = {file, 3, 1, 0, ""};
  w.host_loop.compile = w.training->location;
  return w;
}

TEST(MergeWorkloads, TwoDifferingCompilesNameBothPlaces) {
  const auto w = MergeWorkloads(
      {Compiled("a.py", OptimizerKind::kSgd), Compiled("b.py", OptimizerKind::kAdam)});
  ASSERT_FALSE(w.ok());
  EXPECT_THAT(Message(w.status()),
              testing::AllOf(testing::HasSubstr("a.py:3"), testing::HasSubstr("b.py:3")));
}

TEST(MergeWorkloads, EqualCompilesAreOne) {
  const auto w = MergeWorkloads(
      {Compiled("a.py", OptimizerKind::kAdam), Compiled("b.py", OptimizerKind::kAdam)});
  ASSERT_TRUE(w.ok());
  EXPECT_EQ(w->training->optimizer, OptimizerKind::kAdam);
}

TEST(MergeWorkloads, AProgramSaysTheOptimizerAndTheModelFileTheLoss) {
  GraphBuilder b("g");
  b.AddOutput(b.Parameter(Shape::Of(DType::kF32, {8}), "x"), Output::Role::kResult);
  Workload model;
  model.graph = *b.Build();
  model.training = TrainingSpec{.loss_known = true, .sparse_labels = true};
  Workload program = Compiled("train.py", OptimizerKind::kMomentum);
  program.training->optimizer_known = true;
  program.host_loop.compile = {};
  for (const bool model_first : {true, false}) {
    const auto w = MergeWorkloads(model_first ? std::vector<Workload>{model, program}
                                              : std::vector<Workload>{program, model});
    ASSERT_TRUE(w.ok()) << w.status();
    EXPECT_EQ(w->training->optimizer, OptimizerKind::kMomentum);
    EXPECT_TRUE(w->training->loss_known);
    EXPECT_TRUE(w->training->sparse_labels);
  }
}

TEST(MergeWorkloads, WhatIsKnownOfTheModelComesWithIt) {
  GraphBuilder b("g");
  b.AddOutput(b.Parameter(Shape::Of(DType::kF32, {8}), "x"), Output::Role::kResult);
  Workload model;
  model.graph = *b.Build();
  model.step = StepKind::kInference;
  model.format = "onnx";
  model.producer = "pytorch 2.1.0";
  model.source_ops = {{"Relu", 3}};
  model.layers = 3;
  Workload log;
  log.memory_reports.resize(1);
  log.recompiled.resize(2);
  std::vector<Workload> parts;
  parts.push_back(Compiled("a.py", OptimizerKind::kAdam));
  parts.push_back(std::move(model));
  parts.push_back(std::move(log));
  const auto w = MergeWorkloads(std::move(parts));
  ASSERT_TRUE(w.ok()) << w.status();
  EXPECT_EQ(w->step, StepKind::kInference);
  EXPECT_EQ(w->format, "onnx");
  EXPECT_EQ(w->producer, "pytorch 2.1.0");
  EXPECT_EQ(w->source_ops.at("Relu"), 3);
  EXPECT_EQ(w->memory_reports.size(), 1u);
  EXPECT_EQ(w->recompiled.size(), 2u);
}

TEST(Workload, TrainingPipelineIsTheOnlyOneThatIsNotEvaluation) {
  Workload w;
  w.pipelines.resize(2);
  EXPECT_EQ(w.training_pipeline(), nullptr);
  w.pipelines[0].role = PipelineRole::kEvaluation;
  EXPECT_EQ(w.training_pipeline(), &w.pipelines[1]);
}

}  // namespace
}  // namespace tilewise
