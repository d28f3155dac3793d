// Fixes that keep the meaning of a model keep its numbers: the changed graph is
// evaluated beside the original.

#include <cmath>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graph/text.h"
#include "rules/rule.h"
#include "session/rewrite_graph.h"
#include "tests/program/analysed.h"
#include "tests/reference/evaluator.h"

namespace tilewise {
namespace {

// Of `side` x `side` places with `features` each.
std::string Transposed(int side, int features) {
  const std::string in = fmt::format("N,{0},{0},{1}", side, features);
  const std::string turned = fmt::format("N,{0},{1},{0}", side, features);
  const std::string pooled = fmt::format("N,{0},{1},{2}", side / 2, features / 2, side);
  const std::string back = fmt::format("N,{2},{0},{1}", side / 2, features / 2, side);
  return fmt::format(R"(graph "rotated" {{
  x = f32[{0}] parameter()
  k1 = f32[{2},{2}] variable()
  c1 = f32[{0}] dot(x, k1), lhs_contract={{3}}, rhs_contract={{0}}
  t = f32[{1}] transpose(c1), dims={{0,2,3,1}}
  e = f32[{3}] reduce-window(t), window={{size=2x2 stride=2x2}}, reducer=max
  u = f32[{4}] transpose(e), dims={{0,3,1,2}}
  k2 = f32[{5},{2}] variable()
  c2 = f32[N,{6},{7},{2}] dot(u, k2), lhs_contract={{3}}, rhs_contract={{0}}
  output result c2
}})",
                     in, turned, features, pooled, back, features / 2, side, side / 2);
}

constexpr const char* kWrittenNorm = R"(graph "two_sweeps" {
  x = f32[N,8,8,16] parameter()
  k = f32[1,1,16,16] variable()
  y = f32[N,8,8,16] convolution(x, k), window={size=1x1}
  sum = f32[16] reduce(y), dims={0,1,2}
  w = f32[16] constant(), value=0.0078125
  mean = f32[16] multiply(sum, w)
  means = f32[N,8,8,16] broadcast(mean), dims={3}
  d = f32[N,8,8,16] subtract(y, means)
  squares = f32[N,8,8,16] multiply(d, d)
  total = f32[16] reduce(squares), dims={0,1,2}
  variance = f32[16] multiply(total, w)
  e = f32[16] constant(), value=0.001
  v = f32[16] add(variance, e)
  r = f32[16] rsqrt(v)
  rs = f32[N,8,8,16] broadcast(r), dims={3}
  z = f32[N,8,8,16] multiply(d, rs)
  output result z
})";

// What the fix of the only finding does.
Change ChangeFor(const Analysed& analysed, std::string_view rule) {
  const Rule* const checked = FindRule(rule);
  Sink sink(checked->info, analysed.facts());
  checked->check(analysed.facts(), sink);
  std::deque<Finding> found = sink.Take();
  EXPECT_EQ(found.size(), 1u) << rule;
  return found.empty() ? Change{} : std::move(found.front().change);
}

// The change is that of `text`; it is made on `small`, the
// same graph with other sizes, at two examples.
void ExpectSameNumbers(std::string_view text, const SessionOptions& options, std::string_view small,
                       std::string_view rule) {
  const auto analysed = AnalyseGraph(text, options);
  const Change change = ChangeFor(*analysed, rule);
  ASSERT_FALSE(change.empty()) << rule;
  const auto parsed = ParseGraph(small);
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  const Graph graph = parsed->Bind(2);
  const auto changed = RewriteGraph(graph, change);
  ASSERT_TRUE(changed.ok()) << changed.status();
  EXPECT_LT(changed->size(), graph.size() + 8);
  const reference::Tensors leaves = reference::RandomLeaves(graph, 7);
  const auto was = reference::Evaluate(graph, leaves);
  const auto now = reference::Evaluate(*changed, leaves);
  ASSERT_EQ(was.size(), now.size());
  for (size_t i = 0; i < was[0].data.size(); ++i) {
    EXPECT_NEAR(was[0].data[i], now[0].data[i], 1e-6 * (1 + std::abs(was[0].data[i]))) << i;
  }
}

TEST(FixNumbers, DroppedTransposesKeepThem) {
  SessionOptions options;
  options.global_batch = 1024;
  ExpectSameNumbers(Transposed(8, 128), options, Transposed(4, 8), "LY003");
}

TEST(FixNumbers, OneSweepOfABatchNormKeepsThem) {
  SessionOptions options;
  options.global_batch = 16;
  options.training = false;
  ExpectSameNumbers(kWrittenNorm, options, kWrittenNorm, "OP003");
}

}  // namespace
}  // namespace tilewise
