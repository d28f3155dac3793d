"""tf.nest: structures of tuples, lists and dicts."""

from _tilewise import is_unknown


def is_nested(x):
    if is_unknown(x):
        return False
    return isinstance(x, (list, dict)) or isinstance(x, tuple) and not hasattr(x, "num_elements")


is_sequence = is_sequence_or_composite = is_nested


def _into(x, leaves):
    if not is_nested(x):
        leaves.append(x)
    elif isinstance(x, dict):
        for key in _keys(x):
            _into(x[key], leaves)
    else:
        for item in x:
            _into(item, leaves)


def _keys(x):
    keys = list(x.keys())
    plain = [k for k in keys if isinstance(k, (str, int))]
    return sorted(keys) if len(plain) == len(keys) and len({type(k) for k in keys}) < 2 else keys


def flatten(structure, expand_composites=False):
    leaves = []
    _into(structure, leaves)
    return leaves


def _like(x, items):
    """A sequence of the kind of `x`."""
    if isinstance(x, list):
        return list(items)
    if hasattr(x, "_fields"):
        return type(x)(*items)
    return tuple(items)


def _packed(structure, leaves):
    if not is_nested(structure):
        return next(leaves)
    if isinstance(structure, dict):
        made = {}
        for key in _keys(structure):
            made[key] = _packed(structure[key], leaves)
        return _dict_like(structure, made)
    return _like(structure, [_packed(item, leaves) for item in structure])


def _dict_like(x, made):
    ordered = {key: made[key] for key in x}
    return ordered if type(x) is dict else type(x)(ordered)


def pack_sequence_as(structure, flat_sequence, expand_composites=False):
    return _packed(structure, iter(list(flat_sequence)))


def map_structure(func, *structure, **kwargs):
    first = structure[0]
    if not is_nested(first):
        return func(*structure)
    if isinstance(first, dict):
        return _dict_like(first, {k: map_structure(func, *[s[k] for s in structure])
                                  for k in first})
    return _like(first, [map_structure(func, *items) for items in zip(*structure)])


def map_structure_up_to(shallow, func, *structure, **kwargs):
    if not is_nested(shallow):
        return func(*structure)
    if isinstance(shallow, dict):
        return _dict_like(shallow, {k: map_structure_up_to(shallow[k], func,
                                                           *[s[k] for s in structure])
                                    for k in shallow})
    return _like(shallow, [map_structure_up_to(*([items[0], func] + list(items[1:])))
                           for items in zip(shallow, *structure)])


def flatten_up_to(shallow, structure, **kwargs):
    found = []
    map_structure_up_to(shallow, found.append, structure)
    return found


def flatten_with_joined_string_paths(structure, separator="/", expand_composites=False):
    return [(separator.join([str(p) for p in path]), leaf)
            for path, leaf in flatten_with_tuple_paths(structure)]


def flatten_with_tuple_paths(structure, expand_composites=False, path=()):
    if not is_nested(structure):
        return [(path, structure)]
    if isinstance(structure, dict):
        pairs = [(k, structure[k]) for k in _keys(structure)]
    else:
        pairs = list(enumerate(structure))
    found = []
    for key, item in pairs:
        found.extend(flatten_with_tuple_paths(item, False, path + (key,)))
    return found


def assert_same_structure(nest1, nest2, check_types=True, expand_composites=False):
    if len(flatten(nest1)) != len(flatten(nest2)):
        raise ValueError("The two structures don't have the same nested structure.")
