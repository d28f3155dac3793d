"""ml_collections.config_dict: a dict whose keys are also attributes."""

import operator

import _tilewise


class RequiredValueError(Exception):
    pass


class FieldReference:
    def __init__(self, default, field_type=None, op=None, required=False):
        self.value = default
        self.field_type = field_type

    def get(self):
        return self.value.get() if isinstance(self.value, FieldReference) else self.value

    def set(self, value, type_safe=True):
        self.value = value

    def get_type(self):
        return type(self.get())

    def identity(self):
        return self.get()

    def to_int(self):
        return FieldReference(int(self.get()))

    def to_float(self):
        return FieldReference(float(self.get()))

    def to_str(self):
        return FieldReference(str(self.get()))


def _joined(name):
    """An operator of references: what it gives is a reference again."""
    function = getattr(operator, name)

    def forward(self, other=0, *more):
        return FieldReference(function(self.get(), _plain(other)))

    def backward(self, other):
        return FieldReference(function(_plain(other), self.get()))
    return forward, backward


for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "and_", "or_", "xor"):
    _dunder = "__" + _name.strip("_")
    _forward, _backward = _joined(_name)
    setattr(FieldReference, _dunder + "__", _forward)
    setattr(FieldReference, "__r" + _dunder[2:] + "__", _backward)
FieldReference.__neg__ = lambda self: FieldReference(-self.get())
FieldReference.__abs__ = lambda self: FieldReference(abs(self.get()))


def placeholder(field_type, required=False):
    return FieldReference(None, field_type)


def required_placeholder(field_type):
    return FieldReference(None, field_type)


def _plain(v):
    return v.get() if isinstance(v, FieldReference) else v


class _Unlocked:
    """A block in which a configuration takes new fields."""

    def __init__(self, config):
        self._config, self._was = config, config.is_locked

    def __enter__(self):
        self._config.unlock()
        return self._config

    def __exit__(self, *args):
        if self._was:
            self._config.lock()
        return False


class ConfigDict:
    def __init__(self, initial_dictionary=None, type_safe=True, convert_dict=True,
                 allow_dotted_keys=False, sort_keys=True):
        self.__dict__["_fields"] = {}
        self.__dict__["_locked"] = False
        if initial_dictionary is not None and not _tilewise.is_unknown(initial_dictionary):
            items = initial_dictionary.items()
            for k, v in items:
                if _tilewise.is_unknown(v):
                    pass
                elif isinstance(v, dict) and convert_dict:
                    v = type(self)(v)
                elif isinstance(v, ConfigDict) and not isinstance(v, type(self)):
                    v = type(self)(v)
                self._fields[k] = v

    def __getattr__(self, name):
        if name[:2] == "__":
            raise AttributeError(name)
        fields = self.__dict__.get("_fields", {})
        if name in fields:
            return _plain(fields[name])
        raise AttributeError("the configuration has no field " + repr(name))

    def __setattr__(self, name, value):
        self[name] = value

    def __delattr__(self, name):
        del self._fields[name]

    def __getitem__(self, key):
        fields = self.__dict__["_fields"]
        if key not in fields and isinstance(key, str) and "." in key:
            head, rest = key.split(".", 1)
            return self[head][rest]
        return _plain(fields[key])

    def __setitem__(self, key, value):
        fields = self.__dict__["_fields"]
        if isinstance(key, str) and "." in key:
            head, rest = key.split(".", 1)
            self[head][rest] = value
            return
        if self.__dict__["_locked"] and key not in fields:
            raise KeyError("the configuration is locked: no field " + repr(key))
        if not _tilewise.is_unknown(value) and isinstance(value, dict):
            value = type(self)(value)
        old = fields.get(key)
        if isinstance(old, FieldReference) and not isinstance(value, FieldReference):
            old.set(value)
        else:
            fields[key] = value

    def __delitem__(self, key):
        del self.__dict__["_fields"][key]

    def __contains__(self, key):
        return key in self.__dict__["_fields"]

    def __iter__(self):
        return iter(list(self.__dict__["_fields"]))

    def __len__(self):
        return len(self.__dict__["_fields"])

    def __eq__(self, other):
        if isinstance(other, ConfigDict):
            return self.to_dict() == other.to_dict()
        return False

    def __hash__(self):
        return id(self)

    def __repr__(self):
        return repr(self.to_dict())

    def __enter__(self):
        return self

    def __exit__(self, *args):
        return False

    def keys(self, preserve_field_references=False):
        return list(self.__dict__["_fields"])

    def values(self, preserve_field_references=False):
        return [_plain(v) for v in self.__dict__["_fields"].values()]

    def items(self, preserve_field_references=False):
        return [(k, _plain(v)) for k, v in self.__dict__["_fields"].items()]

    def iteritems(self, **kw):
        return iter(self.items())

    def get(self, key, default=None):
        fields = self.__dict__["_fields"]
        if key not in fields and isinstance(key, str) and "." in key:
            head, rest = key.split(".", 1)
            inner = fields.get(head)
            return inner.get(rest, default) if isinstance(inner, ConfigDict) else default
        return _plain(fields[key]) if key in fields else default

    def get_ref(self, key):
        v = self.__dict__["_fields"][key]
        return v if isinstance(v, FieldReference) else FieldReference(v)

    def get_oneway_ref(self, key):
        return self.get_ref(key)

    def get_type(self, key):
        return type(self.get(key))

    def setdefault(self, key, default=None):
        if key not in self:
            self[key] = default
        return self[key]

    def pop(self, key, *default):
        v = self.__dict__["_fields"].pop(key, *default)
        return _plain(v)

    def update(self, *other, **kw):
        for o in other:
            if _tilewise.is_unknown(o):
                continue
            pairs = o.items() if hasattr(o, "items") else o
            for k, v in pairs:
                self._set_deep(k, v)
        for k, v in kw.items():
            self._set_deep(k, v)

    def _set_deep(self, k, v):
        if k in self and not _tilewise.is_unknown(v) and not _tilewise.is_unknown(self[k]) and \
                isinstance(self[k], ConfigDict) and isinstance(v, (dict, ConfigDict)):
            self[k].update(v)
        else:
            self[k] = v

    def update_from_flattened_dict(self, flattened_dict, strip_prefix=""):
        for k, v in flattened_dict.items():
            if k.startswith(strip_prefix):
                self[k[len(strip_prefix):]] = v

    def to_dict(self, visit_map=None, preserve_field_references=False):
        out = {}
        for k, v in self.items():
            deep = not _tilewise.is_unknown(v) and isinstance(v, ConfigDict)
            out[k] = v.to_dict() if deep else v
        return out

    def copy_and_resolve_references(self, visit_map=None):
        made = type(self)()
        for k, v in self.items():
            deep = not _tilewise.is_unknown(v) and isinstance(v, ConfigDict)
            made._fields[k] = v.copy_and_resolve_references() if deep else v
        return made

    def copy(self):
        return self.copy_and_resolve_references()

    def __copy__(self):
        return self.copy()

    def __deepcopy__(self, memo=None):
        return self.copy()

    def to_json(self, *args, **kw):
        return repr(self.to_dict())

    to_json_best_effort = to_json
    to_yaml = to_json

    def lock(self):
        self.__dict__["_locked"] = True
        return self

    def unlock(self):
        self.__dict__["_locked"] = False
        return self

    def unlocked(self):
        return _Unlocked(self)

    def ignore_type(self):
        return self

    @property
    def is_locked(self):
        return self.__dict__["_locked"]

    @property
    def is_type_safe(self):
        return True


class FrozenConfigDict(ConfigDict):
    def as_configdict(self):
        return ConfigDict(self.to_dict())


class CustomJSONEncoder:
    pass


def create(**kw):
    return ConfigDict(kw)



def __getattr__(name):
    if name == "config_dict":
        import ml_collections.config_dict as itself
        return itself
    raise AttributeError(name)
