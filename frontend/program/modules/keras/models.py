"""keras.models."""

from keras._clone import clone_model
from keras._model import Functional, Model
from keras._saving import load_model, model_from_config, model_from_json, model_from_yaml
from keras._saving import save_model
from keras._sequential import Sequential
