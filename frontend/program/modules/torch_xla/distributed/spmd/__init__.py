"""Meshes and shardings, as the program says them."""

import _tilewise

_mesh = {"global": None}


class Mesh:
    def __init__(self, device_ids, mesh_shape, axis_names=None):
        self.device_ids, self.mesh_shape, self.axis_names = (
            device_ids, tuple(mesh_shape), tuple(axis_names or ()))
        shape = [n for n in self.mesh_shape if isinstance(n, int)]
        _tilewise.record("mesh", shape=shape, names=[str(n) for n in self.axis_names])

    def shape(self):
        return dict(zip(self.axis_names, self.mesh_shape))

    def get_logical_mesh(self):
        return self.device_ids


class HybridMesh(Mesh):
    def __init__(self, *, ici_mesh_shape, dcn_mesh_shape=None, axis_names=None):
        outer = dcn_mesh_shape or (1,) * len(ici_mesh_shape)
        Mesh.__init__(self, None, [a * b for a, b in zip(ici_mesh_shape, outer)], axis_names)


def set_global_mesh(mesh):
    _mesh["global"] = mesh


def get_global_mesh():
    return _mesh["global"]


def get_1d_mesh(axis_name="data"):
    return Mesh(None, (_tilewise.replicas(),), (axis_name,))


def _named(axis, mesh):
    if isinstance(axis, int):
        return mesh.axis_names[axis] if axis < len(mesh.axis_names) else str(axis)
    if isinstance(axis, (tuple, list)):
        return [_named(a, mesh) for a in axis]
    return axis


def mark_sharding(t, mesh, partition_spec):
    _tilewise.record("shard", value=t._h, axes=[_named(a, mesh) for a in partition_spec])
    return t


def mark_sharding_with_gradients(t, mesh, partition_spec):
    return mark_sharding(t, mesh, partition_spec)


def clear_sharding(t):
    return t


enable_manual_sharding = disable_manual_sharding = lambda t, *args, **kwargs: t


class ShardingSpec:
    def __init__(self, mesh, partition_spec, minibatch=False):
        self.mesh, self.partition_spec = mesh, partition_spec

    def can_apply(self, t):
        return t.dim() == len(self.partition_spec)

    def apply(self, t):
        if self.can_apply(t):
            mark_sharding(t, self.mesh, self.partition_spec)


class XLAShardedTensor:
    pass


def xla_patched_nn_linear_forward(module, input):
    from torch.nn.functional import linear
    return linear(input, module.weight, module.bias)


def apply_xla_patch_to_nn_linear(module, *args, **kwargs):
    return module


from torch_xla.runtime import use_spmd
