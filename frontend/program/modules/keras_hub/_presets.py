"""Sizes of presets, from the config.json of each on Kaggle Models."""

import _tilewise as _t


def _encoder(words, layers, heads, width, inner, **others):
    return dict(vocabulary_size=words, num_layers=layers, num_heads=heads, hidden_dim=width,
                intermediate_dim=inner, **others)


def _decoder(words, layers, heads, groups, width, inner, **others):
    return dict(vocabulary_size=words, num_layers=layers, num_query_heads=heads,
                num_key_value_heads=groups, hidden_dim=width, intermediate_dim=inner, **others)


def _albert(layers, heads, width, inner, dropout):
    return _encoder(30000, layers, heads, width, inner, embedding_dim=128, dropout=dropout)


_POST = dict(use_post_ffw_norm=True, use_post_attention_norm=True, final_logit_soft_cap=30,
             attention_logit_soft_cap=50, use_sliding_window_attention=True)


def _gemma2(layers, heads, groups, width, inner, head, **others):
    return _decoder(256000, layers, heads, groups, width, inner, head_dim=head,
                    sliding_window_size=4096, **_POST, **others)


def _gemma3(layers, heads, groups, width, inner, head, window, **others):
    return _decoder(262144, layers, heads, groups, width, inner, head_dim=head,
                    sliding_window_size=window, **others)


_BERT_BASE = _encoder(30522, 12, 12, 768, 3072)
_BERT_LARGE = _encoder(30522, 24, 16, 1024, 4096)
_MINI_6, _MINI_12 = _encoder(30522, 6, 12, 384, 1536), _encoder(30522, 12, 12, 384, 1536)
_GEMMA_2B = _decoder(256000, 18, 8, 1, 2048, 32768, head_dim=256)
_GEMMA_7B = _decoder(256000, 28, 16, 16, 3072, 49152, head_dim=256)
_GEMMA2_2B = _gemma2(26, 8, 4, 2304, 18432, 256)
_GEMMA2_9B = _gemma2(42, 16, 8, 3584, 28672, 256)
_GEMMA2_27B = _gemma2(46, 32, 16, 4608, 73728, 128, query_head_dim_normalize=False)
_GEMMA3_270M = _gemma3(18, 4, 1, 640, 2048, 256, 512)
_GEMMA3_1B = _gemma3(26, 4, 1, 1152, 6912, 256, 512)
_GEMMA3_4B = _gemma3(34, 8, 4, 2560, 10240, 256, 1024)
_GEMMA3_12B = _gemma3(48, 16, 8, 3840, 15360, 256, 1024)
_GEMMA3_27B = _gemma3(62, 32, 16, 5376, 21504, 128, 1024, query_head_dim_normalize=False)
_LLAMA2_7B = _decoder(32000, 32, 32, 32, 4096, 11008, layer_norm_epsilon=1e-5)
_LLAMA3_8B = _decoder(128256, 32, 32, 8, 4096, 14336, rope_max_wavelength=500000,
                      layer_norm_epsilon=1e-5)
_LLAMA3_1B = _decoder(128256, 16, 32, 8, 2048, 8192, rope_max_wavelength=500000,
                      layer_norm_epsilon=1e-5)
_LLAMA3_3B = _decoder(128256, 28, 24, 8, 3072, 8192, rope_max_wavelength=500000,
                      layer_norm_epsilon=1e-5)
_MISTRAL_7B = _decoder(32000, 32, 32, 8, 4096, 14336, sliding_window=4096)
_MISTRAL_3 = _decoder(32768, 32, 32, 8, 4096, 14336, sliding_window=None,
                      rope_max_wavelength=1000000)

# The family of each group of presets, and the names that share their sizes.
_GROUPS = (
    ("Bert", _encoder(30522, 2, 2, 128, 512), "bert_tiny_en_uncased bert_tiny_en_uncased_sst2"),
    ("Bert", _encoder(30522, 4, 8, 512, 2048), "bert_small_en_uncased"),
    ("Bert", _encoder(30522, 8, 8, 512, 2048), "bert_medium_en_uncased"),
    ("Bert", _BERT_BASE, "bert_base_en_uncased bge_base_en bge_base_v1.5_en"),
    ("Bert", _encoder(28996, 12, 12, 768, 3072), "bert_base_en"),
    ("Bert", _encoder(21128, 12, 12, 768, 3072), "bert_base_zh bge_base_zh bge_base_v1.5_zh"),
    ("Bert", _encoder(119547, 12, 12, 768, 3072), "bert_base_multi"),
    ("Bert", _BERT_LARGE, "bert_large_en_uncased bge_large_en bge_large_v1.5_en"),
    ("Bert", _encoder(28996, 24, 16, 1024, 4096), "bert_large_en"),
    ("Bert", _MINI_6, "all_minilm_l6_v2_en all_minilm_l6_v1_en paraphrase_minilm_l6_v2_en"),
    ("Bert", _MINI_12, "all_minilm_l12_v2_en paraphrase_minilm_l12_v2_en bge_small_en "
                       "bge_small_v1.5_en"),
    ("Roberta", _encoder(50265, 12, 12, 768, 3072), "roberta_base_en"),
    ("Roberta", _encoder(50265, 24, 16, 1024, 4096), "roberta_large_en"),
    ("XLMRoberta", _encoder(250002, 12, 12, 768, 3072), "xlm_roberta_base_multi"),
    ("XLMRoberta", _encoder(250002, 24, 16, 1024, 4096), "xlm_roberta_large_multi"),
    ("DistilBert", _encoder(30522, 6, 12, 768, 3072), "distil_bert_base_en_uncased"),
    ("DistilBert", _encoder(28996, 6, 12, 768, 3072), "distil_bert_base_en"),
    ("DistilBert", _encoder(119547, 6, 12, 768, 3072), "distil_bert_base_multi"),
    ("Albert", _albert(12, 12, 768, 3072, 0.0), "albert_base_en_uncased"),
    ("Albert", _albert(24, 16, 1024, 4096, 0.0), "albert_large_en_uncased"),
    ("Albert", _albert(24, 16, 2048, 8192, 0.0), "albert_extra_large_en_uncased"),
    ("Albert", _albert(12, 64, 4096, 16384, 0.0), "albert_extra_extra_large_en_uncased"),
    ("DebertaV3", _encoder(128100, 12, 6, 384, 1536), "deberta_v3_extra_small_en"),
    ("DebertaV3", _encoder(128100, 6, 12, 768, 3072), "deberta_v3_small_en"),
    ("DebertaV3", _encoder(128100, 12, 12, 768, 3072), "deberta_v3_base_en"),
    ("DebertaV3", _encoder(128100, 24, 16, 1024, 4096), "deberta_v3_large_en"),
    ("DebertaV3", _encoder(251000, 12, 12, 768, 3072), "deberta_v3_base_multi"),
    ("GPT2", _encoder(50257, 12, 12, 768, 3072), "gpt2_base_en gpt2_base_en_cnn_dailymail"),
    ("GPT2", _encoder(50257, 24, 16, 1024, 4096), "gpt2_medium_en"),
    ("GPT2", _encoder(50257, 36, 20, 1280, 5120), "gpt2_large_en"),
    ("GPT2", _encoder(50257, 48, 25, 1600, 6400), "gpt2_extra_large_en"),
    ("Gemma", _GEMMA_2B, "gemma_2b_en gemma_instruct_2b_en gemma_1.1_instruct_2b_en "
                         "code_gemma_2b_en code_gemma_1.1_2b_en"),
    ("Gemma", _GEMMA_7B, "gemma_7b_en gemma_instruct_7b_en gemma_1.1_instruct_7b_en "
                         "code_gemma_7b_en code_gemma_instruct_7b_en "
                         "code_gemma_1.1_instruct_7b_en"),
    ("Gemma", _GEMMA2_2B, "gemma2_2b_en gemma2_instruct_2b_en gemma2_instruct_2b_jpn "
                          "shieldgemma_2b_en"),
    ("Gemma", _GEMMA2_9B, "gemma2_9b_en gemma2_instruct_9b_en shieldgemma_9b_en"),
    ("Gemma", _GEMMA2_27B, "gemma2_27b_en gemma2_instruct_27b_en shieldgemma_27b_en"),
    ("Gemma3", _GEMMA3_270M, "gemma3_270m gemma3_instruct_270m"),
    ("Gemma3", _GEMMA3_1B, "gemma3_1b gemma3_instruct_1b"),
    ("Gemma3", _GEMMA3_4B, "gemma3_4b_text gemma3_instruct_4b_text"),
    ("Gemma3", _GEMMA3_12B, "gemma3_12b_text gemma3_instruct_12b_text"),
    ("Gemma3", _GEMMA3_27B, "gemma3_27b_text gemma3_instruct_27b_text"),
    ("Llama", _LLAMA2_7B, "llama2_7b_en llama2_instruct_7b_en vicuna_1.5_7b_en"),
    ("Llama3", _LLAMA3_8B, "llama3_8b_en llama3_instruct_8b_en llama3.1_8b llama3.1_instruct_8b"),
    ("Llama3", _LLAMA3_1B, "llama3.2_1b llama3.2_instruct_1b"),
    ("Llama3", _LLAMA3_3B, "llama3.2_3b llama3.2_instruct_3b"),
    ("Mistral", _MISTRAL_7B, "mistral_7b_en mistral_instruct_7b_en mistral_0.2_instruct_7b_en"),
    ("Mistral", _MISTRAL_3, "mistral_0.3_7b_en mistral_0.3_instruct_7b_en"),
)
PRESETS = {name: (family, sizes) for family, sizes, names in _GROUPS for name in names.split()}
CLASSES = {"bert_tiny_en_uncased_sst2": 2}  # of presets that are classifiers


def name_of(preset):
    """The last word of a handle ("kaggle://keras/gemma2/keras/gemma2_2b_en/2")."""
    if _t.is_unknown(preset):
        return preset
    words = [w for w in str(preset).split("/") if w and not w.isdigit()]
    return words[-1] if words else ""


def of(preset):
    """(family, sizes), or what is not known and why."""
    name = name_of(preset)
    if _t.is_unknown(name):
        return name
    if name not in PRESETS:
        return _t.unknown("the sizes of the preset " + str(preset) + " of keras_hub")
    return PRESETS[name]
