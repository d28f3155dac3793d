"""keras.utils: small helpers."""

import _tilewise as _t
from tensorflow import _tensor as _x

_unk = _t.is_unknown


def to_categorical(x, num_classes=None, dtype="float32"):
    """One-hot rows: on the host for arrays of the host."""
    if _unk(x):
        return x
    if isinstance(x, _x.Tensor):
        n = num_classes if num_classes is not None else _t.unknown("the number of classes")
        if _unk(n):
            return n
        h = x._h
        sizes = list(_t.shape(h))
        if len(sizes) > 1 and sizes[-1] == 1:
            h = _t.op("tw.reshape", [h], {"shape": sizes[:-1]})
        h = _t.op("tw.one_hot", [_x.convert(h, "s32")], {"depth": int(n), "axis": -1})
        return _x.wrap(_x.convert(h, "f32"))
    import numpy
    x = numpy.asarray(x)
    sizes = list(x.shape)
    if len(sizes) > 1 and sizes[-1] == 1:
        sizes = sizes[:-1]
    if num_classes is None:
        values = getattr(x, "_values", None)
        kinds = getattr(x, "_kinds", None)
        if kinds is not None:
            values = [kinds - 1]
        if values is None:
            return _t.unknown("one-hot rows of a number of classes that is not known")
        num_classes = int(max(values)) + 1
    if _unk(num_classes):
        return num_classes
    return numpy.ndarray(sizes + [int(num_classes)], numpy.float32)


def normalize(x, axis=-1, order=2):
    return x


def set_random_seed(seed):
    pass


def _nothing(*args, **kwargs):
    return None


plot_model = model_to_dot = print_summary = disable_interactive_logging = _nothing
enable_interactive_logging = clear_session = warmup = print_msg = save_img = _nothing


def is_interactive_logging_enabled():
    return False


def is_keras_tensor(x):
    return isinstance(x, _x.KerasTensor)


def get_source_inputs(tensor):
    """The Inputs that a tensor of the functional API comes from."""
    found, seen, stack = [], set(), [tensor]
    while stack:
        t = stack.pop()
        if id(t) in seen:
            continue
        seen.add(id(t))
        if t._node is None:
            found.append(t)
        else:
            stack.extend(t._node.inputs)
    return found


def get_file(fname=None, origin=None, *args, **kwargs):
    """Where a file of the network would be; it is not fetched."""
    name = fname or origin
    if _unk(name):
        return name
    name = str(name).split("/")[-1]
    return "/nonexistent/keras/datasets/" + name


def pack_x_y_sample_weight(x, y=None, sample_weight=None):
    if y is None:
        return x if not isinstance(x, (tuple, list)) else (x,)
    return (x, y) if sample_weight is None else (x, y, sample_weight)


def unpack_x_y_sample_weight(data):
    if isinstance(data, list):
        data = tuple(data)
    if not isinstance(data, tuple):
        return data, None, None
    return (tuple(data) + (None, None))[:3]


class Progbar:
    def __init__(self, target=None, *args, **kwargs):
        self.target = target

    def update(self, *args, **kwargs):
        pass

    add = finalize = update


class PyDataset:
    """A subclass gives batches by number."""

    def __init__(self, workers=1, use_multiprocessing=False, max_queue_size=10, **kwargs):
        self.workers = workers

    @property
    def num_batches(self):
        return len(self)

    def on_epoch_end(self):
        pass

    def on_epoch_begin(self):
        pass

    def __iter__(self):
        yield self[0]


Sequence = PyDataset


class OrderedEnqueuer:
    def __init__(self, sequence, *args, **kwargs):
        self.sequence = sequence

    def start(self, *args, **kwargs):
        pass

    stop = start

    def get(self):
        yield self.sequence[0]


GeneratorEnqueuer = OrderedEnqueuer


class FeatureSpace:
    def __init__(self, features=None, *args, **kwargs):
        self.features = features

    def adapt(self, dataset):
        from keras import _batch
        _batch.used(dataset, "looked")

    def __call__(self, data):
        return _t.unknown("what a FeatureSpace makes")


def split_dataset(dataset, left_size=None, right_size=None, shuffle=False, seed=None):
    if hasattr(dataset, "take"):
        return dataset, dataset
    return _t.unknown("a part of a data set"), _t.unknown("a part of a data set")


def multi_gpu_model(model, *args, **kwargs):
    return model


def count_params(weights):
    n = 0
    for v in weights:
        size = 1
        for d in _t.shape(v._h):
            size *= d
        n += size
    return n


def layer_test(*args, **kwargs):
    return None


def standardize_dtype(dtype):
    return _x.as_dtype(dtype).name


class HDF5Matrix:
    def __init__(self, *args, **kwargs):
        self.shape = _t.unknown("the shape of data in a file")
