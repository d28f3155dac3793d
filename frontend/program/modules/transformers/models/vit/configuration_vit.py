from transformers.models._names import getter

__getattr__ = getter("vit")
