"""Logging that writes nothing."""

from logging import Logger, getLogger

DEBUG, INFO, WARNING, ERROR, CRITICAL = 10, 20, 30, 40, 50


def get_logger(name=None):
    return getLogger(name or "transformers")


def get_verbosity():
    return 30


def _nothing(*args, **kwargs):
    pass


set_verbosity = set_verbosity_info = set_verbosity_error = set_verbosity_warning = _nothing
set_verbosity_debug = enable_default_handler = disable_default_handler = _nothing
enable_explicit_format = enable_propagation = disable_progress_bar = enable_progress_bar = _nothing
disable_propagation = add_handler = remove_handler = reset_format = _nothing
