"""Readers and writers of single files."""

import _tilewise


class ArrayRecordReader:
    def __init__(self, path, options="", **more):
        self.path = path

    def num_records(self):
        return _tilewise.unknown("how many records a file has")

    def read(self, *args):
        return _tilewise.unknown("the records of a file")

    def close(self):
        pass


class ArrayRecordWriter:
    def __init__(self, path, options="", **more):
        self.path = path

    def write(self, record):
        pass

    def close(self):
        pass
