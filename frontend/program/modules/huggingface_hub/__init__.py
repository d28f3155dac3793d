import _tilewise


class HfApi:
    def __init__(self, *args, **kwargs):
        pass

    def create_repo(self, *args, **kwargs):
        return _Repo()

    def upload_folder(self, *args, **kwargs):
        pass

    upload_file = delete_repo = upload_folder


class _Repo:
    repo_id = "repo"


class Repository:
    def __init__(self, *args, **kwargs):
        pass

    def push_to_hub(self, *args, **kwargs):
        pass

    git_pull = push_to_hub


class PyTorchModelHubMixin:
    @classmethod
    def from_pretrained(cls, *args, **kwargs):
        return _tilewise.unknown("a model that is loaded")

    def save_pretrained(self, *args, **kwargs):
        pass

    push_to_hub = save_pretrained


def hf_hub_download(repo_id=None, filename=None, *args, **kwargs):
    return str(repo_id) + "/" + str(filename)


def snapshot_download(repo_id=None, *args, **kwargs):
    return str(repo_id)


class _File:
    def __init__(self, name):
        self.rfilename = name


class _Info:
    def __init__(self, names):
        self.siblings = [_File(name) for name in names]


def model_info(repo_id, *args, **kwargs):
    """Of Stable Diffusion the files that say what its parts are; of others nothing is known."""
    import _tilewise
    from diffusers import UNet2DConditionModel
    if _tilewise.is_unknown(UNet2DConditionModel.load_config(repo_id)):
        return _tilewise.unknown("the files of '" + str(repo_id) + "'")
    return _Info(["model_index.json", "scheduler/scheduler_config.json"] +
                 [part + "/config.json" for part in ("unet", "vae", "text_encoder")])


def login(*args, **kwargs):
    pass


notebook_login = upload_folder = login


def create_repo(*args, **kwargs):
    return _Repo()


def get_full_repo_name(name, *args, **kwargs):
    return name


class HfFolder:
    @staticmethod
    def get_token():
        return None
