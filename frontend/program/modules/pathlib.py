"""Paths as objects."""

import os.path as _path


class PurePath:
    def __new__(cls, *parts):
        import _tilewise
        for part in parts:
            if _tilewise.is_unknown(part):
                return part
        return object.__new__(cls)

    def __init__(self, *parts):
        text = _path.join(*parts) if parts else "."
        root = "/" if text.startswith("/") else ""
        kept = [p for p in text.split("/") if p not in ("", ".")]
        self._parts = kept
        self._root = root
        self._string = root + "/".join(kept) or "."

    def _new(self, *parts):
        return type(self)(*parts)

    def __str__(self):
        return self._string

    def __fspath__(self):
        return self._string

    def __repr__(self):
        kind = "PosixPath" if type(self) is Path else type(self).__name__
        return f"{kind}({self._string!r})"

    def __truediv__(self, other):
        return self._new(self._string, other)

    def __rtruediv__(self, other):
        return self._new(other, self._string)

    def __eq__(self, other):
        return isinstance(other, PurePath) and self._string == other._string

    def __lt__(self, other):
        return self._string < other._string

    def __hash__(self):
        return hash(self._string)

    def joinpath(self, *others):
        return self._new(self._string, *others)

    @property
    def parts(self):
        return ((self._root,) if self._root else ()) + tuple(self._parts)

    @property
    def root(self):
        return self._root

    anchor = root
    drive = ""

    @property
    def name(self):
        return self._parts[-1] if self._parts else ""

    @property
    def suffix(self):
        name = self.name
        i = name.rfind(".")
        return name[i:] if 0 < i < len(name) - 1 else ""

    @property
    def suffixes(self):
        name = self.name
        if name.endswith("."):
            return []
        return ["." + s for s in name.lstrip(".").split(".")[1:]]

    @property
    def stem(self):
        name = self.name
        i = name.rfind(".")
        return name[:i] if 0 < i < len(name) - 1 else name

    @property
    def parent(self):
        if not self._parts:
            return self
        return self._new(self._root + "/".join(self._parts[:-1]))

    @property
    def parents(self):
        found, at = [], self
        while at.parent != at:
            at = at.parent
            found.append(at)
        return tuple(found)

    def with_name(self, name):
        return self.parent / name

    def with_suffix(self, suffix):
        return self.parent / (self.stem + suffix)

    def with_stem(self, stem):
        return self.parent / (stem + self.suffix)

    def is_absolute(self):
        return bool(self._root)

    def is_relative_to(self, *other):
        other = self._new(*other)
        n = len(other._parts)
        return self._root == other._root and self._parts[:n] == other._parts

    def relative_to(self, *other):
        other = self._new(*other)
        if not self.is_relative_to(other):
            raise ValueError(f"{self._string!r} is not in the subpath of {other._string!r}")
        return self._new(*self._parts[len(other._parts):])

    def as_posix(self):
        return self._string

    def as_uri(self):
        return "file://" + self._string

    def match(self, pattern):
        import fnmatch
        return fnmatch.fnmatch(self._string if "/" in pattern else self.name, pattern)


class Path(PurePath):
    @classmethod
    def cwd(cls):
        import os
        return cls(os.getcwd())

    @classmethod
    def home(cls):
        return cls("/root")

    def exists(self):
        return _path.exists(self._string)

    def is_file(self):
        return _path.exists(self._string)

    def is_dir(self):
        return _path.isdir(self._string)

    def is_symlink(self):
        return False

    def absolute(self):
        return self._new(_path.join(_cwd(), self._string))

    def resolve(self, strict=False):
        return self._new(_path.abspath(self._string))

    def expanduser(self):
        return self._new(_path.expanduser(self._string))

    def read_text(self, encoding=None, errors=None):
        import _python
        text = _python.read_file(self._string)
        if text is None:
            import _tilewise
            return _tilewise.unknown(f"the text of the file {self._string}")
        return text

    def read_bytes(self):
        text = self.read_text()
        return text.encode() if isinstance(text, str) else text

    def open(self, mode="r", *args, **kwargs):
        return open(self._string, mode, *args, **kwargs)

    def write_text(self, text, *args, **kwargs):
        return len(text)

    write_bytes = write_text

    def _nothing(self, *args, **kwargs):
        return None

    mkdir = touch = unlink = rmdir = chmod = symlink_to = hardlink_to = _nothing

    def rename(self, target):
        return self._new(target)

    replace = rename

    def _files(self, *args):
        import _tilewise
        from _tilewise_files import matching, listing
        if args and _tilewise.is_unknown(args[0]):
            return _tilewise.unknown("files of " + self._string)
        if args:
            found = matching(self._string + "/" + args[0])
        else:
            found = listing(self._string)
            if not _tilewise.is_unknown(found):
                found = [n if _tilewise.is_unknown(n) else self._string + "/" + n
                         for n in found]
        if _tilewise.is_unknown(found):
            return found
        return iter([n if _tilewise.is_unknown(n) else self._new(n) for n in found])

    iterdir = glob = rglob = walk = _files

    def stat(self):
        import _tilewise
        return _tilewise.unknown(f"the state of {self._string}")

    def samefile(self, other):
        return self.resolve() == self._new(other).resolve()


def _cwd():
    import os
    return os.getcwd()


PurePosixPath = PureWindowsPath = PurePath
PosixPath = WindowsPath = Path
