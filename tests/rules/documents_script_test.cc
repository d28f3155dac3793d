// Sentences about scripts, the host loop and distribution from the documents
// that the catalogue of rules covers: each is a test that the rules say it
// about a program that does the opposite, and do not about one that follows it.

#include <set>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rules/rule.h"
#include "tests/program/analysed.h"

namespace tilewise {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::vector<Diagnostic> Findings(const std::string& program,
                                 const std::vector<std::string>& rules) {
  const auto analysed = AnalyseProgram(program, {}, "v2");
  if (analysed->session == nullptr) return {};
  RuleSelection selection;
  selection.select = rules;
  return RunRules(analysed->facts(), selection);
}

std::set<std::string> Ids(const std::string& program) {
  std::set<std::string> ids;
  for (const Diagnostic& found :
       Findings(program, {"HL", "HL008", "HL009", "HL010", "DI001", "DI005", "DI006", "FU001"})) {
    ids.insert(found.rule);
    ids.insert(found.related.begin(), found.related.end());
  }
  return ids;
}

const std::string kStrategy = R"(
import tensorflow as tf
resolver = tf.distribute.cluster_resolver.TPUClusterResolver()
tf.config.experimental_connect_to_cluster(resolver)
tf.tpu.experimental.initialize_tpu_system(resolver)
strategy = tf.distribute.TPUStrategy(resolver)
)";

const std::string kData = R"(
(x, y), _ = tf.keras.datasets.cifar10.load_data()
ds = tf.data.Dataset.from_tensor_slices((x, y)).cache().shuffle(50000).batch(1000, drop_remainder=True).prefetch(2)
)";

// Ends in an open compile( under the scope.
const std::string kModel = R"(
with strategy.scope():
    model = tf.keras.Sequential([
        tf.keras.layers.Conv2D(32, 3, activation="relu", input_shape=(32, 32, 3)),
        tf.keras.layers.GlobalAveragePooling2D(),
        tf.keras.layers.Dense(10),
    ])
    model.compile("adam", "mse")";

const std::string kCustomLoop = R"(
def replica_step(inputs):
    images, labels = inputs
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(images) - labels)
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
    return loss
)";

// What stops a program on XLA does not stop one of PyTorch that is not there yet.
TEST(ProgramsOfPyTorch, MasksAreErrorsWithTorchXlaAlone) {
  const std::string program =
      "import torch\nclass Loss(torch.nn.Module):\n  def forward(self, x):\n"
      "    return x[x > 0].sum()\n";
  const auto alone = Findings(program, {"DY003"});
  const auto with_xla = Findings("import torch_xla\n" + program, {"DY003"});
  ASSERT_EQ(alone.size(), 1);
  ASSERT_EQ(with_xla.size(), 1);
  EXPECT_EQ(alone[0].severity, Severity::kWarning);
  EXPECT_EQ(with_xla[0].severity, Severity::kError);
}

TEST(DocumentS1, StepsPerExecutionGivesUpToThreeTimesTheSpeed) {
  EXPECT_THAT(Ids(kStrategy + kData + kModel + ")\nmodel.fit(ds, epochs=9)\n"), Contains("HL001"));
  EXPECT_THAT(
      Ids(kStrategy + kData + kModel + ", steps_per_execution=50)\nmodel.fit(ds, epochs=9)\n"),
      Not(Contains("HL001")));
}

TEST(DocumentS1, TheArgumentWasRenamedInTensorflow24) {
  const std::string old = kStrategy + kData + kModel +
                          ", experimental_steps_per_execution=50)\n"
                          "model.fit(ds, epochs=9)\n";
  EXPECT_THAT(Ids(old), Contains("HL005"));
  EXPECT_THAT(Ids("# tensorflow==2.3\n" + old), Not(Contains("HL005")));
}

TEST(DocumentS1, OnGpusThereIsNoGain) {
  std::string program = kStrategy + kData + kModel + ")\nmodel.fit(ds, epochs=9)\n";
  program.replace(program.find("tf.distribute.TPUStrategy(resolver)"),
                  std::string("tf.distribute.TPUStrategy(resolver)").size(),
                  "tf.distribute.MirroredStrategy()");
  EXPECT_THAT(Ids(program), Not(Contains("HL001")));
  program.replace(program.find("\"mse\")"), 6, "\"mse\", steps_per_execution=50)");
  const std::vector<Diagnostic> found = Findings(program, {"HL005"});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_THAT(found[0].message, HasSubstr("50 under MirroredStrategy, where it gains nothing"));
}

TEST(DocumentS1, TheWarningAboutSlowBatchEndsIsSolvedByIt) {
  Workload workload;
  workload.slow_batch_hooks.push_back({"on_train_batch_end", {"a.log", 3, 1}});
  const Target target = *MakeTarget("v3", 8, "");
  const Session session(workload, target, {});
  RuleSelection selection;
  selection.select = {"HL001"};
  const std::vector<Diagnostic> found = RunRules(session.facts(), selection);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].location.line, 3);
  EXPECT_THAT(found[0].fix.text, HasSubstr("steps_per_execution"));
}

TEST(DocumentS1, DataMustCoverStepsPerEpochTimesEpochs) {
  const std::string compiled = kStrategy + kData + kModel + ", steps_per_execution=50)\n";
  EXPECT_THAT(Ids(compiled + "model.fit(ds, steps_per_epoch=30, epochs=2)\n"), Contains("HL003"));
  // Keras begins a data set that is as long as an epoch anew.
  EXPECT_THAT(Ids(compiled + "model.fit(ds, steps_per_epoch=50, epochs=2)\n"),
              Not(Contains("HL003")));
  EXPECT_THAT(Ids(compiled + "model.fit(ds.repeat(), steps_per_epoch=50, "
                             "epochs=2)\n"),
              Not(Contains("HL003")));
}

TEST(DocumentS1, TheStepsNeedNotDivideTheEpoch) {
  EXPECT_THAT(
      Ids(kStrategy + kData + kModel + ", steps_per_execution=30)\nmodel.fit(ds, epochs=9)\n"),
      Not(Contains("HL003")));
}

TEST(DocumentS1, CallbacksOfBatchesAreCalledFewerTimes) {
  const std::string end = R"(
class Rate(tf.keras.callbacks.Callback):
    def on_train_batch_end(self, batch, logs=None):
        self.model.optimizer.learning_rate.assign(0.1 / (batch + 1))
model.fit(ds, epochs=9, callbacks=[Rate()])
)";
  EXPECT_THAT(Ids(kStrategy + kData + kModel + ", steps_per_execution=50)\n" + end),
              Contains("HL004"));
  EXPECT_THAT(Ids(kStrategy + kData + kModel + ")\n" + end), Not(Contains("HL004")));
}

TEST(DocumentS1, TheFirstRunIsSlowAndToBeDiscarded) {
  const std::string program = R"(
import time
import jax
@jax.jit
def f(x):
    return x * 2
)";
  const std::string timed = "t = time.time()\nf(3).block_until_ready()\nprint(time.time() - t)\n";
  EXPECT_THAT(Ids(program + timed), Contains("HL009"));
  EXPECT_THAT(Ids(program + "f(3)\n" + timed), Not(Contains("HL009")));
}

TEST(DocumentS1, SmallValuesAreToBeAvoided) {
  const std::string program = kStrategy + kData + kModel;
  const std::vector<Diagnostic> found =
      Findings(program + ", steps_per_execution=2)\nmodel.fit(ds, epochs=9)\n", {"HL002"});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_THAT(found[0].fix.text, HasSubstr("raise steps_per_execution"));
}

TEST(DocumentS2, ABoardHasFourChipsOfTwoCoresAndAllAreToBeUsed) {
  const std::string rest = R"(
    model = tf.keras.Sequential([tf.keras.layers.Dense(10, input_shape=(4,))])
    model.compile("adam", "mse", steps_per_execution=50)
model.fit(x, y, batch_size=1024)
)";
  EXPECT_THAT(Ids("import tensorflow as tf\nwith tf.device('/TPU:0'):" + rest), Contains("DI005"));
  EXPECT_THAT(Ids(kStrategy + "with strategy.scope():" + rest), Not(Contains("DI005")));
}

TEST(DocumentS2, ModelAndMetricsAreBuiltInTheScope) {
  const std::string made = R"(model = tf.keras.Sequential(
    [tf.keras.layers.Dense(10, input_shape=(4,))])
)";
  const std::string fit = "model.fit(x, y, batch_size=1024)\n";
  EXPECT_THAT(Ids(kStrategy + made + fit), Contains("DI006"));
  EXPECT_THAT(Ids(kStrategy + "with strategy.scope():\n    " + made + fit), Not(Contains("DI006")));
}

TEST(DocumentS2, TheTpuIsInitialisedBeforeNewWork) {
  // Reliability, not speed: the page of the rule on scopes says it.
  EXPECT_THAT(std::string(FindRule("DI006")->info.doc), HasSubstr("Initialise the TPU"));
}

TEST(DocumentS2, AMatmulRunsOnlyInATfFunctionWithStrategyRun) {
  const std::string eager = kStrategy + kCustomLoop +
                            "for step in range(1000):\n"
                            "    strategy.run(replica_step, args=(step,))\n";
  EXPECT_THAT(Ids(eager), Contains("HL007"));
  const std::string compiled = kStrategy + kCustomLoop +
                               "@tf.function\n"
                               "def steps(iterator):\n"
                               "    for _ in tf.range(100):\n"
                               "        strategy.run(replica_step, "
                               "args=(next(iterator),))\n"
                               "for epoch in range(100):\n"
                               "    steps(iterator)\n";
  EXPECT_THAT(Ids(compiled), IsEmpty());
}

TEST(DocumentS2, CustomLoopsNeedMoreCare) {
  EXPECT_THAT(Ids(kStrategy + kCustomLoop +
                  "@tf.function\n"
                  "def train_step(iterator):\n"
                  "    strategy.run(replica_step, args=(next(iterator),))\n"
                  "for step in range(1000):\n"
                  "    train_step(iterator)\n"),
              Contains("HL008"));
}

TEST(DocumentS2, PrintIsNotUsableOnATpu) {
  const std::string begin = kStrategy +
                            "@tf.function\n"
                            "def train_step(x):\n"
                            "    y = tf.matmul(x, x)\n";
  EXPECT_THAT(Ids(begin + "    tf.print(y)\n    return y\n"), Contains("FU001"));
  EXPECT_THAT(Ids(begin + "    return y\ntf.print(train_step(x))\n"), Not(Contains("FU001")));
}

TEST(DocumentS2, TheGlobalBatchIsThatOfADeviceTimesTheReplicas) {
  const std::string end = R"(
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(10, input_shape=(4,))])
    model.compile("adam", "mse", steps_per_execution=50)
model.fit(ds, epochs=9)
)";
  const std::string begin = kStrategy +
                            "batch_per_replica = 128\n"
                            "ds = tf.data.Dataset.range(100000).repeat(2)\n";
  EXPECT_THAT(Ids(begin + "ds = ds.batch(batch_per_replica)\n" + end), Contains("DI001"));
  EXPECT_THAT(Ids(begin +
                  "batch = batch_per_replica * strategy.num_replicas_in_sync\n"
                  "ds = ds.batch(batch)\n" +
                  end),
              Not(Contains("DI001")));
}

TEST(DocumentS2, ItsProgramCompilesWithoutStepsPerExecution) {
  const std::string program = kStrategy + kData + kModel +
                              ")\nmodel.fit(ds, epochs=9, callbacks=["
                              "tf.keras.callbacks.EarlyStopping(patience=2)])\n";
  const std::set<std::string> ids = Ids(program);
  EXPECT_THAT(ids, Contains("HL001"));
  EXPECT_THAT(ids, Not(Contains("HL004")));
}

TEST(DocumentS2, AStrategyIsFoundPortably) {
  // Good practice: no rule speaks of it.
  EXPECT_THAT(Ids(R"(
import tensorflow as tf
try:
    resolver = tf.distribute.cluster_resolver.TPUClusterResolver()
    strategy = tf.distribute.TPUStrategy(resolver)
except ValueError:
    strategy = tf.distribute.get_strategy()
)" + kModel + ", steps_per_execution=50)\nmodel.fit(x, y, batch_size=1024)\n"),
              IsEmpty());
}

TEST(DocumentS3, TheBatchIsSplitByEight) {
  std::string program =
      kStrategy + kData + kModel + ", steps_per_execution=50)\nmodel.fit(ds, epochs=9)\n";
  EXPECT_THAT(Ids(program), Not(Contains("DI001")));  // 1,000 = 8 x 125
  program.replace(program.find("batch(1000"), 10, "batch(1001");
  const std::vector<Diagnostic> found = Findings(program, {"DI001"});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_THAT(found[0].message, HasSubstr("1,008 = 126 per core x 8"));
}

TEST(DocumentS4, WarmUpBeforeMeasuring) {
  EXPECT_THAT(Ids(kStrategy + "tf.keras.callbacks.TensorBoard('logs', profile_batch=1)\n"),
              Contains("HL009"));
}

}  // namespace
}  // namespace tilewise
