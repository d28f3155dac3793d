"""LightningCLI without a command line: the classes with their defaults, and `fit`."""

import _python
import _tilewise
from .._accept import Accepting
from ._trainer import Trainer


class ArgsType:
    pass


class LightningArgumentParser(Accepting):
    pass


class SaveConfigCallback(Accepting):
    pass


OptimizerCallable = LRSchedulerCallable = ReduceLROnPlateau = None


def made(cls, given=None):
    """An object of the class with its defaults; what has none is not known."""
    if cls is None or not isinstance(cls, type):
        return cls if cls is None or not callable(cls) else cls()
    given = dict(given or {})
    for name, kind, has_default, _ in _python.signature(cls.__init__):
        if name != "self" and not has_default and name not in given and \
                kind not in ("var_positional", "var_keyword"):
            given[name] = _tilewise.unknown("the argument " + name + " of the command line")
    return cls(**given)


class LightningCLI:
    def __init__(self, model_class=None, datamodule_class=None, save_config_callback=None,
                 trainer_class=Trainer, trainer_defaults=None, run=True, args=None, **options):
        self.parser, self.config = LightningArgumentParser(), Accepting()
        self.before_instantiate_classes()
        self.model, self.datamodule = made(model_class), made(datamodule_class)
        self.trainer = made(trainer_class, trainer_defaults)
        if run:
            _tilewise.note("LightningCLI is read as the command fit with the defaults")
            self.before_fit()
            self.trainer.fit(self.model, datamodule=self.datamodule)
            self.after_fit()

    def before_instantiate_classes(self):
        pass

    before_fit = after_fit = before_instantiate_classes

    def add_arguments_to_parser(self, parser):
        pass


def instantiate_class(args, init):
    """An object of the class that a configuration names; `args` come first."""
    if _tilewise.is_unknown(init):
        return _tilewise.unknown("a class that a configuration names")
    folder, _, name = init["class_path"].rpartition(".")
    module = _python.import_module(folder)
    if _tilewise.is_unknown(module) or not hasattr(module, name):
        return _tilewise.unknown("the class " + init["class_path"])
    args = args if isinstance(args, tuple) else (args,)
    return getattr(module, name)(*args, **(init.get("init_args") or {}))
