"""What layers hold: weights, other layers, losses."""

import math

import _tilewise as _t
from tensorflow import _tensor as _x

Tensor, Variable = _x.Tensor, _x.Variable
_unk = _t.is_unknown
_FLAT = {}      # classes of ours whose attributes hold no layers
models = []     # all, in order of creation
fitting = [0]   # calls of fit around this line
_untracked = {name: True for name in (
    "_made", "_place", "_own", "_nodes", "_policy", "_losses", "optimizer", "history", "_extra",
    "loss", "_graph", "_compiled", "_tensor", "_source", "name", "built", "_autocast", "_plain",
    "_regularizers", "_trainable", "_batch_input_shape", "_data_shape", "_begun", "_last",
    "metrics", "_metrics", "_loss", "_names", "_why",
    "_kept_trainable")}


def _visit(value, found, seen, trained):
    """Notes the weights in what a layer holds."""
    if _unk(value) or value is None or isinstance(value, (str, int, float)):
        return
    if isinstance(value, Tensor):
        if value._is_variable and id(value) not in seen:
            seen.add(id(value))
            found.append((value, trained and value._trainable))
    elif isinstance(value, Weights):
        value._collect(found, seen, trained)
    elif isinstance(value, (list, tuple)):
        if value and not isinstance(value[0], (int, float, str)):
            for v in value:
                _visit(v, found, seen, trained)
    elif isinstance(value, dict):
        for v in value.values():
            _visit(v, found, seen, trained)
    elif getattr(type(value), "_is_tf_module", False) and id(value) not in seen:
        seen.add(id(value))
        for v in value.__dict__.values():
            _visit(v, found, seen, trained)


def _layers_in(value, found):
    if _unk(value) or value is None or isinstance(value, (str, int, float, Tensor)):
        return
    if isinstance(value, Weights):
        found.append(value)
    elif isinstance(value, (list, tuple)):
        if value and not isinstance(value[0], (int, float, str)):
            for v in value:
                _layers_in(v, found)
    elif isinstance(value, dict):
        for v in value.values():
            _layers_in(v, found)


class Weights:
    """Of a layer."""
    _trainable = True
    _is_model = False
    _own = _losses = None
    _regularizers = ()

    def _collect(self, found, seen, trained):
        key = id(self)
        if key in seen:
            return
        seen.add(key)
        trained = trained and self._trainable
        own = self.__dict__
        if self._own is not None:
            for v in self._own:
                if id(v) not in seen:
                    seen.add(id(v))
                    found.append((v, trained and v._trainable))
        cls = type(self)
        if cls in _FLAT:
            return
        any_layer = False
        before = len(seen)
        for name in own:
            if name not in _untracked:
                _visit(own[name], found, seen, trained)
        if len(seen) == before and self.built and not self._is_model and \
                (cls.__module__ or "").startswith("keras."):
            _FLAT[cls] = True

    def _all(self):
        found = []
        self._collect(found, set(), True)
        return found

    @property
    def weights(self):
        found = self._all()
        return [v for v, t in found if t] + [v for v, t in found if not t]

    variables = weights

    @property
    def trainable_weights(self):
        return [v for v, t in self._all() if t]

    @trainable_weights.setter
    def trainable_weights(self, value):
        """Layers of the first Keras say themselves which weights they have."""
        self._given_weights(value, True)

    trainable_variables = trainable_weights

    def _given_weights(self, value, trained):
        for v in value if isinstance(value, (list, tuple)) else ():
            if isinstance(v, Tensor) and v._is_variable:
                if self._own is None:
                    self._own = []
                if not any(v is o for o in self._own):
                    self._own.append(v)
                v._trainable = trained

    @property
    def non_trainable_weights(self):
        return [v for v, t in self._all() if not t]

    @non_trainable_weights.setter
    def non_trainable_weights(self, value):
        self._given_weights(value, False)

    non_trainable_variables = non_trainable_weights

    @property
    def trainable(self):
        return self._trainable

    @trainable.setter
    def trainable(self, value):
        if _unk(value):
            _t.note("whether a layer is trained is not known; it is taken as trained")
            value = True
        for layer in self._flatten_layers():
            layer._trainable = bool(value)

    def get_weights(self):
        return [v.numpy() for v in self.weights]

    def set_weights(self, weights):
        pass

    # -- training loops of JAX, which carry the variables along

    def stateless_call(self, trainable_variables, non_trainable_variables, *args,
                       return_losses=False, **kwargs):
        made = self(*args, **kwargs)
        return (made, non_trainable_variables) + ((self.losses,) if return_losses else ())

    def stateless_compute_loss(self, trainable_variables, non_trainable_variables,
                               metrics_variables, x=None, y=None, y_pred=None, **kwargs):
        loss = self.compute_loss(x=x, y=y, y_pred=y_pred)
        return loss, (trainable_variables, non_trainable_variables, metrics_variables)

    def _unknown_part(self):
        """Why some of its weights are not known, or None."""
        for layer in self._flatten_layers():
            own = layer.__dict__
            if _unk(own.get("_why")):
                return own["_why"]
            graph = own.get("_graph")
            if graph is not None and _unk(graph.unknown):
                return graph.unknown
        return None

    def count_params(self):
        why = self._unknown_part()
        if _unk(why):
            return why
        if self._is_model and not self.built and not self._all():
            return _t.unknown("how many parameters a model has that is not built yet")
        return sum([math.prod(_t.shape(v._h)) for v, _ in self._all()])

    # -- what it holds

    def _children(self):
        found = []
        own = self.__dict__
        for name in own:
            if name not in _untracked:
                _layers_in(own[name], found)
        return found

    def _flatten_layers(self, recursive=True, include_self=True):
        found, seen, stack = [], set(), [self]
        while stack:
            layer = stack.pop()
            if id(layer) in seen:
                continue
            seen.add(id(layer))
            if layer is not self or include_self:
                found.append(layer)
            if (recursive or layer is self) and type(layer) not in _FLAT:
                stack.extend(reversed(layer._children()))
        return found

    @property
    def submodules(self):
        return tuple(self._flatten_layers(include_self=False))

    @property
    def losses(self):
        found = []
        for layer in self._flatten_layers():
            if layer._losses:
                found.extend(layer._losses)
            for v, regularizer in layer._regularizers:
                if regularizer is not None and not _unk(regularizer):
                    found.append(regularizer(v))
        return [f() if callable(f) and not isinstance(f, Tensor) else f for f in found]

    def add_loss(self, losses, inputs=None, **ignored):
        if self._losses is None:
            self._losses = []
        if isinstance(losses, (list, tuple)):
            self._losses.extend(losses)
        else:
            self._losses.append(losses)

    def _clear_losses(self):
        for layer in self._flatten_layers():
            layer._losses = None

    def add_metric(self, *args, **kwargs):
        pass

    def add_update(self, *args, **kwargs):
        pass

    @property
    def metrics(self):
        from keras.metrics import Metric
        found = []
        for layer in self._flatten_layers():
            found.extend([v for v in layer.__dict__.values()
                          if not _unk(v) and isinstance(v, Metric)])
        return found

    updates = ()



def record_model_of(variables):
    """The record of the model that holds the variables which a loop of the program's own trains."""
    if fitting[0] or not variables:
        return
    wanted, best, size = id(variables[0]), None, 0
    for model in models:
        if model.built or model._own is not None:
            found = model._all()
            if len(found) >= size and any(id(v) == wanted for v, _ in found):
                best, size = model, len(found)
    if best is not None:
        best._settle()
