from transformers.trainer import Trainer
from transformers.training_args_seq2seq import Seq2SeqTrainingArguments


class Seq2SeqTrainer(Trainer):
    pass
