"""Arguments of the trainer of sparse encoders."""

from sentence_transformers.sparse_encoder import SparseEncoderTrainingArguments
