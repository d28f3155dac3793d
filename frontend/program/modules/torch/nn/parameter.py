import _tilewise
from .._tensor import Tensor, state, zeros


class Parameter(Tensor):
    """A weight: a leaf of the graph, whatever its numbers are at first."""
    _trained = True

    @property
    def requires_grad(self):
        return self._trained

    @requires_grad.setter
    def requires_grad(self, value):
        self._trained = value
        if not _tilewise.is_unknown(value) and not _tilewise.is_unknown(self._h) and \
                _tilewise.is_weight(self._h):
            _tilewise.set_trainable(self._h, bool(value))

    def __init__(self, data=None, requires_grad=True):
        if data is None:
            data = zeros(0)
        h = data._h
        state.parameters = True
        # Whether one of a size that is not known counts is told where a module is given it.
        self._h = h if _tilewise.is_unknown(h) else \
            _tilewise.weight(list(_tilewise.shape(h)), _tilewise.dtype(h), "", requires_grad)
        if not requires_grad:
            self.requires_grad = False

    def _set(self, new):
        """Numbers of a weight may change; it stays the same leaf unless its shape changes."""
        if isinstance(new, Tensor):
            shape, code = _tilewise.shape(new._h), _tilewise.dtype(new._h)
            if tuple(shape) != tuple(_tilewise.shape(self._h)) and len(shape) > 0:
                self._h = _tilewise.weight(list(shape), code, "", self.requires_grad)
        return self

    def _replace(self, new):
        self._set(new)
        if isinstance(new, Tensor):
            self._retype(_tilewise.dtype(new._h))

    def _retype(self, code):
        h = self._h
        if _tilewise.dtype(h) != code:
            self._h = _tilewise.weight(list(_tilewise.shape(h)), code, "", self.requires_grad)

    def requires_grad_(self, requires_grad=True):
        self.requires_grad = requires_grad
        return self

    def __getitem__(self, index):
        x = Tensor.__getitem__(self, index)
        if isinstance(x, Tensor):
            x._base = None
        return x

    def __setitem__(self, index, value):
        pass

    def add_(self, other, alpha=1):
        if state.backward and not state.manual:
            state.manual = state.stepped = True
            lr = -alpha if isinstance(alpha, (int, float)) and alpha != 1 else None
            _tilewise.record("optimizer", name="SGD", lr=lr)
            _tilewise.record("step", by="torch", optimizer="SGD")
        return self

    def __deepcopy__(self, memo):
        key = id(self)
        if key not in memo:
            memo[key] = Parameter(self, self.requires_grad)
        return memo[key]

    def __repr__(self):
        return "Parameter containing:\n" + Tensor.__repr__(self)


class UninitializedParameter(Parameter):
    def materialize(self, shape, device=None, dtype=None):
        self._h = _tilewise.weight(list(shape), "f32")


class Buffer(Tensor):
    def __init__(self, data=None, persistent=True):
        self._h = data._h


def is_lazy(parameter):
    return isinstance(parameter, UninitializedParameter)
