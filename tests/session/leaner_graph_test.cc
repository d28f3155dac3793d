// Graphs that need less memory for the same result.

#include "session/leaner_graph.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "graph/text.h"

namespace tilewise {
namespace {

Graph Parsed(const std::string& body) {
  const absl::StatusOr<Graph> graph = ParseGraph("graph \"g\" {\n" + body + "\n}");
  EXPECT_TRUE(graph.ok()) << graph.status();
  return *graph;
}

constexpr char kDecoder[] =
    "x = bf16[N,64,128] parameter()\n"
    "h = bf16[N,64,8,16] reshape(x)\n"
    "a = bf16[N,64,8,16] attention(h, h, h), causal=true\n"
    "y = bf16[N,64,128] reshape(a)\n"
    "w = bf16[128,8192] variable()\n"
    "z = bf16[N,64,8192] dot(y, w), lhs_contract={2}, rhs_contract={0}\n"
    "output result z";

TEST(LeanerGraph, LogitsAreMadeInTilesOfThePositions) {
  const std::optional<Graph> tiled = WithTiledLogits(Parsed(kDecoder), 8);
  ASSERT_TRUE(tiled.has_value());
  ASSERT_EQ(tiled->outputs().size(), 8u);
  for (const Output& output : tiled->outputs()) {
    EXPECT_EQ(output.role, Output::Role::kTile);
    EXPECT_EQ(tiled->op(output.value).shape.size(1), 8);
    EXPECT_NE(tiled->op(output.value).loop.id, 0);
  }
}

TEST(LeanerGraph, WhatHasNoVocabularyHasNoTiles) {
  EXPECT_FALSE(WithTiledLogits(Parsed(kDecoder), 7).has_value());
  EXPECT_FALSE(WithTiledLogits(Parsed("x = f32[N,64,8] parameter()\noutput result x"), 8));
}

TEST(LeanerGraph, AttentionIsMadeInOneKernel) {
  const std::optional<Graph> flash = WithFlashAttention(Parsed(kDecoder));
  ASSERT_TRUE(flash.has_value());
  const auto ops = flash->ops();
  EXPECT_TRUE(std::any_of(ops.begin(), ops.end(), [](const Op& op) {
    return op.kind == OpKind::kAttention && op.as<AttentionAttrs>().flash;
  }));
  EXPECT_FALSE(WithFlashAttention(*flash).has_value());
}

}  // namespace
}  // namespace tilewise
