"""DeepSpeed: an engine that holds a model and its optimizer."""

import contextlib

import _tilewise
import torch
from torch import _tensor as _t

__version__ = "0.16.0"


def _values(config):
    if isinstance(config, str):
        import _python
        import json
        text = _python.read_file(config)
        if text is None:
            _tilewise.note("the configuration " + config + " of DeepSpeed is not known")
            return {}
        return json.loads(text)
    return config if isinstance(config, dict) else {}


class DeepSpeedEngine(torch.nn.Module):
    def __init__(self, model, optimizer, config):
        torch.nn.Module.__init__(self)
        self.module = model
        own = self.__dict__
        own["optimizer"], own["config_"] = optimizer, config
        own["local_rank"] = own["global_steps"] = 0
        own["half"] = None
        for name, kind in (("bf16", torch.bfloat16), ("bfloat16", torch.bfloat16),
                           ("fp16", torch.float16)):
            if (config.get(name) or {}).get("enabled") is True:
                own["half"] = kind
                model.to(kind)
        steps = config.get("gradient_accumulation_steps")
        if isinstance(steps, int) and steps > 1:
            _tilewise.record("accumulation", steps=steps)
        size = config.get("train_micro_batch_size_per_gpu")
        if isinstance(size, int) and not _t.state.stepped:
            _tilewise.record("batch", size=size, what="DeepSpeed", per_core=True)

    def forward(self, *args, **kwargs):
        return self.module(*args, **kwargs)

    def __getattr__(self, name):
        try:
            return torch.nn.Module.__getattr__(self, name)
        except AttributeError:
            if name == "module":
                raise
            return getattr(self.module, name)

    def backward(self, loss, **kwargs):
        if not _tilewise.is_unknown(loss):
            loss.backward()
        return loss

    def step(self, *args, **kwargs):
        if self.optimizer is not None:
            self.optimizer.step()

    def gradient_accumulation_steps(self):
        return self.config_.get("gradient_accumulation_steps", 1)

    def train_micro_batch_size_per_gpu(self):
        return self.config_.get("train_micro_batch_size_per_gpu", 1)

    def is_gradient_accumulation_boundary(self):
        return True

    def get_lr(self):
        return [0.0]

    def save_checkpoint(self, *args, **kwargs):
        pass

    save_16bit_model = save_checkpoint

    def load_checkpoint(self, *args, **kwargs):
        return None, {}


def initialize(args=None, model=None, optimizer=None, model_parameters=None, training_data=None,
               lr_scheduler=None, config=None, config_params=None, **options):
    _t.state.per_core = True
    if config is None:
        config = config_params
    if config is None:
        config = getattr(args, "deepspeed_config", None)
    values = _values(config)
    if _tilewise.is_unknown(model):
        return model, optimizer, None, lr_scheduler
    if optimizer is None:
        wanted = values.get("optimizer") or {}
        more = wanted.get("params") or {}
        kind = str(wanted.get("type", "AdamW")).lower()
        cls = {"sgd": torch.optim.SGD, "adam": torch.optim.Adam}.get(kind, torch.optim.AdamW)
        known = {k: v for k, v in more.items() if k in ("lr", "weight_decay")
                 and isinstance(v, (int, float))}
        params = list(model_parameters) if model_parameters is not None else \
            [p for p in model.parameters() if p.requires_grad]
        optimizer = cls(params, **known)
    elif callable(optimizer) and not hasattr(optimizer, "step"):
        optimizer = optimizer([p for p in model.parameters() if p.requires_grad])
    engine = DeepSpeedEngine(model, optimizer, values)
    loader = None
    if training_data is not None:
        from torch.utils.data import DataLoader
        loader = DataLoader(training_data, values.get("train_micro_batch_size_per_gpu", 1),
                            collate_fn=options.get("collate_fn"))
    return engine, optimizer, loader, lr_scheduler


def init_distributed(*args, **kwargs):
    _t.state.per_core = True


def add_config_arguments(parser):
    parser.add_argument("--deepspeed", action="store_true")
    parser.add_argument("--deepspeed_config", default=None, type=str)
    return parser


class zero:
    @staticmethod
    @contextlib.contextmanager
    def Init(*args, **kwargs):
        yield

    @staticmethod
    @contextlib.contextmanager
    def GatheredParameters(*args, **kwargs):
        yield
