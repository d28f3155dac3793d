from .._module import Module, _running
