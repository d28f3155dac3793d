"""torch.accelerator: the program is read for a TPU, so there is none of another kind."""


def is_available():
    return False


def current_accelerator(check_available=False):
    return None


def device_count():
    return 0


def current_device_index():
    return 0


set_device_index = set_device_idx = synchronize = lambda *args: None
