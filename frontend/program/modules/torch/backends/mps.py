is_available = is_built = lambda: False
