// Graphs of TensorFlow 1 whose placeholders leave sizes open that they are fed.

#include <gmock/gmock.h>

#include "tests/frontend/program/read_text.h"

namespace tilewise::program {
namespace {

using testing::HasSubstr;

constexpr char kBegin[] = R"(
import numpy as np
import tensorflow.compat.v1 as tf
w = tf.get_variable("w", [6, 2])
)";

// The inputs of the graph, by their shapes.
std::vector<std::string> Inputs(const Workload& workload) {
  std::vector<std::string> shapes;
  for (const Op& op : workload.graph->ops()) {
    if (op.kind == OpKind::kParameter) shapes.push_back(FormatShape(op.shape));
  }
  return shapes;
}

TEST(FedSizes, ASizeThatAPlaceholderLeavesOpenIsTheOneThatItIsFed) {
  const Workload workload = ReadText(std::string(kBegin) + R"(
x = tf.placeholder(tf.float32, [None, None, 6])
loss = tf.reduce_mean(tf.einsum("bti,io->bto", x, w))
train = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as session:
  session.run(train, {x: np.zeros([32, 40, 6])})
)");
  ASSERT_TRUE(workload.graph.has_value()) << NotesOfText(workload);
  EXPECT_THAT(Inputs(workload), testing::ElementsAre(HasSubstr(",40,6]")));
  EXPECT_TRUE(workload.host_loop.fit_batch_size.is(32));
}

TEST(FedSizes, OpenSizesBesideTheBatchThatIsWrittenInTheGraphAreThatBatch) {
  const Workload workload = ReadText(std::string(kBegin) + R"(
batch_size = 16
x = tf.placeholder(tf.float32, [None, 6])
noise = tf.random.normal([batch_size, 6])
loss = tf.reduce_mean(tf.matmul(x + noise, w))
train = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as session:
  session.run(train, {x: np.zeros([16, 6])})
)");
  ASSERT_TRUE(workload.graph.has_value()) << NotesOfText(workload);
  EXPECT_FALSE(workload.graph->is_static());
  EXPECT_TRUE(workload.host_loop.fit_batch_size.is(16));
}

TEST(FedSizes, APlaceholderOfAKnownBatchSaysItWhereTheDataAreNotKnown) {
  const Workload workload = ReadText(std::string(kBegin) + R"(
import my_data
x = tf.placeholder(tf.float32, [4, 6])
loss = tf.reduce_mean(tf.matmul(x, w))
train = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as session:
  session.run(train, {x: my_data.batch()})
)");
  EXPECT_TRUE(workload.host_loop.fit_batch_size.is(4)) << NotesOfText(workload);
}

// What stands for data of any size is not what the program says.
TEST(FedSizes, ABatchThatStandsForAbsentDataIsNotTheProgramsOwn) {
  const Workload workload = ReadText(R"(
import numpy as np
import tensorflow as tf
net = tf.keras.Sequential([tf.keras.layers.Dense(2, input_shape=(6,))])
net.compile("sgd", "mse")
x = np.load("some.npy")
net.train_on_batch(x, np.zeros((len(x), 2)))
)");
  ASSERT_TRUE(workload.graph.has_value()) << NotesOfText(workload);
  EXPECT_FALSE(workload.host_loop.fit_batch_size.present());
}

TEST(FedSizes, TowersShareWhatTheGraphIsFed) {
  const Workload workload = ReadText(std::string(kBegin) + R"(
n = 8
x = tf.placeholder(tf.float32, [None, 6])
optimizer = tf.train.AdamOptimizer()
towers = []
for i in range(2):
  loss = tf.reduce_mean(tf.matmul(x[i * n:(i + 1) * n], w))
  towers.append(optimizer.compute_gradients(loss))
train = optimizer.apply_gradients(towers[0])
with tf.Session() as session:
  session.run(train, {x: np.zeros([16, 6])})
)");
  ASSERT_TRUE(workload.graph.has_value()) << NotesOfText(workload);
  EXPECT_FALSE(workload.graph->is_static());
  EXPECT_TRUE(workload.host_loop.fit_batch_size.is(16));
}

}  // namespace
}  // namespace tilewise::program
