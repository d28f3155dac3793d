"""keras.utils."""

from keras._registry import (CustomObjectScope, custom_object_scope, get_custom_objects,
                             get_registered_name, get_registered_object,
                             register_keras_serializable)
from keras._saving import deserialize_keras_object, serialize_keras_object
from keras.utils._basics import (FeatureSpace, GeneratorEnqueuer, HDF5Matrix, OrderedEnqueuer,
                                 Progbar, PyDataset, Sequence, clear_session, count_params,
                                 disable_interactive_logging, enable_interactive_logging,
                                 get_file, get_source_inputs, is_interactive_logging_enabled,
                                 is_keras_tensor, model_to_dot, multi_gpu_model, normalize,
                                 pack_x_y_sample_weight, plot_model, print_summary, save_img,
                                 set_random_seed, standardize_dtype,
                                 to_categorical, unpack_x_y_sample_weight)
from keras.utils._folders import (audio_dataset_from_directory, image_dataset_from_directory,
                                  split_dataset, text_dataset_from_directory,
                                  timeseries_dataset_from_array)
from keras.utils._image import array_to_img, img_to_array, load_img
from keras.utils._sequence import pad_sequences


class generic_utils:
    """Older programs find them here."""
    get_custom_objects = get_custom_objects
    Progbar = Progbar
    CustomObjectScope = CustomObjectScope
    register_keras_serializable = register_keras_serializable
    serialize_keras_object = serialize_keras_object
    deserialize_keras_object = deserialize_keras_object
