"""Streams in memory."""

SEEK_SET, SEEK_CUR, SEEK_END = 0, 1, 2
DEFAULT_BUFFER_SIZE = 8192


class UnsupportedOperation(OSError, ValueError):
    pass


class IOBase:
    def __enter__(self):
        return self

    def __exit__(self, *excinfo):
        self.close()

    def close(self):
        self.closed = True

    def flush(self):
        pass

    def fileno(self):
        raise UnsupportedOperation("fileno")

    def isatty(self):
        return False

    def readable(self):
        return True

    writable = seekable = readable


class _Memory(IOBase):
    _empty = ""
    _line = "\n"

    def __init__(self, initial=None, newline="\n"):
        self._data = initial or self._empty
        self._at = 0
        self.closed = False

    def write(self, data):
        at = self._at
        if at == len(self._data):
            self._data += data
        else:
            self._data = self._data[:at] + data + self._data[at + len(data):]
        self._at = at + len(data)
        return len(data)

    def writelines(self, lines):
        for line in lines:
            self.write(line)

    def read(self, size=-1):
        stop = len(self._data) if size is None or size < 0 else self._at + size
        out = self._data[self._at:stop]
        self._at += len(out)
        return out

    read1 = read

    def readline(self, size=-1):
        stop = self._data.find(self._line, self._at)
        return self.read(-1 if stop < 0 else stop + 1 - self._at)

    def readlines(self, hint=-1):
        return list(self)

    def __iter__(self):
        while True:
            line = self.readline()
            if not line:
                return
            yield line

    def __next__(self):
        line = self.readline()
        if not line:
            raise StopIteration
        return line

    def getvalue(self):
        return self._data

    def seek(self, offset, whence=0):
        base = (0, self._at, len(self._data))[whence]
        self._at = base + offset
        return self._at

    def tell(self):
        return self._at

    def truncate(self, size=None):
        size = self._at if size is None else size
        self._data = self._data[:size]
        return size


class StringIO(_Memory):
    pass


class BytesIO(_Memory):
    _empty = b""
    _line = b"\n"

    def getbuffer(self):
        return self._data


RawIOBase = BufferedIOBase = TextIOBase = BufferedReader = BufferedWriter = FileIO = IOBase


class TextIOWrapper(StringIO):
    def __init__(self, buffer, *args, **kwargs):
        super().__init__()
        self.buffer = buffer


def open(path, mode="r", *args, **kwargs):
    import builtins
    return builtins.open(path, mode, *args, **kwargs)
