"""Experiment tracking that keeps nothing but the configuration."""

__version__ = "0.16.0"


class Config(dict):
    def __getattr__(self, name):
        if name in self:
            return self[name]
        if name.startswith("__"):
            raise AttributeError(name)
        import _tilewise
        return _tilewise.unknown(f"the setting {name} of wandb.config")

    def __setattr__(self, name, value):
        self[name] = value

    def update(self, values=None, allow_val_change=None, **kwargs):
        if values is not None:
            dict.update(self, values if isinstance(values, dict) else vars(values))
        dict.update(self, kwargs)

    def as_dict(self):
        return dict(self)

    def setdefaults(self, values):
        for name, value in values.items():
            self.setdefault(name, value)


class _Run:
    def __init__(self, config):
        self.config = config
        self.summary = {}
        self.name = self.id = self.project = self.entity = "run"
        self.dir = "wandb"
        self.url = ""
        self.step = 0
        self.disabled = True

    def log(self, *args, **kwargs):
        pass

    finish = watch = save = define_metric = log_artifact = log_code = alert = log
    unwatch = mark_preempting = use_artifact = log_model = log

    def get_url(self):
        return ""

    def __enter__(self):
        return self

    def __exit__(self, *excinfo):
        pass


config = Config()
run = None


def init(*args, config=None, **kwargs):
    global run
    settings = globals()["config"]
    if config is not None:
        settings.update(config if not isinstance(config, str) else {})
    run = _Run(settings)
    return run


def log(*args, **kwargs):
    pass


finish = watch = save = define_metric = login = alert = log_artifact = unwatch = require = log
summary = {}


def __getattr__(name):
    import _tilewise
    return _tilewise.unknown(f"wandb.{name}")
