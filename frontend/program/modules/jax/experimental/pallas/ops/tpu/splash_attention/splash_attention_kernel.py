"""The kernel with a mask."""

import collections
import dataclasses
import enum

import _tilewise as _t
from jax import _core as _c
from jax import _tree
from jax.experimental.pallas.ops.tpu._attention import attend

SegmentIds = collections.namedtuple("SegmentIds", ["q", "kv"])
DEFAULT_MASK_VALUE = -0.7 * 3.4e38


class QKVLayout(enum.IntEnum):
    HEAD_DIM_MINOR = 1
    SEQ_MINOR = 2


@dataclasses.dataclass
class BlockSizes:
    block_q: int = 128
    block_kv: int = 128
    block_kv_compute: int = None
    block_q_dkv: int = None
    block_kv_dkv: int = None
    block_kv_dkv_compute: int = None
    block_q_dq: int = None
    block_kv_dq: int = None
    use_fused_bwd_kernel: bool = False
    q_layout: int = QKVLayout.HEAD_DIM_MINOR
    k_layout: int = QKVLayout.HEAD_DIM_MINOR
    v_layout: int = QKVLayout.HEAD_DIM_MINOR

    @classmethod
    def get_default(cls):
        return cls()


@dataclasses.dataclass
class SplashConfig(BlockSizes):
    """The same with what later versions add."""
    fuse_reciprocal: bool = True
    use_base2_exp: bool = True
    max_logit_const: float = None
    attn_logits_soft_cap: float = None
    residual_checkpoint_name: str = None
    fwd_cost_estimate: object = None
    bwd_cost_estimate: object = None
    dq_reduction_steps: int = None
    use_experimental_scheduler: bool = False
    interpret: bool = False


class SplashAttentionKernel:
    def __init__(self, mask, mqa=False, save_residuals=False):
        self.mask = mask
        self.mqa = mqa
        self.save_residuals = save_residuals

    def manual_sharding_spec(self, sharding):
        return self

    def __call__(self, q, k, v, segment_ids=None, sinks=None, *, save_residuals=False, **kw):
        if self.mqa:
            k, v = _c.expand_dims(k, -3), _c.expand_dims(v, -3)
        mask = self.mask
        if getattr(mask, "causal", None) is None:
            _t.note("the mask " + type(mask).__name__ + " is not read: the kernel of attention "
                    "is counted as one that leaves no part out")
        y = attend(q, k, v, causal=bool(getattr(mask, "causal", False)),
                   window=getattr(mask, "window", 0) or 0)
        if not save_residuals and not self.save_residuals:
            return y
        statistics = _c.full(0, y.shape[:-1], _c.float32)
        return y, {"max_logits": statistics, "logsumexp": statistics}


_tree.register(SplashAttentionKernel, lambda k: ([], k), lambda k, c: k, lambda kind, k, c: k,
               lambda k: [])


def make_splash_mha(mask, *args, save_residuals=False, **kw):
    return SplashAttentionKernel(mask, False, save_residuals)


def make_splash_mqa(mask, *args, save_residuals=False, **kw):
    return SplashAttentionKernel(mask, True, save_residuals)


def make_dynamic_splash_mha(mask, *args, save_residuals=False, **kw):
    """The mask is data, of which the kernel leaves no part out."""
    from jax.experimental.pallas.ops.tpu.splash_attention.splash_attention_mask import FullMask
    return SplashAttentionKernel(FullMask(None), False, save_residuals)


make_splash_mha_single_device = make_splash_mha
make_splash_mqa_single_device = make_splash_mqa
