"""torchtext.data.functional."""


def to_map_style_dataset(iter_data):
    return iter_data


def simple_space_split(iterator):
    return (line.split() for line in iterator)


def numericalize_tokens_from_iterator(vocab, iterator, removed_tokens=None):
    return ((vocab[t] for t in line) for line in iterator)
