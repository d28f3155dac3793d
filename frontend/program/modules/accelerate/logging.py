from logging import getLogger


def get_logger(name, log_level=None):
    return getLogger(name)
