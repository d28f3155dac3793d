"""The same names as typing."""

import typing as _typing
from typing import (TYPE_CHECKING, Annotated, Any, Callable, ClassVar, Dict, Final, Generic,
                    Iterable, Iterator, List, Literal, Mapping, NamedTuple, NewType, Optional,
                    ParamSpec, Protocol, Self, Sequence, Set, Text, Tuple, Type, TypedDict,
                    TypeVar, TypeVarTuple, Union, assert_never, assert_type, cast,
                    dataclass_transform, deprecated, final, get_args, get_origin,
                    get_type_hints, overload, override, reveal_type, runtime_checkable)


def __getattr__(name):
    return getattr(_typing, name)
