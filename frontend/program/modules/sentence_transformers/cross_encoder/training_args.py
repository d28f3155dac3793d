"""Arguments of the trainer of cross encoders."""

from sentence_transformers.cross_encoder import CrossEncoderTrainingArguments
