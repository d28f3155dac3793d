"""flax.linen.attention."""

from flax.linen._layers import (
    MultiHeadAttention, MultiHeadDotProductAttention, SelfAttention, dot_product_attention,
    dot_product_attention_weights, make_attention_mask, make_causal_mask, combine_masks)
