from _timm.layers import DropPath, Mlp, PatchEmbed, trunc_normal_
from ._vit import Attention, Block, VisionTransformer

default_cfgs = {}


def _cfg(url="", **kwargs):
    made = {"url": url, "num_classes": 1000, "input_size": (3, 224, 224), "pool_size": None,
            "crop_pct": 0.9, "interpolation": "bicubic", "mean": (0.5, 0.5, 0.5),
            "std": (0.5, 0.5, 0.5), "first_conv": "patch_embed.proj", "classifier": "head"}
    made.update(kwargs)
    return made


def checkpoint_filter_fn(state_dict, model, **kwargs):
    return state_dict
