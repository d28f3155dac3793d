// The reference evaluator against values worked out by hand.

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graph/text.h"
#include "tests/reference/evaluator.h"

namespace tilewise::reference {
namespace {

using testing::ElementsAre;
using testing::Pointwise;

// The first output of a graph body.
std::vector<double> Value(const std::string& body, const Tensors& leaves) {
  const auto graph = ParseGraph("graph \"g\" {" + body + "output result y\n}");
  EXPECT_TRUE(graph.ok()) << graph.status();
  return graph.ok() ? Evaluate(*graph, leaves)[0].data : std::vector<double>();
}

auto Near(std::vector<double> expected) {
  return Pointwise(testing::DoubleNear(1e-12), std::move(expected));
}

const Tensor kSix({2, 3}, {1, 2, 3, 4, 5, 6});

TEST(Reference, MovesElements) {
  const Tensors leaves = {{"x", kSix}};
  const std::string x = "\nx = f32[2,3] parameter()\n";
  EXPECT_THAT(Value(x + "y = f32[3,2] transpose(x), dims={1,0}\n", leaves),
              ElementsAre(1, 4, 2, 5, 3, 6));
  EXPECT_THAT(Value(x + "y = f32[2,3] reverse(x), dims={1}\n", leaves),
              ElementsAre(3, 2, 1, 6, 5, 4));
  EXPECT_THAT(Value(x + "y = f32[1,2] slice(x), starts={1,0}, limits={2,3}, "
                        "strides={1,2}\n",
                    leaves),
              ElementsAre(4, 6));
  EXPECT_THAT(Value(x + "z = f32[] constant(), value=9\n"
                        "y = f32[3,5] pad(x, z), pad_low={1,0}, "
                        "pad_high={0,0}, pad_interior={0,1}\n",
                    leaves),
              ElementsAre(9, 9, 9, 9, 9, 1, 9, 2, 9, 3, 4, 9, 5, 9, 6));
  EXPECT_THAT(Value(x + "y = f32[2,6] concatenate(x, x), dims={1}\n", leaves),
              ElementsAre(1, 2, 3, 1, 2, 3, 4, 5, 6, 4, 5, 6));
  EXPECT_THAT(Value(x + "v = f32[2] reduce(x), dims={1}, reducer=max\n"
                        "y = f32[3,2] broadcast(v), dims={1}\n",
                    leaves),
              ElementsAre(3, 6, 3, 6, 3, 6));
}

TEST(Reference, MultipliesMatrices) {
  const Tensors leaves = {{"a", kSix}, {"b", kSix}};
  const std::string ab = "\na = f32[2,3] parameter()\nb = f32[2,3] parameter()\n";
  EXPECT_THAT(Value(ab + "y = f32[2,2] dot(a, b), lhs_contract={1}, rhs_contract={1}\n", leaves),
              ElementsAre(14, 32, 32, 77));
  EXPECT_THAT(Value(ab + "y = f32[2] dot(a, b), lhs_batch={0}, rhs_batch={0}, "
                         "lhs_contract={1}, rhs_contract={1}\n",
                    leaves),
              ElementsAre(14, 77));
}

TEST(Reference, ConvolvesWithStridePaddingAndDilation) {
  const Tensors leaves = {{"x", Tensor({1, 4, 1}, {1, 2, 3, 4})},
                          {"k", Tensor({2, 1, 1}, {10, 1})}};
  const std::string xk = "\nx = f32[1,4,1] parameter()\nk = f32[2,1,1] parameter()\n";
  EXPECT_THAT(Value(xk + "y = f32[1,3,1] convolution(x, k), window={size=2}\n", leaves),
              ElementsAre(12, 23, 34));
  EXPECT_THAT(Value(xk + "y = f32[1,3,1] convolution(x, k), window={size=2 "
                         "stride=2 pad=1_1}\n",
                    leaves),
              ElementsAre(1, 23, 40));
  EXPECT_THAT(Value(xk + "y = f32[1,2,1] convolution(x, k), window={size=2 "
                         "dilation=2}\n",
                    leaves),
              ElementsAre(13, 24));
}

TEST(Reference, GroupsSeeTheirOwnFeaturesOnly) {
  const Tensors leaves = {{"x", Tensor({1, 1, 4}, {1, 2, 3, 4})},
                          {"k", Tensor({1, 2, 2}, {1, 10, 1, 10})}};
  EXPECT_THAT(Value(R"(
    x = f32[1,1,4] parameter()
    k = f32[1,2,2] parameter()
    y = f32[1,1,2] convolution(x, k), window={size=1}, groups=2
)",
                    leaves),
              ElementsAre(3, 70));
}

TEST(Reference, PaddingIsNotPooled) {
  const Tensors leaves = {{"x", Tensor({1, 3, 1}, {-1, -2, -3})}};
  EXPECT_THAT(Value(R"(
    x = f32[1,3,1] parameter()
    y = f32[1,2,1] reduce-window(x), reducer=max, window={size=2 stride=2 pad=1_0}
)",
                    leaves),
              ElementsAre(-1, -2));
}

TEST(Reference, FirstLargestElementWins) {
  const Tensors leaves = {{"x", Tensor({1, 4, 1}, {1, 5, 5, 2})},
                          {"d", Tensor({1, 3, 1}, {10, 20, 30})}};
  EXPECT_THAT(Value(R"(
    x = f32[1,4,1] parameter()
    d = f32[1,3,1] parameter()
    y = f32[1,4,1] select-and-scatter(x, d), window={size=2}
)",
                    leaves),
              ElementsAre(0, 30, 30, 0));
}

TEST(Reference, GathersAndScattersRows) {
  const Tensors leaves = {{"t", Tensor({3, 2}, {1, 2, 3, 4, 5, 6})}, {"i", Tensor({3}, {2, 0, 2})}};
  const std::string both = "\nt = f32[3,2] parameter()\ni = s32[3] parameter()\n";
  EXPECT_THAT(Value(both + "y = f32[3,2] gather(t, i)\n", leaves), ElementsAre(5, 6, 1, 2, 5, 6));
  EXPECT_THAT(Value(both + "y = f32[3,2] scatter-add(i, t)\n", leaves),
              ElementsAre(3, 4, 0, 0, 6, 8));
}

TEST(Reference, GathersSlicesAndMovesThemInside) {
  const Tensors leaves = {{"t", Tensor({3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9})},
                          {"i", Tensor({2, 2}, {0, 2, 1, 0})}};
  const std::string both = "\nt = f32[3,3] parameter()\ni = s32[2,2] parameter()\n";
  // Places (0,2) and (1,0); the first slice is moved one to the left.
  EXPECT_THAT(Value(both + "y = f32[2,2] gather-slices(t, i), offset_dims={1}, "
                           "collapsed_dims={0}, start_dims={0,1}, "
                           "slice_sizes={1,2}, index_dim=1\n",
                    leaves),
              ElementsAre(2, 3, 4, 5));
  // Rows in the order of the indices' second dim, each in its own batch.
  EXPECT_THAT(Value(both + "s = f32[2,3] slice(t), starts={0,0}, limits={2,3}, "
                           "strides={1,1}\n"
                           "y = f32[2,2] gather-slices(s, i), "
                           "collapsed_dims={1}, start_dims={1}, "
                           "operand_batch={0}, indices_batch={0}, "
                           "slice_sizes={1,1}, index_dim=2\n",
                    leaves),
              ElementsAre(1, 3, 5, 4));
}

TEST(Reference, ScattersSlicesAndLeavesOutWhatIsOutside) {
  const Tensors leaves = {{"t", Tensor({4}, {1, 2, 3, 4})},
                          {"i", Tensor({3, 1}, {3, 1, 1})},
                          {"u", Tensor({3, 2}, {10, 20, 30, 40, 50, 60})}};
  const std::string all =
      "\nt = f32[4] parameter()\ni = s32[3,1] parameter()\n"
      "u = f32[3,2] parameter()\ny = f32[4] scatter-slices(t, i, u), "
      "offset_dims={1}, start_dims={0}, index_dim=1";
  EXPECT_THAT(Value(all + "\n", leaves), ElementsAre(1, 82, 103, 14));
  EXPECT_THAT(Value(all + ", assign=true\n", leaves), ElementsAre(1, 50, 60, 10));
  EXPECT_THAT(Value(all + ", reducer=max\n", leaves), ElementsAre(1, 50, 60, 10));
}

TEST(Reference, WorksOnBits) {
  const Tensors leaves = {{"x", Tensor({3}, {12, -7, 1})}, {"k", Tensor({3}, {10, 1, 40})}};
  const std::string xk = "\nx = s32[3] parameter()\nk = s32[3] parameter()\n";
  const auto binary = [&](const std::string& op) {
    return Value(xk + "y = s32[3] " + op + "(x, k)\n", leaves);
  };
  EXPECT_THAT(binary("and"), ElementsAre(8, 1, 0));
  EXPECT_THAT(binary("xor"), ElementsAre(6, -8, 41));
  EXPECT_THAT(binary("remainder"), ElementsAre(2, 0, 1));
  EXPECT_THAT(binary("shift-left"), ElementsAre(12288, -14, 0));
  EXPECT_THAT(binary("shift-right-arithmetic"), ElementsAre(0, -4, 0));
  EXPECT_THAT(binary("shift-right-logical"), ElementsAre(0, 2147483644, 0));
  EXPECT_THAT(Value(xk + "y = s32[3] popcnt(x)\n", leaves), ElementsAre(2, 30, 1));
  EXPECT_THAT(Value(xk + "y = s32[3] count-leading-zeros(x)\n", leaves), ElementsAre(28, 0, 31));
}

TEST(Reference, RandomBitsDecideWhetherAFractionRoundsUp) {
  const Tensors leaves = {{"x", Tensor({3}, {2.75, 2.75, -2.75})},
                          {"r", Tensor({3}, {0x8000'0000, 0xE000'0000, 0x8000'0000})}};
  EXPECT_THAT(Value("\nx = f32[3] parameter()\nr = u32[3] parameter()\n"
                    "y = s8[3] stochastic-convert(x, r)\n",
                    leaves),
              ElementsAre(3, 2, -3));
}

TEST(Reference, FindsTheFirstLargest) {
  const Tensors leaves = {{"x", Tensor({2, 3}, {1, 5, 5, 4, 2, 0})}};
  const std::string x = "\nx = f32[2,3] parameter()\n";
  EXPECT_THAT(Value(x + "y = s32[2] arg-reduce(x), dims={1}, reducer=max\n", leaves),
              ElementsAre(1, 0));
  EXPECT_THAT(Value(x + "y = s32[3] arg-reduce(x), dims={0}, reducer=min\n", leaves),
              ElementsAre(0, 1, 1));
}

TEST(Reference, ZerosStandBetweenElementsOfABaseDilation) {
  const Tensors leaves = {{"x", Tensor({1, 3, 1}, {1, 2, 3})}, {"k", Tensor({2, 1, 1}, {10, 1})}};
  EXPECT_THAT(Value(R"(
    x = f32[1,3,1] parameter()
    k = f32[2,1,1] parameter()
    y = f32[1,4,1] convolution(x, k), window={size=2 base_dilation=2}
)",
                    leaves),
              ElementsAre(10, 2, 20, 3));
  EXPECT_THAT(Value(R"(
    x = f32[1,3,1] parameter()
    y = f32[1,2,1] reduce-window(x), window={size=2 pad=-1_-1 base_dilation=2}
)",
                    leaves),
              ElementsAre(2, 2));
}

TEST(Reference, NegativePaddingCutsOff) {
  EXPECT_THAT(Value(R"(
    x = f32[4] parameter()
    z = f32[] constant(), value=9
    y = f32[3] pad(x, z), pad_low={-2}, pad_high={1}, pad_interior={0}
)",
                    {{"x", Tensor({4}, {1, 2, 3, 4})}}),
              ElementsAre(3, 4, 9));
}

TEST(Reference, NormalisesByBiasedVariance) {
  const Tensors leaves = {{"x", Tensor({2, 2}, {1, 10, 3, 30})},
                          {"s", Tensor({2}, {2, 1})},
                          {"o", Tensor({2}, {5, 0})}};
  const std::string xso =
      "\nx = f32[2,2] parameter()\ns = f32[2] parameter()\n"
      "o = f32[2] parameter()\n";
  EXPECT_THAT(Value(xso + "y = f32[2,2] batch-norm-training(x, s, o), dims={1}\n", leaves),
              Near({3, -1, 7, 1}));
  EXPECT_THAT(Value(xso + "y = f32[2,2] layer-norm(x, s, o), dims={1}\n", leaves),
              Near({3, 1, 3, 1}));
}

TEST(Reference, CrossEntropyTakesRowsOrIds) {
  const double log2 = std::log(2.0);
  const std::string x = "\nx = f32[2,2] parameter()\n";
  const Tensor zeros({2, 2}, {0, 0, 0, 0});
  EXPECT_THAT(Value(x + "l = s32[2] parameter()\n"
                        "y = f32[2] softmax-cross-entropy(x, l)\n",
                    {{"x", zeros}, {"l", Tensor({2}, {0, 1})}}),
              Near({log2, log2}));
  EXPECT_THAT(Value(x + "l = f32[2,2] parameter()\n"
                        "y = f32[2] softmax-cross-entropy(x, l)\n",
                    {{"x", zeros}, {"l", Tensor({2, 2}, {1, 0, 1, 1})}}),
              Near({log2, 2 * log2}));
}

TEST(Reference, RecurrentStateCarriesOver) {
  const Tensors leaves = {{"z", Tensor({1, 2, 1}, {0.5, 0.25})}, {"u", Tensor({1, 1}, 2)}};
  const std::string zu = "\nz = f32[1,2,1] parameter()\nu = f32[1,1] parameter()\n";
  const double first = std::tanh(0.5);
  EXPECT_THAT(Value(zu + "y = f32[1,2,1] recurrent(z, u), cell=simple_rnn\n", leaves),
              Near({first, std::tanh(0.25 + 2 * first)}));
  const double last = std::tanh(0.25);
  EXPECT_THAT(Value(zu + "y = f32[1,2,1] recurrent(z, u), cell=simple_rnn, "
                         "reverse_time=true\n",
                    leaves),
              Near({std::tanh(0.5 + 2 * last), last}));
}

TEST(Reference, LstmAndGruFollowTheirEquations) {
  const auto logistic = [](double x) { return 1 / (1 + std::exp(-x)); };
  const double c = logistic(0.1) * std::tanh(0.3);
  EXPECT_THAT(Value("\nz = f32[1,1,4] parameter()\nu = f32[1,4] parameter()\n"
                    "y = f32[1,1,1] recurrent(z, u)\n",
                    {{"z", Tensor({1, 1, 4}, {0.1, 0.2, 0.3, 0.4})}, {"u", Tensor({1, 4}, 1)}}),
              Near({logistic(0.4) * std::tanh(c)}));
  const double h1 = (1 - logistic(0.1)) * std::tanh(0.3);
  const double update = logistic(0.4 + h1);
  const double g = std::tanh(0.6 + logistic(0.5 + h1) * h1);
  EXPECT_THAT(
      Value("\nz = f32[1,2,3] parameter()\nu = f32[1,3] parameter()\n"
            "y = f32[1,2,1] recurrent(z, u), cell=gru\n",
            {{"z", Tensor({1, 2, 3}, {0.1, 0.2, 0.3, 0.4, 0.5, 0.6})}, {"u", Tensor({1, 3}, 1)}}),
      Near({h1, update * h1 + (1 - update) * g}));
}

}  // namespace
}  // namespace tilewise::reference
