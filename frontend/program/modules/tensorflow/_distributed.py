"""Strategies: a replica is a core, and a step is followed on one of them."""

import _tilewise
from tensorflow import nest
from tensorflow._control import context
from tensorflow._public import state
from tensorflow._shape import TensorShape
from tensorflow._tensor import Tensor, handle, tensor, wrap

_unk = _tilewise.is_unknown


class ReduceOp:
    SUM, MEAN = "SUM", "MEAN"

    @staticmethod
    def from_variable_aggregation(aggregation):
        return "SUM"


class InputReplicationMode:
    PER_WORKER, PER_REPLICA = "PER_WORKER", "PER_REPLICA"


class InputOptions:
    def __init__(self, **options):
        pass


RunOptions = InputOptions


class InputContext:
    """What a function that makes data sets is told of its host."""

    def __init__(self, num_input_pipelines=1, input_pipeline_id=0, num_replicas_in_sync=1):
        self._hosts = num_input_pipelines
        self.input_pipeline_id = input_pipeline_id
        self.num_replicas_in_sync = num_replicas_in_sync

    @property
    def num_input_pipelines(self):
        _tilewise.record("asks_hosts")
        return self._hosts

    def get_per_replica_batch_size(self, global_batch_size):
        return global_batch_size // self.num_replicas_in_sync


class ReplicaContext:
    def __init__(self, strategy=None, replica_id_in_sync_group=0):
        self.strategy = strategy or get_strategy()
        self.replica_id_in_sync_group = tensor(0)
        self.devices = ["TPU:0"]

    @property
    def num_replicas_in_sync(self):
        return self.strategy.num_replicas_in_sync

    def all_reduce(self, reduce_op, value, options=None, experimental_hints=None):
        return value

    def all_gather(self, value, axis, options=None):
        return self.strategy.gather(value, axis)

    def merge_call(self, merge_fn, args=(), kwargs=None):
        return merge_fn(self.strategy, *args, **(kwargs or {}))

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False


class DistributedValues:
    def __init__(self, values):
        self.values = values


class StrategyExtended:
    worker_devices = ("/device:TPU:0",)
    parameter_devices = worker_devices
    should_checkpoint = should_save_summary = True
    experimental_require_static_shapes = True

    def __init__(self, strategy):
        self._strategy = strategy
        self._device_assignment = None
        self.num_hosts = _tilewise.hosts()
        self.steps_per_run = 1

    def _in_multi_worker_mode(self):
        return False

    def variable_created_in_scope(self, v):
        return True

    def colocate_vars_with(self, colocate_with_variable):
        return context()

    def update(self, var, fn, args=(), kwargs=None, group=True):
        return fn(var, *args, **(kwargs or {}))

    def reduce_to(self, reduce_op, value, destinations, options=None):
        return value

    def batch_reduce_to(self, reduce_op, value_destination_pairs, options=None):
        return [v for v, _ in value_destination_pairs]

    def value_container(self, value):
        return value

    def call_for_each_replica(self, fn, args=(), kwargs=None):
        return self._strategy.run(fn, args, kwargs)


class _Scope:
    def __init__(self, strategy):
        self.strategy = strategy

    def __enter__(self):
        self.before, state.strategy = state.strategy, self.strategy
        return self.strategy

    def __exit__(self, *error):
        state.strategy = self.before
        return False


class Strategy:
    def __init__(self, *args, **kwargs):
        self._start(_tilewise.replicas())

    def _start(self, replicas, resolver=None):
        self.num_replicas_in_sync = replicas
        self.cluster_resolver = self._tpu_cluster_resolver = resolver
        self.extended = StrategyExtended(self)
        if type(self) is not Strategy:
            _tilewise.record("strategy", name=type(self).__name__, replicas=replicas)

    def scope(self):
        return _Scope(self)

    def run(self, fn, args=(), kwargs=None, options=None):
        _tilewise.record("run")
        before, state.strategy = state.strategy, self
        state.replica += 1
        result = fn(*args, **(kwargs or {}))
        state.replica -= 1
        state.strategy = before
        return result

    experimental_run_v2 = run

    def experimental_run(self, fn, input_iterator=None):
        return self.run(fn, () if input_iterator is None else (next(input_iterator),))

    def reduce(self, reduce_op, value, axis=None):
        if axis is None or _unk(value):
            return value
        from tensorflow._math import reduced
        kind = "mean" if str(reduce_op).upper().endswith("MEAN") else "sum"
        return nest.map_structure(lambda v: reduced(kind, v, axis, False), value)

    def gather(self, value, axis):
        n = self.num_replicas_in_sync
        from tensorflow._array import concat
        return nest.map_structure(lambda v: concat([v] * n, axis) if n > 1 else v, value)

    def experimental_local_results(self, value):
        return (value,)

    unwrap = experimental_local_results

    def experimental_distribute_dataset(self, dataset, options=None):
        if not _unk(dataset) and hasattr(dataset, "_used"):
            dataset._used("distribute")
        if _unk(dataset) or self.num_replicas_in_sync == 1:
            return dataset
        return DistributedDataset(dataset, self.num_replicas_in_sync)

    def distribute_datasets_from_function(self, dataset_fn, options=None):
        dataset = dataset_fn(InputContext(_tilewise.hosts(), 0, self.num_replicas_in_sync))
        if not _unk(dataset) and hasattr(dataset, "_used"):
            dataset._used("per_replica", replicas=self.num_replicas_in_sync)
        if _unk(dataset) or self.num_replicas_in_sync == 1:
            return dataset
        return DistributedDataset(dataset, self.num_replicas_in_sync, True)

    experimental_distribute_datasets_from_function = distribute_datasets_from_function

    def experimental_distribute_values_from_function(self, value_fn):
        return value_fn(ReplicaContext(self))

    def make_dataset_iterator(self, dataset):
        return iter(self.experimental_distribute_dataset(dataset))

    def make_input_fn_iterator(self, input_fn, replication_mode=None):
        return iter(self.distribute_datasets_from_function(input_fn))

    def experimental_make_numpy_dataset(self, numpy_input, session=None):
        from tensorflow import data
        return data.Dataset.from_tensor_slices(numpy_input)

    def configure(self, *args, **kwargs):
        pass

    def update_config_proto(self, config_proto):
        return config_proto


class MirroredStrategy(Strategy):
    def __init__(self, devices=None, cross_device_ops=None):
        self._start(_tilewise.replicas())


class TPUStrategy(Strategy):
    def __init__(self, tpu_cluster_resolver=None, experimental_device_assignment=None,
                 experimental_spmd_xla_partitioning=False, steps_per_run=None, **ignored):
        self._start(_tilewise.replicas(), tpu_cluster_resolver)


class MultiWorkerMirroredStrategy(Strategy):
    def __init__(self, cluster_resolver=None, communication_options=None, communication=None):
        self._start(_tilewise.replicas(), cluster_resolver or ClusterResolver())


class ParameterServerStrategy(Strategy):
    def __init__(self, cluster_resolver=None, variable_partitioner=None):
        self._start(_tilewise.replicas(), cluster_resolver)


class CentralStorageStrategy(Strategy):
    def __init__(self, compute_devices=None, parameter_device=None):
        self._start(_tilewise.replicas())


class OneDeviceStrategy(Strategy):
    def __init__(self, device=None):
        self._start(1)


class _DefaultStrategy(Strategy):
    def __init__(self):
        self.num_replicas_in_sync = 1
        self.cluster_resolver = None
        self.extended = StrategyExtended(self)


_default = []


def get_strategy():
    if state.strategy is not None:
        return state.strategy
    if not _default:
        _default.append(_DefaultStrategy())
    return _default[0]


def has_strategy():
    return state.strategy is not None


def in_cross_replica_context():
    return state.strategy is not None and not state.replica


def get_replica_context():
    return None if in_cross_replica_context() else ReplicaContext()


def experimental_set_strategy(strategy):
    state.strategy = strategy


class ClusterCoordinator:
    def __init__(self, strategy=None):
        self.strategy = strategy

    def schedule(self, fn, args=None, kwargs=None):
        return fn(*(args or ()), **(kwargs or {}))

    def create_per_worker_dataset(self, dataset_fn):
        return dataset_fn() if callable(dataset_fn) else dataset_fn

    def join(self):
        pass

    def done(self):
        return True

    def fetch(self, val):
        return val


class _ClusterSpec:
    jobs = ["worker"]

    def as_dict(self):
        return {"worker": ["10.0.0." + str(i + 2) + ":8470" for i in range(_tilewise.hosts())]}

    def as_cluster_def(self):
        return self

    def job_tasks(self, job):
        return self.as_dict()[job]

    def num_tasks(self, job):
        return _tilewise.hosts()


class ClusterResolver:
    """Of the target that the program is read for."""
    environment = ""
    task_type, task_id = "worker", 0
    rpc_layer = "grpc"

    def __init__(self, tpu=None, *args, **kwargs):
        self.tpu = tpu
        _tilewise.record("resolver", tpu=tpu)

    @classmethod
    def connect(cls, tpu=None, zone=None, project=None):
        return cls(tpu)

    def master(self, task_type=None, task_id=None, rpc_layer=None):
        return "grpc://10.0.0.2:8470"

    get_master = master

    def get_tpu_system_metadata(self):
        return _Metadata()

    def cluster_spec(self):
        return _ClusterSpec()

    def num_accelerators(self, *args, **kwargs):
        return {"TPU": _tilewise.replicas() // _tilewise.hosts()}

    def get_job_name(self):
        return "worker"


class _Metadata:
    num_hosts = property(lambda self: _tilewise.hosts())
    num_cores = property(lambda self: _tilewise.replicas())
    num_of_cores_per_host = property(lambda self: _tilewise.replicas() // _tilewise.hosts())
    devices = ()
    topology = None


# ---- data sets


class DistributedDataset:
    """Of a data set whose elements are global batches, or batches of one replica's (`local`)."""

    def __init__(self, dataset, replicas, local=False):
        self._dataset, self._replicas, self._local = dataset, replicas, local

    @property
    def element_spec(self):
        return self._dataset.element_spec

    @property
    def cardinality(self):
        return self._dataset.cardinality

    @property
    def batch_size(self):
        """Of all replicas together."""
        size = self._dataset.batch_size
        return size * self._replicas if self._local and size is not None else size

    @property
    def element(self):
        return self._dataset.element

    def __len__(self):
        return len(self._dataset)

    def __iter__(self):
        from tensorflow.data._iterator import OwnedIterator
        return DistributedIterator(OwnedIterator(self._dataset), self)

    def __getattr__(self, name):
        return getattr(self._dataset, name)

    def parts(self, leaves):
        """The leaves of one replica's part."""
        from tensorflow.data._element import Leaf, mapped

        def one(leaf):
            if not isinstance(leaf, Leaf) or not leaf.batch or not leaf.shape:
                return leaf
            n = leaf.shape[0]
            if n is None or n < self._replicas:
                return leaf
            return leaf.at((n // self._replicas,) + tuple(leaf.shape[1:]), leaf.batch)
        return mapped(one, leaves)


class DistributedIterator:
    """next() always gives; a loop takes as many as the loop over the data set does."""

    def __init__(self, inner, dataset):
        self._inner, self._of = inner, dataset

    def __iter__(self):
        from tensorflow.data._iterator import _Loop
        return _Loop(self)

    @property
    def _dataset(self):
        return self._of._dataset

    @property
    def element_spec(self):
        return self._of.element_spec

    def _give(self):
        whole = next(self._inner)
        if self._of._local:
            if self._of.batch_size is not None and not _tilewise.trained()[1]:
                _tilewise.record("batch", size=self._of.batch_size, what="tf.data")
            return whole
        from tensorflow.data import _element
        return _element.feed(self._of.parts(self._of._dataset._leaves))

    def __next__(self):
        return self._give()

    next = __next__

    def get_next(self):
        return self._give()

    def initialize(self):
        from tensorflow.data._iterator import _operation
        return _operation("initialize")

    @property
    def initializer(self):
        return self.initialize()

    def get_next_as_optional(self):
        from tensorflow.data._iterator import Optional
        return Optional(self._give())
