"""Parts of a fed batch that towers of a graph take."""


def part_size(index, whole):
    """The size of the part that an index cuts out of `whole` examples; 0: it is none of several
    equal ones."""
    if not isinstance(index, slice) or index.step is not None:
        return 0
    begin = 0 if index.start is None else index.start
    end = whole if index.stop is None else index.stop
    if not (isinstance(begin, int) and isinstance(end, int)) or not 0 <= begin < end <= whole:
        return 0
    n = end - begin
    return n if n < whole and whole % n == 0 and begin % n == 0 else 0
