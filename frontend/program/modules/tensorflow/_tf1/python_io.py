"""tf.python_io: records are not written, and what is read is not known."""

import _tilewise as _t
from tensorflow._tf1.graph import Quiet


class TFRecordWriter(Quiet):
    pass


class TFRecordOptions(Quiet):
    pass


class TFRecordCompressionType:
    NONE, ZLIB, GZIP = 0, 1, 2


def tf_record_iterator(path, options=None):
    return _t.unknown("records of file " + str(path))
