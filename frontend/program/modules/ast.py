"""Only values written as text."""

import _python


def literal_eval(text):
    if not isinstance(text, str):
        return text
    return _python.literal_eval(text)
