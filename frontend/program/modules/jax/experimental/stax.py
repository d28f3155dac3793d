"""stax: layers as pairs of functions (init, apply)."""

import math

from jax import _core as _c
from jax import nn, random
from jax import lax
from jax.nn.initializers import glorot_normal, normal, ones, zeros


def _spatial(n):
    return "HWD"[:n] if n != 1 else "H"


def Dense(out_dim, W_init=glorot_normal(), b_init=normal()):
    def init(rng, input_shape):
        return tuple(input_shape[:-1]) + (out_dim,), (W_init(rng, (input_shape[-1], out_dim)),
                                                      b_init(rng, (out_dim,)))

    def apply(params, inputs, **kw):
        w, b = params
        return _c.matmul(inputs, w) + b
    return init, apply


def GeneralConv(dimension_numbers, out_chan, filter_shape, strides=None, padding="VALID",
                W_init=None, b_init=normal(1e-6)):
    lhs, rhs, out = dimension_numbers
    n = len(filter_shape)
    strides = strides or (1,) * n
    w_init = W_init or glorot_normal()

    def init(rng, input_shape):
        it = iter(filter_shape)
        shape = [out_chan if c == "O" else input_shape[lhs.index("C")] if c == "I" else next(it)
                 for c in rhs]
        x = _c.full(0, [1 if d == -1 else d for d in input_shape], _c.float32)
        y = lax.conv_general_dilated(x, _c.full(0, shape, _c.float32), strides, padding, None,
                                     None, dimension_numbers)
        bias = [out_chan if c == "C" else 1 for c in out]
        return tuple(y.shape), (w_init(rng, shape), b_init(rng, bias))

    def apply(params, inputs, **kw):
        w, b = params
        return lax.conv_general_dilated(inputs, w, strides, padding, None, None,
                                        dimension_numbers) + b
    return init, apply


def Conv(out_chan, filter_shape, strides=None, padding="VALID", W_init=None, b_init=normal(1e-6)):
    return GeneralConv(("NHWC", "HWIO", "NHWC"), out_chan, filter_shape, strides, padding, W_init,
                       b_init)


def Conv1DTranspose(*args, **kw):
    return Identity


def ConvTranspose(out_chan, filter_shape, strides=None, padding="VALID", W_init=None,
                  b_init=normal(1e-6)):
    strides = strides or (1, 1)
    w_init = W_init or glorot_normal()

    def init(rng, input_shape):
        shape = tuple(filter_shape) + (input_shape[-1], out_chan)
        x = _c.full(0, input_shape, _c.float32)
        y = lax.conv_transpose(x, _c.full(0, shape, _c.float32), strides, padding)
        return tuple(y.shape), (w_init(rng, shape), b_init(rng, (1, 1, 1, out_chan)))

    def apply(params, inputs, **kw):
        w, b = params
        return lax.conv_transpose(inputs, w, strides, padding) + b
    return init, apply


def BatchNorm(axis=(0, 1, 2), epsilon=1e-5, center=True, scale=True, beta_init=zeros,
              gamma_init=ones):
    axis = (axis,) if isinstance(axis, int) else tuple(axis)

    def init(rng, input_shape):
        shape = tuple(d for i, d in enumerate(input_shape) if i not in axis)
        return input_shape, (beta_init(rng, shape) if center else (),
                             gamma_init(rng, shape) if scale else ())

    def apply(params, x, **kw):
        beta, gamma = params
        z = nn.standardize(x, axis, epsilon=epsilon)
        wide = tuple(1 if i in axis else d for i, d in enumerate(x.shape))
        if scale:
            z = z * gamma.reshape(wide)
        if center:
            z = z + beta.reshape(wide)
        return z
    return init, apply


def elementwise(fun, **fun_kwargs):
    return (lambda rng, input_shape: (input_shape, ())), \
        (lambda params, inputs, **kw: fun(inputs, **fun_kwargs))


Tanh = elementwise(nn.tanh)
Relu = elementwise(nn.relu)
Exp = elementwise(lax.exp)
LogSoftmax = elementwise(nn.log_softmax, axis=-1)
Softmax = elementwise(nn.softmax, axis=-1)
Softplus = elementwise(nn.softplus)
Sigmoid = elementwise(nn.sigmoid)
Elu = elementwise(nn.elu)
LeakyRelu = elementwise(nn.leaky_relu)
Selu = elementwise(nn.selu)
Gelu = elementwise(nn.gelu)


def _pool(kind):
    def layer(window_shape, strides=None, padding="VALID", spec=None):
        steps = strides or (1,) * len(window_shape)

        def run(inputs):
            window = [1] + list(window_shape) + [1]
            moves = [1] + list(steps) + [1]
            low, high = _c.windows(padding, inputs.shape, window, moves, [1] * len(window))
            name = "sum" if kind == "mean" else kind
            y = _c.reduce_window(name, inputs, window, moves, low, high)
            return y / math.prod(window_shape) if kind == "mean" else y

        def init(rng, input_shape):
            return tuple(run(_c.full(0, input_shape, _c.float32)).shape), ()
        return init, (lambda params, inputs, **kw: run(inputs))
    return layer


MaxPool = _pool("max")
SumPool = _pool("sum")
AvgPool = _pool("mean")


def _flatten_init(rng, input_shape):
    return (input_shape[0], math.prod(input_shape[1:])), ()


Flatten = _flatten_init, (lambda params, inputs, **kw: inputs.reshape((inputs.shape[0], -1)))
Identity = (lambda rng, shape: (shape, ())), (lambda params, inputs, **kw: inputs)


def FanOut(num):
    return (lambda rng, shape: ([shape] * num, ())), (lambda params, x, **kw: [x] * num)


def _fan_sum(params, inputs, **kw):
    r = inputs[0]
    for x in inputs[1:]:
        r = r + x
    return r


FanInSum = (lambda rng, shape: (shape[0], ())), _fan_sum


def FanInConcat(axis=-1):
    def init(rng, input_shape):
        a = axis % len(input_shape[0])
        total = sum(s[a] for s in input_shape)
        return tuple(input_shape[0][:a]) + (total,) + tuple(input_shape[0][a + 1:]), ()
    return init, (lambda params, inputs, **kw: _c.concatenate(inputs, axis))


def Dropout(rate, mode="train"):
    def apply(params, inputs, **kw):
        if mode != "train":
            return inputs
        keep = random.bernoulli(kw.get("rng"), rate, inputs.shape)
        return _c.select(keep, inputs / rate, 0)
    return (lambda rng, shape: (shape, ())), apply


def serial(*layers):
    inits = [l[0] for l in layers]
    applies = [l[1] for l in layers]

    def init(rng, input_shape):
        params = []
        for f in inits:
            input_shape, p = f(rng, input_shape)
            params.append(p)
        return input_shape, params

    def apply(params, inputs, **kw):
        for f, p in zip(applies, params):
            inputs = f(p, inputs, **kw)
        return inputs
    return init, apply


def parallel(*layers):
    inits = [l[0] for l in layers]
    applies = [l[1] for l in layers]

    def init(rng, input_shape):
        pairs = [f(rng, s) for f, s in zip(inits, input_shape)]
        return [p[0] for p in pairs], [p[1] for p in pairs]

    def apply(params, inputs, **kw):
        return [f(p, x, **kw) for f, p, x in zip(applies, params, inputs)]
    return init, apply


def shape_dependent(make_layer):
    return (lambda rng, s: make_layer(s)[0](rng, s)), \
        (lambda params, x, **kw: make_layer(x.shape)[1](params, x, **kw))


logsoftmax, softmax, relu, sigmoid, elu, leaky_relu, selu, gelu = (
    nn.log_softmax, nn.softmax, nn.relu, nn.sigmoid, nn.elu, nn.leaky_relu, nn.selu, nn.gelu)
