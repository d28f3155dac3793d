"""Attention in one kernel, which keeps no scores."""

import math

import _tilewise as _t
from jax import _core as _c
from jax._core import as_array


def attend(q, k, v, *, causal=False, window=0, scale=1.0, mask=None):
    """Attention of `[.., heads, tokens, depth]`; k and v may have fewer heads."""
    q, k, v = as_array(q), as_array(k), as_array(v)
    for x in (q, k, v):
        if _t.is_unknown(x):
            return x
    levels = _c.common_levels([q, k, v])
    lead = _c.sizes_of(levels) + list(q.shape[:-3])

    def rows(x):
        """The same as [n, tokens, heads, depth], with the levels of vmap in n."""
        x = _c.fill_levels(x, levels) if levels else x
        x = _c.reshape(_c.new(x._h), [math.prod(lead)] + list(x.shape[-3:]))
        return _c.transpose(x, [0, 2, 1, 3])
    hs = [rows(x)._h for x in (q, k, v)]
    if mask is not None and not levels:
        hs.append(as_array(mask)._h)
    y = _c.new(_t.op("tw.attention", hs, {"causal": causal, "scale": float(scale), "flash": True,
                                          "sliding_window": window if causal else 0}))
    y = _c.reshape(_c.transpose(y, [0, 2, 1, 3]),
                   lead + list(q.shape[-3:-1]) + [v.shape[-1]])
    return _c.new(y._h, levels)
