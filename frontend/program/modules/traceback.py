"""Traces of errors, as short texts."""


def format_exc(*args, **kwargs):
    return ""


def print_exc(*args, **kwargs):
    pass


print_exception = print_stack = print_tb = print_exc


def format_exception(*args, **kwargs):
    return []


format_stack = format_tb = extract_stack = extract_tb = format_list = format_exception


def format_exception_only(error, *args):
    return [f"{type(error).__name__}: {error}\n"]
