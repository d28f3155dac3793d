"""keras.src.utils.python_utils."""


def default(method):
    return method


def to_list(x):
    return x if isinstance(x, list) else [x]


def pythonify_logs(logs):
    return logs
