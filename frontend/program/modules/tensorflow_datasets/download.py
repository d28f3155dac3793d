"""tfds.download."""


class _Settings:
    def __init__(self, *args, **options):
        for name, value in options.items():
            setattr(self, name, value)


class DownloadConfig(_Settings):
    pass


class DownloadManager(_Settings):
    manual_dir = "~/tensorflow_datasets/downloads/manual"

    def download_and_extract(self, urls):
        return urls

    download = extract = download_and_extract


class ComputeStatsMode:
    AUTO, SKIP, FORCE = "auto", "skip", "force"


class GenerateMode:
    REUSE_DATASET_IF_EXISTS, REUSE_CACHE_IF_EXISTS, FORCE_REDOWNLOAD = (
        "reuse_dataset_if_exists", "reuse_cache_if_exists", "force_redownload")
