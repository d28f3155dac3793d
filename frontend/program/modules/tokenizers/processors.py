def __getattr__(name):
    import _tilewise
    if name[:2] == "__":
        raise AttributeError(name)
    return _tilewise.unknown("tokenizers.processors." + name)
