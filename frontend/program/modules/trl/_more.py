"""Trainers of rewards and preferences beside those of pairs."""

from dataclasses import dataclass
from typing import Any, Optional

import _tilewise
from torch.nn import functional as F
from transformers import _batch
from transformers.trainer import _input
from transformers.training_args import TrainingArguments, lenient


@dataclass
class GRPOConfig(TrainingArguments):
    learning_rate: float = 1e-6
    beta: float = 0.0
    num_generations: int = 8
    num_iterations: int = 1
    max_prompt_length: Optional[int] = 512
    max_completion_length: Optional[int] = 256
    temperature: float = 1.0
    epsilon: float = 0.2
    use_vllm: bool = False
    loss_type: str = "dapo"
    model_init_kwargs: Optional[Any] = None


@dataclass
class KTOConfig(TrainingArguments):
    learning_rate: float = 1e-6
    beta: float = 0.1
    max_length: Optional[int] = 1024
    max_prompt_length: Optional[int] = 512
    desirable_weight: float = 1.0
    undesirable_weight: float = 1.0


@dataclass
class ORPOConfig(TrainingArguments):
    learning_rate: float = 1e-6
    beta: float = 0.1
    max_length: Optional[int] = 1024
    max_prompt_length: Optional[int] = 512


@dataclass
class CPOConfig(ORPOConfig):
    loss_type: str = "sigmoid"


@dataclass
class PPOConfig(TrainingArguments):
    learning_rate: float = 3e-6
    num_ppo_epochs: int = 4
    num_mini_batches: int = 1
    response_length: int = 53
    sft_model_path: str = "EleutherAI/pythia-160m"
    reward_model_path: str = "EleutherAI/pythia-160m"
    missing_eos_penalty: Optional[float] = None
    stop_token: Optional[str] = None


@dataclass
class OnlineDPOConfig(TrainingArguments):
    learning_rate: float = 5e-7
    max_new_tokens: int = 64
    beta: float = 0.1


@dataclass
class XPOConfig(OnlineDPOConfig):
    alpha: float = 1e-5


@dataclass
class NashMDConfig(OnlineDPOConfig):
    mixture_coef: float = 0.5


@dataclass
class RLOOConfig(PPOConfig):
    rloo_k: int = 2


for _cls in (GRPOConfig, KTOConfig, ORPOConfig, CPOConfig, PPOConfig, OnlineDPOConfig, XPOConfig,
             NashMDConfig, RLOOConfig):
    lenient(_cls)


def _trainers():
    """Their base is there once the package is."""
    from trl import DPOTrainer, SFTTrainer

    class GRPOTrainer(SFTTrainer):
        """Answers that the model gave, each weighed by how much better it is than others."""

        def __init__(self, model=None, reward_funcs=None, args=None, train_dataset=None,
                     eval_dataset=None, processing_class=None, **options):
            args = GRPOConfig() if args is None else args
            options.pop("reward_processing_classes", None)
            for name in ("rollout_func", "tools", "environment_factory"):
                options.pop(name, None)
            SFTTrainer.__init__(self, model, args, None, train_dataset, eval_dataset,
                                processing_class, **options)

        def compute_loss(self, model, inputs, return_outputs=False, num_items_in_batch=None):
            n = inputs["input_ids"].shape[0]
            length = (self.args.max_prompt_length or 512) + (
                self.args.max_completion_length or 256)
            ids = _input(_batch.ints(n, length))
            logits = model(input_ids=ids)["logits"]
            logp = logits.narrow(1, 0, length - 1).float().log_softmax(-1)
            logp = logp.gather(-1, ids.narrow(1, 1, length - 1).unsqueeze(-1)).squeeze(-1)
            loss = -(logp - logp.detach()).exp().mean()
            _tilewise.record("loss", value=loss._h, name="grpo", from_logits=True, sparse=False)
            return (loss, {}) if return_outputs else loss

    class ORPOTrainer(DPOTrainer):
        """Both answers under one model; there is no fixed one."""

        def __init__(self, model=None, args=None, *rest, **options):
            SFTTrainer.__init__(self, model, ORPOConfig() if args is None else args, *rest,
                                **options)
            self.ref_model, self.beta = None, getattr(self.args, "beta", 0.1)

    class CPOTrainer(ORPOTrainer):
        pass

    class KTOTrainer(DPOTrainer):
        """One answer, good or bad, under the model and a fixed one."""

        def compute_loss(self, model, inputs, return_outputs=False, num_items_in_batch=None):
            ids, mask = inputs["input_ids"], inputs["attention_mask"]
            own = self._scores(model, ids, mask)
            fixed = own.detach() if self.ref_model is None else self._scores(self.ref_model, ids,
                                                                             mask)
            loss = (1 - F.sigmoid((own - fixed) * self.beta)).mean()
            _tilewise.record("loss", value=loss._h, name="kto", from_logits=True, sparse=False)
            return (loss, {}) if return_outputs else loss

    return GRPOTrainer, ORPOTrainer, CPOTrainer, KTOTrainer


GRPOTrainer, ORPOTrainer, CPOTrainer, KTOTrainer = _trainers()
