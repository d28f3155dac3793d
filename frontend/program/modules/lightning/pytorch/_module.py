"""LightningModule and LightningDataModule."""

import _python
import _tilewise
from torch import nn
from torch._tensor import state

from ._arguments import FromArguments


class Hyperparameters(dict):
    def __getattr__(self, name):
        if name in self:
            return self[name]
        raise AttributeError("Missing attribute '" + name + "'")

    def __setattr__(self, name, value):
        self[name] = value


def arguments_of(cls, args, kwargs):
    """What the constructor was given, by name, with its defaults."""
    found, extra, i = {}, {}, 0
    for name, kind, has_default, default in _python.signature(cls.__init__):
        if name == "self":
            continue
        if kind == "var_keyword":
            extra = {k: v for k, v in kwargs.items() if k not in found}
        elif kind == "var_positional":
            i = len(args)
        elif kind != "keyword_only" and i < len(args):
            found[name] = args[i]
            i += 1
        elif name in kwargs:
            found[name] = kwargs[name]
        elif has_default:
            found[name] = default
    found.update(extra)
    return found


class _Hyperparameters:
    """What modules and data modules know of their arguments."""

    def save_hyperparameters(self, *args, ignore=None, frame=None, logger=True):
        given = self.__dict__.get("_given", {})
        if ignore is None:
            ignore = ()
        ignore = (ignore,) if isinstance(ignore, str) else ignore
        hparams = self.hparams
        for a in args:
            if isinstance(a, str):
                if a in given:
                    hparams[a] = given[a]
            elif isinstance(a, dict):
                hparams.update(a)
            elif hasattr(a, "__dict__"):
                hparams.update(vars(a))
        if not args:
            hparams.update({k: v for k, v in given.items() if k not in ignore})

    @property
    def hparams(self):
        own = self.__dict__
        if "_hparams" not in own:
            own["_hparams"] = Hyperparameters()
        return own["_hparams"]

    @hparams.setter
    def hparams(self, value):
        self.__dict__["_hparams"] = value

    hparams_initial = hparams


def _hook(self, *args, **kwargs):
    return None


_HOOKS = ("on_fit_start", "on_fit_end", "on_train_start", "on_train_end", "on_validation_start",
          "on_validation_end", "on_train_batch_start", "on_train_batch_end", "on_train_epoch_start",
          "on_train_epoch_end", "on_validation_epoch_start", "on_validation_epoch_end",
          "on_test_epoch_start", "on_test_epoch_end", "on_before_backward", "on_after_backward",
          "on_before_optimizer_step", "on_before_zero_grad", "setup", "teardown", "prepare_data",
          "configure_model", "configure_sharded_model", "on_save_checkpoint", "on_load_checkpoint",
          "on_epoch_start", "on_epoch_end", "on_pretrain_routine_start", "on_test_start",
          "on_validation_batch_start", "on_validation_batch_end")


class LightningModule(_Hyperparameters, nn.Module):
    automatic_optimization = True
    example_input_array = None
    CHECKPOINT_HYPER_PARAMS_KEY = "hyper_parameters"

    def __new__(cls, *args, **kwargs):
        new = object.__new__(cls)
        new.__dict__["_given"] = arguments_of(cls, args, kwargs)
        new.__dict__["_trainer"] = None
        return new

    @property
    def trainer(self):
        return self.__dict__["_trainer"]

    @trainer.setter
    def trainer(self, value):
        self.__dict__["_trainer"] = value

    fabric = trainer

    @property
    def device(self):
        from torch import device
        return device("xla", 0)

    @property
    def dtype(self):
        return state.default

    @property
    def device_mesh(self):
        trainer = self.__dict__["_trainer"]
        return None if trainer is None else trainer.device_mesh

    @property
    def current_epoch(self):
        return 0

    @property
    def global_step(self):
        return 0

    @property
    def global_rank(self):
        return 0

    local_rank = global_rank

    @property
    def on_gpu(self):
        return False

    @property
    def logger(self):
        return self.trainer.logger if self.trainer is not None else None

    @property
    def loggers(self):
        return []

    def log(self, name, value, *args, **kwargs):
        if self.trainer is not None:
            self.trainer.callback_metrics[name] = value

    def log_dict(self, dictionary, *args, **kwargs):
        pass

    print = log_dict

    def configure_optimizers(self):
        return None

    def configure_callbacks(self):
        return []

    def manual_backward(self, loss, *args, **kwargs):
        loss.backward()

    def backward(self, loss, *args, **kwargs):
        loss.backward()

    def optimizer_step(self, epoch=None, batch_idx=None, optimizer=None, optimizer_closure=None,
                       **options):
        optimizer.step(optimizer_closure)

    def optimizer_zero_grad(self, epoch=None, batch_idx=None, optimizer=None, *args):
        pass

    def lr_scheduler_step(self, scheduler, metric=None, *args):
        scheduler.step()

    def configure_gradient_clipping(self, optimizer, *args, **kwargs):
        pass

    def optimizers(self, use_pl_optimizer=True):
        found = self.trainer.optimizers
        return found[0] if len(found) == 1 else found

    def lr_schedulers(self):
        found = self.trainer.lr_schedulers
        return None if not found else found[0] if len(found) == 1 else found

    def toggle_optimizer(self, *args, **kwargs):
        pass

    untoggle_optimizer = clip_gradients = toggle_optimizer

    def all_gather(self, data, *args, **kwargs):
        return data

    def freeze(self):
        self.requires_grad_(False)
        self.eval()

    def unfreeze(self):
        self.requires_grad_(True)
        self.train()

    @classmethod
    def load_from_checkpoint(cls, checkpoint_path=None, map_location=None, hparams_file=None,
                             strict=None, **kwargs):
        missing = [name for name, kind, has_default, _ in _python.signature(cls.__init__)
                   if name != "self" and not has_default and name not in kwargs and
                   kind not in ("var_positional", "var_keyword")]
        if missing:
            return _tilewise.unknown("a model that is made from a checkpoint")
        return cls(**kwargs)

    def to_torchscript(self, *args, **kwargs):
        return self

    to_onnx = to_torchscript

    def transfer_batch_to_device(self, batch, device=None, dataloader_idx=0):
        return batch

    on_before_batch_transfer = on_after_batch_transfer = transfer_batch_to_device


class LightningDataModule(FromArguments, _Hyperparameters):
    def __new__(cls, *args, **kwargs):
        new = object.__new__(cls)
        new.__dict__["_given"] = arguments_of(cls, args, kwargs)
        return new

    def __init__(self, *args, **kwargs):
        self.trainer = None

    @classmethod
    def from_datasets(cls, train_dataset=None, val_dataset=None, test_dataset=None,
                      predict_dataset=None, batch_size=1, num_workers=0, **options):
        from torch.utils.data import DataLoader
        made = LightningDataModule()
        made.train_dataloader = lambda: DataLoader(train_dataset, batch_size, shuffle=True)
        return made

    def transfer_batch_to_device(self, batch, device=None, dataloader_idx=0):
        return batch

    on_before_batch_transfer = on_after_batch_transfer = transfer_batch_to_device

    def state_dict(self):
        return {}

    def load_state_dict(self, state_dict):
        pass


for _name in _HOOKS:
    setattr(LightningModule, _name, _hook)
    setattr(LightningDataModule, _name, _hook)
