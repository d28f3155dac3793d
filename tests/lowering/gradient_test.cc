// Gradients against central differences: one named case for each gradient
// function, then whole random networks.

#include <algorithm>
#include <ostream>

#include "graph/graph_builder.h"
#include "tests/lowering/step_graphs.h"
#include "tests/reference/random_graph.h"

namespace tilewise {
namespace {

using reference::Tensor;
using reference::Tensors;

struct Checked {
  int64_t elements = 0;
  int64_t kinks = 0;  // where differences at two distances disagree
};

// The ops up to the loss, so that a difference costs no gradients.
Graph LossOnly(const Graph& step) {
  GraphBuilder builder("loss");
  const OpId loss = step.outputs()[0].value;
  for (OpId id = 0; id <= loss; ++id) {
    builder.Clone(step.op(id), step.op(id).operands);
  }
  builder.AddOutput(loss, Output::Role::kLoss);
  return *builder.Build();
}

// With a learning rate of 1 plain descent subtracts the gradient itself.
Checked CheckStep(const Graph& step, uint32_t seed) {
  const Tensors leaves = reference::RandomLeaves(step, seed);
  const std::vector<Tensor> out = reference::Evaluate(step, leaves);
  const Graph loss = LossOnly(step);
  Checked checked;
  for (size_t i = 1; i < out.size(); ++i) {
    const std::string& name = step.op(step.outputs()[i].variable).name;
    const auto slope = [&](size_t k, double distance) {
      Tensors moved = leaves;
      moved[name].data[k] += distance;
      const double above = reference::Evaluate(loss, moved)[0].data[0];
      moved[name].data[k] -= 2 * distance;
      const double below = reference::Evaluate(loss, moved)[0].data[0];
      return (above - below) / (2 * distance);
    };
    for (size_t k = 0; k < out[i].data.size(); ++k) {
      const double gradient = leaves.at(name).data[k] - out[i].data[k];
      const double wanted = slope(k, 1e-5);
      const double tolerance = 1e-6 * (1 + std::abs(wanted));
      ++checked.elements;
      if (std::abs(wanted - slope(k, 2e-6)) > tolerance) {
        ++checked.kinks;
        continue;
      }
      EXPECT_NEAR(gradient, wanted, 2 * tolerance) << name << " element " << k << " seed " << seed;
    }
  }
  return checked;
}

Graph StepOf(const Graph& forward, LossKind loss) {
  TrainingSpec spec = SpecOf(loss);
  spec.learning_rate = 1;
  return Expanded(forward, spec);
}

struct Case {
  const char* name;
  const char* body;  // defines y; every variable must get a gradient
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

class GradientCase : public testing::TestWithParam<Case> {};

TEST_P(GradientCase, MatchesDifferences) {
  const Graph forward = ParsedGraph(std::string(GetParam().body) + "\noutput result y");
  const Graph step = StepOf(forward, LossKind::kMeanSquaredError);
  EXPECT_EQ(static_cast<int64_t>(step.outputs().size()), 1 + CountKind(forward, OpKind::kVariable));
  const Checked checked = CheckStep(step, 7);
  EXPECT_LE(checked.kinks * 4, checked.elements);
}

std::string CaseName(const testing::TestParamInfo<Case>& info) { return info.param.name; }

// v > 0.5 everywhere, for functions that need it.
#define POSITIVE                                                  \
  "w = f32[2,3] variable()\nc = f32[2,3] constant(), value=1.5\n" \
  "v = f32[2,3] add(w, c)\n"
#define UNARY(name, op) \
  Case { name, "w = f32[2,3] variable()\ny = f32[2,3] " op "(w)" }
#define BINARY(name, op) \
  Case { name, POSITIVE "u = f32[2,3] variable()\ny = f32[2,3] " op "(v, u)" }

INSTANTIATE_TEST_SUITE_P(
    Elementwise, GradientCase,
    testing::Values(UNARY("Negate", "negate"), UNARY("Abs", "abs"), UNARY("Exp", "exponential"),
                    UNARY("Tanh", "tanh"), UNARY("Logistic", "logistic"), UNARY("Erf", "erf"),
                    UNARY("Sine", "sine"), UNARY("Cosine", "cosine"), UNARY("Copy", "copy"),
                    UNARY("AllReduce", "all-reduce"), UNARY("ExpMinusOne", "exponential-minus-one"),
                    UNARY("Tan", "tan"), Case{"Cbrt", POSITIVE "y = f32[2,3] cbrt(v)"},
                    Case{"LogPlusOne", POSITIVE "y = f32[2,3] log-plus-one(v)"},
                    BINARY("Atan2", "atan2"), BINARY("Remainder", "remainder"),
                    Case{"RoundingIsFlat",
                         "w = f32[2,3] variable()\nc = f32[2,3] ceil(w)\n"
                         "f = f32[2,3] floor(c)\ne = f32[2,3] round-nearest-even(f)\n"
                         "a = f32[2,3] round-nearest-afz(e)\ny = f32[2,3] add(a, w)"},
                    Case{"Log", POSITIVE "y = f32[2,3] log(v)"},
                    Case{"Sqrt", POSITIVE "y = f32[2,3] sqrt(v)"},
                    Case{"Rsqrt", POSITIVE "y = f32[2,3] rsqrt(v)"}, BINARY("Add", "add"),
                    BINARY("Subtract", "subtract"), BINARY("Multiply", "multiply"),
                    BINARY("Power", "power"), BINARY("Maximum", "maximum"),
                    BINARY("Minimum", "minimum"),
                    Case{"Divide", POSITIVE "u = f32[2,3] variable()\ny = f32[2,3] divide(u, v)"},
                    Case{"Convert", "w = bf16[2,3] variable()\ny = f32[2,3] convert(w)"},
                    Case{"StochasticConvert",
                         "w = f32[2,3] variable()\nr = u32[2,3] parameter()\n"
                         "y = bf16[2,3] stochastic-convert(w, r)"},
                    Case{"Select",
                         "p = pred[2,3] parameter()\nw = f32[2,3] variable()\n"
                         "u = f32[2,3] variable()\ny = f32[2,3] select(p, w, u)"},
                    Case{"SameValueTwice", "w = f32[2,3] variable()\ny = f32[2,3] multiply(w, w)"}),
    CaseName);

INSTANTIATE_TEST_SUITE_P(
    Movement, GradientCase,
    testing::Values(Case{"Broadcast",
                         "w = f32[3] variable()\ny = f32[2,3,2] broadcast(w), dims={1}"},
                    Case{"Reshape", "w = f32[2,3] variable()\ny = f32[3,2] reshape(w)"},
                    Case{"Transpose",
                         "w = f32[2,3,4] variable()\n"
                         "y = f32[4,2,3] transpose(w), dims={2,0,1}"},
                    Case{"Reverse", "w = f32[2,3] variable()\ny = f32[2,3] reverse(w), dims={1}"},
                    Case{"Slice",
                         "w = f32[4,7] variable()\n"
                         "y = f32[2,3] slice(w), starts={1,0}, limits={3,6}, "
                         "strides={1,2}"},
                    Case{"PadThatCutsOff",
                         "w = f32[3,4] variable()\nv = f32[] variable()\n"
                         "y = f32[3,3] pad(w, v), pad_low={-1,1}, pad_high={1,-2}, "
                         "pad_interior={0,0}"},
                    Case{"Pad",
                         "w = f32[2,3] variable()\nv = f32[] variable()\n"
                         "y = f32[3,7] pad(w, v), pad_low={1,0}, pad_high={0,2}, "
                         "pad_interior={0,1}"},
                    Case{"Concatenate",
                         "w = f32[2,3] variable()\nu = f32[2,1] variable()\n"
                         "y = f32[2,4] concatenate(w, u), dims={1}"}),
    CaseName);

INSTANTIATE_TEST_SUITE_P(
    Reduction, GradientCase,
    testing::Values(Case{"Sum", "w = f32[2,3,4] variable()\ny = f32[3] reduce(w), dims={0,2}"},
                    Case{"Max",
                         "w = f32[2,3,4] variable()\n"
                         "y = f32[2,4] reduce(w), dims={1}, reducer=max"},
                    Case{"Min",
                         "w = f32[2,3] variable()\n"
                         "y = f32[2] reduce(w), dims={1}, reducer=min"},
                    Case{"Product", POSITIVE "y = f32[2] reduce(v), dims={1}, reducer=product"},
                    Case{"WindowMax",
                         "w = f32[1,5,4,2] variable()\n"
                         "y = f32[1,3,2,2] reduce-window(w), "
                         "window={size=3x2 stride=2x2 pad=1_1x0_0}, reducer=max"},
                    Case{"WindowMin",
                         "w = f32[1,5,2] variable()\n"
                         "y = f32[1,2,2] reduce-window(w), window={size=2 stride=3}, "
                         "reducer=min"},
                    Case{"WindowSum",
                         "w = f32[1,5,4,2] variable()\n"
                         "y = f32[1,3,2,2] reduce-window(w), "
                         "window={size=3x2 stride=2x2 pad=1_1x0_0}"},
                    Case{"WindowSumSkipsElements",
                         "w = f32[1,7,2] variable()\n"
                         "y = f32[1,2,2] reduce-window(w), window={size=2 stride=4}"},
                    Case{"WindowSumDilated",
                         "w = f32[1,2,7] variable()\n"
                         "y = f32[1,2,5] reduce-window(w), "
                         "window={size=2 pad=1_0 dilation=3}, channels_first=true"},
                    Case{"WindowSumBetweenElements",
                         "w = f32[1,4,2] variable()\n"
                         "y = f32[1,3,2] reduce-window(w), "
                         "window={size=3 stride=2 pad=-1_1 base_dilation=2}"},
                    Case{"ConvolutionBetweenElements",
                         "w = f32[1,4,2] variable()\nk = f32[3,2,3] variable()\n"
                         "y = f32[1,3,3] convolution(w, k), "
                         "window={size=3 stride=2 pad=-1_1 base_dilation=2}"},
                    Case{"WindowSumOfPaddingOnly",
                         "w = f32[1,3,1] variable()\n"
                         "y = f32[1,6,1] reduce-window(w), window={size=2 pad=3_1}"}),
    CaseName);

INSTANTIATE_TEST_SUITE_P(
    Matrix, GradientCase,
    testing::Values(Case{"MatrixProduct",
                         "w = f32[2,3] variable()\nu = f32[3,4] variable()\n"
                         "y = f32[2,4] dot(w, u), lhs_contract={1}, rhs_contract={0}"},
                    Case{"BatchedDot",
                         "w = f32[3,2,4] variable()\nu = f32[4,5,3] variable()\n"
                         "y = f32[3,2,5] dot(w, u), lhs_batch={0}, rhs_batch={2}, "
                         "lhs_contract={2}, rhs_contract={0}"},
                    Case{"DotOfTwoDimsCrossed",
                         "w = f32[2,3,4] variable()\nu = f32[3,5,2] variable()\n"
                         "y = f32[4,5] dot(w, u), lhs_contract={0,1}, "
                         "rhs_contract={2,0}"},
                    Case{"Convolution",
                         "w = f32[2,5,4,2] variable()\nu = f32[3,2,2,3] variable()\n"
                         "y = f32[2,3,3,3] convolution(w, u), "
                         "window={size=3x2 stride=2x1 pad=1_1x0_0}"},
                    Case{"GroupedConvolution",
                         "w = f32[1,4,4,3] variable()\nu = f32[3,3,1,6] variable()\n"
                         "y = f32[1,2,2,6] convolution(w, u), window={size=3x3}, "
                         "groups=3"},
                    Case{"TransposedConvolution",
                         "w = f32[1,2,2] variable()\nu = f32[3,1,2] variable()\n"
                         "y = f32[1,5,1] conv-input-grad(w, u), "
                         "window={size=3 stride=2}"},
                    Case{"ConvKernelGrad",
                         "w = f32[1,5,1] variable()\nu = f32[1,2,2] variable()\n"
                         "y = f32[3,1,2] conv-kernel-grad(w, u), "
                         "window={size=3 stride=2}"}),
    CaseName);

INSTANTIATE_TEST_SUITE_P(
    Indexed, GradientCase,
    testing::Values(Case{"Gather",
                         "w = f32[4,3] variable()\ni = s32[2,2] parameter()\n"
                         "y = f32[2,2,3] gather(w, i)"},
                    Case{"Permutation",
                         "w = f32[5,3] variable()\nk = f32[5] parameter()\n"
                         "n = s32[5] iota(), dims={0}\n"
                         "i = s32[5] sort(k, n), dims={0}, result=1\n"
                         "y = f32[5,3] gather(w, i), assign=true"},
                    Case{"ScatterAdd",
                         "w = f32[3,2] variable()\ni = s32[3] parameter()\n"
                         "y = f32[2,2] scatter-add(i, w)"},
                    Case{"GatherSlices",
                         "w = f32[4,3,2] variable()\ni = s32[2,5] parameter()\n"
                         "y = f32[2,5,2] gather-slices(w, i), "
                         "offset_dims={0,2}, collapsed_dims={1}, "
                         "start_dims={0,1}, slice_sizes={2,1,2}"},
                    Case{"GatherSlicesInBatches",
                         "w = f32[3,4,2] variable()\ni = s32[3,5] parameter()\n"
                         "y = f32[3,5,2] gather-slices(w, i), "
                         "offset_dims={2}, collapsed_dims={1}, start_dims={1}, "
                         "operand_batch={0}, indices_batch={0}, "
                         "slice_sizes={1,1,2}, index_dim=2"},
                    Case{"ScatterSlices",
                         "w = f32[4,3] variable()\ni = s32[2,1] parameter()\n"
                         "u = f32[2,2,3] variable()\n"
                         "y = f32[4,3] scatter-slices(w, i, u), "
                         "offset_dims={1,2}, start_dims={0}, index_dim=1"},
                    Case{"ScatterSlicesThatReplace",
                         "w = f32[4,3] variable()\ni = s32[1] constant(), "
                         "value=1\nu = f32[2,3] variable()\n"
                         "y = f32[4,3] scatter-slices(w, i, u), "
                         "offset_dims={0,1}, start_dims={0}, assign=true"}),
    CaseName);

#define ATTENTION(name, heads, groups, mask, attributes)                                     \
  Case {                                                                                     \
    name, "q = f32[2,3," heads ",2] variable()\nk = f32[2,4," groups                         \
          ",2] variable()\nv = f32[2,4," groups ",3] variable()\n" mask "y = f32[2,3," heads \
          ",3] attention(q, k, v" attributes                                                 \
  }
#define PRED_MASK "m = pred[1,1,3,4] parameter()\n"

INSTANTIATE_TEST_SUITE_P(
    Attention, GradientCase,
    testing::Values(
        ATTENTION("Plain", "2", "2", "", "), scale=0.5"),
        ATTENTION("Causal", "2", "2", "", "), scale=0.5, causal=true"),
        ATTENTION("SlidingWindow", "2", "2", "", "), scale=0.5, causal=true, sliding_window=2"),
        ATTENTION("GroupedQueries", "4", "2", "", "), scale=0.5"),
        ATTENTION("SharedKeys", "3", "1", PRED_MASK, ", m), causal=true"),
        ATTENTION("TrainedMask", "2", "2", "m = f32[1,2,3,4] variable()\n", ", m), scale=0.5"),
        ATTENTION("TrainedMaskOfGroups", "4", "2", "m = f32[2,4,1,4] variable()\n", ", m)"),
        ATTENTION("TrainedMaskOfAllHeads", "4", "2", "m = f32[1,1,3,1] variable()\n", ", m)"),
        ATTENTION("Flash", "2", "2", "", "), scale=0.5, flash=true"),
        ATTENTION("FlashCausalMasked", "2", "2", PRED_MASK, ", m), flash=true, causal=true"),
        ATTENTION("FlashSlidingWindow", "2", "2", "",
                  "), flash=true, causal=true, sliding_window=1"),
        ATTENTION("FlashGroupedQueries", "4", "2", "", "), scale=0.5, flash=true")),
    CaseName);

INSTANTIATE_TEST_SUITE_P(
    Order, GradientCase,
    testing::Values(
        Case{"RunningSum",
             "w = f32[2,3,4] variable()\n"
             "y = f32[2,3,4] cumulative(w), dims={1}"},
        Case{"RunningSumFromTheEnd",
             "w = f32[2,5] variable()\n"
             "y = f32[2,5] cumulative(w), dims={1}, reverse=true"},
        Case{"RunningProduct", POSITIVE "y = f32[2,3] cumulative(v), dims={1}, reducer=product"},
        Case{"SortedKeys",
             "w = f32[3,5] variable()\n"
             "y = f32[3,5] sort(w), dims={1}, descending=true"},
        Case{"SortedAlongAMajorDim", "w = f32[5,2,3] variable()\ny = f32[5,2,3] sort(w), dims={0}"},
        Case{"ValuesInTheOrderOfKeys",
             "k = f32[3,5] parameter()\nw = f32[3,5] variable()\n"
             "y = f32[3,5] sort(k, w), dims={1}, result=1"},
        Case{"TopK", "w = f32[3,6] variable()\ny = f32[3,2] top-k(w), k=2"},
        Case{"DynamicSlice",
             "w = f32[4,6] variable()\ni = s32[] parameter()\n"
             "y = f32[4,2] dynamic-slice(w, i), dims={1}"},
        Case{"DynamicUpdateSlice",
             "w = f32[4,6] variable()\nu = f32[1,6] variable()\n"
             "i = s32[] parameter()\n"
             "y = f32[4,6] dynamic-update-slice(w, u, i), dims={0}"},
        Case{"Barrier",
             "w = f32[2,3] variable()\nx = f32[2] parameter()\n"
             "y = f32[2,3] optimization-barrier(w, x)"}),
    CaseName);

#define RECURRENT(name, gates, width, attributes)                          \
  Case {                                                                   \
    name, "z = f32[2,3," width "] variable()\nu = f32[2," width            \
          "] variable()\ny = f32[2,3,2] recurrent(z, u), cell=" attributes \
  }

INSTANTIATE_TEST_SUITE_P(
    Recurrent, GradientCase,
    testing::Values(RECURRENT("Simple", 1, "2", "simple_rnn"), RECURRENT("Lstm", 4, "8", "lstm"),
                    RECURRENT("Gru", 3, "6", "gru"),
                    RECURRENT("SimpleReversed", 1, "2", "simple_rnn, reverse_time=true"),
                    RECURRENT("LstmReversed", 4, "8", "lstm, reverse_time=true"),
                    RECURRENT("GruReversed", 3, "6", "gru, reverse_time=true"),
                    Case{"OneStep",
                         "z = f32[2,1,6] variable()\nu = f32[2,6] variable()\n"
                         "y = f32[2,1,2] recurrent(z, u), cell=gru"}),
    CaseName);

INSTANTIATE_TEST_SUITE_P(
    Composite, GradientCase,
    testing::Values(UNARY("GeluExact", "gelu"),
                    Case{"GeluTanh",
                         "w = f32[2,3] variable()\n"
                         "y = f32[2,3] gelu(w), approximate=true"},
                    Case{"Softmax", "w = f32[2,4] variable()\ny = f32[2,4] softmax(w), dims={1}"},
                    Case{"SoftmaxOverFirstDim",
                         "w = f32[2,4] variable()\ny = f32[2,4] softmax(w), dims={0}"},
                    Case{"CrossEntropyOfIds",
                         "w = f32[3,4] variable()\nl = s32[3] parameter()\n"
                         "y = f32[3] softmax-cross-entropy(w, l)"},
                    Case{"CrossEntropyOfRows",
                         "w = f32[3,4] variable()\nl = f32[3,4] parameter()\n"
                         "y = f32[3] softmax-cross-entropy(w, l)"},
                    Case{"BatchNormTraining",
                         "w = f32[2,2,2,3] variable()\ns = f32[3] variable()\n"
                         "o = f32[3] variable()\n"
                         "y = f32[2,2,2,3] batch-norm-training(w, s, o), dims={3}, "
                         "epsilon=0.01"},
                    Case{"BatchNormInference",
                         "w = f32[2,3,2] variable()\ns = f32[3] variable()\n"
                         "o = f32[3] variable()\nm = f32[3] variable()\n"
                         "v = f32[3] variable()\n"
                         "y = f32[2,3,2] batch-norm-inference(w, s, o, m, v), dims={1}, "
                         "epsilon=0.01"},
                    Case{"LayerNorm",
                         "w = f32[2,2,3] variable()\ns = f32[3] variable()\n"
                         "o = f32[3] variable()\n"
                         "y = f32[2,2,3] layer-norm(w, s, o), dims={2}, epsilon=0.01"},
                    Case{"LayerNormOverTwoDims",
                         "w = f32[2,2,3] variable()\ns = f32[2,3] variable()\n"
                         "o = f32[2,3] variable()\n"
                         "y = f32[2,2,3] layer-norm(w, s, o), dims={1,2}, "
                         "epsilon=0.01"}),
    CaseName);

TEST(GradientOfFlatFunctions, IsAbsent) {
  for (const char* op : {"sign", "floor"}) {
    const Graph step = StepOf(ParsedGraph(std::string("w = f32[2,3] variable()\ny = f32[2,3] ") +
                                          op + "(w)\noutput result y"),
                              LossKind::kMeanSquaredError);
    EXPECT_EQ(step.outputs().size(), 1u) << op;
  }
}

class RandomNetwork : public testing::TestWithParam<int> {};

TEST_P(RandomNetwork, GradientsMatchDifferences) {
  const auto seed = static_cast<uint32_t>(GetParam());
  const LossKind loss =
      seed % 2 == 0 ? LossKind::kSoftmaxCrossEntropy : LossKind::kBinaryCrossEntropy;
  const Graph forward = reference::RandomClassifier(seed, 5, 3, seed % 2 == 1).Bind(2);
  const Checked checked = CheckStep(StepOf(forward, loss), seed);
  EXPECT_LE(checked.kinks * 4, checked.elements);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomNetwork, testing::Range(0, 30));

}  // namespace
}  // namespace tilewise
