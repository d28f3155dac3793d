"""Trainer: one step of training, on a batch from the data set or as the model takes it."""

import contextlib
import json

import _tilewise
import torch
from torch import _tensor as _t
from torch.distributed.fsdp import ShardingStrategy, split
from torch.utils.data import DataLoader
from transformers import _batch
from transformers.modeling_utils import unwrap_model
from transformers.trainer_callback import TrainerControl, TrainerState
from transformers.trainer_utils import PredictionOutput, TrainOutput, unknown_metrics
from transformers.training_args import TrainingArguments

_unk = _tilewise.is_unknown
# Names of what a model works on.
_MAIN = ("input_ids", "pixel_values", "input_values", "input_features", "inputs_embeds")


class Trainer:
    def __init__(self, model=None, args=None, data_collator=None, train_dataset=None,
                 eval_dataset=None, processing_class=None, model_init=None,
                 compute_loss_func=None, compute_metrics=None, callbacks=None,
                 optimizers=(None, None), optimizer_cls_and_kwargs=None,
                 preprocess_logits_for_metrics=None, tokenizer=None, **options):
        self.args = TrainingArguments() if args is None else args
        self.model_init = model_init
        if model is None and model_init is not None:
            model = model_init()
        if isinstance(model, str):
            from transformers import AutoModelForCausalLM
            model = AutoModelForCausalLM.from_pretrained(model)
        self.model = self.model_wrapped = model
        self.processing_class = self.tokenizer = tokenizer if processing_class is None else \
            processing_class
        self.train_dataset, self.eval_dataset = train_dataset, eval_dataset
        if data_collator is None:
            from transformers.data.data_collator import (DataCollatorWithPadding,
                                                         default_data_collator)
            data_collator = default_data_collator if self.tokenizer is None else \
                DataCollatorWithPadding(self.tokenizer)
        self.data_collator = data_collator
        self.compute_metrics, self.compute_loss_func = compute_metrics, compute_loss_func
        self.callbacks = list(callbacks or [])
        self.optimizer, self.lr_scheduler = optimizers
        self.state, self.control = TrainerState(), TrainerControl()
        self.label_smoother = None
        self.is_in_train = False
        self.is_fsdp_enabled = self.is_deepspeed_enabled = False
        self.label_names = ["labels"]
        self.current_gradient_accumulation_steps = 1
        self.options = options
        from accelerate import Accelerator
        self.accelerator = Accelerator()

    callback_handler = property(lambda self: self)

    def add_callback(self, callback):
        self.callbacks.append(callback)

    remove_callback = pop_callback = add_callback

    # -- data

    def _get_train_sampler(self, *args):
        return None

    _get_eval_sampler = _get_train_sampler

    def _remove_unused_columns(self, dataset, description=None):
        return dataset

    def get_train_dataloader(self):
        return DataLoader(self.train_dataset, self.args.per_device_train_batch_size,
                          collate_fn=self.data_collator,
                          drop_last=self.args.dataloader_drop_last)

    def get_eval_dataloader(self, eval_dataset=None):
        return DataLoader(self.eval_dataset if eval_dataset is None else eval_dataset,
                          self.args.per_device_eval_batch_size, collate_fn=self.data_collator)

    get_test_dataloader = get_eval_dataloader

    def num_examples(self, dataloader):
        return len(dataloader.dataset)

    def _length(self):
        for holder in (self.args, self.options):
            values = holder if isinstance(holder, dict) else holder.__dict__
            for name in ("max_seq_length", "max_length", "model_max_length", "block_size"):
                n = values.get(name)
                if isinstance(n, int) and n > 0:
                    return n
        return None

    def _from_model(self, size):
        """Inputs that such a model takes, where the data set says nothing."""
        made = _batch.made(self.model, size, self._length())
        return {k: _input(v) for k, v in made.items()}

    def _batch(self, dataloader=None):
        size = self.args.per_device_train_batch_size
        if _unk(size):
            _tilewise.note("the batch is not known; 8 examples a core are taken")
            size = 8
        own = type(self).get_train_dataloader is not Trainer.get_train_dataloader
        batch = None
        if not _unk(self.train_dataset) and (self.train_dataset is not None or own):
            try:
                loader = self.get_train_dataloader()
                for batch in loader:
                    break
            except (KeyError, IndexError, ValueError, TypeError, AttributeError) as error:
                _tilewise.note("the data set gives no batch that is known: " +
                               type(error).__name__ + ": " + str(error))
                batch = None
        if batch is None or _unk(batch) or not isinstance(batch, dict) or \
                not any([isinstance(v, _t.Tensor) for v in batch.values()]) or \
                _is_flat(batch.get("input_ids")):
            batch = self._from_model(size)
        names = _batch.names_of(self.model)
        if self.args.remove_unused_columns and not own:
            batch = {k: v for k, v in batch.items() if k in names or k in (
                "labels", "label", "return_loss")}
        if "label" in batch and "labels" not in batch:
            batch["labels"] = batch.pop("label")
        lost = [k for k, v in batch.items() if _unk(v)]
        batch = {k: v for k, v in batch.items() if not _unk(v)}
        if lost or not any([n in batch for n in _MAIN]) and any([n in names for n in _MAIN]):
            for name, value in self._from_model(size).items():
                if name not in batch:
                    batch[name] = value
        self._size = size
        return batch

    def _prepare_inputs(self, inputs):
        return inputs

    _prepare_input = _prepare_inputs

    # -- the optimizer

    def get_decay_parameter_names(self, model):
        kinds = (torch.nn.LayerNorm,)
        inside = []
        for path, m in model.named_modules():
            if isinstance(m, kinds) or "norm" in type(m).__name__.lower():
                inside.append(path)
        return [n for n, _ in model.named_parameters()
                if not n.endswith("bias") and n.rpartition(".")[0] not in inside]

    def create_optimizer(self, model=None):
        if self.optimizer is not None:
            return self.optimizer
        a = self.args
        model = self.model if model is None else model
        params = [p for p in model.parameters() if p.requires_grad]
        name = str(a.optim).lower()
        lr = a.learning_rate
        from torch import optim
        from transformers.optimization import Adafactor
        if name == "adafactor" or a.adafactor:
            self.optimizer = Adafactor(params, lr=lr, weight_decay=a.weight_decay)
        elif name[:3] == "sgd":
            self.optimizer = optim.SGD(params, lr=lr, weight_decay=a.weight_decay)
        elif name[:7] == "adagrad":
            self.optimizer = optim.Adagrad(params, lr=lr, weight_decay=a.weight_decay)
        elif name[:7] == "rmsprop":
            self.optimizer = optim.RMSprop(params, lr=lr, weight_decay=a.weight_decay)
        else:
            if "adam" not in name:
                _tilewise.note("the optimizer " + name + " is taken as AdamW")
            self.optimizer = optim.AdamW(params, lr=lr, betas=(a.adam_beta1, a.adam_beta2),
                                         eps=a.adam_epsilon, weight_decay=a.weight_decay)
        return self.optimizer

    def create_scheduler(self, num_training_steps, optimizer=None):
        if self.lr_scheduler is None:
            from transformers.optimization import get_scheduler
            self.lr_scheduler = get_scheduler(self.args.lr_scheduler_type, self.optimizer)
        return self.lr_scheduler

    def create_optimizer_and_scheduler(self, num_training_steps):
        self.create_optimizer()
        self.create_scheduler(num_training_steps, self.optimizer)

    # -- the step

    def autocast_smart_context_manager(self, cache_enabled=True):
        a = self.args
        if a.bf16 or a.fp16:
            return torch.autocast("xla", torch.bfloat16 if a.bf16 else torch.float16)
        return contextlib.nullcontext()

    compute_loss_context_manager = autocast_smart_context_manager

    def compute_loss(self, model, inputs, return_outputs=False, num_items_in_batch=None):
        labels = None
        smooth = self.args.label_smoothing_factor
        if (smooth or self.compute_loss_func is not None) and "labels" in inputs:
            labels = inputs["labels"]
        outputs = model(**inputs)
        if self.compute_loss_func is not None and labels is not None:
            loss = self.compute_loss_func(outputs, labels, num_items_in_batch=None)
        elif isinstance(outputs, dict):
            loss = outputs.get("loss")
        elif _unk(outputs) or isinstance(outputs, _t.Tensor):
            loss = outputs
        else:
            loss = outputs[0]
        return (loss, outputs) if return_outputs else loss

    def training_step(self, model, inputs, num_items_in_batch=None):
        model.train()
        inputs = self._prepare_inputs(inputs)
        with self.compute_loss_context_manager():
            loss = self.compute_loss(model, inputs)
        if _unk(loss):
            _tilewise.note("the loss of the model is not known: " + _tilewise.reason(loss))
            return None
        if loss is None:
            _tilewise.note("the model gives no loss")
            return None
        loss.backward()
        return loss

    def train(self, resume_from_checkpoint=None, trial=None, ignore_keys_for_eval=None,
              **kwargs):
        if _unk(self.model):
            _tilewise.note("the model to be trained is not known: " + _tilewise.reason(self.model))
            return TrainOutput(0, _tilewise.unknown("the loss of the training"), {})
        a = self.args
        self.is_in_train = True
        steps = a.gradient_accumulation_steps
        if not _t.state.stepped:
            if isinstance(a.max_steps, int) and a.max_steps > 0:
                _tilewise.record("steps", count=a.max_steps)
            else:
                _tilewise.record("epochs", count=a.num_train_epochs)
        if a.gradient_checkpointing and hasattr(self.model, "gradient_checkpointing_enable"):
            self.model.gradient_checkpointing_enable(a.gradient_checkpointing_kwargs)
        self._split_weights(a.fsdp, a.fsdp_config)
        _t.state.per_core = True
        inputs = self._batch()
        if self.optimizer is None:
            self.create_optimizer_and_scheduler(num_training_steps=1000)
        if not _t.state.stepped:
            _tilewise.record("batch", size=self._size, what="Trainer", per_core=True)
            if isinstance(steps, int) and steps > 1:
                _tilewise.record("accumulation", steps=steps)
        for callback in self.callbacks:
            if hasattr(callback, "on_train_begin"):
                callback.on_train_begin(a, self.state, self.control, model=self.model)
        loss = self.training_step(self.model, inputs)
        if loss is not None:
            if a.max_grad_norm and isinstance(a.max_grad_norm, (int, float)):
                torch.nn.utils.clip_grad_norm_(self.model.parameters(), a.max_grad_norm)
            if not _unk(self.optimizer):
                self.optimizer.step()
        self.state.global_step = 1
        return TrainOutput(1, _tilewise.unknown("the loss of the training"), _Metrics())

    def _split_weights(self, words, config):
        """Fully sharded data parallelism, as its options "full_shard auto_wrap" say it."""
        if words is True:
            words = "full_shard"
        if isinstance(words, (list, tuple)):
            words = " ".join(str(getattr(w, "value", w)) for w in words)
        if _unk(words) or not isinstance(words, str) or "shard" not in words:
            return
        names = [n for n in ShardingStrategy.__members__ if n.lower() in words]
        split(self.model, ShardingStrategy[names[0]] if names else None)
        if isinstance(config, str):
            with open(config) as file:
                config = json.load(file)
        if isinstance(config, dict) and config.get("xla_fsdp_grad_ckpt"):
            self.model.gradient_checkpointing_enable()

    # -- beside training

    def evaluate(self, eval_dataset=None, ignore_keys=None, metric_key_prefix="eval", **kwargs):
        return _Metrics()

    def predict(self, test_dataset, ignore_keys=None, metric_key_prefix="test", **kwargs):
        return PredictionOutput(_tilewise.unknown("predictions of a model"),
                                _tilewise.unknown("labels"), _Metrics())

    prediction_loop = evaluation_loop = predict

    def prediction_step(self, model, inputs, prediction_loss_only=False, ignore_keys=None):
        return None, None, None

    def hyperparameter_search(self, *args, **kwargs):
        return _tilewise.unknown("the best of several trainings")

    def save_model(self, *args, **kwargs):
        pass

    save_state = save_metrics = log_metrics = log = push_to_hub = create_model_card = save_model
    _save = _save_checkpoint = _load_best_model = init_hf_repo = store_flos = save_model
    _maybe_log_save_evaluate = _inner_training_loop = floating_point_ops = save_model

    def is_world_process_zero(self):
        return True

    is_local_process_zero = is_world_process_zero

    def _wrap_model(self, model, training=True, dataloader=None):
        return model

    def unwrap_model(self, model):
        return unwrap_model(model)


def _is_flat(ids):
    """Rows whose length was not known when they were stacked."""
    return isinstance(ids, _t.Tensor) and ids.dim() < 2


class _Metrics(dict):
    """Numbers that only a training at work gives."""

    def __missing__(self, name):
        return unknown_metrics()


def _input(value):
    if not isinstance(value, _t.Tensor):
        return value
    return _t.wrap(_tilewise.input(list(value.shape), _tilewise.dtype(value._h), "", 0))
