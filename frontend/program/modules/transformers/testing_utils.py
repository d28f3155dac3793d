class CaptureLogger:
    out = ""

    def __init__(self, logger=None):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False


def slow(test):
    return test


require_torch = slow
