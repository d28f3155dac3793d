// What the words of `fixed-dims` mean.

#include "lint/fixed_dims.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graph/graph_builder.h"

namespace tilewise {
namespace {

using ::testing::HasSubstr;

Op Table(const std::string& name, const std::string& layer = "") {
  Op op;
  op.name = name;
  op.location.item = layer;
  op.shape = Shape::Of(DType::kF32, {30522, 768});
  return op;
}

bool Fixed(const std::string& word, const Op& op, int64_t dim) {
  const auto fixed = FixedDims({word});
  EXPECT_TRUE(fixed.ok()) << fixed.status();
  return fixed.ok() && (*fixed)(op, dim);
}

TEST(FixedDims, ASizeMeansEveryDimOfIt) {
  EXPECT_TRUE(Fixed("30522", Table("t"), 0));
  EXPECT_FALSE(Fixed("30522", Table("t"), 1));
}

TEST(FixedDims, AGlobMeansAllDimsOfAnOpItsLayerOrItsScope) {
  EXPECT_TRUE(Fixed("embedding", Table("embedding/table"), 1));
  EXPECT_TRUE(Fixed("emb*/table", Table("embedding/table"), 0));
  EXPECT_TRUE(Fixed("words", Table("t", "words"), 0));
  EXPECT_FALSE(Fixed("embed", Table("embedding/table"), 0));
}

TEST(FixedDims, ANumberBehindTheGlobMeansOneDim) {
  EXPECT_TRUE(Fixed("embedding/table:0", Table("embedding/table"), 0));
  EXPECT_FALSE(Fixed("embedding/table:0", Table("embedding/table"), 1));
  EXPECT_TRUE(Fixed("a:b", Table("a:b"), 1));
}

TEST(FixedDims, NoWordsFixNothing) {
  const auto none = FixedDims({});
  ASSERT_TRUE(none.ok());
  EXPECT_EQ(*none, nullptr);
}

std::string Unmatched(const std::string& word) {
  GraphBuilder b("g");
  b.SetLocation({.item = "embedding"});
  b.Variable(Shape::Of(DType::kF32, {30522, 768}), "embedding/table", true);
  const absl::StatusOr<Graph> graph = b.Build();
  EXPECT_TRUE(graph.ok()) << graph.status();
  const auto words = UnmatchedFixedDims({word}, {&*graph});
  return words.empty() ? "matched" : words.begin()->second;
}

TEST(FixedDims, UnmatchedWordsSayWhatMightBeMeant) {
  EXPECT_EQ(Unmatched("768"), "matched");
  EXPECT_EQ(Unmatched("embedding/*:1"), "matched");
  EXPECT_EQ(Unmatched("30523"), "the nearest size is 30522");
  EXPECT_EQ(Unmatched("embeding"), "did you mean 'embedding'?");
  EXPECT_EQ(Unmatched("embedding/table:2"), "the dims of 'embedding/table' are 0 to 1");
  EXPECT_EQ(Unmatched("nothing:x"), "names are as 'embedding/table'");
}

TEST(FixedDims, WordsThatMeanNothingAreErrors) {
  for (const std::string word : {"", "0", "-3", ":1", "x:-1", "x:64"}) {
    EXPECT_THAT(Message(FixedDims({word}).status()), HasSubstr("fixed-dims")) << word;
  }
}

TEST(FixedDims, AreBoundedInLengthAndNumber) {
  EXPECT_THAT(Message(FixedDims({std::string(100'000, '{')}).status()), HasSubstr("at most 8192"));
  EXPECT_THAT(Message(FixedDims(std::vector<std::string>(1001, "a")).status()),
              HasSubstr("at most 1000"));
}

}  // namespace
}  // namespace tilewise
