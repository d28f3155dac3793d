from _tilewise_nothing import module

__getattr__ = module("librosa.effects")


def trim(y, top_db=60, **rest):
    """Of silence, which nobody knows."""
    return y, [0, y.shape[-1]]


def preemphasis(y, coef=0.97, **rest):
    return y
