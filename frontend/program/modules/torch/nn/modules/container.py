from .._module import ModuleDict, ModuleList, ParameterDict, ParameterList, Sequential
