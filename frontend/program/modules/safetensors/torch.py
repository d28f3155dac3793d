import _tilewise


def load_file(*args, **kwargs):
    return _tilewise.unknown("weights in a file")


def save_file(*args, **kwargs):
    pass


load, save, save_model = load_file, save_file, save_file


def load_model(model, filename, **kwargs):
    return [], []
