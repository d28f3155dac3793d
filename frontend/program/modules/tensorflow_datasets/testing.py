"""tfds.testing: data that is made up has the shapes of the real one."""

import contextlib


@contextlib.contextmanager
def mock_data(num_examples=1, *args, **kwargs):
    yield


@contextlib.contextmanager
def tmp_dir(dirname=None):
    yield "/tmp/tfds"
