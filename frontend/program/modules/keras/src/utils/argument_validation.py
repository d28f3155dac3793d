"""keras.src.utils.argument_validation."""


def standardize_tuple(value, n, name, allow_zero=False):
    return (value,) * n if isinstance(value, int) else tuple(value)


def standardize_padding(value, allow_causal=False):
    return value if isinstance(value, (list, tuple)) else value.lower()
