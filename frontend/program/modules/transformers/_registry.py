"""Classes of models by their public names."""

import _tilewise
from transformers.configuration_utils import config_class

# Kind: (what names start with, the module that builds it, the attribute of the base model)
_DECODERS = {
    "llama": "Llama", "mistral": "Mistral", "mixtral": "Mixtral", "qwen2": "Qwen2",
    "qwen3": "Qwen3", "qwen2_moe": "Qwen2Moe", "qwen3_moe": "Qwen3Moe", "olmoe": "Olmoe",
    "gemma": "Gemma", "gemma2": "Gemma2", "gemma3_text": "Gemma3Text", "phi": "Phi",
    "phi3": "Phi3", "stablelm": "StableLm", "olmo": "Olmo", "olmo2": "Olmo2",
    "cohere": "Cohere", "starcoder2": "Starcoder2", "granite": "Granite", "glm": "Glm",
    "glm4": "Glm4", "smollm3": "SmolLM3", "deepseek_v2": "DeepseekV2",
    "deepseek_v3": "DeepseekV3"}
MODELS = {kind: (prefix, "_decoder", "model") for kind, prefix in _DECODERS.items()}
MODELS.update({
    "gpt2": ("GPT2", "_gpt", "transformer"), "gpt_bigcode": ("GPTBigCode", "_gpt",
                                                             "transformer"),
    "openai-gpt": ("OpenAIGPT", "_gpt", "transformer"),
    "gptj": ("GPTJ", "_gptj", "transformer"), "codegen": ("CodeGen", "_gptj", "transformer"),
    "gpt_neo": ("GPTNeo", "_gptj", "transformer"),
    "gpt_neox": ("GPTNeoX", "_gptj", "gpt_neox"), "opt": ("OPT", "_opt", "model"),
    "bloom": ("Bloom", "_alibi", "transformer"), "falcon": ("Falcon", "_alibi", "transformer"),
    "mpt": ("Mpt", "_alibi", "transformer"),
    "bert": ("Bert", "_bert", "bert"), "roberta": ("Roberta", "_bert", "roberta"),
    "xlm-roberta": ("XLMRoberta", "_bert", "roberta"),
    "camembert": ("Camembert", "_bert", "roberta"), "mpnet": ("MPNet", "_bert", "mpnet"),
    "electra": ("Electra", "_bert", "electra"), "albert": ("Albert", "_bert", "albert"),
    "distilbert": ("DistilBert", "_bert", "distilbert"),
    "deberta": ("Deberta", "_bert", "deberta"), "deberta-v2": ("DebertaV2", "_bert", "deberta"),
    "modernbert": ("ModernBert", "_modernbert", "model"),
    "t5": ("T5", "_t5", "transformer"), "mt5": ("MT5", "_t5", "transformer"),
    "umt5": ("UMT5", "_t5", "transformer"),
    "bart": ("Bart", "_bart", "model"), "mbart": ("MBart", "_bart", "model"),
    "pegasus": ("Pegasus", "_bart", "model"), "marian": ("Marian", "_bart", "model"),
    "m2m_100": ("M2M100", "_bart", "model"), "whisper": ("Whisper", "_bart", "model"),
    "vit": ("ViT", "_vit", "vit"), "deit": ("DeiT", "_vit", "deit"),
    "dinov2": ("Dinov2", "_vit", "dinov2"), "beit": ("Beit", "_vit", "beit"),
    "vit_mae": ("ViTMAE", "_vit", "vit"),
    "swin": ("Swin", "_swin", "swin"), "convnext": ("ConvNext", "_convnet", "convnext"),
    "convnextv2": ("ConvNextV2", "_convnet", "convnextv2"),
    "resnet": ("ResNet", "_convnet", "resnet"),
    "segformer": ("Segformer", "_segformer", "segformer"),
    "clip": ("CLIP", "_clip", "model"), "clip_text_model": ("CLIPText", "_clip", "text_model"),
    "clip_vision_model": ("CLIPVision", "_clip", "vision_model"),
    "siglip": ("Siglip", "_clip", "model"),
    "siglip_text_model": ("SiglipText", "_clip", "text_model"),
    "siglip_vision_model": ("SiglipVision", "_clip", "vision_model"),
    "wav2vec2": ("Wav2Vec2", "_speech", "wav2vec2"), "hubert": ("Hubert", "_speech", "hubert"),
    "encoder-decoder": ("EncoderDecoder", "_pairs", "encoder"),
    "vision-encoder-decoder": ("VisionEncoderDecoder", "_pairs", "encoder"),
})
_OTHER_NAMES = {"Gemma3": "gemma3_text", "LLaMA": "llama", "GPTNeoXJapanese": None}
_PREFIXES = {row[0]: kind for kind, row in MODELS.items()}
_PREFIXES.update(_OTHER_NAMES)
_made = {}


def family(kind):
    import _python
    return _python.import_module("transformers." + MODELS[kind][1])


def make(kind, head):
    """The class of a kind of models with a head, such as ("llama", "ForCausalLM")."""
    key = kind, head
    made = _made.get(key)
    if made is None:
        row = MODELS.get(kind)
        if row is None:
            return _tilewise.unknown("models of type '" + str(kind) + "' are not known")
        prefix, _, base = row
        module = family(kind)
        built = module.heads(kind).get(head)
        if built is None:
            return _tilewise.unknown("transformers." + prefix + head + " is not known")
        made = type(prefix + head, (built,), {
            "config_class": config_class(kind), "_kind": kind, "base_model_prefix": base,
            "__module__": "transformers.models." + kind.replace("-", "_") + ".modeling_" +
            kind.replace("-", "_")})
        _made[key] = made
    return made


def split(name):
    """(kind, head) of a public name, or None."""
    for n in range(len(name) - 1, 1, -1):
        kind = _PREFIXES.get(name[:n])
        if kind is not None:
            return kind, name[n:]
    return None


def find(name):
    """The class of that name, or None."""
    parts = split(name)
    if parts is None:
        return None
    kind, head = parts
    if head == "Config":
        return config_class(kind)
    module = family(kind)
    if head in module.heads(kind):
        return make(kind, head)
    return module.part(kind, head) if hasattr(module, "part") else None
