// What the tuner chooses and why, on graphs small enough to reason about.

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graph/text.h"
#include "tuner/tuner.h"

namespace tilewise {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

// A dense classifier; `width` sets its weights.
Workload Classifier(int width) {
  const std::string text =
      "graph \"mlp\" {\n"
      "  x = f32[N,784] parameter()\n"
      "  w1 = f32[784," +
      std::to_string(width) +
      "] variable()\n"
      "  h = f32[N," +
      std::to_string(width) +
      "] dot(x, w1), lhs_contract={1}, rhs_contract={0}\n"
      "  t = f32[N," +
      std::to_string(width) +
      "] tanh(h)\n"
      "  w2 = f32[" +
      std::to_string(width) +
      ",10] variable()\n"
      "  y = f32[N,10] dot(t, w2), lhs_contract={1}, rhs_contract={0}\n"
      "  output result y\n"
      "}\n";
  absl::StatusOr<Graph> graph = ParseGraph(text);
  EXPECT_TRUE(graph.ok()) << graph.status();
  Workload workload;
  workload.name = "mlp";
  workload.graph = *std::move(graph);
  workload.host_loop.framework = Framework::kKeras;
  return workload;
}

Target V2() { return *MakeTarget("v2", 8, ""); }

Tuning TuneClassifier(const Workload& workload, const SearchSpace& space,
                      std::optional<int64_t> examples = std::nullopt) {
  const Target target = V2();
  const Session session(workload, target, {.examples_per_epoch = examples});
  absl::StatusOr<Tuning> tuning = Tune(session, space, Progress{});
  EXPECT_TRUE(tuning.ok()) << tuning.status();
  return *std::move(tuning);
}

TEST(Tune, ChoosesTheSmallestPointWithinOnePercentOfTheBest) {
  const Tuning tuning = TuneClassifier(Classifier(512), {}, 60000);
  ASSERT_TRUE(tuning.best.has_value());
  for (const Trial& trial : tuning.curve) {
    if (!trial.fits || !trial.allowed) continue;
    EXPECT_LE(Throughput(trial), Throughput(*tuning.best) / 0.99 + 1);
    if (trial.batch_per_core < tuning.best->batch_per_core) {
      EXPECT_LT(Throughput(trial), Throughput(*tuning.best));
    }
  }
}

TEST(Tune, NamesWhatIsNextBest) {
  const Tuning tuning = TuneClassifier(Classifier(512), {}, 60000);
  ASSERT_TRUE(tuning.best.has_value() && tuning.runner_up.has_value());
  const Trial& next = tuning.runner_up->trial;
  EXPECT_NE(next.batch_per_core, tuning.best->batch_per_core);
  EXPECT_DOUBLE_EQ(tuning.runner_up->score, Throughput(next) / Throughput(*tuning.best));
  for (const Trial& trial : tuning.curve) {
    if (!trial.sure || !trial.allowed || trial.batch_per_core == tuning.best->batch_per_core) {
      continue;
    }
    EXPECT_LE(0.99 * Throughput(trial), Throughput(next));
  }
  EXPECT_THAT(ExplainRunnerUp(tuning), testing::HasSubstr(", as good"));
}

TEST(Tune, NeverChoosesMoreThanTheDataSetAllows) {
  const Tuning tuning = TuneClassifier(Classifier(256), {}, 8000);
  ASSERT_TRUE(tuning.best.has_value());
  EXPECT_LE(tuning.best->global_batch, 1600);
  EXPECT_LE(tuning.best->steps_per_execution, tuning.best->loop.steps_per_epoch);
}

TEST(Tune, KeepsStepsPerExecutionAtOneUnderACallbackOnBatches) {
  Workload workload = Classifier(256);
  workload.host_loop.callbacks.push_back(
      {.name = "ModelCheckpoint", .location = {.file = "t.py", .line = 9}, .per_batch = true});
  const Tuning tuning = TuneClassifier(workload, {}, 60000);
  ASSERT_TRUE(tuning.best.has_value());
  EXPECT_EQ(tuning.best->steps_per_execution, 1);
  EXPECT_THAT(tuning.constraints, ::testing::Contains(HasSubstr("ModelCheckpoint at t.py:9")));
}

TEST(Tune, ReportsOutOfMemoryPointsWithTheirLargestBuffers) {
  SearchSpace space;
  space.batch_per_core = {8, 1 << 20};
  const Tuning tuning = TuneClassifier(Classifier(4096), space);
  ASSERT_EQ(tuning.curve.size(), 2u);
  EXPECT_TRUE(tuning.curve[0].fits);
  const Trial& too_large = tuning.curve[1];
  EXPECT_FALSE(too_large.fits);
  EXPECT_GT(too_large.hbm_peak, too_large.hbm_available);
  ASSERT_FALSE(too_large.largest.empty());
  EXPECT_GE(too_large.largest.front().all_padded(), too_large.largest.back().all_padded());
  EXPECT_GE(too_large.largest[0].padded, too_large.largest[0].unpadded);
}

// As language models of long sequences are.
TEST(Tune, GoesBelowTheSublanesWhenEightExamplesDoNotFit) {
  absl::StatusOr<Graph> graph = ParseGraph(R"(graph "long" {
    x = f32[N,262144,128] parameter()
    w1 = f32[128,1024] variable()
    h = f32[N,262144,1024] dot(x, w1), lhs_contract={2}, rhs_contract={0}
    t = f32[N,262144,1024] tanh(h)
    w2 = f32[1024,128] variable()
    y = f32[N,262144,128] dot(t, w2), lhs_contract={2}, rhs_contract={0}
    output result y
  })");
  ASSERT_TRUE(graph.ok()) << graph.status();
  Workload workload;
  workload.graph = *std::move(graph);
  const Tuning tuning = TuneClassifier(workload, SearchSpace{});
  ASSERT_TRUE(tuning.best.has_value());
  EXPECT_LT(tuning.best->batch_per_core, 8);
  EXPECT_EQ(tuning.curve.front().batch_per_core, 1);
  EXPECT_FALSE(tuning.curve.back().fits);
}

TEST(Tune, SaysSoWhenNothingFits) {
  SearchSpace space;
  space.batch_per_core = {1 << 21};
  const Tuning tuning = TuneClassifier(Classifier(4096), space);
  EXPECT_FALSE(tuning.best.has_value());
  EXPECT_THAT(tuning.why, HasSubstr("no batch size fits"));
}

TEST(Tune, SaysWhenALimitAndNotTheMemoryLeavesNoBatch) {
  SearchSpace space;
  space.batch_per_core = {64};
  space.max_global_batch = 256;
  const Tuning tuning = TuneClassifier(Classifier(64), space);
  EXPECT_FALSE(tuning.best.has_value());
  EXPECT_THAT(tuning.why, HasSubstr("512 (64 per core), is beyond the constraints"));
}

// A shorter step is a gain where latency is asked for, whatever the rate of examples.
TEST(Tune, ComparesWithThePresentSettingByWhatIsToBeBest) {
  const Workload workload = Classifier(4096);
  const Target target = V2();
  const Session session(workload, target, {.global_batch = 1 << 15, .training = false});
  SearchSpace space;
  space.objective.kind = Objective::Kind::kLatency;
  const absl::StatusOr<Tuning> tuning = Tune(session, space, Progress{});
  ASSERT_TRUE(tuning.ok()) << tuning.status();
  ASSERT_TRUE(tuning->best.has_value() && tuning->current.has_value());
  EXPECT_LT(tuning->best->global_batch, 1 << 15);
  EXPECT_GT(GainOf(*tuning), 1.05);
  EXPECT_THAT(tuning->why, HasSubstr("where the present setting takes"));
}

TEST(GainOf, CountsTheMoneyWhereThatIsToBeSaved) {
  Tuning tuning;
  tuning.current.emplace().loop.examples_per_second = 100;
  tuning.best.emplace().loop.examples_per_second = 80;
  EXPECT_DOUBLE_EQ(GainOf(tuning), 0.8);
  tuning.objective.kind = Objective::Kind::kCost;
  tuning.cheaper = 2;
  EXPECT_DOUBLE_EQ(GainOf(tuning), 1.6);
}

// What the compiler makes again for the larger batch it can make again for the smaller.
TEST(Tune, ABatchIsAsSureToFitAsALargerOneOfItsSetting) {
  const auto trial = [](int32_t setting, int64_t batch, double certainty, bool fits = true) {
    Trial made;
    made.setting = setting;
    made.batch_per_core = batch;
    made.certainty = certainty;
    made.fits = fits;
    made.sure = fits && certainty >= 0.95;
    return made;
  };
  std::vector<Trial> trials = {trial(0, 8, 0.9), trial(0, 16, 0.97), trial(0, 32, 0.6),
                               trial(0, 64, 0, false), trial(1, 8, 0.8)};
  LetSmallerBeAsSure(trials);
  EXPECT_TRUE(trials[0].sure);
  EXPECT_DOUBLE_EQ(trials[0].certainty, 0.97);
  EXPECT_FALSE(trials[2].sure);
  EXPECT_FALSE(trials[3].fits);
  EXPECT_FALSE(trials[4].sure);
}

// Half of published peaks are above the simulated one.
SearchSpace Uncertain(double certainty, double high = 4) {
  SearchSpace space;
  const ErrorRange range{
      .low = 0.5, .high = high, .lower_third = 0.9, .upper_third = 1.1, .rows = 40};
  space.memory_range = [range](bool, std::string_view) { return range; };
  space.certainty = certainty;
  return space;
}

TEST(Tune, RecommendsOnlyWhatFitsWithTheCertainty) {
  for (const double certainty : {0.5, 0.8, 0.95}) {
    const Tuning tuning = TuneClassifier(Classifier(4096), Uncertain(certainty));
    ASSERT_TRUE(tuning.best.has_value());
    EXPECT_GE(tuning.best->certainty, certainty);
    EXPECT_TRUE(tuning.best->sure);
    for (const Trial& trial : tuning.curve) {
      EXPECT_EQ(trial.sure, trial.fits && trial.certainty >= certainty);
    }
  }
}

TEST(Tune, RecommendsTheSurestWhereNoneIsSure) {
  const SearchSpace space = Uncertain(0.95, 1e9);
  const Tuning tuning = TuneClassifier(Classifier(4096), space);
  ASSERT_TRUE(tuning.best.has_value());
  EXPECT_FALSE(tuning.best->sure);
  for (const Trial& trial : tuning.curve) EXPECT_LE(trial.certainty, tuning.best->certainty);
  EXPECT_THAT(tuning.why, HasSubstr("no batch size is 95 % sure to fit"));
}

TEST(Tune, TriesBatchesBetweenTheLastSureOneAndTheNext) {
  const Tuning sure = TuneClassifier(Classifier(4096), Uncertain(0.95));
  const int64_t best = sure.best->batch_per_core;
  EXPECT_TRUE(std::is_sorted(
      sure.curve.begin(), sure.curve.end(),
      [](const Trial& a, const Trial& b) { return a.batch_per_core < b.batch_per_core; }));
  for (const Trial& trial : sure.curve) {
    if (trial.batch_per_core > best && trial.sure && trial.allowed) {
      EXPECT_LE(Throughput(trial), Throughput(*sure.best) / 0.99 + 1);
    }
  }
}

TEST(Tune, NeedsAModel) {
  const Workload workload;
  const Target target = V2();
  const Session session(workload, target, {});
  EXPECT_FALSE(Tune(session, SearchSpace{}, Progress{}).ok());
}

TEST(ExplainLearningRate, ScalesLinearlyForMomentumAndByRootForAdam) {
  TrainingSpec spec;
  spec.optimizer = OptimizerKind::kMomentum;
  EXPECT_THAT(ExplainLearningRate(256, 1024, spec),
              HasSubstr("(4x): scale the learning rate by the same factor"));
  spec.optimizer = OptimizerKind::kAdam;
  EXPECT_THAT(ExplainLearningRate(256, 1024, spec), HasSubstr("square root, 2x"));
  EXPECT_THAT(ExplainLearningRate(256, 256, spec), IsEmpty());
}

}  // namespace
}  // namespace tilewise
