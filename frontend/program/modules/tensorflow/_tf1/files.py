"""Files, as tf.gfile and its relatives see them."""

import _python
import _tilewise as _t
from tensorflow._tf1.graph import Quiet, nothing


class GFile:
    """A file that is read from the disk, or written to nowhere."""

    def __init__(self, name, mode="r", **kw):
        self.name, self.mode = name, mode
        self._text = None
        self._at = 0

    def _read(self):
        if self._text is None:
            text = None
            if isinstance(self.name, str) and not _t.is_unknown(self.name):
                text = _python.read_file(self.name)
                if text is None:
                    from _tilewise_files import stand_in
                    text = stand_in(self.name)
            if text is None:
                text = _t.unknown("what file " + str(self.name) + " holds")
            self._text = text
        return self._text

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        return False

    def read(self, n=-1):
        return self._read()

    def readline(self):
        text = self._read()
        if _t.is_unknown(text):
            # A file that is not there has one line, which is not known.
            self._at += 1
            return text if self._at == 1 else ""
        end = text.find("\n", self._at)
        end = len(text) if end < 0 else end + 1
        line, self._at = text[self._at:end], end
        return line

    def readlines(self):
        text = self._read()
        return [text] if _t.is_unknown(text) else text.splitlines(True)

    def __iter__(self):
        return iter(self.readlines())

    def __next__(self):
        line = self.readline()
        if line == "":
            raise StopIteration
        return line

    def seek(self, *args, **kw):
        self._at = 0

    def write(self, text):
        return None

    writelines = flush = close = write
    flush = close = nothing

    def size(self):
        return _t.unknown("the size of a file")

    def tell(self):
        return self._at


def Exists(path):
    if not isinstance(path, str) or _t.is_unknown(path):
        return _t.unknown("whether a file is there")
    return _python.read_file(path) is not None


def IsDirectory(path):
    return _t.unknown("whether a folder is there")


def Glob(pattern):
    """The files of a data set: one for each pattern, whose name is not known."""
    if not _t.is_unknown(pattern) and isinstance(pattern, (list, tuple)):
        return [name for one in pattern for name in Glob(one)]
    if _t.is_unknown(pattern) or "*" in pattern or "?" in pattern or "[" in pattern:
        return [_t.unknown("the name of a file of the data set")]
    return [pattern]


def ListDirectory(path):
    return _t.unknown("the files of a folder")


Walk = Stat = ListDirectory
MakeDirs = MkDir = DeleteRecursively = Remove = Rename = Copy = nothing


def read_file(filename, name=None):
    from tensorflow import io
    return io.read_file(filename)


write_file = get_resource_path = convert_variables_to_constants = nothing
extract_sub_graph = remove_training_nodes = nothing


def load_resource(path):
    return _t.unknown("what file " + str(path) + " holds")


def matching_files(pattern, name=None):
    return Glob(pattern)


class Reader(Quiet):
    def read(self, queue, name=None):
        from tensorflow._strings import texts_of_shape
        return texts_of_shape([]), texts_of_shape([])


WholeFileReader = TFRecordReader = TextLineReader = FixedLengthRecordReader = Reader
