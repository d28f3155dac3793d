from easydict import EasyDict as Munch

DefaultMunch = Munch


def munchify(value):
    return Munch(value) if isinstance(value, dict) else value
