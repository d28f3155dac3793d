"""Sizes of well-known encoders, pairs, vision and speech models, as published."""


def _bert(v=30522, n=12, h=768, a=12, i=None, kind="bert", **more):
    return kind, dict(vocab_size=v, num_hidden_layers=n, hidden_size=h, num_attention_heads=a,
                      intermediate_size=i or 4 * h, **more)


def _roberta(v=50265, n=12, h=768, a=12, kind="roberta"):
    return _bert(v, n, h, a, None, kind, max_position_embeddings=514, type_vocab_size=1,
                 layer_norm_eps=1e-5)


def _albert(h, n, a, i, **more):
    return "albert", dict(hidden_size=h, num_hidden_layers=n, num_attention_heads=a,
                          intermediate_size=i, **more)


def _deberta3(h, n, a, v=128100):
    return _bert(v, n, h, a, None, "deberta-v2", type_vocab_size=0, layer_norm_eps=1e-7,
                 relative_attention=True, position_buckets=256, norm_rel_ebd="layer_norm",
                 share_att_key=True, pos_att_type=["p2c", "c2p"], position_biased_input=False,
                 max_relative_positions=-1)


def _t5(d, f, n, a, kv=64, kind="t5", v=32128, **more):
    return kind, dict(vocab_size=v, d_model=d, d_ff=f, num_layers=n, num_decoder_layers=n,
                      num_heads=a, d_kv=kv, **more)


_V11 = {"feed_forward_proj": "gated-gelu", "tie_word_embeddings": False}


def _bart(n, d, f, a, kind="bart", v=50265, m=1024, **more):
    return kind, dict(vocab_size=v, encoder_layers=n, decoder_layers=more.pop("dec", n),
                      d_model=d, encoder_ffn_dim=f, decoder_ffn_dim=f,
                      encoder_attention_heads=a, decoder_attention_heads=a,
                      max_position_embeddings=m, **more)


def _whisper(d, n, a, v=51865, mel=80, dec=None):
    return "whisper", dict(vocab_size=v, num_mel_bins=mel, encoder_layers=n,
                           decoder_layers=dec or n, d_model=d, encoder_ffn_dim=4 * d,
                           decoder_ffn_dim=4 * d, encoder_attention_heads=a,
                           decoder_attention_heads=a)


def _vit(h=768, n=12, a=12, kind="vit", size=224, patch=16, **more):
    return kind, dict(hidden_size=h, num_hidden_layers=n, num_attention_heads=a,
                      intermediate_size=4 * h, image_size=size, patch_size=patch, **more)


def _swin(e, depths, heads, size=224, window=7):
    return "swin", dict(embed_dim=e, depths=depths, num_heads=heads, image_size=size,
                        window_size=window)


def _conv(kind, sizes, depths):
    return kind, dict(hidden_sizes=sizes, depths=depths)


def _clip(th, ta, tn, vh, va, vn, patch, proj, size=224):
    return "clip", dict(
        projection_dim=proj,
        text_config=dict(hidden_size=th, intermediate_size=4 * th, num_attention_heads=ta,
                         num_hidden_layers=tn, projection_dim=proj),
        vision_config=dict(hidden_size=vh, intermediate_size=4 * vh, num_attention_heads=va,
                           num_hidden_layers=vn, patch_size=patch, image_size=size,
                           projection_dim=proj))


def _wav2vec(large=False, kind="wav2vec2", **more):
    values = dict(more)
    if large:
        values.update(hidden_size=1024, num_hidden_layers=24, num_attention_heads=16,
                      intermediate_size=4096)
    return kind, values


_STABLE = {"do_stable_layer_norm": True, "feat_extract_norm": "layer", "conv_bias": True}


def _mit(sizes, depths, decoder=256):
    return "segformer", dict(hidden_sizes=sizes, depths=depths, decoder_hidden_size=decoder)


OTHERS = {
    "bert-base-uncased": _bert(), "bert-base-cased": _bert(28996),
    "bert-large-uncased": _bert(n=24, h=1024, a=16), "bert-large-cased": _bert(28996, 24, 1024, 16),
    "bert-large-uncased-whole-word-masking": _bert(n=24, h=1024, a=16),
    "bert-base-multilingual-cased": _bert(119547),
    "bert-base-multilingual-uncased": _bert(105879), "bert-base-chinese": _bert(21128),
    "bert-base-german-cased": _bert(30000),
    "bert_uncased_l-2_h-128_a-2": _bert(n=2, h=128, a=2), "bert-tiny": _bert(n=2, h=128, a=2),
    "bert-mini": _bert(n=4, h=256, a=4), "bert-small": _bert(n=4, h=512, a=8),
    "bert-medium": _bert(n=8, h=512, a=8), "scibert_scivocab_uncased": _bert(31090),
    "finbert": _bert(), "bert-base-ner": _bert(28996),
    "all-minilm-l6-v2": _bert(n=6, h=384, a=12), "all-minilm-l12-v2": _bert(n=12, h=384, a=12),
    "multi-qa-minilm-l6-cos-v1": _bert(n=6, h=384, a=12),
    "minilm-l6-h384-uncased": _bert(n=6, h=384, a=12),
    "minilm-l12-h384-uncased": _bert(n=12, h=384, a=12),
    "ms-marco-minilm-l6-v2": _bert(n=6, h=384, a=12),
    "ms-marco-minilm-l-6-v2": _bert(n=6, h=384, a=12),
    "ms-marco-minilm-l12-v2": _bert(n=12, h=384, a=12),
    "ms-marco-minilm-l-12-v2": _bert(n=12, h=384, a=12),
    "paraphrase-minilm-l6-v2": _bert(n=6, h=384, a=12),
    "paraphrase-multilingual-minilm-l12-v2": _bert(250037, n=12, h=384, a=12),
    "splade-cocondenser-ensembledistil": _bert(), "co-condenser-marco": _bert(),
    "mxbai-embed-large-v1": _bert(n=24, h=1024, a=16),
    "bge-small-en-v1.5": _bert(n=12, h=384, a=12), "bge-base-en-v1.5": _bert(),
    "bge-large-en-v1.5": _bert(n=24, h=1024, a=16),
    "roberta-base": _roberta(), "roberta-large": _roberta(n=24, h=1024, a=16),
    "distilroberta-base": _roberta(n=6), "codebert-base": _roberta(),
    "all-distilroberta-v1": _roberta(n=6), "stsb-distilroberta-base": _roberta(n=6),
    "stsb-distilroberta-base-v2": _roberta(n=6), "stsb-roberta-base-v2": _roberta(),
    "roberta-large-mnli": _roberta(n=24, h=1024, a=16),
    "twitter-roberta-base-sentiment": _roberta(),
    "xlm-roberta-base": _roberta(250002, kind="xlm-roberta"),
    "xlm-roberta-large": _roberta(250002, 24, 1024, 16, "xlm-roberta"),
    "camembert-base": _roberta(32005, kind="camembert"),
    "paraphrase-mpnet-base-v2": _bert(30527, kind="mpnet", max_position_embeddings=514,
                                      layer_norm_eps=1e-5),
    "all-mpnet-base-v2": _bert(30527, kind="mpnet", max_position_embeddings=514,
                               layer_norm_eps=1e-5),
    "mpnet-base": _bert(30527, kind="mpnet", max_position_embeddings=514, layer_norm_eps=1e-5),
    "distilbert-base-uncased": ("distilbert", {}), "stsb-distilbert-base": ("distilbert", {}),
    "distilbert-base-cased": ("distilbert", {"vocab_size": 28996}),
    "distilbert-base-multilingual-cased": ("distilbert", {"vocab_size": 119547}),
    "albert-base-v1": _albert(768, 12, 12, 3072, hidden_act="gelu"),
    "albert-base-v2": _albert(768, 12, 12, 3072),
    "albert-large-v2": _albert(1024, 24, 16, 4096),
    "albert-xlarge-v2": _albert(2048, 24, 16, 8192),
    "albert-xxlarge-v2": _albert(4096, 12, 64, 16384),
    "electra-small-discriminator": _bert(h=256, a=4, kind="electra", embedding_size=128),
    "electra-base-discriminator": _bert(kind="electra", embedding_size=768),
    "electra-large-discriminator": _bert(n=24, h=1024, a=16, kind="electra",
                                         embedding_size=1024),
    "deberta-base": _bert(50265, kind="deberta", type_vocab_size=0, layer_norm_eps=1e-7,
                          relative_attention=True, pos_att_type=["c2p", "p2c"],
                          position_biased_input=False),
    "deberta-v3-xsmall": _deberta3(384, 12, 6), "deberta-v3-small": _deberta3(768, 6, 12),
    "deberta-v3-base": _deberta3(768, 12, 12), "deberta-v3-large": _deberta3(1024, 24, 16),
    "mdeberta-v3-base": _deberta3(768, 12, 12, 251000),
    "modernbert-base": ("modernbert", {}),
    "modernbert-large": ("modernbert", dict(hidden_size=1024, intermediate_size=2624,
                                            num_hidden_layers=28, num_attention_heads=16)),
    "t5-small": _t5(512, 2048, 6, 8), "t5-base": _t5(768, 3072, 12, 12),
    "t5-large": _t5(1024, 4096, 24, 16), "t5-3b": _t5(1024, 16384, 24, 32, 128),
    "t5-11b": _t5(1024, 65536, 24, 128, 128),
    "t5-v1_1-small": _t5(512, 1024, 8, 6, **_V11), "t5-v1_1-base": _t5(768, 2048, 12, 12, **_V11),
    "t5-v1_1-large": _t5(1024, 2816, 24, 16, **_V11), "t5-v1_1-xl": _t5(2048, 5120, 24, 32, **_V11),
    "flan-t5-small": _t5(512, 1024, 8, 6, **_V11), "flan-t5-base": _t5(768, 2048, 12, 12, **_V11),
    "flan-t5-large": _t5(1024, 2816, 24, 16, **_V11), "flan-t5-xl": _t5(2048, 5120, 24, 32, **_V11),
    "flan-t5-xxl": _t5(4096, 10240, 24, 64, **_V11),
    "t5-v1_1-xxl": _t5(4096, 10240, 24, 64, **_V11),
    "mt5-small": _t5(512, 1024, 8, 6, kind="mt5", v=250112),
    "mt5-base": _t5(768, 2048, 12, 12, kind="mt5", v=250112),
    "mt5-large": _t5(1024, 2816, 24, 16, kind="mt5", v=250112),
    "codet5-base": _t5(768, 3072, 12, 12, v=32100), "codet5-small": _t5(512, 2048, 6, 8, v=32100),
    "bart-base": _bart(6, 768, 3072, 12), "bart-large": _bart(12, 1024, 4096, 16),
    "bart-large-cnn": _bart(12, 1024, 4096, 16, v=50264),
    "bart-large-mnli": _bart(12, 1024, 4096, 16), "bart-large-xsum": _bart(
        12, 1024, 4096, 16, v=50264),
    "distilbart-cnn-12-6": _bart(12, 1024, 4096, 16, v=50264, dec=6),
    "pegasus-large": _bart(16, 1024, 4096, 16, "pegasus", 96103, activation_function="relu",
                           scale_embedding=True),
    "pegasus-xsum": _bart(16, 1024, 4096, 16, "pegasus", 96103, 512, activation_function="relu",
                          scale_embedding=True),
    "mbart-large-cc25": _bart(12, 1024, 4096, 16, "mbart", 250027, scale_embedding=True),
    "mbart-large-50": _bart(12, 1024, 4096, 16, "mbart", 250054, scale_embedding=True),
    "opus-mt-en-de": _bart(6, 512, 2048, 8, "marian", 58101, 512, activation_function="swish",
                           scale_embedding=True),
    "opus-mt-en-fr": _bart(6, 512, 2048, 8, "marian", 59514, 512, activation_function="swish",
                           scale_embedding=True, pad_token_id=59513,
                           decoder_start_token_id=59513),
    "opus-mt-en-ro": _bart(6, 512, 2048, 8, "marian", 59543, 512, activation_function="swish",
                           scale_embedding=True, pad_token_id=59542,
                           decoder_start_token_id=59542),
    "m2m100_418m": _bart(12, 1024, 4096, 16, "m2m_100", 128112),
    "nllb-200-distilled-600m": _bart(12, 1024, 4096, 16, "m2m_100", 256206),
    "whisper-tiny": _whisper(384, 4, 6), "whisper-base": _whisper(512, 6, 8),
    "whisper-small": _whisper(768, 12, 12), "whisper-medium": _whisper(1024, 24, 16),
    "whisper-large-v2": _whisper(1280, 32, 20),
    "whisper-large-v3": _whisper(1280, 32, 20, 51866, 128),
    "whisper-large-v3-turbo": _whisper(1280, 32, 20, 51866, 128, 4),
    "whisper-tiny.en": _whisper(384, 4, 6, 51864), "whisper-base.en": _whisper(512, 6, 8, 51864),
    "whisper-small.en": _whisper(768, 12, 12, 51864),
    "vit-base-patch16-224": _vit(), "vit-base-patch16-384": _vit(size=384),
    "vit-base-patch32-224-in21k": _vit(patch=32), "vit-base-patch32-384": _vit(
        size=384, patch=32),
    "vit-large-patch16-224": _vit(1024, 24, 16), "vit-large-patch32-384": _vit(
        1024, 24, 16, size=384, patch=32),
    "vit-huge-patch14-224": _vit(1280, 32, 16, patch=14),
    "vit-base-patch16-224-in21k": _vit(), "vit-large-patch16-224-in21k": _vit(1024, 24, 16),
    "vit-huge-patch14-224-in21k": _vit(1280, 32, 16, patch=14),
    "deit-tiny-patch16-224": _vit(192, 12, 3), "deit-small-patch16-224": _vit(384, 12, 6),
    "deit-base-patch16-224": _vit(), "deit-base-patch16-384": _vit(size=384),
    "deit-tiny-distilled-patch16-224": _vit(192, 12, 3, "deit"),
    "deit-small-distilled-patch16-224": _vit(384, 12, 6, "deit"),
    "deit-base-distilled-patch16-224": _vit(kind="deit"),
    "vit-mae-base": _vit(kind="vit_mae"), "vit-mae-large": _vit(1024, 24, 16, "vit_mae"),
    "dinov2-small": _vit(384, 12, 6, "dinov2", 518, 14), "dinov2-base": _vit(
        768, 12, 12, "dinov2", 518, 14),
    "dinov2-large": _vit(1024, 24, 16, "dinov2", 518, 14),
    "beit-base-patch16-224": _vit(kind="beit", use_relative_position_bias=True),
    "beit-base-patch16-224-pt22k-ft22k": _vit(kind="beit", use_relative_position_bias=True),
    "beit-base-patch16-224-pt22k": _vit(kind="beit", use_mask_token=True,
                                        use_shared_relative_position_bias=True),
    "beit-large-patch16-224": _vit(1024, 24, 16, "beit", use_relative_position_bias=True),
    "swin-tiny-patch4-window7-224": _swin(96, [2, 2, 6, 2], [3, 6, 12, 24]),
    "swin-small-patch4-window7-224": _swin(96, [2, 2, 18, 2], [3, 6, 12, 24]),
    "swin-base-patch4-window7-224": _swin(128, [2, 2, 18, 2], [4, 8, 16, 32]),
    "swin-base-patch4-window7-224-in22k": _swin(128, [2, 2, 18, 2], [4, 8, 16, 32]),
    "swin-large-patch4-window7-224": _swin(192, [2, 2, 18, 2], [6, 12, 24, 48]),
    "swin-base-patch4-window12-384": _swin(128, [2, 2, 18, 2], [4, 8, 16, 32], 384, 12),
    "convnext-tiny-224": ("convnext", {}),
    "convnext-small-224": _conv("convnext", [96, 192, 384, 768], [3, 3, 27, 3]),
    "convnext-base-224": _conv("convnext", [128, 256, 512, 1024], [3, 3, 27, 3]),
    "convnext-large-224": _conv("convnext", [192, 384, 768, 1536], [3, 3, 27, 3]),
    "convnextv2-tiny-1k-224": ("convnextv2", {}),
    "convnextv2-base-1k-224": _conv("convnextv2", [128, 256, 512, 1024], [3, 3, 27, 3]),
    "resnet-18": ("resnet", dict(hidden_sizes=[64, 128, 256, 512], depths=[2, 2, 2, 2],
                                 layer_type="basic")),
    "resnet-34": ("resnet", dict(hidden_sizes=[64, 128, 256, 512], depths=[3, 4, 6, 3],
                                 layer_type="basic")),
    "resnet-50": ("resnet", {}), "resnet-101": ("resnet", dict(depths=[3, 4, 23, 3])),
    "resnet-152": ("resnet", dict(depths=[3, 8, 36, 3])),
    "mit-b0": ("segformer", {}), "mit-b1": _mit([64, 128, 320, 512], [2, 2, 2, 2]),
    "mit-b2": _mit([64, 128, 320, 512], [3, 4, 6, 3], 768),
    "mit-b3": _mit([64, 128, 320, 512], [3, 4, 18, 3], 768),
    "mit-b5": _mit([64, 128, 320, 512], [3, 6, 40, 3], 768),
    "segformer-b0-finetuned-ade-512-512": ("segformer", {"num_labels": 150}),
    "clip-vit-base-patch32": _clip(512, 8, 12, 768, 12, 12, 32, 512),
    "clip-vit-base-patch16": _clip(512, 8, 12, 768, 12, 12, 16, 512),
    "clip-vit-large-patch14": _clip(768, 12, 12, 1024, 16, 24, 14, 768),
    "clip-vit-large-patch14-336": _clip(768, 12, 12, 1024, 16, 24, 14, 768, 336),
    "siglip-base-patch16-224": ("siglip", {}),
    "wav2vec2-base": _wav2vec(), "wav2vec2-base-960h": _wav2vec(),
    "wav2vec2-base-100h": _wav2vec(), "wav2vec2-large": _wav2vec(
        True, codevector_dim=768, proj_codevector_dim=768),
    "wav2vec2-large-960h": _wav2vec(True, codevector_dim=768, proj_codevector_dim=768),
    "wav2vec2-large-xlsr-53": _wav2vec(True, codevector_dim=768, proj_codevector_dim=768,
                                       **_STABLE),
    "wav2vec2-xls-r-300m": _wav2vec(True, codevector_dim=768, proj_codevector_dim=768,
                                    **_STABLE),
    "hubert-base-ls960": _wav2vec(kind="hubert"),
    "hubert-large-ll60k": _wav2vec(True, "hubert", **_STABLE),
}
_LABELS = {k: "LABEL_" + str(k) for k in range(1000)}
for _name, _row in OTHERS.items():
    # Models of ImageNet know its thousand classes.
    if _row[0] in ("vit", "deit", "beit", "swin", "convnext", "convnextv2", "resnet", "segformer") \
            and "num_labels" not in _row[1] and "in21k" not in _name and "22k" not in _name:
        _row[1]["id2label"] = _LABELS


def _text(h, heads, layers, act, kind="CLIPTextModel", proj=None):
    return dict(model_type="clip_text_model", architectures=[kind], hidden_size=h,
                intermediate_size=4 * h, num_attention_heads=heads, num_hidden_layers=layers,
                hidden_act=act, projection_dim=proj or h, vocab_size=49408,
                max_position_embeddings=77)


def _words(kind, values, architecture):
    return dict(values, model_type=kind, architectures=[architecture])


_T5_XXL = _words(*_t5(4096, 10240, 24, 64, **_V11), "T5EncoderModel")
_CLIP_L = _text(768, 12, 12, "quick_gelu")
_BIG_G = _text(1280, 20, 32, "gelu", "CLIPTextModelWithProjection")

# The text encoders of Stable Diffusion and FLUX: (beginning of a name, folders, configuration).
_PARTS = (
    ("stable-diffusion-3", ("text_encoder_3", "tokenizer_3"), _T5_XXL),
    ("stable-diffusion-3", ("text_encoder_2", "tokenizer_2"), _BIG_G),
    ("stable-diffusion-3", ("text_encoder", "tokenizer"),
     dict(_CLIP_L, architectures=["CLIPTextModelWithProjection"])),
    ("FLUX.1-", ("text_encoder_2", "tokenizer_2"), _T5_XXL),
    ("FLUX.1-", ("text_encoder", "tokenizer"), _CLIP_L),
    ("stable-diffusion-inpainting", ("text_encoder", "tokenizer"), _CLIP_L),
    ("instruct-pix2pix", ("text_encoder", "tokenizer"), _CLIP_L),
    ("stable-diffusion-2", ("text_encoder", "tokenizer"), _text(1024, 16, 23, "gelu", proj=512)),
    ("stable-diffusion-v1", ("text_encoder", "tokenizer"), _CLIP_L),
)

for _name in ("stable-diffusion-xl-base-", "sdxl-turbo", "playground-v2"):
    _PARTS += ((_name, ("text_encoder_2", "tokenizer_2"), _BIG_G),
               (_name, ("text_encoder", "tokenizer"), _CLIP_L))


def part(name, folder):
    last = name.rstrip("/").split("/")[-1]
    for begin, folders, values in _PARTS:
        if last.startswith(begin) and folder in folders:
            return values
    return None
