def collect(generation=2):
    return 0


def enable():
    pass


disable = freeze = unfreeze = enable


def isenabled():
    return True


def get_objects():
    return []


def set_threshold(*args):
    pass
