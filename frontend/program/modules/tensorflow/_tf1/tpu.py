"""tf.tpu and tf.contrib.tpu of TensorFlow 1."""

import _tilewise as _t
from tensorflow._tensor import Tensor, handle, wrap
from tensorflow._tf1 import graph as _g
from tensorflow._tf1.estimators import (
    InputPipelineConfig, TPUConfig, TPUContext, TPUEstimator, TPUEstimatorSpec)
from tensorflow._tf1.estimators import TPURunConfig as RunConfig
from tensorflow._tf1.graph import Quiet, nothing
from tensorflow._tf1.optimizers import CrossShardOptimizer
from tensorflow._tf1.scopes import variable_scope


def __getattr__(name):
    import importlib
    held = importlib.import_module("tensorflow.tpu").__dict__
    if name not in held:
        raise AttributeError(name)
    return held[name]


def _wide(getter, name, *args, **kw):
    """Weights that are asked for in bf16 are kept in f32."""
    from tensorflow._dtypes import bfloat16, float32
    if kw.get("dtype") != bfloat16:
        return getter(name, *args, **kw)
    kw["dtype"] = float32
    v = getter(name, *args, **kw)
    return wrap(_t.op("tw.convert", [handle(v)], {"dtype": "bf16"}))


class bfloat16_scope(variable_scope):
    """Also the layers of Keras compute in bf16 within it."""

    def __init__(self, name=None):
        super().__init__(name or "", custom_getter=_wide)

    def __enter__(self):
        from keras import _policy
        self.policy = _policy._now[0]
        _policy._now[0] = _policy.policy_of("mixed_bfloat16")
        return super().__enter__()

    def __exit__(self, kind, value, trace):
        from keras import _policy
        _policy._now[0] = self.policy
        return super().__exit__(kind, value, trace)


def cross_replica_sum(x, group_assignment=None, name=None):
    return x


def all_to_all(x, concat_dimension, split_dimension, split_count, group_assignment=None,
               name=None):
    return x


def collective_permute(x, source_target_pairs, name=None):
    return x


def outside_compilation(computation, *args, **kw):
    return computation(*args, **kw)


def _flat_call(computation, inputs):
    out = computation(*inputs)
    return list(out) if isinstance(out, tuple) else [out] if out is not None else []


def rewrite(computation, inputs=None, infeed_queue=None, device_assignment=None, name=None):
    return _flat_call(computation, inputs or ())


def replicate(computation, inputs=None, infeed_queue=None, device_assignment=None, name=None,
              **kw):
    first = inputs[0] if inputs else ()
    return [_flat_call(computation, first)] * _t.replicas()


def split_compile_and_replicate(computation, inputs=None, *args, **kw):
    return _g.Operation(name="compile"), replicate(computation, inputs)


def split_compile_and_shard(computation, inputs=None, num_shards=1, *args, **kw):
    return _g.Operation(name="compile"), shard(computation, inputs, num_shards)


def _part(x, n):
    """What one shard gets of a batch."""
    if not isinstance(x, Tensor):
        return x
    h = handle(x)
    sizes = list(_t.shape(h))
    if not sizes or n < 2:
        return x
    _t.record("batch", size=sizes[0], what="shards")
    sizes[0] = max(1, sizes[0] // n)
    return wrap(_t.input(sizes, _t.dtype(h), "shard", 0))


def shard(computation, inputs=None, num_shards=1, input_shard_axes=None, outputs_from_all=True,
          output_shard_axes=None, infeed_queue=None, device_assignment=None, name=None, **kw):
    return _flat_call(computation, [_part(x, num_shards) for x in inputs or ()])


def batch_parallel(computation, inputs=None, num_shards=1, infeed_queue=None,
                   device_assignment=None, name=None, **kw):
    return _flat_call(computation, [_part(x, num_shards) for x in inputs or ()])


def repeat(n, body, inputs=None, infeed_queue=None, name=None):
    """One round stands for all."""
    return _flat_call(body, inputs or ())


def while_loop(condition, body, inputs=None, infeed_queue=None, name=None):
    return _flat_call(body, inputs or ())


def initialize_system(*args, **kw):
    return _g.Operation(name="initialize_system")


def shutdown_system(*args, **kw):
    return _g.Operation(name="shutdown_system")


def core(num):
    return ""


def under_tpu_inference_context():
    return False


def is_tpu_strategy(strategy):
    return True


def get_tpu_context():
    return TPUContext(_t.replicas())


def keras_to_tpu_model(model, strategy=None):
    _t.record("tpu_model")
    return model


class TPUDistributionStrategy(Quiet):
    def __init__(self, *args, **kw):
        _t.record("strategy", name="TPUDistributionStrategy", replicas=_t.replicas())


class AsyncCheckpointSaverHook(Quiet):
    pass


class TPUSystemMetadata(Quiet):
    pass


class Topology(Quiet):
    pass


def device_assignment(*args, **kw):
    return Quiet()


class TPUInfeedOutfeedSessionHook(Quiet):
    pass


class bfloat16:
    bfloat16_scope = bfloat16_scope
AdamParameters = AdagradParameters = StochasticGradientDescentParameters = Quiet
validate_inference_rewrite_for_variables = rewrite_for_inference = nothing
