"""webdataset: samples of tar files are data; what pipelines make of them is not known."""

import numpy as np
import torch
from PIL import Image
from torch.utils.data import IterableDataset

import _tilewise


class WebDataset(IterableDataset):
    """A chain of stages; a sample is a dictionary of what files of such names hold."""

    def __init__(self, urls=None, *args, **options):
        self.urls, self._steps, self._length = urls, [], None
        self.batch_size = None

    def _with(self, kind, step=None):
        made = WebDataset(self.urls)
        made._steps = self._steps + [(kind, step)]
        made._length, made.batch_size = self._length, self.batch_size
        return made

    def _same(self, *args, **options):
        return self._with("same")

    shuffle = select = with_epoch = slice = repeat = rsample = log_keys = _same
    listed = unlisted = mcached = lmdb_cached = _same

    def decode(self, *kinds, **options):
        return self._with("decode", kinds)

    xdecode = decode

    def with_length(self, n, *args, **options):
        made = self._with("same")
        made._length = n
        return made

    def to_tuple(self, *names, **options):
        return self._with("tuple", _words(names))

    def rename(self, handler=None, keep=True, **names):
        return self._with("rename", names)

    def map(self, function, **options):
        return self._with("map", function)

    def map_dict(self, **functions):
        return self._with("map_dict", functions)

    def map_tuple(self, *functions, **options):
        return self._with("map_tuple", functions)

    def batched(self, batchsize=16, collation_fn=None, partial=True, **options):
        made = self._with("batch", batchsize)
        made.batch_size = batchsize
        return made

    def unbatched(self):
        return self._with("unbatch")

    def compose(self, *stages, **options):
        made = self
        for stage in stages:
            made = made._with(*stage) if _is_stage(stage) else made._with("filter", stage)
        return made

    def pipe(self, *stages, **options):
        return self.compose(*stages)

    def __len__(self):
        return _tilewise.unknown("how many samples tar files have") if self._length is None \
            else self._length

    def _give(self):
        sample = _Sample()
        for kind, step in self._steps:
            sample = _done(kind, step, sample)
        return sample

    def __iter__(self):
        return iter([self._give()])


def _words(names):
    words = []
    for name in names:
        words.extend(name.split())
    return words


def _is_stage(stage):
    return isinstance(stage, tuple) and len(stage) == 2 and isinstance(stage[0], str)


_PICTURES = ("jpg", "jpeg", "png", "webp", "ppm", "img", "image")


class _Sample(dict):
    """Files of one key; the endings of their names say what they hold, once decoded."""

    _decoded = ()

    def __missing__(self, name):
        value = self[name] = self._made(name)
        return value

    def _made(self, names):
        last = names.replace("|", ";").split(";")[0].rsplit(".", 1)[-1].lower()
        if last in ("cls", "id", "index"):
            return 0
        if last in _PICTURES and self._decoded:
            return self._picture(self._decoded[0])
        return _tilewise.unknown("'" + names + "' of a tar file")

    def _picture(self, how):
        how = how if isinstance(how, str) else ""
        if how == "pil":
            return Image.open("picture.jpg")
        size = (375, 500)  # pictures of ImageNet have it on average
        if how.startswith("torchrgb"):
            wide = torch.uint8 if how.endswith("8") else torch.float32
            return torch.zeros((3,) + size, dtype=wide)
        if how.startswith("rgb"):
            return np.zeros(size + (3,), np.uint8 if how.endswith("8") else np.float32)
        return _tilewise.unknown("a picture of a tar file")

    def get(self, name, default=None):
        return self[name]

    def __contains__(self, name):
        return True


def _done(kind, step, sample):
    if kind == "decode" and isinstance(sample, _Sample):
        sample._decoded = step
    if kind == "rename" and isinstance(sample, _Sample):
        return {new: sample[old] for new, old in step.items()}
    if kind == "tuple":
        return tuple([sample[n] for n in step])
    if kind == "filter" and callable(step):
        # A stage of the program's own takes all samples and gives others.
        for made in step(iter([sample])):
            return made
    if kind == "map":
        return step(sample)
    if kind == "map_tuple" and isinstance(sample, tuple):
        rest = sample[len(step):]
        return tuple([f(v) for f, v in zip(step, sample)]) + rest
    if kind == "map_dict" and isinstance(sample, dict):
        return {k: step[k](v) if k in step else v for k, v in sample.items()}
    if kind == "batch":
        from torch.utils.data import batched
        return batched(sample, step)
    return sample


class DataPipeline(WebDataset):
    """Stages given as one list."""

    def __init__(self, *stages, **options):
        super().__init__(None)
        self.pipeline = []
        for stage in stages:
            self.append(stage)

    def append(self, stage):
        self.pipeline.append(stage)
        if _is_stage(stage):
            self._steps.append(stage)
            if stage[0] == "batch":
                self.batch_size = stage[1]
        elif isinstance(stage, WebDataset):
            self._steps += stage._steps
        elif callable(stage) and ("samples", None) in self._steps:
            self._steps.append(("filter", stage))


class WebLoader(WebDataset):
    def __init__(self, dataset=None, batch_size=None, num_workers=0, **options):
        super().__init__(None)
        if isinstance(dataset, WebDataset):
            self._steps, self._length = list(dataset._steps), dataset._length
            self.batch_size = dataset.batch_size
        if batch_size is not None:
            self._steps.append(("batch", batch_size))
            self.batch_size = batch_size


def to_tuple(*names, **options):
    return ("tuple", _words(names))


def decode(*kinds, **options):
    return ("decode", kinds)


def map(function, **options):
    return ("map", function)


def map_dict(**functions):
    return ("map_dict", functions)


def map_tuple(*functions, **options):
    return ("map_tuple", functions)


def rename(handler=None, keep=True, **names):
    return ("rename", names)


def batched(batchsize=16, *args, **options):
    return ("batch", batchsize)


def _stage(*args, **options):
    return ("same", None)


def tarfile_to_samples(*args, **options):
    return ("samples", None)


cached_tarfile_to_samples = tarfile_to_samples
shuffle = SimpleShardList = ResampledShards = split_by_node = split_by_worker = _stage
detshuffle = select = with_epoch = slice = non_empty = shardlists = _stage


def warn_and_continue(error):
    return True


ignore_and_continue = reraise_exception = warn_and_continue


class ShardWriter:
    def __init__(self, *args, **options):
        pass

    def write(self, sample):
        pass

    def close(self):
        pass


TarWriter = ShardWriter
