from ..utils import clip_grad_norm_, clip_grad_value_
