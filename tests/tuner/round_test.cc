// The order in which processes get the candidates of a round.

#include "tuner/round.h"

#include <gtest/gtest.h>

#include "tests/tuner/classifier.h"

namespace tilewise {
namespace {

class RoundTest : public ::testing::Test {
 protected:
  RoundTest() {
    search_.knobs = {{"chip", {"v2", "v3"}}};
    space_ = *Space::Make(session_, search_);
    candidates_ = {{.setting = 0, .batch_per_core = 8},
                   {.setting = 0, .batch_per_core = 16},
                   {.setting = 1, .batch_per_core = 8},
                   {.setting = 1, .batch_per_core = 16}};
  }

  const Workload workload_ = Classifier(784, 900);
  const Target target_ = *MakeTarget("v3", 0, "");
  const Session session_{workload_, target_, {}};
  SearchSpace search_;
  std::unique_ptr<const Space> space_;
  std::vector<Candidate> candidates_;
};

TEST_F(RoundTest, AProcessGetsFirstWhatItHasPartitionedThenWhatNobodyHasThenTheRest) {
  ASSERT_EQ(space_->settings(), 2);
  ASSERT_EQ(space_->partition(0), space_->partition(1));
  Round::Owners owners;
  Round round(*space_, candidates_, nullptr);
  round.ShareOut(&owners);
  EXPECT_EQ(round.Take(Round::Taker::kOther, 1), 0u);
  EXPECT_EQ(round.Take(Round::Taker::kOther, 2), 1u);
  EXPECT_EQ(round.Take(Round::Taker::kOther, 2), 3u);
  EXPECT_EQ(round.Take(Round::Taker::kOther, 2), 2u) << "none idles";
  EXPECT_EQ(round.Take(Round::Taker::kOther, 1), std::nullopt);
  Round next(*space_, candidates_, nullptr);
  next.ShareOut(&owners);
  EXPECT_EQ(next.Take(Round::Taker::kOther, 2), 1u) << "owners are those of earlier rounds";
}

TEST_F(RoundTest, OneProcessGetsThemInTheirOrder) {
  Round round(*space_, candidates_, nullptr);
  for (size_t i = 0; i < candidates_.size(); ++i) {
    EXPECT_EQ(round.Take(Round::Taker::kThisProcess), i);
  }
}

}  // namespace
}  // namespace tilewise
