"""The registry of timm's models, with its work put off until a model is asked for: hundreds of
models are registered when timm is imported, and a program makes few of them."""

import fnmatch
import sys
from collections import defaultdict, deque
from copy import deepcopy
from dataclasses import replace

from ._pretrained import DefaultCfg, PretrainedCfg

_functions = {}                      # by name
_modules = {}                        # name -> last part of the module's name
_deprecated = {}
_model_entrypoints, _model_to_module = _functions, _modules
_module_to_deprecated_models = defaultdict(dict)


def split_model_name_tag(model_name, no_tag=""):
    name, _, tag = model_name.partition(".")
    return name, tag or no_tag


def get_arch_name(model_name):
    return model_name.partition(".")[0]


class _Configurations(dict):
    """What generate_default_cfgs was given; each entry is worked out when it is read."""

    def __init__(self, given):
        dict.__init__(self)
        self.given, self.by_name = given, None

    def _sorted(self):
        if self.by_name is None:
            self.by_name = defaultdict(list)
            for key in self.given:
                self.by_name[get_arch_name(key)].append(key)
        return self.by_name

    def __contains__(self, name):
        return name in self._sorted()

    def __iter__(self):
        return iter(list(self._sorted()))

    def keys(self):
        return list(self._sorted())

    def __len__(self):
        return len(self._sorted())

    def values(self):
        return [self[name] for name in self._sorted()]

    def items(self):
        return [(name, self[name]) for name in self._sorted()]

    def get(self, name, default=None):
        return self[name] if name in self._sorted() else default

    def __missing__(self, name):
        made, chosen = DefaultCfg(), False
        for key in self._sorted().get(name, []):
            value, tag = self.given[key], key.partition(".")[2]
            if isinstance(value, dict):
                value = PretrainedCfg(**value)
            weights = value.has_weights
            first = (weights and not tag) or (tag.endswith("*") and not chosen)
            tag = tag.strip("*")
            if first:
                made.tags.appendleft(tag)
                chosen = True
            elif weights and not made.is_pretrained:
                made.tags.appendleft(tag)
            else:
                made.tags.append(tag)
            made.is_pretrained = made.is_pretrained or weights
            made.cfgs[tag] = value
        self[name] = made
        return made


def generate_default_cfgs(cfgs):
    return _Configurations(cfgs)


def register_model(fn):
    module, name = sys.modules[fn.__module__], fn.__name__
    if hasattr(module, "__all__"):
        module.__all__.append(name)
    else:
        module.__all__ = [name]
    _functions[name] = fn
    _modules[name] = fn.__module__.rsplit(".", 1)[-1]
    return fn


def register_model_deprecations(module_name, deprecation_map):
    module = sys.modules[module_name]
    for old, new in deprecation_map.items():
        if hasattr(module, "__all__"):
            module.__all__.append(old)
        function = _shim(module, old, new)
        setattr(module, old, function)
        _functions[old] = function
        _modules[old] = module_name.rsplit(".", 1)[-1]
        _deprecated[old] = new


def _shim(module, old, new):
    name, tag = split_model_name_tag(new) if new else ("", "")

    def made(pretrained=False, **kwargs):
        given = kwargs.pop("pretrained_cfg", None)
        return getattr(module, name)(pretrained=pretrained, pretrained_cfg=given or tag, **kwargs)
    made.__name__ = old
    return made


def _configuration_of(name):
    """The DefaultCfg of a registered model; None where it has none."""
    function = _functions.get(name)
    table = getattr(sys.modules.get(getattr(function, "__module__", "")), "default_cfgs", None)
    if table is None or name not in table:
        return None
    found = table[name]
    if isinstance(found, DefaultCfg):
        return found
    return DefaultCfg(tags=deque([""]), cfgs={"": PretrainedCfg(**found)})


def get_pretrained_cfg(model_name, allow_unregistered=True):
    name, tag = split_model_name_tag(model_name)
    found = _configuration_of(name)
    if found is not None:
        tag = tag or found.tags[0]
        if tag in found.cfgs:
            cfg = found.cfgs[tag]
            full = name + "." + tag if tag else name
            items = {"architecture": name, "tag": tag or None}
            if cfg.hf_hub_id == "timm/":
                items["hf_hub_id"] = "timm/" + full
            return replace(cfg, **items)
        raise RuntimeError("Invalid pretrained tag (" + tag + ") for " + name + ".")
    if allow_unregistered:
        return None
    raise RuntimeError("Model architecture (" + name + ") has no pretrained cfg registered.")


def get_pretrained_cfg_value(model_name, cfg_key):
    return getattr(get_pretrained_cfg(model_name, False), cfg_key, None)


def get_arch_pretrained_cfgs(model_name):
    found = _configuration_of(get_arch_name(model_name))
    return {} if found is None else dict(found.cfgs)


def is_model(model_name):
    return get_arch_name(model_name) in _functions


def model_entrypoint(model_name, module_filter=None):
    return _functions[get_arch_name(model_name)]


def is_model_pretrained(model_name):
    found = _configuration_of(get_arch_name(model_name))
    return found is not None and found.is_pretrained


def list_modules():
    return sorted(set(_modules.values()))


def is_model_in_modules(model_name, module_names):
    return _modules.get(get_arch_name(model_name)) in set(module_names)


def get_deprecated_models(module=""):
    return deepcopy(_deprecated)


def list_models(filter="", module="", pretrained=False, exclude_filters="", name_matches_cfg=False,
                include_tags=None):
    wanted = [filter] if isinstance(filter, str) else list(filter)
    unwanted = [exclude_filters] if isinstance(exclude_filters, str) else list(exclude_filters)
    found = []
    for name in sorted(_functions):
        if module and _modules[name] != module:
            continue
        if pretrained and not is_model_pretrained(name):
            continue
        if any([not w or fnmatch.fnmatch(name, w) for w in wanted]) and \
                not any([u and fnmatch.fnmatch(name, u) for u in unwanted]):
            found.append(name)
    return found


def list_pretrained(filter="", exclude_filters=""):
    return list_models(filter, "", True, exclude_filters)
