"""jax.experimental.layout."""


class Layout:
    AUTO = None

    def __init__(self, *args, **kw):
        pass


DeviceLocalLayout = Format = Layout
