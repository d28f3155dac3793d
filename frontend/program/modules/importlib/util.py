"""Whether modules are there."""

import _python


class ModuleSpec:
    def __init__(self, name, loader=None, *, origin=None, **kwargs):
        self.name = name
        self.origin = origin
        self.loader = loader or _Loader()
        self.submodule_search_locations = None


class _Loader:
    def exec_module(self, module):
        pass


def find_spec(name, package=None):
    try:
        module = _python.import_module(name, package)
    except ImportError:
        return None
    return getattr(module, "__spec__", None) or ModuleSpec(name)


def spec_from_file_location(name, location=None, **kwargs):
    return ModuleSpec(name, origin=location)


def module_from_spec(spec):
    import _tilewise
    return _tilewise.unknown(f"the module {spec.name}, which is loaded from a file")


def resolve_name(name, package):
    level = len(name) - len(name.lstrip("."))
    if not level:
        return name
    base = package.rsplit(".", level - 1)[0]
    return f"{base}.{name.lstrip('.')}" if name.lstrip(".") else base
