class record_function:
    def __init__(self, name=None, *args, **kwargs):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False


profile = emit_nvtx = record_function
