"""keras.saving."""

from keras._registry import (CustomObjectScope, custom_object_scope, get_custom_objects,
                             get_registered_name, get_registered_object,
                             register_keras_serializable)
from keras._saving import (deserialize_keras_object, load_model, load_weights, save_model,
                           save_weights, serialize_keras_object)


class KerasFileEditor:
    def __init__(self, *args, **kwargs):
        pass
