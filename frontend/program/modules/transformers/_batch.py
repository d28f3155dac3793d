"""Batches of models whose data is not known: shapes follow from the model and its tokenizer."""

import _python
import _tilewise
import torch
from torch import _tensor as _t

_unk = _tilewise.is_unknown


class _State:
    """What the program said last."""
    model = None       # the model that was made
    length = None      # the length that texts are cut or padded to
    only_cut = False   # whether shorter ones stay short
    target = None      # the same for targets


state = _State()
_IMAGE_HEADS = ("ForImageClassification", "ForImageClassificationWithTeacher")


class Tokens(list):
    """Numbers of words of a text whose length is not known."""

    def __add__(self, other):
        return Tokens(list.__add__(self, list(other)))

    def __radd__(self, other):
        return Tokens(list(other) + list(self))

    def copy(self):
        return Tokens(self)


def is_open(value):
    """Whether a value of a row has no shape that is known."""
    if _unk(value) or isinstance(value, Tokens):
        return True
    if isinstance(value, (list, tuple)):
        return len(value) > 0 and is_open(value[0])
    return isinstance(value, (str, bytes, dict)) or value is None


def base(model):
    """The model of transformers within a model."""
    for _ in range(4):
        if isinstance(getattr(type(model), "_parts", None), property):
            model = model._parts
        elif "module" in getattr(model, "_modules", {}):
            model = model.module
        else:
            break
    return model


def names_of(model):
    """Names that forward() takes."""
    found = []
    for name, kind, _, _ in _python.signature(type(base(model)).forward):
        if kind not in ("var_positional", "var_keyword") and name != "self":
            found.append(name)
    return found


def head_of(model):
    for cls in type(base(model)).__mro__:
        name = cls.__name__
        at = name.find("For")
        if at > 0:
            return name[at:]
        if name.endswith("LMHeadModel"):
            return "ForCausalLM"
        if name.endswith("MTModel"):
            return "ForConditionalGeneration"
    return ""


def length_of(model, asked=None):
    """How long texts are: as the program says, else what is usual, with a note."""
    config = getattr(base(model), "config", None)
    config = getattr(config, "text_config", None) or config
    given = None
    for n in (asked, state.length):
        if given is None and isinstance(n, int) and not isinstance(n, bool) and 0 < n < 1000000:
            given = n
    most = given or 512
    for name in ("max_position_embeddings", "n_positions", "max_seq_len",
                 "max_target_positions"):
        n = getattr(config, name, None)
        if isinstance(n, int) and 0 < n < most:
            most = n
    if given is not None:
        if state.only_cut and given == state.length:
            _tilewise.note("how long its texts are is not known; they are cut to " + str(most) +
                           " tokens, which are taken")
        return most
    _tilewise.note("how long its texts are is not known; " + str(most) + " tokens are taken")
    return most


def ints(*shape):
    return _t.wrap(_tilewise.full(0, list(shape), "s64"))


def floats(*shape):
    return _t.wrap(_tilewise.full(0.0, list(shape), "f32"))


def made(model, size, length=None, target=None):
    """A batch that such a model is trained with."""
    inner = base(model)
    config = getattr(inner, "config", None)
    names, head = names_of(model), head_of(model)
    batch = {}
    kind = getattr(config, "model_type", "")
    if "pixel_values" in names:
        vision = getattr(config, "vision_config", None) or config
        side = getattr(vision, "image_size", 224)
        side = side if isinstance(side, (tuple, list)) else (side, side)
        batch["pixel_values"] = floats(size, getattr(vision, "num_channels", 3), *side)
        if head == "ForSemanticSegmentation":
            batch["labels"] = ints(size, *side)
        elif "labels" in names and "input_ids" not in names:
            batch["labels"] = ints(size)
        if "bool_masked_pos" in names and head == "ForMaskedImageModeling":
            patches = (side[0] // config.patch_size) ** 2
            batch["bool_masked_pos"] = ints(size, patches).bool()
    if "input_features" in names and kind == "whisper":
        batch["input_features"] = floats(size, config.num_mel_bins,
                                         2 * config.max_source_positions)
        n = target or state.target or 128
        _tilewise.note("targets are taken to be " + str(n) + " tokens long")
        batch["labels"] = ints(size, n)
        return batch
    if "input_values" in names:
        _tilewise.note("recordings are taken to be 10 s long, at 16 kHz")
        batch["input_values"] = floats(size, 160000)
        batch["labels"] = ints(size) if head == "ForSequenceClassification" else ints(size, 64)
        return batch
    if "input_ids" in names:
        n = length_of(model, length)
        shape = (size, 4, n) if head == "ForMultipleChoice" else (size, n)
        batch["input_ids"] = ints(*shape)
        if "attention_mask" in names:
            batch["attention_mask"] = ints(*shape)
        batch.update(_targets(config, head, names, size, n, target))
        if kind in ("clip", "siglip"):
            batch["return_loss"] = True
    return batch


def _targets(config, head, names, size, n, target):
    if "start_positions" in names:
        return {"start_positions": ints(size), "end_positions": ints(size)}
    if "labels" not in names:
        return {}
    if head in ("ForSequenceClassification",):
        count = getattr(config, "num_labels", 2)
        problem = getattr(config, "problem_type", None)
        if problem == "multi_label_classification":
            return {"labels": floats(size, count)}
        if count == 1 or problem == "regression":
            return {"labels": floats(size)}
        return {"labels": ints(size)}
    if head in ("ForMultipleChoice", "ForNextSentencePrediction"):
        return {"labels": ints(size)}
    if head == "ForConditionalGeneration":
        m = target or state.target
        if m is None:
            m = n
            _tilewise.note("targets are taken to be as long as texts: " + str(n) + " tokens")
        return {"labels": ints(size, m)}
    return {"labels": ints(size, n)}


class Batch(dict):
    """A batch that can be moved to a device, and whose parts are attributes."""

    def __getattr__(self, name):
        if name[:2] == "__" or name not in self:
            raise AttributeError(name)
        return self[name]

    @property
    def data(self):
        return self

    def to(self, device=None, *args, **kwargs):
        return type(self)({k: v.to(device, *args) if hasattr(v, "to") else v
                           for k, v in self.items()})

    def convert_to_tensors(self, tensor_type=None, prepend_batch_axis=False):
        return self

    def word_ids(self, batch_index=0):
        return _tilewise.unknown("which word a token is of")

    sequence_ids = tokens = char_to_token = token_to_chars = word_ids


# ---- of rows that are known


def _one(value, size):
    if isinstance(value, _t.Tensor):
        return _t.wrap(_tilewise.full(0, [size] + list(value.shape), _tilewise.dtype(value._h)))
    if hasattr(value, "_t"):
        return _one(value._t, size)
    if isinstance(value, (list, tuple)) and value:
        return _one(_t.tensor(list(value)), size)
    if isinstance(value, bool) or isinstance(value, int):
        return ints(size)
    if isinstance(value, float):
        return floats(size)
    return value


_LABELS = ("label", "label_ids", "labels")


_OF_TEXTS = ("input_ids", "attention_mask", "token_type_ids", "decoder_input_ids",
             "decoder_attention_mask")


def _fill(result, row, size, length, labels):
    """What is padded of texts before there is a model that says how long they may be."""
    n = None
    for name, value in row.items():
        per_token = name in _OF_TEXTS or name == "labels" and (labels or isinstance(value, Tokens))
        if not is_open(value) or not per_token and name not in _LABELS:
            continue
        if per_token and n is None:
            n = length_of(state.model, length)
        result["labels" if name in _LABELS else name] = ints(size, n) if per_token else ints(size)


def collated(features, length=None, labels=False, target=None):
    """What a collator makes of rows: their stack, or a batch made from the model."""
    size = len(features)
    row = features[0] if size else {}
    if hasattr(row, "data") and not isinstance(row, dict):
        row = row.data
    model = state.model
    if _unk(row) or not isinstance(row, dict) or not row:
        return Batch(made(model, size, length, target)) if model is not None else row
    names = names_of(model) if model is not None else None
    result, open_ = {}, False
    for name, value in row.items():
        if is_open(value):
            open_ = True
            continue
        if name in ("label", "label_ids"):
            name = "labels"
        if names is None or name in names or name == "labels":
            result[name] = _one(value, size)
    if open_ and model is None:
        _fill(result, row, size, length, labels)
    ids = result.get("input_ids")
    if open_ and model is not None and (ids is None or "labels" not in result):
        n = ids.shape[-1] if ids is not None else length
        other = made(model, size, n, target)
        for name, value in other.items():
            if name not in result:
                result[name] = value
    elif names is not None and "labels" in names and "labels" not in result and result:
        # Without them the model would give no loss.
        n = ids.shape[-1] if ids is not None else length
        for name, value in made(model, size, n, target).items():
            if name == "labels":
                result[name] = value
    return Batch(result)
