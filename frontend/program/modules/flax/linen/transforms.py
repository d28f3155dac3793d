"""flax.linen.transforms."""

from flax.linen._lift import (scan, vmap, remat, checkpoint, jit, named_call, map_variables,
                              while_loop, cond, switch, grad, value_and_grad, vjp, jvp,
                              custom_vjp, broadcast, add_metadata_axis)
