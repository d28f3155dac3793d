from keras.utils._image import array_to_img, img_to_array, load_img, smart_resize
