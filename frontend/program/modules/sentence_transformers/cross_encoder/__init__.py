"""CrossEncoder: one model that reads both texts of a pair, and its trainer."""

import _tilewise
import torch
from sentence_transformers._model import ModelCardData as CrossEncoderModelCardData
from sentence_transformers._model import embeddings, length_of, nothing
from sentence_transformers.training_args import SentenceTransformerTrainingArguments
from torch import nn
from transformers import AutoModelForSequenceClassification, AutoTokenizer

_unk = _tilewise.is_unknown


class CrossEncoder(nn.Module):
    def __init__(self, model_name_or_path, num_labels=None, max_length=None, activation_fn=None,
                 device=None, cache_folder=None, trust_remote_code=False, revision=None,
                 local_files_only=False, token=None, model_kwargs=None, tokenizer_kwargs=None,
                 config_kwargs=None, model_card_data=None, backend="torch", **options):
        nn.Module.__init__(self)
        num_labels = 1 if num_labels is None else num_labels
        self.model = AutoModelForSequenceClassification.from_pretrained(
            model_name_or_path, num_labels=num_labels, **(model_kwargs or {}))
        if _unk(self.model):
            _tilewise.note("the model of a pair is not known: " + _tilewise.reason(self.model))
        self.tokenizer = AutoTokenizer.from_pretrained(model_name_or_path,
                                                       **(tokenizer_kwargs or {}))
        self.max_length = max_length or options.get("automodel_args", {}).get("max_length")
        self.num_labels, self.model_card_data = num_labels, model_card_data

    config = property(lambda self: self.model.config)

    def forward(self, *args, **options):
        return self.model(*args, **options)

    def logits(self, features):
        out = self.model(input_ids=features["input_ids"],
                         attention_mask=features["attention_mask"])
        return out if _unk(out) else out.logits

    def length(self):
        most = self.tokenizer.model_max_length if self.max_length is None else self.max_length
        return length_of(self.model, most)

    predict = rank = embeddings
    save = save_pretrained = push_to_hub = smart_batching_collate = nothing

    def gradient_checkpointing_enable(self, gradient_checkpointing_kwargs=None):
        self.model.gradient_checkpointing_enable(gradient_checkpointing_kwargs)

    def fit(self, train_dataloader, evaluator=None, epochs=1, loss_fct=None,
            activation_fct=None, scheduler="WarmupLinear", warmup_steps=10000,
            optimizer_class=torch.optim.AdamW, optimizer_params=None, weight_decay=0.01,
            evaluation_steps=0, output_path=None, save_best_model=True, max_grad_norm=1,
            use_amp=False, **options):
        from sentence_transformers import _loader
        from sentence_transformers.cross_encoder import losses
        kind = losses.BinaryCrossEntropyLoss if self.num_labels == 1 else losses.CrossEntropyLoss
        loss = kind(self)
        if loss_fct is not None:
            loss.loss_fct = loss_fct
        _loader.fit(self, [(train_dataloader, loss)], epochs, optimizer_class,
                    optimizer_params or {"lr": 2e-5}, weight_decay, max_grad_norm, use_amp,
                    CrossEncoderTrainer)


class CrossEncoderTrainingArguments(SentenceTransformerTrainingArguments):
    pass


from sentence_transformers.cross_encoder.trainer import CrossEncoderTrainer
