from . import AdamW
