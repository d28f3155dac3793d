"""webdataset: samples of tar files are data; what pipelines make of them is not known."""

import _tilewise

_unk = _tilewise.is_unknown


class WebDataset:
    """A chain of stages; a sample is a dictionary of values that are not known."""

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

    shuffle = decode = select = with_epoch = slice = compose = repeat = rsample = log_keys = _same
    listed = unlisted = mcached = lmdb_cached = xdecode = _same

    def with_length(self, n, *args, **options):
        made = self._with("same")
        made._length = n
        return made

    def to_tuple(self, *names, **options):
        words = []
        for name in names:
            words.extend(name.split())
        return self._with("tuple", words)

    def rename(self, **names):
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

    def pipe(self, *args, **options):
        return self._same()

    def __len__(self):
        return _tilewise.unknown("how many samples tar files have") if self._length is None \
            else self._length

    def _give(self):
        sample = _tilewise.unknown("a sample of tar files")
        for kind, step in self._steps:
            sample = _done(kind, step, sample)
        return sample

    def __iter__(self):
        return iter([self._give()])


def _done(kind, step, sample):
    if kind == "tuple":
        return tuple([_tilewise.unknown("'" + n + "' of a tar file") for n in step])
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
        self.pipeline = list(stages)
        for stage in stages:
            if isinstance(stage, tuple) and len(stage) == 2 and isinstance(stage[0], str):
                self._steps.append(stage)
                if stage[0] == "batch":
                    self.batch_size = stage[1]

    def append(self, stage):
        self.pipeline.append(stage)


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
    words = []
    for name in names:
        words.extend(name.split())
    return ("tuple", words)


def map(function, **options):
    return ("map", function)


def map_dict(**functions):
    return ("map_dict", functions)


def map_tuple(*functions, **options):
    return ("map_tuple", functions)


def rename(**names):
    return ("rename", names)


def batched(batchsize=16, *args, **options):
    return ("batch", batchsize)


def _stage(*args, **options):
    return ("same", None)


shuffle = decode = SimpleShardList = ResampledShards = tarfile_to_samples = split_by_node = _stage
split_by_worker = detshuffle = select = with_epoch = _stage


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
