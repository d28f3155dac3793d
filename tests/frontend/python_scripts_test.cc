// What public training scripts do besides the plain case.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/python/read_python.h"
#include "tests/support/temporary_folder.h"

namespace tilewise {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

Workload Read(const std::string& text) {
  absl::StatusOr<Workload> read = ReadPython({"t.py", "import tensorflow as tf\n" + text}, {8});
  EXPECT_TRUE(read.ok()) << read.status();
  return read.ok() ? std::move(*read) : Workload{};
}

std::vector<std::string> Notes(const Workload& w) {
  std::vector<std::string> result;
  for (const Diagnostic& note : w.notes) result.push_back(note.message);
  return result;
}

// Programs for TPUs move the batch to the last dim, and flatten.
TEST(PythonScripts, ExamplesKeepTheirSizeWhereAMapMovesTheBatch) {
  const Workload w = Read(R"(
import numpy as np
ds = tf.data.Dataset.from_tensor_slices(np.zeros((64, 8, 8, 3), np.float32))
ds = ds.batch(16, drop_remainder=True)
ds = ds.map(lambda x: tf.reshape(tf.transpose(x, [1, 2, 3, 0]), [-1]))
)");
  ASSERT_EQ(w.pipelines.size(), 1u);
  ASSERT_TRUE(w.pipelines[0].item_bytes.has_value());
  EXPECT_EQ(w.pipelines[0].item_bytes->value, 8 * 8 * 3 * 4);
}

// What a program that imports no framework itself starts is in modules beside it.
constexpr char kTrainer[] = R"(
import torch
def run(batch):
    model = torch.nn.Linear(64, 32)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(100):
        loss = model(torch.randn(batch, 64)).mean()
        loss.backward()
        optimizer.step()
)";

// Scripts have no main() where they loop over runs, or choose between training and a test.
TEST(PythonScripts, WhatALoopOrAConditionOfTheScriptStartsIsRun) {
  const TemporaryFolder folder;
  folder.Write("trainer.py", kTrainer);
  const auto trains = [&](const std::string& lines) {
    const std::string text = "import torch\nimport trainer\n" + lines;
    const auto read = ReadPython({folder.Write("main.py", text), text}, {8});
    EXPECT_TRUE(read.ok()) << read.status();
    return read.ok() && read->training.has_value();
  };
  EXPECT_TRUE(trains("for i in range(2):\n    trainer.run(256)\n"));
  EXPECT_TRUE(
      trains("if torch.cuda.is_available:\n    try:\n        trainer.run(256)\n"
             "    except OSError:\n        pass\n"));
  EXPECT_FALSE(trains("def start():\n    trainer.run(256)\n"));
}

TEST(PythonScripts, ModulesBesideTheProgramMayTrain) {
  const TemporaryFolder folder;
  folder.Write("trainer.py", kTrainer);
  const std::string text = "from trainer import run\nif __name__ == '__main__':\n    run(256)\n";
  const auto read = ReadPython({folder.Write("main.py", text), text}, {8});
  ASSERT_TRUE(read.ok()) << read.status();
  ASSERT_TRUE(read->training.has_value());
  EXPECT_EQ(read->host_loop.fit_batch_size.value, 256);
}

TEST(PythonScripts, NothingIsSaidOfAProgramWithoutAFramework) {
  const TemporaryFolder folder;
  folder.Write("tools.py", "def run(n):\n    raise ValueError(n)\n");
  const std::string text = "from tools import run\nif __name__ == '__main__':\n    run(256)\n";
  const auto read = ReadPython({folder.Write("main.py", text), text}, {8});
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_TRUE(read->notes.empty());
}

TEST(PythonScripts, DropRemainderThatIsNotKnownIsNotAbsent) {
  const Workload w = Read(R"(
def make(drop):
  return tf.data.Dataset.range(10).batch(4, drop_remainder=drop)
)");
  ASSERT_EQ(w.pipelines.size(), 1u);
  EXPECT_EQ(w.pipelines[0].batch()->drop_remainder, true);
  EXPECT_THAT(Notes(w), Contains(HasSubstr("cannot resolve drop_remainder")));
}

TEST(PythonScripts, ClassWhoseNewMakesADataset) {
  const Workload w = Read(R"(
class Source(tf.data.Dataset):
  def _generate(n):
    yield n
  def __new__(cls, n=3):
    return tf.data.Dataset.from_generator(cls._generate, tf.int64, args=(n,))
ds = Source().map(lambda x: x)
)");
  ASSERT_EQ(w.pipelines.size(), 1u);
  EXPECT_EQ(w.pipelines[0].stages[0].kind, StageKind::kFromGenerator);
}

TEST(PythonScripts, DecoratorOfTheScriptReplacesTheFunction) {
  const Workload w = Read(R"(
def eagerly(f):
  def wrapper(x):
    return tf.py_function(f, inp=[x], Tout=tf.int64)
  return wrapper
@eagerly
def step(x):
  return x
ds = tf.data.Dataset.range(4).map(step)
)");
  ASSERT_EQ(w.pipelines.size(), 1u);
  EXPECT_TRUE(w.pipelines[0].stages[1].function.stateful);
}

TEST(PythonScripts, InfoOfAKnownDatasetCountsItsSplits) {
  const Workload w = Read(R"(
import tensorflow_datasets as tfds
data, info = tfds.load('cifar10', with_info=True)
ds = data['train'].batch(info.splits['train'].num_examples // 1000)
)");
  ASSERT_FALSE(w.pipelines.empty());
  EXPECT_EQ(w.declared_global_batch(), 50);
}

TEST(PythonScripts, StarredTargetsAndComprehensionsOfDictionaries) {
  const Workload w = Read(R"(
first, *rest = [8, 2, 4]
sizes = {k: 2 * v for k, v in zip(['a', 'b'], rest)}
ds = tf.data.Dataset.range(100).batch(first * sizes['b'])
)");
  EXPECT_EQ(w.declared_global_batch(), 64);
}

TEST(PythonScripts, ArgumentsWithAStarMayReplaceADefault) {
  const Workload w = Read(R"(
def make(size=4, *rest):
  return tf.data.Dataset.range(100).batch(size)
known, unknown = make(*[8]), make(*options)
)");
  ASSERT_FALSE(w.pipelines.empty());
  EXPECT_EQ(w.pipelines[0].batch_size(), 8);
  EXPECT_THAT(Notes(w), Contains(HasSubstr("an argument with a star")));
}

TEST(PythonScripts, AsyncCodeIsFollowed) {
  const Workload w = Read(R"(
async def make():
  async with lock:
    return tf.data.Dataset.range(100).batch(8)
async def main():
  ds = await make()
  ds = ds.prefetch(1)
)");
  ASSERT_EQ(w.pipelines.size(), 1u);
  EXPECT_EQ(w.pipelines[0].stages.size(), 3u);
}

constexpr char kModel[] = R"(
model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(2)])
ds = tf.data.Dataset.from_tensor_slices((tf.zeros([64, 4]), tf.zeros([64, 2])))
ds = ds.batch(8)
)";

TEST(PythonScripts, TheLastFitCountsAndTheCompileBeforeIt) {
  const Workload w = Read(std::string(kModel) + R"(
model.compile('sgd', 'mse')
model.compile('adam', 'mse', steps_per_execution=4)
model.fit(ds, epochs=1)
model.compile('rmsprop', 'mse')
model.fit(ds, epochs=2)
)");
  ASSERT_TRUE(w.training.has_value());
  EXPECT_EQ(w.training->optimizer, OptimizerKind::kRmsProp);
  EXPECT_EQ(w.host_loop.steps_per_execution_or_default(), 1);
  EXPECT_THAT(Notes(w), Contains(HasSubstr("compiled anew")));
}

// One loss by the weights of both.
TEST(PythonScripts, StepsThatTrainTwoModelsCountBoth) {
  const Workload w = Read(R"(
def net(units, name):
  x = tf.keras.Input((4,))
  return tf.keras.Model(x, tf.keras.layers.Dense(units)(x), name=name)
generator = net(4, 'gen')
critic = net(1, 'critic')
sample = net(2, 'unused')
def step(x):
  with tf.GradientTape() as tape:
    loss = critic(generator(x))
  tape.gradient(loss, generator.trainable_variables)
  tape.gradient(loss, critic.trainable_variables)
step(tf.zeros([8, 4]))
)");
  EXPECT_THAT(Notes(w), Not(Contains(HasSubstr("other weights are trained here"))));
  ASSERT_TRUE(w.graph.has_value());
  EXPECT_EQ(w.graph->trainable_parameters(), (4 * 4 + 4) + (4 + 1));
}

// Each dataset is a copy of the one before: copies count for the work.
TEST(PythonScripts, LoopsThatGrowAPipelineAreLeft) {
  const Workload w = Read(R"(
ds = tf.data.Dataset.range(9)
for i in range(99999):
  ds = ds.map(abs)
)");
  EXPECT_THAT(Notes(w), Contains(HasSubstr("more than 1000 stages")));
  ASSERT_EQ(w.pipelines.size(), 1u);
  EXPECT_LT(w.pipelines[0].stages.size(), 2000u);
}

TEST(PythonScripts, BlanksAfterImportAreNothing) {
  const absl::StatusOr<Workload> read = ReadPython({"t.py", R"(
import  tensorflow as tf
from    tensorflow.keras import layers
net = tf.keras.Sequential([layers.Dense(4, input_shape=(8,))])
net.compile('sgd', 'mse')
net.fit(tf.zeros((64, 8)), tf.zeros((64, 4)), batch_size=16)
)"},
                                                   {8});
  ASSERT_TRUE(read.ok()) << read.status();
  ASSERT_TRUE(read->model_size.has_value());
  EXPECT_EQ(read->model_size->trainable, 8 * 4 + 4);
}

// Pictures of a known size are about an eighth of it in the files, however they are resized later.
TEST(PythonScripts, PicturesOfANamedDatasetAreEncodedInItsFiles) {
  const Workload w = Read(R"(
import tensorflow_datasets as tfds
ds = tfds.load('cifar10', split='train', decoders={'image': tfds.decode.SkipDecoding()})
ds = ds.map(lambda x: tf.image.resize(tf.io.decode_png(x['image']), (384, 384))).batch(8)
)");
  EXPECT_EQ(w.pipelines.at(0).source_item_bytes, Bytes{384});
}

// A picture that stands in for data that are not given is not what the program is for.
TEST(PythonScripts, AProgramThatTrainsOnAStandInIsReadAsItsPageStartsIt) {
  const TemporaryFolder folder;
  folder.Write("README.md", "```\npython train.py --data voc.tfrecord --epochs 9\n```\n");
  const std::string text = R"(
import argparse
import tensorflow as tf
parser = argparse.ArgumentParser()
parser.add_argument("--data", default="")
parser.add_argument("--epochs", type=int, default=2)
args = parser.parse_args()
def parse(record):
    x = tf.io.parse_single_example(record, {"x": tf.io.FixedLenFeature([64], tf.float32)})
    return x["x"], x["x"]
if args.data:
    data = tf.data.TFRecordDataset(args.data).map(parse)
else:
    data = tf.data.Dataset.from_tensor_slices((tf.zeros((1, 64)), tf.zeros((1, 64))))
model = tf.keras.Sequential([tf.keras.layers.Dense(64)])
model.compile("sgd", "mse")
model.fit(data.batch(8), epochs=args.epochs)
)";
  const auto read = ReadPython({folder.Write("train.py", text), text}, {8});
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->training_pipeline()->stages.front().kind, StageKind::kRecordFiles);
  EXPECT_TRUE(read->host_loop.epochs.is(9));
  EXPECT_THAT(Notes(*read), Contains(HasSubstr("trains on a few items with the defaults")));
}

}  // namespace
}  // namespace tilewise
