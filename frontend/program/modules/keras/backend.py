"""keras.backend: functions on tensors, as Keras 2 has them."""

import _tilewise as _t
from keras import _leaf as _l
from keras import _policy
from keras._backend_state import (backend, batch_get_value, batch_set_value, clear_session,
                                  count_params, eval, function, get_session, get_uid, get_value,
                                  gradients, in_test_phase, in_train_phase, learning_phase,
                                  learning_phase_scope, manual_variable_initialization,
                                  moving_average_update, print_tensor, reset_uids,
                                  set_learning_phase, set_session, set_value, switch, update,
                                  update_add, update_sub)
from keras._names import StatelessScope, SymbolicScope, Variable, device, name_scope
from keras.config import (epsilon, floatx, image_data_format, set_epsilon, set_floatx,
                          set_image_data_format)
from keras.utils._basics import is_keras_tensor, standardize_dtype
from tensorflow import _tensor as _x
from tensorflow._public import public

KerasTensor = _x.KerasTensor
_h, _wrap, _op = _l.h_of, _l.wrap, _l.op
image_dim_ordering = lambda: "tf"
set_image_dim_ordering = set_image_data_format
result_type = lambda *dtypes: standardize_dtype(dtypes[0])


# Elementwise, of one tensor and of two.


def _unary(kind):
    return lambda x, *args, **kwargs: _wrap(_l.unary(kind, _l.floating(_h(x))))


def _of_two(kind):
    def function(x, y):
        a, b = _l.pair(x, y)
        return _wrap(_l.binary(kind, a, b))
    return function


def _test(direction):
    def function(x, y):
        a, b = _l.pair(x, y)
        return _wrap(_l.compare(direction, a, b))
    return function


abs, sign, round = _unary("abs"), _unary("sign"), _unary("round")
exp, log, sqrt, square = _unary("exp"), _unary("log"), _unary("sqrt"), _unary("square")
sin, cos, tanh, sigmoid = _unary("sin"), _unary("cos"), _unary("tanh"), _unary("logistic")
softplus, softsign, hard_sigmoid = _unary("softplus"), _unary("softsign"), _unary("hard_sigmoid")
maximum, minimum, pow = _of_two("maximum"), _of_two("minimum"), _of_two("power")
equal, not_equal, greater = _test("EQ"), _test("NE"), _test("GT")
greater_equal, less, less_equal = _test("GE"), _test("LT"), _test("LE")


def relu(x, alpha=0.0, max_value=None, threshold=0.0):
    from keras import activations
    return activations.relu(x, alpha, max_value, threshold)


def elu(x, alpha=1.0):
    return _wrap(_op("tw.elu", [_h(x)], {"alpha": float(alpha)}))


def softmax(x, axis=-1):
    return _wrap(_op("tw.softmax", [_h(x)], {"dim": axis}))


def clip(x, min_value=None, max_value=None):
    limits = {}
    for name, v in (("min", min_value), ("max", max_value)):
        if isinstance(v, (int, float)):
            limits[name] = float(v)
    return _wrap(_op("tw.clamp", [_h(x)], limits))


def cast(x, dtype):
    return _wrap(_l.put(_h(x), _l.code_of(dtype)))


def cast_to_floatx(x):
    return cast(x, _policy.floatx()) if isinstance(x, _x.Tensor) else x


# Over dims.


def _over(kind):
    def function(x, axis=None, keepdims=False):
        h = _h(x)
        if kind in ("mean", "variance"):
            h = _l.floating(h)
        return _wrap(_l.reduce(kind, h, axis, keepdims))
    return function


mean, sum, prod, max, min = _over("mean"), _over("sum"), _over("product"), _over("max"), \
    _over("min")
any, all, var, logsumexp = _over("any"), _over("all"), _over("variance"), _over("logsumexp")


def std(x, axis=None, keepdims=False):
    return _wrap(_l.unary("sqrt", _l.reduce("variance", _l.floating(_h(x)), axis, keepdims)))


def argmax(x, axis=-1):
    return _wrap(_op("tw.arg_reduce", [_h(x)], {"kind": "max", "dim": axis}))


def argmin(x, axis=-1):
    return _wrap(_op("tw.arg_reduce", [_h(x)], {"kind": "min", "dim": axis}))


def cumsum(x, axis=0):
    return _wrap(_op("tw.cumulative", [_h(x)], {"kind": "sum", "dim": axis}))


def cumprod(x, axis=0):
    return _wrap(_op("tw.cumulative", [_h(x)], {"kind": "product", "dim": axis}))


def l2_normalize(x, axis=None):
    if axis is None:
        h = _h(x)
        return _wrap(_l.div(h, _l.reduce("l2", h, None, True)))
    return _wrap(_op("tw.unit_length", [_h(x)], {"dim": axis}))


# Moves.


def reshape(x, shape):
    return _wrap(_l.reshape(_h(x), _l.sizes(shape)))


def permute_dimensions(x, pattern):
    return _wrap(_l.transpose(_h(x), pattern))


def transpose(x):
    h = _h(x)
    return _wrap(_l.transpose(h, list(range(len(_l.dims(h))))[::-1]))


def flatten(x):
    return _wrap(_l.reshape(_h(x), [-1]))


def batch_flatten(x):
    h = _h(x)
    return _wrap(_l.reshape(h, [_l.dims(h)[0], -1]))


def expand_dims(x, axis=-1):
    return _wrap(_l.expand(_h(x), axis))


def squeeze(x, axis):
    return _wrap(_l.squeeze(_h(x), axis))


def stack(x, axis=0):
    return _wrap(_l.stack([_h(v) for v in x], axis))


def concatenate(tensors, axis=-1):
    return _wrap(_l.concat([_h(v) for v in tensors], axis))


def repeat(x, n):
    h = _h(x)
    a, b = _l.dims(h)
    return _wrap(_l.broadcast(_l.reshape(h, [a, 1, b]), [a, n, b]))


def repeat_elements(x, rep, axis):
    h = _h(x)
    sizes = list(_l.dims(h))
    axis = axis % len(sizes)
    wide = _l.broadcast(_l.expand(h, axis + 1), sizes[:axis + 1] + [rep] + sizes[axis + 1:])
    sizes[axis] *= rep
    return _wrap(_l.reshape(wide, sizes))


def tile(x, n):
    from tensorflow._array import tile as repeated
    return repeated(x, [n] if isinstance(n, int) else n)


def reverse(x, axes):
    return _wrap(_op("tw.reverse", [_h(x)], {"dims": [axes] if isinstance(axes, int)
                                             else list(axes)}))


def gather(reference, indices):
    return _wrap(_op("tw.take", [_h(reference), _h(indices)], {"axis": 0}))


def one_hot(indices, num_classes):
    return _wrap(_l.put(_op("tw.one_hot", [_h(indices)], {"depth": num_classes, "axis": -1}),
                        "f32"))


def dot(x, y):
    a, b = _l.pair(x, y)
    n, m = len(_l.dims(a)), len(_l.dims(b))
    return _wrap(_l.dot(a, b, [n - 1], [m - 2 if m > 1 else 0]))


def batch_dot(x, y, axes=None):
    h, g = _l.pair(x, y)
    n, m = len(_l.dims(h)), len(_l.dims(g))
    if axes is None:
        axes = (n - 1, m - 2 if m > 2 else m - 1)
    if isinstance(axes, int):
        axes = (axes, axes)
    a, b = axes[0] % n, axes[1] % m
    made = _l.dot(h, g, [a], [b], [0], [0])
    return _wrap(_l.expand(made, 1) if len(_l.dims(made)) == 1 else made)


def bias_add(x, bias, data_format=None):
    h = _h(x)
    b = _h(bias)
    if data_format == "channels_first":
        b = _l.reshape(b, list(_l.dims(b)) + [1] * (len(_l.dims(h)) - 2))
    return _wrap(_l.add(h, b))


def resize_images(x, height_factor, width_factor, data_format=None, interpolation="nearest"):
    h = _h(x)
    sizes = _l.dims(h)
    at = 2 if data_format == "channels_first" else 1
    return _wrap(_op("tw.resize", [h], {
        "dims": [at, at + 1], "mode": interpolation,
        "sizes": [sizes[at] * height_factor, sizes[at + 1] * width_factor]}))


def spatial_2d_padding(x, padding=((1, 1), (1, 1)), data_format=None):
    (a, b), (c, d) = padding
    first = data_format == "channels_first"
    low = [0, 0, a, c] if first else [0, a, c, 0]
    high = [0, 0, b, d] if first else [0, b, d, 0]
    return _wrap(_l.pad(_h(x), low, high))


def dropout(x, level, noise_shape=None, seed=None):
    return _wrap(_op("tw.dropout", [_h(x)], {"rate": float(level)}))


def stop_gradient(x):
    import tensorflow
    return tensorflow.stop_gradient(x)


def map_fn(fn, elems, name=None, dtype=None):
    import tensorflow
    return tensorflow.map_fn(fn, elems)


def in_top_k(predictions, targets, k):
    return _wrap(_l.compare("EQ", _h(targets), _h(targets)))


# New tensors.


def zeros(shape, dtype=None, name=None):
    return _x.Variable(_wrap(_l.full(0, _l.sizes(shape), _l.code_of(dtype))), name=name)


def ones(shape, dtype=None, name=None):
    return _x.Variable(_wrap(_l.full(1, _l.sizes(shape), _l.code_of(dtype))), name=name)


def zeros_like(x, dtype=None, name=None):
    h = _h(x)
    return _wrap(_l.full(0, _l.dims(h), _l.code_of(dtype, _l.code(h))))


def ones_like(x, dtype=None, name=None):
    h = _h(x)
    return _wrap(_l.full(1, _l.dims(h), _l.code_of(dtype, _l.code(h))))


def eye(size, dtype=None, name=None):
    return _wrap(_op("tw.eye", [], {"shape": [size, size], "dtype": _l.code_of(dtype)}))


def arange(start, stop=None, step=1, dtype="int32"):
    from tensorflow._array import range as numbers
    return numbers(start, stop, step, dtype)


def variable(value, dtype=None, name=None, constraint=None):
    return _x.Variable(value, dtype=dtype, name=name)


def constant(value, dtype=None, shape=None, name=None):
    h = _x.handle(value, dtype)
    return _wrap(h if shape is None else _l.broadcast(h, list(shape)))


def convert_to_tensor(x, dtype=None, sparse=None):
    return _x.tensor(x, dtype)


def convert_to_numpy(x):
    return x.numpy() if isinstance(x, _x.Tensor) else x


def random_normal(shape, mean=0.0, stddev=1.0, dtype=None, seed=None):
    h = _l.random("normal", _l.sizes(shape), _l.code_of(dtype))
    return _wrap(h if stddev == 1.0 and not isinstance(mean, _x.Tensor) and mean == 0.0
                 else _l.add(_l.mul(h, _h(stddev, "f32")), _h(mean, "f32")))


random_normal_variable = truncated_normal = random_normal


def random_uniform(shape, minval=0.0, maxval=1.0, dtype=None, seed=None):
    return _wrap(_l.uniform(_l.sizes(shape), minval, maxval, _l.code_of(dtype)))


def random_bernoulli(shape, p=0.0, dtype=None, seed=None):
    h = _l.random("uniform", _l.sizes(shape), "f32")
    return _wrap(_l.put(_l.compare("LT", h, float(p)), _l.code_of(dtype)))


random_binomial = random_bernoulli


def placeholder(shape=None, ndim=None, dtype=None, sparse=False, name=None, ragged=False):
    from keras._input import Input
    return Input(batch_shape=shape if shape is not None else (None,) * ndim, dtype=dtype,
                 name=name)


# What a tensor is.


def is_tensor(x):
    return isinstance(x, _x.Tensor)


def is_placeholder(x):
    return isinstance(x, KerasTensor) and x._node is None


def is_variable(x):
    return isinstance(x, _x.Variable)


def is_sparse(x):
    return False


def int_shape(x):
    return tuple(x.shape)


def ndim(x):
    return len(x.shape)


def dtype(x):
    return x.dtype.name


def shape(x):
    import tensorflow
    return tensorflow.shape(x)


def size(x):
    import tensorflow
    return tensorflow.size(x)


# Losses.


def categorical_crossentropy(target, output, from_logits=False, axis=-1):
    from keras import losses
    return losses.categorical_crossentropy(target, output, from_logits, axis=axis)


def sparse_categorical_crossentropy(target, output, from_logits=False, axis=-1):
    from keras import losses
    return losses.sparse_categorical_crossentropy(target, output, from_logits, axis=axis)


def binary_crossentropy(target, output, from_logits=False):
    """Of each number, not of each row."""
    from keras import _loss_functions as f
    t, p = f.both(target, output)
    return f.record("binary_crossentropy", f._binary(t, p, from_logits), from_logits)


def ctc_batch_cost(y_true, y_pred, input_length, label_length):
    """One number for each example, [n, 1]."""
    from keras import _loss_functions as f
    return _wrap(_l.expand(f.ctc_of(y_pred)._h, -1))


def ctc_decode(y_pred, input_length=None, greedy=True, beam_width=100, top_paths=1):
    h = _h(y_pred)
    ids = _op("tw.arg_reduce", [h], {"kind": "max", "dim": -1})
    return [_wrap(ids)], _wrap(_l.reduce("max", _l.reduce("max", h, -1), -1, True))


_PLAIN = """is_tensor is_placeholder is_variable is_sparse int_shape ndim dtype zeros ones variable
constant placeholder image_dim_ordering set_image_dim_ordering result_type convert_to_numpy
cast_to_floatx eye arange map_fn shape size stop_gradient categorical_crossentropy
sparse_categorical_crossentropy backend batch_get_value batch_set_value clear_session count_params
eval function get_session get_uid get_value gradients learning_phase learning_phase_scope
manual_variable_initialization reset_uids set_learning_phase set_session set_value epsilon floatx
image_data_format set_epsilon set_floatx set_image_data_format is_keras_tensor standardize_dtype
public""".split()
for _name, _value in list(globals().items()):
    if callable(_value) and _name[0] != "_" and not isinstance(_value, type) and \
            _name not in _PLAIN:
        globals()[_name] = public(_value)


def __getattr__(name):
    """Other functions are those of keras.ops or TensorFlow."""
    if name in ("control_flow_ops", "array_ops", "math_ops", "nn", "tf", "ctc", "tensor_array_ops"):
        import tensorflow
        return tensorflow.nn if name == "nn" else tensorflow
    from keras import ops
    import tensorflow
    for module in (ops, tensorflow, tensorflow.nn):
        found = getattr(module, name, None)
        if found is not None and not _t.is_unknown(found):
            return found
    raise AttributeError(name)
