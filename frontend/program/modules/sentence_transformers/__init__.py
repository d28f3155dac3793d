"""sentence_transformers: encoders of texts, their losses and trainers."""

from sentence_transformers._model import SentenceTransformer
from sentence_transformers.cross_encoder import (CrossEncoder, CrossEncoderModelCardData,
                                                 CrossEncoderTrainer,
                                                 CrossEncoderTrainingArguments)
from sentence_transformers.datasets import ParallelSentencesDataset, SentencesDataset
from sentence_transformers.quantization import quantize_embeddings
from sentence_transformers.readers import InputExample, LoggingHandler
from sentence_transformers.similarity_functions import SimilarityFunction
from sentence_transformers.sparse_encoder import (SparseEncoder, SparseEncoderModelCardData,
                                                  SparseEncoderTrainer,
                                                  SparseEncoderTrainingArguments)
from sentence_transformers.trainer import SentenceTransformerTrainer
from sentence_transformers.training_args import SentenceTransformerTrainingArguments
from sentence_transformers.util import mine_hard_negatives
from sentence_transformers._model import ModelCardData as SentenceTransformerModelCardData

__version__ = "5.1.0"
