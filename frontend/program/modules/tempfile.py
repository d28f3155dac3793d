"""Temporary files, in memory only."""


def gettempdir():
    return "/tmp"


def mkdtemp(suffix=None, prefix=None, dir=None):
    return f"{dir or '/tmp'}/{prefix or 'tmp'}directory{suffix or ''}"


def mkstemp(suffix=None, prefix=None, dir=None, text=False):
    return 3, f"{dir or '/tmp'}/{prefix or 'tmp'}file{suffix or ''}"


def mktemp(suffix="", prefix="tmp", dir=None):
    return f"{dir or '/tmp'}/{prefix}file{suffix}"


class TemporaryDirectory:
    def __init__(self, suffix=None, prefix=None, dir=None, **kwargs):
        self.name = mkdtemp(suffix, prefix, dir)

    def __enter__(self):
        return self.name

    def __exit__(self, *excinfo):
        pass

    def cleanup(self):
        pass


def NamedTemporaryFile(mode="w+b", *args, suffix=None, prefix=None, dir=None, **kwargs):
    import io
    made = io.BytesIO() if "b" in mode else io.StringIO()
    made.name = mkstemp(suffix, prefix, dir)[1]
    return made


TemporaryFile = SpooledTemporaryFile = NamedTemporaryFile
