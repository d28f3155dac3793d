"""The package that Keras once kept its preprocessing in."""
from keras.preprocessing import image, sequence, text
