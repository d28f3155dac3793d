// Steps of JAX: layers that are scanned, data that is made up, numbers that a compiled function is
// called with.

#include <algorithm>

#include <gmock/gmock.h>

#include "tests/frontend/program/read_text.h"

namespace tilewise::program {
namespace {

int64_t CountOf(const Workload& workload, OpKind kind) {
  return std::ranges::count_if(workload.graph->ops(),
                               [&](const Op& op) { return op.kind == kind; });
}

// Dots on the way from the data to `id`.
int64_t DepthOf(const Graph& graph, OpId id) {
  std::vector<int64_t> depth(graph.size(), 0);
  for (const Op& op : graph.ops()) {
    for (const OpId operand : op.operands) depth[op.id] = std::max(depth[op.id], depth[operand]);
    depth[op.id] += op.kind == OpKind::kDot ? 1 : 0;
  }
  return depth[id];
}

// A network of `layers` alike, all of which `run` applies.
std::string Network(int layers, const std::string& run) {
  return "LAYERS = " + std::to_string(layers) + R"(
import jax, jax.numpy as jnp, optax

def init(key):
    return {'w': jax.random.normal(key, (LAYERS, 16, 16)), 'b': jnp.zeros((LAYERS, 16))}

def layer(x, p):
    return jnp.tanh(x @ p['w'] + p['b']), jnp.mean(x)
)" + run +
         R"(
params = init(jax.random.key(0))
optimizer = optax.adam(1e-3)
state = optimizer.init(params)

@jax.jit
def step(params, state, x):
    loss, grads = jax.value_and_grad(apply)(params, x)
    updates, state = optimizer.update(grads, state)
    return optax.apply_updates(params, updates), state, loss

for i in range(10):
    x = jax.random.normal(jax.random.key(i), (32, 16))
    params, state, loss = step(params, state, x)
)";
}

constexpr char kScanned[] = R"(
def apply(params, x):
    y, means = jax.lax.scan(layer, x, params)
    return jnp.mean(y) + jnp.sum(means)
)";
constexpr char kWritten[] = R"(
def apply(params, x):
    means = []
    for i in range(LAYERS):
        x, mean = layer(x, jax.tree.map(lambda p: p[i], params))
        means.append(mean)
    return jnp.mean(x) + jnp.sum(jnp.stack(means))
)";

TEST(JaxSteps, EachLayerOfAScanHasWeightsOfItsOwn) {
  for (const int layers : {2, 12, 80}) {
    const Workload scanned = ReadText(Network(layers, kScanned));
    ASSERT_TRUE(scanned.graph.has_value()) << NotesOfText(scanned);
    EXPECT_EQ(scanned.model_size->trainable, layers * (16 * 16 + 16));
    EXPECT_EQ(CountOf(scanned, OpKind::kVariable), 2 * layers);
    EXPECT_EQ(CountOf(scanned, OpKind::kDot), layers);
    EXPECT_EQ(CountOf(scanned, OpKind::kDynamicSlice), 0);
    EXPECT_EQ(DepthOf(*scanned.graph, scanned.graph->outputs()[0].value), layers);
    for (const Op& op : scanned.graph->ops()) {
      EXPECT_TRUE(op.kind != OpKind::kDot || op.loop.is_one_trip()) << op.name;
    }
  }
}

TEST(JaxSteps, AScanOverLayersComputesWhatTheWrittenOutOneDoes) {
  const Workload scanned = ReadText(Network(12, kScanned));
  const Workload written = ReadText(Network(12, kWritten));
  ASSERT_TRUE(scanned.graph.has_value() && written.graph.has_value());
  EXPECT_EQ(scanned.model_size->trainable, written.model_size->trainable);
  for (const OpKind kind : {OpKind::kDot, OpKind::kTanh, OpKind::kReduce}) {
    EXPECT_EQ(CountOf(scanned, kind), CountOf(written, kind)) << OpName(kind);
  }
}

TEST(JaxSteps, RandomDataMadeBeforeTheStepIsItsInput) {
  const Workload workload = ReadText(Network(3, kScanned));
  ASSERT_TRUE(workload.graph.has_value()) << NotesOfText(workload);
  EXPECT_FALSE(workload.graph->is_static());
  const Graph graph = workload.graph->Bind(8);
  for (const Op& op : graph.ops()) {
    EXPECT_TRUE(op.kind != OpKind::kParameter || FormatShape(op.shape) == "f32[8,16]") << op.name;
  }
  EXPECT_EQ(CountOf(workload, OpKind::kParameter), 1);
}

TEST(JaxSteps, ANumberIsAnArrayInACompiledFunction) {
  const Workload workload = ReadText(R"(
import jax, jax.numpy as jnp, optax
from functools import partial

@partial(jax.jit, static_argnames=('width',))
def spread(x, scale, width):
    return jnp.tile(x * scale[None], (1, width)) if scale.shape == () else None

def apply(w, x):
    return jnp.mean(spread(x @ w, 2.0, 3))

w = jnp.ones((16, 4))
optimizer = optax.sgd(0.1)
state = optimizer.init(w)
for i in range(3):
    grads = jax.grad(apply)(w, jax.random.normal(jax.random.key(i), (32, 16)))
    updates, state = optimizer.update(grads, state)
    w = optax.apply_updates(w, updates)
)");
  ASSERT_TRUE(workload.graph.has_value()) << NotesOfText(workload);
  EXPECT_EQ(workload.model_size->trainable, 16 * 4);
}

TEST(JaxSteps, AKernelThatMultipliesGroupsOfRowsIsAProductOfTheirSizes) {
  const Workload workload = ReadText(R"(
import jax, jax.numpy as jnp, optax
from jax.experimental import pallas as pl
from qwix.pallas import get_current_rule, pallas_call

def experts(rows, weights, sizes):
    assert get_current_rule('gmm') is None
    out = jax.ShapeDtypeStruct((rows.shape[0], weights.shape[2]), rows.dtype)
    return pallas_call(lambda *refs: None, out_shape=out)((sizes,), rows, weights)

def apply(w, x):
    x = jnp.repeat(x, 4, axis=0)
    sizes = jnp.full((4,), x.shape[0] // 4, dtype=jnp.int32)
    return jnp.mean(experts(x, w, sizes))

w = jnp.ones((4, 16, 32))
optimizer = optax.sgd(0.1)
state = optimizer.init(w)

@jax.jit
def step(w, state, x):
    updates, state = optimizer.update(jax.grad(apply)(w, x), state)
    return optax.apply_updates(w, updates), state

for i in range(3):
    w, state = step(w, state, jax.random.normal(jax.random.key(i), (64, 16)))
)");
  ASSERT_TRUE(workload.graph.has_value()) << NotesOfText(workload);
  EXPECT_EQ(workload.model_size->trainable, 4 * 16 * 32);
  EXPECT_EQ(CountOf(workload, OpKind::kDot), 1);
  EXPECT_FALSE(workload.graph->is_static());
}

TEST(JaxSteps, LayersOfABasesCompactMethodAreCountedOnInTheClass) {
  const Workload workload = ReadText(R"(
from flax import linen as nn
import jax, jax.numpy as jnp
class Trunk(nn.Module):
    @nn.compact
    def __call__(self, x):
        return nn.relu(nn.Dense(16)(x))
class Value(Trunk):
    @nn.compact
    def __call__(self, x):
        return nn.Dense(1)(super().__call__(x))
net = Value()
params = net.init(jax.random.key(0), jnp.zeros((4, 3)))
loss, grads = jax.value_and_grad(lambda p, x: net.apply(p, x).mean())(params, jnp.ones((4, 3)))
)");
  ASSERT_TRUE(workload.graph.has_value()) << NotesOfText(workload);
  EXPECT_EQ(workload.model_size->trainable, 3 * 16 + 16 + 16 + 1);
}

TEST(JaxSteps, ComplexWeightsAreTrainedAndTheOptimizerIsThatOfMostWeights) {
  const Workload workload = ReadText(R"(
import jax, jax.numpy as jnp, optax

params = {'slow': jnp.ones((4,)), 'wide': jnp.ones((16, 4)),
          'poles': jnp.ones((4,), dtype=jnp.complex64)}

def apply(params, x):
    y = (x @ params['wide'] + params['slow']).astype(jnp.complex64)
    return jnp.mean((y * params['poles']).real)

labels = {'slow': 'slow', 'wide': 'regular', 'poles': 'regular'}
optimizer = optax.multi_transform({'slow': optax.sgd(1e-4), 'regular': optax.adamw(1e-3)}, labels)
state = optimizer.init(params)
for i in range(3):
    grads = jax.grad(apply)(params, jax.random.normal(jax.random.key(i), (32, 16)))
    updates, state = optimizer.update(grads, state)
    params = optax.apply_updates(params, updates)
)");
  ASSERT_TRUE(workload.graph.has_value()) << NotesOfText(workload);
  EXPECT_EQ(workload.model_size->trainable, 16 * 4 + 4 + 4);
  EXPECT_EQ(workload.training->optimizer, OptimizerKind::kAdamW);
}

TEST(JaxSteps, WeightsThatAreCastBeforeTheGradientAreThoseOfTheProgram) {
  for (const char* made : {"jnp.ones((16, 4))", "jax.random.normal(jax.random.key(0), (16, 4))"}) {
    const Workload workload = ReadText(std::string(R"(
import jax, jax.numpy as jnp, optax

params = {'w': )") + made + R"(, 'b': jnp.zeros((4,))}

def apply(params, x):
    return jnp.mean((x @ params['w'] + params['b']) ** 2)

optimizer = optax.adam(1e-3)
state = optimizer.init(params)

@jax.jit
def step(params, state, x):
    low = jax.tree.map(lambda p: p.astype(jnp.bfloat16), params)
    loss, grads = jax.value_and_grad(apply)(low, x)
    grads = jax.tree.map(lambda g: g.astype(jnp.float32), grads)
    updates, state = optimizer.update(grads, state)
    return optax.apply_updates(params, updates), state, loss

for i in range(3):
    x = jax.random.normal(jax.random.key(i), (32, 16))
    params, state, loss = step(params, state, x)
)");
    ASSERT_TRUE(workload.graph.has_value()) << NotesOfText(workload);
    EXPECT_EQ(workload.model_size->trainable, 16 * 4 + 4);
    for (const Op& op : workload.graph->ops()) {
      EXPECT_TRUE(op.kind != OpKind::kVariable || op.shape.dtype == DType::kF32) << op.name;
    }
  }
}

TEST(JaxSteps, AThreadThatWaitsForTheLearnerGoesNoFurther) {
  const Workload workload = ReadText(R"(
import queue, threading
import jax, jax.numpy as jnp, numpy as np, optax

def actor(rows, weights):
    for i in range(100):
        if i != 2:
            params = weights.get()
        rows.put(np.zeros((32, 16), np.float32))

rows, weights = queue.Queue(maxsize=1), queue.Queue(maxsize=1)
params = jnp.ones((16, 4))
weights.put(params)
threading.Thread(target=actor, args=(rows, weights)).start()
optimizer = optax.sgd(0.1)
state = optimizer.init(params)
for i in range(100):
    x = rows.get()
    grads = jax.grad(lambda w: jnp.mean(x @ w))(params)
    updates, state = optimizer.update(grads, state)
    params = optax.apply_updates(params, updates)
    weights.put(params)
)");
  ASSERT_TRUE(workload.graph.has_value()) << NotesOfText(workload);
  EXPECT_EQ(workload.model_size->trainable, 16 * 4);
}

// Each moves once; none is reversed along the lanes.
TEST(JaxSteps, RowsOfABatchThatAreRolledAreACopy) {
  const Workload workload = ReadText(R"(
import jax, jax.numpy as jnp, numpy as np
grad = jax.jit(jax.grad(lambda w, x: ((0.5 * x + 0.5 * jnp.roll(x, 1, axis=0)) @ w).sum()))
w = jax.random.normal(jax.random.PRNGKey(0), (256, 256))
for i in range(100):
    w = w - 0.1 * grad(w, np.random.rand(64, 256).astype(np.float32))
)");
  ASSERT_TRUE(workload.graph.has_value());
  EXPECT_FALSE(workload.graph->is_static());
  EXPECT_EQ(CountOf(workload, OpKind::kCopy), 1);
  EXPECT_EQ(CountOf(workload, OpKind::kReverse), 0);
}

}  // namespace
}  // namespace tilewise::program
