"""Trains a small language model on bytes with Flax, data parallel over all devices."""

import functools

import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax.training import train_state

VOCABULARY = 256
LENGTH = 500
BATCH_PER_DEVICE = 16


class Block(nn.Module):
    width: int
    heads: int

    @nn.compact
    def __call__(self, x, mask):
        y = nn.LayerNorm(dtype=jnp.bfloat16)(x)
        x = x + nn.SelfAttention(self.heads, dtype=jnp.bfloat16)(y, mask=mask)
        y = nn.LayerNorm(dtype=jnp.bfloat16)(x)
        y = nn.Dense(4 * self.width, dtype=jnp.bfloat16)(y)
        return x + nn.Dense(self.width, dtype=jnp.bfloat16)(nn.gelu(y))


class GPT(nn.Module):
    layers: int = 8
    width: int = 512
    heads: int = 8

    @nn.compact
    def __call__(self, tokens):
        x = nn.Embed(VOCABULARY, self.width)(tokens)
        x = x + self.param("positions", nn.initializers.normal(0.02), (LENGTH, self.width))
        mask = nn.make_causal_mask(tokens)
        for _ in range(self.layers):
            x = Block(self.width, self.heads)(x, mask)
        return nn.Dense(VOCABULARY)(nn.LayerNorm()(x))


def batches(text, size):
    random = np.random.default_rng(0)
    while True:
        starts = random.integers(0, len(text) - LENGTH - 1, size)
        yield np.stack([text[s:s + LENGTH + 1] for s in starts])


@functools.partial(jax.pmap, axis_name="devices")
def train_step(state, tokens):
    def loss_of(params):
        logits = state.apply_fn({"params": params}, tokens[:, :-1])
        return optax.softmax_cross_entropy_with_integer_labels(logits, tokens[:, 1:]).mean()

    loss, grads = jax.value_and_grad(loss_of)(state.params)
    grads = jax.lax.pmean(grads, "devices")
    return state.apply_gradients(grads=grads), jax.lax.pmean(loss, "devices")


def main():
    model = GPT()
    params = model.init(jax.random.PRNGKey(0), jnp.zeros((1, LENGTH), jnp.int32))["params"]
    state = train_state.TrainState.create(apply_fn=model.apply, params=params,
                                          tx=optax.adamw(3e-4, weight_decay=0.1))
    devices = jax.local_device_count()
    state = jax.device_put_replicated(state, jax.local_devices())
    text = np.zeros((10_000_000,), np.uint8)
    for step, tokens in enumerate(batches(text, devices * BATCH_PER_DEVICE)):
        tokens = tokens.reshape(devices, BATCH_PER_DEVICE, LENGTH + 1).astype(np.int32)
        state, loss = train_step(state, tokens)
        if step % 100 == 0:
            print(step, loss[0])
        if step == 20_000:
            break


if __name__ == "__main__":
    main()
