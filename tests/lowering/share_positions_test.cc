// Context parallelism: what one core has of the positions.

#include "sim/lowering/partition/share_positions.h"

#include <string>

#include <gmock/gmock.h>

#include "tests/lowering/step_graphs.h"

namespace tilewise {
namespace {

using ::testing::HasSubstr;

constexpr char kAttention[] =
    "x = f32[2,8,16] parameter()\n"
    "w = f32[16,16] variable()\n"
    "y = f32[2,8,16] dot(x, w), lhs_contract={2}, rhs_contract={0}\n"
    "h = f32[2,8,4,4] reshape(y)\n"
    "a = f32[2,8,4,4] attention(h, h, h), causal=true\n";

Graph Shared(const std::string& text, int64_t parts = 4) {
  const absl::StatusOr<Graph> shared = SharePositions(ParsedGraph(text), parts, "context");
  EXPECT_TRUE(shared.ok()) << shared.status();
  return *shared;
}

TEST(SharePositions, EachCoreHasItsPartAndGathersKeysAndValues) {
  const Graph shared = Shared(std::string(kAttention) + "output result a");
  EXPECT_EQ(CountKind(shared, OpKind::kAllGather), 2);
  for (const Op& op : shared.ops()) {
    if (op.kind != OpKind::kAttention) continue;
    EXPECT_EQ(op.shape.size(1), 2);
    EXPECT_EQ(shared.operand(op, 1).shape.size(1), 8);
    EXPECT_EQ(op.as<AttentionAttrs>().query_parts, 4);
  }
}

TEST(SharePositions, SumsOverPositionsAreMadeOverAllCores) {
  const std::string pooled = "p = f32[2,4,4] reduce(a), dims={1}\noutput result p";
  EXPECT_EQ(CountKind(Shared(kAttention + pooled), OpKind::kAllReduce), 1);
}

TEST(SharePositions, WhatCannotBeSharedIsNamed) {
  const auto error = [](const std::string& text, int64_t parts) {
    return std::string(SharePositions(ParsedGraph(text), parts, "context").status().message());
  };
  EXPECT_THAT(error("x = f32[2,8] parameter()\noutput result x", 4),
              HasSubstr("mesh axis context: found no attention"));
  EXPECT_THAT(error(std::string(kAttention) + "output result a", 3),
              HasSubstr("found 8 positions, expected a multiple of 3"));
  const std::string turned = "r = f32[2,8,4,4] reverse(a), dims={1}\noutput result r";
  EXPECT_THAT(error(kAttention + turned, 4), HasSubstr("r: goes through the positions in"));
}

}  // namespace
}  // namespace tilewise
