def rebuilt(kind, items):
    """A list or a tuple of the kind of another; tuples with names take their items one by one."""
    return kind(*items) if hasattr(kind, "_fields") else kind(items)


def tree_map(function, tree):
    if isinstance(tree, dict):
        return {k: tree_map(function, v) for k, v in tree.items()}
    if isinstance(tree, (list, tuple)):
        return rebuilt(type(tree), [tree_map(function, v) for v in tree])
    return function(tree)


def tree_flatten(tree):
    values = []
    tree_map(values.append, tree)
    return values, tree
