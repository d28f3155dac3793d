from keras.utils._basics import count_params, get_source_inputs, print_summary
