"""What C++ programs call, in terms of PyTorch's own account: LibTorch's names mean the same."""

import math as _math
import sys as _sys

import _tilewise
import _tilewise_cpp_config as _config
import _tilewise_cpp_images as _images
import _tilewise_cpp_options as _options
import _tilewise_cpp_samplers as _samplers
import _tilewise_cpp_tf as _graphs
import torch as _torch
import torch.nn.functional as _functional
import torch.optim.lr_scheduler as _schedulers
import torch.utils.data as _loading
import torchvision.datasets as _known_sets
from _tilewise_cpp_containers import (
    Inserter, copied, copy, counted_up, filled, m_assign, m_clear, m_emplace_back, m_erase,
    m_insert, m_pop_back, m_pop_front, m_push_back, m_push_front, m_resize, transformed)
from _tilewise_xla import xla

_set = object.__setattr__


def changed(name, by, before=None, parameter=0):
    """A variable that something is given by reference and may change; a list keeps its size."""
    if isinstance(before, list) and before:
        return [changed(name, by, value) for value in before]
    size = _images.size_set_by(by, parameter)
    if size is not None:
        return size
    if by == "NewSession()":
        return _graphs.NewSession()
    return _tilewise.unknown(name + ", which " + by + " sets")


def member(value, name):
    """A member that the class, as it is declared to Clang, does not have."""
    if _tilewise.is_unknown(value) or hasattr(value, name):
        return getattr(value, name)
    return unfollowed("'" + name + "' is not followed: a declaration that it needs was not found")


_left = {}


def leave(function, values):
    """What a function of the program gives back through its parameters."""
    _left[function] = values


def left(function, parameter, name):
    values = _left.get(function, {})
    if parameter in values:
        return values.pop(parameter)
    return changed(name, function + "()")


def option_value(value, before):
    """A variable that an option of the command line is bound to has the option's default."""
    return _options.as_number(value, type(before)) if isinstance(value, str) else value


def unfollowed(why):
    """What the translation has no counterpart for, named at its line when it is reached."""
    _tilewise.note(why)
    return _tilewise.unknown(why)


class Space:
    """A namespace: own names first, then those of modules of Python."""

    def __init__(self, path, own, *modules):
        self.__dict__["_path"], self.__dict__["_own"] = path, own
        self.__dict__["_modules"] = modules

    def __getattr__(self, name):
        own = self.__dict__["_own"]
        plain = name[:-1] if name.endswith("_") and name[:-1] in _ALLOWED else name
        for known in (name, plain):
            if known in own:
                return own[known]
        for module in self.__dict__["_modules"]:
            if hasattr(module, plain):
                return getattr(module, plain)
        return _tilewise.unknown(self.__dict__["_path"] + "::" + plain)


_ALLOWED = ("range", "str", "print", "float", "int", "bool", "type", "lambda", "from", "match")


# ---- objects of the language


class Object:
    def __init__(self, *values):
        pass

    def __call__(self, *values):
        return self.forward(*values)


class Test(Object):
    """The fixture that tests derive from."""

    def SetUp(self):
        pass

    TearDown = SetUp

    def GetParam(*values):
        raise Parameterised("it runs for parameters that are not followed")


def template(maker):
    """A template of a class: the same arguments give the same class."""
    made = {}

    def of(*arguments):
        key = tuple([id(a) if isinstance(a, type) else a for a in arguments])
        if key not in made:
            made[key] = maker(*arguments)
        return made[key]
    return of


def fill(made, names, values):
    """Members of an aggregate, in order."""
    for name, value in zip(names, values):
        setattr(made, name, value)


def choose(constructors, values):
    """The constructor that takes so many values."""
    for least, most, constructor in constructors:
        if least <= len(values) <= most:
            constructor(*values)
            return
    raise TypeError("no constructor takes " + str(len(values)) + " values")


def made(cls, constructor, *values):
    new = cls.__new__(cls)
    getattr(new, constructor)(*values)
    return new


class Arguments:
    """argv: what is not given is not known."""

    def __init__(self, given):
        self.given = given

    def __getitem__(self, index):
        if isinstance(index, int) and index < len(self.given):
            return self.given[index]
        return _tilewise.unknown("argument " + str(index) + " of the command line")

    def __len__(self):
        return len(self.given)


def command_line():
    return len(_sys.argv), Arguments(list(_sys.argv))


_lacking = []


def lacks(condition):
    """A check that ends the program where it is called with too few arguments."""
    if condition is True and not _lacking:
        _tilewise.note("the program ends where it gets no arguments; it is read as if it got some")
        _lacking.append(True)
    return False


def given_arguments(number, values):
    """argc and argv behind such a check: how many there are is not known if it failed."""
    if not _lacking or _tilewise.is_unknown(number):
        return number, values
    return _tilewise.unknown("how many arguments the command line has"), values


def trains(condition, name):
    """A constant that switches off the training that the program has."""
    if condition is False:
        _tilewise.note(name + " is false; the program is read as if it were true, as it trains "
                       "there")
        return True
    return condition


def given(condition):
    """What holds the whole program where enough arguments are given."""
    if condition is False:
        _tilewise.note("the program does nothing without arguments; it is read as if it got some")
        return True
    return condition


def built(computations):
    """Functions and tests that make a computation and that nothing calls: the last one counts."""
    import _tilewise_xla
    results = lambda: _tilewise_xla.results() + _graphs.results()
    open_tests, constant = [], None
    for name, make in reversed(computations):
        before = results()
        try:
            make()
        except Parameterised:
            open_tests.append(name)
        except Exception as stopped:
            _tilewise.note(name + " is not followed to its end: " + str(stopped))
        if results() == before:
            _graphs.built()
        if results() > before:
            return _read(name, len(computations) - 1)
        if constant is None and _tilewise_xla.constants():
            constant = name, make
    if open_tests:
        _tilewise.note(open_tests[-1] + (" and others run" if len(open_tests) > 1 else " runs")
                       + " for parameters that are not followed; --model NAME reads another test")
    if constant is not None:
        constant[1]()
        _read(constant[0], len(computations) - 1)


def _read(name, others):
    more = "" if others == 0 else "; of " + str(others) + (
        " others, --model NAME reads one" if others > 1 else " other, --model NAME reads it")
    _tilewise.note(name + " is called by nothing here; the computation that it builds is read"
                   + more)


def open_builder(name, parameters):
    _tilewise.note(name + "() builds for what its caller gives, and nothing here calls it; --model '"
                   + name + "(..)' reads it, with values for " + parameters)


class Parameterised(Exception):
    """A test that runs for several values."""


class Thrown(RuntimeError):
    """What the program throws."""


def thrown(text):
    raise Thrown(text)


def printed(*values):
    """Text that goes to a stream."""


class Stream:
    """std::cout and the like: how it writes does not matter."""

    def __getattr__(self, name):
        return printed


def before(value, updated):
    return value


def put(owner, name, value):
    """owner.name = value within an expression."""
    setattr(owner, name, value)
    return value


def over(a, b):
    """a / b, which drops the remainder of integers."""
    if isinstance(a, int) and isinstance(b, int):
        return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
    return a / b


def rest(a, b):
    if isinstance(a, int) and isinstance(b, int):
        return a - over(a, b) * b
    return a % b


def place(where, step):
    """An iterator that is moved: what it points to is not followed."""
    if isinstance(step, int) and step == 0:
        return where
    return _tilewise.unknown("a place behind the begin of a range")


def array(size, value):
    return [eval(value) for _ in range(size)]


def vector(*values):
    """std::vector: of a list, of so many values, of another one."""
    if len(values) == 0:
        return []
    first = values[0]
    if len(values) == 2 and isinstance(first, list):
        return list(first)  # from begin() to end()
    if isinstance(first, (list, tuple)):
        return list(first)
    if isinstance(first, int) and not isinstance(first, bool):
        return [values[1] if len(values) > 1 else 0 for _ in range(first)]
    return first


def dictionary(*values):
    if not values:
        return {}
    return dict(values[0]) if isinstance(values[0], (list, dict)) else values[0]


def parts(value):
    if isinstance(value, Item):
        return value.first, value.second
    if hasattr(value, "data") and hasattr(value, "target"):
        return value.data, value.target
    if isinstance(value, Object):
        return [getattr(value, name) for name in vars(value)]
    return value


def each(value):
    """What a loop over a range goes through."""
    if isinstance(value, dict):
        return [Item((k, v)) for k, v in value.items()]
    return value


class Item(tuple):
    """A pair: an entry of a map, or of named parameters."""

    @property
    def first(self):
        return self.__dict__.get("_first", self[0])

    @first.setter
    def first(self, value):
        self.__dict__["_first"] = value

    @property
    def second(self):
        return self.__dict__.get("_second", self[1])

    @second.setter
    def second(self, value):
        self.__dict__["_second"] = value


def as_type(value, cls):
    if _tilewise.is_unknown(value) or not isinstance(cls, type):
        return value
    return value if isinstance(value, cls) else None


# ---- options and calls


class Options:
    """Conv2dOptions(3, 64, 7).stride(2): values in order, then those with names."""

    def __init__(self, *values):
        _set(self, "_values", list(values))
        _set(self, "_named", {})

    def __getattr__(self, name):
        def set_or_get(*values):
            if not values:
                return self._named.get(name)
            return set_option(self, name, values[0])
        return set_or_get


_OPTION_NAMES = {"with_bias": "bias", "layers": "num_layers", "input_channels": "in_channels",
                 "output_channels": "out_channels"}


def set_option(options, name, value):
    if name in ("beta1", "beta2"):
        return options  # of LibTorch 1.4; they change no step
    options._named[_OPTION_NAMES.get(name, name)] = value
    return options


class Device:
    def __init__(self, name="cpu", index=-1):
        self.name = name.name if isinstance(name, Device) else name

    def is_cuda(self):
        return str(self.name).startswith("cuda")

    def is_cpu(self):
        return self.name == "cpu"

    def set_index(self, index):
        pass

    def __eq__(self, other):
        return isinstance(other, Device) and self.name == other.name

    def __ne__(self, other):
        return not self == other


def call(function, *values, **known):
    """A call whose options are arguments with names in Python."""
    positional, named = [], dict(known)
    for value in values:
        if _tilewise.is_unknown(value):
            positional.append(value)
        elif isinstance(value, Options):
            positional += value._values
            named.update(value._named)
        elif isinstance(value, _torch.dtype) and positional:
            named["dtype"] = value
        elif isinstance(value, Device) and positional:
            named["device"] = value.name
        else:
            positional.append(value)
    if named.pop("transposed", False):
        function = _TRANSPOSED.get(function, function)
    return function(*positional, **named)


# LibTorch 1.4 has transposed convolutions as an option of the others.
_TRANSPOSED = {_torch.nn.Conv1d: _torch.nn.ConvTranspose1d,
               _torch.nn.Conv2d: _torch.nn.ConvTranspose2d,
               _torch.nn.Conv3d: _torch.nn.ConvTranspose3d}


def no_weight(value):
    return None if isinstance(value, list) or _tilewise.is_unknown(value) else value


# ---- modules


class Module(_torch.nn.Module):
    """Parts count where they are registered, not where a member holds them."""

    def __setattr__(self, name, value):
        _set(self, name, value)

    def __init__(self, *values):
        _torch.nn.Module.__init__(self)

    def register_module(self, name, module):
        if _tilewise.is_unknown(module) or module is None:
            _tilewise.note("the module that is registered as " + str(name) + " is not known; the "
                           "count of parameters leaves it out")
            return module
        held = self.__dict__.get(name)
        _torch.nn.Module.add_module(self, name, module)
        if held is not None and held is not module:
            _set(self, name, held)
        elif held is None and hasattr(type(self), name):
            self.__dict__.pop(name, None)  # a method, to which the name of a part is nothing
        return module

    def replace_module(self, name, module):
        return self.register_module(name, module)

    def register_parameter(self, name, tensor, requires_grad=True):
        if _tilewise.is_unknown(tensor):
            _tilewise.note("the parameter " + str(name) + " is not known; the count of parameters "
                           "leaves it out")
            return tensor
        made = tensor
        if not isinstance(tensor, _torch.nn.Parameter):
            made = _torch.nn.Parameter(tensor, requires_grad)
        _torch.nn.Module.register_parameter(self, name, made)
        return made

    def register_buffer(self, name, tensor):
        _torch.nn.Module.register_buffer(self, name, tensor)
        return self._buffers[name]

    def unregister_module(self, name):
        self._modules.pop(name, None)

    def clone(self, device=None):
        import copy
        return copy.deepcopy(self)

    def reset(self):
        pass

    def shared_from_this(self):
        return self


class Functional(_torch.nn.Module):
    def __init__(self, function, *values):
        _torch.nn.Module.__init__(self)
        _set(self, "_function", function)
        _set(self, "_values", values)

    def forward(self, x):
        return call(self._function, x, *self._values)


class Sequential(Module, _torch.nn.Sequential):
    def __init__(self, *modules):
        if len(modules) == 1 and isinstance(modules[0], list):
            modules = modules[0]
        for module in modules:
            if _tilewise.is_unknown(module):
                _tilewise.note("a part of a Sequential is not known: " + _tilewise.reason(module))
        if any([isinstance(m, tuple) for m in modules]):
            modules = [dict([(m[0], m[1]) for m in modules if isinstance(m, tuple)])]
        _torch.nn.Sequential.__init__(self, *modules)


class ModuleList(Module, _torch.nn.ModuleList):
    def __init__(self, *modules):
        if len(modules) == 1 and isinstance(modules[0], list):
            modules = modules[0]
        _torch.nn.ModuleList.__init__(self, list(modules))


class ModuleDict(Module, _torch.nn.ModuleDict):
    def __init__(self, modules=None):
        _torch.nn.ModuleDict.__init__(self, dict(modules) if modules is not None else None)


def named_module(name, module):
    return (name, module)


def encoder(layer, number=None, **named):
    if isinstance(layer, Options):
        layer = call(_torch.nn.TransformerEncoderLayer, layer)
    return _torch.nn.TransformerEncoder(layer, number, **named)


def decoder(layer, number=None, **named):
    if isinstance(layer, Options):
        layer = call(_torch.nn.TransformerDecoderLayer, layer)
    return _torch.nn.TransformerDecoder(layer, number, **named)


# ---- functions whose arguments stand in another order in Python


def nll_loss(x, target, weight=None, reduction="mean", ignore_index=-100, **named):
    return _functional.nll_loss(x, target, no_weight(weight), reduction=reduction,
                                ignore_index=ignore_index, **named)


def cross_entropy_loss(x, target, weight=None, reduction="mean", ignore_index=-100,
                       label_smoothing=0.0):
    return _functional.cross_entropy(x, target, no_weight(weight), reduction=reduction,
                                     ignore_index=ignore_index, label_smoothing=label_smoothing)


def binary_cross_entropy(x, target, weight=None, reduction="mean"):
    return _functional.binary_cross_entropy(x, target, no_weight(weight), reduction=reduction)


def binary_cross_entropy_with_logits(x, target, weight=None, pos_weight=None, reduction="mean"):
    return _functional.binary_cross_entropy_with_logits(
        x, target, no_weight(weight), reduction=reduction, pos_weight=no_weight(pos_weight))


def mse_loss(x, target, reduction="mean"):
    return _functional.mse_loss(x, target, reduction=reduction)


def l1_loss(x, target, reduction="mean"):
    return _functional.l1_loss(x, target, reduction=reduction)


def smooth_l1_loss(x, target, reduction="mean", beta=1.0):
    return _functional.smooth_l1_loss(x, target, reduction=reduction, beta=beta)


def kl_div(x, target, reduction="mean", log_target=False):
    return _functional.kl_div(x, target, reduction=reduction, log_target=log_target)


def batch_norm(x, weight, bias, mean, variance, training, momentum, eps, cudnn=True):
    return _functional.batch_norm(x, mean, variance, no_weight(weight), no_weight(bias), training,
                                  momentum, eps)


def layer_norm(x, shape, weight=None, bias=None, eps=1e-5, cudnn=True):
    return _functional.layer_norm(x, shape, no_weight(weight), no_weight(bias), eps)


def upsample_nearest2d(x, size, *scales):
    return _functional.interpolate(x, size=size, mode="nearest")


def upsample_bilinear2d(x, size, align_corners=False, *scales):
    return _functional.interpolate(x, size=size, mode="bilinear", align_corners=align_corners)


def from_blob(data, sizes, *more, **named):
    """Numbers in the host's memory."""
    kinds = [v for v in more if isinstance(v, _torch.dtype)]
    return _torch.zeros(sizes, dtype=named.get("dtype", kinds[0] if kinds else None))


def constant_pad_nd(x, pads, value=0):
    return _functional.pad(x, pads, "constant", value)


def meshgrid(tensors, indexing="ij"):
    return _torch.meshgrid(tensors, indexing=indexing)


def normal(mean, deviation, size=None, *more, **named):
    """A number stands for the size of one dim."""
    if size is None:
        return _torch.normal(mean, deviation)
    return _torch.normal(mean, deviation, [size] if isinstance(size, int) else size, **named)


def type_of(value):
    return _tilewise.unknown("a type") if _tilewise.is_unknown(value) else type(value)


def randint(*values, **named):
    """An integer stands for the size of one dim; without `low` it is zero."""
    values = list(values)
    if isinstance(values[-1], int):
        values[-1] = [values[-1]]
    if len(values) == 2:
        values = [0] + values
    return _torch.randint(*values, **named)


def options_of(*values, **named):
    """TensorOptions, also of a type or a device alone."""
    made = Options()
    for value in values:
        made._named["dtype" if isinstance(value, _torch.dtype) else "device"] = value
    made._named.update(named)
    return made


def option(name):
    def make(value=True, *more):
        return options_of(**{name: value})
    return make


def constant(shape, value, *more, **named):
    return _torch.full(shape, value, **named)


def loaded(*values):
    """torch::load(module, file) fills what is there."""


# ---- data


class Example:
    def __init__(self, data=None, target=None):
        self.data, self.target = data, target


class Dataset(_loading.Dataset):
    """Sets of C++ give an example for an index; what maps them comes behind."""
    _stacked = False

    def __init__(self, *values):
        pass

    def map(self, transform):
        return Mapped(self, transform)

    def __getitem__(self, index):
        return pair_of(self.get(index))

    def get_batch(self, indices):
        return [self.get(i) for i in each(indices)]

    def __len__(self):
        return self.size()


def pair_of(example):
    if isinstance(example, Example):
        return [example.data, example.target]
    return example


class Mapped(Dataset):
    def __init__(self, dataset, transform):
        self.dataset, self.transform = dataset, transform
        self._stacked = isinstance(transform, Stack) or dataset._stacked

    def get(self, index):
        pair = self.dataset[index]
        if isinstance(pair, list) and isinstance(self.transform, TensorTransform):
            return Example(self.transform(pair[0]), pair[1] if len(pair) > 1 else None)
        if isinstance(self.transform, Lambda):
            return self.transform.function(Example(*pair) if isinstance(pair, list) else pair)
        return pair

    def size(self):
        return len(self.dataset)


class MNIST(Dataset):
    class Mode:
        kTrain, kTest = True, False

    def __init__(self, root="", train=True):
        self.known = _known_sets.MNIST(root, train)

    def get(self, index):
        from torchvision.transforms import ToTensor
        picture, label = self.known[index]
        return Example(ToTensor()(picture), label)

    def size(self):
        return len(self.known)


class TensorDataset(Dataset):
    def __init__(self, *tensors):
        self.tensors = tensors[0] if isinstance(tensors[0], list) else list(tensors)

    def get(self, index):
        return Example(*[t[index] for t in self.tensors])

    def size(self):
        return self.tensors[0].shape[0]


class TensorTransform:
    def __init__(self, *values):
        pass

    def __call__(self, x):
        return x


class Normalize(TensorTransform):
    def __init__(self, mean=0.0, stddev=1.0):
        self.mean, self.stddev = mean, stddev

    def __call__(self, x):
        """What is less the mean has the mean's type."""
        if not isinstance(x, _torch.Tensor) or x.is_floating_point():
            return x
        return x.to(_torch.float32)


class TensorLambda(TensorTransform):
    def __init__(self, function):
        self.function = function

    def __call__(self, x):
        return self.function(x)


class Lambda:
    def __init__(self, function):
        self.function = function


class Stack:
    def __init__(self, *values):
        pass


class Loader(_loading.DataLoader):
    """Gives one batch: stacked tensors, or as many examples."""

    def _batch(self):
        batch = _loading.DataLoader._batch(self)
        if not isinstance(batch, list) or _tilewise.is_unknown(batch):
            return Example(batch, None)
        return Example(*batch[:2])

    def begin(self):
        return iter(self)


class Examples(Loader):
    def _batch(self):
        if not _torch._tensor.state.stepped:
            _torch._tensor.record_batch(self.batch_size, "DataLoaderOptions")
        return [Example(*pair_of(self.dataset[i])) for i in range(self.batch_size)]


def t_make_data_loader(types, dataset, *values):
    batch, workers, drop, shuffles = 1, 0, False, True
    sampler = types[0] if types else None
    for value in values:
        if isinstance(value, Options):
            batch = value._values[0] if value._values else batch
            batch = value._named.get("batch_size", batch)
            workers = value._named.get("workers", workers)
            drop = value._named.get("drop_last", drop)
        elif isinstance(value, int):
            batch = value
        elif isinstance(value, _loading.Sampler):
            sampler = type(value)
    kind = Loader if getattr(dataset, "_stacked", False) else Examples
    if sampler is None or _tilewise.is_unknown(sampler):
        sampler = _loading.RandomSampler
    made = sampler if not isinstance(sampler, type) else sampler(dataset)
    return kind(dataset, batch_size=batch, sampler=made, num_workers=workers, drop_last=drop)


def make_data_loader(dataset, *values, **named):
    found = list(values)
    if named:
        found.append(options_of(**named))
    return t_make_data_loader((), dataset, *found)


# ---- processes


class ProcessGroup:
    """Process 0 of as many as the target has cores; its gradients are summed over all of them."""

    def __init__(self, *values):
        import torch.distributed as distributed
        distributed.init_process_group()
        self.getSize, self.getRank = distributed.get_world_size, distributed.get_rank
        self.allreduce = self.broadcast = self.reduce = self.barrier = distributed.all_reduce

    def abort(self):
        pass

    def createProcessGroupMPI(*values):
        return ProcessGroup()


# ---- methods that have another form in Python


def m_size(x, *values):
    if isinstance(x, _images.Mat):
        return _images.size_of(x)
    if isinstance(x, Options):
        return set_option(x, "size", values[0])
    if x is None:
        return 0  # of a tensor that is not defined
    if values:
        return x.size(values[0])
    if hasattr(x, "size") and not isinstance(x, _torch.Tensor):
        return x.size()
    return len(x)


def m_length(x):
    return len(x)


def m_sizes(x):
    return x.shape


def m_options(x):
    if isinstance(x, _torch.Tensor):
        return options_of(dtype=x.dtype)
    if isinstance(x, Group):
        return x.options()
    return getattr(x, "options", _tilewise.unknown("options()"))


def m_defaults(x):
    return GroupOptions(getattr(x, "defaults", {}))


def m_item(x):
    return x.item() if hasattr(x, "item") else x


def _index_of(value):
    if isinstance(value, list):
        return tuple([_index_of(v) for v in value])
    return ... if value == "..." else value


def m_index(x, *where):
    if not where and hasattr(x, "index"):
        return x.index()
    return x[_index_of(*where)]


def m_index_put_(x, where, value, accumulate=False):
    x[_index_of(where)] = value
    return x


def put_part(x, part, where, value):
    """x.slice(0, 2, 4) = y: what these methods of a tensor give is a part of it."""
    if _tilewise.is_unknown(x) or not isinstance(x, _torch.Tensor):
        return
    if part == "index":
        x[_index_of(where[0])] = value
    elif part == "slice":
        dim, begin, end, step = (list(where) + [0, None, None, 1][len(where):])[:4]
        x[tuple([slice(None)] * dim + [slice(begin, end, step)])] = value
    elif part == "select":
        x[tuple([slice(None)] * where[0] + [where[1]])] = value
    elif part == "narrow":
        x[tuple([slice(None)] * where[0] + [slice(where[1], where[1] + where[2])])] = value
    elif part == "data":
        x.data = value
    else:
        unfollowed("an assignment to " + part + "() of a tensor is not followed")


def m_data_ptr(x, *values):
    return _tilewise.unknown("the numbers of a tensor")


m_mutable_data_ptr = m_const_data_ptr = m_data_ptr


def text(value):
    """What a string takes: another one, a character, a list of these."""
    if isinstance(value, list):
        return "".join([text(v) for v in value])
    return chr(value) if isinstance(value, int) else value


def m_slice(x, *values):
    if not isinstance(x, _torch.Tensor):
        return x[values[0]:values[0] + values[1]] if len(values) > 1 else x[values[0]:]
    dim, begin, end, step = (list(values) + [0, None, None, 1][len(values):])[:4]
    return x[tuple([slice(None)] * dim + [slice(begin, end, step)])]


def m_data(x, *values):
    return x.detach() if isinstance(x, _torch.Tensor) else x


def m_set_data(x, value):
    pass


def m_grad(x, *values):
    return x.grad


m_mutable_grad = m_grad


def m_dtype(x, *values):
    return set_option(x, "dtype", values[0]) if isinstance(x, Options) else x.dtype


m_scalar_type = m_dtype


def m_device(x, *values):
    return x if isinstance(x, Options) else Device("cpu")


def m_requires_grad(x, *values):
    if isinstance(x, Options):
        return set_option(x, "requires_grad", values[0] if values else True)
    return x.requires_grad


def m_set_requires_grad(x, wanted):
    x.requires_grad = wanted
    return x


def m_is_cuda(x):
    return x.is_cuda() if isinstance(x, Device) else False


def m_is_contiguous(x, *values):
    return True


def m_defined(x):
    return x is not None


def m_is_leaf(x):
    return x.is_leaf


def m_rbegin(x):
    return _tilewise.unknown("the last place of a range")


m_rend = m_rbegin


def m_T(x):
    return x.T


def m_is_training(x):
    return x.training


def m_parameters(x, *values):
    return list(x.parameters())


def m_buffers(x, *values):
    return list(x.buffers())


def m_children(x):
    return list(x.children())


def m_modules(x, *values):
    return list(x.modules())


def m_named_parameters(x, *values):
    return [Parameter((k, v)) for k, v in x.named_parameters()]


def m_named_buffers(x, *values):
    return [Parameter((k, v)) for k, v in x.named_buffers()]


def m_named_children(x):
    return [Parameter((k, v)) for k, v in x.named_children()]


def m_named_modules(x, *values):
    return [Parameter((k, v)) for k, v in x.named_modules()]


class Parameter(Item):
    """An entry of an OrderedDict."""

    def key(self):
        return self[0]

    def value(self):
        return self[1]


def m_param_groups(x):
    return [Group(g) for g in x.param_groups]


class GroupOptions:
    """The settings of an optimizer: `lr()`, `lr(1e-3)`, `get_lr()`."""

    def __init__(self, group):
        self.group = group

    def get_lr(self):
        return self.group.get("lr", _tilewise.unknown("lr"))

    def set_lr(self, value):
        self.group["lr"] = value

    def __getattr__(self, name):
        def set_or_get(*values):
            if not values:
                return self.group.get(name, _tilewise.unknown(name))
            self.group[name] = values[0]
            return self
        return set_or_get


class Group:
    def __init__(self, group):
        self.group = group

    def options(self):
        return GroupOptions(self.group)

    def params(self):
        return self.group["params"]


def m_as(x, cls=None, *fallback):
    if isinstance(x, _options.Option):
        return x.as_kind(cls)
    if isinstance(x, _config.Node) or fallback:
        return _config.as_kind(x, cls, *fallback)
    return as_type(x, cls) if cls is not None else x


def m_ptr(x):
    return x


def m_get(x, *values):
    if isinstance(x, _config.Node):
        return _config.as_kind(x, values[0] if values else None)
    if not values:
        return x  # of what owns it
    return x.get(*values) if hasattr(x, "get") else _tilewise.unknown("get()")


def m_is_empty(x):
    return x is None or isinstance(x, (list, dict, str)) and len(x) == 0


def m_pretty_print(x, *values):
    pass


def m_name(x, *values):
    return x._get_name() if hasattr(x, "_get_name") else getattr(x, "name", "")


def m_value(x, *values):
    if isinstance(x, Options):
        return set_option(x, "value", values[0])
    if isinstance(x, _config.Node):
        return x.value_of(*values)
    if _tilewise.is_unknown(x) and len(values) == 2:
        return _config.as_kind(x, None, values[1])
    return x.value() if isinstance(x, Parameter) else x


def m_has_value(x):
    return x is not None


def m_value_or(x, other):
    if isinstance(x, _config.Node):
        return _config.as_kind(x, None, other)
    return other if x is None else x


def m_reset(x, *values):
    if hasattr(x, "reset"):
        x.reset(*values)


def m_save(x, *values):
    """Of a module, which writes itself to an archive."""


def m_load(x, *values):
    if not isinstance(x, _torch.nn.Module) and hasattr(x, "load"):
        x.load(*values)


def m_toType(x, kind):
    return x.to(kind)


def m_toTensor(x):
    return x


m_ValueOrDie = m_ConsumeValueOrDie = m_toTensor


def m_what(x):
    return str(x)


def m_c_str(x):
    return x


def m_begin(x):
    return x


m_end = m_begin


def m_back(x):
    return x[len(x) - 1]


def m_front(x):
    return x[0]


def m_at(x, *where):
    return x.at(*where) if isinstance(x, _images.Mat) else x[where[0]]


def m_empty(x):
    return not isinstance(x, _images.Mat) and len(x) == 0


def m_reserve(x, n):
    pass


def m_count(x, *key):
    if not key:
        return x.count() if hasattr(x, "count") else _tilewise.unknown("count()")
    return 1 if key[0] in x else 0


def m_contains(x, key):
    return key in x if isinstance(x, (dict, list, str, _config.Node)) else x.contains(key)


def m_find(x, key, *values):
    if isinstance(x, str):
        return x.find(key)
    if isinstance(x, list) and x and isinstance(x[0], Item):
        for item in x:  # of named parameters
            if item.first == key:
                return item.second
        return None
    if not isinstance(x, dict):
        return key in x
    # A place: the entry, or what end() is.
    if _tilewise.is_unknown(key):
        return _tilewise.unknown("an entry of a map")
    return Item((key, x[key])) if key in x else x


def m_substr(x, begin, count=None):
    return x[begin:] if count is None or count == -1 else x[begin:begin + count]


# ---- functions with types


def t_make_shared(types, *values):
    return call(types[0], *values) if types[0] is not None else values[0]


t_make_unique = t_make_shared


def t_get(types, value):
    return value[types[0]] if isinstance(types[0], int) else value


def t_dynamic_pointer_cast(types, value):
    return as_type(value, types[0])


def t_static_pointer_cast(types, value):
    return value


# ---- C++'s library


def total(values, end=None, start=0, *more):
    result = start
    for value in values:
        result = more[0](result, value) if more else result + value
    return result


def found(values, end, value):
    """std::find: end() is the range itself."""
    if _tilewise.is_unknown(values) or _tilewise.is_unknown(value):
        return _tilewise.unknown("a place in a range")
    for each_value in values:
        if each_value == value:
            return each_value
    return values


def param_group(parameters, options=None, **named):
    """Weights with settings of their own."""
    group = {"params": list(parameters)}
    if isinstance(options, Options):
        named.update(options._named)
        if options._values:
            named["lr"] = options._values[0]
    group.update(named)
    return group


class Scripted:
    """A module that a file holds: what it computes is not known."""

    def __init__(self, *values):
        pass

    def __getattr__(self, name):
        return _tilewise.unknown("what torch::jit::load() gives")

    def __call__(self, *values):
        return _tilewise.unknown("what a module of torch::jit::load() gives")


def exit_program(code=0):
    raise SystemExit(code)


def tuple_of(*values):
    return values


def pair(first, second):
    return Item((first, second))


def slice_of(start=None, stop=None, step=None):
    return slice(start, stop, step)


def nothing(*values):
    return 0


def no_option(*values):
    """getopt() and the like: no arguments are given."""
    return -1


std = Space("std", {
    "getopt": no_option, "getopt_long": no_option, "getopt_long_only": no_option,
    "make_tuple": tuple_of, "make_pair": pair, "tie": tuple_of, "forward_as_tuple": tuple_of,
    "to_string": str, "string": str, "basic_string": str, "sqrt": _math.sqrt,
    "pow": _math.pow, "exp": _math.exp,
    "log": _math.log, "log2": _math.log2, "log10": _math.log10, "ceil": _math.ceil,
    "floor": _math.floor, "round": round, "abs": abs, "fabs": abs, "sin": _math.sin,
    "cos": _math.cos, "tanh": _math.tanh, "min": min, "max": max, "accumulate": total,
    "printf": printed, "fprintf": printed, "puts": printed, "snprintf": nothing, "fflush": nothing,
    "exit": exit_program, "srand": nothing, "time": nothing, "isnan": _math.isnan,
    "find": found, "copy": copied, "transform": transformed, "back_inserter": Inserter,
    "fill": filled, "iota": counted_up, "size": len, "endl": "\n", "flush": "",
    "cout": Stream(), "cerr": Stream(), "clog": Stream(), "nullopt": None,
    "stoi": int, "stol": int, "stoll": int, "stof": float, "stod": float, "atoi": int,
    "atof": float, "shuffle": printed, "reverse": printed, "sort": printed, "setprecision": printed,
    "setw": printed, "setfill": printed, "getenv": nothing, "lround": round, "fixed": "",
})
std.__dict__["_own"].update(_images.stb)
libraries = Space("", {
    "argparse": Space("argparse", _options.argparse), "cxxopts": Space("cxxopts", _options.cxxopts),
    "boost": Space("boost", {"program_options": Space("boost::program_options", _options.boost)}),
    "cv": Space("cv", _images.cv),
    "c10d": Space("c10d", {"ProcessGroup": ProcessGroup, "ProcessGroupMPI": ProcessGroup,
                           "ProcessGroupGloo": ProcessGroup, "ProcessGroupNCCL": ProcessGroup,
                           "TCPStore": Object, "FileStore": Object}),
    "testing": Space("testing", {"Test": Test, "WithParamInterface": Test, "TestWithParam": Test}),
    "YAML": Space("YAML", _config.yaml), "nlohmann": Space("nlohmann", _config.nlohmann),
    "toml": Space("toml", _config.toml),
    "tensorflow": _graphs.tensorflow, "CLI": Space("CLI", _options.cli),
    "tsl": Space("tsl", _options.tsl),
    "gflags": Space("gflags", _options.gflags), "absl": Space("absl", _options.absl),
})

_DTYPES = {"Byte": "uint8", "UInt8": "uint8", "U8": "uint8", "Char": "int8", "Int8": "int8",
           "I8": "int8", "Short": "int16", "Int16": "int16", "I16": "int16", "Int": "int32",
           "Int32": "int32", "I32": "int32", "Long": "int64", "Int64": "int64", "I64": "int64",
           "Half": "float16", "Float16": "float16", "F16": "float16", "Float": "float32",
           "Float32": "float32", "F32": "float32", "Double": "float64", "Float64": "float64",
           "F64": "float64", "BFloat16": "bfloat16", "Bool": "bool", "ComplexFloat": "complex64",
           "ComplexDouble": "complex128"}
_DEVICES = {"kCPU": "cpu", "kCUDA": "cuda", "kXLA": "xla", "kMPS": "mps"}
_WORDS = {"kNone": "none", "kMean": "mean", "kSum": "sum", "kBatchMean": "batchmean",
          "kReLU": "relu", "kGELU": "gelu", "kTanh": "tanh", "kSigmoid": "sigmoid",
          "kLeakyReLU": "leaky_relu", "kLinear": "linear", "kFanIn": "fan_in",
          "kFanOut": "fan_out", "kNearest": "nearest", "kBilinear": "bilinear",
          "kBicubic": "bicubic", "kTrilinear": "trilinear", "kArea": "area",
          "kConstant": "constant", "kReflect": "reflect", "kReplicate": "replicate",
          "kCircular": "circular", "kZeros": "zeros", "kBorder": "border",
          "kReflection": "reflection", "kSame": "same", "kValid": "valid", "kMax": "max"}


class TorchSpace(Space):
    def __getattr__(self, name):
        if name.startswith("k") and name[1:] in _DTYPES:
            return getattr(_torch, _DTYPES[name[1:]])
        if name in _DEVICES:
            return Device(_DEVICES[name])
        if name in _WORDS:
            return _WORDS[name]
        return Space.__getattr__(self, name)


functional = Space("torch::nn::functional", {}, _functional)
torch = TorchSpace("torch", {
    "nn": Space("torch::nn", {
        "Module": Module, "Cloneable": Module, "Functional": Functional, "functional": functional,
        "Sequential": Sequential, "ModuleList": ModuleList, "ModuleDict": ModuleDict,
        "NamedAnyModule": named_module, "BatchNorm": _torch.nn.BatchNorm2d,
        "TransformerEncoder": encoder, "TransformerDecoder": decoder,
        "init": _torch.nn.init, "utils": _torch.nn.utils,
    }, _torch.nn),
    "optim": Space("torch::optim", {"OptimizerParamGroup": param_group}, _torch.optim,
                   _schedulers),
    "jit": Space("torch::jit", {
        "Module": Scripted, "load": Scripted,
        "script": Space("torch::jit::script", {"Module": Scripted})}),
    "data": Space("torch::data", {
        "Example": Example, "make_data_loader": make_data_loader,
        "datasets": Space("torch::data::datasets", {
            "MNIST": MNIST, "Dataset": Dataset, "BatchDataset": Dataset, "StreamDataset": Dataset,
            "StatefulDataset": Dataset, "TensorDataset": TensorDataset}),
        "transforms": Space("torch::data::transforms", {
            "Normalize": Normalize, "Stack": Stack, "Lambda": Lambda, "TensorLambda": TensorLambda,
            "TensorTransform": TensorTransform}),
        "samplers": Space("torch::data::samplers", {
            "RandomSampler": _samplers.RandomSampler,
            "SequentialSampler": _samplers.SequentialSampler,
            "DistributedRandomSampler": _samplers.RandomSampler,
            "DistributedSequentialSampler": _samplers.SequentialSampler}),
    }),
    "autograd": _torch.autograd,
    "indexing": Space("torch::indexing", {"Slice": slice_of, "None_": None, "Ellipsis": ...}),
    "Reduction": Space("torch::Reduction", {"None_": "none", "Mean": "mean", "Sum": "sum"}),
    "Device": Device, "DeviceType": Space("torch::DeviceType", {
        "CPU": Device("cpu"), "CUDA": Device("cuda"), "XLA": Device("xla"), "MPS": Device("mps")}),
    "TensorOptions": options_of, "dtype": option("dtype"), "device": option("device"),
    "requires_grad": option("requires_grad"), "from_blob": from_blob,
    "save": printed, "load": loaded, "str": printed, "make_tuple": tuple_of,
    "nll_loss": nll_loss, "cross_entropy_loss": cross_entropy_loss,
    "binary_cross_entropy": binary_cross_entropy,
    "binary_cross_entropy_with_logits": binary_cross_entropy_with_logits,
    "mse_loss": mse_loss, "l1_loss": l1_loss, "smooth_l1_loss": smooth_l1_loss, "kl_div": kl_div,
    "constant_pad_nd": constant_pad_nd, "randint": randint, "normal": normal, "meshgrid": meshgrid,
    "getNumGPUs": nothing, "batch_norm": batch_norm, "layer_norm": layer_norm, "full": constant,
    "upsample_nearest2d": upsample_nearest2d, "upsample_bilinear2d": upsample_bilinear2d,
}, _torch, _functional)
