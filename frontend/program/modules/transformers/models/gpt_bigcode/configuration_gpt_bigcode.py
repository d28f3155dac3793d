from transformers.models._names import getter

__getattr__ = getter("gpt_bigcode")
