"""Trainer: fit is one round of training on one batch."""

import _python
import _tilewise
from torch._tensor import Tensor, bfloat16, state
from torch.amp import autocast
from torch.optim import Optimizer
from ._arguments import FromArguments
from .._accept import Accepting, unknown_number


class _Metrics(dict):
    def __missing__(self, key):
        return unknown_number()


def half_of(precision):
    """Of a precision's name: (type of elements or None, whether weights have it too)."""
    name = str(precision)
    if "bf16" in name or name in ("16", "16-mixed", "16-true"):
        return bfloat16, name.endswith("true")
    return None, False


def several(devices, strategy, accelerator):
    """Whether the program says that it runs on several devices."""
    if isinstance(strategy, str) and strategy.split("_")[0] in ("ddp", "fsdp", "deepspeed", "xla"):
        return devices != 1
    if isinstance(devices, str) and devices.lstrip("-").isdigit():
        devices = int(devices)
    if isinstance(devices, (list, tuple)):
        return len(devices) > 1
    if isinstance(devices, int):
        return devices > 1 or devices == -1
    return accelerator == "tpu"


def start(devices, strategy, accelerator):
    if several(devices, strategy, accelerator):
        state.per_core = True


class Trainer(FromArguments):
    def __init__(self, *args, accelerator="auto", strategy="auto", devices="auto", num_nodes=1,
                 precision=None, logger=None, callbacks=None, fast_dev_run=False, max_epochs=None,
                 min_epochs=None, max_steps=-1, accumulate_grad_batches=1, gradient_clip_val=None,
                 gpus=None, tpu_cores=None, default_root_dir=None, limit_train_batches=None,
                 **options):
        self.accelerator, self.strategy_name = accelerator, strategy
        if tpu_cores is not None:
            devices, accelerator = tpu_cores, "tpu"
        elif gpus is not None:
            devices = gpus
        self.devices, self.num_nodes, self.precision = devices, num_nodes, precision
        self.num_devices = 1
        self.callbacks = [] if callbacks is None else \
            list(callbacks) if isinstance(callbacks, (list, tuple)) else [callbacks]
        self.logger = Accepting() if logger is None or logger is True else logger
        self.loggers = []
        self.max_epochs = 1000 if max_epochs is None else max_epochs
        self.max_steps, self.min_epochs, self.fast_dev_run = max_steps, min_epochs, fast_dev_run
        self.accumulate_grad_batches = accumulate_grad_batches
        self.gradient_clip_val = gradient_clip_val
        self.default_root_dir = default_root_dir or "lightning_logs"
        self.optimizers, self.lr_schedulers, self.callback_metrics = [], [], _Metrics()
        self.logged_metrics = self.progress_bar_metrics = self.callback_metrics
        self.train_dataloader, self.datamodule, self.model = None, None, None
        self.current_epoch = self.global_step = self.global_rank = self.local_rank = 0
        self.node_rank = 0
        self.is_global_zero, self.sanity_checking = True, False
        self.training, self.validating, self.testing = False, False, False
        self.log_dir, self.state, self.num_sanity_val_steps = "lightning_logs", Accepting(), 0
        self.ckpt_path, self.interrupted, self.should_stop = None, False, False
        self.strategy, self.profiler = Accepting(), Accepting()
        self._strategy, self._mesh = strategy, None
        start(devices, strategy, accelerator)

    @property
    def device_mesh(self):
        """The mesh of a ModelParallelStrategy: over examples, and over what is computed."""
        if self._mesh is None:
            from torch.distributed.device_mesh import init_device_mesh
            given = getattr(self._strategy, "given", None) or {}
            if given.get("tensor_parallel_size", 1) != 1:
                _tilewise.note("tensor parallelism is not spread over cores here: the step is "
                               "that of the whole module")
            self._mesh = init_device_mesh("xla", (_tilewise.replicas(), 1),
                                          mesh_dim_names=("data_parallel", "tensor_parallel"))
        return self._mesh

    @property
    def world_size(self):
        return _tilewise.replicas() if state.per_core else 1

    @property
    def checkpoint_callback(self):
        for callback in self.callbacks:
            if "Checkpoint" in type(callback).__name__:
                return callback
        return Accepting(best_model_path="")

    checkpoint_callbacks = early_stopping_callback = checkpoint_callback

    @property
    def num_training_batches(self):
        loader = self.train_dataloader
        return unknown_number() if loader is None else len(loader)

    @property
    def num_val_batches(self):
        return [unknown_number()]

    @property
    def estimated_stepping_batches(self):
        if self.train_dataloader is None:
            self._find_loader(None)
        if isinstance(self.max_steps, int) and self.max_steps > 0:
            return self.max_steps
        per_epoch = self.num_training_batches // self.accumulate_grad_batches
        return per_epoch * self.max_epochs

    # -- the run

    def fit(self, model, train_dataloaders=None, val_dataloaders=None, datamodule=None,
            ckpt_path=None, train_dataloader=None, **options):
        if train_dataloaders is None:
            train_dataloaders = train_dataloader
        if datamodule is None and hasattr(train_dataloaders, "train_dataloader"):
            datamodule, train_dataloaders = train_dataloaders, None
        self.model = self.lightning_module = model
        self.datamodule, self.training = datamodule, True
        if _tilewise.is_unknown(model):
            _tilewise.note("the model that is fitted is not known: " + _tilewise.reason(model))
            return
        model.trainer = self
        if isinstance(self.max_epochs, int):
            _tilewise.record("epochs", count=self.max_epochs)
        kind, whole = half_of(self.precision)
        if whole:
            model.to(kind)
        for part in (datamodule, model):
            if part is not None:
                part.trainer = self
                part.prepare_data()
                _called(part.setup, "fit")
        model.configure_model()
        self.train_dataloader = train_dataloaders
        self._find_loader(datamodule)
        self._configure(model.configure_optimizers())
        if isinstance(self.accumulate_grad_batches, int) and self.accumulate_grad_batches > 1:
            _tilewise.record("accumulation", steps=self.accumulate_grad_batches)
        model.train()
        for hook in ("on_fit_start", "on_train_start", "on_train_epoch_start"):
            self._hook(hook)
        with autocast(dtype=kind, enabled=kind is not None and not whole):
            self._round(model)

    def _hook(self, name, *args):
        for callback in self.callbacks:
            function = getattr(callback, name, None)
            if callable(function):
                function(self, self.model, *args)
        getattr(self.model, name)(*args)

    def _find_loader(self, datamodule):
        if self.train_dataloader is None:
            for part in (datamodule or self.datamodule, self.model):
                if part is not None and hasattr(part, "train_dataloader"):
                    self.train_dataloader = part.train_dataloader()
                    return

    def _configure(self, made):
        self.optimizers, self.lr_schedulers = [], []
        if isinstance(made, tuple) and len(made) == 2 and isinstance(made[0], (list, tuple)):
            made, schedules = made
            self._schedules(schedules)
        for one in made if isinstance(made, (list, tuple)) else [made]:
            if isinstance(one, dict):
                self._schedules([one["lr_scheduler"]] if "lr_scheduler" in one else [])
                one = one["optimizer"]
            if one is not None:
                self.optimizers.append(one)

    def _schedules(self, found):
        for s in found if isinstance(found, (list, tuple)) else [found]:
            self.lr_schedulers.append(s["scheduler"] if isinstance(s, dict) else s)

    def _round(self, model):
        batch = _batch_of(self.train_dataloader)
        if _tilewise.is_unknown(batch):
            _tilewise.note("the batch of train_dataloader is not known: " +
                           _tilewise.reason(batch))
        batch = model.on_after_batch_transfer(batch, 0)
        self._hook("on_train_batch_start", batch, 0)
        if not model.automatic_optimization:
            _step_of(model, batch, None)
            return
        if len(self.optimizers) > 1 and "optimizer_idx" in _names(model.training_step):
            chosen = list(enumerate(self.optimizers))
        else:
            chosen = [(None, o) for o in self.optimizers[:1]]
        for index, optimizer in chosen:
            loss = _loss_of(_step_of(model, batch, index))
            if not isinstance(loss, Tensor):
                _tilewise.note("the loss that training_step gives is not known")
                continue
            model.on_before_backward(loss)
            loss.backward()
            model.on_after_backward()
            optimizer.step()

    def _nothing(self, *args, **kwargs):
        return [_Metrics()]

    validate = test = predict = _nothing

    def _none(self, *args, **kwargs):
        return None

    save_checkpoint = print = tune = _none

    def init_module(self, empty_init=None):
        return Accepting()


def _called(function, argument):
    return function(argument) if _python.signature(function) else function()


def _names(function):
    return [row[0] for row in _python.signature(function)]


def _step_of(model, batch, index):
    names = _names(model.training_step)
    values = [batch, 0] if index is None else [batch, 0, index]
    if "dataloader_iter" in names:
        return model.training_step(iter([batch]))
    if any([row[1] == "var_positional" for row in _python.signature(model.training_step)]):
        return model.training_step(*values)
    return model.training_step(*values[:max(len(names), 1)])


def _loss_of(result):
    return result["loss"] if isinstance(result, dict) and "loss" in result else result


def _batch_of(loader):
    if isinstance(loader, dict):
        return {k: _batch_of(v) for k, v in loader.items()}
    if isinstance(loader, (list, tuple)):
        return [_batch_of(v) for v in loader]
    if loader is None:
        return _tilewise.unknown("a train_dataloader, which the program does not give")
    if _tilewise.is_unknown(loader):
        return loader
    for batch in loader:
        return batch
    return _tilewise.unknown("a batch of an empty loader")
