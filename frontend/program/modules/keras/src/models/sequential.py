"""keras.src.models.sequential"""

from keras._sequential import Sequential
