// Programs whose weights are kept in another shape or in parts, against the
// graph that moves the tensors: the same numbers, with the weights moved.

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "advice/hoist_move.h"
#include "graph/text.h"
#include "rules/rewrites.h"
#include "session/rewrite_graph.h"
#include "tests/reference/evaluator.h"

namespace tilewise {
namespace {

using reference::Tensor;
using reference::Tensors;

Graph Parse(std::string_view text) {
  auto graph = ParseGraph(text);
  EXPECT_TRUE(graph.ok()) << graph.status();
  return graph.ok() ? *std::move(graph) : *GraphBuilder("none").Build();
}

std::vector<OpId> OpsOf(const Graph& graph, OpKind kind) {
  std::vector<OpId> ops;
  for (const Op& op : graph.ops()) {
    if (op.kind == kind) ops.push_back(op.id);
  }
  return ops;
}

bool Has(const Graph& graph, OpKind kind) { return !OpsOf(graph, kind).empty(); }

// "y/w" is made of w: all of it in another shape, or the part of its columns
// (of its rows) that starts at `start`.
using StartOf = std::function<int64_t(const std::string& name)>;

Tensor PartOf(const Tensor& whole, const std::vector<int64_t>& sizes, int64_t start) {
  Tensor part(sizes);
  if (part.data.size() == whole.data.size()) {
    part.data = whole.data;
    return part;
  }
  reference::ForEachIndex(sizes, [&](const reference::Index& index) {
    reference::Index from = index;
    for (size_t dim = 0; dim < sizes.size(); ++dim) {
      if (sizes[dim] != whole.sizes[dim]) from[dim] += start;
    }
    part[index] = whole[from];
  });
  return part;
}

void ExpectSameNumbers(const Graph& graph, const Change& change, const StartOf& start = nullptr) {
  ASSERT_FALSE(change.empty());
  const auto changed = RewriteGraph(graph, change);
  ASSERT_TRUE(changed.ok()) << changed.status();
  Tensors leaves = reference::RandomLeaves(graph, 7);
  for (const Op& op : changed->ops()) {
    const bool is_leaf = op.kind == OpKind::kVariable || op.kind == OpKind::kParameter;
    if (!is_leaf || leaves.contains(op.name)) continue;
    std::string whole = op.name.substr(op.name.rfind('/') + 1);
    if (whole.ends_with("_1")) whole.resize(whole.size() - 2);
    ASSERT_TRUE(leaves.contains(whole)) << op.name;
    leaves[op.name] = PartOf(leaves[whole], op.shape.sizes(), start ? start(op.name) : 0);
  }
  const auto was = reference::Evaluate(graph, leaves);
  const auto now = reference::Evaluate(*changed, leaves);
  ASSERT_EQ(was.size(), now.size());
  for (size_t k = 0; k < was.size(); ++k) {
    for (size_t i = 0; i < was[k].data.size(); ++i) {
      ASSERT_NEAR(was[k].data[i], now[k].data[i], 1e-9) << k << " " << i;
    }
  }
}

Change Hoisted(const Graph& graph, OpKind kind) {
  return ChangeOfAll(graph, OpsOf(graph, kind), HoistedMove);
}

constexpr const char* kHeads = R"(graph "heads" {
  x = f32[4,5,6] parameter()
  w = f32[6,8] variable()
  y = f32[4,5,8] dot(x, w), lhs_contract={2}, rhs_contract={0}
  b = f32[8] variable()
  bs = f32[4,5,8] broadcast(b), dims={2}
  z = f32[4,5,8] add(y, bs)
  h = f32[4,5,2,4] reshape(z)
  output result h
})";

TEST(HoistMove, SplitsTheWeightsInsteadOfWhatTheyMake) {
  const Graph graph = Parse(kHeads);
  const Change change = Hoisted(graph, OpKind::kReshape);
  ExpectSameNumbers(graph, change);
  EXPECT_FALSE(Has(*RewriteGraph(graph, change), OpKind::kReshape));
}

TEST(HoistMove, MakesEachPartWithItsColumns) {
  const Graph graph = Parse(R"(graph "gates" {
  x = f32[4,6] parameter()
  w = f32[6,8] variable()
  y = f32[4,8] dot(x, w), lhs_contract={1}, rhs_contract={0}
  b = f32[8] variable()
  bs = f32[4,8] broadcast(b), dims={1}
  z = f32[4,8] add(y, bs)
  one = f32[4,3] slice(z), starts={0,0}, limits={4,3}, strides={1,1}
  two = f32[4,5] slice(z), starts={0,3}, limits={4,8}, strides={1,1}
  output result one
  output result two
})");
  const Change change = Hoisted(graph, OpKind::kSlice);
  EXPECT_EQ(change.replace.size(), 2u);
  ExpectSameNumbers(graph, change,
                    [](const std::string& name) { return name.starts_with("two/") ? 3 : 0; });
  EXPECT_FALSE(Has(*RewriteGraph(graph, change), OpKind::kSlice));
}

TEST(HoistMove, MakesEachPartOfAConvolutionWithItsFeatures) {
  const Graph graph = Parse(R"(graph "branches" {
  x = f32[2,4,4,3] parameter()
  k = f32[3,3,3,6] variable()
  y = f32[2,4,4,6] convolution(x, k), window={size=3x3 pad=1_1x1_1}
  two = f32[2,4,4,4] slice(y), starts={0,0,0,2}, limits={2,4,4,6}, strides={1,1,1,1}
  output result two
})");
  ExpectSameNumbers(graph, Hoisted(graph, OpKind::kSlice), [](const std::string&) { return 2; });
}

TEST(HoistMove, LetsTheOperandsOfADotChangePlaces) {
  const Graph graph = Parse(R"(graph "scores" {
  q = f32[2,5,3] parameter()
  k = f32[2,4,3] parameter()
  s = f32[2,5,4] dot(q, k), lhs_batch={0}, rhs_batch={0}, lhs_contract={2}, rhs_contract={2}
  e = f32[2,5,4] exponential(s)
  t = f32[2,4,5] transpose(e), dims={0,2,1}
  output result t
})");
  const Change change = Hoisted(graph, OpKind::kTranspose);
  ExpectSameNumbers(graph, change);
  EXPECT_FALSE(Has(*RewriteGraph(graph, change), OpKind::kTranspose));
}

TEST(HoistMove, GivesUpWhereAnOpNeedsTheOldForm) {
  const Graph graph = Parse(R"(graph "norm" {
  x = f32[4,6] parameter()
  s = f32[4,6] softmax(x), dims={1}
  h = f32[4,2,3] reshape(s)
  output result h
})");
  EXPECT_TRUE(Hoisted(graph, OpKind::kReshape).empty());
}

TEST(ApplyToParts, ContractsTheDimsAsTheyAre) {
  const Graph graph = Parse(R"(graph "flatten" {
  x = f32[4,3,5] parameter()
  e = f32[4,3,5] tanh(x)
  flat = f32[4,15] reshape(e)
  v = f32[15,6] variable()
  y = f32[4,6] dot(flat, v), lhs_contract={1}, rhs_contract={0}
  output result y
})");
  const Change change = ChangeOfAll(graph, OpsOf(graph, OpKind::kReshape),
                                    [&](const Op& op) { return ContractedApart(graph, op); });
  ExpectSameNumbers(graph, change);
  EXPECT_FALSE(Has(*RewriteGraph(graph, change), OpKind::kReshape));
}

TEST(ApplyToParts, AddsWhatEachPartGives) {
  const Graph graph = Parse(R"(graph "joined" {
  a = f32[2,4,4,3] parameter()
  b = f32[2,4,4,5] parameter()
  c = f32[2,4,4,8] concatenate(a, b), dims={3}
  k = f32[3,3,8,6] variable()
  y = f32[2,4,4,6] convolution(c, k), window={size=3x3 pad=1_1x1_1}
  w = f32[8,2] variable()
  z = f32[2,4,4,2] dot(c, w), lhs_contract={3}, rhs_contract={0}
  output result y
  output result z
})");
  const Change change = ChangeOfAll(graph, OpsOf(graph, OpKind::kConcatenate),
                                    [&](const Op& op) { return AppliedToParts(graph, op); });
  // The second part of each comes second.
  ExpectSameNumbers(graph, change,
                    [](const std::string& name) { return name.ends_with("_1") ? 3 : 0; });
  EXPECT_FALSE(Has(*RewriteGraph(graph, change), OpKind::kConcatenate));
}

TEST(ApplyToParts, LeavesAJoinThatIsReadAsAWhole) {
  const Graph graph = Parse(R"(graph "joined" {
  a = f32[4,3] parameter()
  b = f32[4,5] parameter()
  c = f32[4,8] concatenate(a, b), dims={1}
  e = f32[4,8] tanh(c)
  output result e
})");
  const OpId join = OpsOf(graph, OpKind::kConcatenate).front();
  EXPECT_TRUE(AppliedToParts(graph, graph.op(join)).empty());
}

TEST(PackedRows, PicksThePartOfTheRow) {
  const Graph graph = Parse(R"(graph "table" {
  ids = s32[6] parameter()
  table = f32[40,4] variable()
  rows = f32[6,4] gather(table, ids)
  output result rows
})");
  const OpId table = OpsOf(graph, OpKind::kVariable).front();
  const Change change = PackedRows(graph, table, 8);
  ExpectSameNumbers(graph, change);
}

TEST(PackedRows, LeavesTablesThatAreReadAsAWhole) {
  const Graph graph = Parse(R"(graph "tied" {
  ids = s32[6] parameter()
  table = f32[40,4] variable()
  rows = f32[6,4] gather(table, ids)
  logits = f32[6,40] dot(rows, table), lhs_contract={1}, rhs_contract={1}
  output result logits
})");
  const OpId table = OpsOf(graph, OpKind::kVariable).front();
  EXPECT_TRUE(PackedRows(graph, table, 8).empty());
}

}  // namespace
}  // namespace tilewise
