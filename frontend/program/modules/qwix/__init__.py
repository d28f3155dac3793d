"""Qwix, as programs quantize models with it: what its rules do is not followed."""

import _tilewise


class QtRule:
    additional_qt_config = None

    def __init__(self, **values):
        self.__dict__.update(values)

    def __getattr__(self, name):
        if name[:2] == "__":
            raise AttributeError(name)
        return None


QuantizationRule = QtRule


class QtProvider:
    def __init__(self, rules=None, **more):
        self.rules = rules


PtqProvider = LoraProvider = QuantizationProvider = QtProvider


def quantize_model(model, provider, *inputs, **more):
    _tilewise.note("what Qwix quantizes is counted in the types that the model has without it")
    return model


def apply_lora_to_model(model, provider, *inputs, **more):
    _tilewise.note("adapters that Qwix adds to a model are not counted")
    return model
