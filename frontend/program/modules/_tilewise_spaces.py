"""Spaces of environments that run on the device or in pools, and what those show."""

import _tilewise
import _tilewise_gym as _own
import numpy as np
from _tilewise_gym import Box, Dict, Discrete, MultiDiscrete, Space, Tuple

_PLAIN = {
    "Asterix-MinAtar": ((10, 10, 4), 5), "Breakout-MinAtar": ((10, 10, 4), 3),
    "Freeway-MinAtar": ((10, 10, 7), 3), "SpaceInvaders-MinAtar": ((10, 10, 6), 4),
    "Catch-bsuite": ((10, 5), 3), "DeepSea-bsuite": ((8, 8), 2)}
_BRAX = {"ant": ((27,), 8), "halfcheetah": ((17,), 6), "hopper": ((11,), 3),
         "walker2d": ((17,), 6), "humanoid": ((244,), 17), "reacher": ((11,), 2),
         "pusher": ((23,), 7), "inverted_pendulum": ((4,), 1),
         "inverted_double_pendulum": ((8,), 1), "swimmer": ((8,), 2)}


def spaces_of(name, frame=(210, 160, 3)):
    """(observations, actions) of the environment of that name; unknown values where it is new."""
    if isinstance(name, str) and not _tilewise.is_unknown(name):
        if name in _PLAIN:
            shape, n = _PLAIN[name]
            return Box(0.0, 1.0, shape), Discrete(n)
        if name in _BRAX:
            shape, n = _BRAX[name]
            return Box(-1.0, 1.0, shape), Box(-1.0, 1.0, (n,))
        found = _own.spaces_of(name)
        if found is not None:
            seen, acts = found
            return Box(0, 255, frame, "uint8") if tuple(seen.shape) == (210, 160, 3) else seen, acts
    why = "the spaces of the environment " + str(name)
    return _tilewise.unknown(why), _tilewise.unknown(why)


def observation(space, lead=()):
    """What an environment shows, on the host."""
    if _tilewise.is_unknown(space):
        return space
    if isinstance(space, Dict):
        return {k: observation(s, lead) for k, s in space.items()}
    if isinstance(space, Tuple):
        return tuple([observation(s, lead) for s in space.spaces])
    return np.ndarray(tuple(lead) + tuple(space.shape), space.dtype)
