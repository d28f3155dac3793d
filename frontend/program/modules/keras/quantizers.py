"""keras.quantizers."""


class Quantizer:
    def __init__(self, output_dtype="int8"):
        self.output_dtype = output_dtype

    def __call__(self, x):
        return x


class AbsMaxQuantizer(Quantizer):
    def __init__(self, axis=None, **kwargs):
        Quantizer.__init__(self)


def get(identifier):
    return identifier


serialize = deserialize = get
