"""tf.train."""

import _tilewise
from tensorflow import nest
from tensorflow._shape import TensorShape
from tensorflow._tensor import Tensor, number_of


class _Status:
    """Of a restored checkpoint."""

    def assert_consumed(self):
        return self

    assert_existing_objects_matched = expect_partial = assert_nontrivial_match = assert_consumed

    def initialize_or_restore(self, session=None):
        return self

    run_restore_ops = initialize_or_restore


class Checkpoint:
    def __init__(self, root=None, **kwargs):
        self.root = root
        for name, value in kwargs.items():
            setattr(self, name, value)
        if "save_counter" not in kwargs:
            self.save_counter = 0

    def save(self, file_prefix=None, options=None):
        return str(file_prefix) + "-1"

    def write(self, file_prefix=None, options=None):
        return file_prefix

    def restore(self, save_path=None, options=None):
        return _Status()

    read = restore

    def sync(self):
        pass


class CheckpointOptions:
    def __init__(self, **options):
        pass


class CheckpointManager:
    def __init__(self, checkpoint, directory, max_to_keep=None,
                 keep_checkpoint_every_n_hours=None, checkpoint_name="ckpt", step_counter=None,
                 checkpoint_interval=None, init_fn=None):
        self.checkpoint, self.directory = checkpoint, directory
        self._name = checkpoint_name
        self.checkpoint_interval = checkpoint_interval
        self.latest_checkpoint = None
        self.checkpoints = []

    def save(self, checkpoint_number=None, check_interval=True, options=None):
        return str(self.directory) + "/" + self._name + "-1"

    def restore_or_initialize(self):
        return None

    def sync(self):
        pass


def latest_checkpoint(checkpoint_dir, latest_filename=None):
    return None


def list_variables(ckpt_dir_or_file):
    return _tilewise.unknown("what a checkpoint holds")


load_variable = load_checkpoint = lambda ckpt_dir_or_file, name=None: _tilewise.unknown(
    "what a checkpoint holds")


def checkpoints_iterator(checkpoint_dir, **options):
    return iter([])


def checkpoint_exists(checkpoint_prefix):
    return False


def get_checkpoint_state(checkpoint_dir, latest_filename=None):
    return None


# ---- protocol messages


class _Message:
    def __init__(self, **fields):
        for name, value in fields.items():
            setattr(self, name, value)

    def SerializeToString(self, deterministic=False):
        return b"example"

    @classmethod
    def FromString(cls, text):
        return _tilewise.unknown("a message that is read")

    def ParseFromString(self, text):
        return 0

    def HasField(self, name):
        return hasattr(self, name)

    def CopyFrom(self, other):
        self.__dict__.update(other.__dict__)


class _ListMessage(_Message):
    def __init__(self, value=()):
        self.value = value


class BytesList(_ListMessage):
    pass


class FloatList(_ListMessage):
    pass


class Int64List(_ListMessage):
    pass


class Feature(_Message):
    pass


class FeatureList(_Message):
    pass


class Features(_Message):
    pass


class FeatureLists(_Message):
    pass


class Example(_Message):
    pass


class SequenceExample(_Message):
    pass


class ClusterSpec:
    def __init__(self, cluster):
        self.cluster = cluster

    def as_dict(self):
        return self.cluster

    @property
    def jobs(self):
        return list(self.cluster)

    def num_tasks(self, job_name):
        return len(self.cluster[job_name])


class ClusterDef(_Message):
    pass


class JobDef(_Message):
    pass


class ServerDef(_Message):
    pass


class Coordinator:
    def should_stop(self):
        return False

    def request_stop(self, ex=None):
        pass

    def join(self, threads=None, **options):
        pass


class ExponentialMovingAverage:
    def __init__(self, decay, num_updates=None, zero_debias=False,
                 name="ExponentialMovingAverage"):
        self.decay, self.name = decay, name

    def apply(self, var_list=None):
        return None

    def average(self, var):
        return var

    def average_name(self, var):
        return str(var.name)[:-2] + "/" + self.name

    def variables_to_restore(self, moving_avg_variables=None):
        return {}


class experimental:
    class PythonState:
        pass

    class MaxShardSizePolicy:
        def __init__(self, max_shard_size):
            pass

    enable_mixed_precision_graph_rewrite = staticmethod(lambda opt, loss_scale="dynamic": opt)


def __getattr__(name):
    from tensorflow._public import _older
    return _older("compat.v1.train", name)
