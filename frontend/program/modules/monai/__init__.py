"""monai: networks with their weights; data of the sizes that transforms cut out."""

__version__ = "1.3.0"


class config:
    @staticmethod
    def print_config():
        pass

    KeysCollection = object


def __getattr__(name):
    if name in ("data", "inferers", "losses", "metrics", "networks", "transforms", "utils", "apps",
                "optimizers", "visualize", "handlers", "engines", "bundle"):
        import importlib
        return importlib.import_module("monai." + name)
    raise AttributeError(name)
