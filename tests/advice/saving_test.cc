// Savings, against runs of the changed program, and what fixes reach together.

#include "advice/saving.h"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rules/rule.h"
#include "tests/program/analysed.h"

namespace tilewise {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::string Pooling(std::string_view pool) {
  return fmt::format(R"(graph "pooling" {{
  x = f32[N,32,32,128] parameter()
  k1 = f32[3,3,128,128] variable()
  c1 = f32[N,32,32,128] convolution(x, k1), window={{size=3x3 pad=1_1x1_1}}
  {}
  k2 = f32[3,3,128,128] variable()
  c2 = f32[N,16,16,128] convolution(p, k2), window={{size=3x3 pad=1_1x1_1}}
  s = f32[N,128] reduce(c2), dims={{1,2}}, reducer=sum
  output result s
}})",
                     pool);
}

const std::string kMaxPooling = Pooling(
    "p = f32[N,16,16,128] reduce-window(c1), reducer=max, "
    "window={size=2x2 stride=2x2}");
const std::string kAveragePooling = Pooling(
    "q = f32[N,16,16,128] reduce-window(c1), reducer=sum, "
    "window={size=2x2 stride=2x2}\n"
    "  quarter = f32[] constant(), value=0.25\n"
    "  all = f32[N,16,16,128] broadcast(quarter)\n"
    "  p = f32[N,16,16,128] multiply(q, all)");

SessionOptions Batch(int64_t global_batch) {
  SessionOptions options;
  options.global_batch = global_batch;
  return options;
}

RuleRun Lint(const Analysed& analysed, const std::vector<std::string>& select, int threads = 0) {
  RuleSelection selection;
  selection.select = select;
  RunOptions options;
  options.threads = threads;
  return RunRules(analysed.facts(), selection, options);
}

const Diagnostic& Only(const RuleRun& run, const std::string& rule) {
  const auto found = std::ranges::find(run.findings, rule, &Diagnostic::rule);
  if (found != run.findings.end()) return *found;
  ADD_FAILURE() << "no finding of " << rule;
  static const Diagnostic none;
  return none;
}

TEST(Saving, IsTheDifferenceOfTwoRuns) {
  const auto with_max = AnalyseGraph(kMaxPooling, Batch(1024));
  const auto with_mean = AnalyseGraph(kAveragePooling, Batch(1024));
  const RuleRun run = Lint(*with_max, {"OP001"});
  const Diagnostic& finding = Only(run, "OP001");
  ASSERT_TRUE(finding.saving);
  const Seconds expected = with_max->facts().StepTime() - with_mean->facts().StepTime();
  EXPECT_NE(expected, Seconds{});
  EXPECT_DOUBLE_EQ(finding.saving->time_per_step.value, expected.value);
  EXPECT_DOUBLE_EQ(finding.saving->share_of_step, expected / with_max->facts().StepTime());
  EXPECT_FALSE(finding.saving->of_wall_step);
  EXPECT_EQ(finding.saving->hbm, with_max->facts().model->program.memory.peak -
                                     with_mean->facts().model->program.memory.peak);
  EXPECT_TRUE(finding.fix.changes_numerics);
}

TEST(Saving, IsNothingWhenTheChangeIsTheGraphItself) {
  const auto analysed = AnalyseGraph(kMaxPooling, Batch(1024));
  Change same;
  const Graph& graph = *analysed->facts().source;
  for (const Op& op : graph.ops()) {
    same.replace[op.id] = [](GraphBuilder& builder, const Op& old, std::span<const OpId> operands) {
      return builder.Clone(old, {operands.begin(), operands.end()});
    };
  }
  const Outcome now = analysed->With({});
  const Saving saving = SavingOf(analysed->facts(), now, analysed->With(same), same);
  EXPECT_EQ(saving.time_per_step, Seconds{});
  EXPECT_EQ(saving.hbm, Bytes{});
  EXPECT_EQ(now.step, analysed->facts().StepTime());
}

TEST(Saving, OfAnotherBatchIsPerExample) {
  const auto small = AnalyseGraph(kMaxPooling, Batch(100 * 8));
  const auto large = AnalyseGraph(kMaxPooling, Batch(104 * 8));
  Change change;
  change.batch_per_core = 104;
  const Outcome now = small->With({});
  const Outcome then = small->With(change);
  EXPECT_DOUBLE_EQ(then.step.value, large->facts().StepTime().value);
  EXPECT_EQ(then.global_batch, 104 * 8);
  const Saving saving = SavingOf(small->facts(), now, then, change);
  EXPECT_TRUE(saving.of_wall_step);
  const Seconds wall_small = small->facts().loop->step;
  const Seconds wall_large = large->facts().loop->step;
  EXPECT_NEAR(saving.time_per_step.value, (wall_small - wall_large * (100.0 / 104)).value,
              1e-9 * wall_small.value);
}

TEST(Saving, OfMoreStepsPerExecutionIsOfTheWallStep) {
  const auto analysed = AnalyseGraph(kMaxPooling, Batch(64));
  SessionOptions options = Batch(64);
  options.steps_per_execution = 50;
  const auto fifty = AnalyseGraph(kMaxPooling, options);
  Change change;
  change.steps_per_execution = 50;
  const Saving saving =
      SavingOf(analysed->facts(), analysed->With({}), analysed->With(change), change);
  EXPECT_TRUE(saving.of_wall_step);
  EXPECT_GT(saving.time_per_step, Seconds{});
  EXPECT_NEAR(saving.time_per_step.value,
              (analysed->facts().loop->step - fifty->facts().loop->step).value, 1e-12);
}

std::string Classifier(std::string_view policy) {
  return fmt::format(R"(import tensorflow as tf
tf.keras.mixed_precision.set_global_policy("{}")
resolver = tf.distribute.cluster_resolver.TPUClusterResolver()
strategy = tf.distribute.TPUStrategy(resolver)
(x, y), _ = tf.keras.datasets.cifar10.load_data()
train_ds = tf.data.Dataset.from_tensor_slices((x, y)).cache().batch(4096, drop_remainder=True).prefetch(2)
with strategy.scope():
    model = tf.keras.Sequential([
        tf.keras.layers.Conv2D(128, 3, activation="relu", input_shape=(32, 32, 3)),
        tf.keras.layers.BatchNormalization(),
        tf.keras.layers.Conv2D(128, 3, activation="relu"),
        tf.keras.layers.BatchNormalization(),
        tf.keras.layers.GlobalAveragePooling2D(),
        tf.keras.layers.Dense(10, activation="softmax", dtype="float32"),
    ])
    model.compile(optimizer="adam", loss="sparse_categorical_crossentropy")
model.fit(train_ds, epochs=20)
)",
                     policy);
}

TEST(Saving, OfBfloat16IsThatOfTheKerasPolicy) {
  const auto full = AnalyseProgram(Classifier("float32"));
  const auto mixed = AnalyseProgram(Classifier("mixed_bfloat16"));
  Change change;
  change.compute_type = DType::kBF16;
  const Outcome then = full->With(change);
  const Seconds expected = mixed->facts().StepTime();
  EXPECT_LT(expected, full->facts().StepTime() * 0.9);
  EXPECT_NEAR(then.step / expected, 1, 0.02);
  EXPECT_NEAR(static_cast<double>(then.peak.value) /
                  static_cast<double>(mixed->facts().model->program.memory.peak.value),
              1, 0.05);
}

// A partial last batch makes the mean of all steps another than a full one.
// An input that is hardly faster than the step hides what a faster step saves.
TEST(Saving, OfAStepThatTheInputPacesIsAlsoThatOfOneThatIsFed) {
  const auto paced = AnalyseProgram(R"(
import tensorflow as tf
(x, y), _ = tf.keras.datasets.cifar10.load_data()
data = tf.data.Dataset.from_tensor_slices((x, y)).cache().shuffle(50000)
data = data.map(lambda x, y: (tf.image.resize(x, (224, 224)), y), tf.data.AUTOTUNE)
data = data.batch(1024, drop_remainder=True).prefetch(tf.data.AUTOTUNE)
model = tf.keras.applications.ResNet50(weights=None, classes=10)
model.compile("sgd", "sparse_categorical_crossentropy")
model.fit(data, epochs=9)
)");
  const Seconds device = paced->facts().loop->device_step;
  for (Stage& stage : paced->workload.pipelines.at(0).stages) {
    if (stage.kind != StageKind::kMap) continue;
    stage.measured.per_example = device * (0.9 * paced->target.host.busy_cores() / 1024);
  }
  paced->session = *MakeSession(paced->workload, paced->target, {});
  const LoopTimeline& loop = *paced->facts().loop;
  EXPECT_LT(loop.input, device);
  EXPECT_GT(loop.input, device * 0.8);
  const Diagnostic finding = Only(Lint(*paced, {"PR001"}), "PR001");
  EXPECT_THAT(finding.fix.text, testing::HasSubstr("once the input keeps up this saves"));
}

TEST(Saving, OfStepsPerExecutionIsTheCostOfTheFinding) {
  const auto analysed = AnalyseProgram(R"(import tensorflow as tf
resolver = tf.distribute.cluster_resolver.TPUClusterResolver()
strategy = tf.distribute.TPUStrategy(resolver)
(x, y), _ = tf.keras.datasets.cifar10.load_data()
train_ds = tf.data.Dataset.from_tensor_slices((x, y)).cache().batch(1024).prefetch(2)
with strategy.scope():
    model = tf.keras.Sequential([
        tf.keras.layers.Flatten(input_shape=(32, 32, 3)),
        tf.keras.layers.Dense(128),
    ])
    model.compile("sgd", "mse")
model.fit(train_ds, epochs=10)
)");
  const RuleRun run = Lint(*analysed, {"HL001"});
  const Diagnostic& finding = Only(run, "HL001");
  ASSERT_TRUE(finding.saving && finding.cost.time_per_step);
  EXPECT_NE(analysed->With({}).wall_step, analysed->facts().loop->step);
  EXPECT_DOUBLE_EQ(finding.saving->time_per_step.value, finding.cost.time_per_step->value);
  EXPECT_DOUBLE_EQ(finding.saving->share_of_step, *finding.cost.share_of_step);
}

TEST(Saving, IsSimulatedForFewerFindingsOfLargerModels) {
  EXPECT_EQ(MostLowered(10), 64);
  EXPECT_EQ(MostLowered(20'000), 10);
  EXPECT_EQ(MostLowered(1'000'000), 4);
  EXPECT_EQ(MostLowered(0), 64);
}

TEST(Saving, IsThatOfTheDearestFindingsWhenThereAreVeryMany) {
  const auto analysed = AnalyseGraph(kMaxPooling, Batch(64));
  std::vector<Finding> findings(66);
  for (size_t i = 0; i < findings.size(); ++i) {
    findings[i].cost.time_per_step = Seconds{static_cast<double>(i)};
    findings[i].change.batch_per_core = 16;
  }
  EXPECT_EQ(AddSavings(analysed->facts(), findings, 0), 2);
  EXPECT_FALSE(findings[1].saving);
  EXPECT_TRUE(findings[2].saving);
}

Finding WithChange(Change change, Applicability applicability) {
  Finding finding;
  finding.rule = "XX001";
  finding.change = std::move(change);
  finding.fix.applicability = applicability;
  return finding;
}

Change Steps(int64_t steps) {
  Change change;
  change.steps_per_execution = steps;
  return change;
}

Change BatchOf(int64_t batch_per_core) {
  Change change;
  change.batch_per_core = batch_per_core;
  return change;
}

TEST(Reachable, LeavesTheSmallerOfTwoContradictionsOut) {
  const auto analysed = AnalyseGraph(kMaxPooling, Batch(64));
  std::array findings = {
      WithChange(BatchOf(16), Applicability::kShow),
      WithChange(BatchOf(128), Applicability::kShow),
  };
  AddSavings(analysed->facts(), findings, 0);
  ASSERT_TRUE(findings[0].saving && findings[1].saving);
  ASSERT_GT(findings[1].saving->time_per_step, findings[0].saving->time_per_step);
  const auto reached = Reach(analysed->facts(), findings);
  ASSERT_TRUE(reached.ok()) << reached.status();
  EXPECT_THAT(reached->all_fixes, ElementsAre(1));
  EXPECT_EQ(reached->left_out, 1);
  EXPECT_THAT(reached->safe_fixes, IsEmpty());
  EXPECT_EQ(reached->safe.step, reached->now.step);
  EXPECT_EQ(reached->all.step, analysed->With(BatchOf(128)).step);
}

TEST(Reachable, DoesNotCountWhatMakesItSlower) {
  SessionOptions options = Batch(64);
  options.steps_per_execution = 50;
  const auto analysed = AnalyseGraph(kMaxPooling, options);
  std::array findings = {WithChange(Steps(1), Applicability::kSafe)};
  AddSavings(analysed->facts(), findings, 0);
  ASSERT_TRUE(findings[0].saving);
  EXPECT_LT(findings[0].saving->time_per_step, Seconds{});
  const auto reached = Reach(analysed->facts(), findings);
  ASSERT_TRUE(reached.ok());
  EXPECT_THAT(reached->all_fixes, IsEmpty());
  EXPECT_EQ(reached->left_out, 0);
  EXPECT_EQ(reached->all.wall_step, reached->now.wall_step);
}

TEST(Reachable, SafeFixesAreThoseThatAreSafe) {
  const auto analysed = AnalyseGraph(kMaxPooling, Batch(64));
  std::array findings = {
      WithChange(Steps(50), Applicability::kSafe),
      WithChange(BatchOf(128), Applicability::kUnsafe),
  };
  AddSavings(analysed->facts(), findings, 0);
  const auto reached = Reach(analysed->facts(), findings);
  ASSERT_TRUE(reached.ok());
  EXPECT_THAT(reached->safe_fixes, ElementsAre(0));
  EXPECT_EQ(reached->safe.wall_step, analysed->With(Steps(50)).wall_step);
  EXPECT_LE(reached->all.per_example, reached->safe.per_example);
}

TEST(Reachable, MakesTheStepFitBeforeItMakesItFast) {
  // Kept activations of 16,384 examples per core, far above what a core has.
  const auto analysed = AnalyseGraph(kMaxPooling, Batch(16384 * 8));
  const Memory& memory = analysed->facts().model->program.memory;
  ASSERT_GT(memory.peak, memory.available);
  std::array findings = {
      WithChange(BatchOf(32768), Applicability::kShow),
      WithChange(BatchOf(512), Applicability::kShow),
  };
  AddSavings(analysed->facts(), findings, 0);
  ASSERT_TRUE(findings[0].saving && findings[1].saving);
  const auto reached = Reach(analysed->facts(), findings);
  ASSERT_TRUE(reached.ok()) << reached.status();
  EXPECT_THAT(reached->all_fixes, ElementsAre(1));
  EXPECT_LE(reached->all.peak, memory.available);
}

// Alone, together never more than their sum, and together at least the best.
TEST(Reachable, AddsSavingsUpOnce) {
  const auto analysed = AnalyseProgram(Classifier("float32"));
  const RuleRun run = Lint(*analysed, {"PR001", "HL001", "IP001"});
  ASSERT_TRUE(run.reachable);
  Seconds sum;
  Seconds best;
  for (const int32_t i : run.reachable->all_fixes) {
    const Diagnostic& finding = run.findings[i];
    ASSERT_TRUE(finding.saving) << finding.rule;
    sum += finding.saving->time_per_step;
    if (finding.saving->of_wall_step) continue;
    best = std::max(best, finding.saving->time_per_step);
  }
  ASSERT_FALSE(run.reachable->all_fixes.empty());
  const Seconds reached = run.reachable->now.wall_step - run.reachable->all.wall_step;
  EXPECT_LE(reached, sum * 1.000001);
  EXPECT_GE(run.reachable->now.step - run.reachable->all.step, best * 0.5);
  EXPECT_LE(run.reachable->all.per_example, run.reachable->safe.per_example);
}

TEST(RunRules, PutsTheLargestSavingFirst) {
  const auto analysed = AnalyseProgram(Classifier("float32"));
  const RuleRun run = Lint(*analysed, {"ALL"});
  ASSERT_GE(run.findings.size(), 2u);
  const auto gain = [](const Diagnostic& finding) {
    return finding.saving ? std::max(0.0, finding.saving->time_per_step.value) : 0;
  };
  for (size_t i = 1; i < run.findings.size(); ++i) {
    EXPECT_GE(gain(run.findings[i - 1]), gain(run.findings[i])) << i;
  }
}

TEST(RunRules, GivesTheSameOnAnyNumberOfThreads) {
  const auto one = AnalyseProgram(Classifier("float32"));
  const auto four = AnalyseProgram(Classifier("float32"));
  const RuleRun alone = Lint(*one, {"ALL"}, 1);
  const RuleRun together = Lint(*four, {"ALL"}, 4);
  ASSERT_EQ(alone.findings.size(), together.findings.size());
  for (size_t i = 0; i < alone.findings.size(); ++i) {
    const Diagnostic& a = alone.findings[i];
    const Diagnostic& b = together.findings[i];
    EXPECT_EQ(a.message, b.message);
    ASSERT_EQ(a.saving.has_value(), b.saving.has_value()) << a.rule;
    if (!a.saving) continue;
    EXPECT_EQ(a.saving->time_per_step, b.saving->time_per_step) << a.rule;
    EXPECT_EQ(a.saving->hbm, b.saving->hbm) << a.rule;
  }
  ASSERT_TRUE(alone.reachable && together.reachable);
  EXPECT_EQ(alone.reachable->all_fixes, together.reachable->all_fixes);
  EXPECT_EQ(alone.reachable->all.wall_step, together.reachable->all.wall_step);
}

TEST(RunRules, SimulatesNoSavingsWhenToldSo) {
  const auto analysed = AnalyseGraph(kMaxPooling, Batch(1024));
  RunOptions options;
  options.savings = false;
  const RuleRun run = RunRules(analysed->facts(), {}, options);
  EXPECT_FALSE(run.reachable);
  for (const Diagnostic& finding : run.findings) EXPECT_FALSE(finding.saving);
}

TEST(RunRules, SeverityOfTheConfigurationWins) {
  const auto analysed = AnalyseGraph(kMaxPooling, Batch(1024));
  RuleSelection selection;
  selection.select = {"OP001"};
  RunOptions options;
  options.settings.severities["OP001"] = Severity::kError;
  const RuleRun run = RunRules(analysed->facts(), selection, options);
  EXPECT_EQ(Only(run, "OP001").severity, Severity::kError);
}

}  // namespace
}  // namespace tilewise
