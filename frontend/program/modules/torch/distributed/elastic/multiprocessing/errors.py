def record(function=None, error_handler=None):
    return (lambda f: f) if function is None else function
