import _tilewise


def load_state_dict_from_url(url, *args, **kwargs):
    return {}


_OPTIONS = ("source", "trust_repo", "force_reload", "verbose", "skip_validation")


def load(repo_or_dir, model, *args, **kwargs):
    """Those of torchvision's repository are its models; others are not here."""
    if isinstance(repo_or_dir, str) and repo_or_dir.split(":")[0] == "pytorch/vision":
        import torchvision
        options = {k: v for k, v in kwargs.items() if k not in _OPTIONS}
        for models in (torchvision.models, torchvision.models.segmentation):
            if not _tilewise.is_unknown(models) and hasattr(models, model):
                return getattr(models, model)(*args, **options)
    return _tilewise.unknown("a model of torch.hub, whose source is not here")


def get_dir():
    return "/tmp"


def download_url_to_file(url, dst, *args, **kwargs):
    pass


set_dir = get_dir
HASH_REGEX = None
tqdm = lambda x, *args, **kwargs: x


def _get_torch_home():
    return "/tmp"


def urlparse(url):
    from urllib.parse import urlparse as parse
    return parse(url)
