"""Paths as text. Only files of the program itself are known to exist."""

import _python
import _tilewise

sep = "/"
altsep = None
curdir, pardir, extsep, pathsep = ".", "..", ".", ":"
defpath, devnull = "/bin:/usr/bin", "/dev/null"


def _text(path):
    if _tilewise.is_unknown(path) or isinstance(path, str):
        return path
    if isinstance(path, bytes):
        return path.decode()
    if hasattr(path, "__fspath__"):
        return path.__fspath__()
    return _tilewise.unknown("a path that is not given" if path is None else
                             "a path made of " + type(path).__name__)


def join(first, *parts):
    path = _text(first)
    if _tilewise.is_unknown(path):
        return path
    for part in parts:
        part = _text(part)
        if _tilewise.is_unknown(part):
            return part
        if part.startswith("/"):
            path = part
        elif not path or path.endswith("/"):
            path = path + part
        else:
            path = path + "/" + part
    return path


def split(path):
    path = _text(path)
    if _tilewise.is_unknown(path):
        return path, path
    i = path.rfind("/") + 1
    head, tail = path[:i], path[i:]
    if head and head != "/" * len(head):
        head = head.rstrip("/")
    return head, tail


def basename(path):
    return split(path)[1]


def dirname(path):
    return split(path)[0]


def splitext(path):
    path = _text(path)
    if _tilewise.is_unknown(path):
        return path, path
    start = path.rfind("/") + 1
    name = path[start:]
    dot = name.rfind(".")
    if dot <= 0 or name[:dot].strip(".") == "":
        return path, ""
    return path[:start + dot], name[dot:]


def splitdrive(path):
    return "", _text(path)


def isabs(path):
    return _text(path).startswith("/")


def normpath(path):
    path = _text(path)
    if _tilewise.is_unknown(path):
        return path
    if not path:
        return "."
    start = "/" if path.startswith("/") else ""
    kept = []
    for part in path.split("/"):
        if part in ("", "."):
            continue
        if part == ".." and kept and kept[-1] != "..":
            kept.pop()
        elif part != ".." or not start:
            kept.append(part)
    return start + "/".join(kept) or "."


def normcase(path):
    return _text(path)


def abspath(path):
    path = _text(path)
    if _tilewise.is_unknown(path):
        return path
    if not path.startswith("/"):
        import os
        path = join(os.getcwd(), path)
    return normpath(path)


def realpath(path, strict=False):
    return abspath(path)


def expanduser(path):
    path = _text(path)
    if _tilewise.is_unknown(path):
        return path
    if path == "~" or path.startswith("~/"):
        return "/root" + path[1:]
    return path


def expandvars(path):
    path = _text(path)
    if _tilewise.is_unknown(path):
        return path
    if "$" not in path:
        return path
    import os
    import re

    def value(match):
        found = os.environ.get(match.group(1) or match.group(2))
        return match.group(0) if found is None else found
    return re.sub(r"\$(?:(\w+)|\{([^}]*)\})", value, path)


def relpath(path, start="."):
    path = _text(path)
    if _tilewise.is_unknown(path) or _tilewise.is_unknown(start):
        return path
    here = [p for p in abspath(start).split("/") if p]
    there = [p for p in abspath(path).split("/") if p]
    same = 0
    while same < min(len(here), len(there)) and here[same] == there[same]:
        same += 1
    return "/".join([".."] * (len(here) - same) + there[same:]) or "."


def commonprefix(paths):
    if not paths:
        return ""
    low, high = min(paths), max(paths)
    for i, c in enumerate(low):
        if c != high[i]:
            return low[:i]
    return low


def commonpath(paths):
    parts = [_text(p).split("/") for p in paths]
    return "/".join(commonprefix(parts)) or "/"


def exists(path):
    there = isfile(path)
    if there is False and bool(_python.list_folder(_text(path))):
        return True
    return there


def isfile(path):
    path = path if path is None else _text(path)
    if path is None:
        return False
    if _tilewise.is_unknown(path):
        return _tilewise.unknown("whether a file is there")
    from _tilewise_files import read
    if read(path) is not None:
        return True
    if path.endswith((".txt", ".tokens")):
        from _tilewise_files import known
        return known(path)
    from _tilewise_files import is_made
    return is_made(path)


lexists = exists


def isdir(path):
    if path is None:
        return False
    path = _text(path)
    if _tilewise.is_unknown(path):
        return _tilewise.unknown("whether a folder is there")
    from _tilewise_files import folder_of_data, is_made
    if isinstance(path, str) and (folder_of_data(path) or is_made(path)):
        return _tilewise.unknown("whether the folder " + path + " is there")
    return bool(_python.list_folder(path)) if isinstance(path, str) else False


def islink(path):
    return False


def ismount(path):
    return False


def samefile(a, b):
    return abspath(a) == abspath(b)


def getsize(path):
    path = _text(path)
    text = None if _tilewise.is_unknown(path) else _python.read_file(path)
    if text is None:
        return _tilewise.unknown(f"the size of the file {path}")
    return len(text)


def getmtime(path):
    return _tilewise.unknown(f"the date of the file {path}")


getctime = getatime = getmtime
