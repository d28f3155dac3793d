// How long a program trains: its loops, the steps that an estimator is given.

#include <gtest/gtest.h>

#include "frontend/program/read_program.h"

namespace tilewise::program {
namespace {

HostLoop Read(const std::string& text) {
  ProgramOptions options;
  options.limits.steps = 2'000'000;
  const absl::StatusOr<Workload> read = ReadProgram("train.py", {{text, 0}}, options);
  EXPECT_TRUE(read.ok()) << read.status();
  return read.ok() ? read->host_loop : HostLoop{};
}

HostLoop LoopOf(const std::string& text) {
  constexpr std::string_view kStep = R"(
import tensorflow as tf
w = tf.Variable(tf.zeros((4, 2)))
data = tf.data.Dataset.from_tensor_slices(tf.zeros((64, 4))).batch(8)
optimizer = tf.keras.optimizers.Adam()
def train(x):
  with tf.GradientTape() as tape:
    loss = tf.reduce_mean(tf.matmul(x, w))
  optimizer.apply_gradients(zip(tape.gradient(loss, [w]), [w]))
)";
  return Read(std::string(kStep) + text);
}

TEST(RunLength, LoopsThatCountMultiply) {
  EXPECT_EQ(LoopOf("x = next(iter(data))\nfor i in range(10): train(x)\n").run_steps, 10);
  EXPECT_EQ(LoopOf("x = next(iter(data))\nfor epoch in range(3):\n  for i in range(20): train(x)\n")
                .run_steps,
            60);
}

TEST(RunLength, ALoopAroundTheCallCounts) {
  EXPECT_EQ(LoopOf("def run():\n  for i in range(5): train(next(iter(data)))\n"
                   "for e in range(4): run()\n")
                .run_steps,
            20);
}

// One call of a tf.function is one execution, however many steps its loops take.
int64_t StepsOfExecution(const std::string& loop) {
  const HostLoop read = LoopOf("strategy = tf.distribute.TPUStrategy()\nit = iter(data)\n" + loop);
  EXPECT_EQ(read.framework, Framework::kCustomLoop);
  return read.steps_per_execution_or_default();
}

constexpr char kMany[] =
    "@tf.function\ndef many(it, n):\n  for _ in tf.range(n):\n"
    "    strategy.run(train, args=(next(it),))\n";

TEST(StepsPerExecution, AreThoseOfALoopInATfFunction) {
  EXPECT_EQ(StepsOfExecution(std::string(kMany) + "many(it, 20)\n"), 20);
  EXPECT_EQ(
      StepsOfExecution(std::string(kMany) + "for epoch in range(3): many(it, tf.constant(500))\n"),
      500);
}

TEST(StepsPerExecution, LoopsAroundTheFunctionAreNoPartOfIt) {
  EXPECT_EQ(StepsOfExecution("step = tf.function(lambda x: strategy.run(train, args=(x,)))\n"
                             "for _ in range(50): step(next(it))\n"),
            1);
}

TEST(StepsPerExecution, AStepThatIsCompiledItselfCountsOnce) {
  EXPECT_EQ(StepsOfExecution("step = tf.function(train)\n@tf.function\ndef many(it):\n"
                             "  for _ in tf.range(10):\n    strategy.run(step, (next(it),))\n"
                             "for _ in range(7): many(it)\n"),
            10);
}

TEST(RunLength, ALoopOverATensorHasAllItsRounds) {
  EXPECT_EQ(LoopOf("it = iter(data)\nfor _ in tf.range(500): train(next(it))\n").run_steps, 500);
}

TEST(RunLength, ALoopThatDoesNotCountLeavesItUnknown) {
  EXPECT_FALSE(LoopOf("for epoch in range(3):\n  for x in data: train(x)\n").run_steps);
  EXPECT_FALSE(LoopOf("i = 0\nwhile open('more').read():\n  for i in range(9):\n"
                      "    train(next(iter(data)))\n")
                   .run_steps);
  EXPECT_FALSE(LoopOf("train(next(iter(data)))\n").run_steps) << "no loop";
}

TEST(RunLength, ALoopOverDataWithNoneAroundIsOnePass) {
  EXPECT_TRUE(LoopOf("for x in data: train(x)\n").one_pass);
  EXPECT_FALSE(LoopOf("for epoch in range(3):\n  for x in data: train(x)\n").one_pass);
  EXPECT_FALSE(LoopOf("while open('more').read(): train(next(iter(data)))\n").one_pass);
}

TEST(RunLength, AnEarlierTrainingIsNoPartOfIt) {
  EXPECT_EQ(LoopOf("x = next(iter(data))\nfor i in range(7): train(x)\n"
                   "for i in range(9): train(x)\n")
                .run_steps,
            9);
}

HostLoop EstimatorLoop(const std::string& use, const std::string& train) {
  constexpr std::string_view kProgram = R"(
import tensorflow as tf
def model_fn(features, labels, mode, params):
  loss = tf.reduce_mean(tf.layers.dense(features, 10))
  step = tf.train.AdamOptimizer().minimize(loss, tf.train.get_global_step())
  return tf.contrib.tpu.TPUEstimatorSpec(mode, loss=loss, train_op=step)
def input_fn(params):
  x = tf.zeros([640, 32])
  return tf.data.Dataset.from_tensor_slices((x, x)).repeat().batch(64, drop_remainder=True)
estimator = tf.contrib.tpu.TPUEstimator(model_fn, train_batch_size=64, use_tpu=)";
  return Read(std::string(kProgram) + use + ")\n" + train);
}

TEST(RunLength, AnEstimatorIsGivenItsSteps) {
  EXPECT_EQ(EstimatorLoop("True", "estimator.train(input_fn, max_steps=700)\n").run_steps, 700);
  EXPECT_FALSE(EstimatorLoop("True", "estimator.train(input_fn)\n").run_steps);
}

TEST(RunLength, AnEstimatorThatTurnsTpusOffIsForNone) {
  EXPECT_TRUE(EstimatorLoop("True", "estimator.train(input_fn)\n").uses_tpu_strategy);
  EXPECT_FALSE(EstimatorLoop("False", "estimator.train(input_fn)\n").uses_tpu_strategy);
}

}  // namespace
}  // namespace tilewise::program
