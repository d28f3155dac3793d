def thread_map(function, *iterables, **kwargs):
    return [function(*row) for row in zip(*iterables)]


process_map = thread_map
