"""Results of models of Flax; the names are those of PyTorch's, with Flax before them."""

from transformers import modeling_outputs as _outputs

ModelOutput = _outputs.ModelOutput


def __getattr__(name):
    if name[:4] != "Flax" or not name.endswith(("Output", "Pooling", "Attentions", "Past")):
        raise AttributeError(name)
    return _outputs._kind(name)
