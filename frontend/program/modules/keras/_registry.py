"""Objects that a program registers by name."""

_objects = {}


def custom_object(name):
    return _objects.get(name)


def get_custom_objects():
    return _objects


def register_keras_serializable(package="Custom", name=None):
    def decorate(thing):
        _objects[name or thing.__name__] = thing
        return thing
    return decorate


class CustomObjectScope:
    def __init__(self, *args, **kwargs):
        for given in args:
            if isinstance(given, dict):
                _objects.update(given)

    def __enter__(self):
        return self

    def __exit__(self, *args):
        return False


custom_object_scope = CustomObjectScope


def get_registered_name(thing):
    return getattr(thing, "__name__", str(thing))


def get_registered_object(name, custom_objects=None, module_objects=None):
    return (custom_objects or {}).get(name, _objects.get(name))
