"""kaggle_datasets: the buckets that hold a notebook's data."""


class KaggleDatasets:
    def get_gcs_path(self, dataset_dir=None):
        return "gs://kds-data" if dataset_dir is None else "gs://kds-" + str(dataset_dir)

    def get_gcs_image_path(self, dataset_dir=None):
        return self.get_gcs_path(dataset_dir)
