"""Which parts are wrapped makes no difference to what is computed."""


def _policy(*args, **kwargs):
    return True


transformer_auto_wrap_policy = size_based_auto_wrap_policy = always_wrap_policy = _policy
lambda_auto_wrap_policy = _or_policy = _policy


class ModuleWrapPolicy:
    def __init__(self, *args, **kwargs):
        pass


CustomPolicy = ModuleWrapPolicy


class enable_wrap:
    def __init__(self, *args, **kwargs):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False


def wrap(module, **options):
    return module
