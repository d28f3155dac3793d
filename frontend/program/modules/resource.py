def __getattr__(name):
    import _tilewise
    return _tilewise.unknown(f"resource.{name}")
