"""sklearn of the host: arrays keep their shapes, what is learned of them is not known."""

import importlib

__version__ = "1.4.0"
_OWN = ("model_selection", "preprocessing", "metrics", "utils", "datasets", "decomposition",
        "pipeline", "linear_model", "ensemble", "svm", "tree", "neighbors", "cluster", "base",
        "compose", "impute", "feature_extraction", "manifold", "naive_bayes", "exceptions",
        "feature_selection", "externals", "neural_network", "dummy", "mixture", "inspection")


def __getattr__(name):
    if name in _OWN:
        return importlib.import_module("sklearn." + name)
    raise AttributeError(f"module 'sklearn' has no attribute '{name}'")
