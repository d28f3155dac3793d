"""gym.wrappers."""

from _tilewise_gymwrap import (AtariPreprocessing, FlattenObservation, FrameStack,
                               GrayScaleObservation, ResizeObservation, TransformObservation,
                               WarpFrame, Wrapper, same as _same)

GrayscaleObservation = GrayScaleObservation
FrameStackObservation = FrameStack


def __getattr__(name):
    if name[:1] == "_":
        raise AttributeError(name)
    made = _same(name)
    globals()[name] = made
    return made
