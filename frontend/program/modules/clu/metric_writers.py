"""clu.metric_writers: nothing is written."""


class MetricWriter:
    def __init__(self, *args, **kw):
        pass

    def write_scalars(self, step, scalars):
        return None

    def write_images(self, *args, **kw):
        return None

    def write_texts(self, *args, **kw):
        return None

    def write_hparams(self, *args, **kw):
        return None

    def write_histograms(self, *args, **kw):
        return None

    def write_summaries(self, *args, **kw):
        return None

    def write_videos(self, *args, **kw):
        return None

    def write_audios(self, *args, **kw):
        return None

    def flush(self):
        return None

    def close(self):
        return None

    def __enter__(self):
        return self

    def __exit__(self, *args):
        return False


LoggingWriter = SummaryWriter = AsyncWriter = AsyncMultiWriter = MultiWriter = MetricWriter


def create_default_writer(*args, **kw):
    return MetricWriter()


def ensure_flushes(*writers):
    return MetricWriter()


def write_values(*args, **kw):
    return None
