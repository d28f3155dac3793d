enabled = deterministic = benchmark = allow_tf32 = False


def is_available():
    return False


def version():
    return None
