"""jax.experimental.mesh_utils."""

import math


def create_device_mesh(mesh_shape, devices=None, *, contiguous_submeshes=False,
                       allow_split_physical_axes=False):
    import jax
    from jax.sharding import DeviceGrid
    ds = jax.devices() if devices is None else list(devices)
    return DeviceGrid(ds[:math.prod(mesh_shape)], mesh_shape)


def create_hybrid_device_mesh(mesh_shape, dcn_mesh_shape, devices=None, **kw):
    shape = [a * b for a, b in zip(mesh_shape, dcn_mesh_shape)]
    return create_device_mesh(shape, devices)
