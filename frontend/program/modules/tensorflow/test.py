"""tf.test."""

import unittest
from tensorflow._control import context


class TestCase(unittest.TestCase):
    def assertAllClose(self, *args, **kwargs):
        pass

    assertAllEqual = assertShapeEqual = assertAllInRange = assertNear = assertAllClose

    def session(self, *args, **kwargs):
        return context()

    cached_session = test_session = session

    def evaluate(self, tensors):
        return tensors

    def get_temp_dir(self):
        return "/tmp"


def gpu_device_name():
    return ""


def is_gpu_available(cuda_only=False, min_cuda_compute_capability=None):
    return False


def is_built_with_cuda():
    return False


is_built_with_rocm = is_built_with_gpu_support = is_built_with_cuda


def is_built_with_xla():
    return True


def main(argv=None):
    pass


def get_temp_dir():
    return "/tmp"


def create_local_cluster(*args, **kwargs):
    return [], []
