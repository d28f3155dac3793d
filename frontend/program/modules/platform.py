"""The machine the program is meant for."""


def system():
    return "Linux"


def machine():
    return "x86_64"


processor = machine


def node():
    return "host"


def release():
    return "5.0"


version = release


def platform(*args, **kwargs):
    return "Linux-5.0-x86_64"


def python_version():
    return "3.11.0"


def python_version_tuple():
    return ("3", "11", "0")


def python_implementation():
    return "CPython"


def architecture(*args):
    return ("64bit", "ELF")


def uname():
    from types import SimpleNamespace
    return SimpleNamespace(system="Linux", node="host", release="5.0", version="1",
                           machine="x86_64", processor="x86_64")


def mac_ver():
    return ("", ("", "", ""), "")
