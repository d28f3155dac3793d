// Questions of rules about where a weight's dim comes from and what follows an
// op, and the change that gives values another type.

#include "session/forward_values.h"

#include <gtest/gtest.h>

#include "graph/text.h"
#include "rules/layout/channels_first.h"
#include "rules/rewrites.h"
#include "session/rewrite_graph.h"

namespace tilewise {
namespace {

Graph Parse(std::string_view text) {
  absl::StatusOr<Graph> graph = ParseGraph(text);
  EXPECT_TRUE(graph.ok()) << graph.status();
  return std::move(graph).value();
}

OpId Named(const Graph& graph, std::string_view name) {
  for (const Op& op : graph.ops()) {
    if (op.name == name) return op.id;
  }
  ADD_FAILURE() << "no op " << name;
  return 0;
}

TEST(WeightDimOf, FollowsTransposesAndConverts) {
  const Graph graph = Parse(R"(graph "g" {
  w = f32[512,256] variable()
  n = bf16[512,256] convert(w)
  t = bf16[256,512] transpose(n), dims={1,0}
  e = bf16[256,512] exponential(t)
  output result e
})");
  const WeightDim rows = WeightDimOf(graph, Named(graph, "t"), 1);
  EXPECT_EQ(rows.variable, Named(graph, "w"));
  EXPECT_EQ(rows.dim, 0);
  EXPECT_EQ(WeightDimOf(graph, Named(graph, "e"), 1).variable, kNoOp);
}

TEST(IsLastMatrixOp, IsTrueOfTheHeadAlone) {
  const Graph graph = Parse(R"(graph "g" {
  x = f32[8,16] parameter()
  v = f32[16,16] variable()
  h = f32[8,16] dot(x, v), lhs_contract={1}, rhs_contract={0}
  t = f32[8,16] tanh(h)
  w = f32[16,16] variable()
  y = f32[8,16] dot(t, w), lhs_contract={1}, rhs_contract={0}
  s = f32[8,16] softmax(y), dims={1}
  output result s
})");
  EXPECT_FALSE(IsLastMatrixOp(graph, Named(graph, "h")));
  EXPECT_TRUE(IsLastMatrixOp(graph, Named(graph, "y")));
}

TEST(ChannelsFirstImages, ReachThroughElementwiseOpsOnly) {
  const Graph graph = Parse(R"(graph "g" {
  x = f32[8,16,4,4] parameter()
  k = f32[1,1,16,16] variable()
  c = f32[8,16,4,4] convolution(x, k), window={size=1x1}, channels_first=true
  r = f32[8,16,4,4] tanh(c)
  flat = f32[8,256] reshape(r)
  output result flat
})");
  const std::vector<bool> image = ChannelsFirstImages(graph);
  EXPECT_TRUE(image[Named(graph, "x")]);
  EXPECT_TRUE(image[Named(graph, "r")]);
  EXPECT_FALSE(image[Named(graph, "k")]);
  EXPECT_FALSE(image[Named(graph, "flat")]);
}

TEST(InOtherType, ChangesAllValues) {
  const Graph graph = Parse(R"(graph "g" {
  x = f16[8,16] parameter()
  w = f16[16,16] variable()
  y = f16[8,16] dot(x, w), lhs_contract={1}, rhs_contract={0}
  e = f16[8,16] exponential(y)
  output result e
})");
  const auto changed = RewriteGraph(graph, InOtherType(graph, DType::kF16, DType::kBF16));
  ASSERT_TRUE(changed.ok()) << changed.status();
  int halves = 0;
  for (const Op& op : changed->ops()) {
    if (op.shape.dtype == DType::kF16) ++halves;
  }
  EXPECT_EQ(halves, 0);
  EXPECT_EQ(changed->op(changed->outputs()[0].value).shape.dtype, DType::kBF16);
}

TEST(InOtherType, KeepsVariablesThatAreWritten) {
  const Graph graph = Parse(R"(graph "g" {
  x = f64[8] parameter()
  w = f64[8] variable()
  y = f64[8] add(x, w)
  output state y of w
})");
  const auto changed = RewriteGraph(graph, InOtherType(graph, DType::kF64, DType::kF32));
  ASSERT_TRUE(changed.ok()) << changed.status();
  const Output& output = changed->outputs()[0];
  EXPECT_EQ(changed->op(output.variable).shape.dtype, DType::kF64);
  EXPECT_EQ(changed->op(output.value).shape.dtype, DType::kF64);
}

TEST(InOtherType, LeavesBitsAlone) {
  const Graph graph = Parse(R"(graph "g" {
  x = f64[8,16] parameter()
  b = s64[8,16] bitcast-convert(x)
  output result b
})");
  EXPECT_TRUE(InOtherType(graph, DType::kF64, DType::kF32).empty());
}

}  // namespace
}  // namespace tilewise
