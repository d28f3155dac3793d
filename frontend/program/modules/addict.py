from easydict import EasyDict


class Dict(EasyDict):
    def __missing__(self, key):
        value = self[key] = Dict()
        return value

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self[name]

    def to_dict(self):
        return {k: v.to_dict() if isinstance(v, Dict) else v for k, v in self.items()}
