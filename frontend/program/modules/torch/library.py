"""torch.library: ops of a program's own, which are the functions that they are made of."""


class CustomOpDef:
    def __init__(self, name, function):
        self._name, self._function = name, function
        self.__name__ = function.__name__

    def __call__(self, *args, **kwargs):
        return self._function(*args, **kwargs)

    def register_fake(self, fn=None):
        return _kept if fn is None else fn

    register_vmap = register_torch_dispatch = register_fake

    def register_kernel(self, device_types, fn=None):
        return _kept if fn is None else fn

    def register_autograd(self, backward, setup_context=None, **options):
        pass

    def set_kernel_enabled(self, *args, **kwargs):
        pass


def _kept(function):
    return function


def custom_op(name, fn=None, mutates_args=(), device_types=None, schema=None, tags=None):
    if fn is not None:
        return CustomOpDef(name, fn)
    return lambda function: CustomOpDef(name, function)


triton_op = custom_op
wrap_triton = _kept


def register_fake(op, func=None, lib=None, allow_override=False):
    return _kept if func is None else func


impl_abstract = register_vmap = register_fake


def register_kernel(op, device_types, func=None, lib=None):
    return _kept if func is None else func


def register_autograd(op, backward, setup_context=None, lib=None):
    pass


def infer_schema(function, mutates_args=(), op_name=None):
    return ""


class Library:
    def __init__(self, ns, kind, dispatch_key=""):
        self.ns = ns

    def define(self, schema, *args, **kwargs):
        return schema.split("(")[0]

    def impl(self, op_name, fn, dispatch_key="", **options):
        return fn


def define(*args, **kwargs):
    pass


def impl(qualname, types, func=None, lib=None):
    return _kept if func is None else func
