// Recurrent layers as loops: one step of each cell against its equations, and
// what a loop of them costs against the kernel of a plain cell.

#include "library/recurrent_steps.h"

#include <cmath>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "library/recurrent.h"
#include "tests/reference/evaluator.h"

namespace tilewise {
namespace {

using Numbers = std::vector<double>;
using testing::DoubleNear;
using testing::Pointwise;

double Sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

// One unit, and as many sequences as `batch` says, of which each operand has
// the numbers given.
class OneStep {
 public:
  explicit OneStep(int64_t batch) : batch_(batch) {}

  OpId Operand(const std::vector<int64_t>& dims, const Numbers& numbers, DType type = DType::kF32) {
    const std::string name = "x" + std::to_string(leaves_.size());
    reference::Tensor tensor;
    tensor.sizes = dims;
    tensor.data = numbers;
    leaves_[name] = tensor;
    return builder_.Parameter(Shape::Of(type, dims), name);
  }
  OpId Lengths(const Numbers& numbers) { return Operand({batch_}, numbers, DType::kS32); }
  // States, then the hidden state, then that of the cell.
  Numbers Run(const RecurrentSteps& steps) {
    const RecurrentResults made = RecurrentLoop(builder_, steps, {}, 1);
    for (const OpId id : {made.states, made.hidden, made.cell}) {
      if (id != kNoOp) builder_.AddOutput(id, Output::Role::kResult);
    }
    const absl::StatusOr<Graph> graph = builder_.Build();
    if (!graph.ok()) {
      ADD_FAILURE() << Message(graph.status());
      return {};
    }
    Numbers all;
    for (const auto& one : reference::Evaluate(*graph, leaves_)) {
      all.insert(all.end(), one.data.begin(), one.data.end());
    }
    return all;
  }

 private:
  int64_t batch_;
  GraphBuilder builder_{"test"};
  reference::Tensors leaves_;
};

void ExpectNear(const Numbers& found, const Numbers& expected) {
  EXPECT_THAT(found, Pointwise(DoubleNear(1e-9), expected));
}

TEST(RecurrentLoop, AnLstmSeesItsCellThroughPeepholes) {
  OneStep test(1);
  RecurrentSteps steps;
  steps.gates = test.Operand({1, 1, 4}, {0.1, 0.2, 0.3, 0.4});
  steps.hidden = test.Operand({1, 4}, {0.5, 0.6, 0.7, 0.8});
  steps.peepholes = test.Operand({3}, {0.9, 1.1, 1.2});
  steps.h0 = test.Operand({1, 1}, {2});
  steps.c0 = test.Operand({1, 1}, {3});
  const double input = Sigmoid(0.1 + 2 * 0.5 + 0.9 * 3);
  const double forget = Sigmoid(0.3 + 2 * 0.7 + 1.2 * 3);
  const double cell = forget * 3 + input * std::tanh(0.4 + 2 * 0.8);
  const double output = Sigmoid(0.2 + 2 * 0.6 + 1.1 * cell);
  const double hidden = output * std::tanh(cell);
  ExpectNear(test.Run(steps), {hidden, hidden, cell});
}

TEST(RecurrentLoop, AGruResetsBeforeOrAfterTheProduct) {
  for (const bool after : {false, true}) {
    OneStep test(1);
    RecurrentSteps steps;
    steps.cell = CellKind::kGru;
    steps.gates = test.Operand({1, 1, 6}, {0.1, 0.1, 0.2, 0.2, 0.3, 0.3});
    steps.hidden = test.Operand({2, 6}, {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.2});
    steps.h0 = test.Operand({1, 2}, {2, -1});
    steps.reset_after = after;
    const double u0 = Sigmoid(0.1 + 2 * 0.1 - 0.7);
    const double u1 = Sigmoid(0.1 + 2 * 0.2 - 0.8);
    const double r0 = Sigmoid(0.2 + 2 * 0.3 - 0.9);
    const double r1 = Sigmoid(0.2 + 2 * 0.4 - 1);
    const double n0 = after ? r0 * (2 * 0.5 - 1.1) : r0 * 2 * 0.5 - r1 * 1.1;
    const double n1 = after ? r1 * (2 * 0.6 - 1.2) : r0 * 2 * 0.6 - r1 * 1.2;
    const double h0 = (1 - u0) * std::tanh(0.3 + n0) + u0 * 2;
    const double h1 = (1 - u1) * std::tanh(0.3 + n1) - u1;
    ExpectNear(test.Run(steps), {h0, h1, h0, h1});
  }
}

TEST(RecurrentLoop, SequencesThatHaveEndedKeepTheirState) {
  OneStep test(2);
  RecurrentSteps steps;
  steps.cell = CellKind::kSimpleRnn;
  steps.gates = test.Operand({1, 2, 1}, {0.5, 0.5});
  steps.hidden = test.Operand({1, 1}, {2});
  steps.h0 = test.Operand({2, 1}, {0.25, 0.25});
  steps.lengths = test.Lengths({0, 1});
  ExpectNear(test.Run(steps), {0, std::tanh(1), 0.25, std::tanh(1)});
}

TEST(RecurrentLoop, TakesAsManyIterationsAsThereAreStepsOfAnyBatch) {
  GraphBuilder b("test");
  RecurrentSteps steps;
  steps.gates = b.Parameter({DType::kF32, {{7, false}, BatchDim(), {12, false}}}, "gates");
  steps.hidden = b.Variable(Shape::Of(DType::kF32, {3, 12}), "hidden", true);
  steps.backwards = true;
  const EnclosingLoop outer = {4, 10};
  b.SetLoop(outer);
  const RecurrentResults made = RecurrentLoop(b, steps, outer, 5);
  ASSERT_TRUE(b.ok()) << b.status();
  EXPECT_EQ(FormatShape(b.shape(made.states)), "f32[7,N,3]");
  EXPECT_EQ(FormatShape(b.shape(made.hidden)), "f32[N,3]");
  EXPECT_EQ(b.op(made.hidden).loop, (EnclosingLoop{5, 70}));
}

TEST(RecurrentLoop, RefusesStepsThatAreTheBatch) {
  GraphBuilder b("test");
  RecurrentSteps steps;
  steps.gates = b.Parameter({DType::kF32, {BatchDim(), {2, false}, {12, false}}}, "gates");
  steps.hidden = b.Variable(Shape::Of(DType::kF32, {3, 12}), "hidden", true);
  RecurrentLoop(b, steps, {}, 1);
  EXPECT_THAT(Message(b.status()), testing::HasSubstr("expected [time, batch, gates] of a known "
                                                      "number of steps"));
}

}  // namespace
}  // namespace tilewise
