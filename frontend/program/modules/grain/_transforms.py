"""Steps that a loader takes with each example."""

from grain._host import batched


class Transformation:
    pass


class MapTransform(Transformation):
    def map(self, element):
        return element


class MapWithIndexTransform(Transformation):
    def map_with_index(self, index, element):
        return element


class RandomMapTransform(Transformation):
    def random_map(self, element, rng):
        return element


class FilterTransform(Transformation):
    def filter(self, element):
        return True


class FlatMapTransform(Transformation):
    max_fan_out = 1

    def flat_map(self, element):
        return [element]


class BatchTransform(Transformation):
    def __init__(self, batch_size, drop_remainder=False, batch_fn=None):
        self.batch_size, self.drop_remainder, self.batch_fn = batch_size, drop_remainder, batch_fn


Map, MapWithIndex, RandomMap, Filter, FlatMap, Batch = (
    MapTransform, MapWithIndexTransform, RandomMapTransform, FilterTransform, FlatMapTransform,
    BatchTransform)


class RecordMetadata:
    def __init__(self, index=0, record_key=0, rng=None):
        self.index, self.record_key, self.rng = index, record_key, rng

    def remove_record_key(self):
        return RecordMetadata(self.index, None, self.rng)


class Record:
    def __init__(self, metadata, data):
        self.metadata, self.data = metadata, data


class MapOperation:
    def __init__(self, map_function):
        self.map = map_function


class FilterOperation:
    def __init__(self, condition_function):
        self.filter = condition_function


class BatchOperation(BatchTransform):
    pass


def _endless(element):
    while True:
        yield Record(RecordMetadata(), element)


def generator():
    import numpy
    return numpy.random.default_rng(0)


def step(operation, element):
    """One example or batch behind the operation."""
    if hasattr(operation, "batch_size") and hasattr(operation, "drop_remainder"):
        return batch(element, operation.batch_size, operation.batch_fn
                     if hasattr(operation, "batch_fn") else None)
    if hasattr(operation, "random_map"):
        return operation.random_map(element, generator())
    if hasattr(operation, "np_random_map"):
        return operation.np_random_map(element, generator())
    if hasattr(operation, "map_with_index"):
        return operation.map_with_index(0, element)
    if hasattr(operation, "map"):
        return operation.map(element)
    if hasattr(operation, "flat_map"):
        return list(operation.flat_map(element))[0]
    if hasattr(operation, "filter") or not callable(operation):
        return element
    if "iterator" in _first_parameter(operation):
        made = next(iter(operation(_endless(element))))
        return made.data if isinstance(made, Record) else made
    return operation(element)


def _first_parameter(operation):
    import _python
    call = getattr(type(operation), "__call__", None)
    names = [p[0] for p in _python.signature(operation if call is None else call)]
    names = [n for n in names if n != "self"]
    return names[0] if names else ""


def batch(element, size, function=None):
    if function is not None:
        return function([element] * size)
    return batched(element, size)
