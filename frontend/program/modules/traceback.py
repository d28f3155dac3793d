"""Traces of errors, as short texts."""

import sys

import _tilewise


def format_exc(*args, **kwargs):
    error = sys.exc_info()[1]
    if error is None:
        return ""
    text = f"{type(error).__name__}: {error}"
    _tilewise.note("the program catches and reports " + text)
    return text


def print_exc(*args, **kwargs):
    format_exc()


def print_stack(*args, **kwargs):
    pass


print_exception = print_tb = print_stack


def format_exception(*args, **kwargs):
    return []


format_stack = format_tb = extract_stack = extract_tb = format_list = format_exception


def format_exception_only(error, *args):
    return [f"{type(error).__name__}: {error}\n"]
