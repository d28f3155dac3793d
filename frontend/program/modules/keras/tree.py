"""keras.tree: nested structures, None is a leaf."""


def is_nested(structure):
    return isinstance(structure, (list, tuple, dict))


def flatten(structure):
    if isinstance(structure, dict):
        structure = [structure[k] for k in sorted(structure)]
    if isinstance(structure, (list, tuple)):
        found = []
        for v in structure:
            found.extend(flatten(v))
        return found
    return [structure]


def map_structure(func, *structures, none_is_leaf=True):
    first = structures[0]
    if isinstance(first, dict):
        return {k: map_structure(func, *[s[k] for s in structures]) for k in first}
    if isinstance(first, (list, tuple)):
        items = [map_structure(func, *parts) for parts in zip(*structures)]
        if hasattr(first, "_fields"):
            return type(first)(*items)
        return items if isinstance(first, list) else tuple(items)
    return func(*structures)


def pack_sequence_as(structure, flat_sequence):
    left = list(flat_sequence)

    def build(s):
        if isinstance(s, dict):
            made = {k: build(s[k]) for k in sorted(s)}
            return {k: made[k] for k in s}
        if isinstance(s, (list, tuple)):
            items = [build(v) for v in s]
            return items if isinstance(s, list) else tuple(items)
        return left.pop(0)
    return build(structure)


def assert_same_structure(a, b):
    pass


def lists_to_tuples(structure):
    if isinstance(structure, list):
        return tuple([lists_to_tuples(v) for v in structure])
    return structure


def traverse(func, structure, top_down=True):
    return map_structure(lambda v: v if func(v) is None else func(v), structure)
