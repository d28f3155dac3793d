def __getattr__(name):
    import diffusers
    return getattr(diffusers, name)
