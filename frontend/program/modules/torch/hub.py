import _tilewise


def load_state_dict_from_url(url, *args, **kwargs):
    return {}


def load(repo, model, *args, **kwargs):
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
