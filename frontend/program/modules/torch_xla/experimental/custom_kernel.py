"""Kernels written for the TPU."""

from torch._tensor import _op, wrap


class FlashAttention:
    DEFAULT_BLOCK_SIZES = {}


def flash_attention(q, k, v, causal=False, q_segment_ids=None, kv_segment_ids=None, sm_scale=1.0,
                    ab=None, partition_spec=None, mesh=None):
    inputs = [t.transpose(1, 2)._h for t in (q, k, v)]
    if ab is not None:
        inputs.append(ab._h)
    y = wrap(_op("tw.attention", inputs, {"causal": causal, "scale": float(sm_scale),
                                          "flash": True}))
    return y.transpose(1, 2)
