"""Writers that write nothing."""


class SummaryWriter:
    def __init__(self, logdir=None, *args, **kwargs):
        self.logdir = self.log_dir = logdir or "runs"

    def add_scalar(self, *args, **kwargs):
        pass

    add_scalars = add_image = add_images = add_histogram = add_graph = add_text = add_scalar
    add_figure = add_hparams = add_embedding = add_video = add_audio = add_mesh = add_scalar
    add_pr_curve = add_custom_scalars = add_histogram_raw = flush = close = add_scalar

    def get_logdir(self):
        return self.logdir

    def __enter__(self):
        return self

    def __exit__(self, *excinfo):
        pass


FileWriter = SummaryWriter
