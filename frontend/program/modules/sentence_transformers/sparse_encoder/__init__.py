"""SparseEncoder: a text as weights of the words of a vocabulary."""

import torch
from sentence_transformers._model import ModelCardData as SparseEncoderModelCardData
from sentence_transformers._model import SentenceTransformer
from sentence_transformers.sparse_encoder import evaluation, losses, models
from sentence_transformers.trainer import SentenceTransformerTrainer
from sentence_transformers.training_args import SentenceTransformerTrainingArguments


class SparseEncoder(SentenceTransformer):
    def _usual_modules(self, name, model_kwargs, tokenizer_kwargs):
        first = models.MLMTransformer(name, model_args=model_kwargs,
                                      tokenizer_args=tokenizer_kwargs)
        return [first, models.SpladePooling("max")]


class SparseEncoderTrainingArguments(SentenceTransformerTrainingArguments):
    pass


class SparseEncoderTrainer(SentenceTransformerTrainer):
    _arguments = SparseEncoderTrainingArguments

    def _usual_loss(self):
        return losses.SpladeLoss(self.model, losses.SparseMultipleNegativesRankingLoss(self.model))
