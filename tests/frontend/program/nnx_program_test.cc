// Programs of flax.nnx whose layers are made over split keys, the metadata of their variables, and
// the kernels of attention that they call.

#include <algorithm>

#include <gmock/gmock.h>

#include "tests/frontend/program/read_text.h"

namespace tilewise::program {
namespace {

constexpr char kBlock[] = R"(
import jax, jax.numpy as jnp, optax
from flax import nnx

class Block(nnx.Module):
    def __init__(self, width, rngs):
        self.norm = nnx.LayerNorm(width, rngs=rngs)
        self.dense = nnx.Linear(width, width, rngs=rngs)
    def __call__(self, x):
        return x + self.dense(self.norm(x))
)";

constexpr char kTrain[] = R"(
optimizer = nnx.Optimizer(model, optax.adam(1e-3), wrt=nnx.Param)

@nnx.jit
def step(model, optimizer, x):
    loss, grads = nnx.value_and_grad(lambda m: m(x).mean())(model)
    optimizer.update(model, grads)

for _ in range(10):
    step(model, optimizer, jnp.ones((32, 8)))
)";

constexpr int64_t kBlockWeights = 8 * 8 + 8 + 2 * 8;

TEST(NnxProgram, LayersThatVmapMakesOverSplitKeysAreCountedEach) {
  const Workload workload = ReadText(std::string(kBlock) + R"(
class Net(nnx.Module):
    def __init__(self, rngs):
        @nnx.split_rngs(splits=5)
        @nnx.vmap
        def make(rngs):
            return Block(8, rngs)
        self.layers = make(rngs)
    def __call__(self, x):
        @nnx.scan(in_axes=(nnx.Carry, 0), out_axes=nnx.Carry)
        def run(x, layer):
            return layer(x)
        return run(x, self.layers)

model = Net(nnx.Rngs(0))
)" + kTrain);
  ASSERT_TRUE(workload.graph.has_value()) << NotesOfText(workload);
  EXPECT_EQ(workload.model_size->trainable, 5 * kBlockWeights);
}

TEST(NnxProgram, LayersThatAScanMakesOverForkedKeysAreCountedEach) {
  const Workload workload = ReadText(std::string(kBlock) + R"(
class Net(nnx.Module):
    def __init__(self, rngs):
        graph, keys = nnx.split(rngs.fork(split=5))
        first = Block(8, nnx.merge(graph, jax.tree.map(lambda k: k[0], keys)))
        layer, _, _ = nnx.split(first, nnx.Param, ...)
        def body(carry, key):
            _, weights, rest = nnx.split(Block(8, nnx.merge(graph, key)), nnx.Param, ...)
            return carry, (weights, rest)
        _, (weights, rest) = jax.lax.scan(body, None, keys)
        weights = jax.tree.map(lambda v: v.replace(layer_axis='layers'), weights,
                               is_leaf=lambda v: isinstance(v, nnx.Variable))
        self.layers = nnx.merge(layer, weights, rest)
    def __call__(self, x):
        graph, weights, rest = nnx.split(self.layers, nnx.Param, ...)
        def body(x, parts):
            return nnx.merge(graph, *parts)(x), None
        return jax.lax.scan(body, x, (weights, rest))[0]

model = Net(nnx.Rngs(params=0, dropout=1))
)" + kTrain);
  ASSERT_TRUE(workload.graph.has_value()) << NotesOfText(workload);
  EXPECT_EQ(workload.model_size->trainable, 5 * kBlockWeights);
}

TEST(NnxProgram, MetadataOfAnInitializerIsThatOfItsVariable) {
  const Workload workload = ReadText(std::string(kBlock) + R"(
make = nnx.with_partitioning(nnx.initializers.zeros_init(), ('in', 'out'))
weight = nnx.Param(make(jax.random.key(0), (8, 4)))
names = weight.replace(tag='x').get_metadata()['out_sharding'] + (weight.replace(tag='x').tag,)
model = nnx.Linear(8, len(names), use_bias=False, rngs=nnx.Rngs(0))
)" + kTrain);
  ASSERT_TRUE(workload.model_size.has_value()) << NotesOfText(workload);
  EXPECT_EQ(workload.model_size->trainable, 8 * 3);
}

TEST(NnxProgram, TheKernelWithAMaskIsAttentionThatKeepsNoScores) {
  const Workload workload = ReadText(R"(
import jax, jax.numpy as jnp, optax
from jax.experimental.pallas.ops.tpu.splash_attention import splash_attention_kernel as kernels
from jax.experimental.pallas.ops.tpu.splash_attention import splash_attention_mask as masks

def attend(weights, x):
    q, k, v = [jnp.einsum('bte,ehd->bhtd', x, weights[name]) for name in 'qkv']
    mask = masks.CausalMask((256, 256)) & masks.LocalMask((256, 256), (63, 64), 0)
    kernel = kernels.make_splash_mha(mask=masks.MultiHeadMask([mask] * 4), head_shards=1,
                                     q_seq_shards=1, block_sizes=kernels.BlockSizes())
    return jax.vmap(kernel)(q, k, v).mean()

weights = {name: jax.random.normal(jax.random.key(0), (16, 2 if name != 'q' else 4, 128))
           for name in 'qkv'}
optimizer = optax.sgd(0.1)
state = optimizer.init(weights)
for _ in range(10):
    loss, grads = jax.value_and_grad(attend)(weights, jnp.ones((8, 256, 16)))
    updates, state = optimizer.update(grads, state, weights)
    weights = optax.apply_updates(weights, updates)
)");
  ASSERT_TRUE(workload.graph.has_value()) << NotesOfText(workload);
  const auto& ops = workload.graph->ops();
  const auto at = std::ranges::find(ops, OpKind::kAttention, &Op::kind);
  ASSERT_NE(at, ops.end());
  const auto& attributes = at->as<AttentionAttrs>();
  EXPECT_TRUE(attributes.flash);
  EXPECT_TRUE(attributes.causal);
  EXPECT_EQ(attributes.sliding_window, 64);
}

TEST(NnxProgram, AnOptimizerOfTheProgramsOwnIsKnownByWhatItKeeps) {
  const Workload workload = ReadText(R"(
import jax, jax.numpy as jnp, optax

def own(rate):
    def init(weights):
        zeros = lambda: jax.tree.map(jnp.zeros_like, weights)
        return (zeros(), zeros(), jnp.zeros((), jnp.int32))
    def update(grads, state, weights=None):
        first = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, state[0], grads)
        second = jax.tree.map(lambda v, g: 0.9 * v + 0.1 * g * g, state[1], grads)
        steps = jax.tree.map(lambda m, v: -rate * m / jnp.sqrt(v), first, second)
        return steps, (first, second, state[2] + 1)
    return optax.GradientTransformation(init, update)

weights = jax.random.normal(jax.random.key(0), (8, 4))
optimizer = own(0.1)
state = optimizer.init(weights)
for _ in range(10):
    loss, grads = jax.value_and_grad(lambda w: (jnp.ones((16, 8)) @ w).mean())(weights)
    updates, state = optimizer.update(grads, state, weights)
    weights = optax.apply_updates(weights, updates)
)");
  ASSERT_TRUE(workload.training.has_value()) << NotesOfText(workload);
  EXPECT_TRUE(workload.training->optimizer_known);
  EXPECT_EQ(workload.training->optimizer, OptimizerKind::kAdam);
}

}  // namespace
}  // namespace tilewise::program
