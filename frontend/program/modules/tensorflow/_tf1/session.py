"""Sessions: what they fetch is not known; running an update is a step of training."""

import _tilewise as _t
from numpy import ndarray
from tensorflow._tensor import Tensor
from tensorflow._tf1 import graph as _g


def enable_eager_execution(*args, **kw):
    _g.get_default_graph().eager = True


def record_step(graph):
    facts = graph.optimizer or {"name": "unknown"}
    _t.record("step", name=facts["name"])


def record_model(graph, name):
    trained, other = [], []
    for v in graph.variables():
        (trained if v.trainable else other).append(v._h)
    _t.record("model", name=name, parameters=trained, buffers=other)


def _trains(fetch, graph):
    if isinstance(fetch, (list, tuple)):
        for f in fetch:
            if _trains(f, graph):
                return True
        return False
    if isinstance(fetch, dict):
        return _trains(list(fetch.values()), graph)
    return _g.any_trains(fetch)


def _fetched(fetch):
    if isinstance(fetch, tuple) and hasattr(fetch, "_fields"):
        return type(fetch)(*[_fetched(f) for f in fetch])
    if isinstance(fetch, (list, tuple)):
        return type(fetch)([_fetched(f) for f in fetch])
    if isinstance(fetch, dict):
        return {k: _fetched(f) for k, f in fetch.items()}
    if isinstance(fetch, _g.Operation) or fetch is None:
        return None
    if isinstance(fetch, Tensor) and not fetch._is_variable and not fetch._is_gradient:
        n = _t.numbers(fetch._h)
        if isinstance(n, (int, float)):
            return n
        # Data that is fetched to be fed again: its numbers are not known, its shape is.
        if len(fetch.shape) and None not in fetch.shape:
            return ndarray._of(fetch)
    return _t.unknown("a value that a session fetches")


def _sizes_of(value):
    """The sizes of what is fed, 0 for one that is not known; None: nothing is known of it."""
    shape = getattr(value, "shape", None)
    if _t.is_unknown(shape) or _t.is_unknown(value):
        return None
    if shape is not None:
        return [int(d) if isinstance(d, int) and _t.open_size(d) else 0 for d in shape]
    if isinstance(value, (list, tuple)) and not _t.is_unknown(len(value)) and len(value):
        inner = _sizes_of(value[0])
        return None if inner is None else [len(value)] + inner
    return [] if isinstance(value, (int, float)) else None


def _record_fed(feed):
    """Says what sizes placeholders are fed, and whether the graph was made with others."""
    if not isinstance(feed, dict):
        return
    for placeholder, value in feed.items():
        index = getattr(placeholder, "_index", None)
        if index is None or _t.fed(index) is not None:
            continue
        seen = _sizes_of(value)
        declared = placeholder._fed if placeholder._shape_given else None
        if not seen or (declared is not None and len(declared) != len(seen)):
            continue
        otherwise = declared is None
        for i in range(1, len(declared or ())):
            otherwise = otherwise or (declared[i] is None and seen[i] not in (0, 128))
        _t.record("fed", index=index, sizes=seen, otherwise=1 if otherwise else 0)


def _batch_of(feed):
    """The number of examples that are fed."""
    if not isinstance(feed, dict):
        return None
    declared = None
    for placeholder, value in feed.items():
        sizes = getattr(placeholder, "_fed", None)
        shape = getattr(value, "shape", None)
        if shape is None and isinstance(value, (list, tuple)) and len(value):
            shape = (len(value),)
        if declared is None and sizes and len(sizes) > 1:
            declared = sizes[0]
        if getattr(placeholder, "_sizes_batch", False) and isinstance(value, int):
            return value
        if sizes == [] and shape and placeholder._shape_given is False:
            _t.note("what is fed to " + str(placeholder.name) + " is no single number, which it "
                    "was taken for; the graph may be wrong")
        if sizes and shape and not _t.is_unknown(shape) and not _t.is_unknown(shape[0]):
            return int(shape[0])
    # What is fed is not known, but the placeholder says how many it takes.
    return declared


def run_op(fetches, feed_dict=None):
    graph = _g.get_default_graph()
    return _run(graph, fetches, feed_dict)


def _run(graph, fetches, feed_dict):
    if _trains(fetches, graph) or (graph.trains and _t.is_unknown(fetches)):
        _record_fed(feed_dict)
        size = _batch_of(feed_dict)
        if size is not None:
            _t.record("batch", size=size, what="feed")
        record_model(graph, "graph")
        record_step(graph)
    return _fetched(fetches)


class Session:
    def __init__(self, target="", graph=None, config=None, **kw):
        self.graph = graph if isinstance(graph, _g.Graph) else _g.get_default_graph()
        self.target = self.sess_str = target
        self._entered = None

    def run(self, fetches, feed_dict=None, options=None, run_metadata=None):
        return _run(self.graph, fetches, feed_dict)

    def __enter__(self):
        _SESSIONS.append(self)
        self._entered = self.graph.as_default()
        self._entered.__enter__()
        return self

    def __exit__(self, kind, value, trace):
        self._entered.__exit__(kind, value, trace)
        if _SESSIONS and _SESSIONS[-1] is self:
            _SESSIONS.pop()
        return False

    def as_default(self):
        return self

    def close(self):
        return None

    def make_callable(self, fetches, feed_list=None, accept_options=False):
        return lambda *args: self.run(fetches, dict(zip(feed_list or (), args)))

    def list_devices(self):
        return [_Device(i) for i in range(_t.replicas())]

    def partial_run(self, handle, fetches, feed_dict=None):
        return self.run(fetches, feed_dict)

    partial_run_setup = reset = close


class _Device:
    device_type = "TPU"

    def __init__(self, i):
        self.name = "/job:worker/replica:0/task:0/device:TPU:" + str(i)


_SESSIONS = []


class InteractiveSession(Session):
    def __init__(self, *args, **kw):
        super().__init__(*args, **kw)
        _SESSIONS.append(self)


class MonitoredSession(Session):
    """Training sessions; whether they should stop is not known, but once they have run a step."""

    def __init__(self, session_creator=None, hooks=None, *args, **kw):
        super().__init__()
        self.ran = False

    def run(self, fetches, feed_dict=None, options=None, run_metadata=None):
        return super().run(fetches, feed_dict)

    def should_stop(self):
        return _t.unknown("when a session stops")

    def run_step_fn(self, step_fn):
        return step_fn(_StepContext(self))

    def raw_session(self):
        return self

    _tf_sess = raw_session  # programs reach the wrapped session by it


class _StepContext:
    def __init__(self, session):
        self.session = session

    def run_with_hooks(self, *args, **kw):
        return self.session.run(*args, **kw)

    def request_stop(self):
        return None


SingularMonitoredSession = MonitoredSession


def MonitoredTrainingSession(*args, **kw):
    return MonitoredSession()


def get_default_session():
    return _SESSIONS[-1] if _SESSIONS else None


def get_session():
    return _SESSIONS[-1] if _SESSIONS else Session()


class Supervisor(_g.Quiet):
    def managed_session(self, *args, **kw):
        return MonitoredSession()

    prepare_or_wait_for_session = managed_session

    def should_stop(self):
        return _t.unknown("when a supervisor stops")


class Coordinator(_g.Quiet):
    def should_stop(self):
        return _t.unknown("when a coordinator stops")


def initializer_op(*args, **kw):
    return _g.Operation(False, "init")


global_variables_initializer = local_variables_initializer = tables_initializer = initializer_op
initialize_all_variables = variables_initializer = initialize_variables = initializer_op
initialize_all_tables = initialize_local_variables = initializer_op


def report_uninitialized_variables(*args, **kw):
    return _t.unknown("which variables have no value yet")


def assert_variables_initialized(*args):
    return _g.Operation()


class Reused:
    """A message of settings whose fields take what they are given."""

    def __init__(self, *args, **kw):
        for k in kw:
            setattr(self, k, kw[k])

    def __getattr__(self, name):
        if name[:2] == "__":
            raise AttributeError(name)
        made = Reused()
        self.__dict__[name] = made
        return made

    def __call__(self, *args, **kw):
        return Reused()

    def __iter__(self):
        return iter(())

    def __len__(self):
        return 0


class ConfigProto(Reused):
    pass


class GPUOptions(Reused):
    pass


class GraphOptions(Reused):
    pass


class OptimizerOptions(Reused):
    OFF, ON_1, ON_2, L0, L1 = -1, 1, 2, -1, 0


class RunOptions(Reused):
    NO_TRACE, SOFTWARE_TRACE, HARDWARE_TRACE, FULL_TRACE = 0, 1, 2, 3


class RunMetadata(Reused):
    pass
