"""slim.dataset."""


class Dataset:
    def __init__(self, data_sources, reader=None, decoder=None, num_samples=None,
                 items_to_descriptions=None, **kw):
        self.data_sources, self.reader, self.decoder = data_sources, reader, decoder
        self.num_samples = num_samples
        self.items_to_descriptions = items_to_descriptions
        self.__dict__.update(kw)
