"""Configuration trees."""

from _tilewise import is_unknown as _unknown


class CfgNode(dict):
    def __init__(self, init_dict=None, key_list=None, new_allowed=False):
        super().__init__()
        self.__dict__["_frozen"] = False
        self.__dict__["_new_allowed"] = new_allowed
        for key, value in (init_dict or {}).items():
            self[key] = CfgNode(value) if type(value) is dict else value

    def __getattr__(self, name):
        if name in self:
            return self[name]
        raise AttributeError(name)

    def __setattr__(self, name, value):
        if self._frozen:
            raise AttributeError(f"Attempted to set {name} to {value}, but CfgNode is immutable")
        self[name] = value

    def _merge(self, other):
        if _unknown(other):
            return
        for key, value in other.items():
            if isinstance(value, dict) and isinstance(self.get(key), CfgNode):
                self[key]._merge(value)
            elif key not in self and not self._new_allowed:
                raise KeyError(f"Non-existent config key: {key}")
            else:
                self[key] = self._like(self.get(key), CfgNode(value) if type(value) is dict
                                       else value)

    @staticmethod
    def _like(old, value):
        if _unknown(value) or _unknown(old):
            return value
        if isinstance(value, str) and old is not None and not isinstance(old, str):
            import _python
            try:
                value = _python.literal_eval(value)
            except (ValueError, SyntaxError):
                pass
        if isinstance(old, tuple) and isinstance(value, list):
            return tuple(value)
        if isinstance(old, list) and isinstance(value, tuple):
            return list(value)
        if isinstance(old, float) and isinstance(value, int) and not isinstance(value, bool):
            return float(value)
        return value

    def merge_from_file(self, path):
        import _python
        import _tilewise
        if _unknown(path):
            _tilewise.note("the configuration file is not known; the values of the program stand "
                           "for it")
            return
        text = _python.read_file(str(path)) if isinstance(path, (str,)) or hasattr(
            path, "__fspath__") else None
        if text is None:
            _tilewise.note(f"the configuration file {path} is not here; the values of the program "
                           "stand for it")
            return
        self._merge(_python.yaml(text) or {})

    def merge_from_other_cfg(self, other):
        self._merge(other)

    def merge_from_list(self, items):
        import _python
        for path, value in zip(items[0::2], items[1::2]):
            node = self
            *parents, last = path.split(".")
            for part in parents:
                node = node[part]
            if isinstance(value, str):
                try:
                    value = _python.literal_eval(value)
                except (ValueError, SyntaxError):
                    pass
            node[last] = node._like(node.get(last), value)

    def _freeze(self, frozen):
        self.__dict__["_frozen"] = frozen
        for value in self.values():
            if not _unknown(value) and isinstance(value, CfgNode):
                value._freeze(frozen)

    def freeze(self):
        self._freeze(True)

    def defrost(self):
        self._freeze(False)

    def is_frozen(self):
        return self._frozen

    def set_new_allowed(self, allowed):
        self.__dict__["_new_allowed"] = allowed

    def is_new_allowed(self):
        return self._new_allowed

    def clone(self):
        import copy
        made = CfgNode(new_allowed=self._new_allowed)
        for key, value in self.items():
            made[key] = value if _unknown(value) else value.clone() \
                if isinstance(value, CfgNode) else copy.deepcopy(value)
        return made

    def __deepcopy__(self, memo):
        return self.clone()

    def dump(self, **kwargs):
        import yaml
        return yaml.dump(self)

    @classmethod
    def load_cfg(cls, source):
        import yaml
        return cls(yaml.load(source))
