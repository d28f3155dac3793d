"""Meshes of devices; the program is read as the first of them."""

import math
import _tilewise


class DeviceMesh:
    _root, _flat = None, ()  # of a part: the mesh it is of; the dims that it makes one

    def __init__(self, device_type="xla", mesh=None, mesh_dim_names=None, mesh_shape=None):
        if mesh_shape is None:
            mesh_shape = (_tilewise.replicas(),)
        self.device_type, self.mesh_dim_names = device_type, mesh_dim_names
        self.shape = tuple(mesh_shape)
        self.ndim = len(self.shape)

    def _dim(self, dim):
        if dim is None:
            return 0
        return self.mesh_dim_names.index(dim) if isinstance(dim, str) else dim

    def size(self, mesh_dim=None):
        return math.prod(self.shape) if mesh_dim is None else self.shape[self._dim(mesh_dim)]

    def get_rank(self):
        return 0

    def get_local_rank(self, mesh_dim=None):
        return 0

    def get_coordinate(self):
        return [0] * self.ndim

    def get_group(self, mesh_dim=None):
        return None

    def __getitem__(self, names):
        names = (names,) if isinstance(names, str) else tuple(names)
        sizes = [self.shape[self._dim(n)] if n in (self.mesh_dim_names or ()) else 1
                 for n in names]
        return self._part(DeviceMesh(self.device_type, None, names, sizes))

    def _flatten(self, mesh_dim_name=None):
        flat = self._part(DeviceMesh(self.device_type, None, (mesh_dim_name,), (self.size(),)))
        flat._flat = self._names()
        return flat

    def _part(self, part):
        part._root = self._root or self
        return part

    def _names(self):
        return tuple(self.mesh_dim_names or [str(i) for i in range(self.ndim)])

    def axes(self):
        """Names and sizes of the whole mesh that this one is a part of."""
        root = self._root or self
        return root._names(), root.shape

    def names_of_last(self):
        """The dims of the whole mesh that the last dim of this one stands for."""
        return self._flat or self._names()[-1:]

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False


def init_device_mesh(device_type, mesh_shape, *, mesh_dim_names=None, **options):
    from . import init_process_group
    init_process_group()
    shape = [n if n > 0 else 1 for n in mesh_shape]
    names = list(mesh_dim_names) if mesh_dim_names else None
    _tilewise.record("mesh", shape=shape, names=names or [str(i) for i in range(len(shape))])
    return DeviceMesh(device_type, None, mesh_dim_names, mesh_shape)
