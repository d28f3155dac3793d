"""keras.legacy."""

from keras._saving import deserialize_keras_object, serialize_keras_object
