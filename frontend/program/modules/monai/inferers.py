from _tilewise_nothing import module

_other = module("monai.inferers")


def __getattr__(name):
    return _other(name)


def sliding_window_inference(inputs, roi_size, sw_batch_size, predictor, *args, **kwargs):
    return _other("what windows of an image give")


class SlidingWindowInferer:
    def __init__(self, *args, **kwargs):
        pass

    def __call__(self, inputs, network, *args, **kwargs):
        return _other("what windows of an image give")


class SimpleInferer:
    def __call__(self, inputs, network, *args, **kwargs):
        return network(inputs, *args, **kwargs)
