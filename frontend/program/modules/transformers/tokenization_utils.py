"""Tokenizers: how long texts are is known where they are padded, their words are not."""

import _tilewise
import torch
from transformers import _batch, _hub

_unk = _tilewise.is_unknown
_PRETEND = 2048  # tokens of a text whose length is not known, so that it can be cut


class BatchEncoding(_batch.Batch):
    pass


class AddedToken(str):
    def __new__(cls, content="", **options):
        return str.__new__(cls, content)


class PreTrainedTokenizerBase:
    model_input_names = ["input_ids", "attention_mask"]
    padding_side = truncation_side = "right"
    is_fast = True
    chat_template = None

    def __init__(self, *args, **kwargs):
        self.name_or_path = ""
        self._values = kwargs.pop("values", {})
        self.vocab_size = self._values.get("vocab_size") or kwargs.pop("vocab_size", None)
        if self.vocab_size is None:
            self.vocab_size = _tilewise.unknown("the vocabulary of a tokenizer")
        self._added = 0
        v = self._values
        most = v.get("max_position_embeddings") or v.get("n_positions")
        if v.get("model_type") in ("roberta", "xlm-roberta", "camembert", "mpnet"):
            most = 512
        if v.get("model_type") == "bert" and most is None or v.get("model_type") == "t5":
            most = 512
        if v.get("model_type") in ("gpt2", "gpt_bigcode") and most is None:
            most = 1024
        if v.get("model_type") in ("distilbert", "albert", "electra", "deberta-v2") and not most:
            most = 512
        self.model_max_length = most or int(1e30)
        self.pad_token_id = v.get("pad_token_id") if v else 0
        self.eos_token_id = v.get("eos_token_id", 2)
        self.bos_token_id, self.unk_token_id = v.get("bos_token_id", 1), 3
        self.mask_token_id, self.cls_token_id, self.sep_token_id = 103, 101, 102
        self.pad_token = "<pad>" if self.pad_token_id is not None else None
        self.eos_token, self.bos_token, self.unk_token = "</s>", "<s>", "<unk>"
        self.mask_token, self.cls_token, self.sep_token = "[MASK]", "[CLS]", "[SEP]"
        for name, value in kwargs.items():
            setattr(self, name, value)
        if v.get("model_type") in ("bert", "albert", "electra", "deberta-v2", "deberta"):
            self.model_input_names = ["input_ids", "token_type_ids", "attention_mask"]

    @classmethod
    def from_pretrained(cls, pretrained_model_name_or_path=None, *args, **kwargs):
        values = _hub.config_dict(pretrained_model_name_or_path, kwargs.get("subfolder"))
        if _unk(values):
            values = {}
        elif "vocab_size" not in values:
            from transformers.configuration_utils import config_class
            kind = config_class(values.get("model_type"))
            if not _unk(kind):
                values = dict(kind._fields, **values)
        options = {k: v for k, v in kwargs.items() if k in (
            "model_max_length", "padding_side", "pad_token", "truncation_side", "eos_token",
            "add_prefix_space", "use_fast")}
        made = (PreTrainedTokenizerFast if cls is AutoTokenizer else cls)(values=values, **options)
        made.name_or_path = str(pretrained_model_name_or_path)
        return made

    def __setattr__(self, name, value):
        self.__dict__[name] = value
        if name == "pad_token" and value is not None and self.pad_token_id is None:
            self.__dict__["pad_token_id"] = self.eos_token_id

    def __len__(self):
        v = self.vocab_size
        return v if _unk(v) else v + self._added

    @property
    def vocab(self):
        return _tilewise.unknown("the words of a tokenizer")

    def get_vocab(self):
        return self.vocab

    def __getattr__(self, name):
        # The names of tokens with a line before them hold the same.
        if name[:1] == "_" and name[1:] in self.__dict__ and name[1:].endswith("token"):
            return self.__dict__[name[1:]]
        if name == "max_model_input_sizes":
            return _tilewise.unknown("how long texts of models are")
        raise AttributeError(name)

    # -- texts to numbers

    def _length(self, padding, truncation, max_length):
        """(length, whether all texts have it)."""
        n = max_length
        if n is None and (truncation not in (False, None, "do_not_truncate") or
                          padding == "max_length"):
            n = self.model_max_length
        known = isinstance(n, int) and 0 < n < 1000000
        if known and truncation not in (False, None, "do_not_truncate"):
            _batch.state.length, _batch.state.only_cut = n, padding != "max_length"
        return (n, True) if known and padding == "max_length" else (n if known else None, False)

    def __call__(self, text=None, text_pair=None, text_target=None, text_pair_target=None,
                 add_special_tokens=True, padding=False, truncation=None, max_length=None,
                 stride=0, is_split_into_words=False, pad_to_multiple_of=None,
                 return_tensors=None, return_token_type_ids=None, return_attention_mask=None,
                 return_overflowing_tokens=False, return_special_tokens_mask=False,
                 return_offsets_mapping=False, return_length=False, verbose=True, **kwargs):
        before = _batch.state.length
        n, padded = self._length(padding, truncation, max_length)
        if text is None and text_target is not None:
            # Targets have a length of their own.
            _batch.state.target, _batch.state.length = _batch.state.length, before
            text = text_target
        many = not _unk(text) and isinstance(text, (list, tuple)) and not (
            is_split_into_words and text and isinstance(text[0], str))
        array = not _unk(text) and not many and bool(getattr(text, "shape", ()))
        count = text.shape[0] if array else len(text) if many else 1
        many = many or array
        if not padded and (many and padding in (True, "longest") or return_tensors is not None):
            # Texts are padded to the longest of them.
            n, padded = _batch.length_of(_batch.state.model, n), True
        names = list(self.model_input_names)
        if return_special_tokens_mask:
            names.append("special_tokens_mask")
        result = BatchEncoding()
        for name in names:
            if return_tensors is not None:
                result[name] = self._tensor(name, count, n if padded else None)
            else:
                first = self.cls_token_id if name == "input_ids" else 1
                one = [first] + [0] * ((n if padded else min(n or _PRETEND, _PRETEND)) - 1)
                one = one if padded else _batch.Tokens(one)
                result[name] = [one] * count if many else one
        if text_target is not None and text is not text_target:
            m, fixed = self._length(padding, truncation, max_length)
            one = [0] * m if fixed else _batch.Tokens([0] * (m or 128))
            result["labels"] = [one] * count if many else one
        if return_offsets_mapping:
            result["offset_mapping"] = _tilewise.unknown("where tokens are in their text")
        if return_overflowing_tokens:
            result["overflow_to_sample_mapping"] = list(range(count))
        if return_length:
            result["length"] = [n] * count
        return result

    def _tensor(self, name, count, n):
        if n is None:
            return _tilewise.unknown("tokens of a text whose length is not known")
        return torch._tensor.wrap(_tilewise.input([count, n], "s64", name, 0))

    batch_encode_plus = encode_plus = prepare_for_model = __call__

    def encode(self, text=None, text_pair=None, padding=False, truncation=None, max_length=None,
               return_tensors=None, **kwargs):
        ids = self(text, text_pair, padding=padding, truncation=truncation,
                   max_length=max_length, return_tensors=return_tensors)["input_ids"]
        if isinstance(ids, _batch.Tokens) and not truncation:
            return list(_tilewise.unknown("the tokens of a text")) + [self.unk_token_id]
        return ids

    def pad(self, encoded_inputs, padding=True, max_length=None, pad_to_multiple_of=None,
            return_attention_mask=None, return_tensors=None, verbose=True):
        made = self._padded(encoded_inputs, padding, max_length)
        rows = encoded_inputs
        first = rows if isinstance(rows, dict) or not rows else rows[0]
        if not _unk(first) and "special_tokens_mask" in first and "input_ids" in made:
            made["special_tokens_mask"] = _batch.ints(*made["input_ids"].shape)
        if return_tensors in ("np", "jax"):
            for name, value in made.items():
                made[name] = value.numpy() if hasattr(value, "numpy") else value
        return made

    def _padded(self, encoded_inputs, padding, max_length):
        rows = encoded_inputs
        if isinstance(rows, dict):
            ids = rows.get("input_ids", [])
            rows = [{"input_ids": i} for i in ids]
        rows = list(rows)
        n = max_length if padding == "max_length" else None
        row = rows[0] if rows else {}
        ids = None if _unk(row) else row.get("input_ids")
        if ids is None or isinstance(ids, int) or _batch.is_open(ids):
            # Of rows of an unknown length: one that fits all.
            n = _batch.length_of(_batch.state.model, n)
            made = BatchEncoding({k: _batch.ints(len(rows), n)
                                  for k in ("input_ids", "attention_mask")})
            for name, value in ({} if _unk(row) else row).items():
                if name not in made and not isinstance(value, (list, str)) and \
                        not _batch.is_open(value):
                    made[name] = _batch._one(value, len(rows))
            return made
        return BatchEncoding(_batch.collated(rows, n))

    def apply_chat_template(self, conversation, tools=None, tokenize=True, **kwargs):
        if not tokenize:
            return _tilewise.unknown("the text of a conversation")
        return self(conversation, **{k: v for k, v in kwargs.items() if k in (
            "padding", "truncation", "max_length", "return_tensors")})["input_ids"]

    def tokenize(self, text, **kwargs):
        return _tilewise.unknown("the words of a text")

    decode = batch_decode = convert_ids_to_tokens = convert_tokens_to_string = get_vocab = tokenize

    def convert_tokens_to_ids(self, tokens):
        return [3] * len(tokens) if isinstance(tokens, (list, tuple)) else 3

    def add_special_tokens(self, special_tokens_dict, **kwargs):
        n = 0
        for name, value in special_tokens_dict.items():
            if name == "additional_special_tokens":
                n += len(value)
                continue
            if getattr(self, name, None) is None:
                n += 1
            self.__dict__[name] = value
            if getattr(self, name + "_id", None) is None and not _unk(self.vocab_size):
                self.__dict__[name + "_id"] = self.vocab_size + self._added + n - 1
        self._added += n
        return n

    def add_tokens(self, new_tokens, special_tokens=False):
        n = len(new_tokens) if isinstance(new_tokens, (list, tuple)) else 1
        if not _unk(n):
            self._added += n
        return n

    def num_special_tokens_to_add(self, pair=False):
        return 3 if pair else 2

    def build_inputs_with_special_tokens(self, token_ids_0, token_ids_1=None):
        return token_ids_0

    def get_special_tokens_mask(self, token_ids_0, *args, **kwargs):
        return [0] * len(token_ids_0)

    @property
    def special_tokens_map(self):
        return {"pad_token": self.pad_token, "eos_token": self.eos_token}

    @property
    def all_special_ids(self):
        return [0, 1, 2]

    max_len_single_sentence = property(lambda self: self.model_max_length - 2)
    max_len_sentences_pair = property(lambda self: self.model_max_length - 3)

    def save_pretrained(self, *args, **kwargs):
        pass

    push_to_hub = save_vocabulary = train_new_from_iterator = save_pretrained
    set_truncation_and_padding = _switch_to_target_mode = save_pretrained

    def as_target_tokenizer(self):
        from transformers.trainer_utils import _Main
        return _Main()


class PreTrainedTokenizer(PreTrainedTokenizerBase):
    is_fast = False


class PreTrainedTokenizerFast(PreTrainedTokenizerBase):
    pass


SpecialTokensMixin = PreTrainedTokenizerBase


class AutoTokenizer(PreTrainedTokenizerBase):
    @staticmethod
    def register(*args, **kwargs):
        pass


_made = {}


def named(name):
    """The tokenizer of a kind of models."""
    if name not in _made:
        base = PreTrainedTokenizerFast if name.endswith("Fast") else PreTrainedTokenizer
        _made[name] = type(name, (base,), {"__module__": "transformers"})
    return _made[name]
