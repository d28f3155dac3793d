"""Inner names of optax: each module of them shows what optax shows."""


def __getattr__(name):
    import optax
    if name[:2] == "__":
        raise AttributeError(name)
    return optax
