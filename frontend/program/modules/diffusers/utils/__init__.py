"""diffusers.utils: what asks for other packages, as a machine with a TPU has them."""


def check_min_version(version):
    pass


def deprecate(*args, **kwargs):
    pass


def _no(*args, **kwargs):
    return False


is_xformers_available = is_torch_npu_available = is_mlflow_available = _no
is_bitsandbytes_available = is_torch_xla_available = is_hpu_available = _no


def _yes(*args, **kwargs):
    return True


is_wandb_available = is_tensorboard_available = is_torch_available = is_accelerate_available = _yes


def __getattr__(name):
    import _tilewise
    if name[:2] == "__":
        raise AttributeError(name)
    return _tilewise.unknown("diffusers.utils." + name)
