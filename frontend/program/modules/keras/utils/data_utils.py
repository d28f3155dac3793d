from keras.utils._basics import GeneratorEnqueuer, OrderedEnqueuer, Sequence, get_file
