from keras.utils._sequence import make_sampling_table, pad_sequences, skipgrams
from keras.utils._windows import TimeseriesGenerator
