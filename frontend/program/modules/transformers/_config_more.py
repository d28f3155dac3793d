"""Configurations of encoders, pairs of encoder and decoder, vision and speech."""


def _bert(vocab_size=30522, hidden_size=768, num_hidden_layers=12, num_attention_heads=12,
          intermediate_size=3072, **more):
    values = {
        "vocab_size": vocab_size, "hidden_size": hidden_size,
        "num_hidden_layers": num_hidden_layers, "num_attention_heads": num_attention_heads,
        "intermediate_size": intermediate_size, "hidden_act": "gelu",
        "hidden_dropout_prob": 0.1, "attention_probs_dropout_prob": 0.1,
        "max_position_embeddings": 512, "type_vocab_size": 2, "initializer_range": 0.02,
        "layer_norm_eps": 1e-12, "pad_token_id": 0, "position_embedding_type": "absolute",
        "use_cache": True, "classifier_dropout": None}
    values.update(more)
    return values


_ROBERTA = {"pad_token_id": 1, "bos_token_id": 0, "eos_token_id": 2}
_DEBERTA = {"type_vocab_size": 0, "layer_norm_eps": 1e-7, "relative_attention": False,
            "max_relative_positions": -1, "position_biased_input": True, "pos_att_type": None,
            "pooler_dropout": 0, "pooler_hidden_act": "gelu", "legacy": True}


def _bart(vocab_size=50265, **more):
    values = {
        "vocab_size": vocab_size, "max_position_embeddings": 1024, "encoder_layers": 12,
        "encoder_ffn_dim": 4096, "encoder_attention_heads": 16, "decoder_layers": 12,
        "decoder_ffn_dim": 4096, "decoder_attention_heads": 16, "encoder_layerdrop": 0.0,
        "decoder_layerdrop": 0.0, "activation_function": "gelu", "d_model": 1024,
        "dropout": 0.1, "attention_dropout": 0.0, "activation_dropout": 0.0, "init_std": 0.02,
        "classifier_dropout": 0.0, "scale_embedding": False, "is_encoder_decoder": True,
        "pad_token_id": 1, "bos_token_id": 0, "eos_token_id": 2, "decoder_start_token_id": 2}
    values.update(more)
    return values


_BART_NAMES = {"num_attention_heads": "encoder_attention_heads", "hidden_size": "d_model",
               "num_hidden_layers": "encoder_layers"}


def _t5(vocab_size=32128, d_ff=2048, num_layers=6, num_heads=8, **more):
    values = {
        "vocab_size": vocab_size, "d_model": 512, "d_kv": 64, "d_ff": d_ff,
        "num_layers": num_layers, "num_decoder_layers": None, "num_heads": num_heads,
        "relative_attention_num_buckets": 32, "relative_attention_max_distance": 128,
        "dropout_rate": 0.1, "layer_norm_epsilon": 1e-6, "initializer_factor": 1.0,
        "feed_forward_proj": "relu", "is_encoder_decoder": True, "use_cache": True,
        "pad_token_id": 0, "eos_token_id": 1, "decoder_start_token_id": 0,
        "classifier_dropout": 0.0}
    values.update(more)
    return values


_T5_NAMES = {"hidden_size": "d_model", "num_attention_heads": "num_heads",
             "num_hidden_layers": "num_layers", "head_dim": "d_kv"}


def _vit(**more):
    values = {
        "hidden_size": 768, "num_hidden_layers": 12, "num_attention_heads": 12,
        "intermediate_size": 3072, "hidden_act": "gelu", "hidden_dropout_prob": 0.0,
        "attention_probs_dropout_prob": 0.0, "initializer_range": 0.02, "layer_norm_eps": 1e-12,
        "image_size": 224, "patch_size": 16, "num_channels": 3, "qkv_bias": True,
        "encoder_stride": 16, "drop_path_rate": 0.0}
    values.update(more)
    return values


def _wav2vec(**more):
    values = {
        "vocab_size": 32, "hidden_size": 768, "num_hidden_layers": 12,
        "num_attention_heads": 12, "intermediate_size": 3072, "hidden_act": "gelu",
        "hidden_dropout": 0.1, "activation_dropout": 0.1, "attention_dropout": 0.1,
        "feat_proj_dropout": 0.0, "final_dropout": 0.1, "layerdrop": 0.1,
        "layer_norm_eps": 1e-5, "feat_extract_norm": "group", "feat_extract_activation": "gelu",
        "conv_dim": (512,) * 7, "conv_stride": (5, 2, 2, 2, 2, 2, 2),
        "conv_kernel": (10, 3, 3, 3, 3, 2, 2), "conv_bias": False,
        "num_conv_pos_embeddings": 128, "num_conv_pos_embedding_groups": 16,
        "do_stable_layer_norm": False, "apply_spec_augment": True, "mask_time_prob": 0.05,
        "mask_time_length": 10, "num_codevectors_per_group": 320, "num_codevector_groups": 2,
        "num_negatives": 100, "codevector_dim": 256, "proj_codevector_dim": 256,
        "ctc_loss_reduction": "sum", "ctc_zero_infinity": False, "classifier_proj_size": 256,
        "feat_proj_layer_norm": True, "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2,
        "use_weighted_layer_sum": False, "add_adapter": False}
    values.update(more)
    return values


def _swin(**more):
    values = {
        "image_size": 224, "patch_size": 4, "num_channels": 3, "embed_dim": 96,
        "depths": [2, 2, 6, 2], "num_heads": [3, 6, 12, 24], "window_size": 7, "mlp_ratio": 4.0,
        "qkv_bias": True, "hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0,
        "drop_path_rate": 0.1, "hidden_act": "gelu", "use_absolute_embeddings": False,
        "layer_norm_eps": 1e-5, "encoder_stride": 32}
    values.update(more)
    return values


MORE = {
    "bert": ("BertConfig", {}, _bert()),
    "roberta": ("RobertaConfig", {}, _bert(50265, **_ROBERTA)),
    "xlm-roberta": ("XLMRobertaConfig", {}, _bert(**_ROBERTA)),
    "camembert": ("CamembertConfig", {}, _bert(**_ROBERTA)),
    "mpnet": ("MPNetConfig", {}, _bert(30527, relative_attention_num_buckets=32,
                                       **_ROBERTA)),
    "electra": ("ElectraConfig", {}, _bert(
        hidden_size=256, num_attention_heads=4, intermediate_size=1024, embedding_size=128)),
    "albert": ("AlbertConfig", {}, _bert(
        30000, 4096, 12, 64, 16384, embedding_size=128, num_hidden_groups=1, inner_group_num=1,
        hidden_act="gelu_new", hidden_dropout_prob=0, attention_probs_dropout_prob=0,
        classifier_dropout_prob=0.1)),
    "distilbert": ("DistilBertConfig", {
        "hidden_size": "dim", "num_attention_heads": "n_heads",
        "num_hidden_layers": "n_layers", "intermediate_size": "hidden_dim"}, {
        "vocab_size": 30522, "max_position_embeddings": 512, "sinusoidal_pos_embds": False,
        "n_layers": 6, "n_heads": 12, "dim": 768, "hidden_dim": 3072, "dropout": 0.1,
        "attention_dropout": 0.1, "activation": "gelu", "qa_dropout": 0.1,
        "seq_classif_dropout": 0.2, "pad_token_id": 0}),
    "deberta": ("DebertaConfig", {}, _bert(50265, **_DEBERTA)),
    "deberta-v2": ("DebertaV2Config", {}, _bert(128100, 1536, 24, 24, 6144, **_DEBERTA)),
    "modernbert": ("ModernBertConfig", {}, {
        "vocab_size": 50368, "hidden_size": 768, "intermediate_size": 1152,
        "num_hidden_layers": 22, "num_attention_heads": 12, "hidden_activation": "gelu",
        "max_position_embeddings": 8192, "norm_eps": 1e-5, "norm_bias": False,
        "pad_token_id": 50283, "attention_bias": False, "attention_dropout": 0.0,
        "global_attn_every_n_layers": 3, "local_attention": 128, "embedding_dropout": 0.0,
        "global_rope_theta": 160000.0, "local_rope_theta": 10000.0, "mlp_bias": False,
        "mlp_dropout": 0.0, "decoder_bias": True, "classifier_pooling": "cls",
        "classifier_dropout": 0.0, "classifier_bias": False, "classifier_activation": "gelu"}),
    "t5": ("T5Config", _T5_NAMES, _t5()),
    "mt5": ("MT5Config", _T5_NAMES, _t5(250112, 1024, 8, 6, feed_forward_proj="gated-gelu",
                                        tie_word_embeddings=False)),
    "umt5": ("UMT5Config", _T5_NAMES, _t5(250112, 1024, 8, 6, feed_forward_proj="gated-gelu",
                                          tie_word_embeddings=False)),
    "bart": ("BartConfig", _BART_NAMES, _bart()),
    "mbart": ("MBartConfig", _BART_NAMES, _bart()),
    "pegasus": ("PegasusConfig", _BART_NAMES, _bart(
        pad_token_id=0, eos_token_id=1, decoder_start_token_id=0)),
    "marian": ("MarianConfig", _BART_NAMES, _bart(
        58101, decoder_vocab_size=None, pad_token_id=58100, eos_token_id=0,
        decoder_start_token_id=58100, share_encoder_decoder_embeddings=True)),
    "m2m_100": ("M2M100Config", _BART_NAMES, _bart(
        128112, activation_function="relu", encoder_layerdrop=0.05, decoder_layerdrop=0.05,
        attention_dropout=0.1, scale_embedding=True)),
    "whisper": ("WhisperConfig", _BART_NAMES, _bart(
        51865, num_mel_bins=80, encoder_layers=4, encoder_attention_heads=6, decoder_layers=4,
        decoder_attention_heads=6, encoder_ffn_dim=1536, decoder_ffn_dim=1536, d_model=384,
        dropout=0.0, max_source_positions=1500, max_target_positions=448, pad_token_id=50256,
        bos_token_id=50256, eos_token_id=50256, decoder_start_token_id=50257)),
    "encoder-decoder": ("EncoderDecoderConfig", {}, {
        "encoder": None, "decoder": None, "is_encoder_decoder": True}),
    "vision-encoder-decoder": ("VisionEncoderDecoderConfig", {}, {
        "encoder": None, "decoder": None, "is_encoder_decoder": True}),
    "vit": ("ViTConfig", {}, _vit()),
    "deit": ("DeiTConfig", {}, _vit()),
    "vit_mae": ("ViTMAEConfig", {}, _vit(
        decoder_num_attention_heads=16, decoder_hidden_size=512, decoder_num_hidden_layers=8,
        decoder_intermediate_size=2048, mask_ratio=0.75, norm_pix_loss=False)),
    "dinov2": ("Dinov2Config", {}, _vit(
        mlp_ratio=4, layer_norm_eps=1e-6, patch_size=14, layerscale_value=1.0,
        use_swiglu_ffn=False)),
    "beit": ("BeitConfig", {}, _vit(
        vocab_size=8192, use_mask_token=False, use_absolute_position_embeddings=False,
        use_relative_position_bias=False, use_shared_relative_position_bias=False,
        layer_scale_init_value=0.1, drop_path_rate=0.1, use_mean_pooling=True)),
    "swin": ("SwinConfig", {"num_attention_heads": "num_heads", "num_hidden_layers":
                            "num_layers"}, _swin()),
    "convnext": ("ConvNextConfig", {}, {
        "num_channels": 3, "patch_size": 4, "num_stages": 4,
        "hidden_sizes": [96, 192, 384, 768], "depths": [3, 3, 9, 3], "hidden_act": "gelu",
        "layer_norm_eps": 1e-12, "layer_scale_init_value": 1e-6, "drop_path_rate": 0.0,
        "image_size": 224}),
    "convnextv2": ("ConvNextV2Config", {}, {
        "num_channels": 3, "patch_size": 4, "num_stages": 4,
        "hidden_sizes": [96, 192, 384, 768], "depths": [3, 3, 9, 3], "hidden_act": "gelu",
        "layer_norm_eps": 1e-12, "drop_path_rate": 0.0, "image_size": 224}),
    "resnet": ("ResNetConfig", {}, {
        "num_channels": 3, "embedding_size": 64, "hidden_sizes": [256, 512, 1024, 2048],
        "depths": [3, 4, 6, 3], "layer_type": "bottleneck", "hidden_act": "relu",
        "downsample_in_first_stage": False, "downsample_in_bottleneck": False}),
    "segformer": ("SegformerConfig", {}, {
        "num_channels": 3, "num_encoder_blocks": 4, "depths": [2, 2, 2, 2],
        "sr_ratios": [8, 4, 2, 1], "hidden_sizes": [32, 64, 160, 256],
        "patch_sizes": [7, 3, 3, 3], "strides": [4, 2, 2, 2],
        "num_attention_heads": [1, 2, 5, 8], "mlp_ratios": [4, 4, 4, 4], "hidden_act": "gelu",
        "hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0,
        "classifier_dropout_prob": 0.1, "drop_path_rate": 0.1, "layer_norm_eps": 1e-6,
        "decoder_hidden_size": 256, "semantic_loss_ignore_index": 255, "image_size": 224}),
    "clip": ("CLIPConfig", {}, {
        "text_config": None, "vision_config": None, "projection_dim": 512,
        "logit_scale_init_value": 2.6592}),
    "clip_text_model": ("CLIPTextConfig", {}, {
        "vocab_size": 49408, "hidden_size": 512, "intermediate_size": 2048,
        "projection_dim": 512, "num_hidden_layers": 12, "num_attention_heads": 8,
        "max_position_embeddings": 77, "hidden_act": "quick_gelu", "layer_norm_eps": 1e-5,
        "attention_dropout": 0.0, "pad_token_id": 1, "eos_token_id": 49407}),
    "clip_vision_model": ("CLIPVisionConfig", {}, {
        "hidden_size": 768, "intermediate_size": 3072, "projection_dim": 512,
        "num_hidden_layers": 12, "num_attention_heads": 12, "num_channels": 3,
        "image_size": 224, "patch_size": 32, "hidden_act": "quick_gelu", "layer_norm_eps": 1e-5,
        "attention_dropout": 0.0}),
    "siglip": ("SiglipConfig", {}, {"text_config": None, "vision_config": None}),
    "siglip_text_model": ("SiglipTextConfig", {}, {
        "vocab_size": 32000, "hidden_size": 768, "intermediate_size": 3072,
        "num_hidden_layers": 12, "num_attention_heads": 12, "max_position_embeddings": 64,
        "hidden_act": "gelu_pytorch_tanh", "layer_norm_eps": 1e-6, "attention_dropout": 0.0,
        "projection_size": None}),
    "siglip_vision_model": ("SiglipVisionConfig", {}, {
        "hidden_size": 768, "intermediate_size": 3072, "num_hidden_layers": 12,
        "num_attention_heads": 12, "num_channels": 3, "image_size": 224, "patch_size": 16,
        "hidden_act": "gelu_pytorch_tanh", "layer_norm_eps": 1e-6, "attention_dropout": 0.0}),
    "wav2vec2": ("Wav2Vec2Config", {}, _wav2vec()),
    "hubert": ("HubertConfig", {}, _wav2vec()),
    "llava": ("LlavaConfig", {}, {
        "text_config": None, "vision_config": None, "image_token_index": 32000,
        "projector_hidden_act": "gelu", "vision_feature_layer": -2,
        "vision_feature_select_strategy": "default"}),
}
