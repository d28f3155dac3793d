"""How model zoos register, configure and build models."""
import copy
import functools
import re
from collections import OrderedDict
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Callable, Dict, Optional, Tuple, Union

_entrypoints: Dict[str, Callable[..., Any]] = {}


def register_model(fn):
    _entrypoints[fn.__name__] = fn
    return fn


@dataclass
class PretrainedCfg:
    url: Optional[Union[str, Tuple[str, str]]] = None
    input_size: Tuple[int, int, int] = (3, 224, 224)
    num_classes: int = 1000
    tags: Dict[str, str] = field(default_factory=OrderedDict)


def _cfg(url="", **kwargs):
    return {"url": url, "num_classes": 1000, "input_size": (3, 224, 224), "crop_pct": 0.9, **kwargs}


default_cfgs = {
    "tiny": _cfg(url="https://x/tiny.pth"),
    "small.in21k": _cfg(num_classes=21843, input_size=(3, 384, 384)),
}


def to_ntuple(n):
    def parse(x):
        if isinstance(x, (list, tuple)) and not isinstance(x, str):
            return tuple(x)
        return tuple([x] * n)
    return parse


to_2tuple = to_ntuple(2)


class Net:
    def __init__(self, img_size=224, dims=(64, 128), depths=(2, 2), act=None, norm=functools.partial(dict, eps=1e-6), drop_path=0.1, **kw):
        self.img_size = to_2tuple(img_size)
        rates = [drop_path * i / max(1, sum(depths) - 1) for i in range(sum(depths))]
        self.stages = OrderedDict()
        cur = 0
        for i, (d, n) in enumerate(zip(dims, depths)):
            self.stages[f"stage{i + 1}"] = [(d, round(rates[cur + j], 4), norm()["eps"]) for j in range(n)]
            cur += n
        self.extra = kw

    @property
    def num_features(self):
        return next(reversed(self.stages.values()))[0][0]


def create(variant, pretrained=False, **kwargs):
    cfg = copy.deepcopy(default_cfgs[variant])
    num = kwargs.pop("num_classes", cfg["num_classes"])
    model = Net(**kwargs)
    model.cfg, model.num_classes = cfg, num
    return model


@register_model
def net_tiny(pretrained=False, **kwargs):
    args = dict(dims=[32, 64], depths=[1, 2])
    return create("tiny", pretrained, **dict(args, **kwargs))


@register_model
def net_small(pretrained=False, **kwargs):
    return create("small.in21k", pretrained, **{**dict(drop_path=0.2, gc=True), **kwargs})


def create_model(name, **kwargs):
    kwargs = {k: v for k, v in kwargs.items() if v is not None}
    base, _, tag = name.partition(".")
    if base not in _entrypoints:
        raise RuntimeError(f"Unknown model ({base})")
    return _entrypoints[base](**kwargs)


m = create_model("net_tiny.x", num_classes=10, drop_rate=None, img_size=(192, 256))
print(m.stages, m.num_features, m.num_classes, m.img_size, m.extra)
m = create_model("net_small")
print(m.num_classes, m.extra, m.cfg["input_size"], list(m.stages))
try:
    create_model("nope")
except RuntimeError as e:
    print(e)


def natural_key(s):
    return [int(t) if t.isdigit() else t for t in re.split(r"(\d+)", s.lower())]


print(sorted(["net10", "net9", "net_tiny"], key=natural_key), sorted(_entrypoints))
cfg = PretrainedCfg(url="u")
print(asdict(replace(cfg, num_classes=5)), [n for n in _entrypoints if re.match("net_t.*", n)])


def checkpoint_filter(state, model):
    out = {}
    for k, v in state.items():
        k = re.sub(r"layers_(\d+).([0-9]+)", lambda x: f"stages.{int(x.group(1)) + 1}.{x.group(2)}", k)
        out[k.replace("norm.", "head.norm.")] = v
    return out


print(checkpoint_filter({"layers_0.3.w": 1, "norm.bias": 2}, None))
