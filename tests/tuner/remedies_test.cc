// Changes that make a step fit, tried on a deep model.

#include "tuner/remedies.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graph/text.h"

namespace tilewise {
namespace {

// Residual dense layers of 512 units.
Workload DeepModel(int layers) {
  std::string text = "graph \"deep\" {\n  x0 = f32[N,512] parameter()\n";
  for (int i = 0; i < layers; ++i) {
    text += fmt::format(
        "  w{0} = f32[512,512] variable()\n"
        "  d{0} = f32[N,512] dot(x{0}, w{0}), lhs_contract={{1}}, "
        "rhs_contract={{0}}\n"
        "  e{0} = f32[N,512] logistic(d{0})\n"
        "  t{0} = f32[N,512] tanh(e{0})\n"
        "  x{1} = f32[N,512] add(x{0}, t{0})\n",
        i, i + 1);
  }
  text += fmt::format("  output result x{}\n}}\n", layers);
  const absl::StatusOr<Graph> graph = ParseGraph(text);
  EXPECT_TRUE(graph.ok()) << graph.status();
  Workload workload;
  workload.graph = *graph;
  return workload;
}

Target SmallTarget(Bytes hbm) {
  absl::StatusOr<Target> target = MakeTarget("v3", 8, "");
  EXPECT_TRUE(target.ok()) << target.status();
  target->chip.hbm = target->chip.hbm_reserved + hbm;
  return *target;
}

const Remedy* Find(const std::vector<Remedy>& remedies, std::string_view part) {
  const auto found = std::find_if(remedies.begin(), remedies.end(), [&](const Remedy& remedy) {
    return remedy.change.find(part) != std::string::npos;
  });
  return found == remedies.end() ? nullptr : &*found;
}

class RemediesTest : public ::testing::Test {
 protected:
  std::vector<Remedy> RemediesAt(int64_t batch) const {
    SessionOptions options = options_;
    options.global_batch = batch * target_.batch_shards();
    return FindRemedies(Session(workload_, target_, options), std::nullopt);
  }
  Bytes PeakAt(int64_t batch) const {
    const auto step = Session(workload_, target_, options_).StepAt(batch);
    EXPECT_TRUE(step.ok()) << step.status();
    return step->peak;
  }

  const Workload workload_ = DeepModel(16);
  Target target_ = SmallTarget({int64_t{64} << 20});
  SessionOptions options_;
};

TEST_F(RemediesTest, EachSavesMemory) {
  const Bytes now = PeakAt(4096);
  ASSERT_GT(now, target_.chip.usable_hbm());
  const std::vector<Remedy> remedies = RemediesAt(4096);
  ASSERT_GE(remedies.size(), 5u);
  for (const std::string part : {"--remat full", "bf16", "--mesh fsdp=8", "batch of"}) {
    const Remedy* remedy = Find(remedies, part);
    ASSERT_NE(remedy, nullptr) << part;
    EXPECT_LT(remedy->hbm_peak, now) << part;
    EXPECT_GT(remedy->device_step, Seconds{}) << part;
  }
}

TEST_F(RemediesTest, FindsTheLargestPartOfTheBatchThatFits) {
  const std::vector<Remedy> remedies = RemediesAt(4096);
  const Remedy& smaller = remedies.back();
  EXPECT_TRUE(smaller.fits());
  EXPECT_EQ(4096 % smaller.batch_per_core, 0);
  EXPECT_EQ(smaller.hbm_peak, PeakAt(smaller.batch_per_core));
  EXPECT_GT(PeakAt(smaller.batch_per_core * 2), target_.chip.usable_hbm());
}

TEST_F(RemediesTest, TriesAllTogetherWhenNoneIsEnough) {
  target_ = SmallTarget({int64_t{24} << 20});
  const std::vector<Remedy> remedies = RemediesAt(4096);
  ASSERT_FALSE(Find(remedies, "--remat full")->fits());
  const Remedy* together = Find(remedies, "together");
  ASSERT_NE(together, nullptr);
  EXPECT_LT(together->hbm_peak, Find(remedies, "--remat full")->hbm_peak);
}

TEST_F(RemediesTest, TriesPartsOfTheBatchAndMoreCores) {
  const Bytes now = PeakAt(4096);
  const std::vector<Remedy> remedies = RemediesAt(4096);
  for (const std::string part : {"--gradient-accumulation", "--cores"}) {
    const Remedy* remedy = Find(remedies, part);
    ASSERT_NE(remedy, nullptr) << part;
    EXPECT_LT(remedy->hbm_peak, now) << part;
  }
  EXPECT_EQ(Find(remedies, "tiles"), nullptr);
  EXPECT_EQ(Find(remedies, "flash"), nullptr);
}

TEST_F(RemediesTest, LeavesOutWhatDoesNotApply) {
  options_.training = false;
  target_.cores = target_.mesh.data = 1;
  const std::vector<Remedy> remedies = RemediesAt(4096);
  EXPECT_EQ(Find(remedies, "remat"), nullptr);
  EXPECT_EQ(Find(remedies, "fsdp"), nullptr);
}

}  // namespace
}  // namespace tilewise
