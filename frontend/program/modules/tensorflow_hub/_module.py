"""Modules of TensorFlow 1."""

import _tilewise as _t
from tensorflow._tf1.graph import Quiet
from tensorflow_hub import _models, _table
from tensorflow_hub._layers import missing

_unk = _t.is_unknown


class ModuleSpec(Quiet):
    def __init__(self, handle=None, *args, **kw):
        self.handle = handle

    def get_signature_names(self, tags=None):
        return ["default"]


def load_module_spec(path):
    return ModuleSpec(path)


def create_module_spec(module_fn, *args, **kw):
    return ModuleSpec(module_fn)


class Module:
    """A published model in a graph."""

    def __init__(self, spec, trainable=False, name="module", tags=None):
        handle = spec.handle if isinstance(spec, ModuleSpec) else spec
        self.handle, self.spec, self.layer = handle, _table.find(handle), None
        if self.spec is not None:
            self.layer = _models.KINDS[self.spec.kind](self.spec, trainable=trainable)

    def __call__(self, inputs=None, _sentinel=None, signature=None, as_dict=None):
        if self.layer is None:
            return missing(self.handle)
        if isinstance(inputs, dict) and self.spec.kind != "bert" and len(inputs) == 1:
            inputs = list(inputs.values())[0]
        out = self.layer(inputs)
        return {"default": out} if as_dict and not isinstance(out, dict) else out

    @property
    def variable_map(self):
        return {v.name: v for v in self.layer.variables} if self.layer is not None else {}

    @property
    def variables(self):
        return self.layer.variables if self.layer is not None else []

    def get_input_info_dict(self, signature=None):
        return _t.unknown("what a module takes")

    get_output_info_dict = get_input_info_dict

    def get_attached_message(self, *args, **kw):
        return None

    def export(self, *args, **kw):
        return None


def _spec_of(module):
    if isinstance(module, Module):
        return module.spec
    return _table.find(module.handle) if isinstance(module, ModuleSpec) else None


def get_expected_image_size(module, signature=None, input_name=None):
    spec = _spec_of(module)
    if spec is None or spec.kind != "image":
        size = _t.unknown("the size of the pictures that a module takes")
        return [size, size]
    return [spec.side, spec.side]


def get_num_image_channels(module, signature=None, input_name=None):
    return 3


def eval_function_for_module(spec, tags=None):
    return Module(spec)


class LatestModuleExporter(Quiet):
    pass
