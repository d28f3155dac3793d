"""Files of any store: those of the program, and data that is not here."""

import io
import _python

_SAVED = (".pt", ".pth", ".ckpt", ".pkl", ".bin")


class _File:
    def __init__(self, path, mode):
        self.path, self.mode = path, mode

    def open(self):
        if "r" in self.mode and isinstance(self.path, str) and self.path.endswith(_SAVED) and \
                _python.read_file(self.path) is None:
            raise FileNotFoundError(self.path)
        return io.open(self.path, self.mode)

    __enter__ = open

    def __exit__(self, *error):
        return False


def open(urlpath, mode="rb", **options):
    return _File(urlpath, mode)


def open_files(urlpath, mode="rb", **options):
    return [_File(urlpath, mode)]


def filesystem(protocol="file", **options):
    import _tilewise
    return _tilewise.unknown("files of the store " + str(protocol))
