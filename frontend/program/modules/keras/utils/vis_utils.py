from keras.utils._basics import model_to_dot, plot_model
