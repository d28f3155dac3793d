// Sentences about input from the documents that the catalogue of rules covers:
// each is a test that the rules say it about a program that does the opposite,
// and do not about one that follows it.

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
using testing::IsSupersetOf;
using testing::Not;

std::vector<Diagnostic> Findings(const std::string& program,
                                 const std::vector<std::string>& rules) {
  const auto analysed = AnalyseProgram("import tensorflow as tf\n" + program, {}, "v3");
  if (analysed->session == nullptr) return {};
  RuleSelection selection;
  selection.select = rules;
  selection.preview = true;
  return RunRules(analysed->facts(), selection);
}

// Ids of all findings of the input family and of partial batches.
std::set<std::string> Ids(const std::string& program) {
  std::set<std::string> ids;
  for (const Diagnostic& found : Findings(program, {"IP", "DY002"})) {
    ids.insert(found.rule);
    ids.insert(found.related.begin(), found.related.end());
  }
  return ids;
}

const std::string kCifar = R"(
(x, y), _ = tf.keras.datasets.cifar10.load_data()
ds = tf.data.Dataset.from_tensor_slices((x, y)))";

const std::string kFiles = R"(
def parse(record):
    image = tf.io.decode_jpeg(record, channels=3)
    return tf.ensure_shape(tf.image.resize(image, (224, 224)), (224, 224, 3)), 0
)";

const std::string kModel = R"(
model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(64, 3, input_shape=(224, 224, 3)),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(1000),
])
model.compile("sgd", "sparse_categorical_crossentropy", steps_per_execution=50)
model.fit(ds, epochs=10, steps_per_epoch=1000)
)";

TEST(DocumentS0, InputCanBeTheBottleneck) {
  const std::string slow = kFiles +
                           "ds = tf.data.TFRecordDataset('/data/a').repeat()"
                           ".map(parse).batch(1024).prefetch(2)\n" +
                           kModel;
  const auto found = Findings(slow, {"IP022"});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_THAT(found[0].message, HasSubstr("map(parse) is the slowest stage"));
  EXPECT_EQ(found[0].severity, Severity::kWarning);
}

TEST(DocumentS0, UseTfData) {
  const std::string generator = kCifar + R"(
flow = tf.keras.preprocessing.image.ImageDataGenerator().flow(x, y)
model = tf.keras.Sequential([tf.keras.layers.Dense(10, input_shape=(4,))])
model.compile("sgd", "mse")
model.fit(flow, epochs=3)
)";
  EXPECT_THAT(Ids(generator), Contains("IP021"));
}

TEST(DocumentS0, PrefetchAtTheEnd) {
  EXPECT_THAT(Ids(kCifar + ".batch(1000)\n"), Contains("IP001"));
  EXPECT_THAT(Ids(kCifar + ".prefetch(2).batch(1000)\n"), Contains("IP002"));
  const auto good = Ids(kCifar + ".batch(1000).prefetch(2)\n");
  EXPECT_THAT(good, Not(Contains("IP001")));
  EXPECT_THAT(good, Not(Contains("IP002")));
}

TEST(DocumentS0, ParallelCallsAreTheNumberOfCores) {
  const std::string end = ".batch(1000).prefetch(2)\n";
  const auto with = [&](const std::string& calls) {
    return Ids(kFiles + "ds = tf.data.TFRecordDataset('/data/a').map(parse" + calls + ")" + end);
  };
  EXPECT_THAT(with(""), Contains("IP003"));
  EXPECT_THAT(with(", num_parallel_calls=1"), Contains("IP015"));
  EXPECT_THAT(with(", num_parallel_calls=4000"), Contains("IP015"));
  const auto good = with(", num_parallel_calls=tf.data.AUTOTUNE");
  EXPECT_THAT(good, Not(Contains("IP003")));
  EXPECT_THAT(good, Not(Contains("IP015")));
}

TEST(DocumentS0, MapAndBatchIsWhatTheRuntimeMakesOfPlainStages) {
  EXPECT_THAT(Ids(kFiles + R"(
ds = tf.data.TFRecordDataset('/data/a')
ds = ds.apply(tf.data.experimental.map_and_batch(parse, 1024)).prefetch(2)
)"),
              Contains("IP005"));
  EXPECT_THAT(Ids(kCifar + R"(.batch(1000).prefetch(2)
options = tf.data.Options()
options.experimental_optimization.map_and_batch_fusion = False
ds = ds.with_options(options)
)"),
              Contains("IP019"));
}

TEST(DocumentS0, ParallelInterleaveForRemoteData) {
  const std::string end =
      ".map(parse, num_parallel_calls=tf.data.AUTOTUNE).batch(1024)"
      ".prefetch(2)\n";
  const std::string files = kFiles + "ds = tf.data.Dataset.list_files('gs://bucket/*')";
  EXPECT_THAT(Ids(files + ".flat_map(tf.data.TFRecordDataset)" + end), Contains("IP006"));
  EXPECT_THAT(Ids(files +
                  ".interleave(tf.data.TFRecordDataset, num_parallel_calls="
                  "tf.data.AUTOTUNE)" +
                  end),
              Not(Contains("IP006")));
  EXPECT_THAT(Ids(files +
                  ".apply(tf.data.experimental.parallel_interleave("
                  "tf.data.TFRecordDataset, cycle_length=8))" +
                  end),
              Contains("IP005"));
}

TEST(DocumentS0, VectoriseSimpleFunctions) {
  const std::string scale = ".map(lambda a, b: (tf.cast(a, tf.float32) / 255., b), 8)";
  EXPECT_THAT(Ids(kCifar + scale + ".batch(1000).prefetch(2)\n"), Contains("IP004"));
  EXPECT_THAT(Ids(kCifar + ".batch(1000)" + scale + ".prefetch(2)\n"), Not(Contains("IP004")));
}

TEST(DocumentS0, CacheSmallData) {
  const std::string start = kFiles +
                            "ds = tf.data.TFRecordDataset('/data/a').take(5000)"
                            ".map(parse, num_parallel_calls=8)";
  const std::string end = ".shuffle(1000).batch(1024).prefetch(2)\n" + kModel;
  EXPECT_THAT(Ids(start + end), Contains("IP007"));
  EXPECT_THAT(Ids(start + ".cache()" + end), Not(Contains("IP007")));
  EXPECT_THAT(Ids(kCifar + ".batch(1000).cache().prefetch(2)\n"), Contains("IP009"));
}

TEST(DocumentS0, GrowingPreprocessingComesBehindTheBuffers) {
  const std::string start = kFiles + "ds = tf.data.TFRecordDataset('/data/a')";
  const std::string map = ".map(parse, num_parallel_calls=8)";
  const std::string shuffle = ".shuffle(10000)";
  const std::string end = ".batch(1024).prefetch(2)\n";
  EXPECT_THAT(Ids(start + map + shuffle + end), Contains("IP013"));
  EXPECT_THAT(Ids(start + shuffle + map + end), Not(Contains("IP013")));
}

TEST(DocumentS0, ShuffleBeforeRepeat) {
  const std::string end = ".batch(1000).prefetch(2)\n";
  EXPECT_THAT(Ids(kCifar + ".repeat().shuffle(50000)" + end), Contains("IP010"));
  EXPECT_THAT(Ids(kCifar + ".shuffle(50000).repeat()" + end), Not(Contains("IP010")));
  const auto fused = Ids(kCifar + ".apply(tf.data.experimental.shuffle_and_repeat(50000))" + end);
  EXPECT_THAT(fused, Contains("IP005"));
  EXPECT_THAT(fused, Not(Contains("IP010")));
}

TEST(DocumentS2, TheSamplePipelineHasFourFindings) {
  EXPECT_THAT(Ids(kCifar + R"(
ds = ds.map(lambda a, b: (tf.cast(a, tf.float32) / 255., b))
ds = ds.prefetch(tf.data.experimental.AUTOTUNE)
train_ds = ds.batch(4096).cache()
)"),
              IsSupersetOf({"IP002", "IP003", "IP009", "DY002"}));
}

TEST(DocumentS2, LargerDataGoesToRecordsInABucket) {
  const std::string node = R"(
resolver = tf.distribute.cluster_resolver.TPUClusterResolver(tpu="node-1")
strategy = tf.distribute.TPUStrategy(resolver)
)";
  const std::string end = ".batch(1024).prefetch(2)\n";
  EXPECT_THAT(Ids(node + "ds = tf.data.TFRecordDataset('data/a')" + end), Contains("IP020"));
  const auto remote = Ids(node + "ds = tf.data.TFRecordDataset(['gs://b/1', 'gs://b/2'])" + end);
  EXPECT_THAT(remote, Not(Contains("IP020")));
  EXPECT_THAT(remote, Contains("IP006"));
}

TEST(DocumentS4, ShrinkOnTheHostBeforeSending) {
  const std::string images = R"(
x = tf.zeros([1000, 512, 512, 3], tf.uint8)
ds = tf.data.Dataset.from_tensor_slices(x).batch(256).prefetch(2)
)";
  EXPECT_THAT(Ids(images + "layer = tf.keras.layers.Resizing(224, 224)\n"), Contains("IP016"));
  EXPECT_THAT(Ids(images + "layer = tf.keras.layers.Resizing(512, 512)\n"), Not(Contains("IP016")));
}

TEST(DocumentS4, ALongDequeueIsWaitingAndNotWork) {
  const Rule* rule = FindRule("IP021");
  ASSERT_NE(rule, nullptr);
  EXPECT_THAT(std::string(rule->info.doc), HasSubstr("a long QueueDequeueMany is not slow itself"));
}

TEST(DocumentS4, TooFewThreadsAndHeavyPreprocessingStarveTheDevice) {
  const std::string start = kFiles + "ds = tf.data.TFRecordDataset('/data/a').repeat().map(parse";
  const std::string end = ").batch(1024).prefetch(2)\n" + kModel;
  EXPECT_THAT(Ids(start + end), IsSupersetOf({"IP003", "IP022"}));
  EXPECT_THAT(Ids(start + ", num_parallel_calls=1" + end), IsSupersetOf({"IP015", "IP022"}));
}

}  // namespace
}  // namespace tilewise
