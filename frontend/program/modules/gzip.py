"""Packed files. Of those that programs train on the published sizes are known."""

import io


def open(filename, mode="rb", *args, **options):
    return io.open(filename, mode)


GzipFile = open


class BadGzipFile(OSError):
    pass


def decompress(data):
    return data


compress = decompress
