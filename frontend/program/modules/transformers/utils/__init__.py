from transformers.utils import logging
from transformers.modeling_outputs import ModelOutput

WEIGHTS_NAME, SAFE_WEIGHTS_NAME, CONFIG_NAME = (
    "pytorch_model.bin", "model.safetensors", "config.json")
WEIGHTS_INDEX_NAME, SAFE_WEIGHTS_INDEX_NAME = (
    "pytorch_model.bin.index.json", "model.safetensors.index.json")
ADAPTER_WEIGHTS_NAME = "adapter_model.bin"


def _yes(*args, **kwargs):
    return True


def _no(*args, **kwargs):
    return False


is_torch_available = is_datasets_available = is_torch_xla_available = is_torch_tpu_available = _yes
is_vision_available = is_accelerate_available = is_peft_available = is_safetensors_available = _yes
is_torch_fx_available = is_offline_mode = _no
is_tf_available = is_flax_available = is_apex_available = is_torch_npu_available = _no
is_torch_cuda_available = is_wandb_available = is_torch_bf16_gpu_available = _no
is_sagemaker_mp_enabled = is_in_notebook = is_torch_xpu_available = is_bitsandbytes_available = _no
is_tensorboard_available = is_torchvision_available = _no
is_flash_attn_2_available = is_torch_mps_available = is_torch_hpu_available = _no


def check_min_version(version):
    pass


def send_example_telemetry(*args, **kwargs):
    pass


def get_full_repo_name(name, *args, **kwargs):
    return name


def add_start_docstrings(*args, **kwargs):
    return lambda function: function


add_start_docstrings_to_model_forward = add_code_sample_docstrings = add_start_docstrings
replace_return_docstrings = add_end_docstrings = auto_docstring = add_start_docstrings


def can_return_tuple(function):
    return function


class PaddingStrategy:
    LONGEST, MAX_LENGTH, DO_NOT_PAD = "longest", "max_length", "do_not_pad"


class TensorType:
    PYTORCH, TENSORFLOW, NUMPY, JAX = "pt", "tf", "np", "jax"


def find_labels(model_class):
    return ["labels"]


def cached_file(*args, **kwargs):
    return None


class OptionalDependencyNotAvailable(BaseException):
    pass


class _LazyModule:
    """A package in whose place the program puts this: what it names is imported when asked for."""

    def __init__(self, name, module_file, import_structure, module_spec=None, extra_objects=None,
                 **options):
        self.__name__, self.__file__, self.__spec__ = name, module_file, module_spec
        self.__path__ = [module_file.rsplit("/", 1)[0]]
        self._objects = dict(extra_objects or {})
        self._modules = set(import_structure)
        self._home = {n: home for home, names in import_structure.items() for n in names}
        self.__all__ = list(self._modules) + list(self._home)

    def __getattr__(self, name):
        import importlib
        own = self.__dict__
        if name in own.get("_objects", ()):
            return own["_objects"][name]
        if name in own.get("_home", ()):
            made = getattr(importlib.import_module(
                own["__name__"] + "." + own["_home"][name]), name)
        elif name in own.get("_modules", ()):
            made = importlib.import_module(own["__name__"] + "." + name)
        else:
            raise AttributeError("module " + str(own.get("__name__")) + " has no attribute " + name)
        own[name] = made
        return made
