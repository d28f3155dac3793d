import _tilewise


def safe_open(*args, **kwargs):
    return _tilewise.unknown("weights in a file")
