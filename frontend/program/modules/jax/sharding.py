"""jax.sharding: meshes and placements, kept as facts."""

import math

import _tilewise as _t
from jax import _tree


class PartitionSpec(tuple):
    UNCONSTRAINED = "unconstrained"
    unreduced = reduced = frozenset()

    def __new__(cls, *parts, **kw):
        return tuple.__new__(cls, parts)

    def __repr__(self):
        return "PartitionSpec" + tuple.__repr__(self)


P = PartitionSpec


class AxisType:
    Auto = "auto"
    Explicit = "explicit"
    Manual = "manual"


class Sharding:
    memory_kind = None
    is_fully_addressable = True
    is_fully_replicated = True

    def with_memory_kind(self, kind):
        return self

    @property
    def device_set(self):
        import jax
        return set(jax.devices())

    @property
    def addressable_devices(self):
        return self.device_set

    def shard_shape(self, shape):
        return tuple(shape)

    def is_equivalent_to(self, other, ndim=None):
        return True

    def devices_indices_map(self, shape):
        return {d: tuple(slice(None) for _ in shape) for d in self.device_set}

    addressable_devices_indices_map = devices_indices_map


def _shape_of_devices(devices):
    if hasattr(devices, "shape") and not _t.is_unknown(devices):
        return tuple(devices.shape)
    shape = []
    d = devices
    while isinstance(d, (list, tuple)):
        shape.append(len(d))
        d = d[0] if d else None
    return tuple(shape)


class DeviceGrid(list):
    """Devices in rows, with the few manners of an array that programs use."""

    def __init__(self, devices, shape):
        super().__init__(devices)
        self.flat_devices = list(devices)
        self.shape = tuple(int(s) for s in shape)
        self.ndim = len(self.shape)
        self.size = len(self.flat_devices)
        self.dtype = "object"

    def __getitem__(self, index):
        index = index if isinstance(index, tuple) else (index,)
        places, shape = [0], []
        for axis, n in enumerate(self.shape):
            one = index[axis] if axis < len(index) else slice(None)
            chosen = range(n)[one]
            if isinstance(one, slice):
                shape.append(len(chosen))
            else:
                chosen = [chosen]
            places = [place * n + i for place in places for i in chosen]
        # A program may ask for more devices than there are.
        found = [self.flat_devices[place % len(self.flat_devices)] for place in places]
        return DeviceGrid(found, shape) if shape else found[0]

    def reshape(self, *shape):
        shape = _t.dims(shape)
        if -1 in shape:
            i = shape.index(-1)
            rest = math.prod([s for s in shape if s != -1])
            shape[i] = len(self.flat_devices) // rest if rest else 0
        return DeviceGrid(self.flat_devices, shape)

    def flatten(self):
        return DeviceGrid(self.flat_devices, (len(self.flat_devices),))

    def ravel(self):
        return self.flatten()

    def transpose(self, *axes):
        return self

    def tolist(self):
        return self.flat_devices

    @property
    def flat(self):
        return self.flat_devices


MESHES = []


class Mesh:
    def __init__(self, devices, axis_names=(), axis_types=None):
        if isinstance(axis_names, str):
            axis_names = (axis_names,)
        self.devices = devices
        self.axis_names = tuple(axis_names)
        shape = _shape_of_devices(devices)
        if len(shape) != len(self.axis_names):
            import jax
            shape = (1,) * (len(self.axis_names) - 1) + (jax.device_count(),)
        self.shape = dict(zip(self.axis_names, shape))
        self.axis_sizes = tuple(shape)
        self.axis_types = axis_types
        self.size = math.prod(shape)
        self.empty = not self.axis_names
        self.shape_tuple = tuple(self.shape.items())
        if not hasattr(devices, "size"):
            import jax
            self.devices = DeviceGrid(jax.devices()[:self.size], shape)
        if self.axis_names:
            _t.record("mesh", shape=list(shape), names=list(self.axis_names))
            from jax import lax
            for name, n in self.shape.items():
                lax.AXES[name] = n

    @property
    def local_mesh(self):
        return self

    @property
    def abstract_mesh(self):
        return self

    @property
    def local_devices(self):
        import jax
        return jax.local_devices()

    @property
    def is_multi_process(self):
        return False

    def __enter__(self):
        MESHES.append(self)
        return self

    def __exit__(self, *args):
        MESHES.pop()
        return False


AbstractMesh = Mesh


def make_mesh(axis_shapes, axis_names, axis_types=None, *, devices=None):
    import jax
    shape = list(axis_shapes)
    ds = jax.devices() if devices is None else list(devices)
    if -1 in shape:
        i = shape.index(-1)
        shape[i] = len(ds) // math.prod([s for s in shape if s != -1])
    return Mesh(DeviceGrid(ds[:math.prod(shape)], shape), axis_names)


def use_mesh(mesh):
    return mesh


def set_mesh(mesh):
    MESHES.append(mesh)
    return _Popping()


class _Popping:
    def __enter__(self):
        return self

    def __exit__(self, *args):
        if MESHES:
            MESHES.pop()
        return False


def get_abstract_mesh():
    return MESHES[-1] if MESHES else Mesh([], ())


get_mesh = get_abstract_mesh


class NamedSharding(Sharding):
    def __init__(self, mesh, spec=None, *, memory_kind=None, **kw):
        self.mesh = mesh
        self.spec = PartitionSpec() if spec is None else spec
        self.memory_kind = memory_kind
        self.is_fully_replicated = not any(self.spec) if isinstance(self.spec, tuple) else True

    def with_memory_kind(self, kind):
        return NamedSharding(self.mesh, self.spec, memory_kind=kind)

    def shard_shape(self, shape):
        out = list(shape)
        for i, names in enumerate(self.spec):
            if names is None:
                continue
            for n in names if isinstance(names, (tuple, list)) else (names,):
                out[i] = out[i] // self.mesh.shape.get(n, 1)
        return tuple(out)

    def update(self, spec=None, **kw):
        return NamedSharding(self.mesh, spec if spec is not None else self.spec)

    def __repr__(self):
        return "NamedSharding(" + repr(self.spec) + ")"


class SingleDeviceSharding(Sharding):
    def __init__(self, device=None, **kw):
        self.device = device
        self.spec = PartitionSpec()


class PositionalSharding(Sharding):
    def __init__(self, devices, **kw):
        self.shape = _shape_of_devices(devices)
        self.ndim = len(self.shape)
        self.spec = PartitionSpec("data")

    def reshape(self, *shape):
        r = PositionalSharding([])
        r.shape = tuple(_t.dims(shape))
        r.ndim = len(r.shape)
        return r

    def replicate(self, axis=None, keepdims=True):
        return SingleDeviceSharding()


class GSPMDSharding(SingleDeviceSharding):
    pass


class PmapSharding(SingleDeviceSharding):
    pass


def _axes_of(spec):
    out = []
    for part in spec:
        if part is None:
            out.append("")
        elif isinstance(part, (tuple, list)):
            out.append(",".join(str(p) for p in part))
        else:
            out.append(str(part))
    return out


def note_sharding(x, sharding):
    """Says how `x` is laid out, when a mesh axis is named."""
    from jax._core import Array
    spec = getattr(sharding, "spec", sharding)
    if not isinstance(x, Array) or not isinstance(spec, tuple) or not any(spec):
        return
    x._sharding = sharding
    from jax import _core
    _core.SHARDED.append((x, _axes_of(spec)))


def constrain(x, shardings):
    if shardings is None or _t.is_unknown(shardings):
        return x
    if isinstance(shardings, (Sharding, PartitionSpec)):
        for leaf in _tree.leaves(x):
            note_sharding(leaf, shardings)
        return x
    leaves, tree = _tree.flatten(shardings, lambda s: isinstance(s, (Sharding, PartitionSpec)))
    for s, sub in zip(leaves, tree.flatten_up_to(x)):
        if isinstance(s, (Sharding, PartitionSpec)):
            constrain(sub, s)
    return x


def reshard(x, sharding):
    return constrain(x, sharding)


auto_axes = explicit_axes = lambda f=None, **kw: f if f is not None else (lambda g: g)
