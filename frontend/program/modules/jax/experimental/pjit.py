"""jax.experimental.pjit."""

from jax._transforms import jit as pjit
from jax.lax import with_sharding_constraint
from jax.sharding import PartitionSpec, Mesh

FROM_GDA = None
AUTO = None
