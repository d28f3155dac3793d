from transformers.trainer_callback import TrainerControl, TrainerState


def get_parameter_names(model, forbidden_layer_types, forbidden_layer_names=None):
    inside = [path for path, m in model.named_modules()
              if isinstance(m, tuple(forbidden_layer_types))]
    return [n for n, _ in model.named_parameters() if n.rpartition(".")[0] not in inside]


def nested_detach(tensors):
    return tensors


class LabelSmoother:
    def __init__(self, epsilon=0.1, ignore_index=-100):
        self.epsilon, self.ignore_index = epsilon, ignore_index

    def __call__(self, model_output, labels, shift_labels=False):
        from torch.nn import functional as F
        logits = model_output["logits"]
        return F.cross_entropy(logits.reshape(-1, logits.shape[-1]), labels.reshape(-1),
                               ignore_index=self.ignore_index, label_smoothing=self.epsilon)


def torch_distributed_zero_first(local_rank):
    from transformers.trainer_utils import _Main
    return _Main()
