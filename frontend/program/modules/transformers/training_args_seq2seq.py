from dataclasses import dataclass
from typing import Any, Optional

from transformers.training_args import TrainingArguments, lenient


@dataclass
class Seq2SeqTrainingArguments(TrainingArguments):
    sortish_sampler: bool = False
    predict_with_generate: bool = False
    generation_max_length: Optional[int] = None
    generation_num_beams: Optional[int] = None
    generation_config: Optional[Any] = None


lenient(Seq2SeqTrainingArguments)
