// Suggestions come for slips of the finger, and only for them.

#include "base/nearest_name.h"

#include <array>

#include <gtest/gtest.h>

namespace tilewise {
namespace {

const std::array<std::string, 5> kKnown = {"v2", "v3", "v5e", "trillium", "prefetch-not-last"};

TEST(NearestName, FindsTheNearestOfThem) {
  EXPECT_EQ(NearestName("v33", kKnown), "v3");
  EXPECT_EQ(NearestName("trilium", kKnown), "trillium");
  EXPECT_EQ(NearestName("prefetch-not-lats", kKnown), "prefetch-not-last");
}

TEST(NearestName, TakesTheFirstOfEquals) { EXPECT_EQ(NearestName("v9", kKnown), "v2"); }

TEST(NearestName, IgnoresLetterCase) { EXPECT_EQ(NearestName("V5E", kKnown), "v5e"); }

TEST(NearestName, AllowsOneEditInThreeLettersAndTwoInFour) {
  const std::array<std::string, 1> known = {"adam"};
  EXPECT_EQ(NearestName("adm", known), "adam");
  EXPECT_EQ(NearestName("ada", known), "adam");
  EXPECT_EQ(NearestName("ad", known), std::nullopt);
  EXPECT_EQ(NearestName("aadm", known), "adam");
  EXPECT_EQ(NearestName("sgdx", known), std::nullopt);
}

TEST(NearestName, IsNothingForLongInputAndEmptyLists) {
  const std::array<std::string, 1> known = {std::string(65, 'a')};
  EXPECT_EQ(NearestName(known[0], known), std::nullopt);
  EXPECT_EQ(NearestName("v3", {}), std::nullopt);
}

TEST(DidYouMean, EndsAMessageOrAddsNothing) {
  EXPECT_EQ(DidYouMean("v33", kKnown), "; did you mean 'v3'?");
  EXPECT_EQ(DidYouMean("laptop", kKnown), "");
}

}  // namespace
}  // namespace tilewise
