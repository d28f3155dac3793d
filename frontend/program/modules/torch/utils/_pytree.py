def tree_map(function, tree):
    if isinstance(tree, dict):
        return {k: tree_map(function, v) for k, v in tree.items()}
    if isinstance(tree, (list, tuple)):
        return type(tree)([tree_map(function, v) for v in tree])
    return function(tree)


def tree_flatten(tree):
    values = []
    tree_map(values.append, tree)
    return values, tree
