"""keras.src.utils.naming."""

from keras._info import auto_name
from keras._info import snake as to_snake_case


def get_object_name(thing):
    return getattr(thing, "name", None) or to_snake_case(thing.__name__)
