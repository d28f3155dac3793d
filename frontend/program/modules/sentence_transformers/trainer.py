"""SentenceTransformerTrainer: a step of a loss on the embeddings of a batch of texts."""

import _tilewise
from sentence_transformers._model import length_of, tokens
from sentence_transformers.training_args import SentenceTransformerTrainingArguments
from torch import nn
from transformers import _batch
from transformers.trainer import Trainer

_unk = _tilewise.is_unknown
# Columns that are no texts.
_LABELS = ("label", "labels", "score", "scores", "dataset_name")


def first(value, what):
    """The first of several data sets or losses, that take turns."""
    if isinstance(value, dict) and value:
        if len(value) > 1:
            _tilewise.note("of " + str(len(value)) + " " + what + " that take turns the first is "
                           "simulated")
        return list(value.values())[0]
    return value


class SentenceTransformerTrainer(Trainer):
    _arguments = SentenceTransformerTrainingArguments

    def __init__(self, model=None, args=None, train_dataset=None, eval_dataset=None, loss=None,
                 evaluator=None, data_collator=None, tokenizer=None, model_init=None, **options):
        if model is None and model_init is not None:
            model = model_init(None)
        args = self._arguments("tmp_trainer") if args is None else args
        Trainer.__init__(self, model, args, data_collator, first(train_dataset, "data sets"),
                         tokenizer=tokenizer, **options)
        self.evaluator = evaluator
        loss = first(loss, "losses")
        if loss is None:
            loss = self._usual_loss()
        elif not isinstance(loss, nn.Module) and not _unk(loss):
            loss = loss(model)
        self.loss = loss
        self._texts_known = None

    def _usual_loss(self):
        from sentence_transformers.losses import CoSENTLoss
        return CoSENTLoss(self.model)

    def _trained(self):
        return self.loss if isinstance(self.loss, nn.Module) else self.model

    def create_optimizer(self, model=None):
        return Trainer.create_optimizer(self, self._trained())

    def _texts(self):
        """How many texts an example has."""
        if self._texts_known is not None:
            return self._texts_known
        names = getattr(self.train_dataset, "column_names", None)
        if isinstance(names, list) and not any([_unk(n) for n in names]):
            return len([n for n in names if n not in _LABELS])
        n = getattr(self.loss, "texts", 2)
        _tilewise.note("how many texts an example has is not known; the loss takes " + str(n))
        return n

    def _features(self, size):
        module = self.model[0]
        length = length_of(getattr(module, "auto_model", module), module.max_seq_length)
        return [tokens(size, length) for _ in range(self._texts())]

    def _batch(self, dataloader=None):
        size = self.args.per_device_train_batch_size
        if _unk(size) or size is None:
            _tilewise.note("the batch is not known; 8 examples a core are taken")
            size = 8
        self._size = size
        made = {"features": self._features(size)}
        kind = getattr(self.loss, "labels", None)
        if kind is not None:
            shape = [size]
            if kind == "embedding":
                shape.append(self.model.get_sentence_embedding_dimension())
            elif kind == "scores":
                shape.append(len(made["features"]) - 1)
            made["labels"] = _batch.floats(*shape) if kind != "int" else _batch.ints(*shape)
        return made

    def compute_loss(self, model, inputs, return_outputs=False, num_items_in_batch=None):
        if _unk(self.loss):
            return self.loss
        loss = self.loss(inputs["features"], inputs.get("labels"))
        if isinstance(loss, dict):
            total = 0
            for each in loss.values():
                total = each + total
            loss = total
        return (loss, None) if return_outputs else loss
