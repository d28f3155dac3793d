class SummaryWriter:
    def __init__(self, log_dir=None, *args, **kwargs):
        self.log_dir = log_dir or "runs"

    def add_scalar(self, *args, **kwargs):
        pass

    add_scalars = add_image = add_images = add_histogram = add_graph = add_text = add_scalar
    add_figure = add_hparams = add_video = add_audio = add_embedding = add_pr_curve = add_scalar
    flush = close = add_scalar

    def get_logdir(self):
        return self.log_dir

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False
