"""Encodings of text: streams are the files themselves."""

BOM_UTF8 = b"\xef\xbb\xbf"


def open(filename, mode="r", encoding=None, errors="strict", buffering=-1):
    import builtins
    return builtins.open(filename, mode.replace("b", ""))


def getreader(encoding):
    return _reader


def getwriter(encoding):
    return lambda stream, errors="strict": stream


def getincrementaldecoder(encoding):
    import _tilewise
    return _tilewise.unknown("a decoder of " + str(encoding))


def encode(text, encoding="utf-8", errors="strict"):
    return text.encode(encoding)


def decode(data, encoding="utf-8", errors="strict"):
    return data.decode(encoding)


def lookup(encoding):
    return encoding


def _reader(stream, errors="strict"):
    import _tilewise
    import io
    if _tilewise.is_unknown(stream):
        return stream
    data = stream.read()
    return io.StringIO(data.decode()) if isinstance(data, bytes) and \
        not _tilewise.is_unknown(data) else stream
