from keras.utils._basics import multi_gpu_model
