// The training step: what it consists of, and optimizer updates against their
// formulas.

#include <cmath>

#include <gmock/gmock.h>

#include "tests/lowering/step_graphs.h"

namespace tilewise {
namespace {

using reference::Tensor;

constexpr char kDense[] =
    "x = f32[2,3] parameter()\nw = f32[3,4] variable()\n"
    "y = f32[2,4] dot(x, w), lhs_contract={1}, rhs_contract={0}\n";

Graph Dense(const std::string& rest) { return ParsedGraph(kDense + rest); }

const Op* Find(const Graph& graph, const std::string& name) {
  for (const Op& op : graph.ops()) {
    if (op.name == name) return &op;
  }
  return nullptr;
}

TEST(ExpandTraining, StartsFromTheLogitsOfASoftmax) {
  const Graph step = Expanded(Dense("s = f32[2,4] softmax(y), dims={1}\noutput result s"),
                              SpecOf(LossKind::kSoftmaxCrossEntropy));
  for (const Op& op : step.ops()) {
    if (op.kind != OpKind::kSoftmaxCrossEntropy) continue;
    EXPECT_EQ(step.operand(op, 0).name, "y");
    EXPECT_EQ(step.operand(op, 1).name, "labels");
  }
  EXPECT_EQ(CountKind(step, OpKind::kSoftmaxCrossEntropy), 1);
}

// As jax.nn.softmax is lowered.
constexpr char kWrittenOut[] =
    "i = f32[] constant(), value=-1e38\nm0 = f32[2] reduce(y), dims={1}, reducer=max\n"
    "i2 = f32[2] broadcast(i)\nm = f32[2] maximum(i2, m0)\nm1 = f32[2,1] reshape(m)\n"
    "m2 = f32[2] reshape(m1)\nm3 = f32[2,4] broadcast(m2), dims={0}\n"
    "d = f32[2,4] subtract(y, m3)\ne = f32[2,4] exponential(d)\n"
    "t = f32[2] reduce(e), dims={1}\nt1 = f32[2,4] broadcast(t), dims={0}\n"
    "s = f32[2,4] divide(e, t1)\noutput result s";

TEST(ExpandTraining, KnowsASoftmaxThatIsWrittenOut) {
  const Graph step = Expanded(Dense(kWrittenOut), SpecOf(LossKind::kSoftmaxCrossEntropy));
  ASSERT_EQ(CountKind(step, OpKind::kSoftmaxCrossEntropy), 1);
  const Graph squared = Expanded(Dense(kWrittenOut), SpecOf(LossKind::kMeanSquaredError));
  EXPECT_EQ(CountKind(squared, OpKind::kSoftmax), 1);
}

TEST(ExpandTraining, TakesNoOtherQuotientForASoftmax) {
  std::string other = kWrittenOut;
  other.replace(other.find("dims={1}\nt1"), 8, "dims={0}");
  other.replace(other.find("t = f32[2]"), 10, "t = f32[4]");
  other.replace(other.find("broadcast(t), dims={0}"), 22, "broadcast(t), dims={1}");
  const Graph step = Expanded(Dense(other), SpecOf(LossKind::kMeanSquaredError));
  EXPECT_EQ(CountKind(step, OpKind::kSoftmax), 0);
}

TEST(ExpandTraining, TakesClassIdsWhenLabelsAreSparse) {
  TrainingSpec spec = SpecOf(LossKind::kSoftmaxCrossEntropy);
  spec.sparse_labels = true;
  const Graph step = Expanded(Dense("output result y"), spec);
  ASSERT_NE(Find(step, "labels"), nullptr);
  EXPECT_EQ(FormatShape(Find(step, "labels")->shape), "s32[2]");
}

TEST(ExpandTraining, ComputesTheLossOfNarrowFloatsInF32) {
  const Graph step = Expanded(ParsedGraph("w = bf16[2,4] variable()\n"
                                          "y = bf16[2,4] softmax(w), dims={1}\noutput result y"),
                              SpecOf(LossKind::kSoftmaxCrossEntropy));
  EXPECT_EQ(FormatShape(step.op(step.outputs()[0].value).shape), "f32[]");
  EXPECT_EQ(FormatShape(Find(step, "labels")->shape), "f32[2,4]");
  EXPECT_EQ(FormatShape(step.op(step.outputs()[1].value).shape), "bf16[2,4]");
}

TEST(ExpandTraining, SumsTheLossesOfSeveralResults) {
  const Graph step = Expanded(Dense("z = f32[2,4] tanh(y)\noutput result y\noutput result z"),
                              SpecOf(LossKind::kMeanSquaredError));
  EXPECT_NE(Find(step, "labels"), nullptr);
  EXPECT_NE(Find(step, "labels_1"), nullptr);
  EXPECT_EQ(step.outputs()[0].role, Output::Role::kLoss);
}

TEST(ExpandTraining, ComputesNoGradientOfTheModelInput) {
  const Graph step = Expanded(Dense("output result y"), SpecOf(LossKind::kMeanSquaredError));
  EXPECT_EQ(CountKind(step, OpKind::kDot), 2);  // forward, weights
}

TEST(ExpandTraining, LeavesVariablesThatAreNotTrainedAlone) {
  const Graph step = Expanded(ParsedGraph("w = f32[2,3] variable()\n"
                                          "m = f32[2,3] variable(), trainable=false\n"
                                          "y = f32[2,3] add(w, m)\noutput result y"),
                              SpecOf(LossKind::kMeanSquaredError));
  ASSERT_EQ(step.outputs().size(), 2u);
  EXPECT_EQ(step.op(step.outputs()[1].variable).name, "w");
}

TEST(ExpandTraining, GivesEachOpThePhaseAndOriginItWasMadeFor) {
  const Graph forward = Dense("output result y");
  const Graph step = Expanded(forward, SpecOf(LossKind::kMeanSquaredError, OptimizerKind::kAdam));
  for (const Op& op : step.ops()) {
    if (op.id < forward.size()) {
      EXPECT_EQ(op.phase, Phase::kForward) << op.name;
    } else if (op.phase == Phase::kUpdate) {
      EXPECT_EQ(op.origin, Find(forward, "w")->id) << op.name;
    } else {
      EXPECT_NE(op.phase, Phase::kForward) << op.name;
      EXPECT_EQ(op.origin, Find(forward, "y")->id) << op.name;
    }
  }
}

TEST(ExpandTraining, CostsAnUnknownLayerByAnOpaqueGradient) {
  const Graph step =
      Expanded(ParsedGraph("w = f32[2,3] variable()\n"
                           "y = f32[2,3] opaque(w), label=\"Lambda\"\noutput result y"),
               SpecOf(LossKind::kMeanSquaredError));
  const Op& last = step.op(step.outputs()[1].value);
  EXPECT_EQ(last.phase, Phase::kUpdate);
  int64_t found = 0;
  for (const Op& op : step.ops()) {
    if (op.kind != OpKind::kOpaque) continue;
    found += op.as<OpaqueAttrs>().label == "Lambda gradient" ? 1 : 0;
  }
  EXPECT_EQ(found, 1);
}

TEST(ExpandTraining, NamesTheOpThatHasNoGradient) {
  const Graph forward = ParsedGraph(
      "w = f32[1,4,2] variable()\n"
      "pool = f32[1,3,2] reduce-window(w), window={size=2}, "
      "reducer=product\noutput result pool");
  const auto step = ExpandTraining(forward, SpecOf(LossKind::kMeanSquaredError));
  EXPECT_EQ(step.status().code(), absl::StatusCode::kUnimplemented);
  EXPECT_EQ(Message(step.status()),
            "pool: found reduce-window on the path to a trainable variable, "
            "expected an op with a gradient");
}

// The parts are the only real functions of a complex number that have a gradient.
TEST(ExpandTraining, NamesTheOpThatLeavesTheRealNumbers) {
  const Graph forward = ParsedGraph(
      "w = f32[4] variable()\nz = c64[4] complex(w, w)\ny = f32[4] abs(z)\n"
      "output result y");
  const auto step = ExpandTraining(forward, SpecOf(LossKind::kMeanSquaredError));
  EXPECT_EQ(step.status().code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(Message(step.status()), testing::HasSubstr("found abs on the path"));
}

// Positions are rotated so: (a + ib)(c + id), of which ad + bc is read. With u = dL/dy the
// gradients of a and b are u d and u c.
TEST(ExpandTraining, GoesThroughProductsOfComplexNumbers) {
  const Graph step = Expanded(ParsedGraph("w = f32[4] variable()\nc = f32[4] parameter()\n"
                                          "d = f32[4] parameter()\nz = c64[4] complex(w, w)\n"
                                          "turn = c64[4] complex(c, d)\n"
                                          "turned = c64[4] multiply(z, turn)\n"
                                          "y = f32[4] imag(turned)\noutput result y"),
                              SpecOf(LossKind::kMeanSquaredError));
  // Backward: complex(0, -u), times the turn, and both its parts, of which one is negated.
  EXPECT_EQ(CountKind(step, OpKind::kComplex), 3);
  EXPECT_EQ(CountKind(step, OpKind::kReal), 1);
  EXPECT_EQ(CountKind(step, OpKind::kImag), 2);
  EXPECT_EQ(FormatShape(step.op(step.outputs()[1].value).shape), "f32[4]");
}

TEST(ExpandTraining, RefusesAModelWithoutAFloatingPointResult) {
  const Graph forward = ParsedGraph("x = s32[2] parameter()\noutput result x");
  EXPECT_FALSE(ExpandTraining(forward, SpecOf(LossKind::kMeanSquaredError)).ok());
}

// One step of each optimizer on y = w: the gradient of the mean squared error
// is 2 (w - labels) / 4.
struct Step {
  std::vector<double> w, g, labels;
  reference::Tensors leaves;
  std::map<std::string, Tensor> next;
};

Step RunStep(OptimizerKind kind) {
  TrainingSpec spec = SpecOf(LossKind::kMeanSquaredError, kind);
  spec.learning_rate = 0.5;
  const Graph graph = Expanded(ParsedGraph("w = f32[4] variable()\noutput result w"), spec);
  Step step;
  step.leaves = reference::RandomLeaves(graph, 3);
  const auto out = reference::Evaluate(graph, step.leaves);
  EXPECT_EQ(static_cast<int>(out.size()), 2 + OptimizerSlots(kind));
  for (size_t i = 1; i < out.size(); ++i) {
    step.next[graph.op(graph.outputs()[i].variable).name] = out[i];
  }
  step.w = step.leaves.at("w").data;
  step.labels = step.leaves.at("labels").data;
  for (size_t i = 0; i < 4; ++i) {
    step.g.push_back((step.w[i] - step.labels[i]) / 2);
  }
  return step;
}

// The types of the optimizer's slots, by the last part of their names.
std::map<std::string, DType> SlotTypes(const TrainingSpec& spec, std::string_view weight) {
  const Graph graph = Expanded(
      ParsedGraph(std::string("w = ") + std::string(weight) + "[4] variable()\noutput result w"),
      spec);
  std::map<std::string, DType> types;
  for (const Op& op : graph.ops()) {
    if (op.kind != OpKind::kVariable || op.name.find('/') == std::string::npos) continue;
    types[op.name.substr(op.name.rfind('/') + 1)] = op.shape.dtype;
  }
  return types;
}

TEST(OptimizerSlots, HaveTheTypeOfTheWeights) {
  const TrainingSpec spec = SpecOf(LossKind::kMeanSquaredError, OptimizerKind::kAdamW);
  EXPECT_EQ(SlotTypes(spec, "f32"),
            (std::map<std::string, DType>{{"m", DType::kF32}, {"v", DType::kF32}}));
  EXPECT_EQ(SlotTypes(spec, "bf16"),
            (std::map<std::string, DType>{{"m", DType::kBF16}, {"v", DType::kBF16}}));
}

TEST(OptimizerSlots, FirstMomentsMayHaveATypeOfTheirOwn) {
  TrainingSpec spec = SpecOf(LossKind::kMeanSquaredError, OptimizerKind::kAdamW);
  spec.momentum_type = DType::kBF16;
  EXPECT_EQ(SlotTypes(spec, "f32"),
            (std::map<std::string, DType>{{"m", DType::kBF16}, {"v", DType::kF32}}));
}

double Norm(const std::vector<double>& x) {
  double sum = 0;
  for (const double v : x) sum += v * v;
  return std::sqrt(sum);
}

template <typename Formula>
void ExpectNext(const Step& step, const std::string& name, Formula formula) {
  ASSERT_TRUE(step.next.contains(name)) << name;
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(step.next.at(name).data[i], formula(i), 1e-9) << name;
  }
}

TEST(OptimizerUpdate, Sgd) {
  const Step s = RunStep(OptimizerKind::kSgd);
  ExpectNext(s, "w", [&](size_t i) { return s.w[i] - 0.5 * s.g[i]; });
}

TEST(OptimizerUpdate, Momentum) {
  const Step s = RunStep(OptimizerKind::kMomentum);
  const auto& old = s.leaves.at("w/momentum").data;
  const auto next = [&](size_t i) { return 0.9 * old[i] + 0.5 * s.g[i]; };
  ExpectNext(s, "w/momentum", next);
  ExpectNext(s, "w", [&](size_t i) { return s.w[i] - next(i); });
}

TEST(OptimizerUpdate, RmsProp) {
  for (const bool momentum : {false, true}) {
    const Step s = RunStep(momentum ? OptimizerKind::kRmsPropMomentum : OptimizerKind::kRmsProp);
    const auto& rms = s.leaves.at("w/rms").data;
    const auto step = [&](size_t i) {
      const double square = 0.9 * rms[i] + 0.1 * s.g[i] * s.g[i];
      const double scaled = 0.5 * s.g[i] / std::sqrt(square + 1e-7);
      if (!momentum) return scaled;
      return 0.9 * s.leaves.at("w/momentum").data[i] + scaled;
    };
    ExpectNext(s, "w", [&](size_t i) { return s.w[i] - step(i); });
  }
}

// mean / (sqrt(mean square) + epsilon).
std::vector<double> AdamDirection(const Step& s, double epsilon) {
  std::vector<double> direction;
  for (size_t i = 0; i < 4; ++i) {
    const double m = 0.9 * s.leaves.at("w/m").data[i] + 0.1 * s.g[i];
    const double v = 0.999 * s.leaves.at("w/v").data[i] + 0.001 * s.g[i] * s.g[i];
    direction.push_back(m / (std::sqrt(v) + epsilon));
  }
  return direction;
}

TEST(OptimizerUpdate, Adam) {
  const Step s = RunStep(OptimizerKind::kAdam);
  const auto d = AdamDirection(s, 1e-7);
  ExpectNext(s, "w", [&](size_t i) { return s.w[i] - 0.5 * d[i]; });
}

TEST(OptimizerUpdate, AdamW) {
  const Step s = RunStep(OptimizerKind::kAdamW);
  const auto d = AdamDirection(s, 1e-7);
  ExpectNext(s, "w", [&](size_t i) { return s.w[i] - 0.5 * (d[i] + 0.004 * s.w[i]); });
}

TEST(OptimizerUpdate, Lars) {
  const Step s = RunStep(OptimizerKind::kLars);
  const double trust = 1e-3 * Norm(s.w) / (Norm(s.g) + 1e-4 * Norm(s.w) + 1e-7);
  const auto next = [&](size_t i) {
    return 0.9 * s.leaves.at("w/momentum").data[i] + 0.5 * trust * (s.g[i] + 1e-4 * s.w[i]);
  };
  ExpectNext(s, "w", [&](size_t i) { return s.w[i] - next(i); });
}

TEST(OptimizerUpdate, Lamb) {
  const Step s = RunStep(OptimizerKind::kLamb);
  auto d = AdamDirection(s, 1e-6);
  for (size_t i = 0; i < 4; ++i) d[i] += 0.01 * s.w[i];
  const double trust = Norm(s.w) / Norm(d);
  ExpectNext(s, "w", [&](size_t i) { return s.w[i] - 0.5 * trust * d[i]; });
}

TEST(OptimizerUpdate, Lion) {
  const Step s = RunStep(OptimizerKind::kLion);
  const auto& m = s.leaves.at("w/m").data;
  ExpectNext(s, "w", [&](size_t i) {
    const double direction = 0.9 * m[i] + 0.1 * s.g[i];
    return s.w[i] - 0.5 * (direction > 0 ? 1 : direction < 0 ? -1 : 0);
  });
  ExpectNext(s, "w/m", [&](size_t i) { return 0.99 * m[i] + 0.01 * s.g[i]; });
}

TEST(OptimizerUpdate, Adagrad) {
  const Step s = RunStep(OptimizerKind::kAdagrad);
  const auto& sum = s.leaves.at("w/accumulator").data;
  ExpectNext(s, "w", [&](size_t i) {
    return s.w[i] - 0.5 * s.g[i] / std::sqrt(sum[i] + s.g[i] * s.g[i] + 1e-7);
  });
}

TEST(OptimizerUpdate, Adadelta) {
  const Step s = RunStep(OptimizerKind::kAdadelta);
  const auto& squares = s.leaves.at("w/accumulated_grads").data;
  const auto& updates = s.leaves.at("w/accumulated_updates").data;
  const auto step = [&](size_t i) {
    const double square = 0.95 * squares[i] + 0.05 * s.g[i] * s.g[i];
    return s.g[i] * std::sqrt(updates[i] + 1e-7) / std::sqrt(square + 1e-7);
  };
  ExpectNext(s, "w", [&](size_t i) { return s.w[i] - 0.5 * step(i); });
  ExpectNext(s, "w/accumulated_updates",
             [&](size_t i) { return 0.95 * updates[i] + 0.05 * step(i) * step(i); });
}

TEST(OptimizerUpdate, Adamax) {
  const Step s = RunStep(OptimizerKind::kAdamax);
  const auto& m = s.leaves.at("w/m").data;
  const auto& u = s.leaves.at("w/u").data;
  ExpectNext(s, "w", [&](size_t i) {
    const double largest = std::max(0.999 * u[i], std::abs(s.g[i]));
    return s.w[i] - 0.5 * (0.9 * m[i] + 0.1 * s.g[i]) / (largest + 1e-7);
  });
}

double RootMeanSquare(const std::vector<double>& x) {
  return Norm(x) / std::sqrt(static_cast<double>(x.size()));
}

// Scaled gradients are clipped to a root mean square of 1, and the step is
// relative to that of the variable.
std::vector<double> AdafactorStep(const Step& s, std::vector<double> scaled) {
  const double clip = std::max(1.0, RootMeanSquare(scaled));
  const double scale = std::max(1e-3, RootMeanSquare(s.w));
  for (double& x : scaled) x *= 0.5 * scale / clip;
  return scaled;
}

TEST(OptimizerUpdate, AdafactorOfAVector) {
  for (const bool momentum : {false, true}) {
    const Step s =
        RunStep(momentum ? OptimizerKind::kAdafactorMomentum : OptimizerKind::kAdafactor);
    std::vector<double> scaled;
    for (size_t i = 0; i < 4; ++i) {
      const double v = 0.999 * s.leaves.at("w/v").data[i] + 0.001 * s.g[i] * s.g[i];
      scaled.push_back(s.g[i] / std::sqrt(v));
    }
    auto step = AdafactorStep(s, scaled);
    if (momentum) {
      const auto& old = s.leaves.at("w/momentum").data;
      for (size_t i = 0; i < 4; ++i) step[i] += 0.9 * old[i];
    }
    ExpectNext(s, "w", [&](size_t i) { return s.w[i] - step[i]; });
  }
}

// The mean squared gradient of a matrix is rows x columns / mean(rows).
TEST(OptimizerUpdate, AdafactorKeepsMeansOfRowsAndColumnsOfAMatrix) {
  TrainingSpec spec = SpecOf(LossKind::kMeanSquaredError, OptimizerKind::kAdafactor);
  spec.learning_rate = 0.5;
  const Graph graph = Expanded(ParsedGraph("w = f32[2,3] variable()\noutput result w"), spec);
  Step s;
  s.leaves = reference::RandomLeaves(graph, 3);
  const auto out = reference::Evaluate(graph, s.leaves);
  s.w = s.leaves.at("w").data;
  for (size_t i = 0; i < 6; ++i) {
    s.g.push_back((s.w[i] - s.leaves.at("labels").data[i]) / 3);
  }
  std::vector<double> rows, columns, scaled;
  for (size_t r = 0; r < 2; ++r) {
    double sum = 0;
    for (size_t c = 0; c < 3; ++c) sum += s.g[3 * r + c] * s.g[3 * r + c];
    rows.push_back(0.999 * s.leaves.at("w/rows").data[r] + 0.001 * sum / 3);
  }
  for (size_t c = 0; c < 3; ++c) {
    const double sum = s.g[c] * s.g[c] + s.g[3 + c] * s.g[3 + c];
    columns.push_back(0.999 * s.leaves.at("w/columns").data[c] + 0.001 * sum / 2);
  }
  const double mean = (rows[0] + rows[1]) / 2;
  for (size_t i = 0; i < 6; ++i) {
    scaled.push_back(s.g[i] / std::sqrt(rows[i / 3] * columns[i % 3] / mean));
  }
  const auto step = AdafactorStep(s, scaled);
  ASSERT_EQ(out.size(), 4u);  // loss, w, rows, columns
  for (size_t i = 1; i < out.size(); ++i) {
    if (graph.op(graph.outputs()[i].variable).name != "w") continue;
    for (size_t j = 0; j < 6; ++j) {
      EXPECT_NEAR(out[i].data[j], s.w[j] - step[j], 1e-9);
    }
  }
}

TEST(Optimizers, AreFoundByName) {
  EXPECT_EQ(ParseOptimizer("Adam"), OptimizerKind::kAdam);
  EXPECT_EQ(ParseOptimizer("nonsense"), std::nullopt);
  EXPECT_EQ(OptimizerName(OptimizerKind::kLars), "lars");
}

}  // namespace
}  // namespace tilewise
