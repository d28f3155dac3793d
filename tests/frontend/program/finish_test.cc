// Steps of traces: the batch, losses, what is trained.

#include <gmock/gmock.h>

#include "frontend/program/tracer.h"
#include "tests/frontend/program/traced.h"
#include "tests/reference/evaluator.h"

namespace tilewise::program {
namespace {

using testing::HasSubstr;

TEST(Finish, SetsTheBatchApart) {
  Trace t;
  const Value x = t.Input({6, 5, 6});  // features are as many as examples
  const Value flat = t.Op("tw.reshape", {x}, {{"shape", Ints{30, 6}}});
  const Value y = t.Op("tw.matmul", {flat, t.Weight({6, 6})});
  const Value back = t.Op("tw.reshape", {y}, {{"shape", Ints{6, 5, 6}}});
  const TracedStep step = t.Finished({.results = {back}});
  EXPECT_EQ(step.batch, 6);
  EXPECT_EQ(FormatShape(step.graph.op(step.graph.outputs()[0].value).shape), "f32[N,5,6]");
  EXPECT_EQ(FormatShape(Find(step.graph, OpKind::kVariable)->shape), "f32[6,6]");
  EXPECT_EQ(step.counts.macs, 5 * 36);
}

TEST(Finish, KeepsSizesWhereTheBatchCannotBeTold) {
  Trace t;
  const Value x = t.Input({6, 4});
  const Value y = t.Op("tw.matmul", {x, t.Weight({4, 5})});
  const Value part = t.Op("tw.slice", {y}, {{"limits", Ints{3, 5}}});
  const TracedStep step = t.Finished({.results = {part}});
  EXPECT_EQ(step.batch, std::nullopt);
  EXPECT_TRUE(step.graph.is_static());
  EXPECT_FALSE(step.counts.macs_of_one);
  ASSERT_EQ(step.notes.size(), 1U);
  EXPECT_THAT(step.notes[0].message, HasSubstr("the batch of 6"));
}

TEST(Finish, NeedsSomethingToCompute) {
  Trace t;
  const Value x = t.Input({6, 4}, DType::kS32);
  EXPECT_FALSE(t.tracer().Finish({}).ok());
  const auto step = t.tracer().Finish({.loss = x, .training = TrainingSpec()});
  EXPECT_THAT(Message(step.status()), HasSubstr("s32[6,4]"));
}

// A perceptron with a loss of its own: the mean over examples of the cross
// entropy, and a penalty on one weight.
struct Written {
  Trace t;
  Value first, second, loss, accuracy;

  Written() {
    const Value x = t.Input({3, 4});
    const Value labels = t.Input({3}, DType::kS64);
    first = t.Weight({5, 4}, "first");
    second = t.Weight({2, 5}, "second");
    Value y = t.Op("tw.matmul", {x, t.Op("tw.transpose", {first})});
    y = t.Op("tw.unary", {y}, {{"kind", Text("gelu")}});
    const Value logits = t.Op("onnx.Gemm", {y, second}, {{"transB", int64_t{1}}});
    const Value each = t.Op("tw.cross_entropy", {logits, labels});
    const Value mean = t.Op("tw.reduce", {each}, {{"kind", Text("mean")}});
    const Value norm = t.Op("tw.reduce", {second}, {{"kind", Text("sum_square")}});
    loss = t.Op("tw.binary", {mean, norm}, {{"kind", Text("add")}});
    accuracy = t.Op("tw.arg_reduce", {logits}, {{"dim", int64_t{1}}});
  }
};

TrainingSpec Descent() {
  TrainingSpec spec;
  spec.learning_rate = 1;
  return spec;
}

Graph StepOf(const TracedStep& traced, int64_t batch) {
  auto step = ExpandTrainingOf(traced.graph, batch, *traced.training);
  EXPECT_TRUE(step.ok()) << step.status();
  return *std::move(step);
}

double LossAt(const Graph& step, const reference::Tensors& leaves) {
  return reference::Evaluate(step, leaves)[0].data[0];
}

TEST(Finish, DifferentiatesTheLossOfTheProgram) {
  Written model;
  const TracedStep traced = model.t.Finished({.loss = model.loss, .training = Descent()});
  EXPECT_EQ(traced.step, StepKind::kTraining);
  EXPECT_EQ(traced.batch, 3);
  const Graph step = StepOf(traced, 3);
  const reference::Tensors leaves = reference::RandomLeaves(step, 7);
  const std::vector<reference::Tensor> out = reference::Evaluate(step, leaves);
  ASSERT_EQ(step.outputs().size(), 3U);
  for (size_t i = 1; i < out.size(); ++i) {
    const std::string& name = step.op(step.outputs()[i].variable).name;
    for (size_t k = 0; k < out[i].data.size(); ++k) {
      reference::Tensors moved = leaves;
      constexpr double kDistance = 1e-5;
      moved[name].data[k] += kDistance;
      const double above = LossAt(step, moved);
      moved[name].data[k] -= 2 * kDistance;
      const double slope = (above - LossAt(step, moved)) / (2 * kDistance);
      EXPECT_NEAR(leaves.at(name).data[k] - out[i].data[k], slope, 1e-5) << name << " " << k;
    }
  }
}

TEST(Finish, TrainsWhatItIsTold) {
  Written model;
  const TracedStep traced = model.t.Finished({.loss = model.loss,
                                              .results = {model.accuracy},
                                              .training = Descent(),
                                              .trained = std::vector<Value>{model.second}});
  EXPECT_EQ(traced.counts.trainable, 10);
  EXPECT_EQ(traced.counts.other, 20);
  const Graph step = StepOf(traced, 8);
  ASSERT_EQ(step.outputs().size(), 3U);
  EXPECT_EQ(step.outputs()[0].role, Output::Role::kLoss);
  EXPECT_EQ(FormatShape(step.op(step.outputs()[1].value).shape), "s32[8]");
  EXPECT_EQ(step.op(step.outputs()[2].variable).name, "second");
}

TEST(Finish, AccumulatesGradientsOfItsLoss) {
  Written model;
  TracedStep traced = model.t.Finished({.loss = model.loss, .training = Descent()});
  traced.training->accumulation_steps = 4;
  const Graph step = StepOf(traced, 8);
  EXPECT_EQ(Count(step, OpKind::kSoftmaxCrossEntropy), 4);
  EXPECT_EQ(Count(step, OpKind::kParameter), 2);
}

TEST(Finish, AnInputWithoutTheBatchIsTheSameForAllPartsOfIt) {
  Trace t;
  const Value mask = t.Input({4, 4}, DType::kF32, std::nullopt);
  const Value y = t.Op("tw.matmul", {t.Op("tw.matmul", {t.Input({3, 4}), mask}), t.Weight({4, 2})});
  TracedStep traced = t.Finished({.loss = y, .training = Descent()});
  traced.training->accumulation_steps = 2;
  const Graph step = StepOf(traced, 8);
  EXPECT_EQ(Count(step, OpKind::kParameter), 2);
}

TEST(Finish, RowsThatAllInputsHaveAreTheBatch) {
  Trace t;
  const Value y = t.Op("tw.matmul", {t.Input({6, 4}, DType::kF32, std::nullopt), t.Weight({4, 2})});
  EXPECT_FALSE(t.Finished({.loss = y, .training = Descent()}).graph.is_static());
  const Value two =
      t.Op("tw.matmul", {t.Op("tw.matmul", {t.Input({6, 4}, DType::kF32, std::nullopt),
                                            t.Input({4, 4}, DType::kF32, std::nullopt)}),
                         t.Weight({4, 2})});
  EXPECT_TRUE(t.Finished({.loss = two, .training = Descent()}).graph.is_static());
}

TEST(Finish, SumsALossOfSeveralNumbers) {
  Trace t;
  const Value y = t.Op("tw.matmul", {t.Input({3, 4}), t.Weight({4, 2})});
  const TracedStep traced = t.Finished({.loss = y, .training = Descent()});
  const Graph step = StepOf(traced, 5);
  EXPECT_EQ(FormatShape(step.op(step.outputs()[0].value).shape), "f32[]");
}

TEST(Finish, GivesWeightsNewValues) {
  Trace t;
  const Value x = t.Input({3, 4});
  const Value mean = t.Weight({4}, "mean", false);
  const Value batch = t.Op("tw.reduce", {x}, {{"kind", Text("mean")}, {"dims", Ints{0}}});
  const Value moved = t.Op("tw.binary", {mean, batch}, {{"kind", Text("add")}});
  const Value y = t.Op("tw.binary", {x, batch}, {{"kind", Text("subtract")}});
  const TracedStep step = t.Finished({.results = {y}, .states = {{mean, moved}}});
  ASSERT_EQ(step.graph.outputs().size(), 2U);
  EXPECT_EQ(step.graph.outputs()[1].role, Output::Role::kState);
}

}  // namespace
}  // namespace tilewise::program
