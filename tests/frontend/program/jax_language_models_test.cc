// Programs that train language models with JAX: tokens that are packed into batches, flags of
// mlxu, modules of the program's own and what their fields hold.

#include <algorithm>

#include <gmock/gmock.h>

#include "frontend/program/read_program.h"

namespace tilewise::program {
namespace {

using testing::HasSubstr;

Workload Read(const std::string& text) {
  absl::StatusOr<Workload> workload = ReadProgram("train.py", {{text, 0}}, {});
  EXPECT_TRUE(workload.ok()) << workload.status();
  return *std::move(workload);
}

std::string NotesOf(const Workload& workload) {
  std::string text;
  for (const Diagnostic& note : workload.notes) text += note.message + "\n";
  return text;
}

// How many tokens a text has is not known; a batch that is cut from them has its size.
constexpr char kPacked[] = R"(
import jax, jax.numpy as jnp, numpy as np, mlxu
from mlxu.jax_utils import JaxRNG
from datasets import load_dataset
from transformers import AutoTokenizer
FLAGS, FLAGS_DEF = mlxu.define_flags_with_default(
    width=48, rate=0.1, data=mlxu.config_dict(batch_size=8, length=1024), note=('', 'a text'))

def batches(config, tokenizer):
    rows, size = load_dataset('some/texts', split='train'), config.batch_size * config.length
    while True:
        tokens = []
        for row in rows:
            tokens.extend(tokenizer.encode(row['text'], add_special_tokens=False))
            tokens.append(tokenizer.eos_token_id)
            while len(tokens) > size:
                yield np.array(tokens[:size], dtype='i4').reshape(config.batch_size, -1)
                tokens = tokens[size:]

def main(argv):
    variant = mlxu.get_user_flags(FLAGS, FLAGS_DEF)
    assert variant['data.length'] == 1024 and variant['width'] == 48
    keys = JaxRNG.from_seed(0)
    table = jax.random.normal(keys(), (1000, FLAGS.width))
    @jax.jit
    def step(table, batch):
        return table - FLAGS.rate * jax.grad(lambda t: jnp.tanh(t[batch]).mean())(table)
    tokenizer = AutoTokenizer.from_pretrained('gpt2')
    for batch in batches(FLAGS.data, tokenizer):
        table = step(table, batch)

if __name__ == '__main__':
    mlxu.run(main)
)";

TEST(JaxLanguageModels, TokensThatArePackedAreABatchOfTheirSize) {
  const Workload workload = Read(kPacked);
  ASSERT_TRUE(workload.graph.has_value()) << NotesOf(workload);
  EXPECT_EQ(workload.graph->trainable_parameters(), 1000 * 48);
  bool found = false;
  for (const Op& op : workload.graph->ops()) {
    if (op.kind == OpKind::kParameter) found = found || FormatShape(op.shape) == "s32[N,1024]";
  }
  EXPECT_TRUE(found) << NotesOf(workload);
}

// Numbers that are known are no more rows than tokens that are not.
TEST(JaxLanguageModels, MasksThatArePackedAreAsManyAsTheTokens) {
  const Workload workload = Read(R"(
import jax, jax.numpy as jnp, numpy as np
from transformers import AutoTokenizer
tokenizer = AutoTokenizer.from_pretrained('gpt2')
tokens, masks = [], [0.0]
for line in open('texts.txt'):
    found = tokenizer.encode(line)
    tokens.extend(found)
    masks.extend([1.0 for _ in range(len(found))])
batch = (np.array(tokens[:512], dtype='i4').reshape(1, -1),
         np.array(masks[1:513], dtype='f4').reshape(1, -1))
step = jax.jit(jax.grad(lambda t, ids, masks: (t[ids].sum(-1) * masks).sum()))
table = jax.random.normal(jax.random.PRNGKey(0), (1000, 48))
for _ in range(100):
    table = table - 0.1 * step(table, *batch)
)");
  ASSERT_TRUE(workload.graph.has_value()) << NotesOf(workload);
  EXPECT_EQ(workload.declared_global_batch(), 1) << NotesOf(workload);
}

TEST(JaxLanguageModels, AModuleThatTransformersHoldsHasItsOwnWeights) {
  const Workload workload = Read(R"(
import jax, jax.numpy as jnp, flax.linen as nn, _tilewise
from transformers import FlaxPreTrainedModel, PretrainedConfig
from transformers.modeling_flax_outputs import FlaxCausalLMOutput
from transformers.modeling_flax_utils import ACT2FN

class Config(PretrainedConfig):
    def __init__(self, width=24, **kwargs):
        super().__init__(**kwargs)
        self.width = width

class Module(nn.Module):
    config: Config
    dtype: jnp.dtype = jnp.float32
    @nn.compact
    def __call__(self, ids):
        x = ACT2FN['gelu'](nn.Embed(100, self.config.width)(ids))
        return FlaxCausalLMOutput(logits=nn.Dense(100, use_bias=False, dtype=self.dtype)(x))

class Model(FlaxPreTrainedModel):
    config_class = Config
    module_class = Module
    def __init__(self, config, input_shape=(1, 1), seed=0, dtype=jnp.float32, _do_init=True, **kw):
        module = self.module_class(config=config, dtype=dtype)
        super().__init__(config, module, input_shape, seed, dtype, _do_init=_do_init)
    def init_weights(self, rng, input_shape, params=None):
        return self.module.init(rng, jnp.zeros(input_shape, 'i4'))['params']

model = Model(Config(), input_shape=(1, 8))
held, loose = Model.from_pretrained('x', config=Config(width=2), _do_init=False)
_tilewise.note('sizes ' + str(model.num_params()) + ' ' + str(held.num_params(loose)))
def loss(params, ids):
    return model.module.apply({'params': params}, ids).logits.mean()
params = model.params
step = jax.jit(lambda p, ids: jax.tree_util.tree_map(lambda a, g: a - g, p, jax.grad(loss)(p, ids)))
for i in range(100):
    params = step(params, jnp.zeros((4, 8), 'i4'))
)");
  EXPECT_THAT(NotesOf(workload), HasSubstr("sizes 4800 400"));
  ASSERT_TRUE(workload.graph.has_value()) << NotesOf(workload);
  EXPECT_EQ(workload.graph->trainable_parameters(), 4800);
}

// What a field of a module holds by default is a function of its own arguments.
TEST(JaxLanguageModels, AFunctionThatIsTheDefaultOfAFieldIsNoMethod) {
  const Workload workload = Read(R"(
import jax, jax.numpy as jnp, flax.linen as nn, _tilewise
from typing import Callable
class Scale(nn.Module):
    start: Callable = lambda shape: jnp.ones(shape)
    @nn.compact
    def __call__(self, x):
        return x * self.variable('stats', 'scale', self.start, (x.shape[-1],)).value
held = Scale().init(jax.random.PRNGKey(0), jnp.zeros((2, 5)))
_tilewise.note('shape ' + str(held['stats']['scale'].shape))
)");
  EXPECT_THAT(NotesOf(workload), HasSubstr("shape (5,)"));
}

TEST(JaxLanguageModels, ArgumentsByTheirPlaceAreOfTheFunctionThatTyroCalls) {
  const Workload workload = Read(R"(
import enum, tyro
from torch import nn
class Mode(enum.Enum):
    SMALL = 'small'
    LARGE = 'large'
def main(mode: Mode, width: int, /, *, depth: int = 2):
    return nn.Linear(width, 3 if mode is Mode.SMALL else 4)
net = tyro.cli(main)
)");
  EXPECT_THAT(NotesOf(workload), HasSubstr("--width must be given; 1 stands for it"));
}

TEST(JaxProgram, ArraysInReferencesAreUpdatedInPlace) {
  const Workload workload = Read(R"(
import jax
import jax.numpy as jnp

class Dotted(dict):
    __setattr__ = dict.__setitem__
    __getattr__ = dict.__getitem__

state = Dotted(w=jnp.zeros((3, 8, 4)))
state = {k: jax.new_ref(v) for k, v in state.items()}

@jax.jit
def step(state, x):
    def loss(w):
        return jnp.einsum("bd,3dh->b3h", x, w).mean()
    value, grad = jax.value_and_grad(loss)(state["w"][...])
    state["w"][...] -= 0.1 * grad
    return value

for _ in range(10):
    step(state, jnp.ones((16, 8)))
)");
  ASSERT_TRUE(workload.training.has_value());
  EXPECT_EQ(workload.model_size->trainable, 3 * 8 * 4);
}

TEST(JaxProgram, AParameterOfNnxThatIsSetBeforeTheFirstStepStaysOne) {
  const Workload workload = Read(R"(
import jax
import jax.numpy as jnp
import optax
from flax import nnx

model = nnx.Linear(8, 4, use_bias=False, rngs=nnx.Rngs(0))
model.kernel[...] = jax.random.uniform(jax.random.key(1), model.kernel[...].shape) - 0.5
model.kernel.value = model.kernel.value.astype(jnp.bfloat16)
optimizer = nnx.Optimizer(model, optax.adam(1e-3), wrt=nnx.Param)

@nnx.jit
def step(model, optimizer, x):
    loss, grads = nnx.value_and_grad(lambda m: m(x).mean())(model)
    optimizer.update(model, grads)
    return loss

for _ in range(10):
    step(model, optimizer, jnp.ones((16, 8)))
)");
  ASSERT_TRUE(workload.graph.has_value()) << NotesOf(workload);
  EXPECT_EQ(workload.model_size->trainable, 8 * 4);
  const auto& ops = workload.graph->ops();
  EXPECT_EQ(std::ranges::count_if(ops,
                                  [](const Op& op) {
                                    return op.kind == OpKind::kVariable &&
                                           op.shape.dtype == DType::kBF16;
                                  }),
            1);
}

}  // namespace
}  // namespace tilewise::program
