"""Graphs of TensorFlow 1: collections, and which graph is the default."""

import _tilewise as _t
from tensorflow._tensor import Tensor, Variable, state


class GraphKeys:
    GLOBAL_VARIABLES = "variables"
    VARIABLES = "variables"
    LOCAL_VARIABLES = "local_variables"
    METRIC_VARIABLES = "metric_variables"
    MODEL_VARIABLES = "model_variables"
    TRAINABLE_VARIABLES = "trainable_variables"
    SUMMARIES = "summaries"
    QUEUE_RUNNERS = "queue_runners"
    TABLE_INITIALIZERS = "table_initializer"
    ASSET_FILEPATHS = "asset_filepaths"
    MOVING_AVERAGE_VARIABLES = "moving_average_variables"
    REGULARIZATION_LOSSES = "regularization_losses"
    CONCATENATED_VARIABLES = "concatenated_variables"
    SAVERS = "savers"
    WEIGHTS = "weights"
    BIASES = "biases"
    ACTIVATIONS = "activations"
    UPDATE_OPS = "update_ops"
    LOSSES = "losses"
    INIT_OP = "init_op"
    LOCAL_INIT_OP = "local_init_op"
    READY_OP = "ready_op"
    READY_FOR_LOCAL_INIT_OP = "ready_for_local_init_op"
    SUMMARY_OP = "summary_op"
    GLOBAL_STEP = "global_step"
    TRAIN_OP = "train_op"
    COND_CONTEXT = "cond_context"
    WHILE_CONTEXT = "while_context"
    EVAL_STEP = "eval_step"


class Operation:
    """What a session runs for its effect; `trains` when that is a step of training."""
    type = "NoOp"
    inputs = outputs = control_inputs = ()
    device = ""

    def __init__(self, trains=False, name="op"):
        self.trains = trains
        self.name = name
        self.graph = None

    @property
    def op(self):
        return self

    def run(self, feed_dict=None, session=None):
        from tensorflow._tf1.session import run_op
        return run_op(self, feed_dict)

    def numpy(self):
        return None

    def get_attr(self, name):
        return _t.unknown("an attribute of an operation")


class Graph:
    def __init__(self):
        self.collections = {}
        self.store = {}         # variables of get_variable, by name
        self.counts = {}        # how often a variable scope was opened
        self.names = {}
        self.first = len(state.variables)
        self.scope = None       # the variable scope that is current
        self.name_scope_now = ""
        self.step = None
        self.trains = False     # an optimizer's update is part of it
        self.control = False    # control dependencies on such an update are open
        self.trained = []       # results that come after such an update
        self.optimizer = None
        self.symbolic = False   # gradients were taken in the graph
        self.eager = False
        self.seed = None
        self.finalized = False
        self.version = 0
        self.building_function = False

    def as_default(self):
        return _Default(self)

    def variables(self):
        return [v for v in state.variables[self.first:] if id(v) not in _LOCAL]

    def finalize(self):
        self.finalized = True

    def get_collection(self, name, scope=None):
        return get_collection(name, scope, self)

    def get_collection_ref(self, name):
        return self.collections.setdefault(name, [])

    def add_to_collection(self, name, value):
        self.collections.setdefault(name, []).append(value)

    def add_to_collections(self, names, value):
        for name in [names] if isinstance(names, str) else names:
            self.add_to_collection(name, value)

    def get_all_collection_keys(self):
        return list(self.collections)

    def clear_collection(self, name):
        self.collections[name] = []

    def get_operations(self):
        return []

    def get_name_scope(self):
        return self.name_scope_now

    def unique_name(self, name, mark_as_used=True):
        n = self.names.get(name, 0)
        self.names[name] = n + 1
        return name if n == 0 else name + "_" + str(n)

    def name_scope(self, name):
        from tensorflow._tf1.scopes import name_scope
        return name_scope(name)

    def device(self, name):
        return Quiet()

    def control_dependencies(self, inputs):
        return control_dependencies(inputs)

    def gradient_override_map(self, names):
        return Quiet()

    def as_graph_def(self, *args, **kw):
        return _t.unknown("the graph as a message")

    def get_tensor_by_name(self, name):
        for v in self.variables():
            if v.name == name or v.name + ":0" == name:
                return v
        return _t.unknown("tensor " + str(name) + " of a graph by its name")

    get_operation_by_name = as_graph_element = get_tensor_by_name


class Quiet:
    """A context that changes nothing here; what is not there is a call without effect."""

    def __init__(self, *args, **kw):
        pass

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        return False

    def __call__(self, function=None, *args, **kw):
        return function

    def __getattr__(self, name):
        if name[:2] == "__":
            raise AttributeError(name)
        return nothing

    def as_default(self, *args, **kw):
        return self


def nothing(*args, **kw):
    return None


_LOCAL = set()
_STACK = [Graph()]
_STACK[0].first = 0


class _Default:
    def __init__(self, graph):
        self.graph = graph

    def __enter__(self):
        _STACK.append(self.graph)
        return self.graph

    def __exit__(self, kind, value, trace):
        _STACK.pop()
        return False


def get_default_graph():
    return _STACK[-1]


def reset_default_graph():
    _STACK[-1] = Graph()


def mark_local(variable):
    """A variable that is none of the model's: the step's number, an optimizer's slot."""
    _LOCAL.add(id(variable))
    return variable


def _in_scope(values, scope):
    if not scope:
        return values
    import re
    found = []
    for v in values:
        name = _SCOPES.get(id(v)) or getattr(v, "name", None)
        if isinstance(name, str) and re.match(scope, name):
            found.append(v)
    return found


_SCOPES = {}    # of tensors in collections: the scope that they were added in


def _kept(value):
    if isinstance(value, Tensor) and not value._is_variable:
        _SCOPES[id(value)] = _STACK[-1].name_scope_now + "/"
    return value


def trainable_variables(scope=None):
    return _in_scope([v for v in _STACK[-1].variables() if v.trainable], scope)


def global_variables(scope=None):
    graph = _STACK[-1]
    found = graph.variables()
    if graph.step is not None:
        found = [graph.step] + found
    return _in_scope(found, scope)


all_variables = global_variables


def model_variables(scope=None):
    return get_collection(GraphKeys.MODEL_VARIABLES, scope)


def moving_average_variables(scope=None):
    return get_collection(GraphKeys.MOVING_AVERAGE_VARIABLES, scope)


def local_variables(scope=None):
    return []


def get_collection(key, scope=None, graph=None):
    graph = _STACK[-1] if graph is None else graph
    if key == "trainable_variables":
        return _in_scope([v for v in graph.variables() if v.trainable], scope)
    if key == "variables":
        return _in_scope(graph.variables(), scope)
    if key == "global_step":
        return [] if graph.step is None else [graph.step]
    if key == "model_variables" and not graph.collections.get(key):
        return _in_scope(graph.variables(), scope)
    return _in_scope(list(graph.collections.get(key, ())), scope)


def get_collection_ref(key):
    return _STACK[-1].collections.setdefault(key, [])


def add_to_collection(name, value):
    if name not in ("trainable_variables", "variables"):
        _STACK[-1].collections.setdefault(name, []).append(_kept(value))


def add_to_collections(names, value):
    for name in [names] if isinstance(names, str) else names:
        add_to_collection(name, value)


class control_dependencies:
    def __init__(self, control_inputs=None):
        self.trains = any_trains(control_inputs)

    def __enter__(self):
        self.before = _STACK[-1].control
        if self.trains:
            _STACK[-1].control = True
        return self

    def __exit__(self, kind, value, trace):
        _STACK[-1].control = self.before
        return False


def any_trains(value):
    if isinstance(value, Operation):
        return value.trains
    if isinstance(value, (list, tuple)):
        for v in value:
            if any_trains(v):
                return True
        return False
    if isinstance(value, dict):
        return any_trains(list(value.values()))
    if isinstance(value, Tensor):
        for t in _STACK[-1].trained:
            if t is value:
                return True
    return False


def after_training(value):
    """Marks a result that is computed after the update of the weights."""
    if _STACK[-1].control and isinstance(value, Tensor):
        _STACK[-1].trained.append(value)
    return value


def no_op(name=None):
    return Operation(_STACK[-1].control, name or "NoOp")


def group(*inputs, **kw):
    return Operation(_STACK[-1].control or any_trains(inputs), kw.get("name") or "group")


def tuple_(tensors, name=None, control_inputs=None):
    return list(tensors)


def is_variable(x):
    return isinstance(x, Variable)
