"""ml_collections.config_flags: a flag whose value is the configuration of a file.

The file is the default of the flag, or what `--config=FILE` names on the command line.
"""

import sys

from absl import flags


def DEFINE_config_file(name, default=None, help_string="path to config file", flag_values=None,
                       lock_config=True, accept_new_attributes=False, **kw):
    return flags._define(name, default, help_string, kind="config", locked=False)


def DEFINE_config_dict(name, config, help_string="", flag_values=None, lock_config=True, **kw):
    return flags._define(name, config, help_string)


def DEFINE_config_dataclass(name, config, help_string="", **kw):
    return flags._define(name, config, help_string)


def get_config_filename(flag):
    return ""


def get_override_values(flag):
    return {}


def register_flag_parser_for_type(*args, **kw):
    return None
