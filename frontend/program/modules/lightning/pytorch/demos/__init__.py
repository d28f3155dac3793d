"""Models and data that examples share."""

from ._text import LightningTransformer, Transformer, WikiText2
