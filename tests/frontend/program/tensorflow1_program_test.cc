// Training programs of TensorFlow 1, read on symbols.

#include <gmock/gmock.h>

#include "frontend/program/read_program.h"

namespace tilewise::program {
namespace {

using testing::HasSubstr;
using testing::Not;

Workload Read(const std::string& text) {
  ProgramOptions options;
  options.limits.steps = 2'000'000;
  absl::StatusOr<Workload> workload = ReadProgram("train.py", {{text, 0}}, options);
  EXPECT_TRUE(workload.ok()) << workload.status();
  return *std::move(workload);
}

std::string Notes(const Workload& workload) {
  std::string text;
  for (const Diagnostic& note : workload.notes) text += note.message + "\n";
  return text;
}

TEST(TensorFlow1, AnEstimatorWithoutKnownDataOrModelHasItsOptimizer) {
  const Workload workload = Read(R"(
import tensorflow.compat.v1 as tf
import my_data, my_model
def model_fn(features, labels, mode, params):
    logits = tf.cast(my_model.network(features), tf.float32)
    loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
    optimizer = tf.tpu.CrossShardOptimizer(tf.train.MomentumOptimizer(0.1, 0.9))
    train_op = optimizer.minimize(loss, tf.train.get_global_step())
    return tf.estimator.tpu.TPUEstimatorSpec(mode=mode, loss=loss, train_op=train_op)
estimator = tf.estimator.tpu.TPUEstimator(model_fn=model_fn, train_batch_size=1024)
estimator.train(input_fn=my_data.input_fn, max_steps=90)
)");
  EXPECT_FALSE(workload.graph.has_value());
  ASSERT_TRUE(workload.training.has_value()) << Notes(workload);
  EXPECT_EQ(workload.training->optimizer, OptimizerKind::kMomentum);
}

TEST(TensorFlow1, SizesHaveAValue) {
  const Workload workload = Read(R"(
import tensorflow as tf
x = tf.placeholder(tf.float32, [None, 6])
batch = x.shape[0].value
w = tf.get_variable('w', [x.shape[-1].value, 2])
loss = tf.reduce_mean(tf.matmul(x, w))
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
with tf.Session() as session:
  session.run(train)
)");
  ASSERT_TRUE(workload.model_size.has_value()) << Notes(workload);
  EXPECT_EQ(workload.model_size->trainable, 12);
}

// The default, True, is one input for each host, each of which makes its part of a step.
TEST(TensorFlow1, AnEstimatorsInputRunsOnEachHostUnlessItSaysOtherwise) {
  const auto share = [](const std::string& config) {
    ProgramOptions options;
    options.cores = 32;
    options.hosts = 4;
    const std::string text = R"(
import tensorflow.compat.v1 as tf
def model_fn(features, labels, mode, params):
  w = tf.get_variable('w', [4, 2])
  loss = tf.reduce_mean(tf.matmul(features, w))
  optimizer = tf.tpu.CrossShardOptimizer(tf.train.GradientDescentOptimizer(0.1))
  return tf.estimator.tpu.TPUEstimatorSpec(mode, loss=loss, train_op=optimizer.minimize(loss))
def input_fn(params):
  x = tf.data.Dataset.from_tensor_slices((tf.zeros([512, 4]), tf.zeros([512])))
  return x.repeat().batch(params['batch_size'], drop_remainder=True)
config = tf.estimator.tpu.RunConfig(tpu_config=tf.estimator.tpu.TPUConfig()" +
                             config + R"())
tf.estimator.tpu.TPUEstimator(model_fn, config=config, train_batch_size=64).train(input_fn, steps=9)
)";
    absl::StatusOr<Workload> workload = ReadProgram("train.py", {{text, 0}}, options);
    EXPECT_TRUE(workload.ok() && workload->pipelines.size() == 1);
    return workload.ok() && !workload->pipelines.empty() ? workload->pipelines[0].host_share
                                                         : HostShare::kUnknown;
  };
  EXPECT_EQ(share(""), HostShare::kAll);
  EXPECT_EQ(share("per_host_input_for_training=True"), HostShare::kAll);
  EXPECT_EQ(share("per_host_input_for_training=False"), HostShare::kOneHost);
}

TEST(TensorFlow1, ColumnsOfRecordsThatAreJoinedHaveOneLength) {
  const Workload workload = Read(R"(
import tensorflow as tf
def parse(record):
  found = tf.io.parse_single_example(record, {
      'x': tf.io.VarLenFeature(tf.float32), 'y': tf.io.VarLenFeature(tf.float32)})
  x, y = tf.sparse.to_dense(found['x']), tf.sparse.to_dense(found['y'])
  boxes = tf.stack([x, y], axis=-1)
  wide = tf.concat([x[:, None], y[:, None]], axis=1)
  return tf.reduce_sum(boxes, axis=0) + tf.reduce_sum(wide, axis=0)
data = tf.data.TFRecordDataset('a').map(parse).batch(8)
model = tf.keras.Sequential([tf.keras.layers.Dense(3)])
optimizer = tf.keras.optimizers.SGD()
for x in data:
  with tf.GradientTape() as tape:
    loss = tf.reduce_mean(model(x))
  optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables),
                                model.trainable_variables))
)");
  ASSERT_TRUE(workload.training.has_value()) << Notes(workload);
  EXPECT_EQ(workload.model_size->trainable, 2 * 3 + 3);
}

TEST(TensorFlow1, WhatASessionFetchesOfADataSetSizesTheBatchThatIsFed) {
  const Workload workload = Read(R"(
import tensorflow as tf
data = tf.data.Dataset.from_tensors(tf.zeros([6])).repeat().batch(24)
item = data.make_one_shot_iterator().get_next()
x = tf.placeholder(tf.float32, [None, 6])
w = tf.get_variable('w', [6, 2])
loss = tf.reduce_mean(tf.matmul(x, w))
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
with tf.Session() as session:
  fetched = session.run({'image': item})
  session.run(train, feed_dict={x: fetched['image']})
)");
  EXPECT_EQ(workload.declared_global_batch(), 24) << Notes(workload);
}

TEST(TensorFlow1, AQueueGivesWhatItWasMadeFor) {
  const Workload workload = Read(R"(
import tensorflow as tf
queue = tf.FIFOQueue(100, dtypes=[tf.float32, tf.int32], shapes=[(6,), ()])
queue.enqueue_many([tf.placeholder(tf.float32, [None, 6]), tf.placeholder(tf.int32, [None])])
x, y = queue.dequeue_many(40)
logits = tf.matmul(x, tf.get_variable('w', [6, 2]))
loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
with tf.Session() as session:
  session.run(train)
)");
  EXPECT_EQ(workload.declared_global_batch(), 40) << Notes(workload);
  EXPECT_EQ(workload.model_size->trainable, 12);
}

TEST(TensorFlow1, ABatchThatIsFedToAQueueIsTheBatch) {
  const Workload workload = Read(R"(
import tensorflow as tf
size = tf.placeholder(tf.int32, name='batch_size')
queue = tf.FIFOQueue(100, [tf.string], shapes=[(3,)])
names = queue.dequeue()
images = [tf.zeros([6]) for name in tf.unstack(names)]
x, = tf.train.batch_join([[images]], batch_size=size, enqueue_many=True)
loss = tf.reduce_mean(tf.matmul(x, tf.get_variable('w', [6, 2])))
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
with tf.Session() as session:
  session.run(train, feed_dict={size: 90})
)");
  EXPECT_EQ(workload.declared_global_batch(), 90) << Notes(workload);
}

TEST(TensorFlow1, DistributionsAreDrawnByTheirShapes) {
  const Workload workload = Read(R"(
import tensorflow as tf
x = tf.zeros([24, 6])
mix = tf.distributions.Beta(0.5, 0.5).sample([tf.shape(x)[0], 1])
q = tf.distributions.Normal(x, 1.0 + tf.square(x))
kl = tf.distributions.kl_divergence(q, tf.distributions.Normal(0.0, 1.0))
loss = tf.reduce_mean(tf.matmul(x * mix, tf.get_variable('w', [6, 2]))) + tf.reduce_mean(kl)
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
with tf.Session() as session:
  session.run(train)
)");
  ASSERT_TRUE(workload.training.has_value()) << Notes(workload);
  EXPECT_EQ(workload.model_size->trainable, 12);
  EXPECT_THAT(Notes(workload), Not(HasSubstr("not known")));
}

TEST(TensorFlow1, NamesOfPython2AreThere) {
  const Workload workload = Read(R"(
import tensorflow as tf
sizes = {'w': 6}
for name, size in sizes.iteritems():
  w = tf.get_variable(unicode(name), [size, 2])
loss = sum(tf.reduce_mean(tf.matmul(tf.zeros([8, 6]), w)) for i in xrange(2))
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
with tf.Session() as session:
  if sizes.has_key('w'): session.run(train)
)");
  ASSERT_TRUE(workload.training.has_value()) << Notes(workload);
  EXPECT_EQ(workload.model_size->trainable, 12);
}

TEST(TensorFlow1, ALossThatIsNotKnownIsWhyTheirSumIsNot) {
  const Workload workload = Read(R"(
import tensorflow as tf
from tensorflow.compiler.tf2xla.python import xla
w = tf.get_variable('w', [6, 2])
logits = tf.matmul(tf.zeros([8, 6]), w) + xla.of_no_release(xla.replica_id())
tf.losses.softmax_cross_entropy(tf.zeros([8, 2]), logits)
train = tf.train.GradientDescentOptimizer(0.1).minimize(tf.losses.get_total_loss())
)");
  EXPECT_THAT(Notes(workload), HasSubstr("xla.of_no_release is not among what tilewise knows"));
}

TEST(TensorFlow1, ADecoderReadsAtEachStepWhatItsAttentionFinds) {
  const Workload workload = Read(R"(
import numpy as np
import tensorflow as tf
from tensorflow.contrib import seq2seq
words, wide, steps = 100, 32, 20
source = tf.placeholder(tf.int32, [None, steps])
target = tf.placeholder(tf.int32, [None, steps])
table = tf.get_variable('table', [words, wide])
seen, _ = tf.nn.dynamic_rnn(tf.contrib.rnn.GRUCell(wide), tf.nn.embedding_lookup(table, source),
                            dtype=tf.float32)
with tf.variable_scope('decode'):
    memory = seq2seq.LuongAttention(wide, seen)
    cell = seq2seq.AttentionWrapper(tf.contrib.rnn.GRUCell(wide), memory, attention_layer_size=wide)
    helper = seq2seq.TrainingHelper(tf.nn.embedding_lookup(table, target), tf.fill([16], steps))
    decoder = seq2seq.BasicDecoder(cell, helper, cell.zero_state(tf.shape(source)[0], tf.float32),
                                   tf.layers.Dense(words, use_bias=False))
    outputs, _, _ = seq2seq.dynamic_decode(decoder)
loss = seq2seq.sequence_loss(outputs.rnn_output, target, tf.ones([16, steps]))
train = tf.train.AdamOptimizer(1e-3).minimize(loss)
with tf.Session() as session:
    for i in range(10):
        texts = np.zeros((16, steps), 'int32')
        session.run(train, {source: texts, target: texts})
)");
  ASSERT_TRUE(workload.graph.has_value()) << Notes(workload);
  const int64_t encoder = 64 * 96 + 96, decoder = 96 * 96 + 96;
  EXPECT_EQ(workload.model_size->trainable,
            100 * 32 + encoder + 32 * 32 + decoder + 64 * 32 + 32 * 100);
  EXPECT_EQ(workload.training->loss, LossKind::kSoftmaxCrossEntropy);
}

TEST(TensorFlow1, AListOfStepsIsDecodedAndWeighed) {
  const Workload workload = Read(R"(
import numpy as np
import tensorflow as tf
from tensorflow.contrib import legacy_seq2seq, rnn
ids = tf.placeholder(tf.int32, [50, 8])
cell = rnn.MultiRNNCell([rnn.LSTMCell(16) for _ in range(2)])
table = tf.get_variable('table', [60, 16])
rows = [tf.squeeze(x, [1]) for x in tf.split(tf.nn.embedding_lookup(table, ids), 8, 1)]
outputs, _ = legacy_seq2seq.rnn_decoder(rows, cell.zero_state(50, tf.float32), cell)
logits = tf.layers.dense(tf.reshape(tf.concat(outputs, 1), [-1, 16]), 60)
loss = tf.reduce_sum(legacy_seq2seq.sequence_loss_by_example(
    [logits], [tf.reshape(ids, [-1])], [tf.ones([400])])) / 400
train = tf.train.AdamOptimizer(1e-3).minimize(loss)
with tf.Session() as session:
    session.run(train, {ids: np.zeros((50, 8), 'int32')})
)");
  ASSERT_TRUE(workload.graph.has_value()) << Notes(workload);
  EXPECT_EQ(workload.model_size->trainable, 60 * 16 + 2 * (32 * 64 + 64) + 16 * 60 + 60);
}

TEST(TensorFlow1, NamesAndOrdersFromBeforeItsFirstReleaseAreRead) {
  const Workload workload = Read(R"(
import numpy as np
import tensorflow as tf
x = tf.placeholder(tf.float32, [None, 8])
a, b = tf.split(1, 2, tf.concat(1, [x, x]))
w = tf.Variable(tf.truncated_normal([16, 2]))
logits = tf.matmul(tf.reshape(tf.pack([tf.mul(a, b), tf.sub(a, b)], 1), [-1, 16]), w)
loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(logits, tf.ones_like(logits)))
tf.scalar_summary('loss', loss)
train = tf.train.AdamOptimizer(1e-4).minimize(loss)
session = tf.Session()
session.run(tf.initialize_all_variables())
for i in range(100):
    session.run(train, feed_dict={x: np.zeros((50, 8))})
)");
  ASSERT_TRUE(workload.graph.has_value()) << Notes(workload);
  EXPECT_EQ(workload.model_size->trainable, 16 * 2);
}

TEST(TensorFlow1, DistributionsOfOtherShapesHaveTheirFormulas) {
  const Workload workload = Read(R"(
import numpy as np
import tensorflow as tf
import tensorflow_probability as tfp
tfd = tfp.distributions
net = tf.keras.Sequential([tf.keras.layers.Input((8,)), tf.keras.layers.Dense(20)])
optimizer = tf.keras.optimizers.Adam(1e-3)
for x in tf.data.Dataset.from_tensor_slices(np.zeros((100, 8), 'float32')).batch(50):
    with tf.GradientTape() as tape:
        p = net(x)
        mixed = tfd.MultivariateNormalTriL(p[:, :4], tf.reshape(p[:, 4:], [-1, 4, 4]))
        drawn = tfd.RelaxedOneHotCategorical(0.5, logits=p[:, :4]).sample()
        others = [tfd.LogNormal(p[:, 0], 1.0), tfd.StudentT(3.0, p[:, 0], 1.0),
                  tfd.Exponential(tf.exp(p[:, 0])), tfd.Poisson(log_rate=p[:, 0])]
        loss = tf.reduce_mean(mixed.log_prob(mixed.sample())) + tf.reduce_mean(drawn)
        for other in others:
            loss += tf.reduce_mean(other.log_prob(2.0))
    gradients = tape.gradient(loss, net.trainable_variables)
    optimizer.apply_gradients(zip(gradients, net.trainable_variables))
)");
  ASSERT_TRUE(workload.graph.has_value()) << Notes(workload);
  EXPECT_EQ(workload.model_size->trainable, 8 * 20 + 20);
  EXPECT_FALSE(workload.graph->is_static());
}

}  // namespace
}  // namespace tilewise::program
