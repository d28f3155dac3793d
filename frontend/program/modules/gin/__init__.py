"""gin: functions keep their own defaults."""


def configurable(target=None, module=None, **kw):
    if callable(target):
        return target
    return lambda f: f


register = configurable


def external_configurable(target, name=None, module=None, **kw):
    return target


def _ignore(*args, **kw):
    return None


parse_config = parse_config_file = parse_config_files_and_bindings = bind_parameter = _ignore
add_config_file_search_path = clear_config = finalize = constant = _ignore
enter_interactive_mode = exit_interactive_mode = _ignore
REQUIRED = object()


def query_parameter(name):
    import _tilewise
    return _tilewise.unknown("a parameter of a gin file")


def operative_config_str(*args):
    return ""


config_str = operative_config_str


class unlock_config:
    def __enter__(self):
        return self

    def __exit__(self, *args):
        return False


config_scope = unlock_config
