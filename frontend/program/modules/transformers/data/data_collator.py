"""Collators: rows become a batch of tensors whose shapes are known."""

import _tilewise
from transformers import _batch

_unk = _tilewise.is_unknown


class _Collator:
    _labels = False

    def __init__(self, tokenizer=None, *args, **kwargs):
        self.tokenizer = tokenizer
        self.max_length = self.padding = self.pad_to_multiple_of = None
        self.mlm = True
        for name, value in zip(self._fields, args):
            setattr(self, name, value)
        for name, value in kwargs.items():
            setattr(self, name, value)

    _fields = ("padding", "max_length", "pad_to_multiple_of", "return_tensors")

    def __call__(self, features, return_tensors=None):
        n = self.max_length if self.padding == "max_length" else None
        if n is None and self.tokenizer is not None and self.padding == "max_length":
            n = getattr(self.tokenizer, "model_max_length", None)
        return _batch.collated(features, n, self._labels)

    torch_call = __call__

    def torch_mask_tokens(self, inputs, special_tokens_mask=None):
        return inputs, inputs

    mask_tokens = torch_mask_tokens


class DefaultDataCollator(_Collator):
    pass


class DataCollatorWithPadding(_Collator):
    pass


class DataCollatorForTokenClassification(_Collator):
    _labels = True


class DataCollatorForLanguageModeling(_Collator):
    _labels = True
    _fields = ("mlm", "mlm_probability", "pad_to_multiple_of")


class DataCollatorForWholeWordMask(DataCollatorForLanguageModeling):
    pass


class DataCollatorForPermutationLanguageModeling(_Collator):
    _labels = True


class DataCollatorWithFlattening(_Collator):
    _labels = True


class DataCollatorForSeq2Seq(_Collator):
    _labels = True
    _fields = ("model", "padding", "max_length", "pad_to_multiple_of", "label_pad_token_id")
    model = None

    def __call__(self, features, return_tensors=None):
        batch = super().__call__(features, return_tensors)
        if self.model is not None and not _unk(batch) and "labels" in batch:
            # The model shifts its labels to the right.
            batch["decoder_input_ids"] = batch["labels"]
        return batch


class DataCollatorForMultipleChoice(_Collator):
    pass


DataCollatorMixin = _Collator
DataCollator = _Collator


def default_data_collator(features, return_tensors="pt"):
    return _batch.collated(features)


torch_default_data_collator = default_data_collator


def pad_without_fast_tokenizer_warning(tokenizer, *args, **kwargs):
    return tokenizer.pad(*args, **kwargs)
