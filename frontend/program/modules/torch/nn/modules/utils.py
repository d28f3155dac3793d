def _ntuple(n, name="parse"):
    def parse(x):
        return tuple(x) if isinstance(x, (tuple, list)) else (x,) * n
    return parse


_single, _pair, _triple, _quadruple = _ntuple(1), _ntuple(2), _ntuple(3), _ntuple(4)


def _reverse_repeat_tuple(t, n):
    return tuple([x for x in reversed(t) for _ in range(n)])
