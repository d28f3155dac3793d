"""Errors of environments."""


class Error(Exception):
    pass


class UnregisteredEnv(Error):
    pass


class DependencyNotInstalled(Error):
    pass
