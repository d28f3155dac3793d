// Datasets of Python scripts: text in, pipelines out.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/python/read_python.h"

namespace tilewise {
namespace {

Workload Read(const std::string& text, int64_t cores = 8, int64_t hosts = 1) {
  absl::StatusOr<Workload> read =
      ReadPython({"t.py", "import tensorflow as tf\n" + text}, {.cores = cores, .hosts = hosts});
  EXPECT_TRUE(read.ok()) << read.status();
  return read.ok() ? std::move(*read) : Workload{};
}

std::string Chain(const Pipeline& pipeline) {
  std::string text;
  for (const Stage& stage : pipeline.stages) {
    text += (text.empty() ? "" : " ") + std::string(StageName(stage.kind));
    if (stage.amount.kind == Count::Kind::kValue) {
      text += "(" + std::to_string(stage.amount.value) + ")";
    } else if (stage.amount.kind == Count::Kind::kAutotune) {
      text += "(auto)";
    } else if (stage.amount.kind == Count::Kind::kUnresolved) {
      text += "(?)";
    }
  }
  return text;
}

TEST(PythonPipeline, FollowsAChainOverSeveralStatements) {
  const Workload w = Read(R"(
BATCH = 16 * 8
train_ds = tf.data.Dataset.range(1000)
train_ds = train_ds.shuffle(100).repeat()
train_ds = train_ds.batch(BATCH, drop_remainder=True)
train_ds = train_ds.prefetch(tf.data.experimental.AUTOTUNE)
)");
  ASSERT_EQ(w.pipelines.size(), 1u);
  EXPECT_EQ(Chain(w.pipelines[0]), "range shuffle(100) repeat batch(128) prefetch(auto)");
  EXPECT_EQ(w.pipelines[0].name, "train_ds");
  EXPECT_EQ(w.pipelines[0].role, PipelineRole::kTraining);
  EXPECT_EQ(w.pipelines[0].source_items, 1000);
  EXPECT_EQ(w.pipelines[0].batch()->drop_remainder, true);
  EXPECT_EQ(w.pipelines[0].batch()->location.line, 6);
  EXPECT_TRUE(w.notes.empty());
}

TEST(PythonPipeline, APublicFolderHasItsFiles) {
  const Workload w = Read(
      "train = tf.keras.utils.image_dataset_from_directory('data/flower_photos', "
      "validation_split=0.2, subset='training', image_size=(64, 64), batch_size=32)\n");
  ASSERT_FALSE(w.pipelines.empty());
  EXPECT_EQ(w.pipelines[0].source_items, 3670 - 734);
}

TEST(PythonPipeline, AProgramNamedForEvaluationTrainsOnNothing) {
  constexpr char kText[] =
      "import tensorflow as tf\ndata = tf.data.Dataset.range(90).shuffle(9).batch(8)\n"
      "for x in data: print(ask(x))\n";
  const auto role = [&](const char* path) {
    const absl::StatusOr<Workload> read = ReadPython({path, kText}, {});
    return read.ok() && !read->pipelines.empty() ? read->pipelines[0].role : PipelineRole::kLook;
  };
  EXPECT_EQ(role("run_eval.py"), PipelineRole::kEvaluation);
  EXPECT_NE(role("retrieval.py"), PipelineRole::kEvaluation);
}

// The function that makes the data may be nested in the one that says what they are for.
TEST(PythonPipeline, AFunctionWithinOneNamedForPredictionsMakesNoDataOfTraining) {
  const auto role = [](const std::string& outer) {
    const absl::StatusOr<Workload> read =
        ReadPython({"data.py", "import tensorflow as tf\ndef " + outer +
                                   "(files):\n"
                                   "  def build():\n"
                                   "    data = tf.data.TFRecordDataset(files).shuffle(9).batch(8)\n"
                                   "    return iter(data.prefetch(2))\n"
                                   "  return build\n"},
                   {});
    return read.ok() && !read->pipelines.empty() ? read->pipelines[0].role : PipelineRole::kLook;
  };
  EXPECT_EQ(role("build_prediction_iterator"), PipelineRole::kEvaluation);
  EXPECT_NE(role("build_iterator"), PipelineRole::kEvaluation);
  EXPECT_NE(role("train_and_predict"), PipelineRole::kEvaluation);
}

// Each host batches for its own devices where the step is mapped over them.
TEST(PythonPipeline, EachHostOfAMappedStepBatchesItsOwn) {
  const auto read = [](const std::string& batch) {
    return Read(R"(
import jax, jax.numpy as jnp
import tensorflow_datasets as tfds
def loss(w, x):
    return (x.reshape((-1, 3072)) @ w).mean()
step = jax.pmap(lambda w, x: w - jax.grad(loss)(w, x), in_axes=(None, 0))
w = jnp.zeros((3072, 10))
ds = tfds.load('cifar10', split=tfds.split_for_jax_process('train')).repeat()
ds = ds)" + batch + R"(
for e in ds.as_numpy_iterator():
    w = step(w, e['image'].astype('float32'))
)",
                64, 8);
  };
  const Workload nested = read(".batch(4).batch(jax.local_device_count())");
  EXPECT_EQ(nested.declared_global_batch(), 256);
  EXPECT_EQ(nested.pipelines.at(0).source_items, 50000);
  const Workload flat = read(".batch(4 * jax.local_device_count())");
  EXPECT_EQ(nested.pipelines.at(0).item_bytes, flat.pipelines.at(0).item_bytes);
}

// Which part of the items each of four hosts reads.
TEST(PythonPipeline, EachHostReadsWhatTheProgramOrItsStrategySays) {
  const auto share = [](const std::string& made) {
    const Workload w = Read("strategy = tf.distribute.TPUStrategy(resolver)\n" + made, 32, 4);
    return w.pipelines.at(0).host_share;
  };
  const std::string take = "strategy.experimental_distribute_dataset(ds)\n";
  const std::string files = "ds = tf.data.Dataset.list_files('gs://b/*.tfrecord')";
  EXPECT_EQ(share(files + ".interleave(tf.data.TFRecordDataset).batch(64)\n" + take),
            HostShare::kPart);
  EXPECT_EQ(share(files + ".map(tf.io.read_file).batch(64)\n" + take), HostShare::kDropping)
      << "no reader of its own opens the files";
  EXPECT_EQ(share("ds = tf.data.Dataset.range(4096).batch(64)\n" + take), HostShare::kDropping);
  EXPECT_EQ(share(R"(
options = tf.data.Options()
options.experimental_distribute.auto_shard_policy = tf.data.experimental.AutoShardPolicy.OFF
ds = tf.data.Dataset.range(4096).batch(64).with_options(options)
)" + take),
            HostShare::kAll);
}

TEST(PythonPipeline, AShardByHostIsAPartOfTheItems) {
  const Workload w = Read(R"(
strategy = tf.distribute.TPUStrategy(resolver)
def make(context):
    ds = tf.data.Dataset.range(4096)
    ds = ds.shard(context.num_input_pipelines, context.input_pipeline_id)
    return ds.batch(64 // strategy.num_replicas_in_sync)
strategy.distribute_datasets_from_function(make)
)",
                          32, 4);
  const Pipeline& pipeline = w.pipelines.at(0);
  EXPECT_EQ(pipeline.host_share, HostShare::kPart);
  EXPECT_EQ(pipeline.source_items, 4096);
  EXPECT_EQ(pipeline.items_of_host(4), 1024);
  EXPECT_EQ(pipeline.made_by_host(64, 4), 16);
}

// ds.batch(a).batch(n), scanned: each row of n batches is n steps.
TEST(PythonPipeline, RowsThatAScanGoesOverAreSteps) {
  const Workload w = Read(R"(
import jax, jax.numpy as jnp
def loss(w, x):
    return (x.reshape((-1, 3072)) @ w).mean()
def step(w, x):
    return w - jax.grad(loss)(w, x), 0.0
run = jax.jit(lambda w, xs: jax.lax.scan(step, w, xs))
ds = tf.data.Dataset.from_tensor_slices(tf.zeros((4096, 32, 32, 3))).repeat().batch(256).batch(10)
w = jnp.zeros((3072, 10))
for xs in ds.as_numpy_iterator():
    w, _ = run(w, xs)
)");
  EXPECT_EQ(w.declared_global_batch(), 256);
  EXPECT_EQ(w.host_loop.steps_per_execution.value, 10);
}

TEST(PythonPipeline, BatchScalesWithReplicasOfTheTarget) {
  const std::string text = R"(
strategy = tf.distribute.TPUStrategy(resolver)
ds = tf.data.Dataset.range(9).batch(32 * strategy.num_replicas_in_sync)
)";
  EXPECT_EQ(Read(text, 8).declared_global_batch(), 256);
  EXPECT_EQ(Read(text, 32).declared_global_batch(), 1024);
}

TEST(PythonPipeline, SpansReplaceTheCallAndItsArguments) {
  const std::string text =
      "import tensorflow as tf\n"
      "ds = (tf.data.Dataset.range(4)\n    .map(f, 3)\n    .batch(2))\n";
  const absl::StatusOr<Workload> w = ReadPython({"t.py", text}, {});
  ASSERT_TRUE(w.ok());
  const Stage& map = w->pipelines.at(0).stages.at(1);
  const auto cut = [&text](const Span& span) {
    return text.substr(span.begin, span.end - span.begin);
  };
  EXPECT_EQ(cut(map.call), ".map(f, 3)");
  EXPECT_EQ(cut(map.arguments), "f, 3");
  EXPECT_EQ(map.location.line, 3);
  EXPECT_EQ(map.location.column, 6);
}

TEST(PythonPipeline, KnownDatasetGivesItemsAndBytes) {
  const Workload w = Read(R"(
(x, y), _ = tf.keras.datasets.cifar10.load_data()
def f(image, label):
    return tf.cast(image, tf.float32) / 255.0, tf.one_hot(label, 10)
ds = tf.data.Dataset.from_tensor_slices((x[:40000], y[:40000])).map(f).batch(8)
)");
  const Pipeline& p = w.pipelines.at(0);
  EXPECT_EQ(p.source_items, 40000);
  EXPECT_EQ(p.source_item_bytes, Bytes{3073});
  EXPECT_EQ(p.item_bytes, Bytes{3072 * 4 + 40});
  EXPECT_EQ(p.stages[1].function.name, "f");
  EXPECT_NEAR(*p.stages[1].function.growth, 12328 / 3073.0, 1e-9);
  EXPECT_THAT(p.stages[1].function.calls,
              testing::ElementsAre("tensorflow.cast", "tensorflow.one_hot"));
  EXPECT_FALSE(p.stages[1].function.random);
}

TEST(PythonPipeline, NamedDatasetDecodesItsImagesInParallelUnlessToldNotTo) {
  const Workload decoded = Read(R"(
import tensorflow_datasets as tfds
ds = tfds.load('tf_flowers', split='train', as_supervised=True).batch(8)
)");
  const Pipeline& p = decoded.pipelines.at(0);
  EXPECT_EQ(Chain(p), "named dataset map batch(8)");
  EXPECT_EQ(p.stages.at(1).parallel_calls.kind, Count::Kind::kAutotune);
  EXPECT_FALSE(p.source_item_bytes.has_value());
  EXPECT_EQ(p.stages.at(1).function.name, "decode_example");
  EXPECT_TRUE(p.stages.at(1).function.decodes);
  EXPECT_THAT(p.stages.at(1).function.calls, testing::ElementsAre("tensorflow.image.decode_image"));
  const Workload skipped = Read(R"(
import tensorflow_datasets as tfds
skip = {'image': tfds.decode.SkipDecoding()}
ds = tfds.load('tf_flowers', split='train', decoders=skip).batch(8)
text = tfds.load('imdb_reviews', split='train').batch(4)
)");
  EXPECT_EQ(Chain(skipped.pipelines.at(0)), "named dataset batch(8)");
  EXPECT_EQ(Chain(skipped.pipelines.at(1)), "named dataset batch(4)");
}

TEST(PythonPipeline, SeesRandomDecodingAndStatefulFunctions) {
  const Workload w = Read(R"(
def parse(r):
    return tf.io.decode_jpeg(r)
def augment(x):
    return helper(x)
def helper(x):
    return tf.image.random_flip_left_right(x)
ds = tf.data.TFRecordDataset(files).map(parse).map(augment)
ds = ds.map(lambda x: tf.py_function(g, [x], tf.float32))
)");
  const std::vector<Stage>& stages = w.pipelines.at(0).stages;
  EXPECT_TRUE(stages.at(1).function.decodes);
  EXPECT_TRUE(stages.at(2).function.random);
  EXPECT_FALSE(stages.at(2).function.decodes);
  EXPECT_TRUE(stages.at(3).function.stateful);
}

TEST(PythonPipeline, SeesWhatTheObjectOfAMethodHolds) {
  const Workload w = Read(R"(
def prepare(r):
    return tf.io.decode_jpeg(r)
class Input:
    def __init__(self, f):
        self.f = f
    def flip(self, x):
        return tf.image.random_flip_left_right(x)
    def parse(self, r):
        return self.flip(self.f(r))
ds = tf.data.TFRecordDataset(files).map(Input(prepare).parse).batch(8)
)");
  const MapFunction& function = w.pipelines.at(0).stages.at(1).function;
  EXPECT_TRUE(function.decodes);
  EXPECT_TRUE(function.random);
  EXPECT_THAT(function.calls,
              testing::UnorderedElementsAre("tensorflow.image.random_flip_left_right",
                                            "tensorflow.io.decode_jpeg"));
}

TEST(PythonPipeline, RowsOfATableThatIsNotReadAreNotCounted) {
  const Workload w = Read(R"(
import pandas as pd
table = pd.read_csv("table.csv")
y = table.pop("target")
ds = tf.data.Dataset.from_tensor_slices((dict(table), y)).shuffle(100).batch(2)
)");
  EXPECT_EQ(w.pipelines.at(0).source_items, std::nullopt);
}

TEST(PythonPipeline, ADataSetWithoutANameThatSomeElementsAreTakenOfIsALook) {
  const Workload w = Read(R"(
ds = tf.data.Dataset.range(5000)
for row in ds.batch(1).map(lambda x: x + 1).take(1):
    print(row)
)");
  for (const Pipeline& pipeline : w.pipelines) EXPECT_EQ(pipeline.role, PipelineRole::kLook);
}

TEST(PythonPipeline, ALoopThatOnlyPrintsIsALookWhateverTheDataAreCalled) {
  const Workload w = Read(R"(
train_ds = tf.data.Dataset.range(5000).shuffle(50).batch(5)
for i, x in enumerate(train_ds):
    print("batch {}: {}".format(i, x.shape))
    if i > 1: break
)");
  EXPECT_EQ(w.pipelines.at(0).role, PipelineRole::kLook);
}

TEST(PythonPipeline, ALoopThatCallsMoreThanPrintMayTrain) {
  const Workload w = Read(R"(
train_ds = tf.data.Dataset.range(5000).shuffle(50).batch(5)
for x in train_ds:
    print(unknown.step(x))
)");
  EXPECT_EQ(w.pipelines.at(0).role, PipelineRole::kTraining);
}

TEST(PythonPipeline, SingleItemsThatNothingTakesFeedNoTraining) {
  const Workload w = Read(R"(
ds = tf.data.Dataset.from_tensor_slices([1.0, 2.0]).map(lambda x: tf.io.serialize_tensor(x))
)");
  EXPECT_EQ(w.pipelines.at(0).role, PipelineRole::kLook);
}

TEST(PythonPipeline, DeprecatedTransformationsBecomeTheirParts) {
  const Workload w = Read(R"(
ds = tf.data.Dataset.list_files("x*")
ds = ds.apply(tf.data.experimental.parallel_interleave(tf.data.TFRecordDataset, cycle_length=4))
ds = ds.apply(tf.data.experimental.shuffle_and_repeat(64))
ds = ds.apply(tf.data.experimental.map_and_batch(f, 32, drop_remainder=True))
)");
  EXPECT_EQ(Chain(w.pipelines.at(0)), "list_files interleave(4) shuffle(64) repeat map batch(32)");
  EXPECT_EQ(w.pipelines[0].batch()->drop_remainder, true);
}

TEST(PythonPipeline, RolesComeFromFitAndEvaluate) {
  const Workload w = Read(R"(
def make(n):
    return tf.data.Dataset.range(n).batch(2)
a = make(10)
b = make(20)
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(1,))])
model.compile(loss="mse", optimizer="sgd")
model.fit(a, validation_data=b)
)");
  ASSERT_EQ(w.pipelines.size(), 2u);
  EXPECT_EQ(w.pipelines[0].role, PipelineRole::kTraining);
  EXPECT_EQ(w.pipelines[1].role, PipelineRole::kEvaluation);
}

TEST(PythonPipeline, UnknownBatchIsNotedWithItsReason) {
  const Workload w = Read(R"(
def make(batch_size):
    return tf.data.Dataset.range(4).batch(batch_size)
)");
  ASSERT_EQ(w.pipelines.size(), 1u);
  EXPECT_EQ(Chain(w.pipelines[0]), "range batch(?)");
  ASSERT_EQ(w.notes.size(), 1u);
  EXPECT_EQ(w.notes[0].rule, "RD002");
  EXPECT_EQ(w.notes[0].location.line, 4);
  EXPECT_THAT(w.notes[0].message, testing::HasSubstr("parameter `batch_size`"));
}

TEST(PythonPipeline, ScalarsSetUnderAnUnknownConditionAreUnknown) {
  const Workload w = Read(R"(
if fast():
    B = 32
else:
    B = 64
ds = tf.data.Dataset.range(4).batch(B)
)");
  EXPECT_EQ(Chain(w.pipelines.at(0)), "range batch(?)");
}

TEST(PythonPipeline, ALookAtTheDataIsNoPipeline) {
  const Workload w = Read(R"(
train_ds = tf.data.Dataset.range(100).batch(4)
for x in train_ds.take(1):
    print(x)
)");
  ASSERT_EQ(w.pipelines.size(), 1u);
  EXPECT_EQ(Chain(w.pipelines[0]), "range batch(4)");
}

TEST(PythonPipeline, ALoopThatTrainsIsToldFromOneThatLooks) {
  const auto role = [](const std::string& body) {
    return Read(
               "ds = tf.data.Dataset.range(9000).batch(4)\n"
               "other = tf.data.Dataset.range(90).batch(8)\n"
               "for x in other:\n  train_step(x)\n"
               "for x in ds:\n" +
               body)
        .pipelines.size();
  };
  EXPECT_EQ(role("  self.train(x)\n"), 2u);
  EXPECT_EQ(role("  training_digits = x.numpy()\n"), 1u);
  EXPECT_EQ(role("  train_step(x)\n  break\n"), 1u);
}

TEST(PythonPipeline, ArgumentsAreKnownByTheirParameters) {
  const std::string text =
      "import tensorflow as tf\n"
      "ds = tf.data.Dataset.range(4).map(f, 3).shuffle(2, seed=7)\n";
  const absl::StatusOr<Workload> w = ReadPython({"t.py", text}, {});
  ASSERT_TRUE(w.ok());
  const Stage& map = w->pipelines.at(0).stages.at(1);
  const WrittenArgument* calls = map.Written("num_parallel_calls");
  ASSERT_NE(calls, nullptr);
  EXPECT_EQ(text.substr(calls->value.begin, 1), "3");
  EXPECT_EQ(map.Written("deterministic"), nullptr);
  EXPECT_TRUE(w->pipelines[0].stages[2].seeded);
}

TEST(PythonPipeline, PathsAreReadAsFarAsTheyAreConstant) {
  const Workload w = Read(R"(
a = tf.data.TFRecordDataset(["gs://b/1", "gs://b/2"])
b = tf.data.Dataset.list_files(f"gs://b/{name}-*").flat_map(tf.data.TFRecordDataset)
)");
  ASSERT_EQ(w.pipelines.size(), 2u);
  const Stage& list = w.pipelines[0].stages[0];
  EXPECT_THAT(list.paths, testing::ElementsAre("gs://b/1", "gs://b/2"));
  EXPECT_EQ(list.files, 2);
  const std::vector<Stage>& stages = w.pipelines[1].stages;
  EXPECT_THAT(stages[0].paths, testing::ElementsAre("gs://b/"));
  EXPECT_EQ(stages[0].files, std::nullopt);
  EXPECT_EQ(stages[1].inner_source, StageKind::kRecordFiles);
}

TEST(PythonPipeline, OptionsAreKeptInTheirOrder) {
  const Workload w = Read(R"(
o = tf.data.Options()
o.autotune.enabled = False
o.experimental_optimization.map_parallelization = True
ds = tf.data.Dataset.range(9).with_options(o)
)");
  const Pipeline& p = w.pipelines.at(0);
  ASSERT_EQ(p.options.size(), 2u);
  EXPECT_EQ(p.options[0].name, "autotune.enabled");
  EXPECT_EQ(p.options[0].location.line, 4);
  EXPECT_EQ(p.option("experimental_optimization.map_parallelization")->value, "True");
  EXPECT_TRUE(p.rewrites_disabled);
}

TEST(PythonPipeline, PartsOfAFusedTransformationKnowIt) {
  const Workload w = Read(R"(
ds = tf.data.Dataset.range(9)
ds = ds.apply(tf.data.experimental.map_and_batch(f, 4, drop_remainder=True))
)");
  const std::vector<Stage>& stages = w.pipelines.at(0).stages;
  ASSERT_EQ(stages.size(), 3u);
  EXPECT_EQ(stages[1].legacy, "tensorflow.data.experimental.map_and_batch");
  EXPECT_EQ(stages[2].legacy, stages[1].legacy);
  EXPECT_NE(stages[1].Written("apply"), nullptr);
  EXPECT_NE(stages[1].Written("batch_size"), nullptr);
  EXPECT_TRUE(stages[1].parallel_calls.is(4)) << "a batch at once";
}

TEST(PythonPipeline, ElementsAreKnownBehindEachStage) {
  const Workload w = Read(R"(
def parse(record):
    features = {"image": tf.io.FixedLenFeature([], tf.string)}
    image = tf.io.parse_single_example(record, features)["image"]
    return tf.io.decode_jpeg(image, channels=3), 0
ds = tf.data.TFRecordDataset("a").map(parse).batch(8)
)");
  const std::vector<Stage>& stages = w.pipelines.at(0).stages;
  ASSERT_TRUE(stages[0].element);
  EXPECT_EQ(stages[0].element->front().dtype, "string");
  ASSERT_TRUE(stages[2].element);
  ASSERT_EQ(stages[2].element->size(), 2u);
  const Leaf& image = stages[2].element->front();
  EXPECT_EQ(image.dtype, "uint8");
  EXPECT_THAT(image.dims, testing::ElementsAre(8, -1, -1, 3));
}

TEST(PythonPipeline, FunctionsThatTakePartsByPlaceAreTold) {
  const auto indexes = [](const std::string& body) {
    const Workload w = Read("ds = tf.data.Dataset.range(9).map(lambda x: " + body + ")\n");
    return w.pipelines.at(0).stages.at(1).function.indexes;
  };
  EXPECT_TRUE(indexes("x[1:]"));
  EXPECT_TRUE(indexes("x[0]"));
  EXPECT_FALSE(indexes("x['image']"));
  EXPECT_FALSE(indexes("x[..., tf.newaxis]"));
}

TEST(PythonPipeline, OfVeryManyTheFirstOnesAreLookedAt) {
  std::string text;
  for (int i = 0; i < 300; ++i) {
    text += "ds" + std::to_string(i) + " = tf.data.Dataset.range(9).batch(" +
            std::to_string(i + 1) + ")\n";
  }
  const Workload w = Read(text);
  EXPECT_EQ(w.pipelines.size(), 256u);
  EXPECT_TRUE(std::ranges::any_of(w.notes, [](const Diagnostic& note) {
    return note.message.find("more input pipelines") != std::string::npos;
  }));
}

}  // namespace
}  // namespace tilewise
