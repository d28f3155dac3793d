"""fiddle.selectors: what is set in parts of a configuration is for logs mostly."""


class _Selection:
    def set(self, **values):
        pass

    def replace(self, *args, **values):
        pass

    def __iter__(self):
        return iter(())


def select(config, *args, **kwargs):
    return _Selection()
