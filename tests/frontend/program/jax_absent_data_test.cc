// JAX programs whose data are nowhere: what stands for them, and how many examples a step has.

#include <gmock/gmock.h>

#include "tests/frontend/program/read_text.h"

namespace tilewise::program {
namespace {

using testing::HasSubstr;
using testing::Not;

// A classifier of 784 numbers that is trained on what `nowhere` would give.
std::string OnAbsentData(const std::string& loss) {
  return R"(
import jax, jax.numpy as jnp, optax
import flax.linen as nn
import nowhere
class Net(nn.Module):
    @nn.compact
    def __call__(self, x):
        return nn.Dense(10)(nn.relu(nn.Dense(128)(x)))
batch_size = 64
model = Net()
params = model.init(jax.random.PRNGKey(0), jnp.ones((1, 784)))
tx = optax.adam(1e-3)
state = tx.init(params)
@jax.jit
def step(params, state, x, y):
    def loss(p):
        logits = model.apply(p, x)
        return )" +
         loss + R"(
    value, grads = jax.value_and_grad(loss)(params)
    updates, state = tx.update(grads, state, params)
    return optax.apply_updates(params, updates), state, value
for x, y in nowhere.load():
    params, state, value = step(params, state, x, y)
)";
}

TEST(JaxAbsentData, HasTheShapeThatTheModelIsMadeWithAndTheBatchThatANameSays) {
  for (const char* loss :
       {"optax.softmax_cross_entropy_with_integer_labels(logits, y).mean()",
        "optax.softmax_cross_entropy(logits, jax.nn.one_hot(y, 10)).mean()",
        "jnp.mean((logits - y) ** 2)",
        "-jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(logits), y[:, None], 1))"}) {
    const Workload workload = ReadText(OnAbsentData(loss));
    ASSERT_TRUE(workload.graph.has_value()) << loss << "\n" << NotesOfText(workload);
    EXPECT_EQ(workload.model_size->trainable, 784 * 128 + 128 + 128 * 10 + 10) << loss;
    EXPECT_EQ(workload.host_loop.fit_batch_size.value, 64) << loss << NotesOfText(workload);
    EXPECT_FALSE(workload.graph->is_static()) << loss;
    EXPECT_THAT(NotesOfText(workload),
                HasSubstr("the shape that it is made with, and a batch of 64, as batch_size says"));
  }
}

TEST(JaxAbsentData, IsNotAskedForWhereTheDataAreKnown) {
  std::string text = OnAbsentData("jnp.mean((logits - y) ** 2)");
  text.replace(text.find("nowhere.load()"), 14,
               "[(jnp.ones((32, 784)), jnp.ones((32, 10))) for _ in range(3)]");
  const Workload workload = ReadText(text);
  ASSERT_TRUE(workload.graph.has_value()) << NotesOfText(workload);
  EXPECT_EQ(workload.host_loop.fit_batch_size.value, 32);
  EXPECT_THAT(NotesOfText(workload), Not(HasSubstr("that it is made with")));
}

TEST(JaxAbsentData, ABufferThatIsFilledBeforeTheStepIsFullAfterItsRounds) {
  const Workload workload = ReadText(R"(
import jax, jax.numpy as jnp, numpy as np, optax
from flax.core.frozen_dict import FrozenDict
class Buffer(FrozenDict):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.most, self.size, self.pointer = len(self._dict['x']), 0, 0
    def add(self, row):
        def put(array, new):
            array[self.pointer] = new
        jax.tree_util.tree_map(put, self._dict, row)
        self.pointer = (self.pointer + 1) % self.most
        self.size = max(self.pointer, self.size)
    def sample(self, count):
        rows = np.random.randint(self.size, size=count)
        return jax.tree_util.tree_map(lambda array: array[rows], self._dict)
buffer = Buffer({'x': np.zeros((100000, 16), np.float32)})
w = jax.random.normal(jax.random.PRNGKey(0), (16, 4))
tx = optax.sgd(0.1)
state = tx.init(w)
@jax.jit
def step(w, state, batch):
    grads = jax.grad(lambda w: jnp.mean((batch['x'] @ w) ** 2))(w)
    updates, state = tx.update(grads, state)
    return optax.apply_updates(w, updates), state
for i in range(1, 1000000):
    buffer.add({'x': np.random.randn(16)})
    if buffer.size < 50000:
        continue
    w, state = step(w, state, buffer.sample(256))
)");
  ASSERT_TRUE(workload.graph.has_value()) << NotesOfText(workload);
  EXPECT_EQ(workload.model_size->trainable, 16 * 4);
  EXPECT_EQ(workload.host_loop.fit_batch_size.value, 256);
}

TEST(JaxAbsentData, ModelsThatVmapTrainsSideBySideHaveABatchEach) {
  const Workload workload = ReadText(R"(
import jax, jax.numpy as jnp, optax
from flax import linen as nn
tx = optax.adam(1e-3)
net = nn.Dense(4)
def train(key):
    x = jax.random.normal(key, (32, 16))
    params = net.init(key, x)
    state = tx.init(params)
    def step(carry, _):
        params, state = carry
        grads = jax.grad(lambda p, x: jnp.mean(net.apply(p, x) ** 2))(params, x)
        updates, state = tx.update(grads, state)
        return (optax.apply_updates(params, updates), state), None
    return jax.lax.scan(step, (params, state), None, 10)[0][0]
out = jax.jit(jax.vmap(train))(jax.random.split(jax.random.PRNGKey(0), 8))
)");
  ASSERT_TRUE(workload.graph.has_value()) << NotesOfText(workload);
  EXPECT_EQ(workload.host_loop.fit_batch_size.value, 32);
  EXPECT_THAT(NotesOfText(workload), HasSubstr("the step trains 8 models side by side"));
}

TEST(JaxAbsentData, WhatManyStepsOfAnEnvironmentGatheredIsDataOfTheUpdate) {
  const Workload workload = ReadText(R"(
import gym, jax, optax
import jax.numpy as jnp
import numpy as np
from flax import linen as nn
net, tx = nn.Dense(4), optax.adam(0.01)
env = gym.make("CartPole-v1")
params = net.init(jax.random.PRNGKey(0), jnp.zeros((1, 4)))
state = tx.init(params)
@jax.jit
def rollout(params, kept):
    for i in range(32):
        seen = jnp.asarray(env.step(0)[0])
        kept = kept.at[i].set(net.apply(params, seen))
    return kept
env.reset()
kept = rollout(params, jnp.zeros((32, 4)))
@jax.jit
def update(params, state, kept):
    grads = jax.grad(lambda p: jnp.mean(net.apply(p, kept) ** 2))(params)
    updates, state = tx.update(grads, state)
    return optax.apply_updates(params, updates), state
update(params, state, kept)
)");
  ASSERT_TRUE(workload.graph.has_value()) << NotesOfText(workload);
  EXPECT_THAT(NotesOfText(workload), HasSubstr("gathered in many steps before"));
  int dots = 0;
  for (const Op& op : workload.graph->ops()) dots += op.kind == OpKind::kDot ? 1 : 0;
  EXPECT_EQ(dots, 1);
}

TEST(JaxAbsentData, AModuleThatIsMappedMayBeGivenAsAPartialCall) {
  const Workload workload = ReadText(R"(
import functools, jax
import jax.numpy as jnp
from flax import linen as nn
class Both(nn.Module):
    of: type
    @nn.compact
    def __call__(self, x):
        several = nn.vmap(self.of, variable_axes={"params": 0}, split_rngs={"params": True},
                          in_axes=None, out_axes=0, axis_size=2)
        return several()(x)
net = Both(functools.partial(nn.Dense, features=3))
)",
                                     "net", "5:f32");
  ASSERT_TRUE(workload.model_size.has_value()) << NotesOfText(workload);
  EXPECT_EQ(workload.model_size->trainable, 2 * (5 * 3 + 3));
}

TEST(JaxAbsentData, AVocabularyHasTheSizeThatTheNameOfItsFileSays) {
  const auto size_of = [](const std::string& file) {
    return ReadText(
        "import sentencepiece as spm\nfrom flax import linen as nn\n"
        "pieces = spm.SentencePieceProcessor()\npieces.Load('" +
            file + "')\nnet = nn.Embed(pieces.GetPieceSize(), 4)\n",
        "net", "8:i32");
  };
  EXPECT_EQ(size_of("cc_all.32000.100extra/sentencepiece.model").model_size->trainable, 32100 * 4);
  EXPECT_EQ(size_of("spm_8k.model").model_size->trainable, 8000 * 4);
  EXPECT_FALSE(size_of("v2.model").model_size.has_value() &&
               size_of("v2.model").model_size->trainable > 0);
}

TEST(JaxAbsentData, AMomentumMayHaveATypeOfItsOwn) {
  std::string text = OnAbsentData("jnp.mean((logits - y) ** 2)");
  text.replace(text.find("optax.adam(1e-3)"), 16,
               "optax.sgd(0.1, momentum=0.9, accumulator_dtype='bfloat16')");
  const Workload workload = ReadText(text);
  ASSERT_TRUE(workload.training.has_value()) << NotesOfText(workload);
  EXPECT_EQ(workload.training->momentum_type, DType::kBF16);
}

TEST(JaxAbsentData, AReasonNamesPackagesThatAreNotHereWhereThereIsNoOther) {
  const Workload workload = ReadText(R"(
import jax
import rocketry
if __name__ == '__main__':
    rocketry.launch(jax.devices())
)");
  EXPECT_FALSE(workload.graph.has_value());
  EXPECT_THAT(NotesOfText(workload), HasSubstr("not on the search path (rocketry)"));
}

TEST(JaxAbsentData, StepsOfARunAreThoseThatAScanTakesInEachRound) {
  const Workload workload = ReadText(R"(
import jax, jax.numpy as jnp, numpy as np, optax
import tensorflow as tf
data = tf.data.Dataset.from_tensor_slices(np.zeros((3200, 16), np.float32))
data = iter(data.batch(32, drop_remainder=True).batch(5, drop_remainder=True).repeat())
w = jax.random.normal(jax.random.PRNGKey(0), (16, 4))
tx = optax.sgd(0.1)
def step(carry, x):
    w, state = carry
    loss, grads = jax.value_and_grad(lambda w: jnp.mean((x @ w) ** 2))(w)
    updates, state = tx.update(grads, state)
    return (optax.apply_updates(w, updates), state), loss
many = jax.jit(lambda carry, xs: jax.lax.scan(step, carry, xs))
carry = (w, tx.init(w))
for i in range(0, 1000, 5):
    carry, losses = many(carry, next(data)._numpy())
)");
  ASSERT_TRUE(workload.graph.has_value()) << NotesOfText(workload);
  EXPECT_EQ(workload.host_loop.steps_per_execution.value, 5);
  EXPECT_EQ(workload.host_loop.run_steps, 1000);
}

TEST(JaxAbsentData, WhatNumpyHasAndTilewiseHasNotIsUnknown) {
  const Workload workload = ReadText(R"(
import numpy as np
from torch import nn
table = np.lib.stride_tricks.sliding_window_view(np.zeros(8), 2)
found = np.setxor1d([1], [2])
row, column = np.unravel_index(7, (2, 5))
net = nn.Linear(int(column) + len(list(np.ndindex(2, 3))), 1)
)",
                                     "net");
  ASSERT_TRUE(workload.model_size.has_value()) << NotesOfText(workload);
  EXPECT_EQ(workload.model_size->trainable, 2 + 6 + 1);
}

TEST(JaxAbsentData, AbstractVariablesOfEquinoxAreNoFields) {
  const Workload workload = ReadText(R"(
import equinox as eqx, jax, jax.numpy as jnp, optax
class Solver(eqx.Module):
    kind: str = 'plain'
    table: eqx.AbstractClassVar[tuple]
class Own(Solver):
    table = (1, 2)
    net: eqx.nn.Linear = None
model = Own(net=eqx.nn.Linear(16, 4, key=jax.random.PRNGKey(0)))
grads = eqx.filter_grad(lambda m, x: jnp.mean(jax.vmap(m.net)(x) ** 2))(model, jnp.ones((8, 16)))
)");
  ASSERT_TRUE(workload.graph.has_value()) << NotesOfText(workload);
  EXPECT_EQ(workload.model_size->trainable, 16 * 4 + 4);
}

TEST(JaxAbsentData, TheRegistryOfGymHasTheEnvironmentsThatAreKnown) {
  const Workload workload = ReadText(R"(
import gym
from torch import nn
ids = [spec.id for spec in gym.envs.registry.all()]
if 'HalfCheetah-v2' in ids and 'cheetah-run' not in ids:
    env = gym.make('HalfCheetah-v2')
else:
    import dm_control
    env = dm_control.load('cheetah')
net = nn.Linear(env.observation_space.shape[0], 1)
)",
                                     "net");
  ASSERT_TRUE(workload.model_size.has_value()) << NotesOfText(workload);
  EXPECT_EQ(workload.model_size->trainable, 17 + 1);
}

TEST(JaxAbsentData, VariablesAreFrozenWhereTheProgramTakesThemApartSo) {
  const Workload workload = ReadText(R"(
import jax, jax.numpy as jnp
from flax import linen as nn
net = nn.Dense(4)
variables = net.init(jax.random.PRNGKey(0), jnp.ones((8, 16)))
state, params = variables.pop('params')
grads = jax.grad(lambda p: jnp.mean(net.apply({'params': p}, jnp.ones((8, 16)))))(params)
)");
  ASSERT_TRUE(workload.graph.has_value()) << NotesOfText(workload);
  EXPECT_EQ(workload.model_size->trainable, 16 * 4 + 4);
}

TEST(JaxAbsentData, APermutationMayBeARange) {
  const Workload workload = ReadText(R"(
import jax, jax.numpy as jnp, optax
w = jax.random.normal(jax.random.PRNGKey(0), (16, 4))
grads = jax.grad(lambda w: jnp.mean(jnp.transpose(w, range(1, -1, -1)) ** 2))(w)
tx = optax.sgd(0.1)
updates, _ = tx.update(grads, tx.init(w))
w = optax.apply_updates(w, updates)
)");
  ASSERT_TRUE(workload.graph.has_value()) << NotesOfText(workload);
  EXPECT_EQ(workload.model_size->trainable, 64);
}

TEST(JaxAbsentData, TransitionsThatWereRecordedHaveTheBatchThatIsDrawnOfThem) {
  const Workload workload = ReadText(R"(
import d4rl, gym, jax, optax
import jax.numpy as jnp
import numpy as np

env = gym.make('halfcheetah-medium-v2')
rows = d4rl.qlearning_dataset(env)
critic = {'w': jnp.ones((17 + 6, 32)), 'v': jnp.ones((32, 1))}
actor = {'w': jnp.ones((17, 6))}

def value(critic, seen, acts):
    return jnp.tanh(jnp.concatenate([seen, acts], -1) @ critic['w']) @ critic['v']

optimizer = optax.adam(3e-4)
states = optimizer.init(critic), optimizer.init(actor)

@jax.jit
def update(critic, actor, states, seen, acts, rewards):
    for i in range(1):
        grads = jax.grad(lambda c: jnp.mean((value(c, seen, acts)[:, 0] - rewards) ** 2))(critic)
        updates, first = optimizer.update(grads, states[0])
        critic = optax.apply_updates(critic, updates)
    grads = jax.grad(lambda a: -jnp.mean(value(critic, seen, seen @ a['w'])))(actor)
    updates, second = optimizer.update(grads, states[1])
    return critic, optax.apply_updates(actor, updates), (first, second)

for i in range(100000):
    at = np.random.randint(len(rows['rewards']), size=256)
    critic, actor, states = update(critic, actor, states, rows['observations'][at],
                                   rows['actions'][at], rows['rewards'][at])
)");
  ASSERT_TRUE(workload.graph.has_value()) << NotesOfText(workload);
  EXPECT_EQ(workload.declared_global_batch(), 256);
  EXPECT_EQ(workload.model_size->trainable, 23 * 32 + 32 + 17 * 6);
}

}  // namespace
}  // namespace tilewise::program
