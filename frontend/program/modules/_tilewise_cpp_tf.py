"""TensorFlow's C++ interface: ops are nodes of a graph, which a session's run computes."""

import _python
import _tilewise
import tensorflow as _tf
from tensorflow import _tape
from tensorflow._tensor import Tensor as _Symbol
from tensorflow._tensor import wrap as _wrap
from tensorflow._tf1 import made as _made
from tensorflow._tf1.ops import _open
from tensorflow._tf1.optimizers import plain as _plain

import _tilewise_cpp_options as _options
import _tilewise_cpp_tf_ops as _ops

_unk = _tilewise.is_unknown
_TYPES = {1: "float32", 2: "float64", 3: "int32", 4: "uint8", 5: "int16", 6: "int8",
          7: "string", 8: "complex64", 9: "int64", 10: "bool", 14: "bfloat16", 17: "uint16",
          18: "complex128", 19: "float16", 22: "uint32", 23: "uint64"}
_NUMBERS = {"FLOAT": 1, "DOUBLE": 2, "INT32": 3, "UINT8": 4, "INT16": 5, "INT8": 6, "STRING": 7,
            "COMPLEX64": 8, "INT64": 9, "BOOL": 10, "BFLOAT16": 14, "UINT16": 17,
            "COMPLEX128": 18, "HALF": 19, "UINT32": 22, "UINT64": 23}
DataTypes = {"DT_" + name: number for name, number in _NUMBERS.items()}


def type_of(kind):
    """TensorFlow's type of a number of DataType."""
    if kind in _TYPES:
        return getattr(_tf, _TYPES[kind])
    _tilewise.note("an element type is not known; float is taken")
    return _tf.float32


# ---- what runs tell about the program

_counts = {"results": 0}
_ran = {}  # what runs that train nothing have fetched


def results():
    """How many computations have been recorded."""
    return _counts["results"]


# ---- graphs

class Status:
    def ok(self):
        return True

    def ToString(self):
        return "OK"

    error_message = message = ToString

    def code(self):
        return 0


class Graph:
    """The nodes that scopes of one root made."""

    def __init__(self):
        self.nodes, self.names = [], {}

    def unique(self, name):
        count = self.names.get(name, 0)
        self.names[name] = count + 1
        return name if count == 0 else name + "_" + str(count)

    def find(self, name):
        name = str(name).split(":")[0]
        for node in self.nodes:
            if node.name_ == name:
                return node
        return None

    def leaves(self):
        """Nodes that no other reads; what only sets variables is none."""
        read = set()
        for node in self.nodes:
            for operand in _nodes_of(node.operands):
                read.add(id(operand))
        return [n for n in self.nodes if id(n) not in read and n.kind not in _ops.ASSIGNS]


class Scope:
    def __init__(self, graph, prefix="", name=""):
        self.graph_, self.prefix, self.name_ = graph, prefix, name

    def NewSubScope(self, name):
        return Scope(self.graph_, self.prefix + str(name) + "/")

    def WithOpName(self, *parts):
        return Scope(self.graph_, self.prefix, "".join([str(p) for p in parts]))

    def _same(self, *values):
        return self

    WithDevice = WithAssignedDevice = WithControlDependencies = WithNoControlDependencies = _same
    ExitOnError = WithXlaCluster = ColocateWith = WithKernelLabel = ClearColocation = _same
    opts = _same  # of a GraphDefBuilder

    def WithName(self, name):
        return self.WithOpName(name)

    def WithAttr(self, name, value):
        made = Scope(self.graph_, self.prefix, self.name_)
        made.attrs = dict(getattr(self, "attrs", {}))
        made.attrs[str(name)] = value
        return made

    def ok(self):
        return True

    def status(self):
        return Status()

    def graph(self):
        return self.graph_

    def ToGraphDef(self, definition=None, *more):
        if isinstance(definition, GraphDef):
            definition.graph = self.graph_
        _handed_out.append(self.graph_)
        return Status()

    ToGraph = ToGraphDef


def NewRootScope():
    return Scope(Graph())


def GraphDefBuilder(*values):
    return NewRootScope()


class GraphDef:
    graph = None
    file = None

    def node_size(self):
        return len(self.graph.nodes) if self.graph else _tilewise.unknown("the size of a graph")

    def DebugString(self):
        return ""


_handed_out = []  # graphs that are given away as messages


def _nodes_of(value):
    if isinstance(value, (Node, Output, Gradient)):
        return [value.node_]
    found = []
    for each in value if isinstance(value, (list, tuple)) else ():
        found.extend(_nodes_of(each))
    return found


class Node:
    """An op of a graph; `place` is where the program made it."""

    def __init__(self, scope, kind, operands, attrs):
        self.kind, self.operands, self.attrs = kind, operands, attrs
        self.place = _python.place()
        self.node_ = self
        own = isinstance(scope, Scope)
        graph = scope.graph_ if own else Graph()
        self.name_ = graph.unique(scope.prefix + (scope.name_ or kind) if own else kind)
        graph.nodes.append(self)

    def __getattr__(self, name):
        if name in _ops.RESULTS:
            return Output(self, _ops.RESULTS[name])
        if name in ("operation", "output_list"):
            return self
        raise AttributeError(name)

    def __getitem__(self, index):
        return Output(self, index)

    def node(self):
        return self

    def op(self):
        return self

    def name(self):
        return self.name_

    def index(self):
        return 0

    def type(self):
        return 1

    def id(self):
        return 0


class Output:
    """One of the results of an op."""

    def __init__(self, node, index):
        self.node_, self.number = node, index

    def __getitem__(self, index):
        return Output(self.node_, index)

    def node(self):
        return self.node_

    op = node

    def name(self):
        return self.node_.name_ + ":" + str(self.number)

    def index(self):
        return self.number

    def type(self):
        return 1


class Gradient:
    """What AddSymbolicGradients gives for one input."""

    def __init__(self, losses, input):
        self.losses, self.input = losses, input
        self.place = _python.place()
        self.node_ = input.node_


def output_of(node=None, index=0):
    if isinstance(node, (list, tuple)) and len(node) == 1:
        node = node[0]
    return Output(node, index) if isinstance(node, Node) and index else node


def AddSymbolicGradients(scope, outputs, inputs, *more):
    outputs = outputs if isinstance(outputs, list) else [outputs]
    inputs = inputs if isinstance(inputs, list) else [inputs]
    place = more[-1]
    if isinstance(place, list):
        del place[:]
        place.extend([x if _unk(x) else Gradient(outputs, x) for x in inputs])
    for x in inputs:
        if not _unk(x):
            x.node_.differentiated = True
    return Status()


# ---- values of the host

class Tensor:
    def __init__(self, kind=1, sizes=None, *more):
        self.kind, self.value = kind, None
        self.sizes = list(sizes) if isinstance(sizes, (list, tuple)) else []
        if sizes is None and not isinstance(kind, int) or isinstance(kind, bool):
            self.kind, self.value = 1, kind

    def shape(self):
        return self.sizes

    def dtype(self):
        return self.kind

    def dims(self):
        return len(self.sizes)

    def dim_size(self, i):
        return self.sizes[i]

    def NumElements(self):
        count = 1
        for size in self.sizes:
            count = count * size
        return count

    def _elements(self, *values):
        return _tilewise.unknown("the elements of a tensor of the host")

    flat = vec = matrix = tensor = scalar = flat_inner_dims = tensor_data = shaped = _elements
    bit_casted_tensor = DebugString = SummarizeValue = TotalBytes = _elements

    def CopyFrom(self, other, shape):
        self.kind, self.value, self.sizes = other.kind, None, list(shape)
        return True

    def Slice(self, begin, end):
        return Tensor(self.kind, [end - begin] + self.sizes[1:])

    def IsInitialized(self):
        return True


def TensorShape(sizes=None):
    return [] if sizes is None else sizes


def _sizes_of(value):
    """Sizes of what is fed; None: they are not known."""
    if isinstance(value, Tensor):
        return value.sizes
    sizes = []
    while isinstance(value, (list, tuple)) and value:
        sizes.append(len(value))
        value = value[0]
    return None if _unk(value) and not sizes else sizes


# ---- runs

class Run:
    """Computes nodes once each."""

    def __init__(self, feeds):
        self.fed, self.made = {}, {}
        for key, value in feeds:
            self.fed[id(key.node_)] = value

    def value(self, x):
        if isinstance(x, Gradient):
            return _symbol_of_gradient(self, x)
        if isinstance(x, Output):
            made = self._of(x.node_)
            return made[x.number] if isinstance(made, (tuple, list)) else made
        if isinstance(x, Node):
            made = self._of(x)
            return made[0] if isinstance(made, tuple) else made
        if isinstance(x, Tensor):
            if x.value is not None:
                return x.value
            return _data(x.sizes, x.kind, "constant", False)
        if isinstance(x, list) and _nodes_of(x):
            return [self.value(v) for v in x]
        return x

    def _of(self, node):
        if id(node) not in self.made:
            if id(node) in self.fed:
                self.made[id(node)] = self._feed(node, self.fed[id(node)])
            elif node.kind in ("Placeholder", "PlaceholderV2"):
                self.made[id(node)] = self._feed(node, None)
            elif node.kind in _ops.VARIABLES:
                self.made[id(node)] = _python.at(node.place, _variable, node)
            else:
                operands = [self.value(x) for x in node.operands]
                self.made[id(node)] = _python.at(node.place, _ops.compute, node.kind, operands,
                                                 node.attrs)
        return self.made[id(node)]

    def _feed(self, node, value):
        """Data of the sizes that are fed; those that are not known are the placeholder's."""
        said = node.attrs.get("Shape")
        sizes = None if value is None else _sizes_of(value)
        if isinstance(said, list):
            if sizes is None or len(sizes) != len(said):
                sizes = said
            sizes = [s if _unk(n) else n for n, s in zip(sizes, said)]
        if sizes is None:
            return _tilewise.unknown("what is fed to " + node.name_)
        kind = 1
        if isinstance(value, Tensor):
            kind = value.kind
        elif node.kind != "Const" and node.operands:
            kind = node.operands[0]
        return _python.at(node.place, _data, sizes, kind, node.name_, True)


def _data(sizes, kind, name, fed):
    kind = type_of(kind)
    if kind.name == "string":
        return _tilewise.unknown("texts that are fed")
    known = []
    for i, size in enumerate(sizes):
        # A list that a program fills with what a file holds has no known length.
        if not _unk(size) and size > 0:
            known.append(size)
        elif i == 0 and fed:
            known.append(_open())
        else:
            _tilewise.note("size " + str(i) + " of " + name + " is not known; 128 is taken")
            known.append(128)
    return _wrap(_tilewise.input(known, kind.code, name, 0 if known and fed else None))


_variables = []


def _variable(node):
    made = getattr(node, "variable", None)
    if made is None:
        sizes, kind = node.operands[:2]
        if not isinstance(sizes, list):
            sizes, kind = kind, sizes  # VarHandleOp(scope, type, shape)
        for size in sizes:
            if _unk(size):
                return _tilewise.unknown("the shape of the variable " + node.name_)
        made = _made.new_variable(sizes, type_of(kind), node.name_,
                                  getattr(node, "differentiated", False))
        node.variable = made
        _variables.append(made)
    return made


def _symbol_of_gradient(run, gradient):
    source = run.value(gradient.input)
    return source if _unk(source) else _tape._stand_in(source)


def _reached(value, seen, found):
    """Gradients that an op computes with, also through others."""
    if isinstance(value, Gradient):
        found.append(value)
    elif isinstance(value, (list, tuple)):
        for each in value:
            _reached(each, seen, found)
    elif isinstance(value, (Node, Output)) and id(value.node_) not in seen:
        seen.add(id(value.node_))
        _reached(value.node_.operands, seen, found)
    return found


def _optimizer(node, run):
    """What an op that updates a weight by its gradient does, by its name."""
    kind = node.kind.replace("Resource", "").replace("Sparse", "")
    if kind in ("AssignSub", "AssignAdd", "AssignSubVariableOp", "AssignAddVariableOp", "Assign"):
        _tape.hand_step(run.value(node.operands[1]), -1 if "Add" in kind else 1)
        return None
    name, order = _ops.OPTIMIZERS.get(kind, ("unknown", {}))
    facts = {"name": name}
    for fact, index in order.items():
        number = _plain(run.value(node.operands[index])) if index < len(node.operands) else None
        if number is not None:
            facts[fact] = number
    _tilewise.record("optimizer", **facts)
    return name


def _train(run, updates, gradients):
    groups = []
    for gradient in gradients:
        for losses, sources in groups:
            if losses is gradient.losses or [l.node_ for l in losses] == [
                    l.node_ for l in gradient.losses]:
                sources.append(gradient)
                break
        else:
            groups.append((gradient.losses, [gradient]))
    for losses, sources in groups:
        targets = [run.value(loss) for loss in losses]
        weights = [run.value(s.input) for s in sources]
        _python.at(sources[0].place, _tape.gradients, targets, _weights_of(weights, run))
    trained, other = [], []
    for variable in _variables:
        (trained if variable.trainable else other).append(variable._h)
    names = [_optimizer(node, run) for node in updates]
    _tilewise.record("model", name="graph", parameters=trained, buffers=other)
    if names[-1] is not None:
        _tilewise.record("step", name=names[-1])
    _tape.stepped()
    _counts["results"] += 1


def _weights_of(sources, run):
    """The weights; where gradients of data are asked for, those that it is made of train."""
    weights = [s for s in sources if getattr(s, "_is_variable", False)]
    return weights or [v for v in _variables if v.trainable] or sources


def compute(feeds, fetches, targets):
    """One run of a session; what it fetches."""
    run = Run(feeds)
    wanted = [x for x in _flat(fetches) + _flat(targets) if hasattr(x, "node_")]
    updates = [x.node_ for x in wanted if _reached(x.node_.operands, set(), [])
               and x.node_.kind in _ops.UPDATES]
    for x in wanted:
        if x.node_.kind == "NoOp" or x.node_.kind == "Group":
            updates.extend([n for n in _nodes_of(x.node_.operands) if n.kind in _ops.UPDATES])
    if updates:
        for value in run.fed.values():
            sizes = _sizes_of(value)
            if sizes and len(sizes) > 1 and isinstance(sizes[0], int):
                _tilewise.record("batch", size=sizes[0], what="feed")
                break
        found = []
        for node in updates:
            _reached(node.operands, set(), found)
        _train(run, updates, found)
        return [_fetched(x, None) for x in _flat(fetches)]
    # What a loop computes again is what it computed before.
    key = str([(id(x.node_), getattr(x, "number", 0)) for x in wanted] +
              [(k, _sizes_of(v)) for k, v in run.fed.items()])
    if key not in _ran:
        values = [run.value(x) if x.node_.kind not in _ops.ASSIGNS else None for x in wanted]
        record_results(values)
        _ran[key] = [_fetched(x, v) for x, v in zip(wanted, values)]
    return list(_ran[key])


def record_results(values):
    handles = [v._h for v in values if isinstance(v, _Symbol) and not v._is_variable]
    for v in values:
        if _unk(v):
            _tilewise.note("a result of the graph is not known: " + _tilewise.reason(v))
    if handles:
        if _variables:
            _tilewise.record("model", name="graph", parameters=[v._h for v in _variables],
                             buffers=[])
        _tilewise.record("result", value=handles)
        _counts["results"] += 1


def leaves_of(graphs):
    """Graphs that are built and handed on, but that nothing here runs."""
    for graph in graphs:
        run = Run([])
        record_results([run.value(node) for node in graph.leaves()])


def built():
    """What the graphs that were given away as messages compute."""
    leaves_of(_handed_out[-1:])


def _flat(value):
    if isinstance(value, (list, tuple)):
        found = []
        for each in value:
            found.extend(_flat(each))
        return found
    return [] if value is None else [value]


def _fetched(x, value):
    made = Tensor(1, [])
    if isinstance(value, _Symbol):
        made.sizes = list(_tilewise.open_shape(value._h))
        made.sizes = [_tilewise.unknown("the batch") if s is None else s for s in made.sizes]
    return made


class Session:
    """A session of a graph: of a scope, or of a message that it is created from."""

    def __init__(self, graph=None, *more):
        self.graph = graph.graph_ if isinstance(graph, Scope) else None

    def Create(self, *values):
        for value in values:
            if isinstance(value, GraphDef):
                self.graph = value.graph
                if value.graph is None and value.file is not None:
                    _tilewise.note("the graph of this session is in the file " + str(value.file) +
                                   "; give tilewise that file to have it read")
        return Status()

    Extend = Create

    def Close(self):
        return Status()

    reset = Close

    def _node(self, name):
        if isinstance(name, str):
            return self.graph.find(name) if self.graph is not None else None
        return name

    def Run(self, *values):
        values = [v for v in values if not isinstance(v, RunOptions)]
        if len(values) == 2:
            values = [[]] + values
        if len(values) == 3:
            values = values[:2] + [[], values[2]]
        feeds, fetches, targets, place = values[:4]
        pairs = list(feeds.items()) if isinstance(feeds, dict) else feeds
        if _unk(pairs):
            pairs = []
        named = [(self._node(pair[0]), pair[1]) for pair in pairs if not _unk(pair)]
        found = compute([p for p in named if hasattr(p[0], "node_")],
                        [self._node(x) for x in _flat(fetches)],
                        [self._node(x) for x in _flat(targets)])
        if isinstance(place, list):
            del place[:]
            place.extend(found if self.graph is not None else
                         [Tensor(1, []) for _ in _flat(fetches)])
        return Status()

    def MakeCallable(self, options, handle=None):
        return Status()

    def RunCallable(self, *values):
        return Status()

    def ListDevices(self, *values):
        return Status()


class RunOptions:
    pass


def NewSession(*values):
    return Session()


def ReadBinaryProto(env, path, message=None):
    if isinstance(message, GraphDef):
        message.file = path
    return Status()


def WriteBinaryProto(env, path, message=None):
    if isinstance(message, GraphDef) and message.graph is not None:
        leaves_of([message.graph])
    return Status()


class Bundle:
    """A saved model that is loaded: its graph is in files."""
    session = None

    def __init__(self, *values):
        self.session = Session()

    def GetSession(self):
        return self.session


def LoadSavedModel(session, run, folder, tags, bundle=None):
    _tilewise.note("the model is in the folder " + str(folder) + "; give tilewise that folder to "
                   "have it read")
    return Status()


# ---- names

class Attrs:
    """Attributes of an op, set one after the other."""

    def __init__(self, given=None):
        self.given = dict(given or {})

    def __getattr__(self, name):
        if name[:2] == "__":
            raise AttributeError(name)

        def set_one(*values):
            made = Attrs(self.given)
            made.given[name[:-1] if name[-1:] == "_" else name] = values[0] if values else True
            return made
        return set_one


class Maker:
    """The class of an op: calling it adds a node."""

    def __init__(self, kind):
        self.kind = kind

    def __call__(self, scope=None, *operands):
        attrs, given = {}, []
        for operand in operands:
            if isinstance(operand, Attrs):
                attrs.update(operand.given)
            else:
                given.append(operand)
        return Node(scope, self.kind, given, attrs)

    def __getattr__(self, name):
        if name[:2] == "__":
            raise AttributeError(name)
        return Attrs if name == "Attrs" else getattr(Attrs(), name)


class Namespace:
    def __init__(self, own):
        self.__dict__["_own"] = own

    def __getattr__(self, name):
        own = self.__dict__["_own"]
        if name not in own:
            if name[:2] == "__":
                raise AttributeError(name)
            own[name] = self._other(name)
        return own[name]

    def __call__(self, value=None, *more):
        return value

    def _other(self, name):
        return _tilewise.unknown("tensorflow::" + name)


class OpsNamespace(Namespace):
    def _other(self, name):
        return Maker(name)


def _same(value=None, *more):
    return value


def _built_op(kind, *values):
    """UnaryOp("Relu", x, options) of a GraphDefBuilder."""
    options = values[-1]
    attrs = {}
    for name, value in getattr(options, "attrs", {}).items():
        attrs["".join([part.capitalize() for part in name.split("_")])] = value
    operands = list(values[:-1])
    if "Dtype" in attrs:
        operands.append(attrs["Dtype"])
    return Node(options, str(kind), operands, attrs)


ops = OpsNamespace({"Argument": _same, "Attributes": Attrs, "SourceOp": _built_op,
                    "UnaryOp": _built_op, "BinaryOp": _built_op})
tensorflow = Namespace({
    "ops": ops, "Scope": Namespace({
        "NewRootScope": NewRootScope, "DisabledShapeInferenceScope": NewRootScope}), "Status": Status,
    "Input": Namespace({"Initializer": _same}), "InputList": _same, "Output": output_of,
    "OutputList": _same,
    "Operation": _same, "Tensor": Tensor, "TensorShape": TensorShape,
    "PartialTensorShape": TensorShape, "Initializer": _same, "Session": Session,
    "ClientSession": Session, "SessionOptions": Attrs, "NewSession": NewSession,
    "RunOptions": RunOptions, "RunMetadata": Attrs, "GraphDef": GraphDef, "Graph": Graph,
    "GraphDefBuilder": GraphDefBuilder, "AddSymbolicGradients": AddSymbolicGradients,
    "ReadBinaryProto": ReadBinaryProto, "ReadTextProto": ReadBinaryProto,
    "WriteBinaryProto": WriteBinaryProto, "WriteTextProto": WriteBinaryProto,
    "LoadSavedModel": LoadSavedModel, "SavedModelBundle": Bundle, "MetaGraphDef": Attrs,
    "Env": Namespace({"Default": _same}), "gtl": Namespace({"ArraySlice": _same}),
    "DataType": Namespace(DataTypes), "port": Namespace({"InitMain": _same}),
    **DataTypes, **_options.tsl})
