"""SentenceTransformer: modules one after the other, from tokens to the embedding of a text."""

import _tilewise
import torch
from torch import nn
from transformers import _batch

_unk = _tilewise.is_unknown


class ModelCardData:
    def __init__(self, **options):
        self.__dict__.update(options)


def nothing(*args, **options):
    return None


def embeddings(*args, **options):
    return _tilewise.unknown("embeddings that a model gives of texts")


def length_of(model, most):
    """How many tokens texts have: what they are cut to, with a note."""
    if _unk(most) or not isinstance(most, int):
        return _batch.length_of(model)
    most = min(most, _batch.length_of(model, most))
    _tilewise.note("how long its texts are is not known; they are cut to " + str(most) +
                   " tokens, which are taken")
    return most


def tokens(size, length):
    """A text of each example, as a tokenizer gives it."""
    made = {"input_ids": _batch.ints(size, length), "attention_mask": _batch.ints(size, length)}
    return {k: torch._tensor.wrap(_tilewise.input(list(v.shape), "s64", "", 0))
            for k, v in made.items()}


class SentenceTransformer(nn.Module):
    def __init__(self, model_name_or_path=None, modules=None, device=None, prompts=None,
                 default_prompt_name=None, similarity_fn_name=None, cache_folder=None,
                 trust_remote_code=False, revision=None, local_files_only=False, token=None,
                 use_auth_token=None, truncate_dim=None, model_kwargs=None,
                 tokenizer_kwargs=None, config_kwargs=None, model_card_data=None,
                 backend="torch"):
        nn.Module.__init__(self)
        if modules is None:
            modules = self._usual_modules(model_name_or_path, model_kwargs or {},
                                          tokenizer_kwargs or {})
        if isinstance(modules, dict):
            modules = list(modules.values())
        for i, module in enumerate(modules):
            self.add_module(str(i), module)
        self.__dict__.update(model_card_data=model_card_data, prompts=prompts or {},
                             truncate_dim=truncate_dim, similarity_fn_name=similarity_fn_name,
                             default_prompt_name=default_prompt_name, backend=backend)

    def _usual_modules(self, name, model_kwargs, tokenizer_kwargs):
        from sentence_transformers.models import Pooling, Transformer
        first = Transformer(name, model_args=model_kwargs, tokenizer_args=tokenizer_kwargs)
        return [first, Pooling(first.get_word_embedding_dimension())]

    def __getitem__(self, index):
        return list(self._modules.values())[index]

    def __len__(self):
        return len(self._modules)

    def __iter__(self):
        return iter(self._modules.values())

    def append(self, module):
        self.add_module(str(len(self)), module)
        return self

    def _first_module(self):
        return self[0]

    def _last_module(self):
        return self[-1]

    transformers_model = property(lambda self: getattr(self[0], "auto_model", None))

    @property
    def tokenizer(self):
        return self[0].tokenizer

    @property
    def max_seq_length(self):
        return self[0].max_seq_length

    @max_seq_length.setter
    def max_seq_length(self, value):
        self[0].max_seq_length = value

    def __setattr__(self, name, value):
        if name == "max_seq_length":
            self[0].max_seq_length = value
        else:
            nn.Module.__setattr__(self, name, value)

    def get_max_seq_length(self):
        return self.max_seq_length

    def get_sentence_embedding_dimension(self):
        for module in reversed(list(self)):
            if hasattr(module, "get_sentence_embedding_dimension"):
                return module.get_sentence_embedding_dimension()
        return _tilewise.unknown("the size of an embedding")

    def forward(self, features, **options):
        for module in self:
            features = module(features)
        return features

    def similarity(self, one, other):
        from sentence_transformers import util
        if self.similarity_fn_name == "dot":
            return util.dot_score(one, other)
        return util.cos_sim(one, other)

    def gradient_checkpointing_enable(self, gradient_checkpointing_kwargs=None):
        self[0].auto_model.gradient_checkpointing_enable(gradient_checkpointing_kwargs)

    def add_adapter(self, *args, **options):
        self[0].auto_model.add_adapter(*args, **options)

    encode = encode_query = encode_document = embeddings
    encode_multi_process = start_multi_process_pool = stop_multi_process_pool = embeddings
    smart_batching_collate = tokenize = embeddings
    evaluate = save = save_pretrained = push_to_hub = save_to_hub = nothing
    register_prompt = set_pooling_include_prompt = old_fit = nothing

    def fit(self, train_objectives, evaluator=None, epochs=1, steps_per_epoch=None,
            scheduler="WarmupLinear", warmup_steps=10000, optimizer_class=torch.optim.AdamW,
            optimizer_params=None, weight_decay=0.01, evaluation_steps=0, output_path=None,
            save_best_model=True, max_grad_norm=1, use_amp=False, **options):
        from sentence_transformers._loader import fit
        fit(self, train_objectives, epochs, optimizer_class, optimizer_params or {"lr": 2e-5},
            weight_decay, max_grad_norm, use_amp)
