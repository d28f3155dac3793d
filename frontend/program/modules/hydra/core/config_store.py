_stored = {}


class ConfigStore:
    @classmethod
    def instance(cls):
        return cls()

    def store(self, name, node, group=None, package=None, provider=None):
        _stored[f"{group}/{name}" if group else name] = node
