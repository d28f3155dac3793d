"""Text with the marks of HTML."""

_NAMES = {"&lt;": "<", "&gt;": ">", "&quot;": "\"", "&#x27;": "'", "&#39;": "'", "&nbsp;": "\xa0",
          "&amp;": "&"}


def escape(s, quote=True):
    s = s.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return s.replace("\"", "&quot;").replace("'", "&#x27;") if quote else s


def unescape(s):
    for name, mark in _NAMES.items():
        s = s.replace(name, mark)
    return s
