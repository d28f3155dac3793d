"""Well-known names and what their public config.json files say beside the defaults."""

from transformers._hub_decoders import DECODERS
from transformers._hub_others import OTHERS

_ALIASES = {
    "gpt2-small": "gpt2", "bert": "bert-base-uncased",
    "llama-3-8b": "meta-llama-3-8b", "llama-3-70b": "meta-llama-3-70b",
    "meta-llama-3.1-8b": "llama-3.1-8b", "meta-llama-3.1-70b": "llama-3.1-70b",
    "meta-llama-3.1-405b": "llama-3.1-405b", "llama-7b-hf": "llama-7b",
    "llama-13b-hf": "llama-13b", "llama-30b-hf": "llama-30b", "llama-65b-hf": "llama-65b",
    "open_llama_7b": "llama-7b", "open_llama_13b": "llama-13b",
    "open_llama_7b_v2": "llama-7b", "gpt-j-6b": "gpt-j-6b", "vicuna-7b-v1.5": "llama-2-7b",
    "vicuna-13b-v1.5": "llama-2-13b", "codellama-7b-python": "codellama-7b",
    "starcoder": "starcoder", "opt-iml-1.3b": "opt-1.3b", "bloomz-560m": "bloom-560m",
    "bloomz-1b1": "bloom-1b1", "bloomz-1b7": "bloom-1b7", "bloomz-3b": "bloom-3b",
    "bloomz-7b1": "bloom-7b1", "mt0-small": "mt5-small", "mt0-base": "mt5-base",
    "mt0-large": "mt5-large", "zephyr-7b-beta": "mistral-7b-v0.1",
    "zephyr-7b-alpha": "mistral-7b-v0.1", "openhermes-2.5-mistral-7b": "mistral-7b-v0.1",
    "distilbert-base-uncased-finetuned-sst-2-english": "distilbert-base-uncased",
    "xlm-mlm-en-2048": None, "whisper-large": "whisper-large-v2",
    "dinov2-base-imagenet1k-1-layer": "dinov2-base",
}
_ENDINGS = ("-instruct-v0.1", "-instruct-v0.2", "-instruct-v0.3", "-instruct", "-chat", "-it",
            "-hf", "-deduped", "-base", "-unsloth-bnb-4bit", "-bnb-4bit", "-chat-hf",
            "-chat-v1.0", "-v0.1", "-alpha", "-0724", "-0924", "-sft", "-dpo")
_TABLE = {}
_TABLE.update(DECODERS)
_TABLE.update(OTHERS)


def _one(key):
    key = _ALIASES.get(key, key)
    row = _TABLE.get(key)
    if row is None:
        return None
    kind, values = row
    return dict(values, model_type=kind)


def find(name):
    key = name.strip("/").split("/")[-1].lower()
    found = _one(key)
    # An instruction-tuned model has the sizes of the model that it was made of.
    tried = 0
    while found is None and tried < 3:
        for ending in _ENDINGS:
            if key.endswith(ending):
                key = key[:-len(ending)]
                break
        else:
            return None
        found = _one(key)
        tried += 1
    return found
