"""Data that nobody knows, in the shape that the model asks for that is given them."""

import _python
import _tilewise
import _tilewise_hints as hints
from .._tensor import Tensor, state, wrap
from . import _layers, _recurrent

_not_known = _tilewise.is_unknown
_LENGTHS = ("block_size", "max_seq_len", "max_seq_length", "seq_len", "seq_length", "n_ctx",
            "context_length", "max_position_embeddings", "max_token_seq_len", "sequence_length",
            "max_length", "max_len", "ctx_len", "bptt", "n_position", "n_positions")
_SIDES = ("img_size", "image_size", "input_size", "input_resolution", "resolution", "crop_size",
          "img_dim", "imsize", "img_height")
# Two names of an argument each, which differ in what stands for the height and the width.
_HEIGHT_AND_WIDTH = [tuple([before + word + after for word in pair])
                     for pair in (("height", "width"), ("h", "w"), ("H", "W"))
                     for before, after in (("img_", ""), ("image_", ""), ("img", ""),
                                           ("input_", ""), ("crop_", ""), ("", ""))
                     if before or len(pair[0]) > 1]
_USUAL = {1: (1024, 16000), 2: (224, 32, 28, 64, 256, 84, 512), 3: (64, 96, 128, 32, 16)}
_BATCH = ("input_ids", "pixel_values", "input_values", "input_features", "labels")
_NUMBERS = ("t", "time", "times", "timestep", "timesteps", "step", "steps", "y", "label", "labels",
            "target", "targets", "cls", "classes", "lengths", "lens", "length")


def _tensors(value, depth=0):
    if depth > 3 or _not_known(value) or isinstance(value, (str, type)):
        return []
    if isinstance(value, Tensor):
        return [] if _not_known(value._h) else [value]
    if isinstance(value, (list, tuple)):
        return [t for v in value for t in _tensors(v, depth + 1)]
    if isinstance(value, dict):
        return [t for v in value.values() for t in _tensors(v, depth + 1)]
    own = getattr(value, "__dict__", None)
    return _tensors(own, depth + 1) if isinstance(own, dict) else []


def floating(value):
    """The tensors of numbers in what a model gives."""
    return [t for t in _tensors(value) if t.is_floating_point() and t.numel() > 0]


def _keeps(result, form):
    """Whether the examples of data come out again: sides that a view joins with them do not fit."""
    count = form[0][form[2]]
    for t in _tensors(result):
        sizes = list(t.shape)
        if sizes and sizes[0] % count != 0 and count not in sizes:
            return False
    return True


def _lacks(value):
    return _not_known(value) or isinstance(value, Tensor) and _not_known(value._h)


def _holders(root):
    found = []
    for module in list(root.modules())[:200]:
        if isinstance(module, _recurrent.RNNBase):
            continue  # its input_size is that of a row
        found.append(module)
        for name in ("config", "cfg", "args", "params", "hparams", "opt"):
            inner = module.__dict__.get(name)
            if inner is not None and not _not_known(inner):
                found.append(inner)
    return found


def _first(root, kinds):
    for module in root.modules():
        if isinstance(module, kinds):
            return module
    return None


def _length(holders):
    """Of sequences. The most that a model takes says little where that is much."""
    said = hints.number(_LENGTHS, (), 2, 1 << 20)
    taken = hints.number(_LENGTHS, holders, 2, 1 << 20)
    return said or (min(taken, 2048) if taken is not None else None)


def _examples():
    size = state.loaded
    if type(size) is int and size > 0:
        return size
    size = hints.number(("batch_size", "train_batch_size", "batch", "bs"), (), 1, 65536)
    if size is None:
        size = 32
        _tilewise.note("how many examples a batch has is not known; 32 are assumed")
    return size


def _data(sizes, code, at=0):
    x = wrap(_tilewise.input(list(sizes), code, "", at))
    x._batch = at
    return x


def _forms_of(layer, n, holders):
    """What a layer can be given, the likeliest first: sizes, type, the dim that counts examples."""
    length = _length(holders)
    if isinstance(layer, (_layers.Conv2d, _layers.Conv3d)):
        dims = 3 if isinstance(layer, _layers.Conv3d) else 2
        # The sides that a program names are of pictures; of latents the model has its own.
        side = hints.side_of(holders, layer.in_channels) or hints.number(_SIDES, holders, 16, 4096)
        sizes = [[side] * dims] if side is not None else []
        if dims == 2 and side is None:
            for names in _HEIGHT_AND_WIDTH:
                both = [hints.number((name,), holders, 8, 4096) for name in names]
                if None not in both:
                    sizes.append(both)
                    break
        if hints.image_size(dims) is not None:
            sizes.append(hints.image_size(dims))
        sizes += [[s] * dims for s in _USUAL[dims]]
        forms = [([n, layer.in_channels] + size, "f32", 0) for size in sizes]
    elif isinstance(layer, (_layers.Embedding, _layers.EmbeddingBag)):
        forms = [([n, length or 128], "s64", 0)]
    elif isinstance(layer, _layers.Conv1d):
        forms = [([n, layer.in_channels, s], "f32", 0)
                 for s in ([length] if length else []) + list(_USUAL[1])]
    elif isinstance(layer, _layers.Linear):
        forms = [([n, layer.in_features], "f32", 0),
                 ([n, length or 128, layer.in_features], "f32", 0)]
    elif layer.batch_first:
        forms = [([n, length or 128, layer.input_size], "f32", 0)]
    else:
        forms = [([length or 128, n, layer.input_size], "f32", 1)]
    return [f for f in forms if all([type(s) is int and s > 0 for s in f[0]])]


def _forms(root):
    """What the first argument of a model can be, by the layers that it has."""
    n, holders = _examples(), _holders(root)
    image = _first(root, (_layers.Conv2d, _layers.Conv3d))
    first = [_first(root, kinds) for kinds in ((_layers.Embedding, _layers.EmbeddingBag),
                                               (_layers.Linear, _recurrent.RNNBase),
                                               (_layers.Conv1d,))]
    # Modules stand in the order in which they are made, which most often is that of their use.
    order = [m for m in root.modules() if any([m is f for f in first])]
    return [form for layer in ([image] if image is not None else []) + order
            for form in _forms_of(layer, n, holders)]


def _rows(root):
    """The parameters of forward(), below wrappers that pass all on."""
    for _ in range(4):
        rows = _python.signature(root.forward)
        inner = root.__dict__.get("module")
        if rows and rows[0][1] == "var_positional" and inner is not None:
            root = inner
            continue
        break
    return {row[0]: row for row in rows}, [row[0] for row in rows if row[1] != "keyword_only"]


def _other(name, form, root):
    """An argument behind the first one."""
    sizes, code, at = form
    if name in _NUMBERS or "len" in name:
        # Beside words, what they are compared with are words as well.
        words = code == "s64" and name[:1] in "ly" or "target" in name and code == "s64"
        return _data(sizes if words and "len" not in name else [sizes[at]], "s64", at)
    words = _first(root, (_layers.Embedding, _layers.EmbeddingBag))
    if words is not None and code != "s64" and any([w in name for w in ("id", "text", "tok", "cap")]):
        return _data([sizes[at], _length(_holders(root)) or 128], "s64")
    return _data(sizes, code, at)


def lacking(args, kwargs):
    """Whether what a model is called with first is not known."""
    if _not_known(len(args)):  # the program gives it *batch
        return True
    if args:
        return _lacks(args[0])
    if _not_known(len(kwargs)):  # the program gives it **batch
        return True
    return bool(kwargs) and all([_lacks(v) or v is None for v in kwargs.values()])


def called(root, args, kwargs):
    """What a model gives for data that are not known, which take a shape that it accepts."""
    if _first(root, (_layers._ConvNd, _layers.Linear, _layers.Embedding, _layers.EmbeddingBag,
                     _recurrent.RNNBase)) is None:
        return root.forward(*args, **kwargs)
    known, order = _rows(root)
    more = len(args) if _not_known(len(args)) else len(kwargs)
    args = () if _not_known(len(args)) else args
    if _not_known(more):  # those that must be given, and those that batches of Hugging Face have
        given = {}
        for name, row in list(known.items())[len(args):]:
            value = kwargs.get(name)
            if row[1][:4] != "var_" and (not row[2] or name in _BATCH or not _lacks(value)):
                given[name] = value
        kwargs = given
    unknown = args[0] if args else ([v for v in kwargs.values() if _lacks(v)] +
                                         [more])[0]
    for form in _forms(root)[:10]:
        given, named, first = [], {}, True
        for i, value in enumerate(args):
            name = order[i] if i < len(order) else ""
            if not _lacks(value):
                given.append(value)
            elif first:
                given.append(_data(*form))
                first = False
            elif name in known and known[name][2] and "mask" in name:
                given.append(None)
            else:
                given.append(_other(name, form, root))
        for name, value in kwargs.items():
            if not _lacks(value):
                named[name] = value
            elif first:
                named[name] = _data(*form)
                first = False
            elif name in known and (not known[name][2] or name in _BATCH):
                named[name] = _other(name, form, root)
        try:
            result = root.forward(*given, **named)
        except Exception:
            continue
        if _tensors(result) and _keeps(result, form):
            why = _tilewise.reason(unknown._h if isinstance(unknown, Tensor) else unknown)
            _tilewise.note("what " + type(root).__name__ + " is given is not known (" + why +
                           "); it is taken to be data of the shape " + str(list(form[0])) +
                           ", which the model takes")
            if state.fed in (None, 1) and state.grad:
                state.fed = form[0][form[2]]
            return result
    return completed(root, args, kwargs)


def meets(module, value, seen):
    if _lacks(value) and isinstance(module, (_layers._ConvNd, _layers.Linear, _layers.Embedding,
                                             _layers.EmbeddingBag, _recurrent.RNNBase)):
        why = _tilewise.reason(value._h if isinstance(value, Tensor) else value)
        if why not in seen:
            seen[why] = module


def lacks_some(args, kwargs):
    """Whether a part of what a model is called with is not known."""
    return not _not_known(len(args)) and not _not_known(len(kwargs)) and \
        any([_lacks(v) for v in _parts([args, kwargs])])


def _parts(value, depth=0):
    if not _not_known(value) and depth < 4:
        if isinstance(value, (list, tuple)) and not _not_known(len(value)):
            return [p for v in value for p in _parts(v, depth + 1)]
        if type(value) is dict and not _not_known(len(value)):
            return [p for v in value.values() for p in _parts(v, depth + 1)]
    return [value]


def _replaced(value, make, name, depth=0):
    """`value` with make(name, part) for each part of it that is not known."""
    if _lacks(value):
        return make(name, value)
    if depth < 3 and type(value) in (list, tuple) and not _not_known(len(value)):
        return type(value)([_replaced(v, make, name + "[" + str(i) + "]", depth + 1)
                            for i, v in enumerate(value)])
    if depth < 3 and type(value) is dict and not _not_known(len(value)):
        return {k: _replaced(v, make, str(k), depth + 1) for k, v in value.items()}
    return value


def _met_forms(layer, n, holders):
    """Forms of data that meet this layer first; what is turned on the way has channels last."""
    forms = _forms_of(layer, n, holders)
    if isinstance(layer, (_layers.Embedding, _layers.EmbeddingBag)):
        return forms + [([n], "s64", 0)]
    if isinstance(layer, _layers._ConvNd):
        forms = forms[:2]
        return forms + [([n] + f[0][2:] + [f[0][1]], "f32", 0) for f in forms]
    # The decoder of a forecast sees some of what is known and what is to come.
    known, coming = [hints.number((name,), holders, 1, 1 << 16)
                     for name in ("label_len", "pred_len")]
    if isinstance(layer, _layers.Linear) and known is not None and coming is not None:
        forms.append(([n, known + coming, layer.in_features], "f32", 0))
    return forms


def completed(root, args, kwargs):
    """What a model gives where parts of its arguments are not known. A pass over unknown values
    says which layer each of them meets first; they become data of the shape that it takes."""
    from . import _module
    order, marks = _rows(root)[1], {}
    name_of = lambda i: order[i] if i < len(order) else "argument " + str(i)

    def with_parts(make):
        return ([_replaced(v, make, name_of(i)) for i, v in enumerate(args)],
                {k: _replaced(v, make, k) for k, v in kwargs.items()})

    def mark(name, value):
        why = _tilewise.reason(value._h if isinstance(value, Tensor) else value)
        made = _tilewise.unknown("`" + name + "` of " + type(root).__name__ + ": " + why)
        marks[name] = _tilewise.reason(made)
        return made

    given, named = with_parts(mark)
    _module.met[0] = {}
    try:
        result = root.forward(*given, **named)
    finally:
        met, _module.met[0] = _module.met[0], None
    layers = [(name, met[text]) for name, text in marks.items() if text in met]
    if not layers:
        return result
    known = [t for t in _tensors([args, kwargs]) if getattr(t, "_batch", None) is not None]
    n = known[0].shape[known[0]._batch] if known else _examples()
    holders = _holders(root)
    choices = [{}]
    for name, layer in layers:
        choices = [{**c, name: f} for c in choices for f in _met_forms(layer, n, holders)][:48]
    # What meets no layer, as it gives its shape alone, is taken to be like the first that does.
    first, rest = layers[0][0], [name for name in marks if marks[name] not in met]
    choices = [{**c, **{name: c[first] for name in rest}} for c in choices] if len(layers) > 1 \
        else choices
    for choice in choices:
        given, named = with_parts(
            lambda name, value: _data(*choice[name]) if name in choice else value)
        try:
            made = root.forward(*given, **named)
        except Exception:
            continue
        if floating(made):
            for name, form in choice.items():
                how = ", as `" + first + "` has it" if name in rest else \
                    ", which its first layer takes"
                _tilewise.note("what is not known, " + marks[name] + ", is taken to be data of "
                               "the shape " + str(list(form[0])) + how)
            if state.fed in (None, 1) and state.grad:
                state.fed = n
            return made
    return result
