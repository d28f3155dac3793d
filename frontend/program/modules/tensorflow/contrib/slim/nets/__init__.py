"""slim.nets: networks with their published sizes."""


def __getattr__(name):
    import importlib
    if name in ("inception_v3",):
        name = "inception"
    if name in ("resnet_v1", "resnet_v2", "resnet_utils", "vgg", "inception"):
        return importlib.import_module("tensorflow.contrib.slim.nets." + name)
    raise AttributeError(name)
