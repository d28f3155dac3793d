"""seqio: tasks are known by what their features are cut to."""

import _tilewise
from seqio import preprocessors, vocabularies
from seqio.vocabularies import (ByteVocabulary, PassThroughVocabulary, SentencePieceVocabulary,
                                Vocabulary)

_unk = _tilewise.is_unknown


class Feature:
    def __init__(self, vocabulary, add_eos=True, required=True, dtype="int32", rank=1,
                 **options):
        self.vocabulary, self.add_eos, self.required = vocabulary, add_eos, required
        self.dtype, self.rank = dtype, rank


class ContinuousFeature(Feature):
    def __init__(self, add_eos=False, required=True, dtype="float32", rank=1, **options):
        super().__init__(options.pop("vocabulary", None), add_eos, required, dtype, rank)


PassThroughFeature = ContinuousFeature


class ShardInfo:
    def __init__(self, index=0, num_shards=1):
        self.index, self.num_shards = index, num_shards


class DataSource:
    def __init__(self, *args, tfds_name=None, splits=None, num_input_examples=None, **options):
        self.tfds_name = tfds_name or (args[0] if args and isinstance(args[0], str) else None)
        self.splits = splits


TfdsDataSource = FunctionDataSource = TextLineDataSource = TFExampleDataSource = DataSource
FileDataSource = ProtoDataSource = DataSource


class Task:
    def __init__(self, name, source=None, output_features=None, preprocessors=None,
                 postprocess_fn=None, metric_fns=None, shuffle_buffer_size=1000, **options):
        self.name, self.source = name, source
        self.output_features = output_features or {}
        self.preprocessors, self.metric_fns = preprocessors or (), metric_fns or ()

    def num_input_examples(self, split):
        name = getattr(self.source, "tfds_name", None)
        if name is None:
            return None
        import tensorflow_datasets
        return tensorflow_datasets.builder(name).info.splits[split].num_examples

    def get_dataset(self, sequence_length=None, split="train", shuffle=True,
                    shuffle_buffer_size=None, seed=None, shard_info=None, num_epochs=1,
                    use_cached=False, trim_output_features=True, **options):
        """Token ids of each feature; how many, only a length or a converter says."""
        from tensorflow import _dtypes
        from tensorflow.data._dataset import Dataset
        from tensorflow.data._element import Leaf
        leaves = {k: Leaf([None] * f.rank, _dtypes.as_dtype(f.dtype))
                  for k, f in self.output_features.items()}
        n = self.num_input_examples(split)
        n = None if n is None or _unk(n) else n
        made = Dataset._made(leaves, n, n, "named_dataset", "seqio.get_dataset",
                             dataset=self.name, split=split)
        if shuffle:
            made = made.shuffle(shuffle_buffer_size or 1000, seed)
        return made if num_epochs == 1 else made.repeat(num_epochs)


class Mixture(Task):
    def __init__(self, name, tasks, default_rate=None, **options):
        super().__init__(name)
        self.tasks = tasks
        first = tasks[0][0] if isinstance(tasks[0], tuple) else tasks[0]
        found = get_mixture_or_task(first) if isinstance(first, str) else first
        self.output_features = {} if _unk(found) else found.output_features


_known = {}


class TaskRegistry:
    @staticmethod
    def add(name, *args, **options):
        _known[name] = Task(name, *args, **options)
        return _known[name]

    @staticmethod
    def get(name):
        return get_mixture_or_task(name)

    @staticmethod
    def names():
        return _known.keys()

    @staticmethod
    def remove(name):
        _known.pop(name, None)


class MixtureRegistry(TaskRegistry):
    @staticmethod
    def add(name, tasks=(), default_rate=None, **options):
        _known[name] = Mixture(name, list(tasks), default_rate)
        return _known[name]


def get_mixture_or_task(name):
    return _known[name] if name in _known else _tilewise.unknown("the task '" + str(name) + "'")


class CacheDatasetPlaceholder:
    def __init__(self, *args, **options):
        pass


class FeatureConverter:
    """`FEATURES` maps what a model takes to what of a task it is made of."""
    FEATURES = {}

    def __init__(self, pack=True, use_custom_packing_ops=False, **options):
        self.pack = pack

    def get_model_feature_lengths(self, task_feature_lengths):
        return {k: task_feature_lengths[source] for k, source in self.FEATURES.items()
                if source in task_feature_lengths}

    def __call__(self, ds, task_feature_lengths):
        from tensorflow import _dtypes
        from tensorflow.data._element import Leaf
        lengths = self.get_model_feature_lengths(task_feature_lengths)
        leaves = {}
        for name, n in lengths.items():
            leaves[name] = Leaf([n], _dtypes.int32)
            if self.pack and not name.endswith("loss_weights"):
                base = name.replace("_tokens", "").replace("_target", "")
                if name in ("encoder_input_tokens", "decoder_target_tokens"):
                    leaves[base.replace("_input", "") + "_segment_ids"] = leaves[name]
                    leaves[base.replace("_input", "") + "_positions"] = leaves[name]
        count = None if self.pack else ds._count
        return ds._then("map", "feature_converter", leaves, count, ds.items)


class EncDecFeatureConverter(FeatureConverter):
    FEATURES = {"encoder_input_tokens": "inputs", "decoder_target_tokens": "targets",
                "decoder_input_tokens": "targets", "decoder_loss_weights": "targets"}


class LMFeatureConverter(FeatureConverter):
    FEATURES = {"decoder_target_tokens": "targets", "decoder_input_tokens": "targets",
                "decoder_loss_weights": "targets"}


class PrefixLMFeatureConverter(LMFeatureConverter):
    def get_model_feature_lengths(self, task_feature_lengths):
        n = sum(task_feature_lengths.values())
        return {k: n for k in self.FEATURES}


class EncoderFeatureConverter(FeatureConverter):
    FEATURES = {"encoder_input_tokens": "targets", "encoder_target_tokens": "targets",
                "encoder_loss_weights": "targets"}


def get_dataset(mixture_or_task_name, task_feature_lengths, dataset_split="train", shuffle=True,
                num_epochs=1, feature_converter=None, shard_info=None, verbose=True, seed=None,
                batch_size=None, **options):
    task = mixture_or_task_name if isinstance(mixture_or_task_name, Task) else \
        get_mixture_or_task(mixture_or_task_name)
    if _unk(task):
        return task
    made = task.get_dataset(task_feature_lengths, dataset_split, shuffle, seed=seed,
                            num_epochs=num_epochs)
    if feature_converter is not None:
        made = feature_converter(made, task_feature_lengths)
    return made if batch_size is None else made.batch(batch_size, drop_remainder=True)


def _same(dataset, *args, **options):
    return dataset


trim_and_pad_dataset = trim_dataset = pack_dataset = _same


def map_over_dataset(fn=None, *, num_seeds=None, num_parallel_calls=-1):
    """A decorator with or without arguments: what it makes maps in parallel."""
    if fn is None:
        return lambda f: map_over_dataset(f, num_seeds=num_seeds,
                                          num_parallel_calls=num_parallel_calls)

    def mapped(dataset, *more, **named):
        import tensorflow as tf
        if num_seeds == 1:
            named["seed"] = tf.zeros([2], tf.int32)
        elif num_seeds is not None:
            named["seeds"] = [tf.zeros([2], tf.int32)] * num_seeds
        return dataset.map(lambda x: fn(x, *more, **named),
                           num_parallel_calls=num_parallel_calls)
    return mapped


class utils:
    """seqio.utils."""
    map_over_dataset = staticmethod(map_over_dataset)
    trim_and_pad_dataset = staticmethod(_same)
