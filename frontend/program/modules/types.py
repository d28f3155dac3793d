"""Names of the types that have no name among the builtins."""


def _function():
    yield


class _Sample:
    def method(self):
        pass


class DynamicClassAttribute(property):
    pass


FunctionType = LambdaType = type(_function)
GeneratorType = type(_function())
MethodType = type(_Sample().method)
BuiltinFunctionType = BuiltinMethodType = type(len)
NoneType = type(None)
EllipsisType = type(...)
NotImplementedType = type(NotImplemented)
UnionType = type(int | str)
GenericAlias = type(list[int])
CodeType = type("code", (), {})
CoroutineType = AsyncGeneratorType = type("coroutine", (), {})
TracebackType = FrameType = type("traceback", (), {})
MappingProxyType = dict
WrapperDescriptorType = MethodWrapperType = MethodDescriptorType = type(list.append)


class SimpleNamespace:
    def __init__(self, **kwargs):
        self.__dict__.update(kwargs)

    def __eq__(self, other):
        return isinstance(other, SimpleNamespace) and self.__dict__ == other.__dict__

    def __repr__(self):
        inside = ", ".join([f"{k}={v!r}" for k, v in self.__dict__.items()])
        return f"namespace({inside})"




def __getattr__(name):
    if name == "ModuleType":
        import sys
        return type(sys)
    raise AttributeError(f"module 'types' has no attribute {name!r}")


def new_class(name, bases=(), kwds=None, exec_body=None):
    body = {}
    if exec_body is not None:
        exec_body(body)
    return type(name, tuple(bases), body)


def resolve_bases(bases):
    return bases


def coroutine(function):
    return function
