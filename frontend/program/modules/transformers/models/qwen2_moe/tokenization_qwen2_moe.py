from transformers.models._names import getter

__getattr__ = getter("qwen2_moe")
