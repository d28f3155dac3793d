"""Weights that are loaded leave shapes as they are."""


def load_pretrained(model, *args, **kwargs):
    return None


load_checkpoint = load_custom_pretrained = resume_checkpoint = load_pretrained


def named_apply(fn, module, name="", depth_first=True, include_root=False):
    return module


def checkpoint_seq(functions, x, *args, **kwargs):
    for f in functions:
        x = f(x)
    return x


def adapt_input_conv(in_chans, conv_weight):
    return conv_weight


def build_model_with_cfg(model_cls, variant, pretrained=False, default_cfg=None, model_cfg=None,
                         feature_cfg=None, pretrained_filter_fn=None, **kwargs):
    for name in ("pretrained_cfg", "pretrained_cfg_overlay", "features_only",
                 "pretrained_custom_load", "pretrained_strict", "kwargs_filter"):
        kwargs.pop(name, None)
    return model_cls(**kwargs) if model_cfg is None else model_cls(cfg=model_cfg, **kwargs)
