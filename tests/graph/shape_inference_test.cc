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

}  // namespace
}  // namespace tilewise
