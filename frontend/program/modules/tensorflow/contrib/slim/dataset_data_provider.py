"""slim.dataset_data_provider: examples as their decoder describes them."""


class DatasetDataProvider:
    def __init__(self, dataset, *args, **kw):
        self.dataset = dataset

    def get(self, items):
        return self.dataset.decoder.decode(None, items)

    def list_items(self):
        return list(self.dataset.decoder._items)
