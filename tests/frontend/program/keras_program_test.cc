// Training programs in Keras and TensorFlow, read on symbols.

#include <gmock/gmock.h>

#include "frontend/program/read_program.h"

namespace tilewise::program {
namespace {

using testing::HasSubstr;

Workload Read(const std::string& text, const std::string& model = "",
              const std::string& inputs = "", std::vector<std::string> arguments = {}) {
  ProgramOptions options;
  options.model = model;
  options.inputs = inputs;
  options.limits.steps = 2'000'000;
  options.arguments = std::move(arguments);
  absl::StatusOr<Workload> workload = ReadProgram("train.py", {{text, 0}}, options);
  EXPECT_TRUE(workload.ok()) << workload.status();
  return *std::move(workload);
}

std::string Notes(const Workload& workload) {
  std::string text;
  for (const Diagnostic& note : workload.notes) text += note.message + "\n";
  return text;
}

// The lines of the ops of a kind.
std::vector<int> LinesOf(const Graph& graph, OpKind kind) {
  std::vector<int> lines;
  for (const Op& op : graph.ops()) {
    if (op.kind == kind) lines.push_back(op.location.line);
  }
  return lines;
}

TEST(KerasProgram, FitOnArraysIsAStep) {
  const Workload workload = Read(R"(
from tensorflow import keras
(x, y), _ = keras.datasets.mnist.load_data()
x = x.reshape(-1, 784).astype("float32") / 255
model = keras.Sequential()
model.add(keras.layers.Dense(600, activation="relu"))
model.add(keras.layers.Dense(10))
model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(x, y, batch_size=96, epochs=3)
)");
  ASSERT_TRUE(workload.graph.has_value()) << Notes(workload);
  ASSERT_TRUE(workload.training.has_value());
  EXPECT_EQ(workload.training->optimizer, OptimizerKind::kAdam);
  EXPECT_TRUE(workload.training->loss_known);
  EXPECT_EQ(workload.host_loop.fit_batch_size.value, 96);
  EXPECT_EQ(workload.host_loop.epochs.value, 3);
  EXPECT_EQ(workload.host_loop.framework, Framework::kKeras);
  EXPECT_FALSE(workload.graph->is_static()) << Notes(workload);
  ASSERT_TRUE(workload.model_size.has_value());
  EXPECT_EQ(workload.model_size->trainable, 784 * 600 + 600 + 600 * 10 + 10);
  EXPECT_THAT(LinesOf(*workload.graph, OpKind::kDot), testing::ElementsAre(6, 7));
}

TEST(KerasProgram, AFunctionalModelKeepsTheLinesOfItsCalls) {
  const Workload workload = Read(R"(
import tensorflow as tf
from tensorflow.keras import layers
inputs = layers.Input((32, 32, 3))
x = layers.Conv2D(64, 3, padding="same")(inputs)
x = tf.nn.relu(x)
x = layers.GlobalAveragePooling2D()(x)
outputs = layers.Dense(5)(x)
model = tf.keras.Model(inputs, outputs)
model.compile(tf.keras.optimizers.SGD(0.1, momentum=0.9), "mse")
model.fit(tf.data.Dataset.from_tensor_slices((tf.zeros((640, 32, 32, 3)),
                                              tf.zeros((640, 5)))).batch(64))
)");
  ASSERT_TRUE(workload.graph.has_value()) << Notes(workload);
  EXPECT_THAT(LinesOf(*workload.graph, OpKind::kConvolution), testing::ElementsAre(5));
  EXPECT_THAT(LinesOf(*workload.graph, OpKind::kDot), testing::ElementsAre(8));
  ASSERT_NE(workload.training_pipeline(), nullptr);
  EXPECT_EQ(workload.training_pipeline()->batch_size(), 64);
  EXPECT_EQ(workload.training->optimizer, OptimizerKind::kMomentum);
}

// The stages of a data set of batches that nothing batches anew hold whole batches.
TEST(KerasProgram, AnElementOfUnbatchedRowsIsABatchForFit) {
  const Workload workload = Read(R"(
import tensorflow as tf
model = tf.keras.Sequential([tf.keras.layers.Dense(4)])
model.compile("adam", "mse")
rows = tf.data.Dataset.from_tensor_slices((tf.zeros((640, 8, 16)), tf.zeros((640, 8, 4))))
rows = rows.batch(64).map(lambda x, y: (tf.transpose(x, [1, 0, 2]), tf.transpose(y, [1, 0, 2])))
model.fit(rows.unbatch())
)");
  ASSERT_NE(workload.training_pipeline(), nullptr) << Notes(workload);
  EXPECT_EQ(workload.training_pipeline()->item_bytes, Bytes{(16 + 4) * 4});
}

TEST(KerasProgram, DataThatIsOnlyLookedAtFeedsNoStep) {
  const Workload workload = Read(R"(
import tensorflow as tf
images = tf.data.Dataset.from_tensor_slices(tf.zeros((640, 8, 8, 3)))
first = next(iter(images.batch(20)))
)");
  EXPECT_EQ(workload.training_pipeline(), nullptr);
}

// The columns of a table that is not read are as many as nobody knows, and not none.
TEST(KerasProgram, ValuesOfATableThatIsNotHereFeedAModel) {
  const Workload workload = Read(R"(
import pandas as pd
import tensorflow as tf
table = pd.read_csv("train.csv")
x = table.drop(["id", "step"], axis=1).values
x = x.reshape(-1, 60, x.shape[-1])
inputs = tf.keras.Input(x.shape[-2:])
outputs = tf.keras.layers.Dense(1)(tf.keras.layers.LSTM(64)(inputs))
model = tf.keras.Model(inputs, outputs)
model.compile("adam", "mse")
model.fit(x, table["label"].values, batch_size=256)
)");
  ASSERT_TRUE(workload.graph.has_value()) << Notes(workload);
  EXPECT_EQ(workload.declared_global_batch(), 256);
}

TEST(KerasProgram, LabelsInNamesOfFilesThatAreNotHereStopNoLoop) {
  const Workload workload = Read(R"(
import os
import numpy as np, tensorflow as tf
x, y = [], []
for name in os.listdir("data/train"):
    image = tf.keras.preprocessing.image.load_img("data/train/" + name, target_size=(32, 32))
    x.append(np.asarray(image))
    label, rest = name.split("_")
    y.append(int(label))
model = tf.keras.Sequential([tf.keras.layers.Flatten(), tf.keras.layers.Dense(6)])
model.compile("adam", "mse")
model.fit(np.array(x), tf.keras.utils.to_categorical(np.array(y), 6), batch_size=64)
)");
  EXPECT_THAT(Notes(workload), testing::Not(HasSubstr("not enough values")));
  EXPECT_EQ(workload.declared_global_batch(), 64);
}

TEST(KerasProgram, TwoCallsOfFitAreTwoRunsAndNotOneStep) {
  const Workload workload = Read(R"(
import tensorflow as tf
def train(width):
    net = tf.keras.Sequential([tf.keras.layers.Dense(width), tf.keras.layers.Dense(1)])
    net.compile("adam", "mse")
    net.fit(tf.zeros((640, 8)), tf.zeros((640, 1)), batch_size=64)
train(512)
first = tf.keras.Sequential([tf.keras.layers.Dense(256)])
first.compile("adam", "mse")
first.fit(tf.zeros((640, 8)), tf.zeros((640, 256)), batch_size=64)
last = tf.keras.Sequential([tf.keras.layers.Dense(4)])
last.compile("adam", "mse")
last.fit(tf.zeros((640, 8)), tf.zeros((640, 4)), batch_size=32)
)");
  ASSERT_TRUE(workload.graph.has_value()) << Notes(workload);
  EXPECT_EQ(LinesOf(*workload.graph, OpKind::kDot).size(), 1U);
  EXPECT_EQ(workload.declared_global_batch(), 32);
}

TEST(KerasProgram, WhatIsCalledBetweenLayersIsPartOfAClone) {
  const Workload workload = Read(R"(
import tensorflow as tf
x = tf.keras.Input((4,))
y = tf.keras.layers.Dense(2)(tf.exp(tf.zeros((4,))) * x)
copy = tf.keras.models.clone_model(tf.keras.Model(x, y))
copy.compile('sgd', 'mse')
copy.fit(tf.zeros((64, 4)), tf.zeros((64, 2)), batch_size=16)
assert copy(tf.zeros((24, 4))).shape[0] == 24
)");
  EXPECT_EQ(Notes(workload).find("a check of the program"), std::string::npos) << Notes(workload);
  ASSERT_TRUE(workload.graph.has_value()) << Notes(workload);
}

TEST(KerasProgram, ALoopWithATapeIsAStep) {
  const Workload workload = Read(R"(
import tensorflow as tf

class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.first = tf.keras.layers.Dense(128)
        self.last = tf.keras.layers.Dense(10)

    def call(self, x):
        return self.last(tf.nn.relu(self.first(x)))

strategy = tf.distribute.TPUStrategy(tf.distribute.cluster_resolver.TPUClusterResolver())
with strategy.scope():
    net = Net()
    optimizer = tf.keras.optimizers.Adam(1e-3)
data = tf.data.Dataset.from_tensor_slices((tf.zeros((4096, 64)), tf.zeros((4096,), tf.int32)))
data = strategy.experimental_distribute_dataset(data.batch(512))

@tf.function
def step(batch):
    def replica(x, y):
        with tf.GradientTape() as tape:
            logits = net(x, training=True)
            loss = tf.reduce_mean(
                tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))
        grads = tape.gradient(loss, net.trainable_variables)
        optimizer.apply_gradients(zip(grads, net.trainable_variables))
    strategy.run(replica, args=batch)

for epoch in range(10):
    for batch in data:
        step(batch)
)");
  ASSERT_TRUE(workload.graph.has_value()) << Notes(workload);
  ASSERT_NE(workload.training_pipeline(), nullptr);
  EXPECT_EQ(workload.training_pipeline()->batch_size(), 512);
  EXPECT_EQ(workload.training->optimizer, OptimizerKind::kAdam);
  EXPECT_EQ(workload.model_size->trainable, 64 * 128 + 128 + 128 * 10 + 10);
  EXPECT_FALSE(workload.graph->is_static()) << Notes(workload);
}

TEST(KerasProgram, AnEstimatorCallsItsModelFunction) {
  const Workload workload = Read(R"(
import tensorflow.compat.v1 as tf

def model_fn(features, labels, mode, params):
    logits = tf.layers.dense(features, 10)
    loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
    optimizer = tf.tpu.CrossShardOptimizer(tf.train.MomentumOptimizer(0.1, 0.9))
    train = optimizer.minimize(loss, tf.train.get_global_step())
    return tf.estimator.tpu.TPUEstimatorSpec(mode, loss=loss, train_op=train)

def input_fn(params):
    data = tf.data.Dataset.from_tensor_slices((tf.zeros((8000, 32)), tf.zeros((8000,), tf.int32)))
    return data.repeat().batch(params["batch_size"], drop_remainder=True)

config = tf.estimator.tpu.RunConfig(tpu_config=tf.estimator.tpu.TPUConfig(100))
tf.estimator.tpu.TPUEstimator(model_fn, config=config, use_tpu=True,
                              train_batch_size=1024).train(input_fn, max_steps=10000)
)");
  ASSERT_TRUE(workload.graph.has_value()) << Notes(workload);
  EXPECT_EQ(workload.host_loop.fit_batch_size.value, 1024);
  EXPECT_EQ(workload.model_size->trainable, 330);
}

TEST(KerasProgram, ApplicationsNeedNoSourceOfKeras) {
  const Workload workload = Read("from tensorflow.keras.applications import MobileNetV2\n",
                                 "MobileNetV2(weights=None)", "224x224x3:f32");
  ASSERT_TRUE(workload.model_size.has_value()) << Notes(workload);
  EXPECT_EQ(workload.model_size->trainable + workload.model_size->other, 3'538'984);
}

TEST(KerasProgram, TheCommandLineReachesTheProgram) {
  const std::string program = R"(
import argparse
from tensorflow import keras
parser = argparse.ArgumentParser()
parser.add_argument("--width", type=int, default=8)
args = parser.parse_args()
model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(args.width)])
model.compile("sgd", "mse")
model.fit(keras.ops.zeros((64, 4)), keras.ops.zeros((64, args.width)))
)";
  EXPECT_EQ(Read(program).model_size->trainable, 40);
  EXPECT_EQ(Read(program, "", "", {"--width", "16"}).model_size->trainable, 80);
}

TEST(KerasProgram, ALossThatIsNotKnownMakesNoStep) {
  const Workload workload = Read(R"(
import tensorflow as tf
from some_package import weight
w = tf.Variable(tf.zeros((4, 4)))
with tf.GradientTape() as tape:
    loss = weight() * tf.reduce_sum(w)
optimizer = tf.keras.optimizers.SGD(0.1)
optimizer.apply_gradients(zip(tape.gradient(loss, [w]), [w]))
)");
  EXPECT_FALSE(workload.graph.has_value());
  EXPECT_THAT(Notes(workload), HasSubstr("some_package"));
}

TEST(KerasProgram, AModelAsItIsAfterALine) {
  const std::string program = R"(
from tensorflow import keras
model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(2)])
model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(5)])
)";
  EXPECT_EQ(Read(program, "model@3", "3:f32").model_size->trainable, 8);
  EXPECT_EQ(Read(program, "model", "3:f32").model_size->trainable, 20);
}

TEST(KerasProgram, WhatLaterLinesAddToAModelOfALineIsSaid) {
  const Workload workload = Read(R"(
from tensorflow import keras
model = keras.Sequential([keras.Input((3,))])
model.add(keras.layers.Dense(2))
model.summary()
model.add(keras.layers.Dense(1))
)",
                                 "model@3", "3:f32");
  EXPECT_EQ(workload.model_size->trainable, 8 + 3);
  EXPECT_THAT(Notes(workload), HasSubstr("the lines up to 6 add to `model` after line 3"));
}

constexpr char kDense[] = R"(
import numpy as np
from tensorflow import keras
import absent
model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(absent.classes)])
model.compile("sgd", "mse")
model.fit(np.zeros((64, 3)), np.zeros((64, 1)), batch_size=16)
)";

TEST(KerasProgram, ASizeThatIsNotKnownIsTakenAsOneWithAMark) {
  const Workload workload = Read(kDense);
  ASSERT_TRUE(workload.training.has_value()) << Notes(workload);
  EXPECT_EQ(workload.model_size->trainable, 3 + 1);
  EXPECT_THAT(Notes(workload), HasSubstr("the count is a lower bound"));
}

TEST(KerasProgram, FeaturesOfDataThatIsAbsentAreTakenAsOneWithAMark) {
  const Workload workload = Read(R"(
import numpy as np
from tensorflow import keras
data = np.loadtxt("absent.tsv", delimiter="\t")
x, y = data[:, 1:], data[:, 0]
x = x.reshape((x.shape[0], x.shape[1], 1))
order = np.random.permutation(len(x))
x, y = x[order], y[order]
inputs = keras.Input(x.shape[1:])
outputs = keras.layers.Dense(5)(inputs)
model = keras.Model(inputs, keras.layers.GlobalAveragePooling1D()(outputs))
model.compile("sgd", "mse")
model.fit(x, y, batch_size=16)
)");
  ASSERT_TRUE(workload.training.has_value()) << Notes(workload);
  EXPECT_EQ(workload.model_size->trainable, 5 + 5);
}

TEST(KerasProgram, AModelOfAnInputThatIsNotKnownEndsSoon) {
  const Workload workload = Read(R"(
from tensorflow import keras
import absent
x = absent.data
inputs = keras.Input(x.shape)
model = keras.Model(inputs, keras.layers.Dense(5)(inputs))
model.compile("sgd", "mse")
model.fit(x, absent.labels)
)");
  EXPECT_FALSE(workload.graph.has_value());
  EXPECT_THAT(Notes(workload), testing::Not(HasSubstr("nested too deep")));
}

constexpr char kStep[] = R"(
import tensorflow as tf
w = tf.Variable(tf.zeros((4, 2)))
data = tf.data.Dataset.from_tensor_slices(tf.zeros((64, 4))).batch(8)
optimizer = tf.keras.optimizers.Adam()
def train(x):
  with tf.GradientTape() as tape:
    loss = tf.reduce_mean(tf.matmul(x, w))
  optimizer.apply_gradients(zip(tape.gradient(loss, [w]), [w]))
)";

TEST(TensorFlowProgram, ALoopThatCountsEpochsSaysHowMany) {
  const std::string loop = R"(
class config: EPOCHS = 7
for epoch in range(2, config.EPOCHS):
  for x in data: train(x)
)";
  EXPECT_EQ(Read(kStep + loop).host_loop.epochs.value, 5);
}

TEST(TensorFlowProgram, ALoopOverTheStepsOfAnEpochDoesNot) {
  const std::string loop = R"(
steps_per_epoch = 8
for i in range(steps_per_epoch):
  train(next(iter(data)))
)";
  EXPECT_FALSE(Read(kStep + loop).host_loop.epochs.present());
}

TEST(TensorFlowProgram, ChecksOfWhatIsNotGivenArePassedOver) {
  const std::string checks = R"(
def main(tpu, files):
  assert tpu is not None, 'Give the address.'
  if not files:
    raise ValueError('Give files.')
  for x in data: train(x)
main(None, '')
)";
  const Workload workload = Read(kStep + checks);
  EXPECT_TRUE(workload.training.has_value()) << Notes(workload);
  EXPECT_THAT(Notes(workload), HasSubstr("a check of the program fails: Give the address."));
  EXPECT_THAT(Notes(workload), HasSubstr("it is read as if it had passed"));
}

TEST(TensorFlowProgram, ChecksThatTheProgramWaitsForEndAsItSays) {
  const std::string checks = R"(
try:
  assert False
  size = 3
except AssertionError:
  size = 5
v = tf.Variable(tf.zeros((size,)))
for x in data: train(x)
)";
  EXPECT_THAT(Notes(Read(kStep + checks)), testing::Not(HasSubstr("as if it had passed")));
}

TEST(TensorFlowProgram, OfATableOfClassesTheFirstStandsForANameThatIsNotKnown) {
  const Workload workload = Read(R"(
import tensorflow as tf
import absent
class Small:
  width = 3
class Large:
  width = 9
width = {'small': Small, 'large': Large}[absent.name]().width
w = tf.Variable(tf.zeros((width, 2)))
with tf.GradientTape() as tape:
  loss = tf.reduce_mean(tf.matmul(tf.zeros((8, width)), w))
tf.keras.optimizers.SGD().apply_gradients(zip(tape.gradient(loss, [w]), [w]))
)");
  ASSERT_TRUE(workload.model_size.has_value()) << Notes(workload);
  EXPECT_EQ(workload.model_size->trainable, 3 * 2);
  EXPECT_THAT(Notes(workload), HasSubstr("'small' is taken"));
}

TEST(TensorFlowProgram, ALongLoopThatMakesNoModelIsLeft) {
  const Workload workload = Read(R"(
import tensorflow as tf
pairs = []
for i in range(10000000):
  pairs.append((i, i + 1))
w = tf.Variable(tf.zeros((4, 2)))
with tf.GradientTape() as tape:
  loss = tf.reduce_mean(tf.matmul(tf.zeros((8, 4)), w))
tf.keras.optimizers.SGD().apply_gradients(zip(tape.gradient(loss, [w]), [w]))
)");
  EXPECT_TRUE(workload.training.has_value()) << Notes(workload);
  EXPECT_THAT(Notes(workload), HasSubstr("the rounds of this loop are more than are read"));
}

TEST(KerasProgram, APartDoesNotStandForAModelThatIsNotKnown) {
  const Workload workload = Read(R"(
import no_such_backbones
from tensorflow.keras import Input, Model, layers
x = Input((8, 8, 16))
head = Model(x, layers.Conv2D(4, 3)(x))
image = Input((32, 32, 3))
net = Model(image, head(no_such_backbones.ResNet(image)))
)");
  EXPECT_FALSE(workload.graph.has_value()) << Notes(workload);
  EXPECT_THAT(Notes(workload), HasSubstr("package no_such_backbones is not on the search path"));
}

TEST(KerasProgram, LayersAreInTheOrderOfKeras) {
  const Workload workload = Read(R"(
import tensorflow as tf
from tensorflow.keras import layers
x = layers.Input((8,), name='in')
a = layers.Dense(8, name='a')(x)
b = layers.Dense(8, name='b')(a)
short = layers.Dense(8, name='short')(x)
y = layers.Dense(2, name='y')(layers.Add(name='add')([short, layers.ReLU(name='relu')(b)]))
model = tf.keras.Model(x, y)
assert [l.name for l in model.layers] == ['in', 'a', 'b', 'short', 'relu', 'add', 'y']
for layer in model.layers[:3]: layer.trainable = False
model.compile('sgd', 'mse')
model.fit(tf.zeros((64, 8)), tf.zeros((64, 2)), batch_size=16)
)");
  ASSERT_TRUE(workload.model_size.has_value()) << Notes(workload);
  EXPECT_EQ(workload.model_size->trainable, (8 * 8 + 8) + (8 * 2 + 2)) << Notes(workload);
}

TEST(TensorFlowProgram, AnOptimizerOfTheProgramsOwnIsNamedByItsClass) {
  const Workload workload = Read(R"(
import tensorflow as tf
class LARSOptimizer(tf.keras.optimizers.Optimizer):
  def __init__(self, rate, name='LARSOptimizer'):
    super().__init__(name)
    self._set_hyper('learning_rate', rate)
    self.trust = self._get_hyper('learning_rate', tf.float32)
w = tf.Variable(tf.zeros((4, 2)))
with tf.GradientTape() as tape:
  loss = tf.reduce_mean(tf.matmul(tf.zeros((8, 4)), w))
LARSOptimizer(0.3).apply_gradients(zip(tape.gradient(loss, [w]), [w]))
)");
  ASSERT_TRUE(workload.training.has_value()) << Notes(workload);
  EXPECT_EQ(workload.training->optimizer, OptimizerKind::kLars);
}

}  // namespace
}  // namespace tilewise::program
