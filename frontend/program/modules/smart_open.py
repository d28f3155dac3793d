"""Files of stores are opened as those of the machine."""

import builtins


def open(uri, mode="r", *args, **kwargs):
    return builtins.open(uri, mode)


smart_open = open
