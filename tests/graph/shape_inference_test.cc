// What the shape rules accept, infer and say.

#include "graph/shape_inference.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graph/graph_builder.h"
#include "graph/text.h"

namespace tilewise {
namespace {

using testing::HasSubstr;

// Shape of the last op of a graph body, or the error.
std::string Inferred(const std::string& body) {
  const auto graph = ParseGraph("graph \"g\" {\n" + body + "\n}");
  if (!graph.ok()) return Message(graph.status());
  return FormatShape(graph->ops().back().shape);
}

constexpr char kImage[] = "x = f32[N,32,32,3] parameter()\n";

TEST(ShapeInference, ConvolutionKeepsTheBatchAndTakesTheKernelsFeatures) {
  EXPECT_EQ(Inferred(std::string(kImage) + R"(
    k = f32[3,3,3,64] variable()
    y = f32[N,16,16,64] convolution(x, k), window={size=3x3 stride=2x2 pad=0_1x0_1})"),
            "f32[N,16,16,64]");
}

TEST(ShapeInference, ConvolutionNamesTheFeaturesItExpects) {
  EXPECT_THAT(Inferred(std::string(kImage) + R"(
    k = f32[3,3,4,64] variable()
    y = f32[N,30,30,64] convolution(x, k), window={size=3x3})"),
              HasSubstr("kernel f32[3,3,4,64] takes 4 features in 1 groups, "
                        "found input f32[N,32,32,3]"));
}

TEST(ShapeInference, WindowLargerThanTheInputIsAnError) {
  EXPECT_THAT(Inferred(R"(
    x = f32[N,3,3,8] parameter()
    y = f32[N,1,1,8] reduce-window(x), window={size=7x7})"),
              HasSubstr("window 7x7 does not fit input 3x3"));
}

TEST(ShapeInference, DilationWidensTheWindow) {
  EXPECT_EQ(Inferred(R"(
    x = f32[N,9,2] parameter()
    y = f32[N,5,2] reduce-window(x), window={size=3 dilation=2})"),
            "f32[N,5,2]");
}

TEST(ShapeInference, HugeWindowNumbersAreAnErrorAndDoNotOverflow) {
  EXPECT_THAT(Inferred(R"(
    x = f32[N,9,2] parameter()
    y = f32[N,5,2] reduce-window(x), window={size=9223372036854775807 dilation=2})"),
              HasSubstr("below 2^31"));
}

TEST(ShapeInference, FlattensAllButTheBatch) {
  EXPECT_EQ(Inferred(R"(
    x = f32[N,4,4,64] parameter()
    y = f32[N,1024] reshape(x))"),
            "f32[N,1024]");
}

TEST(ShapeInference, MergesTimeIntoTheBatch) {
  EXPECT_EQ(Inferred(R"(
    x = f32[N,10,8] parameter()
    y = f32[10N,8] reshape(x))"),
            "f32[10N,8]");
}

TEST(ShapeInference, ReshapeCountsElements) {
  EXPECT_THAT(Inferred(R"(
    x = f32[N,10,8] parameter()
    y = f32[N,81] reshape(x))"),
              HasSubstr("f32[N,10,8] has not as many elements as f32[N,81]"));
}

TEST(ShapeInference, ReshapeMayNotDropTheBatch) {
  EXPECT_THAT(Inferred(R"(
    x = f32[N,8] parameter()
    y = f32[8] reshape(x))"),
              HasSubstr("has not as many elements"));
}

TEST(ShapeInference, DotPutsBatchThenFreeDims) {
  EXPECT_EQ(Inferred(R"(
    a = f32[N,6,5,8] parameter()
    b = f32[N,6,7,8] parameter()
    y = f32[N,6,5,7] dot(a, b), lhs_batch={0,1}, rhs_batch={0,1}, lhs_contract={3}, rhs_contract={3})"),
            "f32[N,6,5,7]");
}

TEST(ShapeInference, DotMayContractTheBatch) {
  EXPECT_EQ(Inferred(R"(
    a = f32[N,6] parameter()
    b = f32[N,7] parameter()
    y = f32[6,7] dot(a, b), lhs_contract={0}, rhs_contract={0})"),
            "f32[6,7]");
}

TEST(ShapeInference, BinaryOperandsMustAgree) {
  EXPECT_THAT(Inferred(R"(
    a = f32[N,12] parameter()
    b = f32[N,10] parameter()
    y = f32[N,12] add(a, b))"),
              HasSubstr("operand 1 has f32[N,10], expected f32[N,12]"));
}

TEST(ShapeInference, ConcatenationAddsUpSizes) {
  EXPECT_EQ(Inferred(R"(
    a = f32[N,12] parameter()
    b = f32[N,10] parameter()
    y = f32[N,22] concatenate(a, b), dims={1})"),
            "f32[N,22]");
  EXPECT_EQ(Inferred(R"(
    a = f32[N,12] parameter()
    y = f32[2N,12] concatenate(a, a), dims={0})"),
            "f32[2N,12]");
}

TEST(ShapeInference, TheBatchDimIsNotCut) {
  EXPECT_THAT(Inferred(R"(
    a = f32[N,12] parameter()
    y = f32[4,12] slice(a), starts={0,0}, limits={4,12}, strides={1,1})"),
              HasSubstr("found a slice of the batch dim"));
  EXPECT_EQ(Inferred(R"(
    a = f32[N,12] parameter()
    y = f32[N,3] slice(a), starts={0,1}, limits={-1,12}, strides={1,4})"),
            "f32[N,3]");
}

TEST(ShapeInference, TooManyElementsAreAnError) {
  EXPECT_THAT(Inferred("x = f32[1000000000,1000000000,1000] parameter()"),
              HasSubstr("expected at most 35184372088832 elements"));
}

TEST(ShapeInference, SizeZeroIsAnError) {
  EXPECT_THAT(Inferred("x = f32[N,0] parameter()"),
              HasSubstr("found size 0 in f32[N,0], expected 1 or more"));
}

TEST(ShapeInference, LabelsAreOneHotOrIds) {
  EXPECT_EQ(Inferred(R"(
    x = f32[N,12,5] parameter()
    l = s32[N,12] parameter()
    y = f32[N,12] softmax-cross-entropy(x, l))"),
            "f32[N,12]");
  EXPECT_THAT(Inferred(R"(
    x = f32[N,5] parameter()
    l = f32[N,4] parameter()
    y = f32[N] softmax-cross-entropy(x, l))"),
              HasSubstr("operand 1 has f32[N,4], expected f32[N,5] or s32[N]"));
}

TEST(ShapeInference, RecurrentHasOneHiddenStatePerStep) {
  EXPECT_EQ(Inferred(R"(
    z = f32[N,7,12] parameter()
    u = f32[3,12] variable()
    h = f32[N,7,3] recurrent(z, u))"),
            "f32[N,7,3]");
  EXPECT_THAT(Inferred(R"(
    z = f32[N,7,12] parameter()
    u = f32[3,9] variable()
    h = f32[N,7,3] recurrent(z, u))"),
              HasSubstr("operand 1 has f32[3,9], expected f32[3,12]"));
}

TEST(ShapeInference, OperandCountIsChecked) {
  EXPECT_THAT(Inferred(R"(
    x = f32[N,5] parameter()
    y = f32[N,5] add(x))"),
              HasSubstr("found 1 operands, expected 2"));
}

constexpr char kHeads[] =
    "q = f32[N,7,8,16] parameter()\nk = f32[N,9,2,16] parameter()\n"
    "v = f32[N,9,2,32] parameter()\n";

TEST(ShapeInference, AttentionKeepsQueriesAndTakesTheDepthOfValues) {
  EXPECT_EQ(Inferred(std::string(kHeads) + "y = f32[N,7,8,32] attention(q, k, v)"),
            "f32[N,7,8,32]");
  EXPECT_EQ(Inferred(std::string(kHeads) + "m = pred[N,1,7,9] parameter()\n"
                                           "y = f32[N,7,8,32] attention(q, k, v, m)"),
            "f32[N,7,8,32]");
}

TEST(ShapeInference, AttentionMaskStretchesToTheScores) {
  EXPECT_THAT(Inferred(std::string(kHeads) + "m = pred[N,2,7,9] parameter()\n"
                                             "y = f32[N,7,8,32] attention(q, k, v, m)"),
              HasSubstr("operand 3 has pred[N,2,7,9], expected a mask that "
                        "stretches to f32[N,8,7,9]"));
}

TEST(ShapeInference, HeadsAreAMultipleOfKeyHeads) {
  EXPECT_THAT(Inferred("q = f32[N,7,8,16] parameter()\n"
                       "k = f32[N,7,3,16] parameter()\n"
                       "y = f32[N,7,8,16] attention(q, k, k)"),
              HasSubstr("found 8 heads and 3 key heads"));
}

TEST(ShapeInference, SeveralResultsAreNumbered) {
  const std::string x = "x = f32[N,100] parameter()\n";
  EXPECT_EQ(Inferred(x + "y = f32[N,5] top-k(x), k=5"), "f32[N,5]");
  EXPECT_EQ(Inferred(x + "y = s32[N,5] top-k(x), k=5, result=1"), "s32[N,5]");
  EXPECT_THAT(Inferred(x + "y = s32[N,5] top-k(x), k=5, result=2"),
              HasSubstr("found result 2, expected 0 to 1"));
  EXPECT_THAT(Inferred(x + "y = f32[N,101] top-k(x), k=101"),
              HasSubstr("found k 101, expected 1 to 100"));
}

TEST(ShapeInference, SortedOperandsHaveTheSameDims) {
  EXPECT_THAT(Inferred("x = f32[N,5] parameter()\ny = f32[N,4] parameter()\n"
                       "z = f32[N,5] sort(x, y), dims={1}"),
              HasSubstr("operand 1 has f32[N,4], expected f32[N,5]"));
}

TEST(ShapeInference, DynamicSlicesHaveOneStartPerDim) {
  const std::string x = "x = f32[N,9,4] parameter()\ni = s32[] parameter()\n";
  EXPECT_EQ(Inferred(x + "y = f32[N,2,4] dynamic-slice(x, i), dims={1}"), "f32[N,2,4]");
  EXPECT_THAT(Inferred(x + "y = f32[N,2,4] dynamic-slice(x, i, i), dims={1}"),
              HasSubstr("found 2 starts, expected 1, one per dim"));
  EXPECT_THAT(Inferred(x + "y = f32[N,10,4] dynamic-slice(x, i), dims={1}"),
              HasSubstr("none larger"));
  EXPECT_THAT(Inferred(x + "y = f32[3,9,4] dynamic-slice(x, i), dims={0}"),
              HasSubstr("found a slice of the batch dim"));
}

TEST(ShapeInference, CollectivesShareOrJoinADim) {
  const std::string x = "x = f32[4N,6] parameter()\n";
  EXPECT_EQ(Inferred(x + "y = f32[16N,6] all-gather(x), dims={0}, "
                         "group_size=4"),
            "f32[16N,6]");
  EXPECT_EQ(Inferred(x + "y = f32[N,6] reduce-scatter(x), dims={0}, "
                         "group_size=4"),
            "f32[N,6]");
  EXPECT_EQ(Inferred(x + "y = f32[8N,3] all-to-all(x), dims={1,0}, "
                         "group_size=2"),
            "f32[8N,3]");
  EXPECT_THAT(Inferred(x + "y = f32[4N,6] reduce-scatter(x), dims={1}, "
                           "group_size=4"),
              HasSubstr("dim 1 of f32[4N,6] is shared by a group of 4"));
  EXPECT_THAT(Inferred(x + "y = f32[4N,6] all-gather(x), dims={0}"),
              HasSubstr("found group_size 0, expected 1 or more"));
}

}  // namespace
}  // namespace tilewise
