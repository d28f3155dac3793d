"""Bijectors on the numbers of JAX or of TensorFlow, as _tilewise_distributions has them."""

import math


def make(jax, jnp):
    class Bijector:
        def __init__(self, *args, **kw):
            pass

        def forward(self, x):
            return x

        def inverse(self, y):
            return y

        def forward_log_det_jacobian(self, x, event_ndims=None):
            return jnp.zeros_like(x)

        def inverse_log_det_jacobian(self, y, event_ndims=None):
            return -self.forward_log_det_jacobian(self.inverse(y))

        def forward_and_log_det(self, x):
            return self.forward(x), self.forward_log_det_jacobian(x)

        def inverse_and_log_det(self, y):
            return self.inverse(y), self.inverse_log_det_jacobian(y)

        def __call__(self, x):
            return self.forward(x)

    class Tanh(Bijector):
        def forward(self, x):
            return jnp.tanh(x)

        def inverse(self, y):
            return jnp.arctanh(y)

        def forward_log_det_jacobian(self, x, event_ndims=None):
            return 2.0 * (math.log(2.0) - x - jax.nn.softplus(-2.0 * x))

    class Sigmoid(Bijector):
        def forward(self, x):
            return jax.nn.sigmoid(x)

        def inverse(self, y):
            return jnp.log(y) - jnp.log1p(-y)

        def forward_log_det_jacobian(self, x, event_ndims=None):
            return -jax.nn.softplus(-x) - jax.nn.softplus(x)

    class Exp(Bijector):
        def forward(self, x):
            return jnp.exp(x)

        def inverse(self, y):
            return jnp.log(y)

        def forward_log_det_jacobian(self, x, event_ndims=None):
            return x

    class ScalarAffine(Bijector):
        def __init__(self, shift=0.0, scale=1.0, **kw):
            self.shift, self.scale = shift, scale

        def forward(self, x):
            return x * self.scale + self.shift

        def inverse(self, y):
            return (y - self.shift) / self.scale

        def forward_log_det_jacobian(self, x, event_ndims=None):
            return jnp.zeros_like(x) + jnp.log(jnp.abs(jnp.asarray(self.scale, jnp.float32)))

    class Shift(ScalarAffine):
        def __init__(self, shift, **kw):
            super().__init__(shift, 1.0)

    class Scale(ScalarAffine):
        def __init__(self, scale=None, **kw):
            super().__init__(0.0, 1.0 if scale is None else scale)

    class Chain(Bijector):
        def __init__(self, bijectors, *args, **kw):
            self.bijectors = list(bijectors)

        def forward(self, x):
            for b in reversed(self.bijectors):
                x = b.forward(x)
            return x

        def inverse(self, y):
            for b in self.bijectors:
                y = b.inverse(y)
            return y

        def forward_log_det_jacobian(self, x, event_ndims=None):
            total = jnp.zeros_like(x)
            for b in reversed(self.bijectors):
                total = total + b.forward_log_det_jacobian(x)
                x = b.forward(x)
            return total

    class Block(Bijector):
        def __init__(self, bijector, ndims=1, **kw):
            self.bijector = bijector
            self._dims = tuple(range(-ndims, 0))

        def forward(self, x):
            return self.bijector.forward(x)

        def inverse(self, y):
            return self.bijector.inverse(y)

        def forward_log_det_jacobian(self, x, event_ndims=None):
            return jnp.sum(self.bijector.forward_log_det_jacobian(x), self._dims)

    class Lambda(Bijector):
        def __init__(self, forward=None, inverse=None, **kw):
            self.forward = forward if callable(forward) else (lambda x: x)
            self.inverse = inverse if callable(inverse) else (lambda y: y)

    return {name: value for name, value in locals().items() if isinstance(value, type)}
