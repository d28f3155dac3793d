from keras.utils._basics import HDF5Matrix
