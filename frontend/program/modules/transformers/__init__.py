"""Hugging Face transformers, as programs that train models use it."""

import _python
import _tilewise

__version__ = "4.51.3"

# Where public names are; a name is read when a program asks for it.
_PLACES = {
    "configuration_utils": ("PretrainedConfig", "PreTrainedConfig"),
    "modeling_utils": ("PreTrainedModel",),
    "pytorch_utils": ("Conv1D",),
    "activations": ("ACT2FN", "get_activation"),
    "trainer": ("Trainer",),
    "trainer_seq2seq": ("Seq2SeqTrainer",),
    "training_args": ("TrainingArguments",),
    "training_args_seq2seq": ("Seq2SeqTrainingArguments",),
    "hf_argparser": ("HfArgumentParser",),
    "trainer_callback": ("TrainerCallback", "TrainerState", "TrainerControl",
                         "EarlyStoppingCallback", "DefaultFlowCallback", "ProgressCallback",
                         "PrinterCallback"),
    "trainer_utils": ("EvalPrediction", "IntervalStrategy", "SchedulerType", "set_seed",
                      "enable_full_determinism", "get_last_checkpoint", "EvaluationStrategy"),
    "optimization": (
        "AdamW", "Adafactor", "AdafactorSchedule", "get_scheduler", "get_constant_schedule",
        "get_constant_schedule_with_warmup", "get_linear_schedule_with_warmup",
        "get_cosine_schedule_with_warmup", "get_polynomial_decay_schedule_with_warmup",
        "get_cosine_with_hard_restarts_schedule_with_warmup", "get_inverse_sqrt_schedule",
        "get_wsd_schedule", "get_cosine_with_min_lr_schedule_with_warmup"),
    "optimization_tf": ("create_optimizer", "AdamWeightDecay", "WarmUp"),
    "keras_callbacks": ("PushToHubCallback", "KerasMetricCallback"),
    "data.data_collator": (
        "DataCollator", "DefaultDataCollator", "default_data_collator",
        "DataCollatorWithPadding", "DataCollatorForLanguageModeling", "DataCollatorForSeq2Seq",
        "DataCollatorForTokenClassification", "DataCollatorForWholeWordMask",
        "DataCollatorForPermutationLanguageModeling", "DataCollatorWithFlattening"),
    "tokenization_utils": ("PreTrainedTokenizer", "PreTrainedTokenizerBase",
                           "PreTrainedTokenizerFast", "BatchEncoding", "AutoTokenizer",
                           "AddedToken", "SpecialTokensMixin"),
    "image_processing_utils": ("AutoImageProcessor", "AutoFeatureExtractor", "AutoProcessor",
                               "BaseImageProcessor"),
    "generation": ("GenerationConfig", "GenerationMixin", "TextStreamer", "TextIteratorStreamer",
                   "StoppingCriteria", "StoppingCriteriaList", "LogitsProcessor",
                   "LogitsProcessorList"),
    "utils.quantization_config": ("BitsAndBytesConfig", "GPTQConfig"),
    "pipelines": ("pipeline", "Pipeline", "TextGenerationPipeline", "FillMaskPipeline"),
    "utils": ("logging", "is_torch_available", "is_tf_available", "is_flax_available",
              "is_torch_xla_available", "is_torch_tpu_available", "is_datasets_available",
              "is_apex_available", "is_tensorboard_available", "TensorType",
              "is_torch_npu_available", "is_wandb_available",
              "SAFE_WEIGHTS_NAME", "WEIGHTS_NAME", "CONFIG_NAME", "is_torch_cuda_available",
              "is_peft_available",
              "is_vision_available", "is_accelerate_available", "is_safetensors_available"),
    "_auto": ("AutoConfig", "CONFIG_MAPPING"),
    "modeling_flax_utils": ("FlaxPreTrainedModel",),
}
_WHERE = {name: place for place, names in _PLACES.items() for name in names}
_SUBMODULES = ("utils", "trainer_utils", "trainer", "models", "data", "optimization", "deepspeed",
               "integrations", "testing_utils", "modeling_outputs", "generation", "file_utils")


def __getattr__(name):
    if name[:2] == "__":
        raise AttributeError(name)
    place = _WHERE.get(name)
    if place is not None:
        return getattr(_python.import_module("transformers." + place), name)
    if name in _SUBMODULES:
        return _python.import_module("transformers." + name)
    from transformers import _auto, _registry
    found = None
    if name[:9] == "AutoModel":
        found = _auto.find(name)
    elif name.endswith(("_MAPPING", "_MAPPING_NAMES")):
        found = _auto.mapping(name)
    elif name[:2] == "TF" or name[:4] == "Flax":
        kind = "_keras" if name[:2] == "TF" else "_flax"
        found = _python.import_module("transformers." + kind).find(name) or \
            _tilewise.unknown("transformers." + name + " is not known")
    else:
        found = _registry.find(name)
        if found is None:
            found = _named(name)
    if found is None:
        raise AttributeError("module 'transformers' has no attribute '" + name + "'")
    return found


def _named(name):
    """Tokenizers and processors of a kind of model."""
    if name.endswith(("Tokenizer", "TokenizerFast")):
        from transformers.tokenization_utils import named
        return named(name)
    if name.endswith(("Processor", "FeatureExtractor", "ImageProcessorFast")):
        from transformers.image_processing_utils import named
        return named(name)
    from transformers import modeling_outputs
    return getattr(modeling_outputs, name, None)
