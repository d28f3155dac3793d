"""tf.summary: nothing is written."""

from tensorflow._control import context
from tensorflow.config import _nothing

scalar = image = text = histogram = audio = graph = write = flush = _nothing
trace_on = trace_off = trace_export = _nothing


class SummaryWriter(context):
    def as_default(self, step=None):
        return self

    def set_as_default(self, step=None):
        pass

    def flush(self):
        pass

    close = init = flush


def create_file_writer(logdir, max_queue=None, flush_millis=None, filename_suffix=None, name=None,
                       experimental_trackable=False):
    return SummaryWriter()


def create_noop_writer():
    return SummaryWriter()


def record_if(condition):
    return context()


def should_record_summaries():
    return False


class experimental:
    set_step = write_raw_pb = staticmethod(_nothing)
    get_step = staticmethod(lambda: None)
    summary_scope = context


def __getattr__(name):
    from tensorflow._public import _older
    return _older("compat.v1.summary", name)
