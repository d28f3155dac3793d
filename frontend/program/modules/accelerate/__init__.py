"""Hugging Face accelerate: each core runs a process with batches of its own."""

import contextlib

import _tilewise
import torch
from torch import _tensor as _t, _unseen
from torch.distributed.fsdp import split

__version__ = "1.6.0"


class DistributedType:
    NO, MULTI_GPU, TPU, XLA, DEEPSPEED, FSDP, MULTI_CPU, MEGATRON_LM = (
        "NO", "MULTI_GPU", "XLA", "XLA", "DEEPSPEED", "FSDP", "MULTI_CPU", "MEGATRON_LM")


class _State:
    def __init__(self, accelerator=None):
        self.deepspeed_plugin = self.fsdp_plugin = None
        self.process_index = self.local_process_index = 0
        self.is_main_process = self.is_local_main_process = True
        self.distributed_type = DistributedType.XLA
        self.device = _t._DEVICE
        self.mixed_precision = "no"

    @property
    def num_processes(self):
        return _tilewise.replicas()

    def __getattr__(self, name):
        if name[:2] == "__":
            raise AttributeError(name)
        return None

    def wait_for_everyone(self):
        pass

    def print(self, *args, **kwargs):
        pass

    @contextlib.contextmanager
    def main_process_first(self):
        yield

    local_main_process_first = main_process_first

    def on_main_process(self, function=None):
        return function

    @contextlib.contextmanager
    def split_between_processes(self, inputs, apply_padding=False):
        yield inputs


PartialState = AcceleratorState = GradientState = _State


class Accelerator:
    def __init__(self, device_placement=True, split_batches=False, mixed_precision=None,
                 gradient_accumulation_steps=1, cpu=False, deepspeed_plugin=None, log_with=None,
                 gradient_accumulation_plugin=None, project_dir=None, fsdp_plugin=None,
                 **options):
        _t.state.per_core = not split_batches
        self.mixed_precision = mixed_precision or "no"
        if gradient_accumulation_plugin is not None:
            gradient_accumulation_steps = gradient_accumulation_plugin.num_steps
        self.gradient_accumulation_steps = gradient_accumulation_steps
        self._said = False
        self.state = _State()
        self._fsdp = self.state.fsdp_plugin = fsdp_plugin
        self.state.mixed_precision = self.mixed_precision
        self.device = _t._DEVICE
        self.log_with, self.trackers = log_with, []
        self.distributed_type = DistributedType.XLA
        self.sync_gradients = True
        self.optimizer_step_was_skipped = False
        self.use_distributed = True
        self.process_index = self.local_process_index = 0
        self.is_main_process = self.is_local_main_process = self.is_last_process = True
        self.project_configuration = _State()
        self.project_dir = project_dir
        self.scaler = self.native_amp = None
        self.even_batches = True

    @property
    def num_processes(self):
        return _tilewise.replicas()

    @property
    def use_fp16(self):
        return self.mixed_precision == "fp16"

    def _half(self):
        return {"bf16": torch.bfloat16, "fp16": torch.float16}.get(self.mixed_precision)

    def prepare(self, *args, device_placement=None):
        for one in args:
            if isinstance(one, torch.nn.Module):
                self._wrap(one)
                if self._fsdp is not None:
                    split(one, self._fsdp.sharding_strategy)
        return args[0] if len(args) == 1 else tuple(args)

    def _wrap(self, model):
        """A model of mixed precision computes under autocast."""
        half = self._half()
        if half is None or getattr(model, "_accelerated", False):
            return
        before = model.forward

        def forward(*args, **kwargs):
            with torch.autocast("xla", half):
                return before(*args, **kwargs)
        model.__dict__["forward"] = forward
        model.__dict__["_accelerated"] = True

    def prepare_model(self, model, **options):
        return self.prepare(model)

    prepare_optimizer = prepare_scheduler = prepare_data_loader = prepare

    @contextlib.contextmanager
    def autocast(self, autocast_handler=None):
        half = self._half()
        if half is None:
            yield
        else:
            with torch.autocast("xla", half):
                yield

    @contextlib.contextmanager
    def accumulate(self, *models):
        n = self.gradient_accumulation_steps
        if isinstance(n, int) and n > 1 and not self._said:
            self._said = True
            _tilewise.record("accumulation", steps=n)
        yield

    @contextlib.contextmanager
    def no_sync(self, model=None):
        yield

    main_process_first = local_main_process_first = no_sync
    join_uneven_inputs = profile = trigger_sync_in_backward = no_sync

    def backward(self, loss, **kwargs):
        if _tilewise.is_unknown(loss):
            _tilewise.note("the loss is not known: " + _tilewise.reason(loss))
            _unseen.backward()
            return
        loss.backward()

    def clip_grad_norm_(self, parameters, max_norm, norm_type=2):
        return torch.nn.utils.clip_grad_norm_(parameters, max_norm)

    def clip_grad_value_(self, parameters, clip_value):
        pass

    def gather(self, tensor):
        return tensor

    gather_for_metrics = reduce = pad_across_processes = lambda self, tensor, *a, **k: tensor

    def unwrap_model(self, model, keep_fp32_wrapper=True, keep_torch_compile=True):
        from transformers.modeling_utils import unwrap_model
        return unwrap_model(model)

    def get_state_dict(self, model, unwrap=True):
        return {}

    def on_main_process(self, function=None):
        return function

    on_local_main_process = on_last_process = on_main_process

    def get_tracker(self, name, unwrap=False):
        return _State()

    def _nothing(self, *args, **kwargs):
        pass

    print = wait_for_everyone = save = save_state = load_state = log = init_trackers = _nothing
    end_training = register_for_checkpointing = free_memory = clear = save_model = _nothing
    register_save_state_pre_hook = register_load_state_pre_hook = unscale_gradients = _nothing
    skip_first_batches = lambda self, dataloader, num_batches=0: dataloader


def notebook_launcher(function, args=(), num_processes=None, **options):
    _t.state.per_core = True
    function(*args)


debug_launcher = notebook_launcher


def skip_first_batches(dataloader, num_batches=0):
    return dataloader


@contextlib.contextmanager
def init_empty_weights(include_buffers=None):
    yield


init_on_device = init_empty_weights


def load_checkpoint_and_dispatch(model, *args, **kwargs):
    return model


dispatch_model = infer_auto_device_map = load_checkpoint_and_dispatch


class DataLoaderConfiguration:
    def __init__(self, **values):
        self.__dict__.update(values)


class _Options(DataLoaderConfiguration):
    num_steps = 1

    def set_mixed_precision(self, kind):
        pass


class FullyShardedDataParallelPlugin(_Options):
    sharding_strategy = None


DeepSpeedPlugin = InitProcessGroupKwargs = _Options
DistributedDataParallelKwargs = GradScalerKwargs = ProfileKwargs = _Options
GradientAccumulationPlugin = ProjectConfiguration = TorchDynamoPlugin = _Options
