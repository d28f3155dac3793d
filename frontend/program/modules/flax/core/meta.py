"""flax.core.meta."""

from flax.linen._module import AxisMetadata, Partitioned, unbox
from flax.linen.spmd import meta as _meta, get_partition_spec, with_partitioning

PARTITION_NAME = "partition_name"
replace_boxed = _meta.replace_boxed
add_axis = _meta.add_axis
