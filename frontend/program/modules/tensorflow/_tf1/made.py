"""How variables are made in graphs of TensorFlow 1, and what tensors have there."""

from tensorflow._tensor import Tensor, Variable, state


class Op:
    """What `tensor.op` is: little more than a name."""
    type = "Op"
    inputs = outputs = control_inputs = ()
    device = ""

    def __init__(self, tensor):
        name = tensor.name
        self.name = name[:-2] if name[-2:] == ":0" else name
        self.outputs = [tensor]

    @property
    def graph(self):
        from tensorflow._tf1.graph import get_default_graph
        return get_default_graph()

    def get_attr(self, name):
        return None

    def node_def(self):
        return None


def _graph(self):
    from tensorflow._tf1.graph import get_default_graph
    return get_default_graph()


def _eval(self, feed_dict=None, session=None):
    from tensorflow._tf1.session import run_op
    return run_op(self, feed_dict)


# A size is a Dimension in TensorFlow 1; here it is an int or None, which have its `value` too.
int.value = property(lambda self: self)
type(None).value = property(lambda self: self)
Tensor.op = property(lambda self: Op(self))
Variable.op = property(lambda self: Op(self))
Tensor.graph = property(_graph)
Tensor.eval = _eval
Tensor.value_index = 0
Tensor._shape_as_list = lambda self: self.shape.as_list()


def new_variable(dims, dtype, name, trainable):
    """A variable of plain sizes, whose first value does not matter."""
    v = Variable.__new__(Variable, _made=True) if state.creators else Variable.__new__(Variable)
    v._trainable = bool(trainable)
    v.name = name + ":0"
    v.synchronization = v.aggregation = None
    v._create(dims, dtype.code, None)
    state.variables.append(v)
    return v


def rename_unique(name):
    from tensorflow._variable import unique
    return unique(name)
