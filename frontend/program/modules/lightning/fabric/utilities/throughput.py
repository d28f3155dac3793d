from ...pytorch.utilities import rank_zero_only, seed_everything
from ..._accept import module, unknown_number

measure_flops = get_available_flops = unknown_number
__getattr__ = module("lightning.fabric.utilities.throughput")
