from diffusers.utils import *
from diffusers.utils import is_tensorboard_available, is_wandb_available, is_xformers_available
