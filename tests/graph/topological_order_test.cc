// Orders, cycles and depth.

#include "graph/topological_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tilewise {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(TopologicalOrder, SmallestReadyNodeComesFirst) {
  const TopologicalOrder result = OrderTopologically(5, {{3, 0}, {4, 1}, {3, 1}, {0, 2}});
  EXPECT_THAT(result.order, ElementsAre(3, 0, 2, 4, 1));
  EXPECT_THAT(result.cycle, IsEmpty());
}

TEST(TopologicalOrder, NoEdgesKeepTheNumbers) {
  EXPECT_THAT(OrderTopologically(3, {}).order, ElementsAre(0, 1, 2));
  EXPECT_THAT(OrderTopologically(0, {}).order, IsEmpty());
}

TEST(TopologicalOrder, EdgesMayRepeat) {
  EXPECT_THAT(OrderTopologically(2, {{1, 0}, {1, 0}}).order, ElementsAre(1, 0));
}

TEST(TopologicalOrder, ReportsTheNodesOfOneCycleInOrder) {
  const TopologicalOrder result =
      OrderTopologically(6, {{0, 1}, {1, 4}, {4, 2}, {2, 1}, {2, 3}, {3, 5}, {5, 3}});
  EXPECT_THAT(result.order, IsEmpty());
  EXPECT_THAT(result.cycle, ElementsAre(1, 4, 2));
}

TEST(TopologicalOrder, ANodeThatNeedsItselfIsACycle) {
  EXPECT_THAT(OrderTopologically(3, {{0, 1}, {2, 2}}).cycle, ElementsAre(2));
}

TEST(TopologicalOrder, DepthIsNotBoundedByTheStack) {
  constexpr int32_t kNodes = 200'000;
  std::vector<std::pair<int32_t, int32_t>> edges;
  for (int32_t node = 1; node < kNodes; ++node) {
    edges.emplace_back(node, node - 1);
  }
  const TopologicalOrder chain = OrderTopologically(kNodes, edges);
  ASSERT_EQ(chain.order.size(), static_cast<size_t>(kNodes));
  EXPECT_EQ(chain.order.front(), kNodes - 1);
  edges.emplace_back(0, kNodes - 1);
  EXPECT_EQ(OrderTopologically(kNodes, edges).cycle.size(), static_cast<size_t>(kNodes));
}

}  // namespace
}  // namespace tilewise
