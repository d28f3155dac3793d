"""jax.experimental.pallas.ops.tpu.splash_attention: attention whose mask is known beforehand."""

from jax.experimental.pallas.ops.tpu.splash_attention.splash_attention_kernel import (
    BlockSizes, QKVLayout, SegmentIds, SplashAttentionKernel, SplashConfig, make_splash_mha,
    make_splash_mha_single_device, make_splash_mqa, make_splash_mqa_single_device)
from jax.experimental.pallas.ops.tpu.splash_attention.splash_attention_mask import (
    CausalMask, FullMask, LocalMask, LogicalAnd, LogicalOr, Mask, MultiHeadMask, NumpyMask,
    make_causal_mask, make_local_attention_mask, make_random_mask)
