"""configargparse: argparse whose defaults may also stand in a file."""

import argparse
from argparse import *


class ArgumentParser(argparse.ArgumentParser):
    def __init__(self, *args, default_config_files=(), config_file_parser_class=None,
                 auto_env_var_prefix=None, ignore_unknown_config_file_keys=False, **kwargs):
        super().__init__(*args, **kwargs)

    def add_argument(self, *names, is_config_file=False, env_var=None, **kwargs):
        kwargs.pop("is_write_out_config_file_arg", None)
        return super().add_argument(*names, **kwargs)

    add, add_arg = add_argument, add_argument


ArgParser = Parser = ArgumentParser


class YAMLConfigFileParser:
    pass


DefaultConfigFileParser = YAMLConfigFileParser
