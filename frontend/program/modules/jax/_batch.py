"""How many examples a step takes, where no data set said so."""

import _tilewise as _t
from jax import _core as _c
from jax import _tree

CALLED = [None]  # what the function that was compiled last was called with
_said = [False]
MAPPED = [0]  # functions around this line that each device calls with its own part (pmap)
LEVELS = []  # levels of vmap around this line, the outermost first
_buffers = []  # whether a buffer was seen
CUT = [None]  # rows that were cut out of a larger array last


def _size(x, models=()):
    """Examples in one argument; None for weights, keys and what is not an array."""
    for leaf in _tree.leaves(x):
        if not isinstance(leaf, _c.Array) or isinstance(leaf, _c.Key):
            return None
        mapped = [level for level in leaf._b if level not in models]
        if mapped:
            return _c.sizes_of(mapped)[0]
        if leaf.ndim == 0 or leaf.shape[0] < 2 or _t.is_weight(leaf._h):
            return None
        return leaf.shape[0]
    return None


def from_host(x):
    """An array that holds some rows of a larger one."""
    if not _said[0] and x._examples is not None:
        _said[0] = True
        _t.record("batch", size=x._examples, what="rows of an array")


def _say(size, what):
    _said[0] = True
    _t.record("batch", size=size, what=what, per_core=MAPPED[0] > 0)


def stated(size):
    """What stands for data has the batch that a name of the program says."""
    if not _said[0] and not _c.FED[0]:
        _say(size, "a name of the program")


def note(arguments, watched=()):
    """Called at a gradient, with what is not differentiated, and with what is."""
    if _said[0] or _c.FED[0]:
        return
    # Levels that the weights have as well are models side by side, each with its own examples.
    models = {level for x in watched for level in x._b}
    if models:
        count = 1
        for size in _c.sizes_of(tuple(models)):
            count *= size
        _t.note("the step trains " + str(count) + " models side by side (vmap): the batch is that "
                "of each")
    if CUT[0] is not None:
        _say(CUT[0], "rows of an array")
        return
    for group in (arguments, CALLED[0] or ()):
        for x in reversed(group):
            n = _size(x, models)
            if n is not None:
                _say(n, "arguments of the function")
                if not models:
                    _feed(n)
                return


def take_buffers(arguments):
    """What many steps of an environment filled is data of a compiled function, not its work."""
    for leaf in _tree.leaves(arguments):
        # Arrays that nothing has needed yet may still become weights.
        made = isinstance(leaf, _c.Array) and "_h" in leaf.__dict__
        if made and not isinstance(leaf, _c.Key) and not leaf._b and \
                _t.take_buffer(leaf._h) and not _buffers:
            _buffers.append(True)
            _t.note("what a compiled function is given was gathered in many steps before; it is "
                    "taken to be data, and the steps that gathered it do not count")


def _feed(n):
    """What a program made up before it called its step is data from outside."""
    for x in CALLED[0] or ():
        if _size(x) == n:
            for leaf in _tree.leaves(x):
                if not leaf._b and leaf.shape[0] == n:
                    _t.take_as_input(leaf._h)
