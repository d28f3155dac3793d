"""keras.preprocessing, with what Keras 2 has there."""

from keras.preprocessing import image, sequence, text
from keras.utils._folders import (audio_dataset_from_directory, image_dataset_from_directory,
                                  text_dataset_from_directory, timeseries_dataset_from_array)
