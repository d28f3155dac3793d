"""keras.src.models."""

from keras.models import *
from keras._model import Functional, Model
from keras._sequential import Sequential
