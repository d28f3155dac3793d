// Products that are quantised as they run, and at which rate products of narrow
// types run.

#include "graph/graph_builder.h"
#include "sim/lowering/kernels/matmul.h"
#include "tests/lowering/step_graphs.h"

namespace tilewise {
namespace {

Graph ProductOf(const std::string& attributes, const std::string& result) {
  return ParsedGraph("x = f32[2,4,8] parameter()\nw = f32[8,6] variable()\n" + result +
                     " dot(x, w), lhs_contract={2}, rhs_contract={0}" + attributes +
                     "\noutput result y");
}

const Op* FindDot(const Graph& graph) {
  for (const Op& op : graph.ops()) {
    if (op.kind == OpKind::kDot) return &op;
  }
  return nullptr;
}

TEST(Quantize, LeavesOtherProductsAlone) {
  const Graph before = ProductOf("", "y = f32[2,4,6]");
  EXPECT_EQ(PrintGraph(After(RunQuantize, before)), PrintGraph(before));
}

TEST(Quantize, RoundsBothOperandsByScalesOfTheContractedDim) {
  const Graph after = After(RunQuantize, ProductOf(", quantized=s8", "y = f32[2,4,6]"));
  const Op* dot = FindDot(after);
  ASSERT_NE(dot, nullptr);
  EXPECT_EQ(FormatShape(dot->shape), "s32[2,4,6]");
  EXPECT_EQ(FormatShape(after.operand(*dot, 0).shape), "s8[2,4,8]");
  EXPECT_EQ(FormatShape(after.operand(*dot, 1).shape), "s8[8,6]");
  EXPECT_EQ(CountKind(after, OpKind::kReduce), 2);
  EXPECT_EQ(dot->as<DotAttrs>().quantized, DType::kF32);
}

TEST(Quantize, AddsUpFloatsInF32) {
  const Graph after = After(RunQuantize, ProductOf(", quantized=f8e4m3", "y = f32[2,4,6]"));
  EXPECT_EQ(FormatShape(FindDot(after)->shape), "f32[2,4,6]");
}

TEST(Quantize, RoundsAnOperandOnceForAllProductsAlongOneDim) {
  const Graph after = After(RunQuantize, ParsedGraph(R"(
x = f32[4,8] parameter()
v = f32[8,6] variable()
w = f32[8,6] variable()
a = f32[4,6] dot(x, v), lhs_contract={1}, rhs_contract={0}, quantized=s8
b = f32[4,6] dot(x, w), lhs_contract={1}, rhs_contract={0}, quantized=s8
y = f32[4,6] add(a, b)
output result y)"));
  EXPECT_EQ(CountKind(after, OpKind::kReduce), 3);
}

TEST(Quantize, ScalesFollowBatchDimsThatChangePlace) {
  const Graph after = After(RunQuantize, ParsedGraph(R"(
x = f32[2,3,4,8] parameter()
w = f32[3,8,6] variable()
y = f32[3,2,4,6] dot(x, w), lhs_batch={1}, rhs_batch={0}, lhs_contract={3}, rhs_contract={1}, quantized=s8
output result y)"));
  EXPECT_EQ(FormatShape(FindDot(after)->shape), "s32[3,2,4,6]");
}

TEST(Quantize, GradientsOfAQuantisedProductAreQuantised) {
  GraphBuilder b("g");
  const OpId x = b.Parameter(Shape::Of(DType::kF32, {4, 8}), "x");
  const OpId w = b.Variable(Shape::Of(DType::kF32, {8, 6}), "w", true);
  const OpId v = b.Variable(Shape::Of(DType::kF32, {6, 6}), "v", true);
  DotAttrs attrs{{{}, {}, {1}, {0}}};
  attrs.quantized = DType::kS8;
  b.AddOutput(b.DotAs(b.DotAs(x, w, attrs), v, attrs), Output::Role::kResult);
  const absl::StatusOr<Graph> forward = b.Build();
  ASSERT_TRUE(forward.ok()) << forward.status();
  const Graph step = Expanded(*forward, SpecOf(LossKind::kMeanSquaredError));
  int64_t quantised = 0;
  for (const Op& op : step.ops()) {
    if (op.kind != OpKind::kDot) continue;
    quantised += op.as<DotAttrs>().quantized == DType::kS8 ? 1 : 0;
  }
  EXPECT_EQ(quantised, 5);  // two forward, dw, dv and the first result's
}

TEST(Quantize, RefusesTypesThatAreNotNarrow) {
  const auto graph = ParseGraph(R"(graph "g" {
x = f32[4,8] parameter()
y = f32[4,4] dot(x, x), lhs_contract={1}, rhs_contract={1}, quantized=bf16
})");
  ASSERT_FALSE(graph.ok());
  EXPECT_NE(std::string(graph.status().message()).find("quantized to bf16"), std::string::npos);
}

TEST(MatrixRate, IsOfTheWiderOperandAndOneWithoutAPath) {
  const absl::StatusOr<Chip> v5e = FindChip("v5e");
  const absl::StatusOr<Chip> v7 = FindChip("v7x");
  ASSERT_TRUE(v5e.ok() && v7.ok());
  EXPECT_DOUBLE_EQ(MatrixRate(DType::kS8, DType::kS8, *v5e), 2);
  EXPECT_DOUBLE_EQ(MatrixRate(DType::kS4, DType::kS4, *v5e), 4);
  EXPECT_DOUBLE_EQ(MatrixRate(DType::kS8, DType::kS4, *v5e), 2);
  EXPECT_DOUBLE_EQ(MatrixRate(DType::kF8E4M3, DType::kF8E4M3, *v5e), 1);
  EXPECT_DOUBLE_EQ(MatrixRate(DType::kF8E4M3, DType::kF8E4M3, *v7), 2);
  EXPECT_DOUBLE_EQ(MatrixRate(DType::kBF16, DType::kBF16, *v7), 1);
}

}  // namespace
}  // namespace tilewise
