"""Settings of pipelines: any name may be set, and nothing is checked."""


import _python


class Settings:
    def __init__(self, name="Options"):
        self.__dict__["_name"], self.__dict__["_places"] = name, {}

    def __setattr__(self, name, value):
        self.__dict__[name] = value
        self._places[name] = _python.place()

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        if name in _GROUPS:
            inner = Settings(name)
            self.__dict__[name] = inner
            return inner
        return None

    def items(self):
        """All that was set, with dotted names."""
        result = []
        for name, value in self.__dict__.items():
            if isinstance(value, Settings):
                result.extend([(name + "." + inner, v) for inner, v in value.items()])
            elif name not in ("_name", "_places"):
                result.append((name, value))
        return result

    def merge(self, other):
        merged = type(self)()
        for part in (self, other):
            for name, value in part.__dict__.items():
                mine = merged.__dict__.get(name)
                if isinstance(mine, Settings) and isinstance(value, Settings):
                    value = mine.merge(value)
                if name == "_places":
                    value = {**(mine or {}), **value}
                merged.__dict__[name] = value
        return merged


_GROUPS = ("experimental_distribute", "experimental_optimization", "experimental_threading",
           "experimental_slack_options", "autotune", "threading", "distribute", "optimization",
           "map_vectorization", "experimental_service")


class Options(Settings):
    def __init__(self):
        super().__init__("Options")


class _Choice:
    def __init__(self, name):
        self.name = name

    def __repr__(self):
        return self.name


class AutoShardPolicy:
    OFF, AUTO, FILE, DATA, HINT = [_Choice("AutoShardPolicy." + n)
                                   for n in ("OFF", "AUTO", "FILE", "DATA", "HINT")]


class ExternalStatePolicy:
    WARN, IGNORE, FAIL = [_Choice("ExternalStatePolicy." + n) for n in ("WARN", "IGNORE", "FAIL")]


class AutotuneAlgorithm:
    DEFAULT, HILL_CLIMB, GRADIENT_DESCENT, MAX_PARALLELISM, STAGE_BASED = [
        _Choice("AutotuneAlgorithm." + n)
        for n in ("DEFAULT", "HILL_CLIMB", "GRADIENT_DESCENT", "MAX_PARALLELISM", "STAGE_BASED")]
