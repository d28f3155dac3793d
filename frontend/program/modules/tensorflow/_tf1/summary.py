"""tf.summary of TensorFlow 1: nothing is written."""

from tensorflow._tf1.graph import Quiet, nothing


def __getattr__(name):
    if name[:2] == "__":
        raise AttributeError(name)
    return nothing


class FileWriter(Quiet):
    pass


class FileWriterCache(Quiet):
    @staticmethod
    def get(*args):
        return FileWriter()

    @staticmethod
    def clear():
        return None


class Summary(Quiet):
    class Value(Quiet):
        pass

    class Image(Quiet):
        pass

    def __init__(self, *args, **kw):
        self.value = _Values()


class _Values(list):
    def add(self, *args, **kw):
        return Quiet()


class SummaryDescription(Quiet):
    pass


class Event(Quiet):
    pass


def create_file_writer(*args, **kw):
    return Quiet()


def record_if(condition):
    return Quiet()


def always_record_summaries():
    return Quiet()


def record_summaries_every_n_global_steps(n, global_step=None):
    return Quiet()


never_record_summaries = should_record_summaries = always_record_summaries
create_summary_file_writer = create_file_writer


def all_v2_summary_ops():
    return []


all_summary_ops = all_v2_summary_ops
