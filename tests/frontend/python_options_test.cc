// Command-line options, classes, estimators and texts of Python scripts.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/python/read_python.h"

namespace tilewise {
namespace {

using ::testing::HasSubstr;

Workload Read(const std::string& text) {
  absl::StatusOr<Workload> read = ReadPython({"t.py", "import tensorflow as tf\n" + text}, {8});
  EXPECT_TRUE(read.ok()) << read.status();
  return read.ok() ? std::move(*read) : Workload{};
}

TEST(PythonOptions, FlagsTakeTheirDefaultsAndSaySo) {
  const Workload w = Read(R"(
from absl import app, flags
FLAGS = flags.FLAGS
flags.DEFINE_integer('rows', 96, 'examples a step')
def feed():
    return tf.data.Dataset.range(9000).batch(FLAGS.rows)
def main(argv):
    for x in feed():
        train(x)
app.run(main)
)");
  ASSERT_EQ(w.pipelines.size(), 1u);
  EXPECT_EQ(w.declared_global_batch(), 96);
  std::string notes;
  for (const Diagnostic& note : w.notes) notes += note.message + "\n";
  EXPECT_THAT(notes, HasSubstr("rows=96"));
}

TEST(PythonOptions, FlagsOfAnEnumerationHaveItsNamesInSmallLetters) {
  const Workload w = Read(R"(
import enum
from absl import app, flags
class Size(enum.Enum):
    SMALL = 32
    LARGE = 512
SIZE = flags.DEFINE_enum_class('size', 'large', Size, 'how many examples a step has')
def main(argv):
    for x in tf.data.Dataset.range(9000).batch(SIZE.value.value):
        train(x)
app.run(main)
)");
  ASSERT_EQ(w.pipelines.size(), 1u);
  EXPECT_EQ(w.declared_global_batch(), 512);
}

TEST(PythonOptions, ArgparseOptionsTakeTheirDefaults) {
  EXPECT_EQ(Read(R"(
import argparse
p = argparse.ArgumentParser()
p.add_argument('-b', '--batch-rows', type=int, default=48)
args, _ = p.parse_known_args()
ds = tf.data.Dataset.range(5).batch(args.batch_rows)
)")
                .declared_global_batch(),
            48);
}

TEST(PythonOptions, EstimatorGivesItsBatchSizeToTheInputFunction) {
  const Workload w = Read(R"(
def rows(params):
    return tf.data.Dataset.range(7).batch(params['batch_size'])
est = tf.estimator.tpu.TPUEstimator(model_fn=None, train_batch_size=256,
                                    params={'depth': 3})
est.train(input_fn=rows, steps=10)
)");
  ASSERT_EQ(w.pipelines.size(), 1u);
  EXPECT_EQ(w.pipelines[0].role, PipelineRole::kTraining);
  EXPECT_EQ(w.declared_global_batch(), 256);
}

TEST(PythonOptions, BasesAreReachedThroughSuper) {
  EXPECT_EQ(Read(R"(
class Feed:
    def __init__(self, rows):
        self.rows = rows
class Twice(Feed):
    def __init__(self):
        super().__init__(rows=2 * 12)
    def make(self):
        return tf.data.Dataset.range(5).batch(self.rows)
ds = Twice().make()
)")
                .declared_global_batch(),
            24);
}

TEST(PythonOptions, DataClassFieldsComeFromTheConstructor) {
  EXPECT_EQ(Read(R"(
from dataclasses import dataclass
@dataclass
class Settings:
    rows: int = 8
    copies: int = 2
s = Settings(16)
ds = tf.data.Dataset.range(5).batch(s.rows * s.copies)
)")
                .declared_global_batch(),
            32);
}

TEST(PythonOptions, BatchesOfADatasetFunctionArePerReplica) {
  EXPECT_EQ(Read(R"(
strategy = tf.distribute.TPUStrategy()
def make(context):
    rows = context.get_per_replica_batch_size(512)
    return tf.data.Dataset.range(5).batch(rows)
train_ds = strategy.distribute_datasets_from_function(make)
)")
                .declared_global_batch(),
            512);
}

TEST(PythonOptions, UnknownLengthOfAListStaysUnknown) {
  const Workload w = Read(R"(
files = find('*.rec')
ds = tf.data.Dataset.range(5).shuffle(len(files))
)");
  EXPECT_EQ(w.pipelines.at(0).stages.at(1).amount.kind, Count::Kind::kUnresolved);
}

TEST(PythonOptions, BatchSizeOfFitOnArraysIsSaid) {
  const Workload w = Read(R"(
m = tf.keras.Sequential([tf.keras.layers.Dense(3, input_shape=(4,))])
m.compile('sgd', 'mse')
m.fit(np.zeros((64, 4)), np.zeros((64, 3)))
)");
  EXPECT_EQ(w.declared_global_batch(), 32);
  std::string notes;
  for (const Diagnostic& note : w.notes) notes += note.message + "\n";
  EXPECT_THAT(notes, HasSubstr("Keras takes 32"));
}

}  // namespace
}  // namespace tilewise
