"""TensorFlow Hub: models of the published shapes, where a handle names one that is known."""

import importlib as _importlib

import _tilewise as _t
from tensorflow_hub._columns import (image_embedding_column, sparse_text_embedding_column,
                                     text_embedding_column, text_embedding_column_v2)
from tensorflow_hub._layers import KerasLayer, Loaded, load
from tensorflow_hub._module import (LatestModuleExporter, Module, ModuleSpec, create_module_spec,
                                    eval_function_for_module, get_expected_image_size,
                                    get_num_image_channels, load_module_spec)

_importlib.import_module("keras")  # It is loaded whatever is used of this one.
__version__ = "0.16.1"


def resolve(handle):
    """Where the files of a module are."""
    return handle if _t.is_unknown(handle) else str(handle)


def add_signature(*args, **kwargs):
    return None


attach_image_module_info = attach_message = register_module_for_export = add_signature
image_util = add_signature
