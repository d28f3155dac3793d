from ._base import register_kl
from ._kl import kl_divergence
