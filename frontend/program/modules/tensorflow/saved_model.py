"""tf.saved_model: nothing is written, and what is read is not known."""

import _tilewise
from tensorflow.config import _nothing

save = _nothing
DEFAULT_SERVING_SIGNATURE_DEF_KEY = PREDICT_METHOD_NAME = "serving_default"
SERVING, TRAINING, GPU, TPU = "serve", "train", "gpu", "tpu"
ASSETS_DIRECTORY, VARIABLES_DIRECTORY = "assets", "variables"


def load(export_dir, tags=None, options=None):
    return _tilewise.unknown("the model that is loaded from " + str(export_dir))


load_v2 = load


def contains_saved_model(export_dir):
    return False


class SaveOptions:
    def __init__(self, **options):
        pass


LoadOptions = SaveOptions


class Asset:
    def __init__(self, path):
        self.asset_path = path


class experimental:
    VariablePolicy = TrackableResource = Fingerprint = SaveOptions


def __getattr__(name):
    from tensorflow._public import _older
    return _older("compat.v1.saved_model", name)
