"""keras.src.utils.file_utils: files of the network are not fetched."""

import os

from keras.utils._basics import get_file

join, exists, isdir, remove, makedirs = (os.path.join, os.path.exists, os.path.isdir, os.remove,
                                         os.makedirs)


def path_to_string(path):
    return str(path)


def is_remote_path(path):
    return False


def validate_file(*args, **kwargs):
    return True
