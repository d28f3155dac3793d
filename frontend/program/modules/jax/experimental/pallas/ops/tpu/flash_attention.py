"""jax.experimental.pallas.ops.tpu.flash_attention."""

import collections
import dataclasses

from jax.experimental.pallas.ops.tpu._attention import attend

SegmentIds = collections.namedtuple("SegmentIds", ["q", "kv"])


@dataclasses.dataclass
class BlockSizes:
    block_q: int = 128
    block_k_major: int = 128
    block_k: int = 128
    block_b: int = 1
    block_q_major_dkv: int = None
    block_k_major_dkv: int = None
    block_k_dkv: int = None
    block_q_dkv: int = None
    block_k_major_dq: int = None
    block_k_dq: int = None
    block_q_dq: int = None

    @classmethod
    def get_default(cls, *args, **kw):
        return cls()


def flash_attention(q, k, v, ab=None, segment_ids=None, *, causal=False, sm_scale=1.0,
                    block_sizes=None, debug=False):
    return attend(q, k, v, causal=bool(causal), scale=sm_scale, mask=ab)


mha_reference = flash_attention
