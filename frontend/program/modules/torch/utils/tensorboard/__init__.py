class SummaryWriter:
    def __init__(self, *args, **kwargs):
        pass

    def add_scalar(self, *args, **kwargs):
        pass

    add_scalars = add_image = add_images = add_histogram = add_graph = add_text = add_scalar
    add_figure = add_hparams = flush = close = add_scalar
