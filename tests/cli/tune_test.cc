// Searches on the command line.

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/run_tilewise.h"
#include "tests/support/checked_by_python.h"

namespace tilewise {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kTune[] = "tune zoo:mlp,layers=2,nodes=1024 --no-config --chip v3-8 ";

RunResult Tune(const std::string& arguments) { return RunTilewise(kTune + arguments); }

TEST(TuneCommand, TriesWhatSearchNames) {
  const std::string out = Tune("--search cores=8,16 --search precision --search batch=64..512").out;
  EXPECT_THAT(out, AllOf(HasSubstr("v3-16"), HasSubstr("4 settings, 16 candidates"),
                         HasSubstr("--cores 16"), HasSubstr("To paste")));
}

TEST(TuneCommand, ChipAllComparesTheChips) {
  const std::string out =
      RunTilewise(
          "tune zoo:mlp,layers=2,nodes=1024 --no-config --chip all --search batch=128 "
          "--price v2=1 --price v3=2 --price v4=3 --price v5e=1 --price v5p=4 --price v6e=3 "
          "--price v7x=9 --objective cost")
          .out;
  EXPECT_THAT(out, AllOf(HasSubstr("--chip v5e"), HasSubstr("--chip v7x"), HasSubstr("cost of 1 M"),
                         HasSubstr("on the front")));
}

TEST(TuneCommand, PastesNothingWhereNothingChanges) {
  const std::string out = Tune(
                              "--batch 64 --steps-per-execution 20 --search batch=8 "
                              "--search steps-per-execution=20")
                              .out;
  EXPECT_THAT(out, AllOf(HasSubstr("Keep batch 64"), Not(HasSubstr("To paste"))));
}

TEST(TuneCommand, PastesNothingWhereThePresentSettingIsKept) {
  const std::string out = Tune(
                              "--batch 1024 --steps-per-execution 200 --search batch=128 "
                              "--search steps-per-execution=200,1000")
                              .out;
  EXPECT_THAT(out, AllOf(HasSubstr("Keep batch 1,024"), Not(HasSubstr("To paste"))));
}

TEST(TuneCommand, DrawsTheCurve) {
  EXPECT_THAT(Tune("--plot --search batch=8..64").out, HasSubstr("####"));
  const std::string svg = Tune("--format svg").out;
  EXPECT_TRUE(IsXml(svg));
  EXPECT_THAT(svg, AllOf(HasSubstr("<svg"), HasSubstr("best")));
}

TEST(TuneCommand, ALatencyIsThatOfOneStep) {
  const std::string out = Tune("--infer --objective latency").out;
  EXPECT_THAT(out, HasSubstr("Run with batch 8 (1 per core) and steps_per_execution=1"));
}

TEST(TuneCommand, WrongWordsAreNamed) {
  const auto error = [](const std::string& arguments) {
    const RunResult run = Tune(arguments);
    EXPECT_EQ(run.exit_code, 2) << arguments;
    return run.err;
  };
  EXPECT_THAT(error("--search rematt"), HasSubstr("found 'rematt', expected batch"));
  EXPECT_THAT(error("--search batch=8..4"), HasSubstr("expected a range FIRST..LAST"));
  EXPECT_THAT(error("--price v5e"), HasSubstr("v5e=1.2"));
  EXPECT_THAT(error("--objective cost"), HasSubstr("--price v3=N"));
  EXPECT_THAT(error("--search mesh=fsdp=3"), HasSubstr("none of the values"));
  EXPECT_THAT(error("--strategy grid --exhaustive"), HasSubstr("--exhaustive"));
}

// JAX starts steps ahead of the device; there is no number of them to set.
TEST(TuneCommand, ALoopOfJaxHasNoStepsPerExecution) {
  const TemporaryFolder folder;
  const std::string script = folder.Write("t.py", R"(
import jax, optax
import numpy as np
import jax.numpy as jnp
import flax.linen as nn

class Mlp(nn.Module):
    @nn.compact
    def __call__(self, x):
        return nn.Dense(10)(nn.relu(nn.Dense(512)(x)))

model = Mlp()
params = model.init(jax.random.PRNGKey(0), jnp.ones((1, 784)))
tx = optax.adam(1e-3)
state = tx.init(params)

@jax.jit
def step(params, state, x, y):
    def loss(p):
        return optax.softmax_cross_entropy_with_integer_labels(model.apply(p, x), y).mean()
    grads = jax.grad(loss)(params)
    updates, state = tx.update(grads, state)
    return optax.apply_updates(params, updates), state

for _ in range(100000):
    params, state = step(params, state, np.zeros((512, 784), np.float32),
                         np.zeros((512,), np.int32))
)");
  const std::string out = RunTilewise("tune " + script + " --no-config --chip v5e-8").out;
  EXPECT_THAT(out, AllOf(HasSubstr("ahead of the device"), HasSubstr("batch_size = "),
                         Not(HasSubstr("steps_per_execution"))));
}

}  // namespace
}  // namespace tilewise
