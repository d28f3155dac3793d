// Layers that are alike share a line of the per-op table.

#include <gtest/gtest.h>

#include "report/tables.h"

namespace tilewise {
namespace {

OpRow Row(const std::string& name, double seconds, double mxu_use = 0) {
  OpRow row;
  row.name = name;
  row.kind = "dot";
  row.forward = Seconds{seconds};
  row.share = seconds / 10;
  row.mxu_use = mxu_use;
  return row;
}

TEST(JoinEqualLayers, SumsWhatDiffersInTheNumberOfTheLayer) {
  const auto rows = JoinEqualLayers({Row("top", 2.5), Row("layer1/up", 1, 0.5),
                                     Row("layer2/up", 1.01, 0.5), Row("layer12/up", 1, 0.5)});
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].name, "layer*/up (x3)");
  EXPECT_DOUBLE_EQ(rows[0].total().value, 3.01);
  EXPECT_DOUBLE_EQ(rows[0].mxu_use, 0.5);
  EXPECT_NEAR(rows[0].share, 0.301, 1e-12);
  EXPECT_EQ(rows[1].name, "top");
}

TEST(JoinEqualLayers, KeepsOtherTimesPathsAndNumbersOfOpsApart) {
  const std::vector<OpRow> apart = {Row("layer1/up", 1),     Row("layer2/up", 0.9),
                                    Row("layer3/down", 1),   Row("block/conv1", 0.8),
                                    Row("block/conv2", 0.8), Row("dense_1", 1),
                                    Row("dense_2", 1)};
  EXPECT_EQ(JoinEqualLayers(apart).size(), apart.size());
}

TEST(JoinEqualLayers, NumbersBetweenDotsAreThoseOfLayersToo) {
  const auto rows = JoinEqualLayers({Row("h.0.mlp.fc1", 1), Row("h.1.mlp.fc1", 1),
                                     Row("h.0.mlp.fc2", 1), Row("h.12.mlp.fc1", 1)});
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].name, "h.*.mlp.fc1 (x3)");
}

TEST(JoinEqualLayers, StarsOnlyTheNumbersThatDiffer) {
  const auto rows = JoinEqualLayers({Row("stage3/block1/conv", 1), Row("stage3/block2/conv", 1)});
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].name, "stage3/block*/conv (x2)");
}

}  // namespace
}  // namespace tilewise
