// Changes that make a step fit, tried on a deep model.

#include "tuner/ways_to_fit.h"

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

const FitTrial* Find(const std::vector<FitTrial>& trials, std::string_view part) {
  const auto found = std::find_if(trials.begin(), trials.end(), [&](const FitTrial& trial) {
    return trial.change.find(part) != std::string::npos;
  });
  return found == trials.end() ? nullptr : &*found;
}

class WaysToFitTest : public ::testing::Test {
 protected:
  std::vector<FitTrial> Ways(int64_t batch) const {
    SessionOptions options = options_;
    options.global_batch = batch * target_.batch_shards();
    return WaysToFit(Session(workload_, target_, options), std::nullopt);
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

TEST_F(WaysToFitTest, EachSavesMemory) {
  const Bytes now = PeakAt(4096);
  ASSERT_GT(now, target_.chip.usable_hbm());
  const std::vector<FitTrial> trials = Ways(4096);
  ASSERT_GE(trials.size(), 5u);
  for (const std::string part : {"--remat full", "bf16", "--mesh fsdp=8", "batch of"}) {
    const FitTrial* trial = Find(trials, part);
    ASSERT_NE(trial, nullptr) << part;
    EXPECT_LT(trial->hbm_peak, now) << part;
    EXPECT_GT(trial->device_step, Seconds{}) << part;
  }
}

TEST_F(WaysToFitTest, FindsTheLargestPartOfTheBatchThatFits) {
  const std::vector<FitTrial> trials = Ways(4096);
  const FitTrial& smaller = trials.back();
  EXPECT_TRUE(smaller.fits());
  EXPECT_EQ(4096 % smaller.batch_per_core, 0);
  EXPECT_EQ(smaller.hbm_peak, PeakAt(smaller.batch_per_core));
  EXPECT_GT(PeakAt(smaller.batch_per_core * 2), target_.chip.usable_hbm());
}

TEST_F(WaysToFitTest, TriesAllTogetherWhenNoneIsEnough) {
  target_ = SmallTarget({int64_t{24} << 20});
  const std::vector<FitTrial> trials = Ways(4096);
  ASSERT_FALSE(Find(trials, "--remat full")->fits());
  const FitTrial* together = Find(trials, "together");
  ASSERT_NE(together, nullptr);
  EXPECT_LT(together->hbm_peak, Find(trials, "--remat full")->hbm_peak);
}

TEST_F(WaysToFitTest, TriesPartsOfTheBatchAndMoreCores) {
  const Bytes now = PeakAt(4096);
  const std::vector<FitTrial> trials = Ways(4096);
  for (const std::string part : {"--gradient-accumulation", "--cores"}) {
    const FitTrial* trial = Find(trials, part);
    ASSERT_NE(trial, nullptr) << part;
    EXPECT_LT(trial->hbm_peak, now) << part;
  }
  EXPECT_EQ(Find(trials, "tiles"), nullptr);
  EXPECT_EQ(Find(trials, "flash"), nullptr);
}

TEST_F(WaysToFitTest, LeavesOutWhatDoesNotApply) {
  options_.training = false;
  target_.cores = target_.mesh.data = 1;
  const std::vector<FitTrial> trials = Ways(4096);
  EXPECT_EQ(Find(trials, "remat"), nullptr);
  EXPECT_EQ(Find(trials, "fsdp"), nullptr);
}

}  // namespace
}  // namespace tilewise
