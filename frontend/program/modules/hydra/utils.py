"""Objects from their descriptions."""


def get_class(path):
    import importlib
    module, _, name = path.rpartition(".")
    try:
        return getattr(importlib.import_module(module), name)
    except ImportError:
        return getattr(get_class(module), name)


get_method = get_object = get_static_method = get_class


def _make(config, args, kwargs, recursive):
    from omegaconf import Container, DictConfig, ListConfig
    if isinstance(config, (ListConfig, list)):
        return [_make(v, (), {}, True) for v in config]
    if not isinstance(config, (DictConfig, dict)):
        return config
    items = {}
    for key in config:
        if key not in kwargs:
            items[key] = config[key]
    target = items.pop("_target_", None)
    if target is None:
        return {k: _make(v, (), {}, True) for k, v in items.items()} if recursive is None \
            else config
    recursive = items.pop("_recursive_", recursive)
    partial = items.pop("_partial_", False)
    convert = items.pop("_convert_", None)
    args = tuple(items.pop("_args_", ())) + args
    items.update(kwargs)
    if recursive is not False:
        items = {k: _make(v, (), {}, True) for k, v in items.items()}
    if convert in ("all", "partial"):
        from omegaconf import OmegaConf
        items = {k: OmegaConf.to_container(v, resolve=True) if isinstance(v, Container) else v
                 for k, v in items.items()}
    function = get_class(target) if isinstance(target, str) else target
    if partial:
        import functools
        return functools.partial(function, *args, **items)
    return function(*args, **items)


def instantiate(config, *args, **kwargs):
    if config is None:
        return None
    recursive = kwargs.pop("_recursive_", True)
    for name in ("_convert_", "_partial_"):
        if name in kwargs and hasattr(config, "copy"):
            config = config.copy()
            config[name] = kwargs.pop(name)
    return _make(config, args, kwargs, recursive)


call = instantiate


def get_original_cwd():
    import os
    return os.getcwd()


def to_absolute_path(path):
    import os.path
    return os.path.join(get_original_cwd(), path)
