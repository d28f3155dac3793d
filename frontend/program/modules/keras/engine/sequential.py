"""keras.engine.sequential"""

from keras._sequential import Sequential
