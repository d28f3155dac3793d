"""gin: arguments of functions that files and lines of settings bind."""

import _tilewise
from gin import _bindings
from gin._bindings import (REQUIRED, add_config_file_search_path, bind_parameter, config_scope,
                           configurable, external_configurable, parse_config,
                           parse_config_file, parse_config_files_and_bindings, query_parameter,
                           register)


def _ignore(*args, **kw):
    return None


finalize = enter_interactive_mode = exit_interactive_mode = _ignore


def clear_config(*args, **kw):
    _bindings.BOUND.clear()
    _bindings.MACROS.clear()


def constant(name, value):
    _bindings.MACROS[name] = value


def constants_from_enum(cls=None, module=None):
    if cls is None:
        return lambda c: constants_from_enum(c)
    for one in cls:
        _bindings.MACROS[cls.__name__ + "." + one.name] = one
    return cls


def get_configurable(name):
    return _bindings.known(name)


def operative_config_str(*args):
    return ""


config_str = operative_config_str


class unlock_config:
    def __init__(self, *args):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *args):
        return False


class config:
    configurable = staticmethod(configurable)
    external_configurable = staticmethod(external_configurable)
    register = staticmethod(register)
    bind_parameter = staticmethod(bind_parameter)
    parse_config = staticmethod(parse_config)
    parse_config_file = staticmethod(parse_config_file)
    query_parameter = staticmethod(query_parameter)
    config_is_locked = staticmethod(lambda: False)
    config_str = operative_config_str = staticmethod(operative_config_str)
