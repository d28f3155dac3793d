"""Networks of PyTorch behind the interfaces of other frameworks."""

from torch import _tensor as _t
from transformers.modeling_outputs import ModelOutput


def find(name):
    """The class of PyTorch that is loaded by that name, or None."""
    from transformers import _auto, _registry
    found = _auto.find(name) if name.startswith("AutoModel") else _registry.find(name)
    return found if hasattr(found, "from_pretrained") else None


def given(value, wrap):
    """What a network gives, with `wrap` of each handle in the place of its tensors."""
    if isinstance(value, _t.Tensor):
        return wrap(value._h)
    if isinstance(value, dict):
        return ModelOutput({k: given(v, wrap) for k, v in value.items()})
    if isinstance(value, (list, tuple)):
        return tuple([given(v, wrap) for v in value])
    return value


class Cast:
    """The type that the network computes in while it is called."""

    def __init__(self, code):
        self.code = code if code in ("bf16", "f16") else None

    def __enter__(self):
        self.before, _t.state.cast = _t.state.cast, self.code

    def __exit__(self, *raised):
        _t.state.cast = self.before
