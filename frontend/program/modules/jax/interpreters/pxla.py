"""The mesh that is in use."""

from jax.sharding import Mesh, PartitionSpec, MESHES


class _Env:
    @property
    def physical_mesh(self):
        return MESHES[-1] if MESHES else Mesh([], ())

    @property
    def shape(self):
        return self.physical_mesh.shape


class _Resources:
    env = _Env()


thread_resources = _Resources()
