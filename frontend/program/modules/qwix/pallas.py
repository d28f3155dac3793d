"""Kernels of Qwix, which are those of Pallas where nothing is quantized."""

from jax.experimental.pallas import pallas_call  # noqa: F401


class QArray:
    """An array with its scales; programs ask whether something is one."""


def get_current_rule(name):
    """The rule of a model that is quantized; none is."""
    return None
