// Searches over settings: what is left out is never the best, and the same
// search gives the same trials.

#include <algorithm>
#include <random>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tuner/classifier.h"
#include "tuner/strategy.h"
#include "tuner/tuner.h"

namespace tilewise {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

Tuning Search(const Workload& workload, const SearchSpace& space, std::string_view chip = "v3") {
  const Target target = *MakeTarget(chip, 0, "");
  const Session session(workload, target, {});
  absl::StatusOr<Tuning> tuning = Tune(session, space, Progress{});
  EXPECT_TRUE(tuning.ok()) << tuning.status();
  return *std::move(tuning);
}

std::string Best(const Tuning& tuning) {
  if (!tuning.best) return "none";
  return fmt::format("{} x {} {}", tuning.best->global_batch, tuning.best->steps_per_execution,
                     tuning.changes);
}

// A space with some of the knobs, batches and steps per execution.
SearchSpace RandomSpace(std::mt19937& engine) {
  const auto roll = [&](int64_t least, int64_t most) {
    return least + static_cast<int64_t>(engine() % static_cast<uint64_t>(most - least + 1));
  };
  SearchSpace space;
  const int64_t first = roll(1, 64);
  const int64_t stride = roll(1, 400);
  for (int64_t i = roll(3, 8); i > 0; --i) space.batch_per_core.push_back(first + i * stride);
  for (int64_t i = 1; i <= roll(1, 12); ++i) space.steps_per_execution.push_back(i * roll(1, 3));
  std::ranges::sort(space.steps_per_execution);
  if (roll(0, 2) == 0) space.knobs.push_back({"precision", {}});
  if (roll(0, 3) == 0) space.knobs.push_back({"remat", {"none", "full"}});
  if (roll(0, 3) == 0) space.knobs.push_back({"accumulation", {"1", "2"}});
  if (roll(0, 4) == 0) space.knobs.push_back({"cores", {"8", "16"}});
  if (roll(0, 2) == 0) {
    space.objective.kind = Objective::Kind::kCost;
    space.objective.price = {{"v3", 2.0}};
  } else if (roll(0, 2) == 0) {
    space.objective.kind = Objective::Kind::kLatency;
  }
  return space;
}

TEST(Search, PrunedChoosesWhatExhaustiveDoes) {
  std::mt19937 engine(7);
  int64_t pruned = 0;
  for (int i = 0; i < 500; ++i) {
    const Workload workload =
        Classifier(16 + static_cast<int64_t>(engine() % 8000), 8 + engine() % 8000);
    SearchSpace space = RandomSpace(engine);
    const Tuning grid = Search(workload, space);
    space.strategy = "exhaustive";
    const Tuning all = Search(workload, space);
    EXPECT_EQ(Best(grid), Best(all)) << "space " << i;
    EXPECT_LE(grid.effort.simulated, all.effort.simulated) << "space " << i;
    pruned += grid.effort.pruned;
  }
  EXPECT_GT(pruned, 0);
}

TEST(Search, TheSameSeedGivesTheSameTrials) {
  const Workload workload = Classifier(300, 200);
  for (const StrategyInfo& strategy : Strategies()) {
    SearchSpace space;
    space.knobs = {{"precision", {}}, {"remat", {}}, {"cores", {}}};
    space.strategy = strategy.name;
    space.most_trials = 20;
    const Tuning first = Search(workload, space);
    const Tuning second = Search(workload, space);
    EXPECT_EQ(Best(first), Best(second)) << strategy.name;
    EXPECT_EQ(first.curve.size(), second.curve.size()) << strategy.name;
    EXPECT_EQ(first.effort.simulated, second.effort.simulated) << strategy.name;
  }
}

TEST(Search, StrategiesTryNoMoreThanTheyMayAndBoundTheRest) {
  const Workload workload = Classifier(300, 200);
  for (const char* strategy : {"coordinate", "halving", "random"}) {
    SearchSpace space;
    space.knobs = {{"precision", {}}, {"remat", {}}, {"accumulation", {}}};
    space.strategy = strategy;
    space.most_trials = 12;
    const Tuning tuning = Search(workload, space);
    EXPECT_LE(tuning.effort.candidates, 12) << strategy;
    ASSERT_TRUE(tuning.best.has_value()) << strategy;
    EXPECT_TRUE(tuning.effort.untried_at_most.has_value()) << strategy;
  }
}

// 65,536 examples per core need 34 GB for each result of a layer, unless they run in parts.
TEST(Search, StrategiesFindWhatFitsWhereTheOwnSettingDoesNot) {
  const Workload workload = Classifier(16, 1 << 17);
  SearchSpace space;
  space.knobs = {{"accumulation", {"1", "32"}}, {"remat", {"none", "full"}}};
  space.batch_per_core = {1 << 16};
  space.max_global_batch = 1 << 20;
  space.most_trials = 8;
  for (const char* strategy : {"grid", "coordinate", "halving"}) {
    space.strategy = strategy;
    const Tuning tuning = Search(workload, space);
    ASSERT_TRUE(tuning.best.has_value()) << strategy;
    EXPECT_EQ(tuning.parts, 32) << strategy;
  }
}

TEST(ExplainChoice, DoesNotSayOfWhatWasNotTriedThatItDoesNotFit) {
  Tuning tuning;
  tuning.curve.emplace_back();
  tuning.effort.candidates = 64;
  EXPECT_THAT(ExplainChoice(tuning), HasSubstr("no batch size fits"));
  tuning.effort.complete = false;
  EXPECT_THAT(ExplainChoice(tuning), HasSubstr("none of the 64 candidates that were tried fits"));
}

TEST(Search, ComparesMachinesAndMarksThoseThatNoOtherBeats) {
  SearchSpace space;
  space.knobs = {{"chip", {"v3", "v5e"}}, {"cores", {"8", "16"}}};
  space.objective.price = {{"v3", 2.0}, {"v5e", 1.2}};
  const Tuning tuning = Search(Classifier(784, 4096), space);
  ASSERT_EQ(tuning.contenders.size(), 4u);
  for (const Contender& contender : tuning.contenders) {
    ASSERT_TRUE(contender.cost.has_value());
    const bool beaten = std::ranges::any_of(tuning.contenders, [&](const Contender& other) {
      return Throughput(other.trial) > Throughput(contender.trial) && *other.cost < *contender.cost;
    });
    EXPECT_FALSE(beaten && contender.on_front) << contender.machine;
  }
  EXPECT_TRUE(tuning.contenders.front().on_front);
}

TEST(Search, CostWantsAPrice) {
  const Workload workload = Classifier(64, 64);
  const Target target = *MakeTarget("v3", 8, "");
  const Session session(workload, target, {});
  SearchSpace space;
  space.objective.kind = Objective::Kind::kCost;
  EXPECT_THAT(std::string(Tune(session, space, {}).status().message()), HasSubstr("--price v3=N"));
}

TEST(Search, SaysWhatItLeavesOutAndWhatChangesNothing) {
  SearchSpace space;
  space.knobs = {{"cores", {"7", "16"}}, {"attention", {}}, {"remat", {"none", "full"}}};
  const Tuning tuning = Search(Classifier(64, 64), space);
  EXPECT_THAT(tuning.constraints, AllOf(Contains(HasSubstr("--search cores leaves out 7")),
                                        Contains(HasSubstr("--search attention changes nothing")),
                                        Not(Contains(HasSubstr("remat")))));
}

TEST(Search, AnExecutionEndsWithTheEpoch) {
  SearchSpace space;
  space.batch_per_core = {8};
  space.steps_per_execution = {2, 50, 100};
  const Workload workload = Classifier(64, 64);
  const Target target = *MakeTarget("v3", 8, "");
  const Session session(workload, target, {.steps_per_epoch = 10});
  const absl::StatusOr<Tuning> tuning = Tune(session, space, {});
  ASSERT_TRUE(tuning.ok()) << tuning.status();
  ASSERT_EQ(tuning->executions.size(), 2u);
  EXPECT_EQ(tuning->executions.back().steps_per_execution, 10);
  EXPECT_THAT(tuning->constraints, Contains(HasSubstr("more steps than an epoch")));
}

TEST(Search, MisspeltKnobsAndValuesAreErrors) {
  const Workload workload = Classifier(64, 64);
  const Target target = *MakeTarget("v3", 8, "");
  const Session session(workload, target, {});
  const auto message = [&](const KnobChoice& choice) {
    SearchSpace space;
    space.knobs = {choice};
    return std::string(Tune(session, space, {}).status().message());
  };
  EXPECT_THAT(message({"rematt", {}}), HasSubstr("found 'rematt'"));
  EXPECT_THAT(message({"accumulation", {"two"}}), HasSubstr("found 'two'"));
  EXPECT_THAT(message({"precision", {"f8"}}), HasSubstr("expected own or bf16"));
  EXPECT_THAT(message({"chip", {"v9"}}), HasSubstr("--search chip: found chip 'v9'"));
  EXPECT_THAT(message({"mesh", {"fsdp=3"}}), HasSubstr("none of the values (fsdp=3)"));
}

}  // namespace
}  // namespace tilewise
