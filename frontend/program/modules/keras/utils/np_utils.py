from keras.utils._basics import normalize, to_categorical
