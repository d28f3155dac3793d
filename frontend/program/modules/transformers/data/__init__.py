from transformers.data import data_collator


class DataProcessor:
    pass


def __getattr__(name):
    if name[:2] == "__":
        raise AttributeError(name)
    return getattr(data_collator, name)
