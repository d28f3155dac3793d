"""Versions of installed packages: those that the framework modules say themselves."""

import _python


class PackageNotFoundError(ModuleNotFoundError):
    pass


def version(name):
    try:
        module = _python.import_module(name.replace("-", "_"), None)
    except ImportError:
        raise PackageNotFoundError(name) from None
    found = getattr(module, "__version__", "0.0.0")
    return found if isinstance(found, str) else "0.0.0"


def distribution(name):
    class Distribution:
        metadata = {"Name": name}
    Distribution.version = version(name)
    return Distribution


def packages_distributions():
    return {}


def entry_points(**kwargs):
    return []


def distributions():
    return []


def requires(name):
    return []


def metadata(name):
    return {"Name": name, "Version": version(name)}
