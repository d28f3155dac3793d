def cpu_count(logical=True):
    return 8


def __getattr__(name):
    import _tilewise
    return _tilewise.unknown(f"psutil.{name}")
