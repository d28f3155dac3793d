"""tf.train of TensorFlow 1; what is not here is that of TensorFlow 2."""

import _tilewise as _t
from tensorflow._tensor import wrap
from tensorflow._tf1.graph import Quiet, nothing
from tensorflow._tf1.optimizers import (
    AdadeltaOptimizer, AdagradDAOptimizer, AdagradOptimizer, AdamOptimizer,
    ExponentialMovingAverage, FtrlOptimizer, GradientDescentOptimizer, MomentumOptimizer,
    Optimizer, ProximalAdagradOptimizer, ProximalGradientDescentOptimizer, RMSPropOptimizer,
    SyncReplicasOptimizer)
from tensorflow._tf1.schedules import (
    cosine_decay, cosine_decay_restarts, exponential_decay, inverse_time_decay,
    linear_cosine_decay, natural_exp_decay, noisy_linear_cosine_decay, piecewise_constant,
    piecewise_constant_decay, polynomial_decay)
from tensorflow._tf1.scopes import (
    assert_global_step, create_global_step, get_global_step, get_or_create_global_step)
from tensorflow._tf1.session import (
    Coordinator, MonitoredSession, MonitoredTrainingSession, SingularMonitoredSession, Supervisor)


def __getattr__(name):
    import importlib
    if name in ("TrainSpec", "EvalSpec", "train_and_evaluate"):
        return getattr(importlib.import_module("tensorflow.estimator"), name)
    return getattr(importlib.import_module("tensorflow.train"), name)


class Saver(Quiet):
    def save(self, *args, **kw):
        return "model.ckpt-0"

    last_checkpoints = []

    def as_saver_def(self):
        return Quiet()


class Scaffold(Quiet):
    saver = None

    def __init__(self, *args, **kw):
        for name in kw:
            setattr(self, name, kw[name])

    @staticmethod
    def get_or_default(name, collection, default):
        return default()


class SessionRunHook:
    def begin(self):
        pass

    def after_create_session(self, session, coord):
        pass

    def before_run(self, run_context):
        pass

    def after_run(self, run_context, run_values):
        pass

    def end(self, session):
        pass


class _Hook(SessionRunHook):
    def __init__(self, *args, **kw):
        pass

    def __getattr__(self, name):
        if name[:2] == "__":
            raise AttributeError(name)
        return nothing


class LoggingTensorHook(_Hook):
    pass


class StopAtStepHook(_Hook):
    pass


class CheckpointSaverHook(_Hook):
    pass


class CheckpointSaverListener(_Hook):
    pass


class StepCounterHook(_Hook):
    pass


class SummarySaverHook(_Hook):
    pass


class GlobalStepWaiterHook(_Hook):
    pass


class FinalOpsHook(_Hook):
    final_ops_values = None


class FeedFnHook(_Hook):
    pass


class NanTensorHook(_Hook):
    pass


class ProfilerHook(_Hook):
    pass


class NanLossDuringTrainingError(RuntimeError):
    pass


class SecondOrStepTimer(_Hook):
    def should_trigger_for_step(self, step):
        return _t.unknown("whether a timer has run out")

    def update_last_triggered_step(self, step):
        return None, None

    def last_triggered_step(self):
        return None

    def reset(self):
        pass


class SessionRunArgs:
    def __init__(self, fetches, feed_dict=None, options=None):
        self.fetches, self.feed_dict, self.options = fetches, feed_dict, options


class SessionRunContext(Quiet):
    pass


class SessionRunValues(Quiet):
    pass


class ClusterSpec(Quiet):
    pass


class ChiefSessionCreator(Quiet):
    pass


class WorkerSessionCreator(Quiet):
    pass


class SessionManager(Quiet):
    pass


class Server(Quiet):
    target = ""


class VocabInfo(Quiet):
    pass


def init_from_checkpoint(ckpt_dir_or_file, assignment_map):
    return None


def warm_start(*args, **kw):
    return None


def latest_checkpoint(checkpoint_dir=None, latest_filename=None):
    """None until something trained."""
    from tensorflow._tf1.estimators import TRAINED
    return str(checkpoint_dir) + "/model.ckpt-0" if TRAINED[0] else None


def get_checkpoint_state(checkpoint_dir=None, latest_filename=None):
    return None


def checkpoint_exists(prefix):
    return False


def list_variables(ckpt_dir_or_file):
    return _t.unknown("the variables of a checkpoint")


def load_checkpoint(ckpt_dir_or_file):
    return _t.unknown("a checkpoint")


def load_variable(ckpt_dir_or_file, name):
    if name == "global_step":
        # A program starts without checkpoints.
        raise ValueError("no checkpoint")
    return _t.unknown("a variable of a checkpoint")


NewCheckpointReader = load_checkpoint


def checkpoints_iterator(checkpoint_dir, min_interval_secs=0, timeout=None, timeout_fn=None):
    return _t.unknown("checkpoints that are written while the program runs")


def summary_iterator(path):
    return iter(())


def global_step(sess, global_step_tensor):
    return _t.unknown("the number of the step")


def start_queue_runners(*args, **kw):
    return []


add_queue_runner = write_graph = export_meta_graph = import_meta_graph = nothing
update_checkpoint_state = generate_checkpoint_state_proto = remove_checkpoint = nothing
get_checkpoint_mtimes = nothing
basic_train_loop = nothing


def replica_device_setter(*args, **kw):
    return ""


def _batched(tensors, size, many):
    """A queue of examples gives batches of symbols."""
    from tensorflow._tensor import Tensor, handle
    from tensorflow._tf1.queues import taken_size
    if _t.is_unknown(tensors) or _t.is_unknown(size):
        return tensors if _t.is_unknown(tensors) else size
    if isinstance(tensors, Tensor):
        h, n = handle(tensors), taken_size(size)
        if n is None:
            return _t.unknown("how many examples a queue gives at once")
        dims = list(_t.shape(h))
        made = wrap(_t.input([n] + (dims[1:] if many else dims), _t.dtype(h), "batch", 0))
        if _t.open_size(n) is not None:
            _t.record("batch", size=n, what="tf.train.batch")
        return made
    if isinstance(tensors, dict):
        return {k: _batched(v, size, many) for k, v in tensors.items()}
    # A list of examples stands for a tensor of them.
    return [_batched(v[0], size, False) if many and isinstance(v, (list, tuple)) and len(v)
            else _batched(v, size, many) for v in tensors]


def batch(tensors, batch_size, num_threads=1, capacity=32, enqueue_many=False, shapes=None,
          dynamic_pad=False, allow_smaller_final_batch=False, shared_name=None, name=None):
    return _batched(tensors, batch_size, enqueue_many)


def shuffle_batch(tensors, batch_size, capacity=32, min_after_dequeue=0, num_threads=1, seed=None,
                  enqueue_many=False, shapes=None, allow_smaller_final_batch=False, **kw):
    return _batched(tensors, batch_size, enqueue_many)


def batch_join(tensors_list, batch_size, capacity=32, enqueue_many=False, **kw):
    return _batched(tensors_list[0], batch_size, enqueue_many)


shuffle_batch_join = batch_join


def string_input_producer(string_tensor, *args, **kw):
    return _Queue(string_tensor)


def slice_input_producer(tensor_list, *args, **kw):
    return [t[0] for t in tensor_list]


class _Queue(Quiet):
    def __init__(self, *args, **kw):
        pass


def limit_epochs(tensor, num_epochs=None, name=None):
    return tensor


def get_or_create_steps_per_run_variable():
    return _t.unknown("steps of one run")
