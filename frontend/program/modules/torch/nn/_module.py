"""Modules and what holds them."""

import _tilewise
from .._tensor import Handle, Tensor, converted, state, wrap
from .parameter import Parameter

_set = object.__setattr__
_not_known = _tilewise.is_unknown
_absent = []  # the first weight that was given numbers of a file that is not here
_running = state.running
_parents = {}  # by the id of a part: what holds it
_changes = [0]  # how often parts were put into modules
met = [None]  # the first layer that each unknown value meets, where that is asked


def _asked():
    from . import _asked as made
    return made


class _Loaded:
    """What load_state_dict returns."""
    missing_keys = unexpected_keys = ()


def _copied(value, memo):
    """A copy of what a module holds, with weights of its own."""
    key = id(value)
    if key in memo:
        return memo[key]
    if isinstance(value, (Module, Parameter)):
        return value.__deepcopy__(memo)
    if isinstance(value, Tensor):
        memo[key] = _buffer(value)
    elif isinstance(value, dict):
        memo[key] = type(value)([(k, _copied(v, memo)) for k, v in value.items()])
    elif isinstance(value, list):
        memo[key] = [_copied(v, memo) for v in value]
    else:
        return value
    return memo[key]


def _buffer(tensor):
    """Floating point numbers that a module keeps are state in HBM, as weights are."""
    h = tensor._h
    if len(_tilewise.shape(h)) > 0 and 0 not in _tilewise.shape(h) and (
            tensor.dtype.is_floating_point or _tilewise.numbers(h) is None):
        return wrap(_tilewise.weight(list(_tilewise.shape(h)), _tilewise.dtype(h), "", False))
    return tensor


class Module:
    __tilewise_wrapped__ = "call"
    training = True
    dump_patches = False
    _path = None
    _pre_hooks = None
    _hooks = None

    def __init__(self, *args, **kwargs):
        own = self.__dict__
        own["_parameters"], own["_buffers"], own["_modules"] = {}, {}, {}

    # Parts are in __dict__ as well as in the dicts of their kind, so that they are found fast.

    def __setattr__(self, name, value):
        if _not_known(value):
            _set(self, name, value)
        elif isinstance(value, Parameter):
            self.register_parameter(name, value)
        elif isinstance(value, Module):
            self._modules[name] = value
            self.__dict__[name] = value
            _parents[id(value)] = self
            _changes[0] += 1
        else:
            own = self.__dict__
            parts = own.get("_modules")
            if parts is not None:
                if name in parts:
                    parts[name] = value
                elif name in own["_parameters"]:
                    if value is not None:
                        own["_parameters"].pop(name)
                    else:
                        own["_parameters"][name] = None
                elif name in own["_buffers"]:
                    own["_buffers"][name] = value
            _set(self, name, value)

    def __getattr__(self, name):
        own = self.__dict__
        for kind in ("_parameters", "_buffers", "_modules"):
            if kind in own and name in own[kind]:
                return own[kind][name]
        raise AttributeError("'" + type(self).__name__ + "' object has no attribute '" + name +
                             "'")

    def __delattr__(self, name):
        for kind in (self._parameters, self._buffers, self._modules):
            if name in kind:
                del kind[name]
        self.__dict__.pop(name, None)

    def register_parameter(self, name, param):
        if param is not None and _not_known(param._h):
            held = self._parameters.get(name)
            if held is not None and not _not_known(held._h):
                if not _absent:
                    _absent.append(name)
                    _tilewise.note("weights are given numbers that are not here, such as those of "
                                   "a checkpoint; their sizes are taken to stay")
                return
            param._h = _tilewise.weight(list(_tilewise.shape(param._h)), "f32", "", True)
        self._buffers.pop(name, None)
        _changes[0] += 1
        self._parameters[name] = param
        self.__dict__[name] = param

    def register_buffer(self, name, tensor, persistent=True):
        value = tensor if not isinstance(tensor, Tensor) or isinstance(tensor, Parameter) \
            else _buffer(tensor)
        self._buffers[name] = value
        self.__dict__[name] = value

    def add_module(self, name, module):
        self._modules[name] = module
        self.__dict__[name] = module
        _parents[id(module)] = self
        _changes[0] += 1

    register_module = add_module

    # -- the call

    def __call__(self, *args, **kwargs):
        if not _running:
            _name_parts(_whole(self))
            if state.fed in (None, 1) and state.grad:
                state.fed = _fed(self, args) or state.fed
        path = self.__dict__.get("_path")
        before = _tilewise.scope(path) if path is not None else None
        # A loop over layers runs to its end without gradients, too: a teacher, an encoder.
        whole = not _running and not state.grad
        if whole:
            _tilewise.idle(False)
        _running.append(self)
        try:
            if self._pre_hooks is not None:
                for hook in self._pre_hooks:
                    changed = hook(self, args)
                    if changed is not None:
                        args = changed if isinstance(changed, tuple) else (changed,)
            if met[0] is not None and args:
                _asked().meets(self, args[0], met[0])
            if len(_running) == 1 and _asked().lacking(args, kwargs):
                result = _asked().called(self, args, kwargs)
            elif len(_running) == 1 and _asked().lacks_some(args, kwargs):
                result = _asked().completed(self, args, kwargs)
            else:
                result = self.forward(*args, **kwargs)
            if self._hooks is not None:
                for hook in self._hooks:
                    changed = hook(self, args, result)
                    if changed is not None:
                        result = changed
            if len(_running) == 1 and state.grad and self.training and list(self.parameters()):
                state.outputs = state.outputs[-7:] + [result]
        finally:
            _running.pop()
            if whole:
                _tilewise.idle(not state.grad)
            if path is not None:
                _tilewise.scope(before)
        return result

    def register_forward_pre_hook(self, hook, prepend=False, with_kwargs=False):
        _set(self, "_pre_hooks", (self._pre_hooks or []) + [hook])
        return Handle()

    def register_forward_hook(self, hook, prepend=False, with_kwargs=False, always_call=False):
        _set(self, "_hooks", (self._hooks or []) + [hook])
        return Handle()

    def register_full_backward_hook(self, hook, prepend=False):
        return Handle()

    register_backward_hook = register_full_backward_pre_hook = register_full_backward_hook
    register_load_state_dict_post_hook = register_state_dict_pre_hook = register_full_backward_hook
    _register_load_state_dict_pre_hook = _register_state_dict_hook = register_full_backward_hook

    # -- the parts

    def children(self):
        return iter([m for _, m in self.named_children()])

    def named_children(self):
        seen = []
        for name, module in self._modules.items():
            if module is not None and id(module) not in seen:
                seen.append(id(module))
                yield name, module

    def modules(self):
        for _, module in self.named_modules():
            yield module

    def named_modules(self, memo=None, prefix="", remove_duplicate=True):
        found = []
        _collect_modules(self, prefix, set() if memo is None else memo, found, remove_duplicate)
        return iter(found)

    def parameters(self, recurse=True):
        return iter([p for _, p in self.named_parameters("", recurse)])

    def named_parameters(self, prefix="", recurse=True, remove_duplicate=True):
        return iter(_collect(self, "_parameters", prefix, recurse, remove_duplicate))

    def buffers(self, recurse=True):
        return iter([b for _, b in self.named_buffers("", recurse)])

    def named_buffers(self, prefix="", recurse=True, remove_duplicate=True):
        return iter(_collect(self, "_buffers", prefix, recurse, remove_duplicate))

    def get_submodule(self, target):
        module = self
        for name in target.split(".") if target else []:
            module = getattr(module, name)
        return module

    def get_parameter(self, target):
        path, _, name = target.rpartition(".")
        return getattr(self.get_submodule(path), name)

    get_buffer = get_parameter

    def set_submodule(self, target, module):
        path, _, name = target.rpartition(".")
        setattr(self.get_submodule(path), name, module)

    def state_dict(self, destination=None, prefix="", keep_vars=False):
        result = {} if destination is None else destination
        for name, value in self.named_parameters(prefix[:-1], True, False):
            result[name] = value
        for name, value in self.named_buffers(prefix[:-1], True, False):
            result[name] = value
        return result

    def load_state_dict(self, state_dict, strict=True, assign=False):
        return _Loaded()

    def _load_from_state_dict(self, state_dict, prefix, local_metadata, strict, missing_keys,
                              unexpected_keys, error_msgs):
        pass

    _save_to_state_dict = _load_from_state_dict

    # -- changes of all parts

    def apply(self, fn):
        for module in self.children():
            module.apply(fn)
        fn(self)
        return self

    def train(self, mode=True):
        for module in self.modules():
            module.__dict__["training"] = mode
        return self

    def eval(self):
        return self.train(False)

    def requires_grad_(self, requires_grad=True):
        for p in self.parameters():
            p.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none=True):
        pass

    def _retype(self, code):
        for module in self.modules():
            for p in module._parameters.values():
                if p is not None and p.dtype.is_floating_point:
                    p._retype(code)
            for name, b in module._buffers.items():
                if b is not None and b.dtype.is_floating_point and b.dtype.code != code:
                    value = _buffer(converted(b, code))
                    module._buffers[name] = value
                    module.__dict__[name] = value
        return self

    def to(self, *args, **kwargs):
        from .._tensor import dtype
        wanted = kwargs.get("dtype")
        for a in args:
            if isinstance(a, dtype):
                wanted = a
            elif isinstance(a, Tensor):
                wanted = a.dtype
        return self if wanted is None else self._retype(wanted.code)

    def type(self, dst_type):
        return self._retype(dst_type.code)

    def float(self):
        return self._retype("f32")

    def double(self):
        return self._retype("f64")

    def half(self):
        return self._retype("f16")

    def bfloat16(self):
        return self._retype("bf16")

    def cuda(self, device=None):
        return self

    cpu = xla = ipu = xpu = share_memory = cuda

    def to_empty(self, device=None, recurse=True):
        return self

    def compile(self, *args, **kwargs):
        pass

    def _apply(self, fn, recurse=True):
        return self

    def __deepcopy__(self, memo):
        new = object.__new__(type(self))
        memo[id(self)] = new
        for name, value in self.__dict__.items():
            new.__dict__[name] = _copied(value, memo)
        return new

    def _get_name(self):
        return type(self).__name__

    def extra_repr(self):
        return ""

    def __repr__(self):
        return type(self).__name__ + "(" + self.extra_repr() + ")"

    def __dir__(self):
        return list(self.__dict__)


def _collect_modules(module, prefix, seen, found, once):
    if once:
        if id(module) in seen:
            return
        seen.add(id(module))
    found.append((prefix, module))
    for name, part in module._modules.items():
        if part is not None and not _not_known(part):
            _collect_modules(part, prefix + "." + name if prefix else name, seen, found, once)


def _collect(module, kind, prefix, recurse, once):
    found, seen = [], set()
    holders = module.named_modules(None, prefix, once) if recurse else [(prefix, module)]
    for path, part in holders:
        for name, value in part.__dict__[kind].items():
            if value is None or (once and id(value) in seen):
                continue
            seen.add(id(value))
            found.append((path + "." + name if path else name, value))
    return found


def _fed(root, args):
    """Examples in what a model is called with; None when that cannot be told."""
    if not args or _not_known(args[0]) or not isinstance(args[0], Tensor):
        return None
    if args[0].dim() == 0 or args[0].dim() == 1 and args[0].dtype.is_floating_point:
        return None
    time_first = any([m.__dict__.get("batch_first", True) is False for m in root.modules()])
    return args[0].shape[1 if time_first and args[0].dim() > 1 else 0]


def _whole(part):
    """The outermost module that holds one whose parts a program calls by themselves."""
    for _ in range(16):
        above = _parents.get(id(part))
        if above is None or not any([m is part for m in above._modules.values()]):
            return part
        part = above
    return part


def _say_absent(name, absent):
    more = " and " + str(len(absent) - 1) + " more" if len(absent) > 1 else ""
    _tilewise.note("the size of " + absent[0] + more + " of " + name + " is not known; the count "
                   "of parameters leaves it out")


_WITHOUT_WEIGHTS = {int, float, bool, str, type(None), dict, list, tuple, Tensor, Parameter}


def _why_absent(value):
    """Why the weights of an attribute are not known: a package that is not here made it, or the
    class of it; None: it has none that could be."""
    if _not_known(value):
        why = _tilewise.reason(value)
        return why if why.startswith("package ") else None
    if type(value) in _WITHOUT_WEIGHTS or isinstance(value, (Module, type)):
        return None
    # Only a class with a base that is not known has an attribute of any name.
    some = getattr(value, "_tilewise_absent", None)
    return "a base of " + type(value).__name__ + " is not known" if _not_known(some) else None


def say_unknown_parts(root):
    """Says that the count of a model misses what packages make that are not here."""
    found = []
    for path, module in root.named_modules():
        for name, value in module.__dict__.items():
            if name in module._modules and _not_known(value):
                why = _tilewise.reason(value)
            else:
                why = _why_absent(value)
            if why is not None:
                found.append((path + "." + name if path else name, why))
    if found:
        more = " and " + str(len(found) - 1) + " more" if len(found) > 1 else ""
        _tilewise.note("the count is a lower bound: what " + found[0][0] + more + " of " +
                       type(root).__name__ + " holds is not known: " + found[0][1])


def _name_parts(root):
    """Dotted names for all parts, and for the weights: at the call of the outermost module."""
    if root.__dict__.get("_root") == _changes[0]:
        return
    root.__dict__["_root"] = _changes[0]
    seen, absent = set(), []
    weights, states = [], []
    for path, module in root.named_modules():
        module.__dict__["_path"] = path
        dot = path + "." if path else ""
        for kind, into in ((module._parameters, weights), (module._buffers, states)):
            for name, value in kind.items():
                if _not_known(value) or isinstance(value, Tensor) and _not_known(value._h):
                    if kind is module._parameters:
                        absent.append(dot + name)
                    continue
                if value is None or id(value) in seen or not isinstance(value, Tensor):
                    continue
                seen.add(id(value))
                into.append(value._h)
                if _tilewise.is_weight(value._h):
                    _tilewise.rename(value._h, dot + name)
    if absent:
        _say_absent(type(root).__name__, absent)
    say_unknown_parts(root)
    if weights and not state.stepped:
        _tilewise.record("model", name=type(root).__name__, parameters=weights, buffers=states)


class Identity(Module):
    def forward(self, input):
        return input


class _List(Module):
    """Modules whose names are 0, 1, 2..."""

    def __len__(self):
        return len(self._modules)

    def __iter__(self):
        return iter(self._modules.values())

    def _all(self):
        return list(self._modules.values())

    def _refill(self, modules):
        for name in list(self._modules):
            self.__dict__.pop(name, None)
        self._modules.clear()
        for i, m in enumerate(modules):
            self.add_module(str(i), m)
        return self

    def __getitem__(self, i):
        if isinstance(i, slice):
            return type(self)(self._all()[i]) if isinstance(self, ModuleList) else \
                Sequential(*self._all()[i])
        return self._all()[i]

    def __setitem__(self, i, module):
        names = list(self._modules)
        self.add_module(names[i], module)

    def __delitem__(self, i):
        modules = self._all()
        del modules[i]
        self._refill(modules)

    def __contains__(self, module):
        return any([m is module for m in self._modules.values()])

    def append(self, module):
        self.add_module(str(len(self._modules)), module)
        return self

    def extend(self, modules):
        for m in modules:
            self.append(m)
        return self

    def insert(self, index, module):
        modules = self._all()
        modules.insert(index, module)
        return self._refill(modules)

    def pop(self, index):
        module = self._all()[index]
        self.__delitem__(index)
        return module

    def __add__(self, other):
        return type(self)(self._all() + list(other)) if isinstance(self, ModuleList) else \
            Sequential(*(self._all() + list(other)))

    def __iadd__(self, other):
        return self.extend(other)


class ModuleList(_List):
    def __init__(self, modules=None):
        Module.__init__(self)
        if modules is not None:
            self.extend(modules)


class Sequential(_List):
    def __init__(self, *args):
        Module.__init__(self)
        if len(args) == 1 and isinstance(args[0], dict):
            for name, module in args[0].items():
                self.add_module(name, module)
        else:
            for i, module in enumerate(args):
                self.add_module(str(i), module)

    def __getitem__(self, i):
        if isinstance(i, slice):
            new = Sequential()
            for name, module in list(self._modules.items())[i]:
                new.add_module(name, module)
            return new
        return self._all()[i]

    def forward(self, input):
        for module in self._modules.values():
            input = module(input)
        return input


class ModuleDict(Module):
    def __init__(self, modules=None):
        Module.__init__(self)
        if modules is not None:
            self.update(modules)

    def update(self, modules):
        for name, module in modules.items() if hasattr(modules, "items") else modules:
            self[name] = module

    def __getitem__(self, name):
        return self._modules[name]

    def __setitem__(self, name, module):
        self._modules[name] = module

    def __delitem__(self, name):
        del self._modules[name]

    def __len__(self):
        return len(self._modules)

    def __iter__(self):
        return iter(self._modules)

    def __contains__(self, name):
        return name in self._modules

    def keys(self):
        return self._modules.keys()

    def values(self):
        return self._modules.values()

    def items(self):
        return self._modules.items()

    def pop(self, name):
        return self._modules.pop(name)

    def get(self, name, default=None):
        return self._modules.get(name, default)


class ParameterList(Module):
    def __init__(self, values=None):
        Module.__init__(self)
        self.__dict__["_count"] = 0
        for v in values or []:
            self.append(v)

    def append(self, value):
        name = str(self._count)
        self.__dict__["_count"] += 1
        if isinstance(value, Tensor) and not isinstance(value, Parameter):
            value = Parameter(value)
        setattr(self, name, value)
        return self

    def extend(self, values):
        for v in values:
            self.append(v)
        return self

    def __len__(self):
        return self._count

    def __iter__(self):
        return iter([getattr(self, str(i)) for i in range(self._count)])

    def __getitem__(self, i):
        values = list(self)
        return values[i]

    def __setitem__(self, i, value):
        setattr(self, str(i), value)


class ParameterDict(Module):
    def __init__(self, parameters=None):
        Module.__init__(self)
        for name, value in (parameters or {}).items():
            self[name] = value

    def __getitem__(self, name):
        return self._parameters[name]

    def __setitem__(self, name, value):
        self._parameters[name] = value if isinstance(value, Parameter) else Parameter(value)

    def __contains__(self, name):
        return name in self._parameters

    def __len__(self):
        return len(self._parameters)

    def __iter__(self):
        return iter(self._parameters)

    def keys(self):
        return self._parameters.keys()

    def values(self):
        return self._parameters.values()

    def items(self):
        return self._parameters.items()
