"""Arguments of trainers, and the samplers that they name."""

from dataclasses import dataclass
from enum import Enum
from typing import Any

from transformers.training_args import TrainingArguments


class BatchSamplers(str, Enum):
    BATCH_SAMPLER = "batch_sampler"
    NO_DUPLICATES = "no_duplicates"
    GROUP_BY_LABEL = "group_by_label"


class MultiDatasetBatchSamplers(str, Enum):
    ROUND_ROBIN = "round_robin"
    PROPORTIONAL = "proportional"


@dataclass
class SentenceTransformerTrainingArguments(TrainingArguments):
    prompts: Any = None
    batch_sampler: Any = BatchSamplers.BATCH_SAMPLER
    multi_dataset_batch_sampler: Any = MultiDatasetBatchSamplers.PROPORTIONAL
    router_mapping: Any = None
    learning_rate_mapping: Any = None
