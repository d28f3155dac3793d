def dictConfig(config):
    pass


def fileConfig(*args, **kwargs):
    pass
