"""Arguments of training, with their documented defaults."""

from dataclasses import asdict, dataclass, field, fields
from typing import Any, Dict, List, Optional, Union

import _tilewise
from transformers.trainer_utils import _Main, _Text


@dataclass
class TrainingArguments:
    output_dir: Optional[str] = None
    overwrite_output_dir: bool = False
    do_train: bool = False
    do_eval: bool = False
    do_predict: bool = False
    eval_strategy: str = "no"
    prediction_loss_only: bool = False
    per_device_train_batch_size: int = 8
    per_device_eval_batch_size: int = 8
    per_gpu_train_batch_size: Optional[int] = None
    per_gpu_eval_batch_size: Optional[int] = None
    gradient_accumulation_steps: int = 1
    eval_accumulation_steps: Optional[int] = None
    eval_delay: Optional[float] = 0
    torch_empty_cache_steps: Optional[int] = None
    learning_rate: float = 5e-5
    weight_decay: float = 0.0
    adam_beta1: float = 0.9
    adam_beta2: float = 0.999
    adam_epsilon: float = 1e-8
    max_grad_norm: float = 1.0
    num_train_epochs: float = 3.0
    max_steps: int = -1
    lr_scheduler_type: str = "linear"
    lr_scheduler_kwargs: Optional[Dict] = field(default_factory=dict)
    warmup_ratio: float = 0.0
    warmup_steps: int = 0
    log_level: str = "passive"
    log_level_replica: str = "warning"
    log_on_each_node: bool = True
    logging_dir: Optional[str] = None
    logging_strategy: str = "steps"
    logging_first_step: bool = False
    logging_steps: float = 500
    logging_nan_inf_filter: bool = True
    save_strategy: str = "steps"
    save_steps: float = 500
    save_total_limit: Optional[int] = None
    save_safetensors: bool = True
    save_on_each_node: bool = False
    save_only_model: bool = False
    restore_callback_states_from_checkpoint: bool = False
    no_cuda: bool = False
    use_cpu: bool = False
    use_mps_device: bool = False
    seed: int = 42
    data_seed: Optional[int] = None
    jit_mode_eval: bool = False
    use_ipex: bool = False
    bf16: bool = False
    fp16: bool = False
    fp16_opt_level: str = "O1"
    half_precision_backend: str = "auto"
    bf16_full_eval: bool = False
    fp16_full_eval: bool = False
    tf32: Optional[bool] = None
    local_rank: int = -1
    ddp_backend: Optional[str] = None
    tpu_num_cores: Optional[int] = None
    tpu_metrics_debug: bool = False
    debug: str = ""
    dataloader_drop_last: bool = False
    eval_steps: Optional[float] = None
    dataloader_num_workers: int = 0
    dataloader_prefetch_factor: Optional[int] = None
    past_index: int = -1
    run_name: Optional[str] = None
    disable_tqdm: Optional[bool] = None
    remove_unused_columns: Optional[bool] = True
    label_names: Optional[List[str]] = None
    load_best_model_at_end: Optional[bool] = False
    metric_for_best_model: Optional[str] = None
    greater_is_better: Optional[bool] = None
    ignore_data_skip: bool = False
    fsdp: str = ""
    fsdp_min_num_params: int = 0
    fsdp_config: Optional[Any] = None
    fsdp_transformer_layer_cls_to_wrap: Optional[str] = None
    tp_size: Optional[int] = 0
    accelerator_config: Optional[Any] = None
    deepspeed: Optional[Any] = None
    label_smoothing_factor: float = 0.0
    optim: str = "adamw_torch"
    optim_args: Optional[str] = None
    adafactor: bool = False
    group_by_length: bool = False
    length_column_name: Optional[str] = "length"
    report_to: Optional[Any] = None
    ddp_find_unused_parameters: Optional[bool] = None
    ddp_bucket_cap_mb: Optional[int] = None
    ddp_broadcast_buffers: Optional[bool] = None
    ddp_timeout: int = 1800
    dataloader_pin_memory: bool = True
    dataloader_persistent_workers: bool = False
    skip_memory_metrics: bool = True
    use_legacy_prediction_loop: bool = False
    push_to_hub: bool = False
    resume_from_checkpoint: Optional[str] = None
    hub_model_id: Optional[str] = None
    hub_strategy: str = "every_save"
    hub_token: Optional[str] = None
    hub_private_repo: Optional[bool] = None
    hub_always_push: bool = False
    gradient_checkpointing: bool = False
    gradient_checkpointing_kwargs: Optional[Any] = None
    include_inputs_for_metrics: bool = False
    include_for_metrics: List[str] = field(default_factory=list)
    eval_do_concat_batches: bool = True
    fp16_backend: str = "auto"
    evaluation_strategy: Optional[str] = None
    mp_parameters: str = ""
    auto_find_batch_size: bool = False
    full_determinism: bool = False
    torchdynamo: Optional[str] = None
    ray_scope: Optional[str] = "last"
    torch_compile: bool = False
    torch_compile_backend: Optional[str] = None
    torch_compile_mode: Optional[str] = None
    include_tokens_per_second: Optional[bool] = False
    include_num_input_tokens_seen: Optional[bool] = False
    neftune_noise_alpha: Optional[float] = None
    optim_target_modules: Optional[Any] = None
    batch_eval_metrics: bool = False
    eval_on_start: bool = False
    use_liger_kernel: Optional[bool] = False
    eval_use_gather_object: Optional[bool] = False
    average_tokens_across_devices: Optional[bool] = False

    def __post_init__(self):
        if self.evaluation_strategy is not None:
            self.eval_strategy = self.evaluation_strategy
        else:
            self.evaluation_strategy = self.eval_strategy
        if self.per_gpu_train_batch_size is not None:
            self.per_device_train_batch_size = self.per_gpu_train_batch_size
        if self.eval_strategy == "no" and self.do_eval is None:
            self.do_eval = False
        elif self.eval_strategy != "no":
            self.do_eval = True
        if self.output_dir is None:
            self.output_dir = "trainer_output"
        if self.run_name is None:
            self.run_name = self.output_dir
        if self.logging_dir is None:
            self.logging_dir = str(self.output_dir) + "/runs"
        if self.report_to is None:
            self.report_to = []
        if isinstance(self.learning_rate, str):
            self.learning_rate = float(self.learning_rate)

    # -- where it runs: a process for each core

    @property
    def train_batch_size(self):
        return self.per_device_train_batch_size

    @property
    def eval_batch_size(self):
        return self.per_device_eval_batch_size

    @property
    def device(self):
        from torch import _tensor
        return _tensor._DEVICE

    @property
    def world_size(self):
        return _tilewise.replicas()

    n_gpu = 0
    process_index = local_process_index = 0
    should_log = should_save = True
    place_model_on_device = True
    parallel_mode = _Text("tpu")
    deepspeed_plugin = distributed_state = None
    framework = "pt"

    @property
    def ddp_timeout_delta(self):
        return None

    def get_process_log_level(self):
        return 20

    def get_warmup_steps(self, num_training_steps):
        if self.warmup_steps > 0:
            return self.warmup_steps
        return -int(-num_training_steps * self.warmup_ratio // 1)

    def main_process_first(self, local=True, desc="work"):
        return _Main()

    def to_dict(self):
        return asdict(self)

    to_sanitized_dict = to_dict

    def to_json_string(self):
        return ""

    def set_training(self, learning_rate=5e-5, batch_size=8, weight_decay=0, num_epochs=3,
                     max_steps=-1, gradient_accumulation_steps=1, seed=42,
                     gradient_checkpointing=False):
        self.learning_rate, self.per_device_train_batch_size = learning_rate, batch_size
        self.weight_decay, self.num_train_epochs = weight_decay, num_epochs
        self.max_steps, self.gradient_accumulation_steps = max_steps, gradient_accumulation_steps
        self.gradient_checkpointing = gradient_checkpointing
        return self


def lenient(cls):
    """Arguments of other versions of the library are taken and kept."""
    names = set(f.name for f in fields(cls))
    made = cls.__init__

    def __init__(self, *args, **kwargs):
        extra = {k: v for k, v in kwargs.items() if k not in names}
        made(self, *args, **{k: v for k, v in kwargs.items() if k in names})
        self.__dict__.update(extra)
    cls.__init__ = __init__
    return cls


lenient(TrainingArguments)
ParallelMode = _Text("tpu")
OptimizerNames = _Text("adamw_torch")
