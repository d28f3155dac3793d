"""Classes and small functions of the namespace tf."""

import _tilewise
from tensorflow import _dtypes, _shape, nest
from tensorflow._control import context
from tensorflow._convert import other_handle
from tensorflow._public import state
from tensorflow._shape import TensorShape
from tensorflow._ragged import RaggedTensor, RaggedTensorSpec
from tensorflow._sparse import SparseTensor, SparseTensorSpec
from tensorflow._tensor import Tensor, Variable, convert, handle, number_of, tensor, wrap
from tensorflow._tensor_array import TensorArray

_unk = _tilewise.is_unknown


def constant(value=None, dtype=None, shape=None, name="Const", verify_shape=False):
    if shape is not None:
        sizes = [int(n) for n in shape]
        number = number_of(value)
        if number is not None:
            code = _tilewise.dtype(handle(value, dtype))
            return wrap(_tilewise.full(number, sizes, code))
        return wrap(_tilewise.op("tw.reshape", [handle(value, dtype)], {"shape": sizes}))
    return convert_to_tensor(value, dtype)


def convert_to_tensor(value=None, dtype=None, dtype_hint=None, name=None, preferred_dtype=None,
                      as_ref=False):
    if isinstance(value, (RaggedTensor, SparseTensor)):
        return value
    if isinstance(value, (str, bytes, list, tuple)) or hasattr(value, "_values"):
        from tensorflow._strings import text_tensor
        if isinstance(value, (str, bytes)) or _texts(value):
            return text_tensor(value.tolist() if hasattr(value, "tolist") else value)
    if dtype is None and dtype_hint is not None and not hasattr(value, "dtype"):
        dtype = dtype_hint
    return tensor(value, dtype)


def _texts(value):
    while isinstance(value, (list, tuple)) and value:
        value = value[0]
    return isinstance(value, (str, bytes))


convert_to_tensor_or_sparse_tensor = convert_to_tensor


def is_tensor(x):
    return False if _unk(x) else isinstance(x, (Tensor, RaggedTensor, SparseTensor))


is_symbolic_tensor = is_tensor


def get_static_value(tensor, partial=False):
    found = _tilewise.numbers(handle(tensor))
    if found is None or isinstance(found, (bool, int, float)):
        return found
    import numpy
    return numpy.array(found)


def make_ndarray(tensor):
    return tensor.numpy()


def make_tensor_proto(values, dtype=None, shape=None, verify_shape=False,
                      allow_broadcast=False):
    return tensor(values, dtype)


def print_(*args, **kwargs):
    return None


def executing_eagerly():
    return True


def inside_function():
    return False


def get_logger():
    import logging
    return logging.getLogger("tensorflow")


def grad_pass_through(f):
    return f


def load_library(*args, **kwargs):
    return _tilewise.unknown("a library of ops")


load_op_library = register_tensor_conversion_function = load_library


def timestamp(name=None):
    return wrap(_tilewise.input([], "f64", "time", None))


class device(context):
    pass


class init_scope(context):
    pass


class control_dependencies(context):
    pass


class TypeSpec:
    pass


def type_spec_from_value(value):
    if isinstance(value, RaggedTensor):
        return RaggedTensorSpec(value.shape, value.dtype)
    return TensorSpec.from_tensor(convert_to_tensor(value))


class OptionalSpec(TypeSpec):
    def __init__(self, element_spec):
        self._element_spec = element_spec


class TensorSpec(TypeSpec):
    def __init__(self, shape=None, dtype=_dtypes.float32, name=None):
        self.shape, self.dtype, self.name = TensorShape(shape), _dtypes.as_dtype(dtype), name

    @classmethod
    def from_tensor(cls, tensor, name=None):
        return cls(tensor.shape, tensor.dtype, name)

    from_spec = from_tensor

    @property
    def ndim(self):
        return self.shape.rank

    def is_compatible_with(self, other):
        return self.dtype == other.dtype and self.shape.is_compatible_with(other.shape)

    def most_specific_compatible_type(self, other):
        return TensorSpec(self.shape.most_specific_compatible_shape(other.shape), self.dtype)

    def __eq__(self, other):
        return isinstance(other, TensorSpec) and self.shape == other.shape and \
            self.dtype == other.dtype

    def __hash__(self):
        return hash(self.dtype.name)

    def __repr__(self):
        return "TensorSpec(shape=" + str(self.shape) + ", dtype=" + repr(self.dtype) + \
            ", name=" + repr(self.name) + ")"


class IndexedSlices:
    def __init__(self, values, indices, dense_shape=None):
        self.values, self.indices, self.dense_shape = values, indices, dense_shape

    @property
    def dtype(self):
        return self.values.dtype

    @property
    def shape(self):
        return TensorShape(self.dense_shape)

    def to_handle(self, code):
        return handle(self.values)


class IndexedSlicesSpec(TypeSpec):
    def __init__(self, shape=None, dtype=_dtypes.float32, **ignored):
        self.shape, self.dtype = TensorShape(shape), _dtypes.as_dtype(dtype)


class VariableAggregation:
    NONE, SUM, MEAN, ONLY_FIRST_REPLICA = 0, 1, 2, 3


class VariableSynchronization:
    AUTO, NONE, ON_WRITE, ON_READ = 0, 1, 2, 3


class UnconnectedGradients:
    NONE, ZERO = "none", "zero"
    ADD_N = DEFAULT = EXPERIMENTAL_ACCUMULATE_N = 0


class Operation:
    pass


class CriticalSection:
    def __init__(self, name=None, **ignored):
        pass

    def execute(self, fn, exclusive_resource_access=True, name=None):
        return fn()


class Graph:
    building_function = False
    seed = None

    def as_default(self):
        return context()

    device = name_scope = control_dependencies = container = lambda self, *a, **k: context()

    def get_collection(self, name, scope=None):
        return [v for v in state.variables if v._trainable]

    def as_graph_def(self, *args, **kwargs):
        return _tilewise.unknown("the ops of a graph")

    get_operations = get_tensor_by_name = get_operation_by_name = as_graph_def

    def add_to_collection(self, name, value):
        pass

    def finalize(self):
        pass


def _held(value, found, seen, want):
    """Variables or modules in what a module holds."""
    if _unk(value) or value is None or isinstance(value, (str, int, float)):
        return
    if isinstance(value, Tensor):
        if want == "variables" and value._is_variable and id(value) not in seen:
            seen.add(id(value))
            found.append(value)
    elif isinstance(value, (list, tuple)):
        for v in value:
            _held(v, found, seen, want)
    elif isinstance(value, dict):
        for v in value.values():
            _held(v, found, seen, want)
    elif isinstance(value, Module) or hasattr(value, "trainable_variables"):
        if id(value) in seen:
            return
        seen.add(id(value))
        if want == "modules":
            found.append(value)
        if isinstance(value, Module):
            for key, v in value.__dict__.items():
                if key not in value._TF_MODULE_IGNORED_PROPERTIES:
                    _held(v, found, seen, want)
        elif want == "variables":
            for v in value.variables:
                _held(v, found, seen, want)


class Module:
    _is_tf_module = True
    _TF_MODULE_IGNORED_PROPERTIES = frozenset()

    def __init__(self, name=None):
        self._name = name or type(self).__name__.lower()

    @property
    def name(self):
        return getattr(self, "_name", None) or type(self).__name__.lower()

    @property
    def name_scope(self):
        from tensorflow._control import name_scope
        return name_scope(self.name)

    @property
    def variables(self):
        found, seen = [], {id(self)}
        for key, v in self.__dict__.items():
            if key not in self._TF_MODULE_IGNORED_PROPERTIES:
                _held(v, found, seen, "variables")
        return tuple(found)

    @property
    def trainable_variables(self):
        return tuple([v for v in self.variables if v._trainable])

    @property
    def non_trainable_variables(self):
        return tuple([v for v in self.variables if not v._trainable])

    @property
    def submodules(self):
        found, seen = [], {id(self)}
        for v in self.__dict__.values():
            _held(v, found, seen, "modules")
        return tuple(found)

    def _flatten(self, recursive=True, predicate=None, attribute_traversal_key=None,
                 with_path=False, expand_composites=False):
        every = list(self.variables) + list(self.submodules)
        return [v for v in every if predicate is None or predicate(v)]

    @classmethod
    def with_name_scope(cls, method):
        def wrapper(self, *args, **kwargs):
            with self.name_scope:
                return method(self, *args, **kwargs)
        return wrapper


def zeros_initializer(*args, **kwargs):
    from keras import initializers
    return initializers.Zeros()


def ones_initializer(*args, **kwargs):
    from keras import initializers
    return initializers.Ones()


def constant_initializer(value=0, dtype=None, **ignored):
    from keras import initializers
    return initializers.Constant(value)


def random_normal_initializer(mean=0.0, stddev=0.05, seed=None, dtype=None):
    from keras import initializers
    return initializers.RandomNormal(mean, stddev, seed)


def random_uniform_initializer(minval=-0.05, maxval=0.05, seed=None, dtype=None):
    from keras import initializers
    return initializers.RandomUniform(minval, maxval, seed)
