from ._arrays import pairs


def picture():
    from keras import backend
    return (3, 32, 32) if backend.image_data_format() == "channels_first" else (32, 32, 3)


def load_data():
    return pairs(50000, 10000, picture(), columns=(1,), kinds=10)
