// Graphs as a change leaves them.

#include "session/rewrite_graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "advice/nearest_width.h"
#include "graph/text.h"
#include "session/session.h"

namespace tilewise {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kTwoLayers = R"(graph "two" {
  x = f32[8,32] parameter()
  w1 = f32[32,100] variable()
  h = f32[8,100] dot(x, w1), lhs_contract={1}, rhs_contract={0}
  r = f32[8,100] tanh(h), at="model.py:7:1"
  w2 = f32[100,10] variable()
  y = f32[8,10] dot(r, w2), lhs_contract={1}, rhs_contract={0}
  output result y
})";

Graph Parse(std::string_view text) {
  auto graph = ParseGraph(text);
  EXPECT_TRUE(graph.ok()) << graph.status();
  return graph.ok() ? *std::move(graph) : *GraphBuilder("none").Build();
}

OpId IdOf(const Graph& graph, std::string_view name) {
  for (const Op& op : graph.ops()) {
    if (op.name == name) return op.id;
  }
  ADD_FAILURE() << "no op " << name;
  return 0;
}

std::string Rewritten(const Graph& graph, const Change& change) {
  const auto result = RewriteGraph(graph, change);
  EXPECT_TRUE(result.ok()) << result.status();
  return result.ok() ? PrintGraph(*result) : "";
}

TEST(RewriteGraph, LeavesTheGraphAsItIsWithoutChanges) {
  const Graph graph = Parse(kTwoLayers);
  EXPECT_EQ(Rewritten(graph, {}), PrintGraph(graph));
}

TEST(RewriteGraph, LeavesTheGraphAsItIsWhenEveryOpIsReplacedByItself) {
  const Graph graph = Parse(kTwoLayers);
  Change change;
  for (const Op& op : graph.ops()) {
    change.replace[op.id] = [](GraphBuilder& builder, const Op& old,
                               std::span<const OpId> operands) {
      return builder.Clone(old, {operands.begin(), operands.end()});
    };
  }
  EXPECT_EQ(Rewritten(graph, change), PrintGraph(graph));
}

TEST(RewriteGraph, BitsOfAFloatAreReadAsTheyAreInAnyComputeType) {
  const Graph graph = Parse(R"(graph "bits" {
  x = f32[8,32] parameter()
  w = f32[32,16] variable()
  y = f32[8,16] dot(x, w), lhs_contract={1}, rhs_contract={0}
  b = s32[8,16] bitcast-convert(y)
  output result b
})");
  Change change;
  change.compute_type = DType::kBF16;
  EXPECT_THAT(Rewritten(graph, change), HasSubstr("bf16[8,16] dot"));
}

TEST(RewriteGraph, PutsAReplacementInThePlaceOfAnOp) {
  const Graph graph = Parse(kTwoLayers);
  const OpId tanh = IdOf(graph, "r");
  Change change;
  change.replace[tanh] = [](GraphBuilder& builder, const Op&, std::span<const OpId> operands) {
    return builder.BinaryScalar(OpKind::kMaximum, operands[0], 0);
  };
  const auto result = RewriteGraph(graph, change);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_THAT(PrintGraph(*result), HasSubstr("maximum(h, "));
  EXPECT_THAT(PrintGraph(*result), Not(HasSubstr("tanh")));
  for (const Op& op : result->ops()) {
    if (op.kind != OpKind::kMaximum) continue;
    EXPECT_EQ(op.origin, tanh);
    EXPECT_EQ(op.location.line, 7);
  }
  EXPECT_EQ(result->op(result->outputs()[0].value).origin, IdOf(graph, "y"));
}

TEST(RewriteGraph, DropsVariablesThatNothingNeedsAnyMore) {
  const Graph graph = Parse(kTwoLayers);
  Change change;
  change.replace[IdOf(graph, "y")] = [](GraphBuilder& builder, const Op& op,
                                        std::span<const OpId>) {
    return builder.Constant(0, op.shape);
  };
  const std::string text = Rewritten(graph, change);
  EXPECT_THAT(text, Not(HasSubstr("variable")));
  EXPECT_THAT(text, HasSubstr("parameter"));
}

TEST(RewriteGraph, RefusesAnotherShapeWhereUsersStay) {
  const Graph graph = Parse(kTwoLayers);
  Change change;
  change.replace[IdOf(graph, "r")] = [](GraphBuilder& builder, const Op&,
                                        std::span<const OpId> operands) {
    return builder.Transpose(operands[0], {1, 0});
  };
  EXPECT_THAT(Message(RewriteGraph(graph, change).status()),
              HasSubstr("found f32[100,8] in place of r f32[8,100]"));
}

TEST(RewriteGraph, AllowsAnotherShapeWhereUsersAreReplacedToo) {
  const Graph graph = Parse(kTwoLayers);
  Change change;
  change.replace[IdOf(graph, "r")] = [](GraphBuilder& builder, const Op&,
                                        std::span<const OpId> operands) {
    return builder.Transpose(operands[0], {1, 0});
  };
  change.replace[IdOf(graph, "y")] = [](GraphBuilder& builder, const Op&,
                                        std::span<const OpId> operands) {
    return builder.MatMul(builder.Transpose(operands[0], {1, 0}), operands[1]);
  };
  EXPECT_THAT(Rewritten(graph, change), HasSubstr("f32[100,8]"));
}

TEST(RewriteGraph, FindsWhatAnotherOpBecame) {
  const Graph graph = Parse(kTwoLayers);
  const OpId h = IdOf(graph, "h");
  Change change;
  change.replace[IdOf(graph, "r")] = [h](GraphBuilder& builder, const Op&, std::span<const OpId>) {
    return builder.Unary(OpKind::kNegate, StandsFor(builder, h));
  };
  EXPECT_THAT(Rewritten(graph, change), HasSubstr("negate(h)"));
}

TEST(RewriteGraph, WidensEverythingThatHasToFollow) {
  const Graph graph = Parse(kTwoLayers);
  Change change;
  change.widths.push_back({IdOf(graph, "w1"), 1, 128});
  const std::string text = Rewritten(graph, change);
  EXPECT_THAT(text, HasSubstr("w1 = f32[32,128]"));
  EXPECT_THAT(text, HasSubstr("r = f32[8,128]"));
  EXPECT_THAT(text, HasSubstr("w2 = f32[128,10]"));
  EXPECT_THAT(text, HasSubstr("y = f32[8,10]"));
}

TEST(RewriteGraph, TakesOneWidthThatTwoFindingsWant) {
  const Graph graph = Parse(kTwoLayers);
  Change change;
  change.widths.push_back({IdOf(graph, "w1"), 1, 128});
  change.widths.push_back({IdOf(graph, "w2"), 0, 128});
  EXPECT_THAT(Rewritten(graph, change), HasSubstr("w2 = f32[128,10]"));
  change.widths[1].size = 256;
  EXPECT_FALSE(RewriteGraph(graph, change).ok());
}

TEST(RewriteGraph, KeepsInputsOfTheModel) {
  const Graph graph = Parse(kTwoLayers);
  Change input;
  input.widths.push_back({IdOf(graph, "w1"), 0, 128});
  EXPECT_FALSE(RewriteGraph(graph, input).ok());
}

TEST(NearestWidth, ChangesTheModelLeast) {
  EXPECT_EQ(NearestWidth(600, 128), 640);
  EXPECT_EQ(NearestWidth(130, 128), 128);
  EXPECT_EQ(NearestWidth(192, 128), 256);
  EXPECT_EQ(NearestWidth(64, 128), 128);
  EXPECT_EQ(NearestWidth(256, 128), std::nullopt);
  EXPECT_EQ(NearestWidth(3, 128), std::nullopt);
}

TEST(FreeWidth, IsNoneOfWhatTheTaskFixes) {
  const Graph graph = Parse(kTwoLayers);
  Workload workload;
  workload.graph = graph;
  const Target target = *MakeTarget("v3", 1, "");
  const Session session(workload, target, {.global_batch = 8});
  const Facts& facts = session.facts();
  const auto hidden = FreeWidth(facts, IdOf(graph, "w1"), 1, 128);
  ASSERT_TRUE(hidden);
  EXPECT_EQ(hidden->size, 128);
  EXPECT_FALSE(FreeWidth(facts, IdOf(graph, "w1"), 0, 8 * 16));
  EXPECT_FALSE(FreeWidth(facts, IdOf(graph, "w2"), 1, 16));
}

// The second layer reads as many as the first one makes.
TEST(FreeWidth, IsNoneWhereAFixedDimWouldChangeAsWell) {
  const Graph graph = Parse(kTwoLayers);
  Workload workload;
  workload.graph = graph;
  const Target target = *MakeTarget("v3", 1, "");
  SessionOptions options;
  options.global_batch = 8;
  options.fixed_dim = [](const Op& op, int64_t dim) { return op.name == "w2" && dim == 0; };
  const Session session(workload, target, options);
  const Facts& facts = session.facts();
  EXPECT_FALSE(FreeWidth(facts, IdOf(graph, "w1"), 1, 128));
  EXPECT_TRUE(IsHeld(facts, IdOf(graph, "w1"), 1));
  EXPECT_FALSE(IsHeld(facts, IdOf(graph, "w2"), 1));
}

TEST(ComputeType, CastsActivationsAndKeepsVariables) {
  Change change;
  change.compute_type = DType::kBF16;
  const std::string text = Rewritten(Parse(kTwoLayers), change);
  EXPECT_THAT(text, HasSubstr("w1 = f32[32,100] variable()"));
  EXPECT_THAT(text, HasSubstr("h = bf16[8,100] dot("));
  EXPECT_THAT(text, HasSubstr("r = bf16[8,100] tanh(h)"));
  EXPECT_THAT(text, HasSubstr("f32[8,10] convert(y)"));
}

TEST(ComputeType, NormalisesAndEndsInFullPrecision) {
  Change change;
  change.compute_type = DType::kBF16;
  const std::string text = Rewritten(Parse(R"(graph "norm" {
  x = f32[8,32] parameter()
  scale = f32[32] variable()
  offset = f32[32] variable()
  n = f32[8,32] layer-norm(x, scale, offset), dims={1}, epsilon=0.001
  w = f32[32,10] variable()
  h = f32[8,10] dot(n, w), lhs_contract={1}, rhs_contract={0}
  y = f32[8,10] softmax(h), dims={1}
  output result y
})"),
                                     change);
  EXPECT_THAT(text, HasSubstr("n = f32[8,32] layer-norm(x, scale, offset)"));
  EXPECT_THAT(text, HasSubstr("h = bf16[8,10] dot("));
  EXPECT_THAT(text, HasSubstr("y = f32[8,10] softmax("));
}

TEST(ComputeType, UpdatesVariablesInFullPrecision) {
  Change change;
  change.compute_type = DType::kBF16;
  const std::string text = Rewritten(Parse(R"(graph "step" {
  x = f32[8,32] parameter()
  dy = f32[8,10] parameter()
  w = f32[32,10] variable()
  g = f32[32,10] dot(x, dy), lhs_contract={0}, rhs_contract={0}
  rate = f32[] constant(), value=0.1
  rates = f32[32,10] broadcast(rate)
  scaled = f32[32,10] multiply(g, rates)
  new = f32[32,10] subtract(w, scaled)
  output state new of w
})"),
                                     change);
  EXPECT_THAT(text, HasSubstr("g = bf16[32,10] dot("));
  EXPECT_THAT(text, HasSubstr("scaled = f32[32,10] multiply("));
  EXPECT_THAT(text, HasSubstr("new = f32[32,10] subtract(w, scaled)"));
}

TEST(ComputeType, LeavesOtherTypesAlone) {
  Change change;
  change.compute_type = DType::kBF16;
  const std::string text = Rewritten(Parse(R"(graph "ids" {
  ids = s32[8] parameter()
  table = f32[1000,32] variable()
  rows = f32[8,32] gather(table, ids)
  w = f32[32,10] variable()
  y = f32[8,10] dot(rows, w), lhs_contract={1}, rhs_contract={0}
  output result y
})"),
                                     change);
  EXPECT_THAT(text, HasSubstr("rows = f32[8,32] gather(table, ids)"));
  EXPECT_THAT(text, HasSubstr("bf16[8,32] convert(rows)"));
}

}  // namespace
}  // namespace tilewise
