"""TRL: trainers that are fitted to texts, answers and preferences."""

from dataclasses import dataclass, field
from typing import Any, Optional

import _tilewise
import torch
from torch.nn import functional as F
from transformers import _batch
from transformers.trainer import Trainer, _input
from transformers.training_args import TrainingArguments, lenient

__version__ = "0.15.0"


@dataclass
class SFTConfig(TrainingArguments):
    learning_rate: float = 2e-5
    max_length: Optional[int] = 1024
    max_seq_length: Optional[int] = None
    packing: bool = False
    dataset_text_field: str = "text"
    dataset_num_proc: Optional[int] = None
    model_init_kwargs: Optional[Any] = None


@dataclass
class DPOConfig(TrainingArguments):
    learning_rate: float = 1e-6
    beta: float = 0.1
    max_length: Optional[int] = 1024
    max_prompt_length: Optional[int] = 512
    loss_type: str = "sigmoid"


@dataclass
class RewardConfig(TrainingArguments):
    max_length: Optional[int] = 1024


@dataclass
class ScriptArguments:
    dataset_name: Optional[str] = None
    dataset_config: Optional[str] = None
    dataset_train_split: str = "train"
    dataset_test_split: str = "test"
    dataset_streaming: bool = False
    gradient_checkpointing_use_reentrant: bool = False
    ignore_bias_buffers: bool = False


@dataclass
class ModelConfig:
    model_name_or_path: Optional[str] = None
    model_revision: str = "main"
    torch_dtype: Optional[str] = None
    dtype: Optional[str] = None
    trust_remote_code: bool = False
    attn_implementation: Optional[str] = None
    use_peft: bool = False
    lora_r: int = 16
    lora_alpha: int = 32
    lora_dropout: float = 0.05
    lora_target_modules: Optional[Any] = None
    lora_modules_to_save: Optional[Any] = None
    lora_task_type: str = "CAUSAL_LM"
    load_in_8bit: bool = False
    load_in_4bit: bool = False


@dataclass
class DatasetMixtureConfig:
    datasets: list = field(default_factory=list)
    streaming: bool = False
    test_split_size: Optional[float] = None


for _cls in (SFTConfig, DPOConfig, RewardConfig, ScriptArguments, ModelConfig,
             DatasetMixtureConfig):
    lenient(_cls)


class SFTTrainer(Trainer):
    def __init__(self, model=None, args=None, data_collator=None, train_dataset=None,
                 eval_dataset=None, processing_class=None, compute_loss_func=None,
                 compute_metrics=None, callbacks=None, optimizers=(None, None), peft_config=None,
                 formatting_func=None, tokenizer=None, **options):
        args = SFTConfig() if args is None else args
        if isinstance(model, str):
            model = self._named(model, args.__dict__.get("model_init_kwargs") or {})
        if peft_config is not None and model is not None:
            from peft import PeftModel, get_peft_model
            if not isinstance(model, PeftModel):
                model = get_peft_model(model, peft_config)
        Trainer.__init__(self, model, args, data_collator, train_dataset, eval_dataset,
                         processing_class, compute_loss_func=compute_loss_func,
                         compute_metrics=compute_metrics, callbacks=callbacks,
                         optimizers=optimizers, tokenizer=tokenizer, **options)

    def _named(self, name, options):
        from transformers import AutoModelForCausalLM
        return AutoModelForCausalLM.from_pretrained(name, **options)

    def _batch(self, dataloader=None):
        """Texts are packed or cut to the length of the arguments."""
        self._size = self.args.per_device_train_batch_size
        return self._from_model(self._size)


class DPOTrainer(SFTTrainer):
    """Of each prompt the better and the worse answer, under the model and a fixed one."""

    def __init__(self, model=None, ref_model=None, args=None, *rest, **options):
        args = DPOConfig() if args is None else args
        SFTTrainer.__init__(self, model, args, *rest, **options)
        self.beta = options.get("beta", getattr(args, "beta", 0.1))
        if ref_model is None and options.get("peft_config") is None and \
                not _tilewise.is_unknown(self.model):
            from copy import deepcopy
            ref_model = deepcopy(self.model)
        self.ref_model = ref_model
        if ref_model is not None and not _tilewise.is_unknown(ref_model):
            ref_model.requires_grad_(False)

    def _scores(self, model, ids, mask):
        logits = model(input_ids=ids, attention_mask=mask)["logits"]
        logp = logits.narrow(1, 0, logits.shape[1] - 1).float().log_softmax(-1)
        target = ids.narrow(1, 1, ids.shape[1] - 1).unsqueeze(-1)
        return logp.gather(-1, target).squeeze(-1).sum(-1)

    def compute_loss(self, model, inputs, return_outputs=False, num_items_in_batch=None):
        ids, mask = inputs["input_ids"], inputs["attention_mask"]
        n = ids.shape[0]
        # The two answers of a prompt are neighbours.
        ids, mask = [_input(_batch.ints(n, 2, x.shape[1])).reshape(2 * n, x.shape[1])
                     for x in (ids, mask)]
        own = self._scores(model, ids, mask)
        fixed = own.detach() if self.ref_model is None else self._scores(self.ref_model, ids,
                                                                         mask)
        better, worse = (own - fixed).reshape(n, 2).split(1, 1)
        margin = better - worse
        loss = -F.logsigmoid(margin * self.beta).mean()
        _tilewise.record("loss", value=loss._h, name="dpo", from_logits=True, sparse=False)
        return (loss, {}) if return_outputs else loss


class RewardTrainer(SFTTrainer):
    """The better answer of a pair is to have the higher score."""

    def _named(self, name, options):
        from transformers import AutoModelForSequenceClassification
        return AutoModelForSequenceClassification.from_pretrained(name, num_labels=1, **options)

    def compute_loss(self, model, inputs, return_outputs=False, num_items_in_batch=None):
        ids, mask = inputs["input_ids"], inputs["attention_mask"]
        n = ids.shape[0]
        ids, mask = [_input(_batch.ints(n, 2, x.shape[1])).reshape(2 * n, x.shape[1])
                     for x in (ids, mask)]
        better, worse = model(input_ids=ids, attention_mask=mask)["logits"].reshape(
            n, 2, -1).split(1, 1)
        loss = -F.logsigmoid(better - worse).mean()
        _tilewise.record("loss", value=loss._h, name="reward", from_logits=True, sparse=False)
        return (loss, {}) if return_outputs else loss


class DataCollatorForCompletionOnlyLM:
    def __init__(self, response_template=None, instruction_template=None, *args, tokenizer=None,
                 **kwargs):
        self.tokenizer = tokenizer

    def __call__(self, features, return_tensors=None):
        return _batch.collated(features, None, True)


def setup_chat_format(model, tokenizer, *args, **kwargs):
    return model, tokenizer


def get_peft_config(model_args):
    if not model_args.use_peft:
        return None
    from peft import LoraConfig
    return LoraConfig(task_type=model_args.lora_task_type, r=model_args.lora_r,
                      lora_alpha=model_args.lora_alpha, lora_dropout=model_args.lora_dropout,
                      target_modules=model_args.lora_target_modules,
                      modules_to_save=model_args.lora_modules_to_save)


def get_dataset(mixture_config):
    return _tilewise.unknown("a mixture of data sets")


def get_quantization_config(model_args):
    return None


def get_kbit_device_map():
    return None


from ._parser import TrlParser
from ._more import (
    CPOConfig, CPOTrainer, GRPOConfig, GRPOTrainer, KTOConfig, KTOTrainer, ORPOConfig, ORPOTrainer,
    PPOConfig, OnlineDPOConfig, XPOConfig, NashMDConfig, RLOOConfig)
