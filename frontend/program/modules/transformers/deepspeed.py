class HfDeepSpeedConfig:
    def __init__(self, *args, **kwargs):
        pass


def is_deepspeed_zero3_enabled():
    return False


def deepspeed_init(*args, **kwargs):
    return None, None
