"""tfrs.layers.loss: what is in it is not known."""
