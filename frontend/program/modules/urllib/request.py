"""Downloads, which do not happen."""


def _unknown(url):
    import _tilewise
    return _tilewise.unknown(f"what is at {url}")


def urlopen(url, *args, **kwargs):
    return _unknown(url)


def urlretrieve(url, filename=None, *args, **kwargs):
    return filename or "/tmp/download", {}


class Request:
    def __init__(self, url, *args, **kwargs):
        self.full_url = url


def build_opener(*args):
    return _unknown("an address")


install_opener = build_opener
