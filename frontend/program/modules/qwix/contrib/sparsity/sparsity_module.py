"""Modules that keep some weights at zero."""

import _tilewise


class SparsityModule:
    def __init__(self, *args, **values):
        self.why = _tilewise.unknown("which weights of Qwix are zero")

    def __call__(self, *args, **kwargs):
        return self.why
