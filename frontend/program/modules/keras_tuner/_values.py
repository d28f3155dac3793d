"""Values that a search chooses: each is what it is by default."""

import _tilewise as _t


class _Scope:
    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        return False


class HyperParameters:
    def __init__(self):
        self.values = {}

    def _take(self, name, first, default):
        if name not in self.values:
            self.values[name] = first if default is None else default
        return self.values[name]

    def Int(self, name, min_value=0, max_value=None, step=None, sampling=None, default=None,
            parent_name=None, parent_values=None):
        return self._take(name, min_value, default)

    def Float(self, name, min_value=0.0, max_value=None, step=None, sampling=None, default=None,
              parent_name=None, parent_values=None):
        return self._take(name, float(min_value), default)

    def Choice(self, name, values=(), ordered=None, default=None, parent_name=None,
               parent_values=None):
        if _t.is_unknown(values):
            return values
        return self._take(name, list(values)[0], default)

    def Boolean(self, name, default=False, parent_name=None, parent_values=None):
        return self._take(name, False, default)

    def Fixed(self, name, value, parent_name=None, parent_values=None):
        self.values[name] = value
        return value

    def get(self, name):
        return self.values[name] if name in self.values else \
            _t.unknown("the hyperparameter " + str(name))

    __getitem__ = get

    def __contains__(self, name):
        return name in self.values

    def conditional_scope(self, parent_name, parent_values):
        return _Scope()

    name_scope = conditional_scope

    def is_active(self, name):
        return True

    @property
    def space(self):
        return list(self.values)

    def copy(self):
        made = HyperParameters()
        made.values = dict(self.values)
        return made


class HyperModel:
    def __init__(self, name=None, tunable=True):
        self.name, self.tunable = name, tunable

    def build(self, hp):
        raise NotImplementedError("build() of a HyperModel")

    def declare_hyperparameters(self, hp):
        pass

    def fit(self, hp, model, *args, **kwargs):
        return model.fit(*args, **kwargs)
