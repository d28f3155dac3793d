"""Weights that are computed of others."""

from ..parameter import Parameter


def weight_norm(module, name="weight", dim=0):
    from ..._tensor import zeros
    v = getattr(module, name)
    size = [n if d == dim or dim is None else 1 for d, n in enumerate(v.shape)]
    if dim is None:
        size = []
    delattr(module, name)
    module.register_parameter(name + "_g", Parameter(zeros(*size, dtype=v.dtype)))
    module.register_parameter(name + "_v", v)

    def computed(m, args):
        v, g = getattr(m, name + "_v"), getattr(m, name + "_g")
        dims = None if dim is None else [d for d in range(v.dim()) if d != dim]
        m.__dict__[name] = v * (g / v.norm(2, dims, keepdim=dim is not None))

    computed(module, ())
    module.register_forward_pre_hook(computed)
    return module


def remove_weight_norm(module, name="weight"):
    return module


def spectral_norm(module, name="weight", n_power_iterations=1, eps=1e-12, dim=None):
    weight = getattr(module, name)

    def computed(m, args):
        w = weight.reshape(weight.shape[0], -1)
        from ..._tensor import ones
        u = ones(1, w.shape[0], dtype=w.dtype)
        for _ in range(n_power_iterations if m.training else 0):
            u = u.matmul(w).matmul(w.transpose(0, 1))
        m.__dict__[name] = weight / u.norm().clamp_min(eps)

    module.register_forward_pre_hook(computed)
    return module


def orthogonal(module, name="weight", **options):
    return module
