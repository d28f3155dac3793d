"""Handlers are called between steps; what they do is of the host."""


class Handler:
    def __init__(self, *args, **kwargs):
        self.last_checkpoint = None

    def attach(self, engine, *args, **kwargs):
        pass

    def __call__(self, engine, *args, **kwargs):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False

    @staticmethod
    def load_objects(to_load, checkpoint, **kwargs):
        pass

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return lambda *args, **kwargs: None

    @classmethod
    def simulate_values(cls, *args, **kwargs):
        return []


def global_step_from_engine(engine, custom_event_name=None):
    return lambda _, event_name: engine.state.epoch


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return Handler
