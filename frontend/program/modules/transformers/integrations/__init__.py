from transformers.trainer_callback import TrainerCallback


def is_deepspeed_zero3_enabled():
    return False


def is_wandb_available():
    return False


def is_fairscale_available():
    return False


class WandbCallback(TrainerCallback):
    pass


TensorBoardCallback = WandbCallback
