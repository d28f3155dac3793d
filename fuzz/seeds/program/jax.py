import jax, jax.numpy as jnp
def loss(w, x):
    h, _ = jax.lax.scan(lambda c, v: (jnp.tanh(c @ w + v), None), x[0], x)
    return jnp.sum(h ** 2)
w = jnp.ones((8, 8))
for _ in range(10):
    w = w - 0.1 * jax.grad(loss)(w, jnp.ones((5, 4, 8)))
