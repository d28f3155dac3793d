"""torchtext.utils."""

import _tilewise


def download_from_url(url, path=None, root=".data", **kw):
    return path or root + "/" + url.rsplit("/", 1)[-1]


def extract_archive(path, *args, **kw):
    return [path]


def unicode_csv_reader(data, **kw):
    return _tilewise.unknown("the rows of a table that is not here")
