// What simplification removes, what it must leave, and that values stay.

#include <ostream>

#include "graph/graph_builder.h"
#include "tests/lowering/step_graphs.h"
#include "tests/reference/random_graph.h"

namespace tilewise {
namespace {

// `body` simplified; its values are compared too.
Graph Simplified(const std::string& body) {
  const Graph before = ParsedGraph(body + "\noutput result y");
  Graph after = After(RunSimplify, before);
  ExpectSameValues(before, after, 2);
  return after;
}

std::string Kinds(const Graph& graph) {
  std::string kinds;
  for (const Op& op : graph.ops()) {
    kinds += kinds.empty() ? "" : " ";
    kinds += OpName(op.kind);
  }
  return kinds;
}

struct Case {
  const char* name;
  const char* body;
  const char* kinds;  // what is left
};

std::string CaseName(const testing::TestParamInfo<Case>& info) { return info.param.name; }

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

class Simplification : public testing::TestWithParam<Case> {};

TEST_P(Simplification, LeavesWhatIsNeeded) {
  EXPECT_EQ(Kinds(Simplified(GetParam().body)), GetParam().kinds);
}

#define X "x = f32[2,3] parameter()\n"
#define CONSTANT(value) "c = f32[2,3] constant(), value=" value "\n"

INSTANTIATE_TEST_SUITE_P(
    Simplify, Simplification,
    testing::Values(
        Case{"FoldsConstants",
             "a = f32[2] constant(), value=2\nb = f32[2] exponential(a)\n"
             "y = f32[2] add(a, b)",
             "constant"},
        Case{"FoldsSumsOfConstants",
             "a = f32[2,4] constant(), value=3\ny = f32[2] reduce(a), "
             "dims={1}",
             "constant"},
        Case{"BroadcastOfAConstant", "c = f32[] constant(), value=3\ny = f32[2,3] broadcast(c)",
             "constant"},
        Case{"LeavesResultsThatAreNotFinite", "a = f32[2] constant(), value=0\ny = f32[2] log(a)",
             "constant log"},
        Case{"TimesOne", X CONSTANT("1") "y = f32[2,3] multiply(c, x)", "parameter"},
        Case{"PlusZero", X CONSTANT("0") "y = f32[2,3] add(x, c)", "parameter"},
        Case{"DividedByConstant", X CONSTANT("4") "y = f32[2,3] divide(x, c)",
             "parameter constant multiply"},
        Case{"Square", X CONSTANT("2") "y = f32[2,3] power(x, c)", "parameter multiply"},
        Case{"Cube", X CONSTANT("3") "y = f32[2,3] power(x, c)", "parameter multiply multiply"},
        Case{"DotThatContractsNothing",
             "x = f32[2,3,4] parameter()\nscale = f32[4] parameter()\n"
             "d = f32[4,2,3] dot(x, scale), lhs_batch={2}, rhs_batch={0}\n"
             "y = f32[2,3,4] transpose(d), dims={1,2,0}",
             "parameter parameter broadcast multiply"},
        Case{"TimesACondition",
             X CONSTANT("1") "p = pred[2,3] compare(x, c), comparison=gt\n"
                             "a = f32[2,3] convert(p)\ny = f32[2,3] multiply(a, x)",
             "parameter constant compare constant select"},
        Case{"RoundedByBitsToAWiderType",
             "x = bf16[2] parameter()\nr = u16[2] parameter()\n"
             "y = f32[2] stochastic-convert(x, r)",
             "parameter parameter convert"},
        Case{"RoundedByBitsToANarrowerType",
             "x = f32[2] parameter()\nr = u32[2] parameter()\n"
             "y = bf16[2] stochastic-convert(x, r)",
             "parameter parameter stochastic-convert"},
        Case{"NegatedTwice", X "a = f32[2,3] negate(x)\ny = f32[2,3] negate(a)", "parameter"},
        Case{"NewDimsOfSizeOneComeLast",
             X "a = f32[2,3,1] reshape(x)\ny = f32[2,3,1] exponential(a)",
             "parameter exponential reshape"},
        Case{"PlusNegated",
             X "a = f32[2,3] negate(x)\nb = f32[2,3] exponential(x)\n"
               "y = f32[2,3] add(b, a)",
             "parameter exponential subtract"},
        Case{"ConstantFactorsMeet",
             X CONSTANT("2") "a = f32[2,3] multiply(x, c)\n"
                             "d = f32[2,3] constant(), value=3\n"
                             "y = f32[2,3] multiply(a, d)",
             "parameter constant multiply"},
        Case{"SelectByConstant",
             X "p = pred[2,3] constant(), value=1\n"
               "a = f32[2,3] exponential(x)\ny = f32[2,3] select(p, x, a)",
             "parameter"},
        Case{"WidenedAndBack",
             "x = bf16[2] parameter()\na = f32[2] convert(x)\n"
             "y = bf16[2] convert(a)",
             "parameter"},
        Case{"PlacesInS64AndBack",
             "x = s32[2] parameter()\na = s64[2] convert(x)\n"
             "y = s32[2] convert(a)",
             "parameter"},
        Case{"NarrowedAndBackStays",
             "x = f32[2] parameter()\na = bf16[2] convert(x)\n"
             "y = f32[2] convert(a)",
             "parameter convert convert"},
        Case{"ReshapeOfReshape", X "a = f32[6] reshape(x)\ny = f32[3,2] reshape(a)",
             "parameter reshape"},
        Case{"ReshapeThereAndBack", X "a = f32[6] reshape(x)\ny = f32[2,3] reshape(a)",
             "parameter"},
        Case{"BitsThereAndBack",
             X "a = s32[2,3] bitcast-convert(x)\ny = f32[2,3] bitcast-convert(a)", "parameter"},
        Case{"TransposeThereAndBack",
             X "a = f32[3,2] transpose(x), dims={1,0}\n"
               "y = f32[2,3] transpose(a), dims={1,0}",
             "parameter"},
        Case{"SliceOfEverything",
             X "y = f32[2,3] slice(x), starts={0,0}, limits={2,3}, "
               "strides={1,1}",
             "parameter"},
        Case{"PadOfNothing",
             X "c = f32[] constant()\n"
               "y = f32[2,3] pad(x, c), pad_low={0,0}, pad_high={0,0}, "
               "pad_interior={0,0}",
             "parameter"},
        Case{"ConcatenateOfOne", X "y = f32[2,3] concatenate(x), dims={0}", "parameter"},
        Case{"EqualOps",
             X "a = f32[2,3] tanh(x)\nb = f32[2,3] tanh(x)\n"
               "y = f32[2,3] multiply(a, b)",
             "parameter tanh multiply"},
        Case{"RandomNumbersStayApart",
             "a = f32[4] rng-uniform()\nb = f32[4] rng-uniform()\n"
             "y = f32[4] subtract(a, b)",
             "rng-uniform rng-uniform subtract"},
        Case{"DeadOps", X "a = f32[2,3] tanh(x)\ny = f32[2,3] abs(x)", "parameter abs"},
        Case{"TransposesMeetBelow",
             X "z = f32[2,3] parameter()\n"
               "a = f32[3,2] transpose(x), dims={1,0}\n"
               "b = f32[3,2] transpose(z), dims={1,0}\n"
               "y = f32[3,2] add(a, b)",
             "parameter parameter add transpose"},
        Case{"TransposeMeetsItsOpposite",
             X "a = f32[3,2] transpose(x), dims={1,0}\n"
               "c = f32[3,2] constant(), value=2\n"
               "b = f32[3,2] maximum(a, c)\nd = f32[3,2] tanh(b)\n"
               "y = f32[2,3] transpose(d), dims={1,0}",
             "parameter constant maximum tanh"},
        Case{"LoneTransposeStays",
             X "a = f32[3,2] transpose(x), dims={1,0}\n"
               "y = f32[3,2] tanh(a)",
             "parameter transpose tanh"},
        Case{"OpThatIsMadeInTheOtherOrder",
             X "z = f32[2] parameter()\nw = f32[2,3] parameter()\n"
               "b = f32[2,3] broadcast(z), dims={0}\nc = f32[2,3] subtract(x, b)\n"
               "d = f32[2,3] multiply(c, w)\n"
               "a = f32[3,2] transpose(x), dims={1,0}\n"
               "e = f32[3,2] broadcast(z), dims={1}\nf = f32[3,2] subtract(a, e)\n"
               "g = f32[2] reduce(f), dims={0}\nh = f32[2,3] broadcast(g), dims={0}\n"
               "y = f32[2,3] add(d, h)",
             "parameter parameter parameter broadcast subtract multiply reduce broadcast add"},
        Case{"TransposedBroadcast",
             "x = f32[2,3] parameter()\na = f32[2,5,3] broadcast(x), dims={0,2}\n"
             "b = f32[5,2,3] transpose(a), dims={1,0,2}\ny = f32[5,2,3] tanh(b)",
             "parameter tanh broadcast"},
        Case{"BroadcastAfterTheArithmetic",
             "x = f32[3] parameter()\na = f32[4,3] broadcast(x), dims={1}\n"
             "y = f32[4,3] exponential(a)",
             "parameter exponential broadcast"},
        Case{"DotTakesTransposedOperands",
             X "w = f32[4,3] parameter()\n"
               "a = f32[3,4] transpose(w), dims={1,0}\n"
               "y = f32[2,4] dot(x, a), lhs_contract={1}, rhs_contract={0}",
             "parameter parameter dot"},
        Case{"RowsMergedForADot",
             "x = f32[2,3,4] parameter()\nw = f32[4,5] parameter()\n"
             "a = f32[6,4] reshape(x)\n"
             "d = f32[6,5] dot(a, w), lhs_contract={1}, rhs_contract={0}\n"
             "y = f32[2,3,5] reshape(d)",
             "parameter parameter dot"},
        Case{"MergedRowsThatAreSummed",
             "x = f32[2,3,4] parameter()\nz = f32[2,3,5] parameter()\n"
             "a = f32[6,4] reshape(x)\nb = f32[6,5] reshape(z)\n"
             "y = f32[4,5] dot(a, b), lhs_contract={0}, rhs_contract={0}",
             "parameter parameter dot"},
        Case{"MergedRowsBesideAnotherReshape",
             "x = f32[2,3,4] parameter()\nz = f32[30] parameter()\n"
             "a = f32[6,4] reshape(x)\nb = f32[6,5] reshape(z)\n"
             "y = f32[4,5] dot(a, b), lhs_contract={0}, rhs_contract={0}",
             "parameter parameter reshape dot"},
        Case{"MergedRowsThatStay",
             "x = f32[2,3,4] parameter()\nw = f32[4,5] parameter()\n"
             "a = f32[6,4] reshape(x)\n"
             "y = f32[6,5] dot(a, w), lhs_contract={1}, rhs_contract={0}",
             "parameter parameter reshape dot"},
        Case{"SumTakesTransposedOperand",
             "x = f32[2,3,4] parameter()\n"
             "a = f32[4,2,3] transpose(x), dims={2,0,1}\n"
             "y = f32[2] reduce(a), dims={0,2}",
             "parameter reduce"},
        Case{"MergedRowsWithADimOfSizeOne",
             "x = f32[2,3,4] parameter()\nz = f32[2,1,3,5] parameter()\n"
             "a = f32[6,4] reshape(x)\nb = f32[6,5] reshape(z)\n"
             "y = f32[4,5] dot(a, b), lhs_contract={0}, rhs_contract={0}",
             "parameter parameter reshape dot"},
        Case{"MergedRowsBesideMergedFeatures",
             "x = f32[2,3,4] parameter()\nz = f32[2,3,5,7] parameter()\n"
             "a = f32[6,4] reshape(x)\nb = f32[6,35] reshape(z)\n"
             "y = f32[4,35] dot(a, b), lhs_contract={0}, rhs_contract={0}",
             "parameter parameter reshape dot"},
        Case{"DimsOfSizeOneThatBroadcastsNeedNotHave",
             "x = f32[3] parameter()\nz = f32[2] parameter()\n"
             "a = f32[2,1,3] broadcast(x), dims={2}\nb = f32[2,1,3] broadcast(z), dims={0}\n"
             "d = f32[2,1,3] multiply(a, b)\ny = f32[2,3] reshape(d)",
             "parameter parameter broadcast broadcast multiply"},
        Case{"DimsOfSizeOneBesideABroadcast",
             "x = f32[3] parameter()\nz = f32[2,3] parameter()\n"
             "a = f32[2,1,3] broadcast(x), dims={2}\nb = f32[2,1,3] reshape(z)\n"
             "d = f32[2,1,3] multiply(a, b)\ny = f32[2,3] reshape(d)",
             "parameter parameter broadcast multiply"},
        Case{"SumTakesNoDimsOfSizeOne",
             "x = f32[2,3] parameter()\na = f32[2,1,3] reshape(x)\n"
             "d = f32[1,3] reduce(a), dims={0}\ny = f32[3] reshape(d)",
             "parameter reduce"},
        Case{"ConvolutionAlongOneDim",
             "x = f32[2,5,3] parameter()\nk = f32[3,3,4] parameter()\n"
             "a = f32[2,1,5,3] reshape(x)\nb = f32[1,3,3,4] reshape(k)\n"
             "d = f32[2,1,3,4] convolution(a, b), window={size=1x3}\ny = f32[2,3,4] reshape(d)",
             "parameter parameter convolution"},
        Case{"ConvolutionOfTransposedImages",
             "x = f32[2,4,5,3] parameter()\nk = f32[1,1,3,6] parameter()\n"
             "b = f32[6] parameter()\n"
             "a = f32[2,3,4,5] transpose(x), dims={0,3,1,2}\n"
             "d = f32[2,6,4,5] convolution(a, k), window={size=1x1}, channels_first=true\n"
             "e = f32[2,6,4,5] broadcast(b), dims={1}\nf = f32[2,6,4,5] add(d, e)\n"
             "y = f32[2,4,5,6] transpose(f), dims={0,2,3,1}",
             "parameter parameter parameter convolution broadcast add"},
        Case{"PoolOfTransposedImages",
             "x = f32[2,4,6,3] parameter()\na = f32[2,3,4,6] transpose(x), dims={0,3,1,2}\n"
             "d = f32[2,3,2,3] reduce-window(a), window={size=2x2 stride=2x2}, "
             "channels_first=true, reducer=max\n"
             "y = f32[2,2,3,3] transpose(d), dims={0,2,3,1}",
             "parameter reduce-window"},
        Case{"PoolAlongOneDim",
             "x = f32[2,6,3] parameter()\na = f32[2,1,6,3] reshape(x)\n"
             "d = f32[2,1,3,3] reduce-window(a), window={size=1x2 stride=1x2}, reducer=max\n"
             "y = f32[2,3,3] reshape(d)",
             "parameter reduce-window"}),
    CaseName);

// The update sees gradients that are summed over the cores, the backward pass
// does not: what looks equal is not.
TEST(SimplifyPhases, DoNotShareOpsWithTheUpdate) {
  const Graph graph = Simplified(
      "x = f32[2] parameter()\n"
      "a = f32[2] multiply(x, x), phase=backward\n"
      "b = f32[2] multiply(x, x), phase=update\n"
      "y = f32[2] add(a, b), phase=update");
  EXPECT_EQ(CountKind(graph, OpKind::kMultiply), 2);
}

class SimplifiedGraph : public testing::TestWithParam<int> {};

TEST_P(SimplifiedGraph, KeepTheirOutputs) {
  const auto seed = static_cast<uint32_t>(GetParam());
  const Graph graph = reference::RandomGraph(seed, 12, seed % 2 == 1).Bind(2);
  const Graph primitive = After(RunDecompose, graph);
  const Graph simple = After(RunSimplify, primitive);
  EXPECT_LE(simple.size(), primitive.size());
  ExpectSameValues(graph, simple, seed);
}

TEST_P(SimplifiedGraph, KeepTheirTrainingStep) {
  const auto seed = static_cast<uint32_t>(GetParam());
  const Graph forward = reference::RandomClassifier(seed, 6, 3, seed % 2 == 1).Bind(2);
  const Graph step =
      Expanded(forward, SpecOf(LossKind::kSoftmaxCrossEntropy, OptimizerKind::kLamb));
  const Graph simple = After(RunSimplify, After(RunDecompose, step));
  ExpectSameValues(step, simple, seed);
  EXPECT_EQ(PrintGraph(After(RunSimplify, simple)), PrintGraph(simple));
}

INSTANTIATE_TEST_SUITE_P(Seeds, SimplifiedGraph, testing::Range(0, 60));

}  // namespace
}  // namespace tilewise
