"""mlxu: flags and configurations of JAX programs, random keys by name, and a logger."""

from copy import deepcopy

from absl import flags as _flags
from absl.app import run
from absl.flags import FLAGS
from ml_collections import ConfigDict
from ml_collections.config_dict import placeholder as config_placeholder
from ml_collections.config_flags import DEFINE_config_dict as _define_config

import _tilewise as _t

_DEFINED_BY_TYPE = ((bool, _flags.DEFINE_bool), (int, _flags.DEFINE_integer),
                    (float, _flags.DEFINE_float), (str, _flags.DEFINE_string))


def config_dict(*args, **kwargs):
    return ConfigDict(dict(*args, **kwargs))


def define_flags_with_default(**defaults):
    for name, default in defaults.items():
        text = ""
        if isinstance(default, tuple):
            default, text = default
        if isinstance(default, ConfigDict):
            _define_config(name, default)
            continue
        for kind, define in _DEFINED_BY_TYPE:
            if default is kind or isinstance(default, kind):
                define(name, None if default is kind else default, text)
                break
    return FLAGS, defaults


def flatten_config_dict(config, prefix=None):
    flat = {}
    for name, value in config.items():
        if isinstance(value, (ConfigDict, dict)):
            flat.update(flatten_config_dict(value, prefix=name))
        else:
            flat[name if prefix is None else str(prefix) + "." + str(name)] = value
    return flat


def get_user_flags(flags, flags_def):
    return flatten_config_dict({name: getattr(flags, name) for name in flags_def})


def user_flags_to_config_dict(flags, flags_def):
    return ConfigDict({name: getattr(flags, name) for name in flags_def})


def print_flags(flags, flags_def):
    return None


def update_config_dict(config, updates=None):
    updated = deepcopy(config)
    if updates is not None:
        updated.update(ConfigDict(updates).copy_and_resolve_references())
    return updated


def function_args_to_config(fn, none_arg_types=None, exclude_args=None, override_args=None):
    """The defaults of a function's parameters as a configuration."""
    import inspect
    config, kinds = ConfigDict(), none_arg_types or {}
    for name, parameter in inspect.signature(fn).parameters.items():
        if parameter.default is inspect.Parameter.empty or name in (exclude_args or ()):
            continue
        value = (override_args or {}).get(name, parameter.default)
        config[name] = config_placeholder(kinds[name]) if value is None and name in kinds else value
    return config


class WandBLogger:
    @staticmethod
    def get_default_config(updates=None):
        return update_config_dict(config_dict(
            project_id="", project="", project_entity=config_placeholder(str),
            experiment_id=config_placeholder(str), append_uuid=True, experiment_note="",
            entity=config_placeholder(str), prefix="", prefix_to_id=False, online=False,
            output_dir="/tmp/", wandb_dir="", notes=config_placeholder(str),
            random_delay=0.0), updates)

    def __init__(self, config, variant, enable=True):
        self.config = self.get_default_config(config)
        self.variant = variant
        self.output_dir = self.config.output_dir
        self.wandb_dir = self.config.wandb_dir
        self.experiment_id = "experiment"
        self.enable = enable

    def log(self, *args, **kwargs):
        return None

    def save_pickle(self, obj, filename):
        return None


def prefix_metrics(metrics, prefix):
    return {prefix + "/" + name: value for name, value in metrics.items()}


class Timer:
    def __enter__(self):
        return self

    def __exit__(self, *args):
        return False

    def __call__(self):
        return _t.unknown("a time that was measured")


def open_file(path, mode="rb", cache_type="readahead"):
    return open(path, mode)


def load_pickle(path):
    return _t.unknown("the contents of " + str(path))


def save_pickle(obj, path):
    return None


def makedirs(path, exist_ok=True):
    return None


def text_to_array(text, encoding="utf-8"):
    import numpy as np
    return np.frombuffer(text.encode(encoding), dtype="uint8")


def array_to_text(array, encoding="utf-8"):
    return _t.unknown("a text of an array")
