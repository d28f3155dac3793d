// The lines of a program that a search would change, by the program's own names.

#include "advice/written_settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/load.h"
#include "tests/support/temporary_folder.h"

namespace tilewise {
namespace {

using ::testing::HasSubstr;

class Written : public ::testing::Test {
 protected:
  WrittenSettings Of(const std::string& program, int64_t shards = 8) {
    const auto workload =
        LoadFiles({folder_.Write("train.py", program)}, {.cores = static_cast<int32_t>(shards)});
    EXPECT_TRUE(workload.ok()) << workload.status();
    return workload.ok() ? WrittenSettingsOf(*workload, shards) : WrittenSettings{};
  }

  TemporaryFolder folder_;
};

constexpr const char* kKeras = R"(
model = tf.keras.Sequential([tf.keras.Input((32,)), tf.keras.layers.Dense(8)])
model.compile(loss="mse", optimizer="adam")
x = np.zeros((4096, 32), np.float32)
y = np.zeros((4096, 8), np.float32)
)";

std::string Keras(const std::string& head, const std::string& tail) {
  return "import argparse\nimport numpy as np\nimport tensorflow as tf\n" + head + kKeras + tail;
}

TEST_F(Written, ABatchIsTheNameThatFitIsGiven) {
  const auto written = Of(Keras("NUM = 64\n", "model.fit(x, y, batch_size=NUM)\n"));
  ASSERT_TRUE(written.batch);
  EXPECT_EQ(WithValue(*written.batch, 256), "NUM = 256  # train.py:4, now 64");
  EXPECT_EQ(written.compile.line, 7);
}

TEST_F(Written, ABatchIsTheNumberOfItsStage) {
  const auto written = Of(Keras("",
                                "ds = tf.data.Dataset.from_tensor_slices((x, y)).batch(64)\n"
                                "model.fit(ds)\n"));
  ASSERT_TRUE(written.batch);
  EXPECT_EQ(WithValue(*written.batch, 256), "batch(256)  # train.py:9, now 64");
}

TEST_F(Written, ABatchIsTheNumberThatReplicasAreMultipliedWith) {
  const auto written = Of(Keras("strategy = tf.distribute.TPUStrategy()\n"
                                "BATCH_SIZE = 8 * strategy.num_replicas_in_sync\n",
                                "model.fit(x, y, batch_size=BATCH_SIZE)\n"),
                          8);
  ASSERT_TRUE(written.batch);
  EXPECT_TRUE(written.batch->of_shard);
  EXPECT_EQ(WithValue(*written.batch, 32),
            "BATCH_SIZE = 32 * strategy.num_replicas_in_sync  # train.py:5, now 8");
}

TEST_F(Written, ABatchIsAFlagOfTheCommandLine) {
  const auto written =
      Of(Keras("p = argparse.ArgumentParser()\n"
               "p.add_argument('--test-batch-size', type=int, default=64)\n"
               "p.add_argument('--batch-size', type=int, default=64)\n"
               "args = p.parse_args()\n",
               "model.fit(x, y, batch_size=args.batch_size)\n"));
  ASSERT_TRUE(written.batch);
  EXPECT_EQ(WithValue(*written.batch, 256), "--batch-size=256  # train.py:6, now 64");
}

TEST_F(Written, ANumberThatDoesNotMakeTheBatchIsNone) {
  EXPECT_FALSE(Of(Keras("batch_a = 65\n", "model.fit(x, y, batch_size=32 + 32)\n")).batch);
}

TEST_F(Written, StepsAreTheArgumentOfCompile) {
  const auto written = Of(Keras("",
                                "model.compile(loss='mse', steps_per_execution=4)\n"
                                "model.fit(x, y, batch_size=64)\n"));
  ASSERT_TRUE(written.steps);
  EXPECT_THAT(WithValue(*written.steps, 100), HasSubstr("steps_per_execution=100  # train.py:9"));
}

// Eight processes take two parts each of the 16 that the program sums up on one.
TEST_F(Written, APartOfABatchIsTheNumberOfAProcess) {
  const auto written = Of(R"(
import torch
import torch_xla.core.xla_model as xm
accumulation = 2 * 8
batch_size = 12
model = torch.nn.Linear(64, 64).to(xm.xla_device())
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(1000):
    for part in range(accumulation):
        x = torch.zeros(batch_size, 64).to(xm.xla_device())
        loss = model(x).pow(2).mean() / accumulation
        loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    xm.mark_step()
)");
  ASSERT_TRUE(written.batch);
  EXPECT_EQ(written.batch->value, 12);
  EXPECT_TRUE(written.batch->of_part);
  ASSERT_TRUE(written.parts);
  EXPECT_EQ(written.parts->value, 16);
}

}  // namespace
}  // namespace tilewise
