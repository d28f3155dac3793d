"""flax.linen.module."""

from flax.linen._module import (Module, compact, nowrap, merge_param, Variable, apply, init,
                                init_with_output, STACK, ModuleBase)
