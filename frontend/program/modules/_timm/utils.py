"""Helpers of training programs."""

import _tilewise


class AverageMeter:
    def __init__(self):
        self.reset()

    def reset(self):
        self.val = self.avg = self.sum = self.count = 0

    def update(self, val, n=1):
        self.val, self.count = val, self.count + n
        self.sum += val * n
        self.avg = self.sum / self.count


def add_bool_arg(parser, name, default=False, help=""):
    dest = name.replace("-", "_")
    parser.add_argument("--" + name, dest=dest, action="store_true", help=help)
    parser.add_argument("--no-" + name, dest=dest, action="store_false", help=help)
    parser.set_defaults(**{dest: default})


def accuracy(output, target, topk=(1,)):
    return [_tilewise.unknown("an accuracy")] * len(topk)


class NativeScaler:
    state_dict_key = "amp_scaler"

    def __init__(self, device="cuda"):
        pass

    def __call__(self, loss, optimizer, clip_grad=None, clip_mode="norm", parameters=None,
                 create_graph=False, need_update=True):
        loss.backward(create_graph=create_graph)
        if need_update:
            optimizer.step()

    def state_dict(self):
        return {}

    def load_state_dict(self, state):
        pass


ApexScaler = NativeScaler


class ModelEma:
    def __init__(self, model, decay=0.9999, device="", resume=""):
        from copy import deepcopy
        self.ema = self.module = deepcopy(model)
        self.ema.requires_grad_(False)

    def update(self, model, step=None):
        pass

    set = update


ModelEmaV2 = ModelEmaV3 = ModelEma


def get_state_dict(model, unwrap_fn=None):
    return model.state_dict()


def unwrap_model(model):
    return model.module if hasattr(model, "module") else model


def reduce_tensor(tensor, n=1):
    return tensor


def distribute_bn(model, world_size, reduce=False):
    pass


def random_seed(seed=42, rank=0):
    pass


def setup_default_logging(*args, **kwargs):
    pass


update_summary = setup_default_logging


def dispatch_clip_grad(parameters, value, mode="norm", norm_type=2.0):
    pass


def get_outdir(path, *paths, inc=False):
    return path


def is_primary(args, rank=0):
    return True


def init_distributed_device(args):
    import torch
    args.distributed, args.world_size, args.rank, args.local_rank = False, 1, 0, 0
    return torch.device("cuda")


class CheckpointSaver:
    def __init__(self, *args, **kwargs):
        pass

    def save_checkpoint(self, epoch, metric=None):
        return None, None

    def save_recovery(self, *args, **kwargs):
        pass
