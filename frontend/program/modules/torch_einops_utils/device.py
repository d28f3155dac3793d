"""Where tensors are: on one device."""

import torch


def module_device(module):
    return torch.device("xla")


def move_inputs_to_device(*args, **options):
    return lambda function: function


move_inputs_to_module_device = move_inputs_to_device()
