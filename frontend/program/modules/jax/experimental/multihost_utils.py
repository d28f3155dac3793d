"""jax.experimental.multihost_utils."""

import _tilewise


def sync_global_devices(name):
    return None


def broadcast_one_to_all(x, is_source=None):
    return x


def process_allgather(x, tiled=False):
    return x


def host_local_array_to_global_array(x, mesh, specs):
    _tilewise.record("host_batches")
    return x


def global_array_to_host_local_array(x, mesh, specs):
    return x


def assert_equal(x, message=""):
    return None
